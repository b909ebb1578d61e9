"""The package against the real engine: KROO=path python3 -m unittest discover -s tests"""

import gc
import sys
import tempfile
import time
import unittest
from pathlib import Path

from engines import ENGINE, _rules, with_rules

import kroo
from kroo import Info, Limit, Option, Position, Score


def script(lines):
    """An engine that says these lines after `uci`, and nothing more."""
    said = "".join(line + "\n" for line in lines)
    code = f"import sys\nfor line in sys.stdin:\n if line == 'uci\\n': print({said!r}, end='', flush=True)\n"
    return [sys.executable, "-c", code]


class Texts(unittest.TestCase):
    def test_positions(self):
        self.assertEqual(Position().words(), "startpos")
        self.assertEqual(Position(moves="F f Ec").words(), "startpos moves FfEc")
        self.assertEqual(Position(moves=["F", "f"]).push("E").moves, ("F", "f", "E"))
        self.assertEqual(Position(moves="Ff").pop(), Position(moves="F"))
        fen = "6-6-6-5-0-1-6-6-0-6-5-1-2-3-N"
        position = Position(fen)
        self.assertEqual(position.words(), f"fen {fen}")
        self.assertEqual((position.pits["A"], position.pits["f"], position.stores, position.turn), (6, 1, (2, 3), "N"))
        self.assertEqual(Position("0-" * 12 + "18-18-S2").turn, "S")
        for wrong in ("", "4-4-S", fen + "-N", fen.replace("N", "X"), fen + "\nquit"):
            with self.assertRaises(ValueError):
                Position(wrong)
        for wrong in ("G", "Ff1", "0000"):
            with self.assertRaises(ValueError):
                Position(moves=wrong)
        with self.assertRaises(ValueError):
            Position(fen, "f").pits
        with self.assertRaises(IndexError):
            Position().pop()

    def test_limits(self):
        self.assertEqual(Limit(time=0.25, depth=3).words(), "movetime 250 depth 3")
        self.assertEqual(Limit(time=0.0001).words(), "movetime 1")
        clocks = Limit(south_clock=1.5, north_clock=-0.1, south_inc=0, moves_to_go=4)
        self.assertEqual(clocks.words(), "wtime 1500 btime -100 winc 0 movestogo 4")

    def test_infos(self):
        line = "info depth 4 seldepth 7 multipv 2 score cp -12 upperbound proven loss wdl 0 0 1000 nodes 5 time 40 pv FfE"
        self.assertEqual(
            Info.parse(line),
            Info(4, 7, 2, Score(-12, "loss", "upper", (0, 0, 1000)), 5, time=0.04, pv=("F", "f", "E")),
        )
        self.assertEqual(Info.parse("info string error no  such").string, "error no  such")
        self.assertEqual(Info.parse("info score mate -3 pv F f").score, Score(0, mate=-3))
        found = Info.parse("info score cp 700 found win wdl 998 1 1").score
        self.assertEqual(found, Score(700, found="win", wdl=(998, 1, 1)))
        for odd in ("info", "info depth", "info depth x nodes 3", "info score", "info score cp", "info new word 3", "info pv"):
            self.assertIsInstance(Info.parse(odd), Info)
        self.assertEqual(Info.parse("info depth x nodes 3").nodes, 3)

    def test_options(self):
        option = Option.parse("option name Move Overhead type spin default 10 min 0 max 5000")
        self.assertEqual(option, Option("Move Overhead", "spin", "10", 0, 5000))
        combo = Option.parse("option name UCI_Variant type combo default awari var awari var kalah")
        self.assertEqual(combo.var, ("awari", "kalah"))


    def test_limits_of_numpy(self):
        try:
            import numpy as np
        except ImportError:
            self.skipTest("NumPy is not here")
        limit = Limit(time=np.float32(0.5), depth=np.int64(3), nodes=np.uint8(7))
        self.assertEqual(limit.words(), "movetime 500 depth 3 nodes 7")
        self.assertEqual([type(limit.time), type(limit.depth)], [float, int])
        for wrong in (np.bool_(True), np.float64(3)):
            with self.assertRaises(TypeError):
                Limit(depth=wrong)

    def test_scores_are_ordered_as_in_multipv(self):
        ordered = [
            Score(-400, proven="loss"), Score(-100, proven="loss"), Score(-900, found="loss"), Score(-800), Score(0, proven="draw"), Score(3),
            Score(200, bound="lower"), Score(700), Score(100, found="win"), Score(100, proven="win"), Score(500, proven="win"),
        ]
        shuffled = ordered[::2] + ordered[1::2]
        self.assertEqual(sorted(shuffled), ordered)
        self.assertEqual(max(shuffled), ordered[-1])
        self.assertTrue(Score(5) >= Score(5) and Score(5) <= Score(5) and not Score(5) < Score(5))
        mates = [Score(0, mate=-1), Score(0, mate=-5), Score(300), Score(0, mate=5), Score(0, mate=1)]
        self.assertEqual(sorted(reversed(mates)), mates)
        self.assertLess(Score(5, turn="S"), Score(6))
        with self.assertRaisesRegex(ValueError, "different sides"):
            sorted([Score(5, turn="S"), Score(6, turn="N")])
        with self.assertRaises(TypeError):
            sorted([Score(5), 6])

    def test_a_line_without_a_score(self):
        info = Info.parse("info depth 3 currmove F")
        self.assertIsNone(info.any_score)
        with self.assertRaisesRegex(kroo.EngineError, "no score"):
            info.score


class Engines(unittest.TestCase):
    def setUp(self):
        self.engine = kroo.Engine(ENGINE)
        self.addCleanup(self.engine.quit)

    @with_rules
    def test_it_plays_a_game_in_every_rule_set(self):
        for variant in kroo.VARIANTS:
            self.engine.configure({"UCI_Variant": variant})
            position = Position()
            while len(position.moves) < 250 and self.engine.result(position) is None:
                position = position.push(self.engine.play(position, Limit(depth=2)).move)
            self.assertTrue(Position(self.engine.fen(position)).stores)

    def test_analyse(self):
        info = self.engine.analyse(Position(moves="FfEc"), Limit(depth=8))
        self.assertEqual(info.depth, 8)
        self.assertGreaterEqual(len(info.pv), 1)
        self.assertIsInstance(info.score.centiseeds, int)
        self.assertEqual(info.score.seeds, info.score.centiseeds / 100)
        best = self.engine.analyse(Position(), Limit(depth=6), multipv=3)
        self.assertEqual([info.multipv for info in best], [1, 2, 3])
        only = self.engine.analyse(Position(), Limit(nodes=500), multipv=1, root_moves="AC")
        self.assertIn(only[0].pv[0], "AC")

    def test_proven(self):
        with kroo.Engine(ENGINE, variant="kalah", UCI_ShowWDL=True) as engine:
            info = engine.analyse(Position("0-0-0-0-2-1-0-0-0-0-1-1-22-21-S"), Limit(nodes=100_000))
            self.assertEqual(info.score, Score(200, "win", None, (1000, 0, 0), turn="S"))

    def test_an_analysis_is_read_and_stopped(self):
        with self.engine.analysis(Position()) as analysis:
            depths = []
            for info in analysis:
                if info.depth:
                    depths.append(info.depth)
                if depths and depths[-1] >= 6:
                    break
        self.assertEqual(depths, sorted(depths))
        self.assertIn(analysis.wait().move, "ABCDEF")
        self.engine.ping()
        analysis = self.engine.analysis(Position())
        with self.assertRaisesRegex(kroo.EngineError, "a search is running"):
            self.engine.ping()
        time.sleep(0.05)
        analysis.stop()
        self.assertIsNotNone(analysis.wait().move)

    def test_refusals_are_errors_and_change_nothing(self):
        engine = self.engine
        count = engine.perft(Position(moves="F"), 3)
        for wrong in (
            lambda: engine.perft(Position(moves="FF"), 3),
            lambda: engine.perft(Position("0-" * 12 + "99-99-S"), 3),
            lambda: engine.analysis(Position(), root_moves="a"),
            lambda: engine.configure({"Hash": 0}),
            lambda: engine.configure({"Hush": 16}),
            lambda: engine.configure({"UCI_Variant": "bao"}),
            lambda: engine.perft(Position(), 0),
        ):
            with self.assertRaises(kroo.EngineError):
                wrong()
        self.assertEqual(engine.perft(Position(moves="F"), 3), count)
        self.assertIsNotNone(engine.play(Position(), Limit(depth=1)).move)

    def test_what_it_says_of_itself(self):
        self.assertTrue(self.engine.id["name"].startswith("Kroo"))
        self.assertEqual(self.engine.options["Hash"].type, "spin")
        self.assertIn("kalah", self.engine.options["UCI_Variant"].var)
        self.engine.configure({"clear_hash": None, "move_overhead": 20, "solution": False})
        self.engine.new_game()
        self.assertEqual(self.engine.perft(Position(), 4), 1014)

    @with_rules
    def test_a_finished_game(self):
        over = Position("0-0-0-0-0-0-0-0-0-0-0-0-30-18-N")
        self.assertEqual(self.engine.result(over), "1-0")
        self.assertEqual(self.engine.legal_moves(over), ())
        self.assertIsNone(self.engine.result(Position()))

    def test_a_finished_game_has_no_move(self):
        over = Position("0-0-0-0-0-0-0-0-0-0-0-0-30-18-N")
        with self.assertRaisesRegex(kroo.EngineError, "the game is over"):
            self.engine.play(over, Limit(depth=3))
        self.assertEqual(self.engine.analyse(over, Limit(depth=3)).score.proven, "loss")

    def test_an_engine_that_dies(self):
        analysis = self.engine.analysis(Position())
        self.engine.kill()
        with self.assertRaises(kroo.EngineTerminated):
            analysis.wait()
        with self.assertRaises(kroo.EngineTerminated):
            self.engine.ping()

    def test_other_programs(self):
        with self.assertRaises(OSError):
            kroo.Engine("/no/such/engine")
        with self.assertRaises(kroo.EngineTerminated):
            kroo.Engine("true")
        with self.assertRaises(kroo.EngineTimeout):
            kroo.Engine("sleep 30", timeout=0.2)
        with self.assertRaises(kroo.EngineError):
            kroo.Engine(ENGINE, variant="chess")
        plain = kroo.Engine(script(["id name Other One", "uciok"]), timeout=5)
        self.assertEqual(plain.id, {"name": "Other One"})
        self.assertEqual(plain.kill(), -9)

    def test_flags_and_paths_with_blanks(self):
        with kroo.Engine([ENGINE, "--variant", "kalah"]) as engine:
            self.assertEqual(engine.perft(Position(), 1), 6)
        with kroo.Engine(f"{ENGINE} --variant awari1978") as engine:
            self.assertTrue(_rules is None or engine.fen(Position()).startswith("3-"))
            self.assertEqual(engine.perft(Position(), 2), 35)
        with tempfile.TemporaryDirectory(prefix="a b") as folder:
            link = Path(folder) / "the engine"
            link.symlink_to(Path(ENGINE).resolve())
            for command in (link, str(link), [str(link)]):
                with kroo.Engine(command) as engine:
                    self.assertTrue(engine.id)

    def test_a_search_without_a_limit_is_not_waited_for(self):
        with self.assertRaises(ValueError):
            self.engine.play(Position(), Limit())

    def test_a_limit_that_is_none_is_refused_with_what_is_allowed(self):
        with self.assertRaisesRegex(TypeError, "Limit\\(time=0.5\\)"):
            self.engine.play(Position(), 0.5)
        for wrong in ({"time": -1}, {"time": float("nan")}, {"nodes": -1}, {"north_inc": -1}):
            with self.assertRaisesRegex(ValueError, "not negative"):
                Limit(**wrong)
        with self.assertRaisesRegex(TypeError, "`depth` is a whole number"):
            Limit(depth="3")

    def test_a_search_has_a_deadline(self):
        began = time.monotonic()
        with self.assertRaisesRegex(kroo.EngineTimeout, "no `bestmove` within 0.2 s of `go depth 200`"):
            self.engine.play(Position(), Limit(depth=200), timeout=0.2)
        self.assertLess(time.monotonic() - began, 5)
        self.assertEqual(self.engine.perft(Position(), 1), 6)

    def test_multipv_of_one_search_is_not_that_of_the_next(self):
        def nodes():
            self.engine.new_game()
            return self.engine.analyse(Position(), Limit(depth=8)).nodes

        before = nodes()
        self.assertEqual(len(self.engine.analyse(Position(), Limit(depth=4), multipv=3)), 3)
        self.assertEqual(nodes(), before)
        self.engine.configure({"MultiPV": 2})
        with self.engine.analysis(Position(), Limit(depth=4)) as analysis:
            analysis.wait()
        self.assertEqual(len(analysis.infos), 2, "what was configured stays")

    def test_control_characters_are_refused(self):
        for sign in "\n\r\0\x1b\x85":
            with self.assertRaises(ValueError):
                self.engine.configure({"LearnFile": f"a{sign}b"})

    def test_an_engine_that_is_dropped_ends_its_process(self):
        engine = kroo.Engine(ENGINE)
        process = engine._driver.process.process
        del engine
        gc.collect()
        self.assertIsNotNone(process.poll())

    def lines(self, work):
        """The lines that are sent during some work."""
        with self.assertLogs("kroo.engine", "DEBUG") as logs:
            work()
        return [line.split(" < ", 1)[1] for line in logs.output if " < " in line]

    def pondering(self, board, limit):
        """Plays, and returns the result and the lines that were sent, when the engine thinks on the opponent's time."""
        with self.assertLogs("kroo.engine", "DEBUG") as logs:
            result = self.engine.play(board, limit, ponder=True)
            end = time.monotonic() + 60
            while True:
                sent = [line.split(" < ", 1)[1] for line in logs.output if " < " in line]
                # The command and the question after it are sent together.
                if any(one.startswith("go ponder") and two == "isready" for one, two in zip(sent, sent[1:])):
                    return result, sent
                self.assertLess(time.monotonic(), end, sent)
                time.sleep(0.01)

    @with_rules
    def test_an_engine_ponders(self):
        engine, limit = self.engine, Limit(south_clock=5, north_clock=5)
        first, lines = self.pondering(kroo.Board("oware"), limit)
        self.assertTrue(any(line.startswith("go ponder wtime") for line in lines), lines)
        board = kroo.Board("oware", moves=first.move + first.ponder)
        second, lines = self.pondering(board, Limit(south_clock=4.9, north_clock=4.9))
        self.assertEqual(lines[0], "ponderhit")
        self.assertIn(second.move, board.legal_moves)
        # Another reply, another limit and another command end it.
        for work in (
            lambda: engine.play(kroo.Board("oware", moves="FfEc"), limit, ponder=True),
            lambda: engine.play(board, Limit(depth=3)),
            lambda: engine.ping(),
            lambda: engine.configure({"Hash": 8}),
        ):
            self.pondering(kroo.Board("oware"), limit)
            lines = self.lines(work)
            self.assertNotIn("ponderhit", lines)
            self.assertEqual(lines[0], "stop")
        self.assertEqual(engine.perft(kroo.Board("oware"), 3), kroo.Board("oware").perft(3))

    @with_rules
    def test_nothing_is_pondered_on_the_own_turn(self):
        engine = self.engine
        board = kroo.Board("kalah")
        for _ in range(6):
            result = engine.play(board, Limit(depth=6), ponder=True)
            board.push(result.move)
        self.assertEqual(engine.perft(board, 2), board.perft(2))

    def test_a_new_game_is_announced(self):
        def games(*names):
            lines = self.lines(lambda: [self.engine.play(Position(), Limit(depth=1), game=name) for name in names])
            return lines.count("ucinewgame")

        self.assertEqual(games(None, None), 0)
        self.assertEqual(games("a", "a", None, "a"), 1)
        self.assertEqual(games("b", "a", "a"), 2)

    def test_quit_is_in_order(self):
        with kroo.Engine(ENGINE) as engine:
            engine.analysis(Position())
            self.assertEqual(engine.quit(), 0)


if __name__ == "__main__":
    unittest.main()
