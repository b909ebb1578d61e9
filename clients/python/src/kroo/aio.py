"""The engine for asyncio: `Engine` with `await`.

    async with await kroo.AsyncEngine.open(variant="oware") as engine:
        print((await engine.play(kroo.Position(), kroo.Limit(time=0.5))).move)

Calls of several tasks wait for each other. A cancelled call stops its command, and the engine stays usable.
"""

import asyncio
import weakref
from types import TracebackType
from typing import AsyncIterator, Callable, Dict, Iterable, List, Mapping, NoReturn, Optional, Tuple, Type, Union, cast, overload

from .analysis import PlayResult, Progress, result_of
from .calls import Call, Calls, T
from .commands import Place, Value
from .exchange import Exchange
from .info import Info
from .limit import Limit
from .option import Option
from .position import Moves, Position
from .process import Command
from .solution import Solution
from .work import Search


async def wait(exchange: Exchange, is_done: Callable[[], bool], timeout: Optional[float] = None) -> bool:
    """Waits in a task for a state of an exchange; returns whether it came in time."""
    loop, changed = asyncio.get_running_loop(), asyncio.Event()

    def wake() -> None:
        """Called in another thread."""
        try:
            loop.call_soon_threadsafe(changed.set)
        except RuntimeError:
            pass  # The loop has been closed.

    async def until_done() -> None:
        while not is_done():
            await changed.wait()
            changed.clear()

    exchange.wakers.append(wake)
    try:
        await asyncio.wait_for(until_done(), timeout)
        return True
    except asyncio.TimeoutError:
        return False
    finally:
        exchange.wakers.remove(wake)


class AsyncAnalysis(Progress["AsyncEngine"]):
    """A search in progress: `async for info in analysis`; leaving the `async with` stops it."""

    async def __aiter__(self) -> AsyncIterator[Info]:
        while True:
            await wait(self._search, self._has_next)
            info = self._next()
            if info is not None:
                yield info
            elif self._search.has_outcome:
                return

    async def wait(self, timeout: Optional[float] = None) -> PlayResult:
        """Waits for the answer."""
        if not await wait(self._search, lambda: self._search.has_outcome, timeout):
            raise self._search.late(timeout)
        return result_of(self._search)

    async def __aenter__(self) -> "AsyncAnalysis":
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.stop()
        if error is None and not await wait(self._search, lambda: self._search.has_outcome, self._patience):
            raise self._search.late(self._patience)


class AsyncEngine:
    """An engine for asyncio. Create it by `open`."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._driver = calls.driver
        weakref.finalize(self, self._driver.close)

    @staticmethod
    async def open(
        command: Optional[Command] = None,
        *,
        variant: Optional[str] = None,
        timeout: Optional[float] = 10.0,
        **options: Value,
    ) -> "AsyncEngine":
        """Starts an engine; the arguments are those of `Engine`."""
        engine = AsyncEngine(Calls(command, timeout))
        try:
            await engine._do(engine._calls.open(variant, options))
        except BaseException:
            engine._driver.kill()
            raise
        return engine

    async def _do(self, call: Call[T]) -> T:
        """Carries out a call. After an exception its exchange is abandoned, also if the task is cancelled."""
        try:
            while True:
                exchange = next(call)
                try:
                    self._driver.tell("submit", exchange)
                    await wait(exchange, lambda: exchange.is_answered)
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
    def timeout(self) -> Optional[float]:
        """The limit of every command but a search, in seconds; None is no limit."""
        return self._calls.commands.timeout

    @timeout.setter
    def timeout(self, value: Optional[float]) -> None:
        self._calls.commands.timeout = value

    @property
    def options(self) -> Mapping[str, Option]:
        """The engine's options, by name."""
        return self._calls.commands.options

    async def configure(self, options: Mapping[str, Value]) -> None:
        """Sets options; see `Engine.configure`."""
        await self._do(self._calls.configure(options))

    async def ping(self) -> None:
        """Waits until the engine has executed all commands."""
        await self._do(self._calls.ask())

    async def new_game(self) -> None:
        """Clears the engine's memory of the game."""
        await self._do(self._calls.ask("ucinewgame"))

    async def stop(self) -> None:
        """Stops whatever the engine is doing; a task that waits for a search gets its answer."""
        await self._do(self._calls.stop())

    async def play(
        self, position: Place, limit: Limit, *, root_moves: Optional[Moves] = None, timeout: Optional[float] = None,
        ponder: bool = False, game: object = None,
    ) -> PlayResult:
        """Searches, and returns the chosen move; see `Engine.play`."""
        return await self._do(self._calls.play(position, limit, root_moves, timeout, ponder, game))

    @overload
    async def analyse(
        self, position: Place, limit: Limit, *, multipv: None = None, root_moves: Optional[Moves] = None,
        timeout: Optional[float] = None, game: object = None,
    ) -> Info: ...

    @overload
    async def analyse(
        self, position: Place, limit: Limit, *, multipv: int, root_moves: Optional[Moves] = None,
        timeout: Optional[float] = None, game: object = None,
    ) -> List[Info]: ...

    async def analyse(
        self,
        position: Place,
        limit: Limit,
        *,
        multipv: Optional[int] = None,
        root_moves: Optional[Moves] = None,
        timeout: Optional[float] = None,
        game: object = None,
    ) -> Union[Info, List[Info]]:
        """Searches, and returns the best line, or with `multipv` a list of them; see `Engine.analyse`."""
        return await self._do(self._calls.analyse(position, limit, multipv, root_moves, timeout, game))

    async def analysis(
        self,
        position: Place = Position(),
        limit: Optional[Limit] = None,
        *,
        multipv: Optional[int] = None,
        root_moves: Optional[Moves] = None,
        game: object = None,
    ) -> AsyncAnalysis:
        """Starts a search; see `Engine.analysis`."""
        search: Search = await self._do(self._calls.analysis(position, limit, multipv, root_moves, game))
        return AsyncAnalysis(self, self._driver, search, search.patience)

    async def solve(
        self, position: Place, *, moves: bool = False, limit: Optional[Limit] = None, bound: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Solution:
        """Proves the value of a position; see `Engine.solve`."""
        return await self._do(self._calls.solve(position, moves, limit, bound, timeout))

    async def solve_all(
        self, positions: Iterable[Place], *, moves: bool = False, limit: Optional[Limit] = None, bound: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> AsyncIterator[Solution]:
        """Solves many positions, one after the other, in order; see `Engine.solve_all`."""
        for position in positions:
            yield await self.solve(position, moves=moves, limit=limit, bound=bound, timeout=timeout)

    async def legal_moves(self, position: Place) -> Tuple[str, ...]:
        """The legal moves; empty if the game is over."""
        return self._calls.legal_moves(position)

    async def fen(self, position: Place) -> str:
        """The fifteen fields of a position after its moves; see `Engine.fen`."""
        return self._calls.fen(position)

    async def result(self, position: Place) -> Optional[str]:
        """The result of a game, or None while it goes on; see `Engine.result`."""
        return self._calls.result(position)

    async def perft(self, position: Place, depth: int, *, timeout: Optional[float] = None) -> int:
        """The number of sequences of `depth` moves; see `Engine.perft`."""
        return await self._do(self._calls.perft(position, depth, timeout))

    async def quit(self) -> int:
        """Ends the engine, and returns its exit status. A running call raises EngineTerminated."""
        return await self._do(self._calls.quit())

    async def kill(self) -> int:
        """Kills the engine if it is running, and returns its exit status. A running call raises EngineTerminated."""
        return await self._do(self._calls.kill())

    async def __aenter__(self) -> "AsyncEngine":
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.quit()

    def __reduce__(self) -> NoReturn:
        raise TypeError("an engine is a process, which cannot be copied or pickled: open another, in each process one")
