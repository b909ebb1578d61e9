"""The life of an engine: every call in every state of `states.md`, for threads and for asyncio; forks, drops, and waiters."""

import asyncio
import copy
import gc
import multiprocessing
import os
import pickle
import sys
import threading
import time
import unittest
import warnings

from engines import ENGINE, HERE, _rules

import kroo
from kroo import Limit, Position
from kroo.conversation import State

PATIENCE = 60
PAGE = next(page for page in (HERE / "states.md", HERE.parents[1] / "states.md") if page.exists())
STEP = r"""
import sys, time
slow = searching = solving = False
ANSWER = "solve position {} atleast 1 atmost 1 nodes 1 time 1 pv A\nsolveok"
for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print("id name Step\noption name Slow type check default false\noption name Ponder type check default false\nuciok", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "setoption" and words[2] == "Slow":
        slow = words[-1] == "true"
    elif words[0] == "go":
        print("info depth 1 score cp 1 pv A", flush=True)
        searching = "depth" not in words or "ponder" in words
        if not searching:
            print("bestmove A ponder a", flush=True)
    elif words[0] == "solve":
        solving = "nodes" not in words
        if not solving:
            print(ANSWER.format("proven"), flush=True)
    elif words[0] == "stop" and solving:
        time.sleep(0.3 * slow)
        solving = False
        print(ANSWER.format("unproven"), flush=True)
    elif words[0] == "stop" and searching:
        time.sleep(0.3 * slow)
        searching = False
        print("bestmove A ponder a", flush=True)
    elif words[0] == "quit":
        time.sleep(0.5 * slow)
        break
"""
"""An engine that answers a search by depth at once, and others after `stop`; with `Slow` it takes a moment to end."""
COMMAND = [sys.executable, "-c", STEP]
SHORT, LONG = Limit(depth=1), Limit(nodes=1)


def table():
    """The answers by state and call."""
    rows = [line.strip("|\n ").split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    calls, found = rows[0][1:], {}
    for row in rows[2:]:
        if len(row) != len(rows[0]):
            break
        found.update({(row[0], call): answer for call, answer in zip(calls, row[1:])})
    return found


TABLE = table()


def answer_of(error, call):
    """The word of the table for the outcome of a call."""
    if isinstance(error, kroo.EngineTerminated):
        return "terminated"
    if isinstance(error, kroo.EngineTimeout):
        return "late"
    if isinstance(error, kroo.EngineError):
        return "refused"
    if error is not None:
        return repr(error)
    return "ends" if call in ("quit", "kill") else "answers"


class Background(threading.Thread):
    """A call in a thread of its own."""

    def __init__(self, call):
        super().__init__(daemon=True)
        self.call, self.error, self.found = call, None, None
        self.start()

    def run(self):
        try:
            self.found = self.call()
        except BaseException as error:
            self.error = error


def until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it does not come about"
        time.sleep(0.005)


CALLS = {
    "ask": lambda engine: engine.ping(),
    "play": lambda engine: engine.play(Position(), SHORT),
    "analysis": lambda engine: engine.analysis(Position(), SHORT).wait(PATIENCE),
    "solve": lambda engine: engine.solve(Position(), limit=Limit(nodes=1)),
    "stop": lambda engine: engine.stop(),
    "quit": lambda engine: engine.quit(),
    "kill": lambda engine: engine.kill(),
}


def in_a_fork(work):
    """The answer of some work in a forked child, as text."""
    read, write = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        child = os.fork()
    if child == 0:
        try:
            os.write(write, work().encode())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as file:
        said = file.read().decode()
    os.waitpid(child, 0)
    return said


class Threads(unittest.TestCase):
    def enter(self, state):
        """An engine in a state, and the call that has brought it there."""
        engine = kroo.Engine(COMMAND, timeout=PATIENCE)
        self.addCleanup(engine._driver.close)
        first = None
        if state == "busy":
            first = Background(lambda: engine.play(Position(), LONG))
        elif state == "open":
            first = engine.analysis(Position())
        elif state == "pondering":
            engine.play(kroo.Board("oware"), SHORT, ponder=True)
        elif state == "leaving":
            engine.configure({"Slow": True})
            with self.assertRaises(kroo.EngineTimeout):
                engine.play(Position(), LONG, timeout=0.2)
        elif state == "quitting":
            engine.configure({"Slow": True})
            first = Background(engine.quit)
        elif state == "ended":
            engine.quit()
        if state != "another process":
            until(lambda: engine._driver.state is State(state))
        return engine, first

    def test_every_call_in_every_state(self):
        self.assertEqual(len(TABLE), 56)
        for (state, name), wanted in TABLE.items():
            if state == "pondering" and _rules is None or state == "another process" and not hasattr(os, "fork"):
                continue
            with self.subTest(state=state, call=name):
                self.walk(state, name, wanted)

    def walk(self, state, name, wanted):
        engine, first = self.enter(state)
        call = CALLS[name]
        if state == "another process":
            def work():
                other = Background(lambda: call(engine))
                other.join(PATIENCE)
                return f"{answer_of(other.error, name)}: {other.error}"

            self.assertRegex(in_a_fork(work), f"^{wanted}: this engine was opened in another process .*: open one in each$")
            engine.ping()
            return
        second = Background(lambda: call(engine))
        if wanted == "waits":
            second.join(0.05)
            self.assertTrue(second.is_alive(), "it does not wait")
            engine.stop()
            wanted = "answers"
        second.join(PATIENCE)
        self.assertFalse(second.is_alive(), "it hangs")
        self.assertEqual(answer_of(second.error, name), wanted, second.error)
        if state == "busy":
            first.join(PATIENCE)
            self.assertEqual(answer_of(first.error, "play"), "terminated" if wanted == "ends" else "answers")
        if state == "open" and wanted == "ends":
            with self.assertRaises(kroo.EngineTerminated):
                first.wait(PATIENCE)
        if state == "quitting":
            first.join(PATIENCE)
            self.assertEqual(first.found, engine.kill())
        if wanted in ("answers", "refused"):
            engine.stop()
            self.assertEqual(engine.play(Position(), SHORT).move, "A")

    def test_a_solve_is_stopped_killed_and_left(self):
        engine, _ = self.enter("ready")
        first = Background(lambda: engine.solve(Position()))
        until(lambda: engine._driver.state is State.BUSY)
        engine.stop()
        first.join(PATIENCE)
        self.assertEqual((first.found.proven, first.found.value), (False, 1))
        with self.assertRaisesRegex(kroo.EngineTimeout, "no `solveok` within 0.1 s of `solve moves`"):
            engine.solve(Position(), moves=True, timeout=0.1)
        self.assertTrue(engine.solve(Position(), limit=Limit(nodes=1)).proven)
        first = Background(lambda: engine.solve(Position()))
        until(lambda: engine._driver.state is State.BUSY)
        engine.kill()
        first.join(PATIENCE)
        self.assertIsInstance(first.error, kroo.EngineTerminated)

    def test_an_engine_that_does_not_end_in_time_is_killed(self):
        engine, _ = self.enter("ready")
        engine.configure({"Slow": True})
        engine.timeout = 0.1
        self.assertNotEqual(engine.quit(), 0)


class Tasks(unittest.TestCase):
    async def enter(self, state):
        engine = await kroo.AsyncEngine.open(COMMAND, timeout=PATIENCE)
        self.addCleanup(engine._driver.close)
        first = None
        if state == "busy":
            first = asyncio.create_task(engine.play(Position(), LONG))
        elif state == "open":
            first = await engine.analysis(Position())
        elif state == "pondering":
            await engine.play(kroo.Board("oware"), SHORT, ponder=True)
        elif state == "leaving":
            await engine.configure({"Slow": True})
            task = asyncio.create_task(engine.play(Position(), LONG))
            await asyncio.sleep(0.1)
            task.cancel()
        elif state == "quitting":
            await engine.configure({"Slow": True})
            first = asyncio.create_task(engine.quit())
        elif state == "ended":
            await engine.quit()
        end = time.monotonic() + PATIENCE
        while engine._driver.state is not State(state):
            self.assertLess(time.monotonic(), end)
            await asyncio.sleep(0.005)
        return engine, first

    def test_every_call_in_every_state(self):
        for (state, name), wanted in TABLE.items():
            if state == "pondering" and _rules is None or state == "another process":
                continue  # A loop of asyncio is not for a forked child.
            with self.subTest(state=state, call=name):
                asyncio.run(asyncio.wait_for(self.walk(state, name, wanted), PATIENCE))

    async def walk(self, state, name, wanted):
        engine, first = await self.enter(state)

        async def call():
            try:
                if name == "analysis":
                    await (await engine.analysis(Position(), SHORT)).wait(PATIENCE)
                else:
                    await CALLS[name](engine)
            except kroo.EngineError as error:
                return error

        second = asyncio.create_task(call())
        if wanted == "waits":
            await asyncio.sleep(0.05)
            self.assertFalse(second.done(), "it does not wait")
            await engine.stop()
            wanted = "answers"
        error = await second
        self.assertEqual(answer_of(error, name), wanted, error)
        if state == "busy":
            (found,) = await asyncio.gather(first, return_exceptions=True)
            self.assertEqual(answer_of(found if isinstance(found, Exception) else None, "play"), "terminated" if wanted == "ends" else "answers")
        if state == "open" and wanted == "ends":
            with self.assertRaises(kroo.EngineTerminated):
                await first.wait(PATIENCE)
        if state == "quitting":
            self.assertEqual(await first, await engine.kill())
        if wanted in ("answers", "refused"):
            await engine.stop()
            self.assertEqual((await engine.play(Position(), SHORT)).move, "A")

    def test_an_analysis_keeps_its_engine(self):
        async def read():
            found = []
            async with await (await kroo.AsyncEngine.open(ENGINE)).analysis(Position()) as analysis:
                gc.collect()
                async for info in analysis:
                    gc.collect()
                    found.append(info)
                    if len(found) == 3:
                        break
            return len(found)

        self.assertEqual(asyncio.run(asyncio.wait_for(read(), PATIENCE)), 3)

    def test_a_solve_is_cancelled(self):
        async def cancel():
            async with await kroo.AsyncEngine.open(COMMAND, timeout=PATIENCE) as engine:
                for pause in (0, 0.001, 0.05):
                    task = asyncio.create_task(engine.solve(Position(), moves=True))
                    await asyncio.sleep(pause)
                    task.cancel()
                    with self.assertRaises(asyncio.CancelledError):
                        await task
                    self.assertTrue((await engine.solve(Position(), limit=Limit(nodes=1))).proven)
                found = [solution async for solution in engine.solve_all([Position()] * 3, limit=Limit(nodes=1))]
                self.assertEqual(len(found), 3)

        asyncio.run(asyncio.wait_for(cancel(), PATIENCE))

    def test_two_tasks_wait_for_an_analysis(self):
        async def read():
            async with await kroo.AsyncEngine.open(ENGINE) as engine:
                analysis = await engine.analysis(Position())

                async def count():
                    return len([info async for info in analysis])

                reader = asyncio.create_task(count())
                await asyncio.sleep(0.05)
                analysis.stop()
                return (await analysis.wait(PATIENCE)).move, await reader

        move, count = asyncio.run(asyncio.wait_for(read(), PATIENCE))
        self.assertIn(move, "ABCDEF")
        self.assertGreater(count, 0)


class Owners(unittest.TestCase):
    """Who holds an engine, and who waits for it."""

    def test_an_analysis_keeps_its_engine(self):
        def opened():
            return kroo.Engine(ENGINE).analysis(Position())

        with opened() as analysis:
            gc.collect()
            reader = Background(lambda: [info for info, _ in zip(analysis, range(5))])
            reader.join(PATIENCE)
            self.assertEqual(len(reader.found or ()), 5)
        process = analysis._driver.process
        del analysis, reader
        gc.collect()
        until(lambda: not process.is_running())

    def test_a_reader_and_a_waiter_both_wake(self):
        with kroo.Engine(ENGINE) as engine:
            for _ in range(20):
                analysis = engine.analysis(Position())
                waiters = [Background(lambda: list(analysis)), Background(lambda: list(analysis)), Background(lambda: analysis.wait(PATIENCE))]
                analysis.stop()
                self.assertIn(analysis.wait(PATIENCE).move, "ABCDEF")
                for waiter in waiters:
                    waiter.join(PATIENCE)
                    self.assertFalse(waiter.is_alive())
                    self.assertIsNone(waiter.error)

    def test_an_end_reaches_every_waiter(self):
        engine = kroo.Engine(ENGINE)
        analysis = engine.analysis(Position())
        waiters = [Background(lambda: list(analysis)), Background(analysis.wait)]
        engine.kill()
        for waiter in waiters:
            waiter.join(PATIENCE)
            self.assertIsInstance(waiter.error, kroo.EngineTerminated)

    def test_an_engine_is_neither_copied_nor_pickled(self):
        with kroo.Engine(ENGINE) as engine:
            analysis = engine.analysis(Position())
            for thing in (engine, analysis):
                for work in (copy.copy, copy.deepcopy, pickle.dumps):
                    with self.assertRaisesRegex(TypeError, "cannot be copied or pickled"):
                        work(thing)

    @unittest.skipIf(not hasattr(os, "fork"), "there is no fork")
    def test_a_fork_leaves_the_engine_alone(self):
        engine = kroo.Engine(ENGINE)
        self.addCleanup(engine.kill)

        def leave():
            try:
                with engine:
                    pass
            except kroo.EngineError as error:
                return str(error)

        self.assertIn("another process", in_a_fork(leave))
        self.assertEqual(engine.perft(Position(), 2), 36)
        # A child that goes on does not keep the engine alive, and its end does not end the engine.
        read, write = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            child = os.fork()
        if child == 0:
            os.close(write)
            os.read(read, 1)
            engine._driver.close()
            os._exit(0)
        os.close(read)
        self.assertEqual(engine.perft(Position(), 2), 36)
        self.assertEqual(engine.quit(), 0)
        os.close(write)
        os.waitpid(child, 0)

    @unittest.skipIf("fork" not in multiprocessing.get_all_start_methods(), "there is no fork")
    def test_a_pool_gets_an_error(self):
        global ENGINE_OF_POOL
        ENGINE_OF_POOL = kroo.Engine(ENGINE)
        self.addCleanup(ENGINE_OF_POOL.kill)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with multiprocessing.get_context("fork").Pool(1) as pool:
                said = pool.apply_async(use_global).get(PATIENCE)
        self.assertIn("open one in each", said)


ENGINE_OF_POOL = None


def use_global():
    try:
        ENGINE_OF_POOL.play(Position(), SHORT)
    except kroo.EngineError as error:
        return str(error)


if __name__ == "__main__":
    unittest.main()
