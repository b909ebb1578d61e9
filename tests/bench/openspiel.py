#!/usr/bin/env python3
"""Moves a second of random games: `kroo.Board`, `kroo.env` and OpenSpiel's Python API, alternating in this process.

    pip install open_spiel clients/python[env] && tests/bench/openspiel.py [GAMES]

`kroo.env` is compared with OpenSpiel's environment for agents, `rl_environment`: both give observations and legal actions.
All play the same games, move for move, with the same results.
"""

import random
import sys
import time

import kroo
import kroo.env
import kroo.spiel
import pyspiel
from open_spiel.python import rl_environment

# The rule set, and OpenSpiel's name of the game.
GAMES = {"kalah": "mancala", "oware": "oware"}


def with_board(variant: str, seed: int) -> "tuple[list[str], str]":
    """A random game by `kroo.Board`: its moves and its result."""
    choose = random.Random(seed).choice
    board = kroo.Board(variant)
    while moves := board.legal_moves:
        board.push(choose(moves))
    return board.move_stack, board.result()


def with_openspiel(game: "pyspiel.Game", seed: int) -> "tuple[list[int], list[float]]":
    """The same by OpenSpiel."""
    choose = random.Random(seed).choice
    state = game.new_initial_state()
    while actions := state.legal_actions():
        state.apply_action(choose(actions))
    return state.history(), state.returns()


def with_env(variant: str, seed: int) -> "tuple[list[str], str]":
    """A random game by `kroo.env`, with the observation of each move."""
    choose = random.Random(seed).choice
    env = kroo.env.Mancala(variant, max_moves=10_000)
    env.reset()
    for _ in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            break
        env.step(choose(observation["action_mask"].nonzero()[0].tolist()))
    return env.board.move_stack, env.board.result()


def with_rl_environment(game: "pyspiel.Game", seed: int) -> "tuple[list[int], list[float]]":
    """The same by OpenSpiel."""
    choose = random.Random(seed).choice
    env = rl_environment.Environment(game)
    now = env.reset()
    while not now.last():
        actions = now.observations["legal_actions"][now.observations["current_player"]]
        now = env.step([choose(actions)])
    return env.get_state.history(), env.get_state.returns()


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for variant, name in GAMES.items():
        game = pyspiel.load_game(name)
        for ours_by, theirs_by in [(with_board, with_openspiel), (with_env, with_rl_environment)]:
            began = time.process_time()
            ours = [ours_by(variant, seed) for seed in range(count)]
            middle = time.process_time()
            theirs = [theirs_by(game, seed) for seed in range(count)]
            took = middle - began, time.process_time() - middle
            results = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}
            differ = [
                seed
                for seed, ((moves, result), (history, returns)) in enumerate(zip(ours, theirs))
                if [kroo.spiel.action(move, variant) for move in moves] != history or results.get(result) != returns[0]
            ]
            moves = sum(len(moves) for moves, _ in ours), sum(len(history) for history, _ in theirs)
            rates = [number / seconds for number, seconds in zip(moves, took)]
            print(f"{variant}, {ours_by.__name__}: {rates[0]:,.0f} moves/s, OpenSpiel {rates[1]:,.0f}: {rates[0] / rates[1]:.2f} times")
            print(f"  {count} games, {len(differ)} differ{f', the first with seed {differ[0]}' if differ else ''}")


if __name__ == "__main__":
    main()
