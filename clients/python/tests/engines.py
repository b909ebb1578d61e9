"""What tests need of engines: the real one, scripted ones, and the compiled rules if they are built."""

import os
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
if "KROO_WHEEL" not in os.environ:
    sys.path.insert(0, str(HERE.parent / "src"))

ENGINE = os.environ.get("KROO") or str(HERE.parents[2] / "target/release/kroo")
"""The executable."""

try:
    from kroo import _rules  # noqa: F401
except ImportError:
    _rules = None

with_rules = unittest.skipIf(_rules is None, "kroo._rules is not built")
"""Skips a test where the compiled module is not built."""

_SCRIPT = """
import sys
answers = {answers!r}
for line in sys.stdin:
    line = line.strip()
    for start, said in answers.items():
        if line.startswith(start):
            print(said, flush=True)
            break
"""


def scripted(answers=None):
    """An engine that answers lines by how they begin; `uci` and `isready` as usual, unless the answers have them."""
    usual = {"uci": "id name Stranger\nuciok", "isready": "readyok"}
    return [sys.executable, "-c", _SCRIPT.format(answers={**(answers or {}), **{key: said for key, said in usual.items() if key not in (answers or {})}})]
