"""Exact labels: `solve` of the real engine."""

import unittest

from engines import ENGINE, scripted, with_rules

import kroo
from kroo import Limit, Position
from kroo.solution import bounds_of, solution_of

LATE = "0-1-2-0-1-1-0-2-0-3-1-1-18-18-S"


class Answers(unittest.TestCase):
    def test_bounds(self):
        for line, value, result in (
            ("proven atleast 4 atmost 4", 4, "win"), ("proven atleast 1 atmost 48", None, "win"), ("proven atleast 0 atmost 0", 0, "draw"),
            ("unproven atleast -3 atmost 3", None, None), ("proven atleast -48 atmost -2", None, "loss"),
            ("proven atleast -48 atmost 0", None, None),
        ):
            bounds = bounds_of(f"solve move A {line}")
            self.assertEqual((bounds.value, bounds.result, bounds.proven), (value, result, line.startswith("proven")), line)

    def test_what_is_not_proven_says_so(self):
        moves = {"A": kroo.Bounds(1, 1, True), "B": kroo.Bounds(-1, 1, False)}
        self.assertFalse(solution_of("solve position proven atleast 1 atmost 1 nodes 3 time 20 pv AbC", moves).proven)
        found = solution_of("solve position proven atleast 1 atmost 1 nodes 3 time 20 pv AbC", {})
        self.assertEqual((found.proven, found.best, found.pv, found.nodes, found.time), (True, "A", ("A", "b", "C"), 3, 0.02))

    def test_engines_that_do_not_solve(self):
        for answer in ({"solve": "info string error no such command"}, {"solve": "bestmove A"}, {"solve": "solveok"}, {"solve": "solve move x"}):
            with kroo.Engine(scripted(answer)) as engine:
                with self.assertRaises(kroo.EngineError):
                    engine.solve(Position(), timeout=5)
                engine.ping()
        with kroo.Engine(scripted({})) as engine:
            with self.assertRaises(kroo.EngineTimeout):
                engine.solve(Position(), timeout=0.2)
            engine.ping()

    def test_arguments(self):
        with kroo.Engine(ENGINE, variant="kalah") as engine:
            with self.assertRaisesRegex(ValueError, "`time` and `nodes` only"):
                engine.solve(Position(), limit=Limit(depth=3))
            with self.assertRaisesRegex(ValueError, "'win', 'draw' or None"):
                engine.solve(Position(), bound="loss")
            with self.assertRaises(kroo.EngineError):
                engine.solve(Position(moves="FF"))
            self.assertEqual(engine.perft(Position(), 1), 6)


@with_rules
class Labels(unittest.TestCase):
    def test_values_best_play_and_moves(self):
        board = kroo.Board("kalah", LATE)
        with kroo.Engine(ENGINE) as engine:
            found = engine.solve(board, moves=True)
            self.assertEqual((found.value, found.result, found.proven), (0, "draw", True))
            self.assertEqual({move: bounds.value for move, bounds in found.moves.items()}, {"C": 0, "F": 0, "B": -8, "E": -10})
            played = kroo.Board("kalah", LATE, found.pv)
            self.assertEqual((played.is_game_over(), played.result()), (True, "1/2-1/2"))
            over = engine.solve(kroo.Board("kalah", "0-0-0-0-0-0-0-0-0-0-0-0-30-18-N"))
            self.assertEqual((over.value, over.best, over.moves), (-12, None, {}))
            less = engine.solve(board, bound="win")
            self.assertEqual((less.proven, less.at_most <= 0), (True, True))

    def test_many_positions_come_in_order(self):
        fens = [LATE, "0-0-0-0-0-0-0-0-0-0-0-0-30-18-N", LATE.replace("18-18-S", "20-16-S")]
        with kroo.Engine(ENGINE) as engine:
            boards = [kroo.Board("kalah", fen) for fen in fens]
            self.assertEqual([found.value for found in engine.solve_all(boards)], [0, -12, 4])

    def test_a_limit_is_kept(self):
        with kroo.Engine(ENGINE) as engine:
            for limit in (Limit(time=0.1), Limit(nodes=3000), Limit(time=60, nodes=3000)):
                found = engine.solve(kroo.Board("oware"), moves=True, limit=limit)
                self.assertEqual((found.proven, found.value, found.at_least), (False, None, -48))
                self.assertEqual(len(found.moves), 6)
            self.assertIn(engine.play(kroo.Board("oware"), Limit(depth=1)).move, "ABCDEF")


if __name__ == "__main__":
    unittest.main()
