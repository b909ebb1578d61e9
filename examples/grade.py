"""Grades both players of replays of Kaggle's Game Arena in seeds lost a move.

    python3 examples/grade.py --engine target/release/kroo REPLAY.json …

A replay is a file of Kaggle, or a JSON list of actions of OpenSpiel's `mancala`. A move loses the difference between the best score
and its own; moves without a choice do not count.
"""

import argparse
import sys

import kroo
from kroo import spiel


def losses(board, engine, limit):
    """The seeds that each move of a game has lost, by side."""
    at = kroo.Board(board.variant)
    lost = {"S": [], "N": []}
    for move in board.move_stack:
        if len(at.legal_moves) > 1:
            scores = {info.pv[0]: info.score.seeds for info in engine.analyse(at, limit, multipv=len(at.legal_moves))}
            if move not in scores:
                scores[move] = engine.analyse(at, limit, root_moves=move).score.seeds
            lost[at.turn].append(max(scores.values()) - scores[move])
        at.push(move)
    return lost


def main():
    parser = argparse.ArgumentParser(description="Grades the players of replays in seeds lost a move.")
    parser.add_argument("replays", nargs="+", metavar="REPLAY", help="a JSON file of Kaggle, or with a list of actions")
    parser.add_argument("--engine", metavar="PATH", help="the executable kroo [default: the one of the package]")
    parser.add_argument("--nodes", type=int, default=200_000, metavar="N", help="node limit of a move [default: 200000]")
    options = parser.parse_args()
    with kroo.Engine(options.engine) as engine:
        for path in options.replays:
            try:
                with open(path, encoding="utf-8") as file:
                    game = spiel.read_replay(file.read())
            except (OSError, ValueError) as error:
                sys.exit(f"{path}: {error}")
            lost = losses(game.board, engine, kroo.Limit(nodes=options.nodes))
            print(f"{path}: {game.headers.get('Result', game.board.result())}, {game.board.ply()} moves")
            for side, name in ("S", "South"), ("N", "North"):
                count = len(lost[side])
                mean = f"{sum(lost[side]) / count:.2f}" if count else "no"
                print(f"  {name}, {game.headers.get(name, '?')}: {mean} seeds lost a move in {count} choices")


if __name__ == "__main__":
    main()
