"""An engine for oware with rules of its own, for the tests of `referee check`. Its argument names its one fault."""
import random
import sys

FAULT = sys.argv[1] if len(sys.argv) > 1 else "none"
LETTERS = "ABCDEFabcdef"


class Refused(Exception):
    pass


class Game:
    def __init__(self, fields="4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"):
        words = fields.split("-")
        if len(words) != 15 or words[14] not in ("S", "N") or not all(word.isdigit() for word in words[:14]):
            raise Refused("a position has fourteen numbers and a side")
        numbers = [int(word) for word in words[:14]]
        self.pits, self.stores, self.side = numbers[:12], numbers[12:], "SN".index(words[14])
        if sum(numbers) != 48:
            raise Refused("the seeds do not add up to 48")
        self.seen = [(tuple(self.pits), self.side)]
        self.repeated = False

    def row(self, side):
        return range(6 * side, 6 * side + 6)

    def sown(self, pit):
        pits, at = self.pits[:], pit
        seeds, pits[pit] = pits[pit], 0
        while seeds:
            at = (at + 1) % 12
            if at != pit:
                pits[at] += 1
                seeds -= 1
        return pits, at

    def moves(self):
        if max(self.stores) > 24 or self.stores == [24, 24] or self.repeated:
            return []
        moves = [pit for pit in self.row(self.side) if self.pits[pit]]
        other = self.row(1 - self.side)
        if FAULT == "no-feeding" or any(self.pits[pit] for pit in other):
            return moves
        return [pit for pit in moves if any(self.sown(pit)[0][cell] for cell in other)]

    def play(self, pit):
        if pit not in self.moves():
            raise Refused(f"{LETTERS[pit]} cannot be played")
        self.pits, at = self.sown(pit)
        taken, other = [], self.row(1 - self.side)
        while at in other and self.pits[at] in (2, 3):
            taken.append(at)
            at -= 1
        if FAULT != "grand-slam-captures" and all(self.pits[cell] == 0 for cell in other if cell not in taken):
            taken = []
        for cell in taken:
            self.stores[self.side] += self.pits[cell]
            self.pits[cell] = 0
        self.side = 1 - self.side
        here = (tuple(self.pits), self.side)
        self.seen = [] if taken else self.seen
        self.repeated = here in self.seen and FAULT != "no-repetition"
        self.seen.append(here)


def position(words):
    game = Game(words[1]) if words[0] == "fen" else Game()
    for letter in "".join(words[3 if words[0] == "fen" else 2 :]):
        if letter not in LETTERS:
            raise Refused(f"{letter} is no pit")
        game.play(LETTERS.index(letter))
    return game


def main():
    game, searching, drawn = Game(), False, random.Random(1)
    for line in sys.stdin.buffer:
        words = line.decode("utf-8", "replace").split()
        if words[:1] == ["uci"]:
            print("id name Heretic\noption name UCI_Variant type combo default oware var oware\nuciok")
        elif words == ["isready"]:
            print("readyok")
        elif words[:1] == ["position"]:
            try:
                game = position(words[1:])
            except (Refused, IndexError) as error:
                game = Game() if FAULT == "restarts" else game
                if FAULT != "silent":
                    print(f"info string error position: {error}")
        if words[:1] == ["go"]:
            searching = True
        if words[:1] == ["stop"] and searching or words[:1] == ["go"] and not {"infinite", "ponder"} & set(words):
            searching = False
            moves = game.moves()
            best = LETTERS[drawn.choice(moves)] if moves else "0000"
            score = 1000000 if FAULT == "boasts" else 0
            line = best + "zz" if FAULT == "garbles" else best
            if moves:
                print(f"info depth 1 score cp {score} pv {line}")
            print(f"bestmove {best}")
        if words == ["quit"]:
            break
        if FAULT != "unflushed":
            sys.stdout.flush()


main()
