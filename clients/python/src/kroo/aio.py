"""The engine for asyncio: `Engine` with `await`.

    async with await kroo.AsyncEngine.open(variant="oware") as engine:
        print((await engine.play(kroo.Position(), kroo.Limit(time=0.5))).move)

Calls of several tasks wait for each other. A cancelled call stops its command, so the engine stays usable.
"""

import asyncio
import time as clock
import weakref
from types import TracebackType
from typing import AsyncIterator, Dict, List, Mapping, Optional, Tuple, Type, Union, overload

from .analysis import PlayResult, best_of, late, result_of
from .commands import Commands, Place, Value, bounded, snapshot, whole
from .driver import Driver
from .errors import EngineTimeout
from .exchange import Ask, End, Exchange, Greeting, Search
from .info import Info
from .limit import Limit
from .option import Option
from .position import Position
from .process import Command, installed, words_of


class AsyncWaiter:
    """Waits for an exchange in a task. Several tasks may wait for the same."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self._loop = asyncio.get_running_loop()
        self._waiting: "Dict[asyncio.Future[None], None]" = {}
        exchange.changed = self._changed

    def _changed(self) -> None:
        """Called in another thread."""
        try:
            self._loop.call_soon_threadsafe(self._wake)
        except RuntimeError:
            pass  # The loop has been closed.

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for future in waiting:
            if not future.done():
                future.set_result(None)

    async def change(self, timeout: Optional[float] = None) -> None:
        """Waits for a change since the task has last looked, if it has not awaited anything since."""
        future: "asyncio.Future[None]" = self._loop.create_future()
        self._waiting[future] = None
        try:
            await asyncio.wait([future], timeout=timeout)
        finally:
            self._waiting.pop(future, None)
            future.cancel()

    async def outcome(self, timeout: Optional[float], *, started: bool = False) -> None:
        """Waits for the outcome, or until a search has started. Raises its error, or EngineTimeout."""
        exchange = self._exchange
        until = None if timeout is None else clock.monotonic() + timeout
        while not exchange.has_outcome and not (started and isinstance(exchange, Search) and exchange.has_started):
            left = None if until is None else until - clock.monotonic()
            if left is not None and left <= 0:
                raise late(exchange, timeout)
            await self.change(left)
        if exchange.error is not None:
            raise exchange.error.with_traceback(None)


class AsyncAnalysis:
    """A search in progress: `async for info in analysis`; leaving the `async with` stops it."""

    def __init__(self, driver: Driver, search: Search, waiter: AsyncWaiter, patience: float) -> None:
        self._driver = driver
        self._search = search
        self._waiter = waiter
        self._patience = patience

    async def __aiter__(self) -> AsyncIterator[Info]:
        search = self._search
        while True:
            had_outcome = search.has_outcome
            if search.unread:
                yield search.unread.popleft()
            elif not had_outcome:
                await self._waiter.change()
            elif search.error is not None:
                raise search.error.with_traceback(None)
            else:
                return

    @property
    def infos(self) -> List[Info]:
        """The current lines, best first."""
        return list(self._search.infos)

    @property
    def info(self) -> Info:
        """The best line so far."""
        return best_of(self._search)

    def stop(self) -> None:
        """Stops the search; the engine answers at once."""
        self._driver.stop(self._search)

    async def wait(self, timeout: Optional[float] = None) -> PlayResult:
        """Waits for the answer."""
        await self._waiter.outcome(timeout)
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
        if error is None and self._search.error is None:
            await self._waiter.outcome(self._patience)


class AsyncEngine:
    """An engine for asyncio. Create it by `open`."""

    def __init__(self, driver: Driver, commands: Commands) -> None:
        self._driver = driver
        self._commands = commands
        weakref.finalize(self, driver.close)

    @staticmethod
    async def open(
        command: Optional[Command] = None,
        *,
        variant: Optional[str] = None,
        timeout: float = 10.0,
        **options: Union[str, int, bool],
    ) -> "AsyncEngine":
        """Starts an engine; the arguments are those of `Engine`."""
        words = words_of(installed() if command is None else command)
        engine = AsyncEngine(Driver(words), Commands(timeout))
        try:
            greeting = Greeting(words[1:])
            await engine._do(greeting, timeout)
            engine._commands.greeted(greeting)
            if variant is not None:
                await engine.configure({"UCI_Variant": variant})
            await engine.configure(options)
        except BaseException:
            engine._driver.kill()
            raise
        return engine

    def _begin(self, exchange: Exchange) -> AsyncWaiter:
        waiter = AsyncWaiter(exchange)
        self._driver.submit(exchange)
        return waiter

    async def _do(self, exchange: Exchange, timeout: Optional[float], waiter: Optional[AsyncWaiter] = None) -> None:
        """Waits for the outcome of an exchange, and abandons it after an exception, also if the task is cancelled."""
        try:
            await (waiter or self._begin(exchange)).outcome(timeout)
        except BaseException:
            self._driver.abandon(exchange)
            raise

    @property
    def id(self) -> Dict[str, str]:
        """`name` and `author`, as the engine reports them."""
        return self._commands.id

    @property
    def timeout(self) -> float:
        """The limit of every command but a search, in seconds."""
        return self._commands.timeout

    @timeout.setter
    def timeout(self, value: float) -> None:
        self._commands.timeout = value

    @property
    def options(self) -> Mapping[str, Option]:
        """The engine's options, by name."""
        return self._commands.options

    async def configure(self, options: Mapping[str, Value]) -> None:
        """Sets options; see `Engine.configure`."""
        for name, value in options.items():
            ask, configured = self._commands.configure(name, value)
            await self._do(ask, self._commands.short_patience(None))
            self._commands.note(ask, configured)

    async def ping(self) -> None:
        """Waits until the engine has executed all commands."""
        await self._do(Ask(), self._commands.short_patience(None))

    async def new_game(self) -> None:
        """Clears the engine's memory of the game."""
        await self._do(Ask("ucinewgame"), self._commands.short_patience(None))

    async def play(
        self, position: Place, limit: Limit, *, root_moves: Optional[str] = None, timeout: Optional[float] = None,
        ponder: bool = False, game: object = None,
    ) -> PlayResult:
        """Searches, and returns the chosen move; see `Engine.play`."""
        began = clock.monotonic()
        position = snapshot(position)
        search = self._commands.ponderhit(position, bounded(limit), root_moves)
        patience = self._commands.patience(limit, timeout)
        if search is None:
            search = self._commands.search(position, limit, root_moves=root_moves, game=game, ponder=ponder)
            await self._do(search, patience)
        else:
            waiter = AsyncWaiter(search)
            self._driver.hit(search)
            await self._do(search, patience, waiter)
        result = self._commands.checked(position, search)
        if ponder:
            later = self._commands.pondering(position, limit, result, began, game)
            if later is not None:
                self._driver.submit(later)
        return result

    @overload
    async def analyse(
        self, position: Place, limit: Limit, *, multipv: None = None, root_moves: Optional[str] = None,
        timeout: Optional[float] = None, game: object = None,
    ) -> Info: ...

    @overload
    async def analyse(
        self, position: Place, limit: Limit, *, multipv: int, root_moves: Optional[str] = None,
        timeout: Optional[float] = None, game: object = None,
    ) -> List[Info]: ...

    async def analyse(
        self,
        position: Place,
        limit: Limit,
        *,
        multipv: Optional[int] = None,
        root_moves: Optional[str] = None,
        timeout: Optional[float] = None,
        game: object = None,
    ) -> Union[Info, List[Info]]:
        """Searches, and returns the best line, or with `multipv` a list of them; see `Engine.analyse`."""
        search = self._commands.search(position, bounded(limit), multipv=multipv, root_moves=root_moves, game=game)
        await self._do(search, self._commands.patience(limit, timeout))
        return best_of(search) if multipv is None else list(search.infos)

    async def analysis(
        self,
        position: Place = Position(),
        limit: Optional[Limit] = None,
        *,
        multipv: Optional[int] = None,
        root_moves: Optional[str] = None,
        game: object = None,
    ) -> AsyncAnalysis:
        """Starts a search; see `Engine.analysis`."""
        search = self._commands.search(position, limit or Limit(), multipv=multipv, root_moves=root_moves, game=game)
        search.keeps_unread = search.is_open = True
        patience = self._commands.timeout
        try:
            waiter = self._begin(search)
            await waiter.outcome(patience, started=True)
            return AsyncAnalysis(self._driver, search, waiter, patience)
        except BaseException:
            self._driver.abandon(search)
            raise

    async def legal_moves(self, position: Place) -> Tuple[str, ...]:
        """The legal moves; empty if the game is over."""
        return self._commands.board(position).legal_moves

    async def fen(self, position: Place) -> str:
        """The fifteen fields of a position after its moves; see `Engine.fen`."""
        return self._commands.board(position).fen()

    async def result(self, position: Place) -> Optional[str]:
        """The result of a game, or None while it goes on; see `Engine.result`."""
        return self._commands.result(position)

    async def perft(self, position: Place, depth: int, *, timeout: Optional[float] = None) -> int:
        """The number of sequences of `depth` moves; see `Engine.perft`."""
        perft = self._commands.perft(position, whole("depth", depth))
        await self._do(perft, self._commands.short_patience(timeout))
        return perft.total

    async def stop(self) -> None:
        """Stops whatever the engine is doing; a task that waits for a search gets its answer."""
        self._driver.stop()
        await self.ping()

    async def _end(self, timeout: Optional[float]) -> int:
        """Waits for the end of the process, and returns its status."""
        await self._begin(End("quit")).outcome(timeout)
        status = self._driver.status
        assert status is not None
        return status

    async def quit(self) -> int:
        """Ends the engine, and returns its exit status. A running call raises EngineTerminated."""
        self._driver.quit()
        try:
            return await self._end(self.timeout)
        except EngineTimeout:
            return await self.kill()

    async def kill(self) -> int:
        """Kills the engine if it is running, and returns its exit status. A running call raises EngineTerminated."""
        self._driver.kill()
        return await self._end(None)

    async def __aenter__(self) -> "AsyncEngine":
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.quit()
