"""Drive the mancala engine Kroo from Python.

    import kroo

    with kroo.Engine("kroo", variant="oware") as engine:
        print(engine.play(kroo.Position(moves="FfEc"), kroo.Limit(time=0.5)).move)

`Engine` starts the program and speaks its line protocol. `Position` says what to search, `Limit` how long. Everything that
an engine refuses, or an engine that dies, is an exception.
"""

from .engine import Analysis, Engine, EngineError, EngineTerminated, EngineTimeout, Option, PlayResult
from .info import Info, Score
from .limit import Limit
from .position import Position, split_moves

__all__ = [
    "Analysis",
    "Engine",
    "EngineError",
    "EngineTerminated",
    "EngineTimeout",
    "Info",
    "Limit",
    "Option",
    "PlayResult",
    "Position",
    "Score",
    "split_moves",
]
__version__ = "0.1.0"
