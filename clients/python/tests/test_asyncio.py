"""The engine for asyncio: cancelled and stopped at any moment."""

import asyncio
import functools
import inspect
import os
import random
import time
import unittest

from engines import ENGINE, with_rules

import kroo
from kroo import Limit, Position

CANCELLATIONS = int(os.environ.get("KROO_INTERRUPTS", "60"))


def names(thing):
    return {name for name in dir(thing) if not name.startswith("_")}


class Asynchronous(unittest.TestCase):
    def talk(self, conversation):
        async def run():
            async with await kroo.AsyncEngine.open(ENGINE, variant="oware", Hash=4) as engine:
                await asyncio.wait_for(conversation(engine), 60)

        asyncio.run(run())

    def test_it_has_the_members_of_the_engine(self):
        for plain, twin in [(kroo.Engine, kroo.AsyncEngine), (kroo.Analysis, kroo.AsyncAnalysis)]:
            self.assertEqual(names(plain) - names(twin), set())
            for name in names(plain):
                member, other = getattr(plain, name), getattr(twin, name)
                if callable(member):
                    self.assertEqual([*inspect.signature(member).parameters], [*inspect.signature(other).parameters], name)

    def test_its_answers_are_those_of_the_engine(self):
        position = Position(moves="FfEc")

        async def ask(engine):
            with kroo.Engine(ENGINE, variant="oware", Hash=4) as plain:
                self.assertEqual(engine.id, plain.id)
                self.assertEqual(await engine.perft(position, 4), plain.perft(position, 4))
                best, same = await engine.analyse(position, Limit(depth=6), multipv=3), plain.analyse(position, Limit(depth=6), multipv=3)
                self.assertEqual([info.pv for info in best], [info.pv for info in same])
            await engine.configure({"Hash": 2})
            await engine.new_game()
            await engine.ping()
            engine.timeout = 5.0
            self.assertEqual(engine.timeout, 5.0)
            with self.assertRaises(kroo.EngineError):
                await engine.perft(Position(moves="FF"), 1)

        self.talk(ask)

    @with_rules
    def test_the_rules_are_those_of_the_board(self):
        async def ask(engine):
            board = kroo.Board("oware", moves="FfEc")
            position = Position(moves="FfEc")
            self.assertEqual(await engine.fen(position), board.fen())
            self.assertEqual(await engine.legal_moves(position), board.legal_moves)
            self.assertIsNone(await engine.result(position))

        self.talk(ask)

    @with_rules
    def test_a_board_may_change_during_the_search(self):
        async def play(engine):
            board = kroo.Board("oware")
            task = asyncio.create_task(engine.play(board, Limit(time=0.2)))
            await asyncio.sleep(0.05)
            board.push("F")
            self.assertIn((await task).move, "ABCDEF")

        self.talk(play)

    def test_searches_are_stopped(self):
        async def search(engine):
            async with await engine.analysis(Position()) as analysis:
                await asyncio.sleep(0.1)
                analysis.stop()
                self.assertEqual((await analysis.wait(5)).info, analysis.info)
            endless = asyncio.ensure_future(engine.play(Position(), Limit(depth=127)))
            await asyncio.sleep(0.1)
            await engine.stop()
            await engine.stop()
            self.assertIn((await endless).move, "ABCDEF")
            self.assertEqual(await engine.perft(Position(), 1), 6)

        self.talk(search)

    def test_a_search_that_has_hardly_begun_is_stopped(self):
        async def search(engine):
            for naps in (1, 1, 2, 3):
                endless = asyncio.create_task(engine.play(Position(), Limit(depth=127)))
                for _ in range(naps):
                    await asyncio.sleep(0)
                await asyncio.wait_for(engine.stop(), 10)
                self.assertIn((await asyncio.wait_for(endless, 10)).move, "ABCDEF")

        self.talk(search)

    def test_an_end_during_a_search(self):
        async def end(engine, seconds):
            endless = asyncio.create_task(engine.play(Position(), Limit(depth=127)))
            await asyncio.sleep(seconds)
            self.assertEqual(await asyncio.wait_for(engine.quit(), 30), 0)
            with self.assertRaises(kroo.EngineTerminated):
                await endless

        # Before the search has begun, while it begins, and once it has a move.
        for seconds in (0, 0.001, 0.01, 0.2):
            self.talk(functools.partial(end, seconds=seconds))

        async def leave():
            async with await kroo.AsyncEngine.open(ENGINE) as engine:
                return asyncio.create_task(engine.play(Position(), Limit(depth=127)))

        async def left():
            endless = await asyncio.wait_for(leave(), 30)
            with self.assertRaises(kroo.EngineTerminated):
                await asyncio.wait_for(endless, 30)

        asyncio.run(left())

    def test_an_end_can_be_repeated(self):
        async def end(engine):
            endless = asyncio.ensure_future(engine.play(Position(), Limit(depth=127)))
            await asyncio.sleep(0.1)
            self.assertNotEqual(await engine.kill(), 0)
            with self.assertRaises(kroo.EngineTerminated):
                await endless
            self.assertEqual(await engine.quit(), await engine.kill())
            with self.assertRaises(kroo.EngineTerminated):
                await engine.ping()

        self.talk(end)

    def test_a_cancelled_count_ends_at_once(self):
        async def count(engine):
            task = asyncio.create_task(engine.perft(Position(), 30, timeout=600))
            await asyncio.sleep(0.05)
            began = time.monotonic()
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            self.assertEqual(await engine.perft(Position(), 2), 36)
            self.assertLess(time.monotonic() - began, 5)

        self.talk(count)

    def test_tasks_take_turns(self):
        async def ask(engine):
            counts = await asyncio.gather(*(engine.perft(Position(), depth) for depth in (1, 2, 3, 2, 1)))
            self.assertEqual([*map(int, counts)], [6, 36, 190, 36, 6])

        self.talk(ask)

    def test_random_cancellations(self):
        draw = random.Random(65)

        async def endless(engine):
            async with await engine.analysis(Position()) as analysis:
                async for _ in analysis:
                    pass

        calls = (
            lambda engine: engine.play(Position(), Limit(depth=127)),
            lambda engine: engine.analyse(Position(), Limit(depth=127), multipv=2),
            lambda engine: engine.perft(Position(), 12, timeout=600),
            lambda engine: engine.configure({"Hash": 1, "Move Overhead": 3}),
            lambda engine: engine.ping(),
            lambda engine: engine.stop(),
            endless,
        )
        wanted = {1: 6, 2: 36, 3: 190}

        async def cancel(engine):
            for _ in range(CANCELLATIONS):
                tasks = [asyncio.create_task(draw.choice(calls)(engine)) for _ in range(draw.randint(1, 3))]
                await asyncio.sleep(draw.choice((0, 0, 0.001, 0.01, 0.02)))
                if draw.random() < 0.3:
                    await engine.stop()
                for task in tasks:
                    task.cancel()
                for outcome in await asyncio.gather(*tasks, return_exceptions=True):
                    # One may meet the other's analysis, or be stopped with it.
                    if isinstance(outcome, Exception):
                        self.assertRegex(str(outcome), "a search is running|was stopped before its end")
                depth = draw.randint(1, 3)
                self.assertEqual(await engine.perft(Position(), depth), wanted[depth])

        self.talk(cancel)


if __name__ == "__main__":
    unittest.main()
