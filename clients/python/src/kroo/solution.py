"""Exact values of positions."""

from dataclasses import dataclass, field
from typing import Dict, Optional, Tuple


@dataclass(frozen=True)
class Bounds:
    """The proven bounds of a position or a move: the final difference of the stores in seeds, for the side to move."""

    at_least: int
    at_most: int
    proven: bool
    """Whether the question is answered."""

    @property
    def value(self) -> Optional[int]:
        """The exact value; None if only bounds are known."""
        return self.at_least if self.at_least == self.at_most else None

    @property
    def result(self) -> Optional[str]:
        """`win`, `draw` or `loss`; None if it is not proven."""
        if self.at_least > 0:
            return "win"
        return "loss" if self.at_most < 0 else "draw" if self.value == 0 else None


@dataclass(frozen=True)
class Solution(Bounds):
    """The answer about a position. `proven` says whether everything that was asked is proven, of the moves too."""

    pv: Tuple[str, ...] = ()
    """Best play, if the value is exact; otherwise a move that is sure of `at_least`, if one is known."""
    moves: Dict[str, Bounds] = field(default_factory=dict[str, Bounds])
    """The bounds of each move, the best first, if they were asked for."""
    nodes: int = 0
    time: float = 0.0
    """Seconds."""

    @property
    def best(self) -> Optional[str]:
        """The best move, if one is known."""
        return self.pv[0] if self.pv else None


def bounds_of(line: str) -> Bounds:
    """Reads `… proven atleast A atmost B …`. Raises ValueError or KeyError."""
    pairs = dict(zip(words := line.split(), words[1:]))
    return Bounds(int(pairs["atleast"]), int(pairs["atmost"]), "proven" in words)


def solution_of(line: str, moves: Dict[str, Bounds]) -> Solution:
    """Reads `solve position …`. Raises ValueError or KeyError."""
    pairs = dict(zip(words := line.split(), words[1:]))
    own = bounds_of(line)
    proven = own.proven and all(bounds.proven for bounds in moves.values())
    return Solution(
        own.at_least, own.at_most, proven, tuple(pairs.get("pv", "")), moves, int(pairs["nodes"]), int(pairs["time"]) / 1000,
    )
