"""An engine, run as a child process."""

import logging
import queue
import subprocess
import threading
import time as clock
import unicodedata
import weakref
from types import TracebackType
from typing import TYPE_CHECKING, Dict, List, Mapping, Optional, Tuple, Type, Union, overload

from .analysis import Analysis, PlayResult
from .errors import EngineError, EngineTerminated, EngineTimeout, seconds
from .info import Info
from .limit import Limit
from .option import Option
from .position import Position, split_moves
from .process import Command, end_process, installed, read_lines, words_of

if TYPE_CHECKING:
    from .board import Board

LOGGER = logging.getLogger(__name__)
"""Logs every line to and from an engine, at the level DEBUG."""


Place = Union[Position, "Board"]
"""A position to search: text, or a board, which also sets its rule set."""


class Engine:
    """An engine that speaks Kroo's protocol.

    `command` is a path, or a list of a path and flags, or a line of a shell; the default is the executable installed
    with this package, or else the `kroo` in `PATH`. `variant` and `options` are set at once; names
    of options may be written as the engine does, or as Python names (`Hash=64`, `move_overhead=20`). `timeout` limits every
    command but a search, in seconds. Not thread-safe.

    Raises EngineError for an option that the engine refuses, EngineTerminated if the process ends, OSError if it cannot be
    started.
    """

    def __init__(
        self,
        command: Optional[Command] = None,
        *,
        variant: Optional[str] = None,
        timeout: float = 10.0,
        **options: Union[str, int, bool],
    ) -> None:
        self.timeout = timeout
        self.id: Dict[str, str] = {}
        self.options: Mapping[str, Option] = {}
        self._search: Optional[Analysis] = None
        self._sent = ""
        self._variant: Optional[str] = None
        """The rule set of the last board."""
        self._multipv: Tuple[Optional[str], Optional[str]] = (None, None)
        """MultiPV as configured, and its current value in the engine."""
        self._lines: "queue.Queue[Optional[str]]" = queue.Queue()
        self._process = subprocess.Popen(
            words_of(installed() if command is None else command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", errors="replace",
            bufsize=1,
        )
        assert self._process.stdout is not None
        # Neither the thread nor the finalizer refers to the engine, so garbage collection of it ends the process.
        self._reader = threading.Thread(target=read_lines, args=(self._process.stdout, self._lines), daemon=True)
        weakref.finalize(self, end_process, self._process)
        self._reader.start()
        try:
            self._greet()
            if variant is not None:
                self.configure({"UCI_Variant": variant})
            self.configure(options)
        except BaseException:
            self.kill()
            raise

    # Lines

    def _line(self, timeout: Optional[float], awaited: str) -> str:
        try:
            line = self._lines.get(timeout=timeout)
        except queue.Empty:
            raise EngineTimeout(f"the engine has said nothing for {seconds(timeout)} s: {awaited} was awaited") from None
        if line is None:
            self._lines.put(None)
            status = self._process.wait()
            raise EngineTerminated(f"the engine has ended with status {status}: {awaited} was awaited")
        LOGGER.debug("%d > %s", self._process.pid, line)
        return line

    def _send(self, line: str) -> None:
        assert self._process.stdin is not None
        if any(unicodedata.category(sign) == "Cc" for sign in line):
            raise ValueError(f"a command is one line without control characters, not {line!r}")
        LOGGER.debug("%d < %s", self._process.pid, line)
        self._sent = line
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise EngineTerminated("the engine has ended") from None

    def _until(self, last: str, asked: str = "") -> List[str]:
        """The lines before the one that begins with a word."""
        until = clock.monotonic() + self.timeout
        lines: List[str] = []
        while True:
            try:
                line = self._line(max(until - clock.monotonic(), 0), f"`{last}` after `{asked or last}`")
            except EngineTimeout:
                text = f"the engine has not said {last!r} for {seconds(self.timeout)} s after {asked or self._sent!r}"
                raise EngineTimeout(text) from None
            if line.split()[:1] == last.split():
                return lines
            lines.append(line)

    def _greet(self) -> None:
        self._send("uci")
        options: Dict[str, Option] = {}
        for line in self._until("uciok"):
            word, *rest = line.split()
            if word == "option":
                option = Option.parse(line)
                options[option.name] = option
            elif word == "id" and rest:
                self.id[rest[0]] = " ".join(rest[1:])
        self.options = options
        multipv = options.get("MultiPV")
        self._multipv = (multipv.default, multipv.default) if multipv else (None, None)

    def _ask(self, *commands: str) -> List[str]:
        """Sends commands that are answered at once. Returns the lines, or raises EngineError if the engine refuses one."""
        if self._search is not None:
            raise EngineError("a search is running: stop it, or read on to its answer")
        for command in commands:
            self._send(command)
        self._send("isready")
        lines = self._until("readyok", "; ".join(commands))
        for line in lines:
            if line.startswith("info string error"):
                raise EngineError(line[len("info string error"):].strip())
        return lines

    # Commands

    def ping(self) -> None:
        """Waits until the engine has executed all commands."""
        self._ask()

    def configure(self, options: Mapping[str, Union[str, int, bool, None]]) -> None:
        """Sets options. A value of None presses a button. Raises EngineError for an unknown option."""
        names = {_plain(name): name for name in self.options}
        for wanted, value in options.items():
            name = names.get(_plain(wanted))
            if name is None:
                raise EngineError(f"no option is called {wanted!r}; the options are {', '.join(self.options)}")
            text = str(value).lower() if isinstance(value, bool) else value
            self._ask(f"setoption name {name}" + ("" if text is None else f" value {text}"))
            if name == "UCI_Variant":
                self._variant = str(text)
            if name == "MultiPV":
                self._multipv = (str(text), str(text))

    def stop(self) -> None:
        """Stops the running search, if any, and drops its answer, so that the engine accepts commands again."""
        if self._search is not None:
            with self._search:
                pass

    def new_game(self) -> None:
        """Clears the engine's memory of the game."""
        self._ask("ucinewgame")

    def analysis(
        self,
        position: Place = Position(),
        limit: Optional[Limit] = None,
        *,
        multipv: Optional[int] = None,
        root_moves: Optional[str] = None,
    ) -> Analysis:
        """Starts a search. Without a limit it runs until it is stopped.

        `multipv` is the number of best lines; `root_moves` restricts the first moves.
        """
        words = (limit or Limit()).words() or "infinite"
        if root_moves is not None:
            words += f" searchmoves {''.join(split_moves(root_moves))}"
        configured, current = self._multipv
        wanted = configured if multipv is None else str(multipv)
        if wanted != current:
            self.configure({"MultiPV": wanted})
            self._multipv = (configured, wanted)
        turn = self._show(position)
        self._send(f"go {words}")
        # The engine answers at once, even while it searches; a refused `go` has no other answer.
        self._send("isready")
        analysis = self._search = Analysis(self, f"go {words}", turn)
        early: List[str] = []
        try:
            early = self._until("readyok", f"go {words}")
        except EngineError:
            self._search = None
            raise
        for line in early:
            if line.startswith("info string error"):
                self._search = None
                raise EngineError(line[len("info string error"):].strip())
        self._first(early)
        return analysis

    def _first(self, lines: List[str]) -> None:
        """Puts lines back at the front of the queue."""
        waiting: List[Optional[str]] = list(lines)
        with self._lines.mutex:
            waiting += self._lines.queue
            self._lines.queue.clear()
            self._lines.queue.extend(waiting)
            self._lines.not_empty.notify()

    @overload
    def analyse(
        self, position: Place, limit: Limit, *, multipv: None = None, root_moves: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Info: ...

    @overload
    def analyse(
        self, position: Place, limit: Limit, *, multipv: int, root_moves: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> List[Info]: ...

    def analyse(
        self,
        position: Place,
        limit: Limit,
        *,
        multipv: Optional[int] = None,
        root_moves: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Union[Info, List[Info]]:
        """Searches, and returns the best line as an Info, or with `multipv` a list of them.

        `timeout` is as in `play`.
        """
        with self.analysis(position, _bounded(limit), multipv=multipv, root_moves=root_moves) as analysis:
            analysis.wait(self._patience(limit, timeout))
        return analysis.info if multipv is None else analysis.infos

    def play(
        self, position: Place, limit: Limit, *, root_moves: Optional[str] = None, timeout: Optional[float] = None,
    ) -> PlayResult:
        """Searches, and returns the chosen move.

        Raises EngineTimeout after `timeout` seconds. The default is the time that `limit` allows plus the engine's
        `timeout`; without a time limit there is no timeout.
        """
        with self.analysis(position, _bounded(limit), root_moves=root_moves) as analysis:
            return analysis.wait(self._patience(limit, timeout))

    def _patience(self, limit: Limit, timeout: Optional[float]) -> Optional[float]:
        """The timeout of a search in seconds."""
        if timeout is not None:
            return timeout
        clocks = [time for time in (limit.south_clock, limit.north_clock) if time is not None]
        longest = limit.time if limit.time is not None else max(clocks, default=None)
        return None if longest is None else longest + self.timeout

    def _show(self, position: Place) -> Optional[str]:
        """Sets a position up, and returns the side to move, if the engine reports it. A board also sets its rule set."""
        if isinstance(position, Position):
            if not position.moves:
                self._ask(f"position {position.words()}")
                return "S" if position.fen is None else position.turn
            if not self.id.get("name", "").startswith("Kroo"):
                self._ask(f"position {position.words()}")
                return None
            return self._drawn(position)["Fen"].split("-")[-1][:1]
        if self._variant != position.variant:
            self.configure({"UCI_Variant": position.variant})
        self._ask(f"position {_words_of(position)}")
        return position.turn

    def _drawn(self, position: Place) -> Dict[str, str]:
        if not isinstance(position, Position) and self._variant != position.variant:
            self.configure({"UCI_Variant": position.variant})
        lines = self._ask(f"position {_words_of(position)}", "d")
        return dict(line.split(": ", 1) for line in lines if line.startswith(("Fen: ", "Result: ")))

    def fen(self, position: Place) -> str:
        """The fifteen fields of a position after its moves. Raises EngineError for an illegal move."""
        return self._drawn(position)["Fen"]

    def result(self, position: Place) -> Optional[str]:
        """`1-0` if South has won, `0-1`, `1/2-1/2`, or None during the game."""
        result = self._drawn(position)["Result"]
        return None if result == "*" else result

    def legal_moves(self, position: Place) -> Tuple[str, ...]:
        """The legal moves, from the mover's left; empty if the game is over."""
        return tuple(self._divide(position, 1))

    def perft(self, position: Place, depth: int) -> int:
        """The number of sequences of `depth` moves."""
        return sum(self._divide(position, depth).values())

    def _divide(self, position: Place, depth: int) -> Dict[str, int]:
        self._show(position)
        self._send(f"go perft {depth}")
        counts: Dict[str, int] = {}
        while True:
            line = self._line(None, f"the end of `go perft {depth}`")
            if line.startswith("info string error"):
                raise EngineError(line[len("info string error"):].strip())
            if line.startswith("Nodes searched"):
                return counts
            name, _, count = line.partition(": ")
            if len(name) == 1 and count.isdigit():
                counts[name] = int(count)

    # The end

    def quit(self) -> int:
        """Sends `quit`, and returns the engine's exit status. It is killed if it does not end in time."""
        try:
            self._send("quit")
            self._process.wait(self.timeout)
        except (EngineTerminated, subprocess.TimeoutExpired):
            pass
        return self.kill()

    def kill(self) -> int:
        """Kills the engine if it is running, and returns its exit status."""
        self._process.kill()
        status = self._process.wait()
        self._search = None
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.close()
        except OSError:
            pass  # What was not sent has nobody to read it.
        # A child process of the engine may hold the pipe open for longer.
        self._reader.join(self.timeout)
        if not self._reader.is_alive():
            self._process.stdout.close()
        return status

    def __enter__(self) -> "Engine":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.quit()


def _words_of(position: Place) -> str:
    if isinstance(position, Position):
        return position.words()
    return Position(position.start_fen, position.move_stack).words()


def _bounded(limit: Limit) -> Limit:
    if not isinstance(limit, Limit):
        raise TypeError(f"a limit is a kroo.Limit, such as Limit(time=0.5), not {limit!r}")
    if not limit.words():
        raise ValueError("a search without a limit never answers; use `analysis`, which can be stopped")
    return limit


def _plain(name: str) -> str:
    return name.replace("_", "").replace(" ", "").lower()
