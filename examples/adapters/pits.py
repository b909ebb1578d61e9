"""Bots that read a board and print a pit, as engines for the referee; and Kroo as such a bot.

    referee --engine cmd=python3 args="examples/adapters/pits.py codingame ./bot" …   the bot plays under the referee
    python3 examples/adapters/pits.py --kroo target/release/kroo codingame            Kroo plays: board in, pit out
"""
import argparse
import contextlib
import itertools
import select
import subprocess
import sys
import time
from typing import NamedTuple

import kroo


class Format(NamedTuple):
    variant: str
    cells: list  # What a line has, in its order: 0 to 5 the first row, 6 to 11 the other one, 12 and 13 their stores
    fixed: bool  # Whether the first row is the first player's, not the mover's; the bot's last argument is then 1 or 2
    base: int  # The number of a row's first pit
    first: float  # Seconds for the first turn, with the start of the bot, and for each later one
    later: float


STORES = [*range(6), 12, *range(6, 12), 13]
FORMATS = {
    "codingame": Format("oware", [*range(12)], False, 0, 1.0, 0.05),
    "fourteen": Format("kalah", STORES, False, 1, 1.0, 1.0),
    "fourteen-fixed": Format("kalah", STORES, True, 1, 1.0, 1.0),
}


def ask(bot, board, form, deadline):
    """The move of a bot. Raises TimeoutError if it prints nothing in time, EOFError if it has ended, ValueError if it prints no pit."""
    if board.is_game_over():
        raise ValueError("the game is over")
    rows, stores = [board.pits[:6], board.pits[6:]], board.stores
    if board.turn == "N" and not form.fixed:
        rows, stores = rows[::-1], stores[::-1]
    cells = [*rows[0], *rows[1], *stores]
    with contextlib.suppress(BrokenPipeError):  # A bot that has ended: its output ends, too
        bot.stdin.write(" ".join(str(cells[cell]) for cell in form.cells).encode() + b"\n")
    if not select.select([bot.stdout], [], [], max(0, deadline - time.monotonic()))[0]:
        raise TimeoutError("the bot is late")
    answer = bot.stdout.readline(80).decode(errors="replace")
    pits = dict(zip(map(str, itertools.count(form.base)), "ABCDEF" if board.turn == "S" else "abcdef"))
    if not answer:
        raise EOFError("the bot has ended")
    if answer.strip() not in pits:
        raise ValueError(f"the bot answers {answer.strip()!r}, which is no pit")
    return pits[answer.strip()]


def as_engine(form, words):
    """Speaks the referee's protocol. A late bot stays silent until `stop`, one that has ended ends, any other gives the null move."""
    board, bot = kroo.Board(form.variant), None
    for line in itertools.chain(sys.stdin, ["quit"]):
        began, (command, _, rest) = time.monotonic(), line.strip().partition(" ")
        if command in ("ucinewgame", "quit") and bot:
            bot.kill()
            bot.wait()
            bot = None
        if command == "quit":
            break
        try:
            if command == "uci":
                print(f"id name {words[0]}\noption name UCI_Variant type combo default {form.variant} var {form.variant}\nuciok")
            elif command == "isready":
                print("readyok")
            elif command == "position":
                start, _, moves = rest.partition("moves")
                board = kroo.Board(form.variant, start[3:].strip() if start.startswith("fen") else None, moves)
            elif command == "go":
                deadline = began + (form.later if bot else form.first)
                order = ["1" if board.turn == "S" else "2"] if form.fixed else []
                bot = bot or subprocess.Popen(words + order, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
                print(f"bestmove {ask(bot, board, form, deadline)}")
            elif command == "stop":
                print("bestmove 0000")
        except TimeoutError as error:
            print(f"info string error {error}")
        except (EOFError, OSError) as error:
            print(f"info string error {error}" if bot else f"info string error the bot does not start: {error}")
            sys.exit(1)
        except ValueError as error:
            print(f"info string error {error}" + ("\nbestmove 0000" if command == "go" else ""))


def as_bot(form, path, side):
    """Kroo reads boards and prints pits. Stores that a format leaves out follow from Kroo's own captures."""
    seeds, kept, seconds = sum(kroo.Board(form.variant).pits), 0, form.first * 0.3  # The rest is for starting
    line = path
    try:
        with kroo.Engine(path) as engine:
            for line in sys.stdin:
                numbers = [int(word) for word in line.split()]
                if len(numbers) != len(form.cells):
                    raise ValueError(f"a board is {len(form.cells)} numbers, not {len(numbers)}")
                cells = dict(zip(form.cells, numbers))
                cells = {12: kept, 13: seeds - sum(numbers) - kept, **cells}
                board = kroo.Board(form.variant, "-".join([*(str(cells[cell]) for cell in range(14)), side]))
                move = engine.play(board, kroo.Limit(time=seconds)).move
                print("ABCDEFabcdef".index(move) % 6 + form.base)
                board.push(move)
                kept, seconds = board.stores["SN".index(side)], form.later * 0.6
    except (OSError, ValueError, kroo.EngineError) as error:
        sys.exit(f"{line.strip()}: {error}")


sys.stdout.reconfigure(line_buffering=True)
parser = argparse.ArgumentParser(description="A bot that prints pits as an engine, or Kroo as such a bot.")
parser.add_argument("format", choices=FORMATS)
parser.add_argument("--kroo", metavar="PATH", help="play as a bot, with this executable")
parser.add_argument("--patience", type=float, default=1, metavar="N", help="multiply the arena's times [default: 1]")
parser.add_argument("bot", nargs=argparse.REMAINDER, help="the command of the bot; with --kroo: 2 if it moves second")
words = parser.parse_args()
form = FORMATS[words.format]
form = form._replace(first=form.first * words.patience, later=form.later * words.patience)
if words.kroo:
    as_bot(form, words.kroo, "N" if form.fixed and words.bot == ["2"] else "S")
elif words.bot:
    as_engine(form, words.bot)
else:
    parser.error("the command of a bot is missing")
