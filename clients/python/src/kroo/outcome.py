"""How a game has ended."""

from dataclasses import dataclass
from typing import Optional


@dataclass(frozen=True)
class Outcome:
    """The end of a game by the rules."""

    winner: Optional[str]
    """`S` or `N`; None after a draw."""
    _result: str

    def result(self) -> str:
        """`1-0` if South has won, `0-1` or `1/2-1/2`."""
        return self._result
