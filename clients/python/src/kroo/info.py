"""Search info of an engine."""

from dataclasses import dataclass
from typing import Callable, Dict, List, Optional, Tuple

_NUMBERS = ("depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "currmovenumber")


@dataclass(frozen=True)
class Score:
    """A score, seen by the side to move, or by another side after `pov`."""

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
    score: Optional[Score] = None
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
                found["score"] = _score(words, turn)
            elif word == "time":
                milliseconds = _number(words)
                found["time"] = None if milliseconds is None else milliseconds / 1000
            elif word == "currmove" and words:
                found["currmove"] = words.pop(0)
            elif word in _NUMBERS:
                found[word] = _number(words)
        return Info(**found)  # type: ignore[arg-type]


def _number(words: List[str]) -> Optional[int]:
    try:
        number = int(words[0])
    except (IndexError, ValueError):
        return None
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
        elif word == "proven" and len(words) > 1:
            rest["proven"] = words[1]
            del words[:2]
        elif word == "found" and len(words) > 1:
            rest["found"] = words[1]
            del words[:2]
        elif word == "wdl" and len(words) > 3:
            rest["wdl"] = tuple(int(chance) for chance in words[1:4])
            del words[:4]
        else:
            break
    if centiseeds is None and rest.get("mate") is None:
        return None
    return Score(centiseeds or 0, turn=turn, **rest)  # type: ignore[arg-type]
