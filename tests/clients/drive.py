"""The engine plays itself: python3 drive.py PATH [VARIANT]"""
import subprocess
import sys

path, variant = (sys.argv[1:] + ["awari"])[:2]
engine = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(lines, last):
    """Sends lines, and returns the first answer that begins with `last`."""
    print(lines, file=engine.stdin, flush=True)
    for answer in engine.stdout:
        if answer.startswith(last):
            return answer.strip()
        if answer.startswith("info string error"):
            sys.exit(answer)
    sys.exit("the engine has gone")


ask("uci", "uciok")
ask(f"setoption name UCI_Variant value {variant}\nisready", "readyok")
moves, move = "", ""
while move != "0000" and len(moves) < 60:
    moves += move
    move = ask(f"position startpos moves {moves}\ngo depth 6", "bestmove").split()[1]
print(moves, ask("d", "Fen:"), ask("", "Result:"), sep="\n")
engine.communicate("quit\n")
