"""The engine plays itself: python3 drive.py PATH [FLAGS]"""
import subprocess
import sys

engine = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(lines, last):
    """Sends lines, and returns the first answer that begins with `last`."""
    print(lines, file=engine.stdin, flush=True)
    answers = iter(engine.stdout.readline, "")
    return next((answer.strip() for answer in answers if answer.startswith(last)), None) or sys.exit(1)


ask("uci", "uciok")
moves, move = "", ""
while move != "0000" and len(moves) < 60:
    moves += move
    move = ask(f"position startpos moves {moves}\ngo depth 6", "bestmove").split()[1]
print(moves, ask("d", "Fen:"), ask("", "Result:"), sep="\n")
engine.communicate("quit\n")
