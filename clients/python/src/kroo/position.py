"""Positions and moves as text. `Engine.fen` and `Engine.legal_moves` know the rules of the engine's configuration."""

import re
from dataclasses import dataclass, replace
from typing import Dict, List, Optional, Sequence, Tuple, Union

PITS = "ABCDEFabcdef"
Moves = Union[str, Sequence[str]]
"""A list of moves: text, such as `FfEc`, or a sequence of letters."""
_FEN = re.compile(r"(?:[0-9]{1,2}-){14}[SN]2?")


def split_moves(moves: Moves) -> Tuple[str, ...]:
    """A list of moves from one word (`FfEc`), several (`F f E c`), or a Python list.

    Raises ValueError for anything but letters of pits, and TypeError for anything but text.
    """
    known: object = moves
    if not isinstance(moves, Sequence) or not all(isinstance(word, str) for word in moves):
        raise TypeError(f"moves are text such as 'FfEc', or a sequence of letters, not {known!r}")
    letters = "".join("".join(moves).split())
    for letter in letters:
        if letter not in PITS:
            raise ValueError(f"a move is one of the letters A to F and a to f, not {letter!r}")
    return tuple(letters)


@dataclass(frozen=True, init=False)
class Position:
    """A position by the rules for which the engine is configured: the start, or fifteen fields, and the moves made from there.

    A position with moves also gives the engine the earlier boards, which repetitions need. Positions are immutable:
    `push` returns a new one.
    """

    fen: Optional[str] = None
    """The fifteen fields; None for the start."""
    moves: Tuple[str, ...] = ()
    """The moves from there, a letter each."""

    def __init__(self, fen: Optional[str] = None, moves: Moves = ()) -> None:
        """`moves` may be text (`FfEc`) or a sequence of letters."""
        if fen is not None and not (isinstance(fen, str) and _FEN.fullmatch(fen)):
            raise ValueError(
                f"a position is fourteen numbers and S or N, joined by '-' (such as "
                f"4-4-4-4-4-4-4-4-4-4-4-4-0-0-S), not {fen!r}"
            )
        object.__setattr__(self, "fen", fen)
        object.__setattr__(self, "moves", split_moves(moves))

    def push(self, moves: Moves) -> "Position":
        """The position after more moves."""
        return replace(self, moves=self.moves + split_moves(moves))

    def pop(self) -> "Position":
        """The position before the last move. Raises IndexError if no move was made."""
        if not self.moves:
            raise IndexError("no move has been made from here")
        return replace(self, moves=self.moves[:-1])

    def words(self) -> str:
        """The position as words of the command `position`."""
        start = "startpos" if self.fen is None else f"fen {self.fen}"
        return f"{start} moves {''.join(self.moves)}" if self.moves else start

    def _fields(self) -> List[str]:
        if self.fen is None or self.moves:
            raise ValueError("only a position of fifteen fields without moves has fields; ask `Engine.fen` for them")
        return self.fen.split("-")

    @property
    def pits(self) -> Dict[str, int]:
        """The seeds in the pits, by their letters. Only for a position without moves, as are `stores` and `turn`."""
        return dict(zip(PITS, map(int, self._fields()[:12])))

    @property
    def stores(self) -> Tuple[int, int]:
        """The seeds in South's store and in North's."""
        south, north = self._fields()[12:14]
        return int(south), int(north)

    @property
    def turn(self) -> str:
        """The side to move, `S` or `N`."""
        return self._fields()[14][0]
