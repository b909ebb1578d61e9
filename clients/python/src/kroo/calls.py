"""The calls of an engine, for `Engine` and `AsyncEngine`: each yields the exchanges that it awaits, one after the other.

A driver begins a yielded exchange, waits for its answer, and goes on; if it has an error, that ends the call. So what a call
does is written once, and how a caller waits is written twice: in `engine.py` for threads, in `aio.py` for tasks.
"""

import time as clock
from typing import Generator, List, Mapping, Optional, Tuple, TypeVar, Union

from .analysis import PlayResult, best_of
from .commands import Commands, Place, Value, bounded, snapshot, whole
from .driver import Driver
from .exchange import Ask, End, Exchange, Greeting
from .info import Info
from .limit import Limit
from .position import Moves
from .process import Command, installed, words_of
from .solution import Solution
from .work import Search

T = TypeVar("T")
Call = Generator[Exchange, None, T]


class Calls:
    """A process, what it can be asked, and the calls that ask it."""

    def __init__(self, command: Optional[Command], timeout: Optional[float]) -> None:
        self._words = words_of(installed() if command is None else command)
        self.commands = Commands(timeout)
        self.driver = Driver(self._words)

    def open(self, variant: Optional[str], options: Mapping[str, Value]) -> Call[None]:
        greeting = Greeting(self._words[1:], self.commands.patience_of())
        yield greeting
        self.commands.greeted(greeting)
        yield from self.configure({**({} if variant is None else {"UCI_Variant": variant}), **options})

    def configure(self, options: Mapping[str, Value]) -> Call[None]:
        for name, value in options.items():
            ask, configured = self.commands.configure(name, value)
            yield ask
            self.commands.note(ask, configured)

    def ask(self, command: str = "") -> Call[None]:
        yield Ask(command, patience=self.commands.patience_of())

    def stop(self) -> Call[None]:
        self.driver.tell("stop")
        yield from self.ask()

    def play(
        self, position: Place, limit: Limit, root_moves: Optional[Moves], timeout: Optional[float], ponder: bool, game: object,
    ) -> Call[PlayResult]:
        began = clock.monotonic()
        position = snapshot(position)
        commands = self.commands
        search = commands.ponderhit(position, bounded(limit), root_moves)
        if search is None:
            search = commands.search(position, limit, root_moves=root_moves, game=game, ponder=ponder)
        search.patience = commands.patience(limit, timeout)
        yield search
        result = commands.checked(position, search)
        if ponder:
            later = commands.pondering(position, limit, result, began, game)
            if later is not None:
                self.driver.tell("submit", later)
        return result

    def analyse(
        self, position: Place, limit: Limit, multipv: Optional[int], root_moves: Optional[Moves], timeout: Optional[float],
        game: object,
    ) -> Call[Union[Info, List[Info]]]:
        search = self.commands.search(position, bounded(limit), multipv=multipv, root_moves=root_moves, game=game)
        search.patience = self.commands.patience(limit, timeout)
        yield search
        return best_of(search) if multipv is None else list(search.infos)

    def analysis(
        self, position: Place, limit: Optional[Limit], multipv: Optional[int], root_moves: Optional[Moves], game: object,
    ) -> Call[Search]:
        search = self.commands.search(position, limit or Limit(), multipv=multipv, root_moves=root_moves, game=game)
        search.keeps_unread = search.is_open = True
        search.patience = self.commands.patience_of()
        yield search
        return search

    def perft(self, position: Place, depth: int, timeout: Optional[float]) -> Call[int]:
        perft = self.commands.perft(position, whole("depth", depth))
        perft.patience = self.commands.patience_of(timeout)
        yield perft
        return perft.total

    def solve(
        self, position: Place, moves: bool, limit: Optional[Limit], bound: Optional[str], timeout: Optional[float],
    ) -> Call[Solution]:
        solve = self.commands.solve(position, moves, limit, bound, timeout)
        yield solve
        assert solve.solution is not None
        return solve.solution

    def quit(self) -> Call[int]:
        self.driver.tell("quit", self.commands.patience_of())
        return (yield from self._end())

    def kill(self) -> Call[int]:
        self.driver.kill()
        return (yield from self._end())

    def _end(self) -> Call[int]:
        yield End("quit")
        assert self.driver.status is not None
        return self.driver.status

    # By the compiled rules, without the engine

    def legal_moves(self, position: Place) -> Tuple[str, ...]:
        return self.commands.board(position).legal_moves

    def fen(self, position: Place) -> str:
        return self.commands.board(position).fen()

    def result(self, position: Place) -> Optional[str]:
        return self.commands.result(position)
