"""Searches in progress, and their results."""

import time as clock
from dataclasses import dataclass
from types import TracebackType
from typing import Iterator, List, Optional, Type

from .driver import Driver, Signal
from .errors import EngineError, EngineTimeout, seconds
from .exchange import Exchange, Search
from .info import Info


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
    """The best line so far."""
    return next((info for info in search.infos if (info.multipv or 1) == 1), Info())


class Waiter:
    """Waits for exchanges in the thread that calls it."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver

    def begin(self, exchange: Exchange) -> Signal:
        signal = Signal()
        exchange.changed = signal.set
        self._driver.submit(exchange)
        return signal

    def outcome(self, exchange: Exchange, signal: Signal, timeout: Optional[float], *, started: bool = False) -> None:
        """Waits for the outcome of an exchange, or until a search has started. Raises its error, or EngineTimeout."""
        until = None if timeout is None else clock.monotonic() + timeout
        while not exchange.has_outcome and not (started and isinstance(exchange, Search) and exchange.has_started):
            left = None if until is None else until - clock.monotonic()
            if left is not None and left <= 0:
                raise late(exchange, timeout)
            signal.wait(left)
        if exchange.error is not None:
            raise exchange.error.with_traceback(None)


def late(exchange: Exchange, timeout: Optional[float]) -> EngineTimeout:
    return EngineTimeout(f"no `{exchange.awaited}` within {seconds(timeout)} s of `{exchange.asked}`")


class Analysis:
    """A search in progress: iterate over its info, stop it at any time.

        with engine.analysis(position) as analysis:
            for info in analysis:
                if info.depth and info.depth > 20:
                    break

    Leaving the `with` stops the search. `infos` has the latest info of each best line.
    """

    def __init__(self, driver: Driver, search: Search, signal: Signal, patience: float) -> None:
        self._driver = driver
        self._search = search
        self._signal = signal
        self._patience = patience

    def __iter__(self) -> Iterator[Info]:
        search = self._search
        while True:
            had_outcome = search.has_outcome
            if search.unread:
                yield search.unread.popleft()
            elif not had_outcome:
                self._signal.wait(None)
            elif search.error is not None:
                raise search.error.with_traceback(None)
            else:
                return

    @property
    def infos(self) -> List[Info]:
        """The current lines, best first."""
        return list(self._search.infos)

    @property
    def info(self) -> Info:
        """The best line so far."""
        return best_of(self._search)

    def stop(self) -> None:
        """Stops the search; the engine answers at once. Its remaining info can still be read."""
        self._driver.stop(self._search)

    def wait(self, timeout: Optional[float] = None) -> PlayResult:
        """Waits for the answer. Raises EngineTimeout after `timeout` seconds."""
        Waiter(self._driver).outcome(self._search, self._signal, timeout)
        return result_of(self._search)

    def __enter__(self) -> "Analysis":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.stop()
        if error is None and self._search.error is None:
            Waiter(self._driver).outcome(self._search, self._signal, self._patience)
