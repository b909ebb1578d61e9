"""Searches in progress, and their results."""

import time as clock
from dataclasses import dataclass
from types import TracebackType
from typing import Dict, Iterator, List, Optional, Protocol, Tuple, Type

from .errors import EngineTerminated, EngineTimeout, seconds
from .info import Info


class Searching(Protocol):
    """The part of an engine that a search uses."""

    timeout: float
    _search: Optional["Analysis"]

    def _line(self, timeout: Optional[float], awaited: str) -> str: ...

    def _send(self, line: str) -> None: ...


@dataclass(frozen=True)
class PlayResult:
    """The engine's move."""

    move: Optional[str]
    """The letter of the pit; None if the game is over."""
    ponder: Optional[str]
    """The reply that the engine expects."""
    info: Info
    """The last info of its best line."""


class Analysis:
    """A search in progress: iterate over its info, stop it at any time.

        with engine.analysis(position) as analysis:
            for info in analysis:
                if info.depth and info.depth > 20:
                    break

    Leaving the `with` stops the search. `infos` has the latest info of each best line.
    """

    def __init__(self, engine: Searching, asked: str, turn: Optional[str]) -> None:
        self._engine = engine
        self._asked = asked
        self._turn = turn
        self._lines: Dict[int, Info] = {}
        self._answer: Optional[Tuple[Optional[str], Optional[str]]] = None

    def __iter__(self) -> Iterator[Info]:
        while self._answer is None:
            info = self._step()
            if info is not None:
                yield info

    def _step(self, timeout: Optional[float] = None) -> Optional[Info]:
        """Reads one line."""
        line = self._engine._line(timeout, f"a line of the search `{self._asked}`")
        word, *rest = line.split() or [""]
        if word == "bestmove":
            self._engine._search = None
            moves = [None if move in ("0000", "(none)") else move for move in rest[:1] + rest[2:3]]
            best, ponder = (moves + [None, None])[:2]
            self._answer = (best, ponder)
        elif word == "info":
            info = Info.parse(line, self._turn)
            if info.score is not None:
                number = info.multipv or 1
                if number == 1:
                    self._lines = {}
                self._lines[number] = info
            return info
        return None

    @property
    def infos(self) -> List[Info]:
        """The current lines, best first."""
        return [self._lines[number] for number in sorted(self._lines)]

    @property
    def info(self) -> Info:
        """The best line so far."""
        return self._lines.get(1, Info())

    def stop(self) -> None:
        """Stops the search; the engine answers at once. Its remaining info can still be read."""
        if self._answer is None:
            self._engine._send("stop")

    def wait(self, timeout: Optional[float] = None) -> PlayResult:
        """Waits for the answer. Raises EngineTimeout after `timeout` seconds."""
        until = None if timeout is None else clock.monotonic() + timeout
        while self._answer is None:
            left = None if until is None else until - clock.monotonic()
            try:
                self._step(None if left is None else max(left, 0))
            except EngineTimeout:
                raise EngineTimeout(f"no `bestmove` within {seconds(timeout)} s of `{self._asked}`") from None
        assert self._answer is not None
        return PlayResult(self._answer[0], self._answer[1], self.info)

    def __enter__(self) -> "Analysis":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        if not isinstance(error, EngineTerminated):
            self.stop()
            until = clock.monotonic() + self._engine.timeout
            while self._answer is None and clock.monotonic() < until + 1:
                self._step(max(until - clock.monotonic(), 0))
