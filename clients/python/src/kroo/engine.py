"""An engine, run as a child process."""

import threading
import time as clock
import weakref
from types import TracebackType
from typing import Dict, List, Mapping, Optional, Tuple, Type, Union, overload

from .analysis import Analysis, PlayResult, Waiter, best_of
from .commands import Commands, Place, Value, bounded, snapshot, whole
from .driver import Driver, Signal
from .errors import EngineError, EngineTimeout
from .exchange import Ask, End, Exchange, Greeting
from .info import Info
from .limit import Limit
from .option import Option
from .position import Position
from .process import Command, installed, words_of


class Engine:
    """An engine that speaks Kroo's protocol.

    `command` is a path, or a list of a path and flags, or a line of a shell; the default is the executable installed
    with this package, or else the `kroo` in `PATH`. `variant` and `options` are set at once; names
    of options may be written as the engine does, or as Python names (`Hash=64`, `move_overhead=20`). `timeout` limits every
    command but a search, in seconds. Only `stop` and `kill` may be called from another thread.

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
        words = words_of(installed() if command is None else command)
        self._commands = Commands(timeout)
        self._last: Optional[Tuple[int, Exchange]] = None
        """The last exchange and its thread."""
        self._driver = Driver(words)
        # The driver does not refer to the engine, so garbage collection of the engine ends the process.
        weakref.finalize(self, self._driver.close)
        self._waiter = Waiter(self._driver)
        try:
            greeting = Greeting(words[1:])
            self._do(greeting)
            self._commands.greeted(greeting)
            if variant is not None:
                self.configure({"UCI_Variant": variant})
            self.configure(options)
        except BaseException:
            self.kill()
            raise

    @property
    def id(self) -> Dict[str, str]:
        """`name` and `author`, as the engine reports them."""
        return self._commands.id

    @property
    def options(self) -> Mapping[str, Option]:
        """The engine's options, by name."""
        return self._commands.options

    @property
    def timeout(self) -> float:
        """The limit of every command but a search, in seconds."""
        return self._commands.timeout

    @timeout.setter
    def timeout(self, value: float) -> None:
        self._commands.timeout = value

    # Exchanges

    def _begin(self, exchange: Exchange) -> Signal:
        thread = threading.get_ident()
        if self._last is not None:
            owner, last = self._last
            if not (last.has_outcome or last.is_open or last.gives_way):
                if owner != thread:
                    raise EngineError("another thread uses this engine")
                # Its caller was interrupted twice.
                self._driver.abandon(last)
        self._last = (thread, exchange)
        return self._waiter.begin(exchange)

    def _do(self, exchange: Exchange, timeout: Optional[float] = None) -> None:
        """Waits for the outcome of an exchange, and abandons it after an exception."""
        self._await(exchange, self._commands.short_patience(timeout))

    def _await(self, exchange: Exchange, patience: Optional[float], signal: Optional[Signal] = None) -> None:
        try:
            self._waiter.outcome(exchange, self._begin(exchange) if signal is None else signal, patience)
        except BaseException:
            self._driver.abandon(exchange)
            raise

    def ping(self) -> None:
        """Waits until the engine has executed all commands."""
        self._do(Ask())

    def configure(self, options: Mapping[str, Value]) -> None:
        """Sets options. A value of None presses a button. Raises EngineError for an unknown option."""
        for name, value in options.items():
            ask, configured = self._commands.configure(name, value)
            self._do(ask)
            self._commands.note(ask, configured)

    def stop(self) -> None:
        """Stops whatever the engine is doing, so that it accepts commands again."""
        self._driver.stop()
        ask = Ask()
        # The stopped command may be that of another thread.
        signal = self._waiter.begin(ask)
        self._await(ask, self._commands.short_patience(None), signal)

    def new_game(self) -> None:
        """Clears the engine's memory of the game."""
        self._do(Ask("ucinewgame"))

    # Searches

    def analysis(
        self,
        position: Place = Position(),
        limit: Optional[Limit] = None,
        *,
        multipv: Optional[int] = None,
        root_moves: Optional[str] = None,
        game: object = None,
    ) -> Analysis:
        """Starts a search. Without a limit it runs until it is stopped.

        `multipv` is the number of best lines; `root_moves` restricts the first moves; `game` is as in `play`.
        """
        search = self._commands.search(position, limit or Limit(), multipv=multipv, root_moves=root_moves, game=game)
        search.keeps_unread = search.is_open = True
        patience = self._commands.timeout
        try:
            signal = self._begin(search)
            self._waiter.outcome(search, signal, patience, started=True)
            return Analysis(self._driver, search, signal, patience)
        except BaseException:
            self._driver.abandon(search)
            raise

    @overload
    def analyse(
        self, position: Place, limit: Limit, *, multipv: None = None, root_moves: Optional[str] = None,
        timeout: Optional[float] = None, game: object = None,
    ) -> Info: ...

    @overload
    def analyse(
        self, position: Place, limit: Limit, *, multipv: int, root_moves: Optional[str] = None,
        timeout: Optional[float] = None, game: object = None,
    ) -> List[Info]: ...

    def analyse(
        self,
        position: Place,
        limit: Limit,
        *,
        multipv: Optional[int] = None,
        root_moves: Optional[str] = None,
        timeout: Optional[float] = None,
        game: object = None,
    ) -> Union[Info, List[Info]]:
        """Searches, and returns the best line as an Info, or with `multipv` a list of them.

        `timeout` and `game` are as in `play`.
        """
        search = self._commands.search(position, bounded(limit), multipv=multipv, root_moves=root_moves, game=game)
        self._await(search, self._commands.patience(limit, timeout))
        return best_of(search) if multipv is None else list(search.infos)

    def play(
        self, position: Place, limit: Limit, *, root_moves: Optional[str] = None, timeout: Optional[float] = None,
        ponder: bool = False, game: object = None,
    ) -> PlayResult:
        """Searches, and returns the chosen move.

        With `ponder` the engine then thinks on the opponent's time, until the next command. `game` is any value that
        identifies the game: when it changes, the engine forgets the last game.

        Raises EngineTimeout after `timeout` seconds. The default is the time that `limit` allows plus the engine's
        `timeout`; without a time limit there is no timeout. Raises EngineError if the game is over.
        """
        began = clock.monotonic()
        position = snapshot(position)
        search = self._commands.ponderhit(position, bounded(limit), root_moves)
        if search is None:
            search = self._commands.search(position, limit, root_moves=root_moves, game=game, ponder=ponder)
            self._await(search, self._commands.patience(limit, timeout))
        else:
            signal = Signal()
            search.changed = signal.set
            self._last = (threading.get_ident(), search)
            self._driver.hit(search)
            self._await(search, self._commands.patience(limit, timeout), signal)
        result = self._commands.checked(position, search)
        if ponder:
            later = self._commands.pondering(position, limit, result, began, game)
            if later is not None:
                self._begin(later)
        return result

    # Rules

    def fen(self, position: Place) -> str:
        """The fifteen fields of a position after its moves. Raises EngineError for an illegal move."""
        return self._commands.board(position).fen()

    def result(self, position: Place) -> Optional[str]:
        """`1-0` if South has won, `0-1`, `1/2-1/2`, or None during the game."""
        return self._commands.result(position)

    def legal_moves(self, position: Place) -> Tuple[str, ...]:
        """The legal moves, from the mover's left; empty if the game is over."""
        return self._commands.board(position).legal_moves

    def perft(self, position: Place, depth: int, *, timeout: Optional[float] = None) -> int:
        """The number of sequences of `depth` moves, counted by the engine.

        Raises EngineTimeout after `timeout` seconds, by default the engine's `timeout`; `math.inf` waits for ever.
        """
        perft = self._commands.perft(position, whole("depth", depth))
        self._do(perft, timeout)
        return perft.total

    # The end

    def _end(self, timeout: Optional[float]) -> int:
        """Waits for the end of the process, and returns its status."""
        end = End("quit")
        self._waiter.outcome(end, self._waiter.begin(end), timeout)
        status = self._driver.status
        assert status is not None
        return status

    def quit(self) -> int:
        """Sends `quit`, and returns the engine's exit status. It is killed if it does not end in time."""
        self._driver.quit()
        try:
            return self._end(self.timeout)
        except EngineTimeout:
            return self.kill()

    def kill(self) -> int:
        """Kills the engine if it is running, and returns its exit status."""
        self._driver.kill()
        return self._end(None)

    def __enter__(self) -> "Engine":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.quit()
