"""Endgame files, probed without an engine process."""

import os
from typing import Optional, Union

from . import _rules
from ._rules import Board
from .info import Score


class EndgameDatabase:
    """The endgame files of a rule set in a folder, as `kroo endgame build` writes them.

    Files are mapped, not read. Raises OSError if the folder cannot be read or a file is invalid.
    """

    def __init__(self, folder: Union[str, "os.PathLike[str]"], variant: str) -> None:
        self._database = _rules.Database(folder, variant)

    @property
    def variant(self) -> str:
        """The name of the rule set."""
        return self._database.variant

    @property
    def seeds(self) -> Optional[int]:
        """The most seeds in the pits with a file; None without files."""
        return self._database.seeds

    def probe(self, board: Board) -> Score:
        """The proven score of an unfinished position. Raises KeyError if the files do not have it."""
        score = self.get(board)
        if score is None:
            raise KeyError(f"no file of {self.variant} reaches {sum(board.pits)} seeds in the pits")
        return score

    def get(self, board: Board) -> Optional[Score]:
        """The same, or None if the files do not have the position."""
        found = self._database.probe(board)
        if found is None:
            return None
        centiseeds, proven, bound = found
        return Score(centiseeds, proven=proven, bound=bound, turn=board.turn)
