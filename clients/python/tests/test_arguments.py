"""Arguments of a wrong kind: the error says which argument, what it got, and what is allowed."""

import pydoc
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from engines import ENGINE, _rules, scripted, with_rules

import kroo
from kroo import Limit, Position
from kroo.work import Search


def _has(name):
    import importlib.util

    return importlib.util.find_spec(name) is not None


class Refusals(unittest.TestCase):
    def refuse(self, kind, *words):
        """Expects an error with all words, and nothing of the inside."""
        class Expected:
            def __enter__(inner):
                return inner

            def __exit__(inner, found, error, trace):
                self.assertIsInstance(error, kind)
                for word in words:
                    self.assertIn(word, str(error))
                for inside in ("variant Text", "MoveList", "list index", "extract", "argument '"):
                    self.assertNotIn(inside, str(error))
                return True

        return Expected()

    @with_rules
    def test_moves_of_a_board(self):
        for wrong in ([1], 5, [["F"]], {"F": 1}.values()):
            with self.refuse(TypeError, "`moves`", "'FfEc'", repr(wrong)):
                kroo.Board(moves=wrong)

    @with_rules
    def test_headers_of_a_game(self):
        for wrong in ({"Round": 1}, {1: "Round"}):
            with self.refuse(TypeError, "`headers`", "{'Round': '1'}", repr(wrong)):
                kroo.ogn.Game(kroo.Board(), headers=wrong)
        game = kroo.ogn.Game(kroo.Board())
        game.headers["Round"] = 1
        with self.refuse(TypeError, "`headers`"):
            str(game)

    @with_rules
    def test_variations_within_each_other(self):
        def nested(depth):
            game = kroo.ogn.Game(kroo.Board("oware", moves="F"))
            move = game.moves[0]
            for _ in range(depth):
                move.variations.append([kroo.ogn.Move("E")])
                move = move.variations[0][0]
            return game

        self.assertEqual(str(kroo.ogn.read_games(str(nested(32)))[0]), str(nested(32)))
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(20_000)
        try:
            for depth in (33, 5_000):
                with self.refuse(ValueError, "32 within each other"):
                    str(nested(depth))
        finally:
            sys.setrecursionlimit(limit)

    def test_moves_of_a_position(self):
        for wrong in ([1], 5, None):
            with self.refuse(TypeError, "'FfEc'", repr(wrong)):
                Position(moves=wrong)
        self.assertEqual(Position().push(["F", "f"]).moves, ("F", "f"))

    def test_commands(self):
        for wrong in ("", [], "  ", [""]):
            with self.refuse(ValueError, "`command`", "a path", repr(wrong)):
                kroo.Engine(wrong)
        for wrong in (5, ["a", 1], b"kroo"):
            with self.refuse(TypeError, "`command`", "a path", repr(wrong)):
                kroo.Engine(wrong)
        with kroo.Engine([Path(ENGINE), "--hash", "1"]) as engine:
            self.assertTrue(engine.id)

    def test_digits_of_other_scripts(self):
        for wrong in ("٤-4-4-4-4-4-4-4-4-4-4-4-0-0-S", 5):
            with self.refuse(ValueError, "a position", repr(wrong)):
                Position(wrong)

    @with_rules
    def test_sizes_of_pictures(self):
        for wrong in (-3, 0):
            with self.refuse(ValueError, "`size`", "pixels", str(wrong)):
                kroo.svg.board(kroo.Board(), size=wrong)

    def test_timeouts(self):
        with kroo.Engine(ENGINE, timeout=None) as engine:
            self.assertIsNone(engine.timeout)
            self.assertEqual(engine.perft(Position(), 2), 36)
            self.assertIn(engine.play(Position(), Limit(time=0.01)).move, "ABCDEF")
            for kind, wrong in ((TypeError, "5"), (TypeError, True), (ValueError, -1), (ValueError, float("nan"))):
                with self.refuse(kind, "`timeout`", "None", repr(wrong)):
                    engine.timeout = wrong
                with self.refuse(kind, "`timeout`", "None", repr(wrong)):
                    kroo.Engine(ENGINE, timeout=wrong)

    @unittest.skipIf(_rules is None or not _has("pettingzoo"), "kroo._rules or PettingZoo is not here")
    def test_environments(self):
        env = kroo.env
        with self.refuse(ValueError, "`render_mode`", "'ansi', 'human' or None", "'rgb_array'"):
            env.Mancala(render_mode="rgb_array")
        for wrong in (None, 0, 2.5, True):
            with self.refuse(ValueError, "`max_moves`", "from 1", repr(wrong)):
                env.Mancala(max_moves=wrong)
        game = env.Mancala("kalah")
        game.reset()
        game.step(2)
        fen = game.board.fen()
        with self.refuse(ValueError, "`fen`", "'fne'"):
            game.reset(options={"fne": fen})
        with self.refuse(ValueError, "48 seeds", "72"):
            game.reset(options={"fen": "6-6-6-6-6-6-6-6-6-6-6-6-0-0-S"})
        for wrong in ("A", 2.0, True, 6):
            with self.refuse(ValueError, "0 to 5", repr(wrong)):
                game.step(wrong)
        self.assertEqual(game.board.fen(), fen, "nothing has changed")


class Names(unittest.TestCase):
    @with_rules
    def test_modules_load_on_first_use(self):
        code = "import kroo; print(kroo.spiel.variant('mancala'), 'spiel' in dir(kroo), 'Board' in dir(kroo), len(dir(kroo)))"
        said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
        self.assertEqual(said[:3], ["kalah", "True", "True"])
        self.assertEqual("env" in dir(kroo), _has("pettingzoo"))
        for name in dir(kroo):
            getattr(kroo, name)

    @with_rules
    def test_help_shows_defaults(self):
        text = pydoc.plain(pydoc.render_doc(kroo.Board))
        self.assertIn("variant='awari', fen=None, moves=''", text)
        self.assertNotIn("Ellipsis", text)
        self.assertNotIn("moves=...", text)


class Lines(unittest.TestCase):
    """An engine that knows moves from before prints fewer lines than there are moves."""

    def search(self, *lines):
        search = Search("go nodes 5", "startpos", {}, "S")
        search.begin({})
        for line in ("readyok", "readyok", *lines):
            search.take(line)
        return [(info.multipv, info.depth, "".join(info.pv)) for info in search.infos]

    def test_the_last_line_of_a_move_stays(self):
        first = [f"info depth 1 multipv {place} score cp {-place} pv {move}" for place, move in enumerate("ABC", 1)]
        self.assertEqual(self.search(*first), [(1, 1, "A"), (2, 1, "B"), (3, 1, "C")])
        self.assertEqual(
            self.search(*first, "info depth 2 multipv 1 score cp 5 pv Cf"), [(1, 2, "Cf"), (2, 1, "A"), (3, 1, "B")],
        )
        self.assertEqual(
            self.search(*first, "info depth 2 multipv 1 score cp 5 pv Cf", "info depth 2 multipv 2 score cp 1 pv Be"),
            [(1, 2, "Cf"), (2, 2, "Be"), (3, 1, "A")],
        )

    def test_a_search_of_one_line_has_one(self):
        self.assertEqual(self.search("info depth 1 score cp 1 pv A", "info depth 2 score cp 2 pv B"), [(None, 2, "B")])

    def test_an_engine_that_prints_fewer_lines(self):
        said = "\n".join(
            ["info depth 1 multipv 1 score cp 3 pv A", "info depth 1 multipv 2 score cp 2 pv B", "info depth 2 multipv 1 score cp 9 pv B", "bestmove B"],
        )
        with kroo.Engine(scripted({"go": said})) as engine:
            found = engine.analyse(Position(), Limit(depth=2), multipv=2)
        self.assertEqual([info.pv for info in found], [("B",), ("A",)])


@with_rules
class Damage(unittest.TestCase):
    def test_a_damaged_file_is_an_error_each_time(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(
                [ENGINE, "endgame", "build", "--variant", "kalah", "--seeds", "4", "--out", folder], check=True, capture_output=True,
            )
            board = kroo.Board("kalah", "0-0-0-0-1-1-0-0-0-0-1-1-22-22-S")
            small = kroo.Board("kalah", "0-0-0-0-1-1-0-0-0-0-0-1-22-23-S")
            self.assertIsNotNone(kroo.EndgameDatabase(folder, "kalah").get(board))
            largest = max(Path(folder).rglob("*kalah*4*"), key=lambda path: path.stat().st_size)
            damaged = bytearray(largest.read_bytes())
            damaged[-20] ^= 0xFF
            largest.write_bytes(damaged)
            database = kroo.EndgameDatabase(folder, "kalah")
            for _ in range(3):
                with self.assertRaises(OSError):
                    database.get(board)
                with self.assertRaises(OSError):
                    database.probe(board)
            self.assertIsNotNone(database.get(small), "the other files are whole")
            self.assertIsNone(database.get(kroo.Board("kalah")), "no file has it")


if __name__ == "__main__":
    unittest.main()
