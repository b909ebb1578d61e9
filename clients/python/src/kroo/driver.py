"""Runs the conversation with a process: feeds it lines and the time, sends what it says, and ends the process.

A thread leads the conversation. Callers, in threads or tasks, only put messages into its queue and wait. An exception at any
point of a caller, such as the KeyboardInterrupt of Ctrl-C, leaves the conversation in step.
"""

import logging
import os
import queue
import sys
import threading
import time as clock
from typing import Any, Callable, List, Optional, Sequence, Tuple

from .conversation import Conversation, State
from .errors import EngineError
from .exchange import Exchange, Lines
from .process import EngineProcess

LOGGER = logging.getLogger("kroo.engine")
"""Logs every line to and from an engine, at the level DEBUG."""

_SLICE = 0.1 if sys.platform == "win32" else None
"""On Windows a thread that waits does not notice Ctrl-C."""
_LONGEST = 1e6
"""Seconds that all systems can wait."""
_LOOK = 1.0
"""Seconds until a process is looked at whose output stays open after its end."""


class Driver:
    """An engine's process and the conversation with it."""

    def __init__(self, words: Sequence[str]) -> None:
        self.process = EngineProcess(words)
        self.status: Optional[int] = None
        """The exit status, once the process has ended."""
        self._conversation = Conversation()
        self._owner = os.getpid()
        self._is_over = False
        self._inbox: "queue.SimpleQueue[Tuple[str, Tuple[Any, ...]]]" = queue.SimpleQueue()
        self._outbox: "queue.SimpleQueue[Optional[str]]" = queue.SimpleQueue()
        self._leader = threading.Thread(target=self._lead, name="kroo", daemon=True)
        for thread in (self._leader, *(threading.Thread(target=work, daemon=True) for work in (self._read, self._write))):
            thread.start()

    # For callers

    @property
    def state(self) -> State:
        return self._conversation.state

    def tell(self, event: str, *words: Any) -> None:
        """Hands an event to the conversation: a method of it and the arguments. Raises EngineError in another process."""
        if os.getpid() != self._owner:
            raise EngineError(f"this engine was opened in another process ({self._owner}): open one in each")
        self._inbox.put((event, words))
        if self._is_over:
            self._drain()

    def kill(self) -> None:
        """Kills the engine."""
        self.tell("tick", clock.monotonic())
        self.process.kill()

    def close(self) -> None:
        """Kills the engine, and ends the threads. In another process it does nothing."""
        if os.getpid() == self._owner:
            self.process.kill()
            self._inbox.put(("close", ()))
            if threading.current_thread() is not self._leader:
                self._leader.join(2)

    # The threads

    def _read(self) -> None:
        for line in self.process.lines():
            self._inbox.put(("receive", (line,)))
        self._inbox.put(("end", ()))

    def _write(self) -> None:
        for line in iter(self._outbox.get, None):
            LOGGER.debug("%d < %s", self.process.pid, line)
            if not self.process.write(line):
                self.process.kill()  # It does not listen and cannot answer.

    def _lead(self) -> None:
        event = ""
        while event != "close":
            event, words = self._next()
            try:
                self._send(self._conversation.tick(clock.monotonic()))
                self._send(self._handle(event, words))
            except Exception:
                LOGGER.exception("the conversation has failed")
                self.process.kill()
            if self._conversation.must_kill:
                self.process.kill()
        self._outbox.put(None)
        self._is_over = True
        self._drain()

    def _drain(self) -> None:
        """What arrives after the end is answered at once."""
        try:
            while True:
                self._handle(*self._inbox.get_nowait())
        except queue.Empty:
            pass

    def _next(self) -> "Tuple[str, Tuple[Any, ...]]":
        """The next event: `tick` without another, and `end` of a process whose output something else keeps open."""
        deadline = self._conversation.next_deadline()
        left = _LOOK if deadline is None else min(max(deadline - clock.monotonic(), 0), _LOOK)
        try:
            return self._inbox.get(timeout=left)
        except queue.Empty:
            ended = self.status is None and not self.process.is_running()
            return ("end", ()) if ended else ("tick", (clock.monotonic(),))

    def _handle(self, event: str, words: "Tuple[Any, ...]") -> Lines:
        if event in ("end", "close"):
            if self.status is None:
                self.status = self.process.end()
            return self._conversation.end(f"with status {self.status}")
        if event == "receive":
            LOGGER.debug("%d > %s", self.process.pid, *words)
        lines: Lines = getattr(self._conversation, event)(*words)
        return lines

    def _send(self, lines: List[str]) -> None:
        for line in lines:
            self._outbox.put(line)


def wait(exchange: Exchange, is_done: Callable[[], bool], timeout: Optional[float] = None) -> bool:
    """Waits in a thread for a state of an exchange; returns whether it came in time."""
    # Unlike the signals of `threading`, a queue is whole after an exception at any point.
    tokens: "queue.SimpleQueue[None]" = queue.SimpleQueue()

    def wake() -> None:
        tokens.put(None)

    until = None if timeout is None else clock.monotonic() + timeout
    exchange.wakers.append(wake)
    try:
        while not is_done():
            left = None if until is None else until - clock.monotonic()
            if left is not None and left <= 0:
                return False
            slices = [time for time in (left, _SLICE, _LONGEST) if time is not None]
            try:
                tokens.get(timeout=min(slices))
            except queue.Empty:
                pass
        return True
    finally:
        exchange.wakers.remove(wake)
