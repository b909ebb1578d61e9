"""Game files (`.ogn`): games with tags, comments and variations, read and written by the engine's own rules.

    import kroo.ogn

    with open("games.ogn", encoding="utf-8") as file:
        for game in kroo.ogn.games(file):
            print(game.headers.get("South"), game.board.result())
"""

import io
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Dict, Iterator, List, Optional, TextIO, Tuple
from weakref import WeakKeyDictionary

from . import _rules
from ._rules import Board

if TYPE_CHECKING:
    from ._rules import MoveTuple


@dataclass
class Move:
    """A move of a game file, with its annotations."""

    letter: str
    sign: str = ""
    """`!`, `?`, `!!`, `??`, `!?` or `?!`, or nothing."""
    comment: str = ""
    """The comment after it."""
    variations: List[List["Move"]] = field(default_factory=list["List[Move]"])
    """Alternatives to this move, and how each goes on."""
    before: str = ""
    """The comment before it, which only the first move of a variation has."""


@dataclass
class Game:
    """A game with its tags and annotated moves."""

    board: Board
    """The board after the last move."""
    headers: Dict[str, str] = field(default_factory=dict[str, str])
    """The tags in order. Without `Variant`, which a file has, they are added to those of a new game."""
    moves: List[Move] = field(default_factory=list[Move])
    """The moves of the board; those that are missing have no annotations."""
    comment: str = ""
    """The comment before the first move."""
    omitted: str = ""
    """What the reader left out of the game's text, a line for each part, with its place."""

    def __post_init__(self) -> None:
        _check_headers(self.headers)
        self.moves += [Move(letter) for letter in self.board.move_stack[len(self.moves):]]

    @property
    def comments(self) -> List[str]:
        """The comment of each move."""
        return [move.comment for move in self.moves]

    def __str__(self) -> str:
        _check_headers(self.headers)
        _check_depth(self.moves)
        moves = [_tuple_of(move) for move in self.moves]
        return _rules.write(self.board, list(self.headers.items()), self.comment, moves).rstrip() + "\n"


_DEEPEST = 32
"""Variations within each other in a game file."""

_READERS: "WeakKeyDictionary[TextIO, Tuple[_rules.Games, Optional[str], Optional[int]]]" = WeakKeyDictionary()
"""The reader of each file in `read_game`, its `variant`, and where the file was after it."""


def games(file: TextIO, variant: Optional[str] = None) -> Iterator[Game]:
    """The games of an open file. `variant` is the rule set of games without one.

    Raises ValueError with line and column if a game is invalid; `read_game` can go on after it.
    """
    return map(_game_of, _rules.Games(file, variant))


def read_games(text: str, variant: Optional[str] = None) -> List[Game]:
    """The games of a text. `games` reads a file."""
    return list(games(io.StringIO(text), variant))


def read_game(file: TextIO, variant: Optional[str] = None) -> Optional[Game]:
    """The next game of an open file; None at the end.

    Raises ValueError with line and column if it is invalid; the next call goes on behind the fault. A reader stays with the
    file, since the first line of the next game may have been read: continue only with this function, or `seek`.
    """
    reader, known, place = _READERS.get(file, (None, None, None))
    if reader is None or known != variant or place != _place_of(file):
        reader = _rules.Games(file, variant)
    try:
        found = next(reader, None)
    finally:
        _READERS[file] = (reader, variant, _place_of(file))
    if found is None:
        del _READERS[file]
    return None if found is None else _game_of(found)


def write(game: Game, file: TextIO) -> None:
    """Writes a game and the blank line after it. Raises ValueError for a tag that could not be read or contradicts the board."""
    file.write(f"{game}\n")


def _place_of(file: TextIO) -> Optional[int]:
    """The position in a file; None for a pipe, which has none."""
    try:
        return file.tell()
    except (AttributeError, OSError, ValueError):
        return None


def _game_of(found: "Tuple[Board, List[Tuple[str, str]], str, List[MoveTuple], str]") -> Game:
    board, tags, comment, moves, omitted = found
    return Game(board, dict(tags), [_move_of(move) for move in moves], comment, omitted)


def _move_of(move: "MoveTuple") -> Move:
    letter, sign, comment, variations, before = move
    return Move(letter, sign, comment, [[_move_of(move) for move in line] for line in variations], before)


def _tuple_of(move: Move) -> "MoveTuple":
    variations = [[_tuple_of(move) for move in line] for line in move.variations]
    return (move.letter, move.sign, move.comment, variations, move.before)


def _check_headers(headers: Dict[str, str]) -> None:
    for name, value in headers.items():
        words: List[object] = [name, value]
        if not all(isinstance(word, str) for word in words):
            raise TypeError(f"`headers` are text, such as {{'Round': '1'}}, not {{{name!r}: {value!r}}}")


def _check_depth(moves: List[Move]) -> None:
    """The reader's limit. Without it a deep enough game would not fit in the stack of the writer."""
    lines = [(moves, 0)]
    while lines:
        line, depth = lines.pop()
        if depth > _DEEPEST:
            raise ValueError(f"variations may be {_DEEPEST} within each other, as the reader has it: these are more")
        lines += [(variation, depth + 1) for move in line for variation in move.variations]
