"""Labels positions with exact values: a file of positions becomes a table.

    python3 examples/labels.py --variant kalah positions.txt labels.csv

A position is a line: fifteen fields, or moves from the start, or fields, `moves` and moves; text after `#` is a comment. The table
has a row for each, in their order: value, result, proven bounds, whether everything is proven, best play, and the value of each
move, from the mover's left. Processes work side by side, each with an engine of its own. Rows are on the disk before the next
ones come, and the same command goes on after the last one. A name that ends in `.parquet` becomes a table of Parquet at the
end, if `pyarrow` is there; until then its rows are in `NAME.csv`.
"""

import argparse
import csv
import multiprocessing
import os
import signal
import sys
from typing import Any, Dict, List, Optional

import kroo

COLUMNS = ["position", "value", "result", "at_least", "at_most", "proven", "pv", *(f"move_{pit}" for pit in range(1, 7))]
ENGINE: Optional[kroo.Engine] = None
"""The engine of this process: an engine cannot be shared with a fork."""
TASK: Any = None


def board_of(variant: str, line: str) -> kroo.Board:
    """The board of a line."""
    before, _, moves = line.partition(" moves ")
    if set(before) <= set("ABCDEFabcdef "):
        return kroo.Board(variant, moves=before)
    return kroo.Board(variant, None if before == "startpos" else before.strip(), moves)


def read_positions(path: str, variant: str) -> List[kroo.Board]:
    boards: List[kroo.Board] = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            text = line.split("#")[0].strip()
            try:
                if text:
                    boards.append(board_of(variant, text))
            except ValueError as error:
                sys.exit(f"{path}, line {number}: {error}")
    return boards


def start(options: argparse.Namespace) -> None:
    """Opens the engine of a process. Ctrl-C ends the first process, which ends the others."""
    global ENGINE, TASK
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ENGINE, TASK = kroo.Engine(options.engine, Hash=options.hash, Solution=False), options


def label(board: kroo.Board) -> List[str]:
    """The row of a board."""
    assert ENGINE is not None
    limit = kroo.Limit(time=TASK.time, nodes=TASK.nodes)
    found = ENGINE.solve(board, moves=TASK.moves, limit=limit)
    shown = ["" if value is None else str(value) for value in (found.value, found.result, found.at_least, found.at_most)]
    moves = [""] * 6
    for move, bounds in found.moves.items():
        if bounds.value is not None:
            moves["ABCDEF".index(move.upper())] = str(bounds.value)
    return [board.fen(), *shown, str(found.proven).lower(), "".join(found.pv), *moves]


def rows_before(path: str, boards: List[kroo.Board]) -> int:
    """The number of rows that a table has already. A row that was being written is removed."""
    if not os.path.exists(path):
        return 0
    with open(path, "rb+") as file:
        whole = file.read().rpartition(b"\n")[0]
        file.truncate(len(whole) + 1 if whole else 0)
    rows = list(csv.reader(whole.decode("utf-8").splitlines()))
    if rows and rows[0] != COLUMNS:
        sys.exit(f"{path}: this is no table of labels; name another file")
    for number, (row, board) in enumerate(zip(rows[1:], boards), 1):
        if row[0] != board.fen():
            sys.exit(f"{path}, row {number}: a label of another position, {row[0]}; name another file")
    if len(rows) - 1 > len(boards):
        sys.exit(f"{path}: it has more rows than there are positions; name another file")
    return max(len(rows) - 1, 0)


def write_parquet(rows: str, path: str) -> None:
    from pyarrow import csv as reader
    from pyarrow import parquet

    whole = {name: "int64" for name in COLUMNS if name.startswith(("value", "at_", "move_"))}
    convert = reader.ConvertOptions(column_types={**whole, "proven": "bool", "pv": "string"}, strings_can_be_null=True)
    parquet.write_table(reader.read_csv(rows, convert_options=convert), path)


def main() -> None:
    parser = argparse.ArgumentParser(description="Labels positions with exact values.")
    parser.add_argument("positions", metavar="POSITIONS", help="a file with a position a line")
    parser.add_argument("table", metavar="TABLE", help="the table to write: a name that ends in .csv or .parquet")
    parser.add_argument("--variant", default="kalah", metavar="NAME", help="the game [default: kalah]")
    parser.add_argument("--engine", metavar="PATH", help="the executable kroo [default: the one of the package]")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N", help="processes [default: one for each processor]")
    parser.add_argument("--hash", type=int, default=64, metavar="MIB", help="hash table of a process [default: 64]")
    parser.add_argument("--time", type=float, metavar="SECONDS", help="limit of a position [default: none]")
    parser.add_argument("--nodes", type=int, metavar="N", help="limit of a position [default: none]")
    parser.add_argument("--no-moves", dest="moves", action="store_false", help="leave out the values of the moves")
    options = parser.parse_args()
    is_parquet = options.table.endswith(".parquet")
    try:
        boards = read_positions(options.positions, options.variant)
    except (OSError, ValueError) as error:
        sys.exit(f"{options.positions}: {error}")
    rows = f"{options.table}.csv" if is_parquet else options.table
    done = rows_before(rows, boards)
    counts: Dict[str, int] = {"true": 0, "false": 0}
    # A forked child would inherit the pipes of others.
    with multiprocessing.get_context("spawn").Pool(options.workers, start, (options,)) as pool:
        with open(rows, "a", encoding="utf-8", newline="") as file:
            table = csv.writer(file, lineterminator="\n")
            if done == 0 and file.tell() == 0:
                table.writerow(COLUMNS)
            for row in pool.imap(label, boards[done:]):
                table.writerow(row)
                file.flush()
                os.fsync(file.fileno())
                counts[row[COLUMNS.index("proven")]] += 1
    if is_parquet:
        write_parquet(rows, options.table)
    print(f"{len(boards)} positions, {done} of them before: {counts['true']} proven, {counts['false']} not")


if __name__ == "__main__":
    main()
