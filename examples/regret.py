"""What agents give away in kalah: each of their moves is compared with the exact value.

    python3 examples/regret.py --agents random,mcts:100,mcts:1000 --games 20 --picture regret.svg

An agent plays both sides. It is `random`, or `mcts:N`, OpenSpiel's Monte Carlo tree search with N simulations
(`pip install 'kroo[spiel]'`), or `MODULE:FUNCTION`, a policy of yours that takes a `kroo.Board` and returns a letter, or an action
of PettingZoo from 0 to 5. A move loses the difference between the best value and its own, in seeds; moves without a choice do not
count, and positions that are not proven within the limit are counted apart.
"""

import argparse
import importlib
import random
import sys
from typing import Any, Callable, Dict, List, Tuple

import kroo
from kroo import spiel

Agent = Callable[[kroo.Board], str]
PHASES = ((37, 48), (25, 36), (13, 24), (1, 12))
"""Seeds in the pits, from and to."""
COLORS = ("#8a6d3b", "#1d6f3a", "#2f5d8a", "#8a2f5d")


def agent(name: str, seed: int) -> Agent:
    draw = random.Random(seed)
    if name == "random":
        return lambda board: draw.choice(board.legal_moves)
    if name.startswith("mcts:"):
        return mcts(int(name.partition(":")[2]), seed)
    module, _, function = name.partition(":")
    policy: Callable[[kroo.Board], Any] = getattr(importlib.import_module(module), function)

    def choose(board: kroo.Board) -> str:
        chosen = policy(board)
        letter = chosen if isinstance(chosen, str) else "ABCDEF"[int(chosen)]
        return letter.upper() if board.turn == "S" else letter.lower()

    return choose


def mcts(simulations: int, seed: int) -> Agent:
    pyspiel: Any = importlib.import_module("pyspiel")
    game = pyspiel.load_game("mancala")
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, seed), 2.0, simulations, 100, True, seed, False)

    def choose(board: kroo.Board) -> str:
        state = game.new_initial_state()
        for action in spiel.actions(board):
            state.apply_action(action)
        return spiel.move(bot.step(state), board)

    return choose


class Losses:
    """What an agent has given away by phase."""

    def __init__(self) -> None:
        self.seeds: Dict[Tuple[int, int], List[int]] = {phase: [] for phase in PHASES}
        self.unknown = dict.fromkeys(PHASES, 0)

    def add(self, board: kroo.Board, move: str, found: kroo.Solution) -> None:
        seeds = sum(board.pits)
        phase = next(phase for phase in PHASES if phase[0] <= seeds <= phase[1])
        own = found.moves[move].value
        if found.value is None or own is None:
            self.unknown[phase] += 1
        else:
            self.seeds[phase].append(found.value - own)

    def mean(self, phase: Tuple[int, int]) -> float:
        seeds = self.seeds[phase]
        return sum(seeds) / len(seeds) if seeds else 0.0


def play(engine: kroo.Engine, choose: Agent, losses: Losses, limit: kroo.Limit, most: int) -> None:
    """Plays a game, and compares each move in positions with at most `most` seeds in the pits."""
    board = kroo.Board("kalah")
    while not board.is_game_over():
        move = choose(board)
        if len(board.legal_moves) > 1 and sum(board.pits) <= most:
            losses.add(board, move, engine.solve(board, moves=True, limit=limit))
        board.push(move)


def table(names: List[str], all_losses: List[Losses]) -> str:
    lines = ["agent       seeds in the pits   moves   lost a move   best moves   not proven"]
    for name, losses in zip(names, all_losses):
        for phase in PHASES:
            seeds = losses.seeds[phase]
            best = f"{100 * seeds.count(0) / len(seeds):.0f} %" if seeds else "-"
            mean = f"{losses.mean(phase):.2f}" if seeds else "-"
            span = f"{phase[1]} to {phase[0]}"
            lines.append(f"{name:<12}{span:<20}{len(seeds):>5}{mean:>14}{best:>13}{losses.unknown[phase]:>13}")
    return "\n".join(lines)


def picture(names: List[str], all_losses: List[Losses]) -> str:
    """Bars of the seeds lost a move, by phase and agent, as SVG."""
    highest = max([losses.mean(phase) for losses in all_losses for phase in PHASES] + [0.01])
    width, step = 28, 28 * len(names) + 40
    parts: List[str] = []
    for number, phase in enumerate(PHASES):
        left = 50 + step * number
        for place, losses in enumerate(all_losses):
            x, height = left + width * place, 200 * losses.mean(phase) / highest
            parts.append(f'<rect x="{x}" y="{230 - height:.1f}" width="{width - 4}" height="{height:.1f}" fill="{COLORS[place % 4]}"/>')
            parts.append(f'<text x="{x + width / 2 - 2}" y="{225 - height:.1f}" text-anchor="middle">{losses.mean(phase):.1f}</text>')
        parts.append(f'<text x="{left}" y="248">{phase[1]} to {phase[0]} seeds</text>')
    for place, name in enumerate(names):
        text = name.replace("&", "&amp;").replace("<", "&lt;")
        parts.append(f'<text x="50" y="{270 + 16 * place}" fill="{COLORS[place % 4]}">{text}: seeds lost a move</text>')
    size = f'width="{50 + step * len(PHASES)}" height="{280 + 16 * len(names)}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">{"".join(parts)}</svg>\n'


def main() -> None:
    parser = argparse.ArgumentParser(description="What agents give away in kalah, by exact values.")
    parser.add_argument("--agents", default="random,mcts:100,mcts:1000", metavar="LIST", help="names, separated by commas")
    parser.add_argument("--games", type=int, default=10, metavar="N", help="games of each agent [default: 10]")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="random seed [default: 1]")
    parser.add_argument("--most", type=int, default=48, metavar="SEEDS", help="compare moves in positions with at most this many seeds in the pits")
    parser.add_argument("--time", type=float, default=5.0, metavar="SECONDS", help="limit of a position [default: 5]")
    parser.add_argument("--hash", type=int, default=256, metavar="MIB", help="hash table [default: 256]")
    parser.add_argument("--engine", metavar="PATH", help="the executable kroo [default: the one of the package]")
    parser.add_argument("--picture", metavar="FILE", help="write a picture as SVG")
    options = parser.parse_args()
    names: List[str] = options.agents.split(",")
    all_losses = [Losses() for _ in names]
    with kroo.Engine(options.engine, Hash=options.hash) as engine:
        for name, losses in zip(names, all_losses):
            try:
                choose = agent(name, options.seed)
            except (AttributeError, ImportError, ValueError) as error:
                sys.exit(f"{name}: {error}")
            for _ in range(options.games):
                play(engine, choose, losses, kroo.Limit(time=options.time), options.most)
    print(table(names, all_losses))
    if options.picture:
        with open(options.picture, "w", encoding="utf-8") as file:
            file.write(picture(names, all_losses))


if __name__ == "__main__":
    main()
