"""The conversation with an engine, without input and output: lines and the time go in, lines to send come out.

It has one exchange at a time; others wait until the engine has finished with it. So a line of the engine always belongs to a
known command, whatever happened to its caller. `State` lists the states of its life, and `tests/states.txt` what a call
answers in each. Two drivers turn calls into exchanges and wait for them: `Engine` in threads, `AsyncEngine` in tasks.
"""

from collections import deque
from enum import Enum
from typing import Deque, Dict, List, Optional

from .errors import EngineError, EngineTerminated
from .exchange import End, Exchange, Lines
from .work import Search, Work


class State(Enum):
    """What an engine is doing."""

    READY = "ready"
    BUSY = "busy"
    """A caller awaits a command."""
    OPEN = "open"
    """An analysis runs until it is stopped."""
    PONDERING = "pondering"
    """It thinks on the opponent's time, until the next command."""
    LEAVING = "leaving"
    """The running command has no caller."""
    QUITTING = "quitting"
    """It was told to quit, and has not ended."""
    ENDED = "ended"


class Conversation:
    """All exchanges with an engine, one after the other."""

    def __init__(self) -> None:
        self.settings: Dict[str, Optional[str]] = {}
        """The known values of the engine's options."""
        self.must_kill = False
        """Whether the engine has not ended in time after it was told to."""
        self._now = 0.0
        self._quit_by: Optional[float] = None
        self._current: Optional[Exchange] = None
        self._waiting: Deque[Exchange] = deque()
        self._ends: List[End] = []
        self._game: object = None
        self._closed: Optional[str] = None
        """Why the engine takes no more commands; None while it does."""
        self._has_ended = False

    @property
    def state(self) -> State:
        if self._closed is not None:
            return State.ENDED if self._has_ended else State.QUITTING
        exchanges = self._all()
        if any(exchange.is_open for exchange in exchanges):
            return State.OPEN
        if any(not exchange.has_outcome and not exchange.gives_way for exchange in exchanges):
            return State.BUSY
        if not exchanges:
            return State.READY
        return State.PONDERING if any(exchange.gives_way for exchange in exchanges) else State.LEAVING

    # Time

    def tick(self, now: float) -> Lines:
        """Notes the time, in seconds on any clock. Exchanges whose time is over fail."""
        self._now = now
        if self._quit_by is not None and now >= self._quit_by:
            self._quit_by, self.must_kill = None, True
        lines: Lines = []
        for exchange in self._all():
            if exchange.deadline is not None and now >= exchange.deadline:
                lines += self._leave(exchange, exchange.late(exchange.patience))
        return lines

    def next_deadline(self) -> Optional[float]:
        """When `tick` has something to do, unless something else happens before."""
        deadlines = [exchange.deadline for exchange in self._all()]
        return min((time for time in (*deadlines, self._quit_by) if time is not None), default=None)

    # Callers

    def submit(self, exchange: Exchange) -> Lines:
        """Begins an exchange, or lets it wait for its turn. A search on the opponent's time goes on as an ordinary one."""
        if isinstance(exchange, End):
            self._ends.append(exchange)
            if self._has_ended:
                self._conclude(exchange)
            return []
        if exchange.has_outcome:
            return []
        if exchange.patience is not None:
            exchange.deadline = self._now + exchange.patience
        if exchange.is_submitted and isinstance(exchange, Search):
            lines = exchange.hit()
            return lines if exchange is self._current else []
        exchange.is_submitted = True
        lines = self._leave_those_of(exchange.caller)
        state = self.state
        if state in (State.QUITTING, State.ENDED):
            self._conclude(exchange, self._terminated(exchange))
            return lines
        if state is State.OPEN:
            self._conclude(exchange, EngineError("a search is running: stop it, or read on to its answer"))
            return lines
        for other in self._all():
            if other.gives_way:
                lines += self.abandon(other)
        self._waiting.append(exchange)
        return lines + self._next()

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
        return self._leave(exchange, EngineError(f"`{exchange.asked}` was abandoned"))

    def quit(self, patience: Optional[float]) -> Lines:
        """Asks the engine to end within a time. What it still answers, such as the move of a search, is skipped."""
        if self._closed is not None:
            return []
        self._quit_by = None if patience is None else self._now + patience
        self._close("was told to quit")
        return ["quit"]

    # The engine

    def receive(self, line: str) -> Lines:
        """Takes a line of the engine. What belongs to no command is skipped."""
        exchange = self._current
        if exchange is None:
            return []
        lines = exchange.take(line)
        if exchange.is_answered:
            exchange.deadline = None
        if exchange.is_over:
            self._current = None
            lines += self._next()
        exchange.wake()
        return lines

    def end(self, reason: str) -> Lines:
        """The engine has ended."""
        self._close(f"has ended {reason}")
        self._has_ended, self._quit_by = True, None
        for waiter in self._ends:
            self._conclude(waiter)
        return []

    # The parts

    def _leave(self, exchange: Exchange, error: EngineError) -> Lines:
        exchange.is_open = exchange.gives_way = False
        lines: Lines = []
        if exchange is self._current:
            lines = exchange.stop()
        elif exchange in self._waiting:
            self._waiting.remove(exchange)
        self._conclude(exchange, error)
        return lines

    def _leave_those_of(self, caller: object) -> Lines:
        """A caller that begins another exchange was interrupted twice in the last one."""
        left = [one for one in self._all() if caller is not None and one.caller == caller and not one.has_outcome]
        return [line for one in left for line in self.abandon(one)]

    def _close(self, reason: str) -> None:
        self._closed = reason
        exchanges = self._all()
        self._current = None
        self._waiting.clear()
        for exchange in exchanges:
            exchange.is_over = True
            self._conclude(exchange, self._terminated(exchange))

    def _all(self) -> List[Exchange]:
        return [*([] if self._current is None else [self._current]), *self._waiting]

    def _next(self) -> Lines:
        """Begins the next exchange if there is one and the engine is free."""
        if self._current is not None or not self._waiting:
            return []
        exchange = self._waiting.popleft()
        if isinstance(exchange, Work) and exchange.game is not None:
            exchange.is_new_game = exchange.game != self._game
            self._game = exchange.game
        self._current = exchange
        return exchange.begin(self.settings)

    def _terminated(self, exchange: Exchange) -> EngineTerminated:
        return EngineTerminated(f"the engine {self._closed}: `{exchange.awaited}` after `{exchange.asked}` was awaited")

    @staticmethod
    def _conclude(exchange: Exchange, error: Optional[EngineError] = None) -> None:
        if error is None:
            exchange.succeed()
        else:
            exchange.fail(error)
        exchange.deadline = None
        exchange.wake()
