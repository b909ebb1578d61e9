"""The commands of an engine as exchanges: the lines that each sends, and the line that ends it.

An exchange may have an outcome before its end: an abandoned one has failed, but the engine still has to finish with it. One that
takes time is sent in two steps, so a refused option or position leaves no search behind.
"""

import re
from collections import deque
from dataclasses import replace
from typing import Callable, Deque, Dict, List, Mapping, Optional, Sequence, Tuple

from .errors import EngineError, EngineTimeout
from .info import Info, number_of
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
        """The thread that awaits it. A thread awaits one exchange at a time, so with the next it has left the last one."""
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
        """The values of options that the engine has started with, as far as its flags and defaults show."""
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
        changes = _changes(settings, self._rules)
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
            self.resets.update(_note_reset(self._settings, line))
        return []


class Work(Exchange):
    """A command that takes time: first the options and the position, then the command itself.

    The engine answers `isready` at once, even while it works, so a refusal is known before the `readyok` after the command.
    """

    def __init__(self, command: str, position: str, settings: Mapping[str, str], game: object = None) -> None:
        super().__init__(command)
        self.game = game
        """What identifies the game; None says nothing about it."""
        self.is_new_game = False
        self.has_started = False
        self._position = position
        self._wanted = settings
        self._settings: Dict[str, Optional[str]] = {}
        self._refusal: Optional[str] = None
        self._sent = False
        """Whether the command has been sent."""
        self._readies = 0
        """Awaited lines `readyok`."""

    def begin(self, settings: Dict[str, Optional[str]]) -> Lines:
        self._settings = settings
        changes = _changes(settings, self._wanted)
        for name in changes:
            settings[name] = None  # Unknown until the engine has taken it.
        lines = [f"setoption name {name} value {value}" for name, value in changes.items()]
        if self.is_new_game:
            lines.append("ucinewgame")
        self._readies = 1
        return [*lines, f"position {self._position}", "isready"]

    def take(self, line: str) -> Lines:
        if line == "readyok" and self._readies > 0:
            self._readies -= 1
            return self._ready()
        if line.startswith(REFUSAL):
            text = line[len(REFUSAL):].strip()
            # A damaged file is left out, and the search goes on.
            if not (self._sent and text.startswith("EndgamePath:")) and not self.has_started:
                self._refusal = self._refusal or text
        elif not self._sent:
            _note_reset(self._settings, line)
        else:
            return self._work(line)
        return []

    def _ready(self) -> Lines:
        if not self._sent:
            return self._prepared()
        if self._readies == 0 and self.is_stopped and not self.has_outcome and not self._must_answer():
            self.fail(EngineError(f"`{self.asked}` was stopped before its end"))
        if self._refusal is not None and not self.has_started:
            self.fail(EngineError(self._refusal))
            self.has_started = True
            # If it has begun in spite of that, it ends before the next `readyok`.
            self._readies += 1
            self._forget_answer()
            return ["stop", "isready"]
        self.has_started = True
        self._check_end()
        return []

    def _prepared(self) -> Lines:
        """Sends the command."""
        if self._refusal is not None:
            self.fail(EngineError(self._refusal))
        else:
            self._settings.update(self._wanted)
        if self.has_outcome:
            self.is_over = True
            return []
        self._sent = True
        self._readies = 1
        return [self.asked, "isready", *(self._stop_lines() if self.is_stopped else [])]

    def stop(self) -> Lines:
        if self.is_stopped or self.is_over:
            return []
        self.is_stopped = True
        self.is_open = False
        return self._stop_lines() if self._sent else []

    def _stop_lines(self) -> Lines:
        return ["stop"]

    def _work(self, line: str) -> Lines:
        """Takes a line after the command."""
        raise NotImplementedError

    def _must_answer(self) -> bool:
        """Whether the engine still owes the line that ends the command."""
        raise NotImplementedError

    def _forget_answer(self) -> None:
        """Awaits no answer after a refusal."""
        raise NotImplementedError

    def _check_end(self) -> None:
        if self._readies == 0 and not self._must_answer():
            self.is_over = True


class Search(Work):
    """The command `go`."""

    awaited = "bestmove"

    def __init__(
        self, command: str, position: str, settings: Mapping[str, str], turn: Optional[str], game: object = None,
    ) -> None:
        super().__init__(command, position, settings, game)
        self.infos: Tuple[Info, ...] = ()
        """The current lines, best first."""
        self.unread: Deque[Info] = deque()
        """What the caller has not read."""
        self.keeps_unread = False
        """Whether it is an analysis, which its caller reads while it runs."""
        self.move: Optional[str] = None
        self.ponder: Optional[str] = None
        self._turn = turn
        self._lines = 1
        """The most lines that the engine has numbered."""
        self._answered = False
        self._hit = False

    @property
    def is_answered(self) -> bool:
        return self.has_outcome or (self.keeps_unread and self.has_started)

    def hit(self) -> Lines:
        """The expected move was played: the search goes on as an ordinary one."""
        self.gives_way = False
        if self._hit or self._answered:
            return []
        self._hit = True
        return ["ponderhit"] if self._sent else []

    def _prepared(self) -> Lines:
        lines = super()._prepared()
        return [*lines, "ponderhit"] if lines and self._hit else lines

    def _work(self, line: str) -> Lines:
        word = line.split(None, 1)[0] if line else ""
        if word == "info":
            info = Info.parse(line, self._turn)
            if info.any_score is not None:
                self._lines = max(self._lines, info.multipv or 1)
                self.infos = _with_line(self.infos, info, self._lines)
                self.has_started = True
            if self.keeps_unread:
                self.unread.append(info)
        elif word == "bestmove" and not self._answered:
            self._answered = self.has_started = True
            self._answer(line)
            self._check_end()
        return []

    def _answer(self, line: str) -> None:
        words = line.split()[1:]
        move = words[0] if words else ""
        if move in ("0000", "(none)"):
            self.succeed()
            return
        if not _is_move(move):
            self.fail(EngineError(f"the engine has answered with no move of this game: {line!r}"))
            return
        self.move = move
        if words[1:2] == ["ponder"] and len(words) > 2 and _is_move(words[2]):
            self.ponder = words[2]
        self.succeed()

    def _must_answer(self) -> bool:
        return not self._answered

    def _forget_answer(self) -> None:
        self._answered = True


class Perft(Work):
    """The command `go perft`."""

    awaited = "Nodes searched"

    def __init__(self, depth: int, position: str, settings: Mapping[str, str]) -> None:
        super().__init__(f"go perft {depth}", position, settings)
        self.total = 0
        self._ended = False

    def _work(self, line: str) -> Lines:
        name, _, count = line.partition(":")
        total = number_of(count)
        if name == "Nodes searched" and total is not None:
            self.total = total
            self._ended = True
            self.succeed()
        elif line.split(None, 1)[:1] == ["bestmove"]:
            self._ended = True
            self.fail(EngineError(f"the engine has searched instead of counting: {line!r} after `{self.asked}`"))
        self._check_end()
        return []

    def _stop_lines(self) -> Lines:
        # An engine that does not know the command never ends it.
        self._readies += 1
        return ["stop", "isready"]

    def _must_answer(self) -> bool:
        return not self._ended and not (self.is_stopped and self._readies == 0)

    def _forget_answer(self) -> None:
        self._ended = True


class End(Exchange):
    """Waits for the end of the engine."""

    awaited = "the end"

    def begin(self, settings: Dict[str, Optional[str]]) -> Lines:
        return []


def _is_move(word: str) -> bool:
    return len(word) == 1 and word in "ABCDEFabcdef"


def _with_line(infos: Tuple[Info, ...], info: Info, most: int) -> Tuple[Info, ...]:
    """The lines, best first, after a new one. The last line of a move stays behind the new ones until that move has another."""
    number = info.multipv or 1
    behind = [known for known in infos[number - 1:] if known.pv and known.pv[:1] != info.pv[:1]]
    numbered = [line if line.multipv is None else replace(line, multipv=place) for place, line in enumerate(behind, number + 1)]
    return (*infos[:number - 1], info, *numbered)[:most]


def _flag(name: str) -> str:
    """The flag of an option on Kroo's command line."""
    flag = "seeds-a-pit" if name == "Seeds" else name.lower().replace("uci_", "").replace(" ", "-")
    return f"--{flag}"


def _changes(settings: Mapping[str, Optional[str]], wanted: Mapping[str, str]) -> Dict[str, str]:
    """The options to set. The rules are one value: if one of them differs, all are set."""
    differing = {name for name, value in wanted.items() if settings.get(name) != value}
    if differing.intersection(RULES):
        differing.update(name for name in RULES if name in wanted)
    return {name: value for name, value in wanted.items() if name in differing}


def _note_reset(settings: Dict[str, Optional[str]], line: str) -> Dict[str, str]:
    """Notes an option that another one has set back: `info string Seeds is 0 again: …`."""
    found = _RESET.match(line)
    if found is None or found[1] not in settings:
        return {}
    settings[found[1]] = found[2]
    return {found[1]: found[2]}
