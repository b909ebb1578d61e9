"""OpenSpiel's actions as moves, replays of Kaggle's Game Arena, and Kroo as a `pyspiel.Bot`.

    from kroo import spiel

    game = spiel.read_replay([3, 6, 9, 12])
    print(game.board.move_stack, spiel.actions(game.board))

OpenSpiel's `mancala` has the rules of `kalah`, and its `oware` those of `oware`; the same moves give the same results. At the end
of a game of `oware` OpenSpiel adds each row to its owner's store, even if a majority has ended the game, and Kroo leaves
those seeds in their pits: `stores` gives OpenSpiel's numbers. Only `Bot` needs OpenSpiel: `pip install kroo[spiel]`, with
Python 3.11 or later.
"""

from typing import TYPE_CHECKING, Any

from .conversion import action, actions, board, move, read_replay, stores, variant

if TYPE_CHECKING:
    from .bot import Bot

__all__ = ["Bot", "action", "actions", "board", "move", "read_replay", "stores", "variant"]


def __getattr__(name: str) -> Any:
    """Loads `Bot` on first use: only `Bot` needs OpenSpiel."""
    if name != "Bot":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .bot import Bot

    return Bot
