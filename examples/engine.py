"""An engine for oware and awari: rules, protocol, and a look three moves ahead. Copy it, and make it stronger."""
PITS, START = "ABCDEFabcdef", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"
LIMITS = ["depth", "nodes", "movetime", "movestogo", "wtime", "btime", "winc", "binc"]
DEPTH = 3  # This takes a millisecond. A longer search needs a clock, and a thread that reads `stop`.


def legal(board):
    """The pits to sow. A board is a list: twelve pits, the stores of South and North, the side to move (0 or 1)."""
    side, is_over = board[14], max(board[12:14]) > 24 or board[12:14] == [24, 24]
    must_feed = not any(board[6 - 6 * side : 12 - 6 * side])
    own = [pit for pit in range(6 * side, 6 * side + 6) if board[pit] and not is_over]
    return [pit for pit in own if not must_feed or pit % 6 + board[pit] > 5]


def play(board, pit):
    """The board after a move."""
    board, side, at, seeds, taken = [*board], board[14], pit, board[pit], []
    board[pit], board[14], other = 0, 1 - side, range(6 - 6 * side, 12 - 6 * side)
    while seeds:
        at = (at + 1) % 12
        if at != pit:
            board[at], seeds = board[at] + 1, seeds - 1
    while at in other and board[at] in (2, 3):
        taken, at = [*taken, at], at - 1
    grand_slam = taken and not any(board[pit] for pit in other if pit not in taken)
    for pit in [] if grand_slam and variant == "oware" else taken:
        board[12 + side], board[pit] = board[12 + side] + board[pit], 0
    if grand_slam and variant == "awari" and board[12:14] != [24, 24]:
        board[12 + side] = max(25, board[12 + side])  # It wins, whatever the score.
    return board


def read_position(kind="", *words):
    """The board of a `position` command."""
    fields, *words = (words or [""]) if kind == "fen" else [START, *words]
    *numbers, side = fields.split("-")
    if kind not in ("startpos", "fen") or words and words[0] != "moves":
        raise ValueError("expected `startpos` or `fen P`, then `moves M`")
    is_board = len(numbers) == 14 and side in ("S", "N") and "".join(numbers).isdecimal()
    if not is_board or sum(map(int, numbers)) != 48:
        raise ValueError("expected 14 numbers that add up to 48, and S or N, joined by -")
    board, seen = [*map(int, numbers), "SN".index(side)], []
    for number, letter in enumerate("".join(words[1:]), 1):
        if PITS.find(letter) not in legal(board):
            raise ValueError(f"move {number} ({letter!a}) is not legal")
        before, board = board, play(board, PITS.index(letter))
        seen = [*seen, before] if board[12:14] == before[12:14] else []
        if variant == "oware" and board in seen:  # Each side takes its own row.
            board = [0] * 12 + [board[12] + sum(board[:6]), board[13] + sum(board[6:12]), board[14]]
    return board


def lead(board, depth):
    """Seeds that the side to move is ahead, `depth` moves later."""
    own, other = board[12 + board[14]], board[13 - board[14]]
    moves = legal(board) if depth else []
    return max((-lead(play(board, pit), depth - 1) for pit in moves), default=own - other)


def think(words):
    """The answer to `go`: the move with the greatest lead."""
    for word in words:
        if word not in [*LIMITS, "infinite", "ponder"] and not word.strip("-").isdecimal():
            raise ValueError(f"no limit is called {word[:20]!a}")
    limits = {word: int(number) for word, number in zip(words, words[1:]) if word in LIMITS}
    depth = max(1, min(DEPTH, limits.get("depth", DEPTH)))
    moves = [(-lead(play(board, pit), depth - 1), PITS[pit]) for pit in legal(board)]
    seeds, best = max(moves, default=(0, ""))
    return f"info depth {depth} score cp {100 * seeds} pv {best}\nbestmove {best}" if best else "bestmove 0000"


variant, answer, board = "oware", "", read_position("startpos")
for line in open(0, encoding="utf-8", errors="replace"):
    command, *words = line.split() or [""]
    try:
        if command == "uci":
            print("id name Example\noption name UCI_Variant type combo default oware var oware var awari")
            print("option name Ponder type check default false\nuciok", flush=True)
        elif command == "isready":
            print("readyok", flush=True)
        elif command == "setoption" and words[1:2] == ["UCI_Variant"] and words[3:] in (["oware"], ["awari"]):
            variant, board = words[3], read_position("startpos")
        elif command == "position":
            board = read_position(*words)
        elif command == "go" and answer:
            raise ValueError("a search is running; stop it first")
        elif command == "go":
            answer = think(words)
        elif command == "quit":
            break
        elif command == "setoption" and words[1:2] != ["Ponder"]:
            raise ValueError("the options are UCI_Variant (oware or awari) and Ponder")
        elif command not in ("", "setoption", "ucinewgame", "stop", "ponderhit"):
            raise ValueError("no such command")
        has_limit = words and not {"infinite", "ponder"} & {*words}
        if answer and (command in ("stop", "ponderhit") or command == "go" and has_limit):
            print(answer, flush=True)
            answer = ""
    except ValueError as error:
        print(f"info string error {command[:20]!a}: {error}", flush=True)
