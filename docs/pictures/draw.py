"""Draws the pictures of README.md, the manual and the referee's guide from what the programs print: python3 docs/pictures/draw.py

Needs release builds, `pip install rich`, Node and Chromium. The engine is limited by nodes, so the same engine draws the same board.
"""
import io
import pathlib
import re
import subprocess
import tempfile

from rich.console import CONSOLE_SVG_FORMAT, Console
from rich.text import Text

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "docs/pictures"
KROO = ROOT / "target/release/kroo"
PAGE = (1280, 820)
# The position that the report's picture shows, in the middle of a game.
SHOWN = "game=3&ply=36"


def play():
    """A turn of `kroo play` with the advice that follows, as a terminal shows it."""
    words = "play --variant oware --level amateur --nodes 20000 --board unicode --color always".split()
    shown = subprocess.run([KROO, *words], input="3\n4\nhint\nquit\n", env={"COLUMNS": "80"}, text=True,
                           capture_output=True, check=True).stdout
    turns = re.split(r"(?=^You sow)", shown, flags=re.MULTILINE)
    return turns[-1].split("The game is not saved")[0]


def terminal(text, path):
    """Draws lines with colours as a picture of a terminal. Its fonts are the reader's own: none is fetched from a server."""
    form = re.sub(r"@font-face {{.*?}}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    form = form.replace("Fira Code, monospace", "monospace").replace("arial", "sans-serif")
    console = Console(record=True, width=82, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(text.rstrip()))
    path.write_text(console.export_svg(title="kroo play", unique_id="kroo", code_format=form))


def report(path):
    """Draws the page of a small tournament, as a browser shows it."""
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "report.html"
        engine = f"cmd={KROO} nodes=2000"
        levels = [word for name in ["amateur", "grandmaster", "full"]
                  for word in f"--engine {engine} name={name} option.Level={name}".split()]
        match = f"--variant oware --rounds 8 --random-plies 6 --html {page}".split()
        subprocess.run([ROOT / "target/release/referee", *levels, *match], capture_output=True, check=True)
        size = ",".join(map(str, PAGE))
        subprocess.run(["chromium", "--headless", "--no-sandbox", "--hide-scrollbars", f"--window-size={size}",
                        f"--screenshot={path}", f"{page.as_uri()}#{SHOWN}"], capture_output=True, check=True)


def page(desk, phone):
    """Draws the page of `kroo web`: an analysis on a desk, a game on a phone."""
    subprocess.run(["node", ROOT / "tests/browser/picture.mjs", KROO, "chromium", desk, phone], check=True)


if __name__ == "__main__":
    terminal(play(), HERE / "board.svg")
    report(HERE / "report.png")
    page(HERE / "web.png", HERE / "phone.png")
