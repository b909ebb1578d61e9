"""Search info of an engine."""

import re
from dataclasses import dataclass
from typing import Callable, Dict, List, Optional, Tuple

from .errors import EngineError

RESULTS = ("win", "draw", "loss")
_NUMBERS = ("depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "currmovenumber")


@dataclass(frozen=True)
class Score:
    """A score, seen by the side to move, or by another side after `pov`.

    Scores of the same side are ordered: proven wins, found wins, estimates and draws, found losses, proven losses.
    """

    centiseeds: int
    """The final difference of the stores, in hundredths of a seed; for a win at least 100, whatever its margin."""
    proven: Optional[str] = None
    """`win`, `draw` or `loss` if proven."""
    bound: Optional[str] = None
    """`lower` or `upper` if the difference is a bound; None if it is the search's value."""
    wdl: Optional[Tuple[int, int, int]] = None
    """Chances of a win, a draw and a loss in thousandths, with the option `UCI_ShowWDL`."""
    mate: Optional[int] = None
    """Moves to the end, from engines that count them; negative if the side to move loses. Kroo does not."""
    found: Optional[str] = None
    """`win` or `loss` if the line ends so, without a proof."""

    turn: Optional[str] = None
    """The side to move, `S` or `N`, if known."""

    def _order(self) -> Tuple[int, int, int]:
        """The order of MultiPV: proven wins, found wins, estimates and draws, found losses, proven losses."""
        if self.mate is not None:
            # A shorter way to win is better, a longer one to lose.
            return (2 if self.mate > 0 else -2, -self.mate, 0)
        rank = {"win": 2, "loss": -2}.get(self.proven or "", 0) or {"win": 1, "loss": -1}.get(self.found or "", 0)
        return (rank, self.centiseeds, {"lower": 1, "upper": -1}.get(self.bound or "", 0))

    def _orders(self, other: object) -> Optional[Tuple[Tuple[int, int, int], Tuple[int, int, int]]]:
        if not isinstance(other, Score):
            return None
        if self.turn is not None and other.turn is not None and self.turn != other.turn:
            raise ValueError("the scores are those of different sides: compare `pov` of one side")
        return self._order(), other._order()

    def __lt__(self, other: object) -> bool:
        orders = self._orders(other)
        return NotImplemented if orders is None else orders[0] < orders[1]

    def __le__(self, other: object) -> bool:
        orders = self._orders(other)
        return NotImplemented if orders is None else orders[0] <= orders[1]

    def __gt__(self, other: object) -> bool:
        orders = self._orders(other)
        return NotImplemented if orders is None else orders[0] > orders[1]

    def __ge__(self, other: object) -> bool:
        orders = self._orders(other)
        return NotImplemented if orders is None else orders[0] >= orders[1]

    @property
    def relative(self) -> "Score":
        """The score seen by the side to move: this one."""
        return self

    def pov(self, side: str) -> "Score":
        """The score seen by a side, `S` or `N`. Raises ValueError if the side to move is unknown."""
        if side not in ("S", "N"):
            raise ValueError(f"a side is 'S' or 'N', not {side!r}")
        if self.turn is None:
            raise ValueError("the side to move of this score is not known")
        if side == self.turn:
            return self
        turned = {"win": "loss", "loss": "win", "lower": "upper", "upper": "lower", "draw": "draw"}
        return Score(
            -self.centiseeds,
            proven=turned.get(self.proven or ""),
            bound=turned.get(self.bound or ""),
            wdl=None if self.wdl is None else (self.wdl[2], self.wdl[1], self.wdl[0]),
            mate=None if self.mate is None else -self.mate,
            found=turned.get(self.found or ""),
            turn=side,
        )

    @property
    def seeds(self) -> float:
        """The final difference in seeds."""
        return self.centiseeds / 100


@dataclass(frozen=True)
class Info:
    """A line `info`. Missing fields are None, and a missing `pv` is empty."""

    depth: Optional[int] = None
    seldepth: Optional[int] = None
    multipv: Optional[int] = None
    any_score: Optional[Score] = None
    """The score, or None if the line has none."""
    nodes: Optional[int] = None
    nps: Optional[int] = None
    hashfull: Optional[int] = None
    tbhits: Optional[int] = None
    time: Optional[float] = None
    """Seconds since the search began."""
    pv: Tuple[str, ...] = ()
    currmove: Optional[str] = None
    currmovenumber: Optional[int] = None
    string: Optional[str] = None
    """Text for people."""

    @property
    def score(self) -> Score:
        """The score. Raises EngineError if the line has none."""
        if self.any_score is None:
            raise EngineError("the engine has given no score here")
        return self.any_score

    @staticmethod
    def parse(line: str, turn: Optional[str] = None) -> "Info":
        """Parses a line that begins with `info`. Unknown and invalid words are skipped.

        `turn` is the side to move in its position.
        """
        words = line.split()[1:]
        found: Dict[str, object] = {}
        while words:
            word = words.pop(0)
            if word == "string":
                found["string"] = line.split("string", 1)[1].strip()
                break
            if word == "pv":
                moves: List[str] = []
                while words and set(words[0]) <= set("ABCDEFabcdef"):
                    moves += words.pop(0)
                found["pv"] = tuple(moves)
            elif word == "score":
                found["any_score"] = _score(words, turn)
            elif word == "time":
                milliseconds = _number(words)
                found["time"] = None if milliseconds is None else milliseconds / 1000
            elif word == "currmove" and words:
                found["currmove"] = words.pop(0)
            elif word in _NUMBERS:
                found[word] = _number(words)
        return Info(**found)  # type: ignore[arg-type]


def number_of(word: str) -> Optional[int]:
    """A whole number of at most 18 digits, or None."""
    return int(word) if re.fullmatch(r"\s*[+-]?[0-9]{1,18}\s*", word) else None


def _number(words: List[str]) -> Optional[int]:
    """Takes a number."""
    number = number_of(words[0]) if words else None
    if number is not None:
        del words[0]
    return number


def _score(words: List[str], turn: Optional[str]) -> Optional[Score]:
    centiseeds: Optional[int] = None
    rest: Dict[str, object] = {}
    readers: Dict[str, Callable[[], None]] = {
        "lowerbound": lambda: rest.update(bound="lower"),
        "upperbound": lambda: rest.update(bound="upper"),
    }
    while words:
        word = words[0]
        if word == "cp":
            del words[0]
            centiseeds = _number(words)
        elif word == "mate":
            del words[0]
            rest["mate"] = _number(words)
        elif word in readers:
            readers[words.pop(0)]()
        elif word in ("proven", "found") and words[1:2] and words[1] in RESULTS:
            rest[word] = words[1]
            del words[:2]
        elif word == "wdl" and None not in (chances := tuple(map(number_of, words[1:4]))) and len(chances) == 3:
            rest["wdl"] = chances
            del words[:4]
        else:
            break
    if centiseeds is None and rest.get("mate") is None:
        return None
    return Score(centiseeds or 0, turn=turn, **rest)  # type: ignore[arg-type]
