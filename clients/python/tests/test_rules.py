"""What needs the compiled module: boards, game files, endgame files and the environment. Skipped where it is not built."""

import copy
import io
import logging
import pickle
import random
import re
import subprocess
import tempfile
import threading
import time
import unittest
import warnings

from engines import ENGINE, _rules, with_rules

import kroo


if _rules is not None:

    class Named(kroo.Board):
        """A board whose class has other arguments."""

        def __new__(cls, name="", *words):
            return super().__new__(cls, *(words or ("oware",)))

        def __init__(self, name="", *words):
            self.name = name


@with_rules
class Boards(unittest.TestCase):
    def test_a_game_is_played_and_taken_back(self):
        board = kroo.Board("oware")
        self.assertEqual(board.fen(), "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S")
        self.assertEqual((board.turn, board.legal_moves, board.move_stack), ("S", tuple("ABCDEF"), ()))
        board.push("F")
        self.assertEqual((board.turn, board.peek(), board.pits[:6]), ("N", "F", (4, 4, 4, 4, 4, 0)))
        self.assertEqual(board, kroo.Board("oware", moves="F"))
        self.assertEqual(board.pop(), "F")
        self.assertEqual(board, kroo.Board("oware"))
        with self.assertRaises(IndexError):
            board.pop()

    def test_what_is_not_legal_changes_nothing(self):
        board = kroo.Board("awari")
        for wrong in ("a", "G", "", "AB", "F\n"):
            self.assertFalse(board.is_legal(wrong))
            with self.assertRaises(ValueError):
                board.push(wrong)
        self.assertEqual(board, kroo.Board("awari"))
        for arguments in (("chess",), ("awari", "4-4"), ("awari", None, "FF"), ("awari", "startpos moves F"), ("awari", "")):
            with self.assertRaises(ValueError):
                kroo.Board(*arguments)

    def test_fair_starts_are_positions_of_their_game(self):
        starts = kroo.fair_starts("kalah-emptycapture")
        self.assertEqual((len(starts), len(set(starts))), (254, 254))
        for start in starts:
            board = kroo.Board("kalah-emptycapture", fen=start)
            self.assertEqual((board.turn, sum(board.pits) + sum(board.stores)), ("S", 48))
        self.assertEqual(kroo.fair_starts("oware"), [])
        with self.assertRaises(ValueError):
            kroo.fair_starts("chess")

    def test_random_games_are_those_of_the_engine(self):
        self.assertLessEqual({"awari", "awari1978", "ayoayo", "oware", "kalah", "avalanche"}, set(kroo.VARIANTS))
        with kroo.Engine(ENGINE) as engine:
            for variant in kroo.VARIANTS:
                draw = random.Random(variant)
                board = kroo.Board(variant)
                for _ in range(40):
                    if board.is_game_over():
                        break
                    self.assertEqual(engine.fen(board), board.fen())
                    self.assertEqual(engine.legal_moves(board), board.legal_moves)
                    board.push(draw.choice(board.legal_moves))
                self.assertEqual(engine.result(board) or "*", board.result())
                self.assertEqual(engine.perft(kroo.Board(variant), 4), kroo.Board(variant).perft(4))

    def test_moves_are_text_or_a_sequence(self):
        board = kroo.Board("oware", moves="FfEc")
        for moves in (board.move_stack, [*"FfEc"], ("Ff", "Ec"), "F f E c"):
            self.assertEqual(kroo.Board("oware", None, moves), board)
        self.assertEqual((board.ply(), kroo.Board(board.variant, board.start_fen, board.move_stack)), (4, board))
        for wrong in ([1], 5, ["F", "x"]):
            with self.assertRaises((TypeError, ValueError)):
                kroo.Board("oware", None, wrong)

    def test_names_have_a_number_of_seeds(self):
        for name in ("kalah", "oware", "awari", "avalanche"):
            self.assertEqual(kroo.Board(f"{name}4").variant, name)
        self.assertEqual(kroo.Board("kalah6").pits, (6,) * 12)

    def test_a_long_game_is_taken_back(self):
        board = kroo.Board("awari")
        draw = random.Random(1)
        fens = []
        for _ in range(3000):
            if board.is_game_over():
                break
            fens.append(board.fen())
            board.push(draw.choice(board.legal_moves))
        began = time.monotonic()
        while fens:
            board.pop()
            self.assertEqual(board.fen(), fens.pop())
        self.assertLess(time.monotonic() - began, 5)

    def test_a_board_changes_while_it_counts(self):
        board = kroo.Board("kalah")
        wanted = board.perft(7)
        counts = []
        thread = threading.Thread(target=lambda: counts.append(board.perft(7)))
        thread.start()
        while not counts:
            board.push("A")
            board.pop()
        thread.join()
        self.assertIn(counts[0], (wanted, kroo.Board("kalah", moves="A").perft(7)))

    def test_outcomes(self):
        over = kroo.Board("awari", "0-0-0-0-0-0-0-0-0-0-0-0-25-23-N").outcome()
        self.assertEqual((over.winner, over.result()), ("S", "1-0"))
        self.assertIsNone(kroo.Board("awari").outcome())

    def test_pictures(self):
        import xml.etree.ElementTree as tree

        board = kroo.Board("oware", moves="Ff")
        for picture in (board._repr_svg_(), kroo.svg.board(board, arrows=["Fc", kroo.svg.Arrow("A", "S", "red")], size=400)):
            root = tree.fromstring(picture)
            texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
            self.assertEqual(texts[2::2], [str(seeds) for seeds in board.pits])
        self.assertEqual(picture.count("<polygon"), 2)
        for wrong in ("F", "FF", "Fx", kroo.svg.Arrow("A", "B", '"/>')):
            with self.assertRaises(ValueError):
                kroo.svg.board(board, arrows=[wrong])

    def test_results(self):
        over = kroo.Board("awari", "0-0-0-0-0-0-0-0-0-0-0-0-25-23-N")
        self.assertEqual((over.is_game_over(), over.result(), over.winner(), over.legal_moves), (True, "1-0", "S", ()))
        self.assertEqual((kroo.Board().result(), kroo.Board().winner()), ("*", None))

    def test_copies(self):
        board = kroo.Board("kalah", moves="CA")
        for other in (board.copy(), copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board)), eval(f"kroo.{board!r}")):
            self.assertEqual(other, board)
            other.pop()
            self.assertNotEqual(other, board)
        board.reset()
        self.assertEqual(board, kroo.Board("kalah"))

    def test_copies_of_a_subclass(self):
        named = Named("Ama")
        named.push("F")
        named.notes = ["good"]
        for other in (named.copy(), copy.copy(named), copy.deepcopy(named), pickle.loads(pickle.dumps(named))):
            self.assertIs(type(other), Named)
            self.assertEqual((other, other.name, other.notes), (named, "Ama", ["good"]))
        self.assertIs(copy.copy(named).notes, named.notes)
        self.assertIsNot(copy.deepcopy(named).notes, named.notes)

    def test_drawings(self):
        board = kroo.Board("oware", moves="Ff")
        self.assertIn("South", str(board))
        lines = board.unicode().splitlines()
        self.assertEqual(lines[0].split(), list("fedcba"))
        self.assertEqual(lines[4].strip(" │").split("│")[0].strip(), str(board.pits[0]))


@with_rules
class Files(unittest.TestCase):
    def test_games_are_read_as_they_were_written(self):
        board = kroo.Board("kalah", moves="CAbE")
        moves = [kroo.ogn.Move("C", comment="again!"), kroo.ogn.Move("A"), kroo.ogn.Move("b", "?", "?")]
        game = kroo.ogn.Game(board, {"South": "Ama", "North": "Kofi"}, moves)
        other = kroo.ogn.Game(kroo.Board("oware", "0-0-0-0-0-1-1-0-0-0-0-0-20-26-S"))
        file = io.StringIO()
        for one in (game, other):
            kroo.ogn.write(one, file)
        file.seek(0)
        first, second = kroo.ogn.read_game(file), kroo.ogn.read_game(file)
        self.assertIsNone(kroo.ogn.read_game(file))
        self.assertEqual((first.board, first.headers["South"], first.comments[:3]), (board, "Ama", ["again!", "", "?"]))
        self.assertEqual(second.board, other.board)
        self.assertEqual([str(game) for game in kroo.ogn.read_games(file.getvalue())], [str(first), str(second)])
        self.assertEqual(str(first), str(game))

    def test_a_document_goes_out_as_it_came_in(self):
        lots = random.Random(5)
        parts = ["{", "}", "(", ")", ";", '[x "y"]', "%", "$4", "\\", '"', "1.", "25-20", "é", "\xa0", "\x1b[2J", "remark", "w" * 70]

        def words(most):
            return " ".join("".join(lots.choices(parts, k=lots.randint(1, 3))) for _ in range(lots.randint(0, most)))

        def line(board, plies, depth):
            moves = []
            for number in range(plies):
                legal = board.legal_moves
                if not legal:
                    break
                move = kroo.ogn.Move(lots.choice(legal), lots.choice(["", "", "!", "?!"]), words(12))
                others = [other for other in legal if other != move.letter and lots.random() < 0.2]
                for other in others if depth and (number or depth == 3) else []:
                    copy = board.copy()
                    copy.push(other)
                    first = kroo.ogn.Move(other, comment=words(5), before=words(5))
                    move.variations.append([first, *line(copy, 3, depth - 1)])
                board.push(move.letter)
                moves.append(move)
            return moves

        for _ in range(60):
            board = kroo.Board(lots.choice(["oware", "kalah", "awari"]))
            moves = line(board, lots.randint(0, 12), 3)
            tags = {"Ünknown": words(3), "Result": "*", "Variant": board.variant, "Event": words(3), "x-7": words(3)}
            game = kroo.ogn.Game(board, tags, moves, words(20))
            text = str(game)
            read = kroo.ogn.read_games(text)[0]
            self.assertEqual((str(read), list(read.headers.items()), read.moves), (text, list(tags.items()), moves), text)
            if board.legal_moves:
                read.board.push(board.legal_moves[0])
                longer = str(read).replace("\n", " ")
                self.assertTrue(longer.startswith(re.sub(r"[\n ]\S+\n$", "", text).replace("\n", " ")), f"{text}\n{read}")

    def test_what_could_not_be_read_again_is_refused(self):
        board = kroo.Board("kalah", moves="C")
        for tags, comment, fault in (
            ({"Variant": "Oware"}, "", "the game has another"),
            ({"Result": "?"}, "", "a result is"),
            ({"Event": "a\nb"}, "", "one line"),
            ({}, "a\0b", "a zero byte"),
        ):
            with self.assertRaisesRegex(ValueError, fault):
                str(kroo.ogn.Game(board, tags, comment=comment))

    def test_files_of_others(self):
        tags = '[Variant "Oware Abapa"]\n[South "{}"]\n'
        one, two = (tags.format(name) + "\n1. F f 2. E *\n" for name in ("one", "two"))
        files = {
            "a game without moves": tags.format("one") + '[Result "*"]\n\n' + two,
            "a byte order mark": "\ufeff" + one + "\n" + two,
            "a comment on top": "{from a server}\n\n" + one + "\n" + two,
            "a comment of a line on top": "; from a server\n\n" + one + "\n" + two,
            "a blank line in a comment": one.replace("f 2", "f {a\n\nb} 2") + "\n" + two,
            "no blank line between games": one + two,
            "a line for two games": one.rstrip() + " " + two,
            "blank lines on top": "\n\n \n" + one + "\n\n\n" + two,
            "no end of the last line": one + "\n" + two.rstrip(),
            "lines of Windows": (one + "\n" + two).replace("\n", "\r\n"),
        }
        for name, text in files.items():
            with self.subTest(name):
                wanted = ["one", "two"]
                self.assertEqual([game.headers["South"] for game in kroo.ogn.read_games(text)], wanted)
                file = io.StringIO(text)
                for _ in range(2):
                    found = []
                    while (game := kroo.ogn.read_game(file)) is not None:
                        found.append(game.headers["South"])
                    self.assertEqual(found, wanted)
                    file.seek(0)
                with tempfile.TemporaryDirectory() as folder:
                    path = f"{folder}/games.ogn"
                    with open(path, "w", encoding="utf-8", newline="") as out:
                        out.write(text)
                    with open(path, encoding="utf-8") as file:
                        self.assertEqual(kroo.ogn.read_game(file).headers["South"], "one")
                        file.seek(0)
                        self.assertEqual([game.headers["South"] for game in kroo.ogn.games(file)], wanted)
                    with open(path, "rb") as file:
                        self.assertEqual([game.headers["South"] for game in kroo.ogn.games(file)], wanted)

    def test_a_fault_loses_no_other_game(self):
        tags = '[Variant "Oware"]\n[South "{}"]\n\n'
        games = [tags.format(number) + "1. F f *\n\n" for number in range(5)]
        games[1] = games[1].replace("F f", "F F")
        games[3] = games[3].replace("F f", "F word")
        file = io.StringIO("".join(games))
        found, faults = [], []
        while True:
            try:
                game = kroo.ogn.read_game(file)
            except ValueError as error:
                faults.append(str(error))
                continue
            if game is None:
                break
            found.append(game.headers["South"])
        self.assertEqual(found, ["0", "2", "4"])
        self.assertEqual(len(faults), 2)
        self.assertRegex(faults[0], "line 9, column 6")
        self.assertRegex(faults[1], "line 19, column 6")

    def test_an_error_of_the_file_is_raised(self):
        class Broken(io.StringIO):
            def readline(self, size=-1):
                raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            kroo.ogn.read_game(Broken())
        with self.assertRaises(AttributeError):
            list(kroo.ogn.games(io))

    def test_variations_and_signs_are_kept(self):
        text = '[Variant "Oware"]\n[South "Ama"]\n\n1. F! {good} (1. E f (1... e D) 2. D) (1. A) f?! 2. E *\n'
        game = kroo.ogn.read_games(text)[0]
        self.assertEqual(game.comments, ["good", "", ""])
        first = game.moves[0]
        self.assertEqual((first.letter, first.sign, len(first.variations)), ("F", "!", 2))
        self.assertEqual([move.letter for move in first.variations[0]], ["E", "f", "D"])
        self.assertEqual([move.letter for move in first.variations[0][1].variations[0]], ["e", "D"])
        again = kroo.ogn.read_games(str(game))[0]
        self.assertEqual((again.moves, again.board), (game.moves, game.board))
        game.board.push("b")
        self.assertEqual(kroo.ogn.read_games(str(game))[0].moves[-1].letter, "b")
        left_out = kroo.ogn.read_games("1. F $99 *", "oware")[0].omitted
        self.assertEqual((game.omitted, left_out), ("", "line 1, column 6: left out: the annotation `$99`"))
        first.variations.append([kroo.ogn.Move("f")])
        with self.assertRaisesRegex(ValueError, "a variation"):
            str(game)
        game.moves[0] = kroo.ogn.Move("A")
        with self.assertRaisesRegex(ValueError, "not those of its board"):
            str(game)

    def test_a_bad_name_of_a_tag_is_refused(self):
        for name in ("", "a b", 'a"', "a]", "a\n", "[a", "\t"):
            with self.assertRaisesRegex(ValueError, "the name of a tag"):
                str(kroo.ogn.Game(kroo.Board(), {name: "x"}))
        odd = kroo.ogn.Game(kroo.Board(), {"Größe": 'a "b" \\ c'})
        self.assertEqual(kroo.ogn.read_games(str(odd))[0].headers["Größe"], 'a "b" \\ c')

    def test_a_wrong_move_is_named_with_its_place(self):
        with self.assertRaisesRegex(ValueError, "line 3"):
            kroo.ogn.read_games('[Variant "Oware"]\n\n1. F F 0-0\n')
        with self.assertRaises(ValueError):
            kroo.ogn.read_games("1. F *\n")
        self.assertEqual(len(kroo.ogn.read_games('[Result "*"]\n\n1. F f\n', "oware")), 1)

    def test_endgames_are_looked_up(self):
        with tempfile.TemporaryDirectory() as folder:
            for variant in ("oware", "kalah"):
                subprocess.run(
                    [ENGINE, "endgame", "build", "--variant", variant, "--seeds", "4", "--out", folder],
                    check=True, capture_output=True,
                )
                database = kroo.EndgameDatabase(folder, variant)
                self.assertEqual((database.seeds, database.variant), (4, variant))
                board = kroo.Board(variant, "0-0-0-0-1-1-0-0-0-0-0-1-22-23-S")
                score = database.probe(board)
                with kroo.Engine(ENGINE, EndgamePath=folder) as engine:
                    info = engine.analyse(board, kroo.Limit(depth=20))
                self.assertEqual(score.proven, info.score.proven)
                if variant == "kalah":
                    self.assertEqual((score.centiseeds, score.bound), (info.score.centiseeds, None))
                else:
                    # These files have the result, but only a bound of the seeds.
                    self.assertEqual((score.proven, score.bound), ("loss", "upper"))
                    self.assertGreaterEqual(score.centiseeds, info.score.centiseeds)
                self.assertEqual(score.pov("N").centiseeds, -score.centiseeds)
                with self.assertRaises(KeyError):
                    database.probe(kroo.Board(variant))
                self.assertIsNone(database.get(kroo.Board(variant)))
                with self.assertRaises(ValueError):
                    database.probe(kroo.Board("awari"))
        with self.assertRaises(OSError):
            kroo.EndgameDatabase("/no/such/folder", "oware")


@with_rules
class WithEngine(unittest.TestCase):
    def test_a_board_brings_its_rule_set_along(self):
        with kroo.Engine(ENGINE) as engine:
            for variant in ("kalah", "oware"):
                board = kroo.Board(variant)
                for _ in range(6):
                    board.push(engine.play(board, kroo.Limit(depth=2)).move)
                self.assertEqual(engine.fen(board), board.fen())

    def test_scores_know_their_side(self):
        with kroo.Engine(ENGINE, variant="oware", UCI_ShowWDL=True) as engine:
            board = kroo.Board("oware", moves="F")
            info = engine.analyse(board, kroo.Limit(depth=6))
            self.assertEqual((info.score.turn, info.score.relative), ("N", info.score))
            self.assertEqual(info.score.pov("N"), info.score)
            south = info.score.pov("S")
            self.assertEqual((south.centiseeds, south.wdl), (-info.score.centiseeds, info.score.wdl[::-1]))
            self.assertEqual(engine.analyse(kroo.Position(moves="F"), kroo.Limit(depth=6)).score.turn, "N")
        with self.assertRaises(ValueError):
            kroo.Score(5).pov("S")

    def test_every_line_is_logged(self):
        with self.assertLogs("kroo", logging.DEBUG) as logs, kroo.Engine(ENGINE):
            pass
        self.assertTrue(any(line.endswith("< uci") for line in logs.output))
        self.assertTrue(any(line.endswith("> uciok") for line in logs.output))


def _has_pettingzoo():
    import importlib.util

    return importlib.util.find_spec("pettingzoo") is not None


@unittest.skipIf(_rules is None or not _has_pettingzoo(), "kroo._rules or PettingZoo is not here")
class Environment(unittest.TestCase):
    def test_the_tests_of_pettingzoo_pass(self):
        from kroo import env
        from pettingzoo.test import api_test, seed_test

        for variant in (*kroo.VARIANTS, "kalah6", "kalah3-opponent"):
            with warnings.catch_warnings():
                # It warns of every observation that is a dictionary.
                warnings.simplefilter("ignore", UserWarning)
                api_test(env.Mancala(variant), num_cycles=300)
            seed_test(lambda: env.Mancala(variant), num_cycles=60)

    def test_what_is_no_action_is_refused(self):
        from kroo import env

        game = env.Mancala("kalah6")
        self.assertEqual(list(game.observe("south")["observation"][:6]), [6] * 6, "before `reset` it is the start")
        with self.assertRaises(RuntimeError):
            game.step(0)
        game.reset()
        for wrong in (-1, 6, None):
            with self.assertRaises(ValueError):
                game.step(wrong)
        self.assertEqual(game.board.ply(), 0)
        with self.assertRaises(ValueError):
            env.Mancala("chess")

    def test_rewards_are_those_of_the_result(self):
        from kroo import env

        game = env.Mancala("kalah")
        draw = random.Random(1)
        for _ in range(20):
            game.reset()
            total = dict.fromkeys(game.possible_agents, 0.0)
            for agent in game.agent_iter():
                observation, reward, terminated, truncated, _ = game.last()
                total[agent] += reward
                legal = [action for action, bit in enumerate(observation["action_mask"]) if bit]
                game.step(None if terminated or truncated else draw.choice(legal))
            wanted = {"1-0": (1, -1), "0-1": (-1, 1), "1/2-1/2": (0, 0)}[game.board.result()]
            self.assertEqual((total["south"], total["north"]), wanted)


if __name__ == "__main__":
    unittest.main()
