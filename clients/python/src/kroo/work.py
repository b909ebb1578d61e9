"""The commands that take time: searches, counts and solutions.

They are sent in two steps: after a refused option or position no work starts.
"""

from collections import deque
from dataclasses import replace
from typing import Deque, Dict, Mapping, Optional, Tuple

from .errors import EngineError
from .exchange import REFUSAL, Exchange, Lines, changes_to, note_reset
from .info import Info, number_of
from .solution import Bounds, Solution, bounds_of, solution_of


class Work(Exchange):
    """A command that takes time: first the options and the position, then the command itself.

    The engine answers `isready` at once, even while it works: a refusal comes before the `readyok` after the command.
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
        changes = changes_to(settings, self._wanted)
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
            note_reset(self._settings, line)
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


class _Command(Work):
    """A command of Kroo's own, which another engine may not know and never ends: a stop asks whether it is ready."""

    def __init__(self, command: str, position: str, settings: Mapping[str, str]) -> None:
        super().__init__(command, position, settings)
        self._ended = False

    def _stop_lines(self) -> Lines:
        self._readies += 1
        return ["stop", "isready"]

    def _must_answer(self) -> bool:
        return not self._ended and not (self.is_stopped and self._readies == 0)

    def _forget_answer(self) -> None:
        self._ended = True


class Perft(_Command):
    """The command `go perft`."""

    awaited = "Nodes searched"

    def __init__(self, depth: int, position: str, settings: Mapping[str, str]) -> None:
        super().__init__(f"go perft {depth}", position, settings)
        self.total = 0

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


class Solve(_Command):
    """The command `solve`."""

    awaited = "solveok"

    def __init__(self, command: str, position: str, settings: Mapping[str, str]) -> None:
        super().__init__(command, position, settings)
        self.solution: Optional[Solution] = None
        self._moves: Dict[str, Bounds] = {}

    def _work(self, line: str) -> Lines:
        try:
            if line.startswith("solve move "):
                self._moves[line.split()[2]] = bounds_of(line)
            elif line.startswith("solve position "):
                self.solution = solution_of(line, self._moves)
        except (IndexError, KeyError, ValueError):
            self._ended = True
            self.fail(EngineError(f"the engine has answered with no bounds: {line!r} after `{self.asked}`"))
        word = line.split(None, 1)[:1]
        if word in (["solveok"], ["bestmove"]):
            self._ended = True
            if word == ["bestmove"] or self.solution is None:
                self.fail(EngineError(f"the engine has not solved the position: {line!r} after `{self.asked}`"))
            else:
                self.succeed()
        self._check_end()
        return []


def _is_move(word: str) -> bool:
    return len(word) == 1 and word in "ABCDEFabcdef"


def _with_line(infos: Tuple[Info, ...], info: Info, most: int) -> Tuple[Info, ...]:
    """The lines, best first, after a new one. The last line of a move stays behind the new ones until that move has another."""
    number = info.multipv or 1
    behind = [known for known in infos[number - 1:] if known.pv and known.pv[:1] != info.pv[:1]]
    numbered = [line if line.multipv is None else replace(line, multipv=place) for place, line in enumerate(behind, number + 1)]
    return (*infos[:number - 1], info, *numbered)[:most]
