"""An engine, run as a child process."""

import os
import queue
import shlex
import subprocess
import threading
import time as clock
import unicodedata
import weakref
from dataclasses import dataclass
from types import TracebackType
from typing import IO, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Type, Union, overload

from .info import Info
from .limit import Limit
from .position import Position, split_moves

Command = Union[str, "os.PathLike[str]", Sequence[str]]


class EngineError(Exception):
    """The engine refused something, in its own words, or said what cannot be understood."""


class EngineTerminated(EngineError):
    """The engine's process has ended."""


class EngineTimeout(EngineError):
    """The engine did not answer in time."""


@dataclass(frozen=True)
class Option:
    """An option as the engine declares it."""

    name: str
    type: str
    """`check`, `spin`, `combo`, `string` or `button`."""
    default: Optional[str] = None
    min: Optional[int] = None
    max: Optional[int] = None
    var: Tuple[str, ...] = ()
    """The values of a `combo`."""

    @staticmethod
    def parse(line: str) -> "Option":
        """Reads a line that begins with `option`."""
        keys = ("name", "type", "default", "min", "max", "var")
        found: List[Tuple[str, List[str]]] = []
        for word in line.split()[1:]:
            if word in keys and (word == "var" or word not in [key for key, _ in found]):
                found.append((word, []))
            elif found:
                found[-1][1].append(word)
        one = {key: " ".join(words) for key, words in found if key != "var"}
        if "name" not in one or "type" not in one:
            raise EngineError(f"an option needs a name and a type: {line!r}")
        number = {key: int(one[key]) for key in ("min", "max") if key in one}
        var = tuple(" ".join(words) for key, words in found if key == "var")
        return Option(one["name"], one["type"], one.get("default"), var=var, **number)


@dataclass(frozen=True)
class PlayResult:
    """A move that the engine chose."""

    move: Optional[str]
    """The letter of the pit; None if the game is over."""
    ponder: Optional[str]
    """The reply that the engine expects."""
    info: Info
    """The last thing it said of its best line."""


class Analysis:
    """A search in progress: iterate over what the engine says, stop it at any time.

        with engine.analysis(position) as analysis:
            for info in analysis:
                if info.depth and info.depth > 20:
                    break

    Leaving the `with` stops the search. `info` has the last line of each number in the list of best lines.
    """

    def __init__(self, engine: "Engine") -> None:
        self._engine = engine
        self._lines: Dict[int, Info] = {}
        self._answer: Optional[Tuple[Optional[str], Optional[str]]] = None

    def __iter__(self) -> Iterator[Info]:
        while self._answer is None:
            info = self._step()
            if info is not None:
                yield info

    def _step(self, timeout: Optional[float] = None) -> Optional[Info]:
        """Takes one line."""
        line = self._engine._line(timeout)
        word, *rest = line.split() or [""]
        if word == "bestmove":
            self._engine._search = None
            moves = [None if move in ("0000", "(none)") else move for move in rest[:1] + rest[2:3]]
            best, ponder = (moves + [None, None])[:2]
            self._answer = (best, ponder)
        elif word == "info":
            info = Info.parse(line)
            if info.score is not None:
                number = info.multipv or 1
                if number == 1:
                    self._lines = {}
                self._lines[number] = info
            return info
        return None

    @property
    def infos(self) -> List[Info]:
        """The best lines so far, the best first."""
        return [self._lines[number] for number in sorted(self._lines)]

    @property
    def info(self) -> Info:
        """The best line so far."""
        return self._lines.get(1, Info())

    def stop(self) -> None:
        """Asks the engine to answer now. What it has still to say can be read on."""
        if self._answer is None:
            self._engine._send("stop")

    def wait(self, timeout: Optional[float] = None) -> PlayResult:
        """Reads on to the answer. Raises EngineTimeout if it takes more than `timeout` seconds."""
        until = None if timeout is None else clock.monotonic() + timeout
        while self._answer is None:
            left = None if until is None else until - clock.monotonic()
            try:
                self._step(None if left is None else max(left, 0))
            except EngineTimeout:
                raise EngineTimeout(f"the search has no answer after {_seconds(timeout)} s") from None
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


class Engine:
    """An engine that speaks Kroo's protocol.

    `command` is a path, or a list of a path and flags, or a line of a shell. `variant` and `options` are set at once; names
    of options may be written as the engine does, or as Python names (`Hash=64`, `move_overhead=20`). `timeout` is how many
    seconds everything but a search may take. Not for several threads at a time.

    Raises EngineError for an option that the engine refuses, EngineTerminated if it cannot speak, OSError if it cannot be
    started.
    """

    def __init__(
        self,
        command: Command,
        *,
        variant: Optional[str] = None,
        timeout: float = 10.0,
        **options: Union[str, int, bool],
    ) -> None:
        self.timeout = timeout
        self.id: Dict[str, str] = {}
        self.options: Mapping[str, Option] = {}
        self._search: Optional[Analysis] = None
        self._multipv: Tuple[Optional[str], Optional[str]] = (None, None)
        """MultiPV as it was configured, and as the engine has it now."""
        self._lines: "queue.Queue[Optional[str]]" = queue.Queue()
        self._process = subprocess.Popen(
            _words(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", errors="replace",
            bufsize=1,
        )
        assert self._process.stdout is not None
        # Neither the thread nor the finalizer refers to the engine, so an engine that is dropped ends its process.
        self._reader = threading.Thread(target=_read, args=(self._process.stdout, self._lines), daemon=True)
        weakref.finalize(self, _end, self._process)
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

    def _line(self, timeout: Optional[float]) -> str:
        try:
            line = self._lines.get(timeout=timeout)
        except queue.Empty:
            raise EngineTimeout(f"the engine has said nothing for {_seconds(timeout)} s") from None
        if line is None:
            self._lines.put(None)
            status = self._process.wait()
            raise EngineTerminated(f"the engine has ended with status {status}")
        return line

    def _send(self, line: str) -> None:
        assert self._process.stdin is not None
        if any(unicodedata.category(sign) == "Cc" for sign in line):
            raise ValueError(f"a command is one line without control characters, not {line!r}")
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise EngineTerminated("the engine has ended") from None

    def _until(self, last: str) -> List[str]:
        """The lines before the one that begins with a word."""
        until = clock.monotonic() + self.timeout
        lines: List[str] = []
        while True:
            try:
                line = self._line(max(until - clock.monotonic(), 0))
            except EngineTimeout:
                raise EngineTimeout(f"the engine has not said {last!r} for {_seconds(self.timeout)} s") from None
            if line.split()[:1] == last.split():
                return lines
            lines.append(line)

    def _greet(self) -> None:
        self._send("uci")
        options = {}
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
        """Sends commands that are answered at once. Returns the lines, or raises what the engine refused."""
        if self._search is not None:
            raise EngineError("a search is running: stop it, or read on to its answer")
        for command in commands:
            self._send(command)
        self._send("isready")
        lines = self._until("readyok")
        for line in lines:
            if line.startswith("info string error"):
                raise EngineError(line[len("info string error"):].strip())
        return lines

    # Commands

    def ping(self) -> None:
        """Waits until everything that was sent is done."""
        self._ask()

    def configure(self, options: Mapping[str, Union[str, int, bool, None]]) -> None:
        """Sets options. A value of None presses a button. An option that does not exist is an EngineError."""
        names = {_plain(name): name for name in self.options}
        for wanted, value in options.items():
            name = names.get(_plain(wanted))
            if name is None:
                raise EngineError(f"no option is called {wanted!r}; the options are {', '.join(self.options)}")
            text = str(value).lower() if isinstance(value, bool) else value
            self._ask(f"setoption name {name}" + ("" if text is None else f" value {text}"))
            if name == "MultiPV":
                self._multipv = (str(text), str(text))

    def stop(self) -> None:
        """Stops the search that is running, if there is one, and drops its answer. Then the engine takes commands again."""
        if self._search is not None:
            with self._search:
                pass

    def new_game(self) -> None:
        """Forgets the game and what was searched."""
        self._ask("ucinewgame")

    def analysis(
        self,
        position: Position = Position(),
        limit: Optional[Limit] = None,
        *,
        multipv: Optional[int] = None,
        root_moves: Optional[str] = None,
    ) -> Analysis:
        """Starts a search. Without a limit it goes on until it is stopped.

        `multipv` is how many best lines this search shows; `root_moves` restricts the first moves to these.
        """
        words = (limit or Limit()).words() or "infinite"
        if root_moves is not None:
            words += f" searchmoves {''.join(split_moves(root_moves))}"
        configured, current = self._multipv
        wanted = configured if multipv is None else str(multipv)
        if wanted != current:
            self.configure({"MultiPV": wanted})
            self._multipv = (configured, wanted)
        self._ask(f"position {position.words()}")
        self._send(f"go {words}")
        # The engine is ready at once, also while it searches; a `go` that it refuses has no other answer.
        self._send("isready")
        analysis = self._search = Analysis(self)
        early: List[str] = []
        try:
            early = self._until("readyok")
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
        """Puts lines back before those that wait."""
        waiting: List[Optional[str]] = list(lines)
        with self._lines.mutex:
            waiting += self._lines.queue
            self._lines.queue.clear()
            self._lines.queue.extend(waiting)
            self._lines.not_empty.notify()

    @overload
    def analyse(
        self, position: Position, limit: Limit, *, multipv: None = None, root_moves: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Info: ...

    @overload
    def analyse(
        self, position: Position, limit: Limit, *, multipv: int, root_moves: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> List[Info]: ...

    def analyse(
        self,
        position: Position,
        limit: Limit,
        *,
        multipv: Optional[int] = None,
        root_moves: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Union[Info, List[Info]]:
        """Searches, and returns the best line as an Info; with `multipv` the best lines as a list of them.

        `timeout` is as in `play`.
        """
        with self.analysis(position, _bounded(limit), multipv=multipv, root_moves=root_moves) as analysis:
            analysis.wait(self._patience(limit, timeout))
        return analysis.info if multipv is None else analysis.infos

    def play(
        self, position: Position, limit: Limit, *, root_moves: Optional[str] = None, timeout: Optional[float] = None,
    ) -> PlayResult:
        """Searches, and returns the move that the engine would play.

        Raises EngineTimeout after `timeout` seconds. The default is the time that `limit` allows and the engine's `timeout`
        more; a limit without a time has no default.
        """
        with self.analysis(position, _bounded(limit), root_moves=root_moves) as analysis:
            return analysis.wait(self._patience(limit, timeout))

    def _patience(self, limit: Limit, timeout: Optional[float]) -> Optional[float]:
        """How many seconds a search may take."""
        if timeout is not None:
            return timeout
        clocks = [time for time in (limit.south_clock, limit.north_clock) if time is not None]
        longest = limit.time if limit.time is not None else max(clocks, default=None)
        return None if longest is None else longest + self.timeout

    def _drawn(self, position: Position) -> Dict[str, str]:
        lines = self._ask(f"position {position.words()}", "d")
        return dict(line.split(": ", 1) for line in lines if line.startswith(("Fen: ", "Result: ")))

    def fen(self, position: Position) -> str:
        """The fifteen fields of a position, its moves played. Raises EngineError for a move that is not legal."""
        return self._drawn(position)["Fen"]

    def result(self, position: Position) -> Optional[str]:
        """`1-0` if South has won, `0-1`, `1/2-1/2`, or None if the game is not over."""
        result = self._drawn(position)["Result"]
        return None if result == "*" else result

    def legal_moves(self, position: Position) -> Tuple[str, ...]:
        """The legal moves, from the mover's left to its right; none if the game is over."""
        return tuple(self._divide(position, 1))

    def perft(self, position: Position, depth: int) -> int:
        """How many sequences of so many moves there are."""
        return sum(self._divide(position, depth).values())

    def _divide(self, position: Position, depth: int) -> Dict[str, int]:
        self._ask(f"position {position.words()}")
        self._send(f"go perft {depth}")
        counts: Dict[str, int] = {}
        while True:
            line = self._line(None)
            if line.startswith("info string error"):
                raise EngineError(line[len("info string error"):].strip())
            if line.startswith("Nodes searched"):
                return counts
            name, _, count = line.partition(": ")
            if len(name) == 1 and count.isdigit():
                counts[name] = int(count)

    # The end

    def quit(self) -> int:
        """Ends the engine in order, and returns its exit status. It is killed if it does not end in time."""
        try:
            self._send("quit")
            self._process.wait(self.timeout)
        except (EngineTerminated, subprocess.TimeoutExpired):
            pass
        return self.kill()

    def kill(self) -> int:
        """Ends the engine at once, if it has not ended, and returns its exit status."""
        self._process.kill()
        status = self._process.wait()
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.close()
        except OSError:
            pass  # What was not sent has nobody to read it.
        # A child of the engine may hold the other end of the pipe for longer.
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


def _words(command: Command) -> List[str]:
    if isinstance(command, os.PathLike):
        return [os.fspath(command)]
    if isinstance(command, str):
        return [command] if os.path.exists(command) else shlex.split(command)
    return [os.fspath(word) for word in command]


def _read(output: "IO[str]", lines: "queue.Queue[Optional[str]]") -> None:
    try:
        with output:
            for line in output:
                lines.put(line.strip())
    except ValueError:
        pass  # The pipe was closed.
    lines.put(None)


def _end(process: "subprocess.Popen[str]") -> None:
    """Ends a process that nothing refers to any more."""
    if process.poll() is None:
        process.kill()
        process.wait()
    if process.stdin is not None:
        try:
            process.stdin.close()
        except OSError:
            pass  # What was not sent is lost with the engine.


def _seconds(time: Optional[float]) -> str:
    return f"{time or 0:.3g}"


def _bounded(limit: Limit) -> Limit:
    if not isinstance(limit, Limit):
        raise TypeError(f"a limit is a kroo.Limit, such as Limit(time=0.5), not {limit!r}")
    if not limit.words():
        raise ValueError("a search without a limit never answers; use `analysis`, which can be stopped")
    return limit


def _plain(name: str) -> str:
    return name.replace("_", "").replace(" ", "").lower()
