"""Conversations that are interrupted, stopped and cancelled, and engines that say something else."""

import math
import os
import random
import signal
import subprocess
import sys
import threading
import time
import unittest

from engines import ENGINE, HERE, scripted, with_rules

import kroo
from kroo import Limit, Position
from kroo.conversation import Conversation
from kroo.exchange import Ask, End, Greeting
from kroo.work import Perft, Search

INTERRUPTS = int(os.environ.get("KROO_INTERRUPTS", "60"))
"""Random interrupts of a test; by hand 500."""


class SansIo(unittest.TestCase):
    """The state machine, without a process."""

    def setUp(self):
        self.talk = Conversation()

    def test_an_abandoned_command_is_drained_before_the_next(self):
        perft, ask = Perft(12, "startpos", {}), Ask()
        self.assertEqual(self.talk.submit(perft), ["position startpos", "isready"])
        self.assertEqual(self.talk.receive("readyok"), ["go perft 12", "isready"])
        self.assertEqual(self.talk.receive("readyok"), [])
        self.assertEqual(self.talk.abandon(perft), ["stop", "isready"])
        self.assertEqual(self.talk.submit(ask), [], "the engine is not free")
        self.assertEqual(self.talk.receive("A: 1"), [])
        self.assertEqual(self.talk.receive("info string stopped, so there is no total"), [])
        self.assertEqual(self.talk.receive("readyok"), ["isready"])
        self.assertFalse(ask.has_outcome)
        self.talk.receive("readyok")
        self.assertTrue(ask.has_outcome)

    def test_a_search_that_is_abandoned_early_is_never_begun(self):
        search = Search("go infinite", "startpos", {}, "S")
        self.talk.submit(search)
        self.assertEqual(self.talk.abandon(search), [])
        self.assertEqual(self.talk.receive("readyok"), [])
        self.assertTrue(search.is_over)

    def test_a_search_that_is_stopped_early_answers(self):
        search = Search("go infinite", "startpos", {}, "S")
        self.talk.submit(search)
        self.talk.stop()
        self.assertEqual(self.talk.receive("readyok"), ["go infinite", "isready", "stop"])
        self.talk.receive("bestmove F")
        self.assertEqual((search.move, search.error, search.is_over), ("F", None, False))
        self.talk.receive("readyok")
        self.assertTrue(search.is_over)

    def test_a_refused_search_ends_even_if_it_has_begun(self):
        search = Search("go searchmoves a", "startpos", {}, "S")
        self.talk.submit(search)
        self.talk.receive("readyok")
        self.talk.receive("info string error go: searchmoves: `a`: it is South's turn")
        self.assertEqual(self.talk.receive("readyok"), ["stop", "isready"])
        self.assertIn("South's turn", str(search.error))
        self.talk.receive("bestmove A")
        self.talk.receive("readyok")
        self.assertTrue(search.is_over)

    def test_a_damaged_file_is_no_refusal(self):
        search = Search("go depth 1", "startpos", {}, "S")
        self.talk.submit(search)
        self.talk.receive("readyok")
        self.talk.receive("info string error EndgamePath: awari-3.kroo is damaged")
        self.assertEqual(self.talk.receive("readyok"), [])
        self.talk.receive("bestmove A")
        self.assertEqual((search.move, search.error), ("A", None))

    def test_rules_are_one_value(self):
        oware = {"UCI_Variant": "oware", "Seeds": "0", "EmptyCapture": "false", "RemainingSeeds": "owner"}
        greeting = Greeting()
        self.talk.submit(greeting)
        for line in (
            "option name UCI_Variant type combo default awari var awari", "option name Seeds type spin default 0 min 0 max 6",
            "option name EmptyCapture type check default false", "uciok",
        ):
            self.talk.receive(line)
        search = Search("go depth 1", "startpos", oware | {"RemainingSeeds": "owner"}, "S")
        self.assertEqual(
            self.talk.submit(search)[:4], [f"setoption name {name} value {value}" for name, value in oware.items()],
        )
        for line in ("readyok", "readyok", "bestmove A"):
            self.talk.receive(line)
        again = Search("go depth 1", "startpos", oware, "S")
        self.assertEqual(self.talk.submit(again), ["position startpos", "isready"])

    def test_what_belongs_to_no_command_is_skipped(self):
        for line in ("readyok", "bestmove A", "uciok", "", "info depth 1 score cp 1"):
            self.assertEqual(self.talk.receive(line), [])
        ask = Ask()
        self.assertEqual(self.talk.submit(ask), ["isready"])
        self.talk.receive("bestmove A")
        self.assertFalse(ask.has_outcome)

    def test_an_engine_that_was_told_to_quit_answers_nothing_more(self):
        search, waiting, late = Search("go depth 127", "startpos", {}, "S"), Ask(), Ask()
        self.talk.submit(search)
        self.talk.receive("readyok")
        self.talk.submit(waiting)
        self.assertEqual(self.talk.quit(10), ["quit"])
        self.assertEqual(self.talk.quit(10), [], "it is told once")
        # An engine may still say the move it would have played.
        self.assertEqual(self.talk.receive("bestmove A"), [])
        self.assertEqual(self.talk.submit(late), [])
        for exchange in (search, waiting, late):
            self.assertIsInstance(exchange.error, kroo.EngineTerminated)
            self.assertIn("was told to quit", str(exchange.error))
        end = End("quit")
        self.talk.submit(end)
        self.assertFalse(end.has_outcome, "the process has not ended")
        self.talk.end("with status 0")
        self.assertTrue(end.has_outcome)

    def test_after_the_end_everything_fails(self):
        search, waiting, late = Search("go infinite", "startpos", {}, "S"), Ask(), Ask()
        search.is_open = True
        self.talk.submit(Ask())
        self.talk.submit(waiting)
        self.talk.end("with status 1")
        self.talk.submit(late)
        for exchange in (waiting, late):
            self.assertIsInstance(exchange.error, kroo.EngineTerminated)


IN_TERMINAL = """
import sys, kroo
engine = kroo.Engine(sys.argv[1])
print("pid", engine._driver.process.pid, flush=True)
try:
    {work}
except KeyboardInterrupt as error:
    print("interrupted", error.__context__, flush=True)
print("count", engine.perft(kroo.Position(), 3), engine.play(kroo.Position(), kroo.Limit(depth=2)).move in "ABCDEF", flush=True)
print("status", engine.quit(), flush=True)
"""
WORK = {
    "analysis": "with engine.analysis(kroo.Position()) as analysis:\n        print('ready', flush=True)\n        for info in analysis: pass",
    "play": "print('ready', flush=True); engine.play(kroo.Position(), kroo.Limit(depth=127))",
    "perft": "print('ready', flush=True); engine.perft(kroo.Position(), 30, timeout=600)",
}
NATIVE = "print('ready', flush=True); kroo.Board('kalah').perft(30)"


@unittest.skipIf(sys.platform == "win32", "there are no pseudo-terminals")
class InTerminal(unittest.TestCase):
    """Ctrl-C typed in a real pseudo-terminal."""

    def type_ctrl_c(self, work):
        import pty

        pid, terminal = pty.fork()
        if pid == 0:
            # A shell starts what runs in the background with the signal ignored.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.execvp(sys.executable, [sys.executable, "-c", IN_TERMINAL.format(work=work), ENGINE])
        said = b""
        typed = False
        with os.fdopen(terminal, "r+b", buffering=0) as file:
            while True:
                try:
                    more = file.read(4096)
                except OSError:
                    break  # The end of a terminal.
                if not more:
                    break
                said += more
                if b"ready" in said and not typed:
                    typed = True
                    time.sleep(0.3)
                    file.write(b"\x03")
        _, status = os.waitpid(pid, 0)
        return said.decode(), status

    def test_the_engine_survives(self):
        for name, work in WORK.items():
            with self.subTest(name):
                said, status = self.type_ctrl_c(work)
                self.assertIn("interrupted None", said, said)
                self.assertIn("count 190 True", said, said)
                self.assertIn("status 0", said, said)
                self.assertEqual(status, 0)

    @with_rules
    def test_the_compiled_count_is_interrupted(self):
        said, status = self.type_ctrl_c(NATIVE)
        self.assertIn("interrupted None", said, said)
        self.assertEqual(status, 0)

    def test_a_killed_python_leaves_no_engine(self):
        code = (
            "import sys, kroo\nengine = kroo.Engine(sys.argv[1])\nprint(engine._driver.process.pid, flush=True)\n"
            "engine.play(kroo.Position(), kroo.Limit(time=600))"
        )
        child = subprocess.Popen([sys.executable, "-c", code, ENGINE], stdout=subprocess.PIPE, text=True)
        with child, child.stdout:
            engine = int(child.stdout.readline())
            time.sleep(0.3)
            os.kill(engine, 0)
            child.kill()
        until = time.monotonic() + 20
        while is_running(engine):
            self.assertLess(time.monotonic(), until, "the engine runs on")
            time.sleep(0.05)


def is_running(pid):
    """Whether a process runs; one that waits to be collected by init does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return True


@unittest.skipIf(sys.platform == "win32", "there is no such signal")
class Interrupts(unittest.TestCase):
    def setUp(self):
        # A shell starts what runs in the background with the signal ignored.
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))

    def test_the_engine_stays_in_step(self):
        draw = random.Random(65)
        start = Position()
        calls = (
            lambda engine: engine.play(start, Limit(depth=40)),
            lambda engine: engine.analyse(start, Limit(depth=40), multipv=3),
            lambda engine: engine.perft(start, 12, timeout=600),
            lambda engine: [engine.ping() for _ in range(10_000)],
            lambda engine: [engine.configure({"Hash": 1 + turn % 4}) for turn in range(10_000)],
            lambda engine: [engine.perft(start, 2) for _ in range(10_000)],
            lambda engine: [engine.play(start, Limit(depth=1)) for _ in range(10_000)],
            analyse_for_ever,
        )
        wanted = {1: 6, 2: 36, 3: 190, 4: 1014}
        wrong = []
        interrupted = 0
        with kroo.Engine(ENGINE) as engine:
            for number in range(INTERRUPTS):
                timer = threading.Timer(draw.uniform(0, 0.03), os.kill, [os.getpid(), signal.SIGINT])
                call = draw.choice(calls)
                try:
                    timer.start()
                    call(engine)
                    timer.join()
                    time.sleep(0.01)
                except KeyboardInterrupt:
                    interrupted += 1
                if draw.random() < 0.5:
                    engine.stop()
                depth = draw.randint(1, 4)
                counted = engine.perft(start, depth)
                if counted != wanted[depth]:
                    wrong.append((number, depth, counted))
                move = engine.play(start, Limit(depth=2)).move
                if move not in "ABCDEF":
                    wrong.append((number, move))
        self.assertEqual(wrong, [])
        self.assertGreater(interrupted, INTERRUPTS // 2)


def analyse_for_ever(engine):
    with engine.analysis(Position()) as analysis:
        for _ in analysis:
            pass


class Strangers(unittest.TestCase):
    """Engines that are not Kroo."""

    def open(self, answers, timeout=20.0):
        # A busy machine takes long to start a program.
        engine = kroo.Engine(scripted(answers), timeout=20)
        self.addCleanup(engine.kill)
        engine.timeout = timeout
        return engine

    def test_a_greeting_of_any_kind(self):
        engine = self.open({
            "uci": "\n\nHello!\n\xff\nid\nid name  A  B \noption\noption name X\noption name Hash type spin default 1 min 0.5 max x\n"
            "option type spin\noption name Odd type \nuciok",
        })
        self.assertEqual(engine.id, {"name": "A B"})
        self.assertEqual([*engine.options], ["Hash"])
        self.assertEqual((engine.options["Hash"].min, engine.options["Hash"].max), (None, None))

    def test_a_greeting_without_an_end(self):
        began = time.monotonic()
        for said in ("", "id name A", "x\n" * 1000):
            with self.assertRaisesRegex(kroo.EngineTimeout, "no `uciok` within 0.3 s of `uci`"):
                kroo.Engine(scripted({"uci": said}), timeout=0.3)
        flood = [sys.executable, "-c", "while True: print('x', flush=True)"]
        with self.assertRaises(kroo.EngineTimeout):
            kroo.Engine(flood, timeout=0.3)
        endless = [sys.executable, "-c", "import sys\nwhile True: sys.stdout.write('x' * 65536)"]
        with self.assertRaises(kroo.EngineTimeout):
            kroo.Engine(endless, timeout=0.3)
        self.assertLess(time.monotonic() - began, 30)

    def test_scores_of_any_kind(self):
        engine = self.open({
            "go": "info\ninfo score cp x depth\ninfo depth 1 score cp 5 wdl a b c proven maybe found x\ninfo score mate\n"
            "info depth 99999999999999999999999 score cp 7 wdl 1 2\nbestmove A ponder",
        })
        result = engine.play(Position(), Limit(depth=1))
        self.assertEqual((result.move, result.ponder, result.info.score.centiseeds), ("A", None, 7))
        self.assertEqual((result.info.depth, result.info.score.wdl, result.info.score.proven), (None, None, None))

    def test_answers_that_are_no_moves(self):
        for answer in ("bestmove", "bestmove Z", "bestmove e2e4", "bestmove A1 ponder b", "bestmove Ff"):
            engine = self.open({"go": answer})
            with self.assertRaisesRegex(kroo.EngineError, "no move of this game"):
                engine.play(Position(), Limit(depth=1))
            engine.ping()

    @with_rules
    def test_an_illegal_move_is_an_error(self):
        engine = self.open({"go": "bestmove a"})
        with self.assertRaisesRegex(kroo.EngineError, "an illegal move: `a`"):
            engine.play(kroo.Board("oware"), Limit(depth=1))

    @with_rules
    def test_the_rules_are_those_of_the_board(self):
        engine = self.open({})
        board = kroo.Board("oware", moves="Ff")
        self.assertEqual(engine.legal_moves(board), board.legal_moves)
        self.assertEqual(engine.fen(board), board.fen())
        self.assertIsNone(engine.result(board))
        with self.assertRaisesRegex(kroo.EngineError, "use a Board"):
            engine.legal_moves(Position())

    def test_no_go_perft(self):
        for answer in ({}, {"go": "Unknown command: go perft 3"}):
            engine = self.open(answer)
            with self.assertRaises(kroo.EngineTimeout):
                engine.perft(Position(), 3, timeout=0.3)
            engine.ping()
        engine = self.open({"go perft": "info depth 3 score cp 1\nbestmove A"})
        with self.assertRaisesRegex(kroo.EngineError, "searched instead of counting"):
            engine.perft(Position(), 3)
        engine.ping()
        engine = self.open({"go perft": "info string error no such command"})
        with self.assertRaisesRegex(kroo.EngineError, "no such command"):
            engine.perft(Position(), 3)
        engine.ping()

    def test_isready_that_waits_for_the_search(self):
        # It answers everything in order, also `isready`.
        engine = self.open({"go": "info depth 1 score cp 3\nbestmove B"})
        with engine.analysis(Position(), Limit(depth=1)) as analysis:
            self.assertEqual(len(list(analysis)), 1)
        self.assertEqual(analysis.wait(1).move, "B")

    def test_an_engine_that_does_not_stop(self):
        engine = self.open({"go": "info depth 1 score cp 1"}, 0.3)
        with self.assertRaisesRegex(kroo.EngineTimeout, "no `bestmove` within 0.2 s"):
            engine.play(Position(), Limit(depth=1), timeout=0.2)
        with self.assertRaises(kroo.EngineTimeout):
            engine.ping()
        with self.assertRaises(kroo.EngineTimeout):
            engine.perft(Position(), 2)

    def test_an_engine_that_does_not_listen(self):
        code = "import time\nprint(input() and 'uciok', flush=True)\ntime.sleep(60)"
        engine = kroo.Engine([sys.executable, "-c", code], timeout=20)
        engine.timeout = 0.3
        for _ in range(3):
            with self.assertRaises(kroo.EngineTimeout):
                engine.configure({}) or engine.ping()
        self.assertNotEqual(engine.quit(), 0)

    def test_an_engine_that_ends_in_the_middle(self):
        for code in ("input(); print('uciok', flush=True); input()", "input(); print('uciok', flush=True); import os; os.close(1); input(); input()"):
            engine = kroo.Engine([sys.executable, "-c", code], timeout=5)
            with self.assertRaises(kroo.EngineTerminated):
                engine.play(Position(), Limit(depth=5))
            engine.quit()

    def test_waiting_for_ever_is_possible(self):
        with kroo.Engine(ENGINE, timeout=math.inf) as engine:
            self.assertEqual(engine.perft(Position(), 4, timeout=math.inf), 1014)


@with_rules
class Rules(unittest.TestCase):
    """The rules of a board, and those of a plain position."""

    def check(self, engine, place, wanted):
        self.assertEqual(engine.perft(place, 4), wanted.perft(4))
        self.assertEqual(engine.fen(place), wanted.fen())
        self.assertEqual(engine.legal_moves(place), wanted.legal_moves)
        self.assertIn(engine.play(place, Limit(depth=3)).move, wanted.legal_moves)

    def test_a_board_does_not_change_the_rules_of_positions(self):
        with kroo.Engine(ENGINE, variant="oware") as engine:
            for name in ("kalah", "kalah6", "kalah-emptycapture", "avalanche", "kalah3-opponent", "oware"):
                self.check(engine, kroo.Board(name), kroo.Board(name))
                self.check(engine, Position(), kroo.Board("oware"))

    def test_options_that_change_rules_do_not_change_boards(self):
        with kroo.Engine(ENGINE, variant="kalah") as engine:
            engine.configure({"Seeds": 6, "EmptyCapture": True, "RemainingSeeds": "opponent"})
            configured = kroo.Board("kalah6-emptycapture-opponent")
            for name in ("kalah", "kalah3", "oware", "ayoayo", "kalah6"):
                self.check(engine, kroo.Board(name), kroo.Board(name))
                self.check(engine, Position(), configured)
            engine.configure({"UCI_Variant": "ayoayo"})
            self.check(engine, Position(), kroo.Board("ayoayo"))
            self.check(engine, kroo.Board("kalah"), kroo.Board("kalah"))
            self.check(engine, Position(), kroo.Board("ayoayo"))

    def test_flags_count_as_configured(self):
        with kroo.Engine([ENGINE, "--variant", "kalah", "--seeds-a-pit", "5"]) as engine:
            self.check(engine, Position(), kroo.Board("kalah5"))
            self.check(engine, kroo.Board("oware"), kroo.Board("oware"))
            self.check(engine, Position(), kroo.Board("kalah5"))


if __name__ == "__main__":
    unittest.main()
