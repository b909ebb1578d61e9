"""The thread that leads the conversation with a process.

Callers only put messages into a queue and wait, so an exception at any point of a caller, such as the KeyboardInterrupt of
Ctrl-C, leaves the conversation in step.
"""

import logging
import queue
import sys
import threading
from typing import Any, Optional, Sequence, Tuple

from .conversation import Conversation
from .exchange import Exchange, Lines, Search
from .process import EngineProcess, read_lines

LOGGER = logging.getLogger("kroo.engine")
"""Logs every line to and from an engine, at the level DEBUG."""

Inbox = "queue.SimpleQueue[Tuple[str, Any]]"

_SLICE = 0.1 if sys.platform == "win32" else None
"""On Windows a thread that waits does not notice Ctrl-C."""


class Signal:
    """Wakes a waiting thread. Unlike those of `threading`, it is whole after an exception at any point."""

    def __init__(self) -> None:
        self._tokens: "queue.SimpleQueue[None]" = queue.SimpleQueue()

    def set(self) -> None:
        self._tokens.put(None)

    def wait(self, timeout: Optional[float]) -> None:
        """Returns after a signal, or at the latest after a time; perhaps earlier."""
        if _SLICE is not None:
            timeout = _SLICE if timeout is None else min(timeout, _SLICE)
        try:
            # More than a year is no time that all systems can wait.
            self._tokens.get(timeout=None if timeout is None else min(timeout, 1e7))
        except queue.Empty:
            pass


class Driver:
    """An engine's process and the conversation with it."""

    def __init__(self, words: Sequence[str]) -> None:
        self.process = EngineProcess(words)
        self._inbox: "queue.SimpleQueue[Tuple[str, Any]]" = queue.SimpleQueue()
        self.status: Optional[int] = None
        """The exit status, once the process has ended."""
        assert self.process.process.stdout is not None
        reader = threading.Thread(target=read_lines, args=(self.process.process.stdout, self._inbox), daemon=True)
        self._leader = threading.Thread(target=self._lead, name="kroo", daemon=True)
        reader.start()
        self._leader.start()

    def submit(self, exchange: Exchange) -> None:
        """Begins an exchange, when its turn has come."""
        self._inbox.put(("submit", exchange))

    def stop(self, exchange: Optional[Exchange] = None) -> None:
        """Stops an exchange, or all."""
        self._inbox.put(("stop", exchange))

    def abandon(self, exchange: Exchange) -> None:
        """Stops an exchange, and drops its answer."""
        self._inbox.put(("abandon", exchange))

    def hit(self, search: Search) -> None:
        """Turns a search on the opponent's time into an ordinary one."""
        self._inbox.put(("hit", search))

    def quit(self) -> None:
        """Asks the engine to end, whatever it is doing."""
        self._inbox.put(("quit", None))

    def kill(self) -> None:
        """Kills the engine."""
        self.process.kill()

    def close(self) -> None:
        """Kills the engine, and ends the threads."""
        self.process.kill()
        self._inbox.put(("close", None))
        if threading.current_thread() is not self._leader:
            self._leader.join(2)

    def _lead(self) -> None:
        conversation = Conversation()
        while True:
            try:
                kind, value = self._inbox.get(timeout=1)
            except queue.Empty:
                if self.status is not None or self.process.process.poll() is None:
                    continue
                # Its output is still open: a process that it has started has it.
                kind, value = "end", None
            if kind == "close":
                self.process.end()
                return
            try:
                self._write(self._handle(conversation, kind, value))
            except (OSError, ValueError):
                self.process.kill()  # It does not listen, so it cannot answer.
            except Exception:
                LOGGER.exception("the conversation has failed")
                self.process.kill()

    def _handle(self, conversation: Conversation, kind: str, value: Any) -> Lines:
        if kind == "line":
            LOGGER.debug("%d > %s", self.process.pid, value)
            return conversation.receive(value)
        if kind == "submit":
            return conversation.submit(value)
        if kind == "stop":
            return conversation.stop(value)
        if kind == "abandon":
            return conversation.abandon(value)
        if kind == "hit":
            return conversation.hit(value)
        if kind == "quit":
            return conversation.quit()
        if self.status is not None:
            return []
        self.status = self.process.end()
        conversation.end(f"with status {self.status}")
        return []

    def _write(self, lines: Lines) -> None:
        for line in lines:
            LOGGER.debug("%d < %s", self.process.pid, line)
            self.process.write(line)
