"""Writes the examples of each page and module of the package as programs: python3 examples.py FOLDER

A page's examples are one program. One that awaits becomes a function.
"""

import re
import sys
import textwrap
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent


def programs():
    """The name and the text of each program."""
    pages = {"readme": PACKAGE.parents[1] / "README.md", "page": PACKAGE / "README.md", "reference": PACKAGE / "reference.md"}
    for name, page in pages.items():
        blocks = re.findall(r"^```py(?:thon)?\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
        assert blocks, f"{page} has no example"
        # Each of them can begin with the import.
        yield name, "import kroo\n" + "\n".join(blocks).replace("import kroo\n", "")
    for module in sorted((PACKAGE / "src/kroo").rglob("*.py")):
        for number, text in enumerate(re.findall(r'"""(.*?)"""', module.read_text(encoding="utf-8"), re.DOTALL)):
            blocks = re.findall(r"(?:^|\n)((?:(?: {4}| {8})\S.*\n(?:.*\n)*?)+)(?=\n? {0,4}\S|\Z)", text) if "    " in text else []
            example = textwrap.dedent("\n".join(blocks)).strip()
            if "import kroo" not in example and "from kroo" not in example and "kroo.AsyncEngine" not in example:
                continue  # It needs names from elsewhere.
            if "await" in example:
                example = "import kroo\n\n\nasync def main() -> None:\n" + textwrap.indent(example, "    ")
            name = "_".join(part.strip("_") for part in module.relative_to(PACKAGE / "src/kroo").with_suffix("").parts)
            yield f"{name}_{number}", example + "\n"


if __name__ == "__main__":
    for name, text in programs():
        Path(sys.argv[1], f"example_{name}.py").write_text(text, encoding="utf-8")
