#!/usr/bin/env python3
"""Moves a second of random games: `kroo.Board` and OpenSpiel's Python API, alternating in this process.

    pip install open_spiel clients/python && tests/bench/openspiel.py [GAMES]

The games are the same in both, move for move, and so are their results.
"""

import random
import sys
import time

import kroo
import pyspiel

# The rule set, OpenSpiel's name of the game, and OpenSpiel's actions of the letters.
GAMES = {
    "kalah": ("mancala", dict(zip("ABCDEFabcdef", [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13]))),
    "oware": ("oware", dict(zip("ABCDEFabcdef", [0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5]))),
}


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


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for variant, (name, actions) in GAMES.items():
        game = pyspiel.load_game(name)
        began = time.process_time()
        ours = [with_board(variant, seed) for seed in range(count)]
        middle = time.process_time()
        theirs = [with_openspiel(game, seed) for seed in range(count)]
        took = middle - began, time.process_time() - middle
        results = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}
        differ = [
            seed
            for seed, ((moves, result), (history, returns)) in enumerate(zip(ours, theirs))
            if [actions[move] for move in moves] != history or results.get(result) != returns[0]
        ]
        moves = sum(len(moves) for moves, _ in ours), sum(len(history) for history, _ in theirs)
        rates = [number / seconds for number, seconds in zip(moves, took)]
        print(f"{variant}: {rates[0]:,.0f} moves/s, OpenSpiel {rates[1]:,.0f}: {rates[0] / rates[1]:.2f} times")
        print(f"  {count} games, {len(differ)} differ{f', the first with seed {differ[0]}' if differ else ''}")


if __name__ == "__main__":
    main()
