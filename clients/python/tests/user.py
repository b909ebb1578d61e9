"""A program that uses every part of the package, for the checkers of types. `test_user.py` runs it."""

import asyncio
import io
import sys
from pathlib import Path
from typing import Dict, List, Optional, Tuple

import kroo
from kroo import spiel


class Player:
    """A player who counts what it has seen."""

    def __init__(self, engine: kroo.Engine, limit: kroo.Limit) -> None:
        self.engine = engine
        self.limit = limit
        self.nodes = 0

    def move(self, board: kroo.Board, game: int) -> str:
        result: kroo.PlayResult = self.engine.play(board, self.limit, game=game, root_moves=board.legal_moves)
        self.nodes += result.info.nodes or 0
        reply: Optional[str] = result.ponder
        return result.move if reply is None else result.move[0]


def game(engine: kroo.Engine, variant: str) -> kroo.ogn.Game:
    board = kroo.Board(variant, moves=["F"] if variant == "oware" else "")
    player = Player(engine, kroo.Limit(depth=2))
    while not board.is_game_over() and board.ply() < 40:
        board.push(player.move(board, 1))
    outcome: Optional[kroo.Outcome] = board.outcome()
    result = "*" if outcome is None else outcome.result()
    found = kroo.ogn.Game(board, {"South": "Ama", "Result": result})
    found.moves[0].comment = f"{player.nodes} positions"
    found.moves[0].variations.append([kroo.ogn.Move("C", "?!")])
    return found


def scores(engine: kroo.Engine, board: kroo.Board) -> Dict[str, float]:
    lines: List[kroo.Info] = engine.analyse(board, kroo.Limit(depth=4), multipv=len(board.legal_moves), root_moves=["A", "B"])
    best: kroo.Info = engine.analyse(board, kroo.Limit(nodes=500), timeout=60.0)
    score: kroo.Score = best.score
    assert score >= min(line.score for line in lines) or score.pov("S").seeds < 0
    chances: Optional[Tuple[int, int, int]] = score.wdl
    return {line.pv[0]: line.score.seeds for line in lines} if chances is None else {}


def labels(engine: kroo.Engine, fens: List[str]) -> List[Optional[int]]:
    solved: kroo.Solution = engine.solve(kroo.Board("kalah", fens[0]), moves=True, limit=kroo.Limit(time=60))
    worst: kroo.Bounds = min(solved.moves.values(), key=lambda bounds: bounds.at_most)
    return [solved.value, worst.value, *(found.value for found in engine.solve_all(kroo.Board("kalah", fen) for fen in fens))]


def look_on(engine: kroo.Engine) -> int:
    with engine.analysis(kroo.Position(moves="Ff").push(["E", "c"]), multipv=2, root_moves="AB") as analysis:
        for info in analysis:
            if info.depth is not None and info.depth > 3:
                break
    infos: List[kroo.Info] = analysis.infos
    return len(infos) + len(analysis.wait(60).move)


def files(found: kroo.ogn.Game) -> List[str]:
    file = io.StringIO()
    kroo.ogn.write(found, file)
    file.seek(0)
    return [letter for read in kroo.ogn.games(file) for letter in read.board.move_stack]


def options(path: Path) -> Dict[str, Optional[str]]:
    with kroo.Engine([path, "--hash", "1"], variant="kalah", timeout=None, Threads=1, Solution=False) as engine:
        engine.configure({"Hash": 2, "Clear Hash": None, "UCI_ShowWDL": True})
        engine.timeout = 20
        engine.ping()
        engine.new_game()
        rules: Tuple[str, ...] = engine.legal_moves(kroo.Position())
        ended: Optional[str] = engine.result(kroo.Position(engine.fen(kroo.Position(moves=rules[:1]))))
        assert ended is None and engine.perft(kroo.Position(), 2) > 0
        option: kroo.Option = engine.options["Hash"]
        return {name: one.default for name, one in engine.options.items() if one.max == option.max}


async def several(path: str) -> List[str]:
    async with await kroo.AsyncEngine.open(path, variant="oware", timeout=60) as engine:
        board = kroo.Board("oware")
        moves = await asyncio.gather(*(engine.play(board, kroo.Limit(depth=depth)) for depth in (1, 2)))
        async with await engine.analysis(board) as analysis:
            first = await analysis.__aiter__().__anext__()
            analysis.stop()
        best: kroo.Info = await engine.analyse(board, kroo.Limit(depth=1), root_moves=("A", "C"))
        return [result.move for result in moves] + list(best.pv[:1]) + [*first.pv[:1]]


def main(path: str) -> None:
    try:
        with kroo.Engine(path, variant="oware") as engine:
            found = game(engine, "oware")
            print(scores(engine, kroo.Board("oware")), look_on(engine), files(found)[:1])
            picture: str = kroo.svg.board(found.board, arrows=["Fc", kroo.svg.Arrow("A", "S")], size=300)
            print(labels(engine, ["0-0-0-0-0-1-0-1-0-0-0-1-23-22-N"]))
            print(spiel.action("C", "kalah"), len(picture) > 0, kroo.split_moves("F f"), kroo.VARIANTS[:1])
        print(len(options(Path(path))), asyncio.run(several(path)))
    except (kroo.EngineTerminated, kroo.EngineTimeout) as error:
        print(f"the engine has failed: {error}", file=sys.stderr)
    except kroo.EngineError as error:
        print(error, file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1])
