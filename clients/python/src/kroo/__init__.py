"""Play mancala games from Python: boards, game files, endgame files, and the engine Kroo.

    import kroo

    board = kroo.Board("oware")
    with kroo.Engine() as engine:
        while not board.is_game_over():
            board.push(engine.play(board, kroo.Limit(time=0.1)).move)
    print(board.result())

`Board` implements the rules without an engine process. `Engine` starts the program and speaks its line protocol;
`AsyncEngine` does so for asyncio. `kroo.ogn` reads and writes game files, `kroo.svg` draws, `EndgameDatabase` probes endgame
files, `kroo.env` is a PettingZoo environment, and `kroo.spiel` has OpenSpiel's actions and a bot for it. These need a
compiled module for the rules, which wheels include; `Engine`, `Position` and `Limit` work without it.
"""

from typing import TYPE_CHECKING, Any, List

from .aio import AsyncAnalysis, AsyncEngine
from .analysis import PlayResult
from .engine import Analysis, Engine
from .errors import EngineError, EngineTerminated, EngineTimeout
from .info import Info, Score
from .limit import Limit
from .option import Option
from .outcome import Outcome
from .position import Position, split_moves
from .solution import Bounds, Solution

if TYPE_CHECKING:
    from . import env as env
    from . import ogn, spiel, svg
    from .board import VARIANTS, Board, fair_starts
    from .database import EndgameDatabase

__all__ = [
    "Analysis",
    "AsyncAnalysis",
    "AsyncEngine",
    "Board",
    "Bounds",
    "EndgameDatabase",
    "Engine",
    "EngineError",
    "EngineTerminated",
    "EngineTimeout",
    "Info",
    "Limit",
    "Option",
    "Outcome",
    "PlayResult",
    "Position",
    "Score",
    "Solution",
    "VARIANTS",
    "fair_starts",
    "ogn",
    "spiel",
    "split_moves",
    "svg",
]
__version__ = "0.2.0"

_LAZY = {
    "Board": "board",
    "VARIANTS": "board",
    "fair_starts": "board",
    "EndgameDatabase": "database",
    "env": "env",
    "ogn": "ogn",
    "spiel": "spiel",
    "svg": "svg",
}
"""Names that need the compiled module or other packages, and the modules that have them."""


def __getattr__(name: str) -> Any:
    """Loads such a name on first use."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module = import_module(f".{_LAZY[name]}", __name__)
    value = module if name == _LAZY[name] else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> List[str]:
    """All names that can be loaded here."""
    from importlib.util import find_spec

    has_rules, has_env = (find_spec(name) is not None for name in (f"{__name__}._rules", "pettingzoo"))
    lazy = {name for name in _LAZY if has_rules and (has_env or name != "env")}
    return sorted({*globals(), *__all__} - {*_LAZY} | lazy)
