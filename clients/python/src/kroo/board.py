"""Boards by the engine's own rules, without an engine process: `Board` and the names in `VARIANTS`; `fair_starts`."""

from ._rules import VARIANTS, Board, fair_starts

__all__ = ["VARIANTS", "Board", "fair_starts"]
