"""Bots that read a board and print a pit, as engines for the referee; and Kroo as such a bot.

    referee --engine cmd=python3 args="examples/adapters/pits.py codingame ./bot" …   the bot plays under the referee
    python3 examples/adapters/pits.py --kroo target/release/kroo codingame            Kroo plays: board in, pit out
"""

import argparse
import queue
import subprocess
import sys
import threading
import time
from typing import NamedTuple

import kroo


class Format(NamedTuple):
    variant: str
    cells: str  # The groups of numbers on a line; pits come in the order of sowing.
    base: int  # The number of a side's first pit.
    first: float  # Seconds for the first turn, with the start of the bot, and for the others.
    later: float
    numbered: bool  # Whether the bot's last argument is 1 or 2, the order of moving.


FORMATS = {
    "codingame": Format("oware", "mine theirs", 0, 1.0, 0.05, False),  # Oware Abapa; ends after 200 plies
    "fourteen": Format("kalah", "mine mine+ theirs theirs+", 1, 1.0, 1.0, False),  # Course kits: pits and store, own first
    "fourteen-fixed": Format("kalah", "S S+ N N+", 1, 1.0, 1.0, True),  # The same, the first player's side first
}


def view(board, form):
    """The numbers that the side to move reads."""
    groups = {"S": board.pits[:6], "N": board.pits[6:], "S+": board.stores[:1], "N+": board.stores[1:]}
    own, other = ("S", "N") if board.turn == "S" else ("N", "S")
    names = form.cells.replace("mine", own).replace("theirs", other).split()
    return [number for name in names for number in groups[name]]


class Bot:
    """A bot in one game. It is started at its first turn."""

    def __init__(self, words, form, board):
        words = words + ["1" if board.turn == "S" else "2"] * form.numbered
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, errors="replace")
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put("")

    def end(self):
        self.process.kill()
        self.process.wait()

    def move(self, board, form, deadline):
        """The letter of the bot's pit, and its fault, if it gives none."""
        try:
            self.process.stdin.write(" ".join(map(str, view(board, form))) + "\n")
            self.process.stdin.flush()
            answer = self.lines.get(timeout=max(0, deadline - time.monotonic()))
        except queue.Empty:
            return None, "the bot is late"
        except OSError:
            answer = ""
        if not answer:
            return None, "the bot has ended"
        pit = int(answer) - form.base if answer.strip().isdecimal() and len(answer) < 9 else -1
        if not 0 <= pit < 6:
            return None, f"the bot answers {answer.strip()[:80]!r}, which is no pit"
        return ("ABCDEF" if board.turn == "S" else "abcdef")[pit], None


def as_engine(form, words):
    """Speaks the referee's protocol. Without a pit the answer is the null move, so the referee ends the game."""
    board, bot = kroo.Board(form.variant), None
    for line in sys.stdin:
        began, command, rest = time.monotonic(), *(line.split(maxsplit=1) + ["", ""])[:2]
        if command == "uci":
            print(f"id name {words[0]}\noption name UCI_Variant type combo default {form.variant} var {form.variant}\nuciok")
        elif command == "isready":
            print("readyok")
        elif command == "position":
            start, _, moves = rest.partition("moves")
            fen = start[3:].strip() if start.startswith("fen") else None
            try:
                board = kroo.Board(form.variant, fen, moves)
            except ValueError as error:
                print(f"info string error position: {error}")
        elif command == "go" and not board.is_game_over():
            limit = form.first if bot is None else form.later
            try:
                bot = bot or Bot(words, form, board)
                move, fault = bot.move(board, form, began + limit)
            except OSError as error:
                move, fault = None, f"the bot does not start: {error}"
            print(f"info string error {fault}\nbestmove 0000" if fault else f"bestmove {move}")
        elif command == "go":
            print("bestmove 0000")
        if command in ("ucinewgame", "quit"):
            bot = bot and bot.end()
        if command == "quit":
            break
        sys.stdout.flush()
    if bot is not None:
        bot.end()


def as_bot(form, path, is_second):
    """Kroo reads boards and prints pits. Stores that a format leaves out follow from Kroo's own captures."""
    side = "N" if form.numbered and is_second else "S"
    names = form.cells.replace("mine", "S").replace("theirs", "N").split()
    sizes = [1 if "+" in name else 6 for name in names]
    kept, seconds = 0, form.first * 0.3  # The rest is for starting.
    with kroo.Engine(path) as engine:
        for line in sys.stdin:
            numbers = line.split()
            if len(numbers) != sum(sizes) or not all(word.isdecimal() for word in numbers):
                sys.exit(f"a board is {sum(sizes)} numbers, not {line.strip()!r}")
            cells = {name: [numbers.pop(0) for _ in range(size)] for name, size in zip(names, sizes)}
            gone = sum(kroo.Board(form.variant).pits) - sum(int(word) for row in cells.values() for word in row)
            stores = cells.get("S+", [str(kept)]) + cells.get("N+", [str(gone - kept)])
            try:
                board = kroo.Board(form.variant, "-".join([*cells["S"], *cells["N"], *stores, side]))
                move = engine.play(board, kroo.Limit(time=seconds)).move
            except (ValueError, kroo.EngineError) as error:
                sys.exit(f"{line.strip()}: {error}")
            print("ABCDEF".index(move.upper()) + form.base, flush=True)
            board.push(move)
            kept, seconds = board.stores["SN".index(side)], form.later * 0.6


def main():
    parser = argparse.ArgumentParser(description="A bot that prints pits as an engine, or Kroo as such a bot.")
    parser.add_argument("format", choices=FORMATS)
    parser.add_argument("--kroo", metavar="PATH", help="play as a bot, with this executable; a last word 2 says that it moves second")
    parser.add_argument("--patience", type=float, default=1, metavar="N", help="multiply the arena's times [default: 1]")
    parser.add_argument("bot", nargs=argparse.REMAINDER, metavar="BOT", help="the command of the bot")
    words = parser.parse_args()
    form = FORMATS[words.format]
    form = form._replace(first=form.first * words.patience, later=form.later * words.patience)
    if words.kroo is not None:
        as_bot(form, words.kroo, words.bot[-1:] == ["2"])
    elif words.bot:
        as_engine(form, words.bot)
    else:
        parser.error("the command of a bot is missing")


if __name__ == "__main__":
    main()
