"""Searches in progress, and their results."""

from dataclasses import dataclass
from typing import Generic, List, NoReturn, Optional, TypeVar

from .driver import Driver
from .errors import EngineError
from .info import Info
from .work import Search

E = TypeVar("E")


@dataclass(frozen=True)
class PlayResult:
    """The engine's move."""

    move: str
    """The letter of the pit."""
    ponder: Optional[str]
    """The reply that the engine expects."""
    info: Info
    """The last info of its best line."""


def result_of(search: Search) -> PlayResult:
    """The result of a search that has ended. Raises EngineError if it has none."""
    if search.error is not None:
        raise search.error.with_traceback(None)
    if search.move is None:
        raise EngineError("the engine has no move: the game is over")
    return PlayResult(search.move, search.ponder, best_of(search))


def best_of(search: Search) -> Info:
    """The latest best line."""
    return next((info for info in search.infos if (info.multipv or 1) == 1), Info())


class Progress(Generic[E]):
    """What `Analysis` and `AsyncAnalysis` have in common. It refers to its engine, which lives as long as the search."""

    def __init__(self, engine: E, driver: Driver, search: Search, patience: Optional[float]) -> None:
        self._engine = engine
        self._driver = driver
        self._search = search
        self._patience = patience

    @property
    def infos(self) -> List[Info]:
        """The current lines, best first."""
        return list(self._search.infos)

    @property
    def info(self) -> Info:
        """The latest best line."""
        return best_of(self._search)

    def stop(self) -> None:
        """Stops the search; the engine answers at once. Its remaining info can still be read."""
        self._driver.tell("stop", self._search)

    def _has_next(self) -> bool:
        return bool(self._search.unread) or self._search.has_outcome

    def _next(self) -> Optional[Info]:
        """The next info; None at the end. Raises the error of a search that has one. Another reader may have taken it."""
        try:
            return self._search.unread.popleft()
        except IndexError:
            if self._search.error is not None:
                raise self._search.error.with_traceback(None) from None
            return None

    def __reduce__(self) -> NoReturn:
        raise TypeError("an analysis belongs to the process of its engine: it cannot be copied or pickled")
