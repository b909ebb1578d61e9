"""OpenSpiel: actions, replays of Kaggle's Game Arena, and the bot, in games of OpenSpiel's own."""

import importlib.util
import json
import os
import random
import unittest

from engines import ENGINE, with_rules

import kroo

# With the variable, a missing OpenSpiel is a failure.
HAS_OPENSPIEL = "KROO_OPENSPIEL" in os.environ or importlib.util.find_spec("pyspiel") is not None
with_openspiel = unittest.skipUnless(HAS_OPENSPIEL, "OpenSpiel is not here")

PLAYED = [3, 6, 9, 12]


def replay(actions, **more):
    """A replay as Kaggle writes them, cut to what is read."""
    player = {"action": {"submission": -1}, "reward": None, "info": {}, "status": "INACTIVE"}
    steps = [[dict(player), dict(player)]]
    for action in actions:
        mover = {"action": {"submission": action}, "reward": None, "info": {"actionApplied": action}, "status": "INACTIVE"}
        pair = [mover, dict(player)]
        steps.append(pair if action < 7 else pair[::-1])
    found = {
        "name": "open_spiel_mancala",
        "configuration": {"openSpielGameString": "mancala_proxy()", "openSpielGameName": "mancala"},
        "steps": steps,
        "info": {"TeamNames": ["Ama", "Kofi"]},
    }
    found.update(more)
    return found


@with_rules
class Conversion(unittest.TestCase):
    def test_actions_are_moves(self):
        from kroo import spiel

        board = spiel.board(PLAYED)
        self.assertEqual((board.variant, board.move_stack), ("kalah", ("C", "F", "b", "e")))
        self.assertEqual(spiel.actions(board), PLAYED)
        self.assertEqual(spiel.board(map(str, PLAYED)), board)
        oware = spiel.board([5, 5, 4, 2], "oware")
        self.assertEqual((oware.move_stack, spiel.actions(oware)), (("F", "f", "E", "c"), [5, 5, 4, 2]))
        self.assertEqual([spiel.action(letter, "kalah") for letter in "AFaf"], [1, 6, 8, 13])
        self.assertEqual(spiel.move(13, spiel.board([1])), "f")

    def test_games_have_names_and_parameters(self):
        from kroo import spiel

        for game, wanted in (
            ("mancala", "kalah"), ("mancala()", "kalah"), ("mancala_proxy()", "kalah"), ("oware()", "oware"),
            ("oware(num_houses_per_player=6,num_seeds_per_house=4)", "oware"), ("oware(num_seeds_per_house=6)", "oware6"),
        ):
            self.assertEqual(spiel.variant(game), wanted, game)
        for wrong in ("chess()", "oware(num_houses_per_player=4)", "oware(num_seeds_per_house=9)", "mancala(x=1)", ""):
            with self.assertRaisesRegex(ValueError, "can be converted"):
                spiel.variant(wrong)

    def test_bad_actions_are_named(self):
        from kroo import spiel

        for actions, fault in (
            ([3, 3], "action number 2: action 3 is not legal in 4-4-0-5-5-5-4-4-4-4-4-4-1-0-S: the legal actions are 1, 2, 4, 5, 6"),
            ([7], "action number 1: action 7 is not legal"),
            (["x"], "action number 1: an action is a number, not 'x'"),
            ([None], "action number 1: "),
            ([1.5], "action number 1: "),
        ):
            with self.assertRaisesRegex(ValueError, fault):
                spiel.board(actions)
        with self.assertRaisesRegex(ValueError, "not of awari"):
            spiel.actions(kroo.Board("awari"))
        with self.assertRaisesRegex(ValueError, "begin at the start"):
            spiel.actions(kroo.Board("kalah", "1-0-0-0-0-0-1-0-0-0-0-0-20-26-S"))
        with self.assertRaisesRegex(ValueError, "a move is one of"):
            spiel.action("g", "kalah")
        with self.assertRaises(AttributeError):
            spiel.Robot

    def test_replays_are_read(self):
        from kroo import spiel

        board = spiel.board(PLAYED)
        file = replay(PLAYED)
        listed = {**file, "steps": [], "info": {"actionHistory": [str(action) for action in PLAYED]}}
        opened = replay(PLAYED[2:])
        opened["configuration"]["initialActions"] = PLAYED[:2]
        for source in (PLAYED, file, json.dumps(file), listed, opened):
            self.assertEqual(spiel.read_replay(source).board, board)
        game = spiel.read_replay(file)
        self.assertEqual(game.headers, {"South": "Ama", "North": "Kofi"})
        self.assertEqual([move.letter for move in game.moves], ["C", "F", "b", "e"])
        self.assertEqual(kroo.ogn.read_games(str(game))[0].board, board)

    def test_a_forfeit_has_its_result(self):
        from kroo import spiel

        file = replay(PLAYED)
        file["steps"].append([{"reward": -1, "info": {"actionApplied": None}}, {"reward": 1, "info": {}}])
        game = spiel.read_replay(file)
        self.assertEqual((game.headers["Result"], game.headers["Termination"]), ("0-1", "forfeit"))
        self.assertIn('[Result "0-1"]', str(game))

    def test_the_steps_decide_what_was_played(self):
        from kroo import spiel

        # Made in the forms of kaggle-environments: a list that goes on after a forfeit, and a strict match without a reward.
        for end in (
            [{"reward": -1, "status": "DONE", "info": {}}, {"reward": 1, "status": "DONE", "info": {}}],
            [{"reward": None, "status": "INVALID", "info": {}}, {"reward": 1, "status": "DONE", "info": {}}],
            [{"reward": None, "status": "TIMEOUT", "info": {}}, {"reward": 0, "status": "DONE", "info": {}}],
        ):
            file = replay(PLAYED)
            file["info"] = {**file["info"], "actionHistory": [*PLAYED, 1, 8, 2]}
            file["steps"].append(end)
            game = spiel.read_replay(json.dumps(file))
            self.assertEqual(game.board, spiel.board(PLAYED))
            self.assertEqual((game.headers["Result"], game.headers["Termination"]), ("0-1", "forfeit"))
        file["steps"][-1] = [{"reward": None, "status": "ACTIVE"}, {"reward": None, "status": "INACTIVE"}]
        self.assertNotIn("Result", spiel.read_replay(file).headers)

    def test_what_is_no_replay_is_refused(self):
        from kroo import spiel

        wrong = replay(PLAYED)
        wrong["configuration"]["openSpielGameString"] = "go()"
        for source, fault in (
            ("{", "Expecting"), ("{}", "no replay"), ({"steps": [1]}, "no replay"), ({"steps": 5}, "no replay"),
            (wrong, "can be converted"), (replay([7]), "action number 1"), ('{"steps": [], "info": 5}', None),
            ({"info": {"actionHistory": 5}}, "a list of actions"), ("5", "a list of actions"), ("null", "a list of actions"),
        ):
            if fault is None:
                self.assertEqual(spiel.read_replay(source).board.ply(), 0)
                continue
            with self.assertRaisesRegex(ValueError, fault):
                spiel.read_replay(source)


@with_rules
@with_openspiel
class WithOpenSpiel(unittest.TestCase):
    def test_random_games_are_the_same(self):
        import pyspiel

        from kroo import spiel

        for name in ("mancala", "oware", "oware(num_seeds_per_house=3)", "oware(num_seeds_per_house=6)"):
            game = pyspiel.load_game(name)
            for seed in range(50):
                draw = random.Random(seed)
                state = game.new_initial_state()
                while not state.is_terminal():
                    state.apply_action(draw.choice(state.legal_actions()))
                board = spiel.board(state.history(), str(state.get_game()))
                self.assertEqual(spiel.actions(board), state.history())
                self.assertTrue(board.is_game_over())
                south, north = spiel.stores(board)
                self.assertEqual(state.returns(), [(south > north) - (south < north), (north > south) - (north < south)])
                self.assertEqual(board.result(), {1: "1-0", -1: "0-1", 0: "1/2-1/2"}[state.returns()[0]])
                if name != "mancala":
                    told = f"Player 1 score = {north}", f"Player 0 score = {south}"
                    self.assertTrue(all(line in str(state) for line in told), f"{board.fen()}: {state}")

    def test_bots_play_games_of_openspiel(self):
        import numpy as np
        import pyspiel
        from open_spiel.python.algorithms import evaluate_bots, mcts
        from open_spiel.python.bots import uniform_random

        from kroo import spiel

        with self.assertNoLogs():
            for name in ("mancala", "oware"):
                game = pyspiel.load_game(name)
                rng = np.random.RandomState(7)
                for player in (0, 1):
                    kroos = [
                        spiel.Bot(player, kroo.Limit(nodes=2000), engine=ENGINE),
                        spiel.Bot(player, kroo.Limit(depth=6), engine=ENGINE, elo=1000),
                    ]
                    others = [
                        mcts.MCTSBot(game, 1.4, 10, mcts.RandomRolloutEvaluator(1, rng), random_state=rng),
                        uniform_random.UniformRandomBot(1 - player, rng),
                    ]
                    for ours, other in zip(kroos, others):
                        bots = [ours, other] if player == 0 else [other, ours]
                        returns = evaluate_bots.evaluate_bots(game.new_initial_state(), bots, rng)
                        self.assertEqual(returns[player], 1, f"{name}: {ours.player_id()}")
                        ours.close()

    def test_a_bot_changes_its_game(self):
        import pyspiel

        from kroo import spiel

        bot = spiel.Bot(0, kroo.Limit(depth=2), engine=ENGINE, elo=300)
        for name in ("oware", "mancala", "oware(num_seeds_per_house=6)"):
            state = pyspiel.load_game(name).new_initial_state()
            bot.restart_at(state)
            policy, chosen = bot.step_with_policy(state)
            self.assertEqual(sum(share for _, share in policy), 1)
            self.assertIn((chosen, 1.0), policy)
        state = pyspiel.load_game("tic_tac_toe").new_initial_state()
        with self.assertRaisesRegex(ValueError, "can be converted"):
            bot.step(state)
        bot.close()
        with self.assertRaisesRegex(ValueError, "a player is 0 or 1"):
            spiel.Bot(2, engine=ENGINE)


if __name__ == "__main__":
    unittest.main()
