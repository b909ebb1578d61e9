"""Boards by the engine's own rules, without an engine process: `Board` and the names in `VARIANTS`."""

from ._rules import VARIANTS, Board

__all__ = ["VARIANTS", "Board"]
