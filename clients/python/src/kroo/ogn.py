"""Game files (`.ogn`): games with tags and comments, read and written by the engine's own rules.

    import kroo.ogn

    with open("games.ogn", encoding="utf-8") as file:
        while (game := kroo.ogn.read_game(file)) is not None:
            print(game.headers.get("South"), game.board.result())
"""

from dataclasses import dataclass, field
from typing import Dict, Iterator, List, Optional, TextIO

from . import _rules
from ._rules import Board


@dataclass
class Game:
    """A game with its tags and comments."""

    board: Board
    """The board after the last move."""
    headers: Dict[str, str] = field(default_factory=dict[str, str])
    """The tags, without `Variant` and `FEN`, which the board has."""
    comments: List[str] = field(default_factory=list[str])
    """The comment of each move: empty if there is none, and possibly omitted at the end."""

    def __str__(self) -> str:
        return _rules.write(self.board, list(self.headers.items()), self.comments).rstrip() + "\n"


def read_games(text: str, variant: Optional[str] = None) -> List[Game]:
    """The games of a text. `variant` is the rule set of games without one.

    Raises ValueError with line and column if a game is invalid.
    """
    return [Game(board, dict(tags), comments) for board, tags, comments in _rules.read(text, variant)]


def read_game(file: TextIO, variant: Optional[str] = None) -> Optional[Game]:
    """The next game of a file; None at the end. Lines in a ValueError are counted from the start of the game."""
    text = next(_texts(file), None)
    return None if text is None else read_games(text, variant)[0]


def _texts(file: TextIO) -> Iterator[str]:
    """The text of each game: its tags and moves, up to a blank line."""
    lines: List[str] = []
    moves = False
    for line in iter(file.readline, ""):
        blank = not line.strip()
        if moves and blank:
            yield "".join(lines)
            lines, moves = [], False
        elif lines or not blank:
            lines.append(line)
            moves = moves or not (blank or line.startswith("["))
    if any(line.strip() for line in lines):
        yield "".join(lines)


def write(game: Game, file: TextIO) -> None:
    """Writes a game and the blank line after it."""
    file.write(f"{game}\n")
