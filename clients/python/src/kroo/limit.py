"""Search limits."""

import math
import numbers
from dataclasses import dataclass, fields
from typing import Optional


@dataclass(frozen=True)
class Limit:
    """The limits of a search. The first one reached ends it; without any it runs until it is stopped.

    Times are in seconds, as in the standard library. The clocks are those of the whole game; only the one of the side to
    move limits a search.
    """

    time: Optional[float] = None
    """Time for this move."""
    depth: Optional[int] = None
    """Maximum depth in plies."""
    nodes: Optional[int] = None
    """Maximum positions."""
    mate: Optional[int] = None
    """Maximum moves of each side to look ahead; a proven win ends the search."""
    south_clock: Optional[float] = None
    north_clock: Optional[float] = None
    south_inc: Optional[float] = None
    north_inc: Optional[float] = None
    moves_to_go: Optional[int] = None
    """Moves to the next time control."""

    def __post_init__(self) -> None:
        for field in fields(self):
            name, value = field.name, getattr(self, field.name)
            if value is None:
                continue
            timed = name in ("time", "south_clock", "north_clock", "south_inc", "north_inc")
            # Numbers of NumPy are of these kinds too.
            if isinstance(value, bool):
                number = None
            elif timed:
                number = float(value) if isinstance(value, numbers.Real) else None
            else:
                number = int(value) if isinstance(value, numbers.Integral) else None
            if number is None:
                wanted = "a number of seconds" if timed else "a whole number"
                raise TypeError(f"the limit `{name}` is {wanted}, not {value!r}")
            object.__setattr__(self, name, number)
            # A clock may have run out.
            if not math.isfinite(number) or (number < 0 and not name.endswith("_clock")):
                raise ValueError(f"the limit `{name}` must be finite and not negative, not {value!r}")

    def words(self) -> str:
        """The limits as words of the command `go`."""
        times = (
            ("movetime", self.time),
            ("wtime", self.south_clock),
            ("btime", self.north_clock),
            ("winc", self.south_inc),
            ("binc", self.north_inc),
        )
        numbers = (
            ("depth", self.depth),
            ("nodes", self.nodes),
            ("mate", self.mate),
            ("movestogo", self.moves_to_go),
        )
        words = [f"{word} {_milliseconds(word, time)}" for word, time in times if time is not None]
        words += [f"{word} {number}" for word, number in numbers if number is not None]
        return " ".join(words)


def _milliseconds(word: str, seconds: float) -> int:
    milliseconds = round(1000 * seconds)
    # A clock may have run out; a time for a move is at least 1 ms.
    return milliseconds if word in ("wtime", "btime") else max(milliseconds, int(word == "movetime"))
