"""The conversation with an engine, without input and output: lines go in, and lines to send come out.

It has one exchange at a time; others wait until the engine has finished with it. So a line of the engine always belongs to a
known command, whatever happened to its caller.
"""

from collections import deque
from typing import Deque, Dict, List, Optional

from .errors import EngineError, EngineTerminated
from .exchange import End, Exchange, Lines, Search, Work


class Conversation:
    """All exchanges with an engine, one after the other."""

    def __init__(self) -> None:
        self.settings: Dict[str, Optional[str]] = {}
        """The values of the engine's options, as far as they are known."""
        self._current: Optional[Exchange] = None
        self._waiting: Deque[Exchange] = deque()
        self._ends: List[End] = []
        self._game: object = None
        self._closed: Optional[str] = None
        """Why the engine takes no more commands; None while it does."""
        self._has_ended = False

    def submit(self, exchange: Exchange) -> Lines:
        """Begins an exchange, or lets it wait for its turn."""
        if isinstance(exchange, End):
            self._ends.append(exchange)
            if self._has_ended:
                self._finish(exchange)
            return []
        if self._closed is not None:
            exchange.fail(self._terminated(exchange))
            exchange.changed()
            return []
        if any(other.is_open for other in self._all()):
            exchange.fail(EngineError("a search is running: stop it, or read on to its answer"))
            exchange.changed()
            return []
        lines: Lines = []
        for other in [other for other in self._all() if other.gives_way]:
            lines += self.abandon(other)
        self._waiting.append(exchange)
        return lines + self._next()

    def receive(self, line: str) -> Lines:
        """Takes a line of the engine. What belongs to no command is skipped."""
        exchange = self._current
        if exchange is None:
            return []
        lines = exchange.take(line)
        if exchange.is_over:
            self._current = None
            lines += self._next()
        exchange.changed()
        return lines

    def stop(self, exchange: Optional[Exchange] = None) -> Lines:
        """Stops an exchange, or all."""
        lines: Lines = []
        for one in self._all() if exchange is None else [exchange]:
            if one is self._current:
                lines += one.stop()
            else:
                one.stop()
        return lines

    def abandon(self, exchange: Exchange) -> Lines:
        """Stops an exchange, and drops its answer."""
        if exchange.is_over:
            return []
        exchange.fail(EngineError(f"`{exchange.asked}` was abandoned"))
        exchange.is_open = exchange.gives_way = False
        lines: Lines = []
        if exchange is self._current:
            lines = exchange.stop()
        elif exchange in self._waiting:
            self._waiting.remove(exchange)
        exchange.changed()
        return lines

    def hit(self, search: Search) -> Lines:
        """Turns a search on the opponent's time into an ordinary one."""
        lines = search.hit()
        return lines if search is self._current else []

    def quit(self) -> Lines:
        """Asks the engine to end. What it still answers, such as the move of a search, is skipped."""
        if self._closed is not None:
            return []
        self._close("was told to quit")
        return ["quit"]

    def end(self, reason: str) -> None:
        """The engine has ended."""
        self._close(f"has ended {reason}")
        self._has_ended = True
        for waiter in self._ends:
            self._finish(waiter)

    def _close(self, reason: str) -> None:
        self._closed = reason
        for exchange in self._all():
            exchange.fail(self._terminated(exchange))
            exchange.is_open = False
            exchange.is_over = True
            exchange.changed()
        self._current = None
        self._waiting.clear()

    def _all(self) -> List[Exchange]:
        return [*([] if self._current is None else [self._current]), *self._waiting]

    def _next(self) -> Lines:
        """Begins the next exchange if there is one and the engine is free."""
        while self._current is None and self._waiting:
            exchange = self._waiting.popleft()
            if isinstance(exchange, Work) and exchange.game is not None:
                exchange.is_new_game = exchange.game != self._game
                self._game = exchange.game
            self._current = exchange
            return exchange.begin(self.settings)
        return []

    def _terminated(self, exchange: Exchange) -> EngineTerminated:
        return EngineTerminated(f"the engine {self._closed}: `{exchange.awaited}` after `{exchange.asked}` was awaited")

    @staticmethod
    def _finish(waiter: End) -> None:
        waiter.succeed()
        waiter.changed()
