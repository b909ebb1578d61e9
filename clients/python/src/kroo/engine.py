"""An engine, run as a child process."""

import threading
import weakref
from types import TracebackType
from typing import Dict, Iterable, Iterator, List, Mapping, NoReturn, Optional, Tuple, Type, Union, cast, overload

from .analysis import PlayResult, Progress, result_of
from .calls import Call, Calls, T
from .commands import Place, Value
from .driver import wait
from .info import Info
from .limit import Limit
from .option import Option
from .position import Moves, Position
from .process import Command
from .solution import Solution
from .work import Search


class Analysis(Progress["Engine"]):
    """A search in progress: iterate over its info, stop it at any time.

        with engine.analysis(position) as analysis:
            for info in analysis:
                if info.depth and info.depth > 20:
                    break

    Leaving the `with` stops the search. `infos` has the latest info of each best line.
    """

    def __iter__(self) -> Iterator[Info]:
        while True:
            wait(self._search, self._has_next)
            info = self._next()
            if info is not None:
                yield info
            elif self._search.has_outcome:
                return

    def wait(self, timeout: Optional[float] = None) -> PlayResult:
        """Waits for the answer. Raises EngineTimeout after `timeout` seconds."""
        if not wait(self._search, lambda: self._search.has_outcome, timeout):
            raise self._search.late(timeout)
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
        if error is None and not wait(self._search, lambda: self._search.has_outcome, self._patience):
            raise self._search.late(self._patience)


class Engine:
    """An engine that speaks Kroo's protocol.

    `command` is a path, or a list of a path and flags, or a line of a shell; the default is the executable installed
    with this package, or else the `kroo` in `PATH`. `variant` and `options` are set at once; names
    of options may be written as the engine does, or as Python names (`Hash=64`, `move_overhead=20`). `timeout` limits every
    command but a search, in seconds; None is no limit. Calls of several threads wait for each other; `stop`, `quit` and `kill`
    work at any moment.

    Raises EngineError for an option that the engine refuses, EngineTerminated if the process ends, OSError if it cannot be
    started.
    """

    def __init__(
        self,
        command: Optional[Command] = None,
        *,
        variant: Optional[str] = None,
        timeout: Optional[float] = 10.0,
        **options: Value,
    ) -> None:
        self._calls = Calls(command, timeout)
        self._driver = self._calls.driver
        # The driver does not refer to the engine: garbage collection of the engine ends the
        # process.
        weakref.finalize(self, self._driver.close)
        try:
            self._do(self._calls.open(variant, options))
        except BaseException:
            self.kill()
            raise

    def _do(self, call: Call[T]) -> T:
        """Carries out a call. After an exception its exchange is abandoned."""
        try:
            while True:
                exchange = next(call)
                exchange.caller = None if exchange.is_open else threading.get_ident()
                try:
                    self._driver.tell("submit", exchange)
                    wait(exchange, lambda: exchange.is_answered)
                except BaseException:
                    self._driver.tell("abandon", exchange)
                    raise
                if exchange.error is not None:
                    raise exchange.error.with_traceback(None)
        except StopIteration as end:
            return cast(T, end.value)

    @property
    def id(self) -> Dict[str, str]:
        """The engine's own `name` and `author`."""
        return self._calls.commands.id

    @property
    def options(self) -> Mapping[str, Option]:
        """The engine's options, by name."""
        return self._calls.commands.options

    @property
    def timeout(self) -> Optional[float]:
        """The limit of every command but a search, in seconds; None is no limit."""
        return self._calls.commands.timeout

    @timeout.setter
    def timeout(self, value: Optional[float]) -> None:
        self._calls.commands.timeout = value

    def ping(self) -> None:
        """Waits until the engine has executed all commands."""
        self._do(self._calls.ask())

    def configure(self, options: Mapping[str, Value]) -> None:
        """Sets options. A value of None presses a button. Raises EngineError for an unknown option."""
        self._do(self._calls.configure(options))

    def stop(self) -> None:
        """Stops the engine's work. It then accepts commands again."""
        self._do(self._calls.stop())

    def new_game(self) -> None:
        """Clears the engine's memory of the game."""
        self._do(self._calls.ask("ucinewgame"))

    # Searches

    def analysis(
        self,
        position: Place = Position(),
        limit: Optional[Limit] = None,
        *,
        multipv: Optional[int] = None,
        root_moves: Optional[Moves] = None,
        game: object = None,
    ) -> Analysis:
        """Starts a search. Without a limit it runs until it is stopped.

        `multipv` is the number of best lines; `root_moves` restricts the first moves; `game` is as in `play`.
        """
        search: Search = self._do(self._calls.analysis(position, limit, multipv, root_moves, game))
        return Analysis(self, self._driver, search, search.patience)

    @overload
    def analyse(
        self, position: Place, limit: Limit, *, multipv: None = None, root_moves: Optional[Moves] = None,
        timeout: Optional[float] = None, game: object = None,
    ) -> Info: ...

    @overload
    def analyse(
        self, position: Place, limit: Limit, *, multipv: int, root_moves: Optional[Moves] = None,
        timeout: Optional[float] = None, game: object = None,
    ) -> List[Info]: ...

    def analyse(
        self,
        position: Place,
        limit: Limit,
        *,
        multipv: Optional[int] = None,
        root_moves: Optional[Moves] = None,
        timeout: Optional[float] = None,
        game: object = None,
    ) -> Union[Info, List[Info]]:
        """Searches, and returns the best line as an Info, or with `multipv` a list of them.

        `timeout` and `game` are as in `play`.
        """
        return self._do(self._calls.analyse(position, limit, multipv, root_moves, timeout, game))

    def play(
        self, position: Place, limit: Limit, *, root_moves: Optional[Moves] = None, timeout: Optional[float] = None,
        ponder: bool = False, game: object = None,
    ) -> PlayResult:
        """Searches, and returns the chosen move.

        With `ponder` the engine then thinks on the opponent's time, until the next command. `game` is any value that
        identifies the game: when it changes, the engine forgets the last game.

        Raises EngineTimeout after `timeout` seconds. The default is the time that `limit` allows plus the engine's
        `timeout`; without a time limit there is no timeout. Raises EngineError if the game is over.
        """
        return self._do(self._calls.play(position, limit, root_moves, timeout, ponder, game))

    def solve(
        self, position: Place, *, moves: bool = False, limit: Optional[Limit] = None, bound: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Solution:
        """Proves the value of a position, with `moves` that of each move too, with `bound` only whether it is a `win` or `draw`.

        `limit` has a time, nodes or both; values unproven by then have `proven` false, and their bounds are certain. Without a
        limit it works until everything is proven, which only `kalah`, `awari1978` and `avalanche` promise. `timeout` is as in
        `play`.
        """
        return self._do(self._calls.solve(position, moves, limit, bound, timeout))

    def solve_all(
        self, positions: Iterable[Place], *, moves: bool = False, limit: Optional[Limit] = None, bound: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[Solution]:
        """Solves many positions, one after the other, in order. Similar positions take less time."""
        for position in positions:
            yield self.solve(position, moves=moves, limit=limit, bound=bound, timeout=timeout)

    # Rules

    def fen(self, position: Place) -> str:
        """The fifteen fields of a position after its moves. Raises EngineError for an illegal move."""
        return self._calls.fen(position)

    def result(self, position: Place) -> Optional[str]:
        """`1-0` if South has won, `0-1`, `1/2-1/2`, or None during the game."""
        return self._calls.result(position)

    def legal_moves(self, position: Place) -> Tuple[str, ...]:
        """The legal moves, from the mover's left; empty if the game is over."""
        return self._calls.legal_moves(position)

    def perft(self, position: Place, depth: int, *, timeout: Optional[float] = None) -> int:
        """The number of sequences of `depth` moves, counted by the engine.

        Raises EngineTimeout after `timeout` seconds, by default the engine's `timeout`; `math.inf` waits for ever.
        """
        return self._do(self._calls.perft(position, depth, timeout))

    # The end

    def quit(self) -> int:
        """Sends `quit`, and returns the engine's exit status. It is killed if it does not end in time."""
        return self._do(self._calls.quit())

    def kill(self) -> int:
        """Kills the engine if it is running, and returns its exit status."""
        return self._do(self._calls.kill())

    def __enter__(self) -> "Engine":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.quit()

    def __reduce__(self) -> NoReturn:
        raise TypeError("an engine is a process, which cannot be copied or pickled: open another, in each process one")
