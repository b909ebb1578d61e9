"""The engine for asyncio: `Engine` with `await`.

    async with await kroo.AsyncEngine.open(variant="oware") as engine:
        print((await engine.play(kroo.Position(), kroo.Limit(time=0.5))).move)

A thread of its own waits for the engine. A cancelled call first stops its search, so the engine stays usable.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import TracebackType
from typing import AsyncIterator, Callable, Dict, List, Mapping, Optional, Tuple, Type, TypeVar, Union, overload

from .analysis import Analysis, PlayResult
from .engine import Engine, Place
from .info import Info
from .limit import Limit
from .option import Option
from .position import Position
from .process import Command

T = TypeVar("T")
_END = object()


class AsyncAnalysis:
    """A search in progress: `async for info in analysis`; leaving the `async with` stops it."""

    def __init__(self, engine: "AsyncEngine", analysis: Analysis) -> None:
        self._engine = engine
        self._analysis = analysis

    async def __aiter__(self) -> AsyncIterator[Info]:
        infos = iter(self._analysis)
        while isinstance(info := await self._engine._do(partial(next, infos, _END)), Info):
            yield info

    @property
    def infos(self) -> List[Info]:
        """The current lines, best first."""
        return self._analysis.infos

    @property
    def info(self) -> Info:
        """The best line so far."""
        return self._analysis.info

    def stop(self) -> None:
        """Stops the search; the engine answers at once."""
        self._analysis.stop()

    async def wait(self, timeout: Optional[float] = None) -> PlayResult:
        """Waits for the answer."""
        return await self._engine._do(partial(self._analysis.wait, timeout))

    async def __aenter__(self) -> "AsyncAnalysis":
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self._engine._do(partial(self._analysis.__exit__, kind, error, trace))


class AsyncEngine:
    """An engine for asyncio. Create it by `open`, or from an `Engine` that is not used elsewhere."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._thread: Optional[ThreadPoolExecutor] = ThreadPoolExecutor(1, "kroo")
        """None after the end: any thread will do for calls that fail at once."""

    @staticmethod
    async def open(
        command: Optional[Command] = None,
        *,
        variant: Optional[str] = None,
        timeout: float = 10.0,
        **options: Union[str, int, bool],
    ) -> "AsyncEngine":
        """Starts an engine; the arguments are those of `Engine`."""
        start = partial(Engine, command, variant=variant, timeout=timeout, **options)
        return AsyncEngine(await asyncio.get_running_loop().run_in_executor(None, start))

    async def _do(self, call: Callable[[], T]) -> T:
        """Calls a function in the thread. If the caller is cancelled meanwhile, its search is stopped first."""
        future = asyncio.get_running_loop().run_in_executor(self._thread, call)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            search = self.engine._search
            if search is not None:
                search.stop()
            await asyncio.wait([future])
            raise

    def _close(self) -> None:
        if self._thread is not None:
            self._thread.shutdown(wait=False)
            self._thread = None

    @property
    def id(self) -> Dict[str, str]:
        """`name` and `author`, as the engine reports them."""
        return self.engine.id

    @property
    def timeout(self) -> float:
        """The limit of every command but a search, in seconds."""
        return self.engine.timeout

    @timeout.setter
    def timeout(self, value: float) -> None:
        self.engine.timeout = value

    @property
    def options(self) -> Mapping[str, Option]:
        """The engine's options, by name."""
        return self.engine.options

    async def configure(self, options: Mapping[str, Union[str, int, bool, None]]) -> None:
        """Sets options; see `Engine.configure`."""
        await self._do(partial(self.engine.configure, options))

    async def ping(self) -> None:
        """Waits until the engine has executed all commands."""
        await self._do(self.engine.ping)

    async def new_game(self) -> None:
        """Clears the engine's memory of the game."""
        await self._do(self.engine.new_game)

    async def play(
        self, position: Place, limit: Limit, *, root_moves: Optional[str] = None, timeout: Optional[float] = None,
    ) -> PlayResult:
        """Searches, and returns the chosen move; see `Engine.play`."""
        return await self._do(partial(self.engine.play, position, limit, root_moves=root_moves, timeout=timeout))

    @overload
    async def analyse(
        self, position: Place, limit: Limit, *, multipv: None = None, root_moves: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Info: ...

    @overload
    async def analyse(
        self, position: Place, limit: Limit, *, multipv: int, root_moves: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> List[Info]: ...

    async def analyse(
        self,
        position: Place,
        limit: Limit,
        *,
        multipv: Optional[int] = None,
        root_moves: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Union[Info, List[Info]]:
        """Searches, and returns the best line, or with `multipv` a list of them; see `Engine.analyse`."""
        if multipv is None:
            return await self._do(partial(self.engine.analyse, position, limit, root_moves=root_moves, timeout=timeout))
        search = partial(self.engine.analyse, position, limit, multipv=multipv, root_moves=root_moves, timeout=timeout)
        return await self._do(search)

    async def analysis(
        self,
        position: Place = Position(),
        limit: Optional[Limit] = None,
        *,
        multipv: Optional[int] = None,
        root_moves: Optional[str] = None,
    ) -> AsyncAnalysis:
        """Starts a search; see `Engine.analysis`."""
        start = partial(self.engine.analysis, position, limit, multipv=multipv, root_moves=root_moves)
        return AsyncAnalysis(self, await self._do(start))

    async def legal_moves(self, position: Place) -> Tuple[str, ...]:
        """The legal moves; empty if the game is over."""
        return await self._do(partial(self.engine.legal_moves, position))

    async def fen(self, position: Place) -> str:
        """The fifteen fields of a position after its moves; see `Engine.fen`."""
        return await self._do(partial(self.engine.fen, position))

    async def result(self, position: Place) -> Optional[str]:
        """The result of a game, or None while it goes on; see `Engine.result`."""
        return await self._do(partial(self.engine.result, position))

    async def perft(self, position: Place, depth: int) -> int:
        """The number of sequences of `depth` moves."""
        return await self._do(partial(self.engine.perft, position, depth))

    async def stop(self) -> None:
        """Stops the running search, if any; a task that waits for it gets its answer. See `Engine.stop`."""
        search = self.engine._search
        if search is not None:
            search.stop()
        await self._do(self.engine.stop)

    async def quit(self) -> int:
        """Ends the engine, and returns its exit status."""
        try:
            return await self._do(self.engine.quit)
        finally:
            self._close()

    async def kill(self) -> int:
        """Kills the engine if it is running, and returns its exit status. A running call raises EngineTerminated."""
        self.engine._process.kill()
        try:
            return await self._do(self.engine.kill)
        finally:
            self._close()

    async def __aenter__(self) -> "AsyncEngine":
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.quit()
