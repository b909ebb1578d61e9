"""Engine options."""

from dataclasses import dataclass
from typing import List, Optional, Tuple

from .errors import EngineError


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
        """Parses a line that begins with `option`."""
        keys = ("name", "type", "default", "min", "max", "var")
        found: List[Tuple[str, List[str]]] = []
        for word in line.split()[1:]:
            if word in keys and (word == "var" or word not in [key for key, _ in found]):
                found.append((word, []))
            elif found:
                found[-1][1].append(word)
        one = {key: " ".join(words) for key, words in found if key != "var"}
        if "name" not in one or "type" not in one:
            raise EngineError(f"an option needs a name and a type: {line!r}")
        number = {key: int(one[key]) for key in ("min", "max") if key in one}
        var = tuple(" ".join(words) for key, words in found if key == "var")
        return Option(one["name"], one["type"], one.get("default"), var=var, **number)
