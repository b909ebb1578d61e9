"""Engine options."""

from dataclasses import dataclass
from typing import List, Optional, Tuple

from .errors import EngineError
from .info import number_of


@dataclass(frozen=True)
class Option:
    """An option as the engine declares it."""

    name: str
    type: str
    """`check`, `spin`, `combo`, `string` or `button`."""
    default: Optional[str] = None
    min: Optional[int] = None
    max: Optional[int] = None
    var: Tuple[str, ...] = ()
    """The values of a `combo`."""

    @staticmethod
    def parse(line: str) -> "Option":
        """Parses a line that begins with `option`. A `min` or `max` that is no whole number is skipped."""
        keys = ("name", "type", "default", "min", "max", "var")
        found: List[Tuple[str, List[str]]] = []
        for word in line.split()[1:]:
            if word in keys and (word == "var" or word not in [key for key, _ in found]):
                found.append((word, []))
            elif found:
                found[-1][1].append(word)
        one = {key: " ".join(words) for key, words in found if key != "var"}
        if not one.get("name") or not one.get("type"):
            raise EngineError(f"an option needs a name and a type: {line!r}")
        low, high = (number_of(one.get(key, "")) for key in ("min", "max"))
        var = tuple(" ".join(words) for key, words in found if key == "var")
        return Option(one["name"], one["type"], one.get("default"), low, high, var)
