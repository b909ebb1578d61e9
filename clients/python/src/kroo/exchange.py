"""The commands of an engine as exchanges: the lines that each sends, and the line that ends it.

An exchange may have an outcome before its end: an abandoned one has failed, but the engine still has to finish with it.
"""

import re
from typing import Callable, Dict, List, Mapping, Optional, Sequence

from .errors import EngineError, EngineTimeout
from .option import Option

Lines = List[str]
REFUSAL = "info string error"
_RESET = re.compile(r"info string (\S[^:]*?) is (\S+) again\b")
RULES = ("UCI_Variant", "Seeds", "EmptyCapture", "RemainingSeeds")
"""The options that choose the rules, in the order in which they are set: the first may change the others."""


class Exchange:
    """A command and its answer. Its members are only set by the conversation, `has_outcome` last."""

    awaited = "readyok"
    """The first word of the last line."""

    def __init__(self, asked: str, patience: Optional[float] = None) -> None:
        self.asked = asked
        self.patience = patience
        """Seconds from its submission to its outcome, or to the start of an analysis; None for no limit."""
        self.deadline: Optional[float] = None
        """When it fails for want of an answer, on the clock of the conversation."""
        self.wakers: List[Callable[[], None]] = []
        """Called after every change, one for each waiting thread or task."""
        self.caller: object = None
        """The thread that awaits it. A thread awaits one exchange at a time: its next one shows that it has left this one."""
        self.is_submitted = False
        self.has_outcome = False
        self.error: Optional[EngineError] = None
        """The reason of a failure; None after a success."""
        self.is_over = False
        """Whether the engine has finished with it."""
        self.is_open = False
        """Whether it runs until its caller stops it: other commands are refused meanwhile."""
        self.gives_way = False
        """Whether it ends when there is another command."""
        self.is_stopped = False

    @property
    def is_answered(self) -> bool:
        """Whether its caller has what it awaits."""
        return self.has_outcome

    def begin(self, settings: Dict[str, Optional[str]]) -> Lines:
        """The first lines to send. `settings` are the known values of the engine's options."""
        raise NotImplementedError

    def take(self, line: str) -> Lines:
        """Takes a line of the engine, and returns lines to send."""
        raise NotImplementedError

    def stop(self) -> Lines:
        """Asks the engine to answer now."""
        return []

    def succeed(self) -> None:
        self._conclude(None)

    def fail(self, error: EngineError) -> None:
        self._conclude(error)

    def _conclude(self, error: Optional[EngineError]) -> None:
        if not self.has_outcome:
            self.is_open = self.gives_way = False
            self.error = error
            self.has_outcome = True

    def late(self, patience: Optional[float]) -> EngineTimeout:
        """The error of an answer that has not come in time."""
        return EngineTimeout(f"no `{self.awaited}` within {patience or 0:.3g} s of `{self.asked}`")

    def wake(self) -> None:
        """Wakes all that wait for it."""
        for waker in tuple(self.wakers):
            waker()


class Greeting(Exchange):
    """The command `uci`."""

    awaited = "uciok"

    def __init__(self, flags: Sequence[str] = (), patience: Optional[float] = None) -> None:
        super().__init__("uci", patience)
        self.id: Dict[str, str] = {}
        self.options: Dict[str, Option] = {}
        self.configured: Dict[str, str] = {}
        """The values of options at the engine's start, from its flags and defaults."""
        self._flags = flags
        self._settings: Dict[str, Optional[str]] = {}

    def begin(self, settings: Dict[str, Optional[str]]) -> Lines:
        self._settings = settings
        return ["uci"]

    def _values(self) -> Dict[str, str]:
        defaults = {name: self.options[name].default for name in (*RULES, "MultiPV") if name in self.options}
        values = {name: default for name, default in defaults.items() if default is not None}
        words = [part for flag in self._flags for part in flag.split("=", 1)]
        names = {_flag(name): name for name in self.options}
        values.update((names[flag], value) for flag, value in zip(words, words[1:]) if flag in names)
        return values

    def take(self, line: str) -> Lines:
        word, *rest = line.split() or [""]
        if word == "uciok":
            self.configured = self._values()
            self._settings.update(self.configured)
            self.succeed()
            self.is_over = True
        elif word == "id" and rest:
            self.id[rest[0]] = " ".join(rest[1:])
        elif word == "option":
            try:
                option = Option.parse(line)
            except EngineError:
                return []  # It cannot be set.
            self.options[option.name] = option
        return []


class Ask(Exchange):
    """A command that is answered at once, or none. `sets` is the option that it sets, and `rules` are restored before."""

    def __init__(
        self, command: str = "", sets: Optional[Mapping[str, str]] = None, rules: Optional[Mapping[str, str]] = None,
        patience: Optional[float] = None,
    ) -> None:
        super().__init__(command or "isready", patience)
        self.resets: Dict[str, str] = {}
        """Options that the engine has set back."""
        self._command = command
        self._sets = dict(sets or {})
        self._rules = rules or {}
        self._settings: Dict[str, Optional[str]] = {}
        self._refusal: Optional[str] = None

    def begin(self, settings: Dict[str, Optional[str]]) -> Lines:
        self._settings = settings
        changes = changes_to(settings, self._rules)
        settings.update(changes)
        lines = [f"setoption name {name} value {value}" for name, value in changes.items()]
        return [*lines, *([self._command] if self._command else []), "isready"]

    def take(self, line: str) -> Lines:
        if line.startswith(REFUSAL):
            self._refusal = self._refusal or line[len(REFUSAL):].strip()
        elif line == "readyok":
            self.is_over = True
            if self._refusal is not None:
                self.fail(EngineError(self._refusal))
            else:
                self._settings.update(self._sets)
                self.succeed()
        else:
            self.resets.update(note_reset(self._settings, line))
        return []


class End(Exchange):
    """Waits for the end of the engine."""

    awaited = "the end"

    def begin(self, settings: Dict[str, Optional[str]]) -> Lines:
        return []


def _flag(name: str) -> str:
    """The flag of an option on Kroo's command line."""
    flag = "seeds-a-pit" if name == "Seeds" else name.lower().replace("uci_", "").replace(" ", "-")
    return f"--{flag}"


def changes_to(settings: Mapping[str, Optional[str]], wanted: Mapping[str, str]) -> Dict[str, str]:
    """The options to set. The rules are one value: if one of them differs, all are set."""
    differing = {name for name, value in wanted.items() if settings.get(name) != value}
    if differing.intersection(RULES):
        differing.update(name for name in RULES if name in wanted)
    return {name: value for name, value in wanted.items() if name in differing}


def note_reset(settings: Dict[str, Optional[str]], line: str) -> Dict[str, str]:
    """Notes an option that another one has set back: `info string Seeds is 0 again: …`."""
    found = _RESET.match(line)
    if found is None or found[1] not in settings:
        return {}
    settings[found[1]] = found[2]
    return {found[1]: found[2]}
