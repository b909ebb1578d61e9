"""The calls of an engine as exchanges, for `Engine` and `AsyncEngine`: rules, options, limits and positions as text."""

import math
import numbers
import time as clock
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING, Dict, Mapping, Optional, Tuple, Union

from .analysis import PlayResult, result_of
from .errors import EngineError
from .exchange import RULES, Ask, Greeting
from .limit import Limit
from .option import Option
from .position import Moves, Position, split_moves
from .work import Perft, Search, Solve

if TYPE_CHECKING:
    from .board import Board

Place = Union[Position, "Board"]
"""A position to search: text, by the rules that the engine is configured for, or a board, which has its own rules."""

Value = Union[str, int, float, bool, None]

_USUAL = {"Seeds": "0", "EmptyCapture": "false", "RemainingSeeds": "owner"}
"""The rules that are part of a board's name."""
_LOST_WITH_RULES = ("EvalFile",)
"""Options that the engine sets back when the rules change."""


class Commands:
    """What an engine can be asked, and the options that its user has configured."""

    def __init__(self, timeout: Optional[float]) -> None:
        self.id: Dict[str, str] = {}
        self.options: Mapping[str, Option] = {}
        self._timeout: Optional[float] = None
        self.timeout = timeout
        self._configured: Dict[str, str] = {}
        """The rules and other options as they are configured."""
        self._pondering: Optional[Tuple[object, Search]] = None

    @property
    def timeout(self) -> Optional[float]:
        """The limit of every command but a search, in seconds; None is no limit."""
        return self._timeout

    @timeout.setter
    def timeout(self, value: Optional[float]) -> None:
        known: object = value
        if known is not None and (isinstance(known, bool) or not isinstance(known, numbers.Real)):
            raise TypeError(f"`timeout` is a number of seconds, or None for no limit, not {known!r}")
        if value is not None and not value >= 0:
            raise ValueError(f"`timeout` is a number of seconds from 0, or None for no limit, not {value!r}")
        self._timeout = None if value is None else float(value)

    def greeted(self, greeting: Greeting) -> None:
        """Takes the engine's introduction."""
        self.id, self.options = greeting.id, greeting.options
        self._configured = dict(greeting.configured)

    # Options

    def configure(self, wanted: str, value: Value) -> Tuple[Ask, Dict[str, str]]:
        """The command that sets an option, and the configuration after it."""
        known = {_plain(name): name for name in self.options}
        name = known.get(_plain(wanted))
        if name is None:
            raise EngineError(f"no option is called {wanted!r}; the options are {', '.join(self.options)}")
        if value is None:
            return Ask(f"setoption name {name}", patience=self.patience_of()), {}
        text = str(value)
        text = text.lower() if text in ("True", "False") else text
        _check_line(text)
        # An earlier board may have left other rules.
        rules = self._rules() if name in RULES else None
        return Ask(f"setoption name {name} value {text}", {name: text}, rules, self.patience_of()), {name: text}

    def note(self, ask: Ask, configured: Mapping[str, str]) -> None:
        """Notes an option that the engine has taken, and those that it has set back for it."""
        self._configured.update(configured)
        for name, value in ask.resets.items():
            if name in RULES:
                self._configured[name] = value
            else:
                self._configured.pop(name, None)

    # Positions

    def _rules(self) -> Dict[str, str]:
        """The rules of plain positions."""
        return {name: self._configured[name] for name in RULES if name in self._configured}

    def _settings(self, place: Place, multipv: Optional[int], ponder: bool = False) -> Dict[str, str]:
        """The options that a search needs."""
        own = self._rules()
        rules = own
        if not isinstance(place, Position):
            rules = {name: _USUAL.get(name, place.variant) for name in RULES if name in self.options}
        wanted = dict(rules)
        if rules == own or self._name(rules) == self._name(own):
            wanted = dict(own)
            wanted.update((name, self._configured[name]) for name in _LOST_WITH_RULES if name in self._configured)
        if multipv is not None:
            wanted["MultiPV"] = str(multipv)
        elif "MultiPV" in self._configured:
            wanted["MultiPV"] = self._configured["MultiPV"]
        if ponder and "Ponder" in self.options:
            wanted["Ponder"] = "true"
        return wanted

    @staticmethod
    def _name(rules: Mapping[str, str]) -> Optional[str]:
        """The name of a rule set that is given by options; None if it is not known."""
        try:
            from ._rules import rules_name
        except ImportError:
            return None
        try:
            return rules_name(list(rules.items())) if "UCI_Variant" in rules else None
        except ValueError:
            return None

    def board(self, place: Place) -> "Board":
        """The board of a position. Raises EngineError for an illegal move or an invalid position."""
        if not isinstance(place, Position):
            return place
        from .board import Board  # Without the compiled rules this is the error.

        name = self._name(self._rules())
        if name is None:
            raise EngineError("the rules of a plain position are not known, as the engine does not name its own: use a Board")
        try:
            return Board(name, place.fen, place.moves)
        except ValueError as error:
            raise EngineError(str(error)) from None

    def result(self, place: Place) -> Optional[str]:
        result = self.board(place).result()
        return None if result == "*" else result

    def _turn(self, place: Place) -> Optional[str]:
        """The side to move, if it is known."""
        if not isinstance(place, Position):
            return place.turn
        if not place.moves:
            return "S" if place.fen is None else place.turn
        try:
            return self.board(place).turn
        except (EngineError, ImportError):
            return None

    # Searches

    def search(
        self, place: Place, limit: Limit, *, multipv: Optional[int] = None, root_moves: Optional[Moves] = None,
        game: object = None, ponder: bool = False,
    ) -> Search:
        """The command `go`. With `ponder` a search on the opponent's time may follow."""
        words = limit.words() or "infinite"
        if root_moves is not None:
            words += f" searchmoves {''.join(split_moves(root_moves))}"
        settings = self._settings(place, multipv, ponder)
        return Search(f"go {words}", words_of_place(place), settings, self._turn(place), game)

    def perft(self, place: Place, depth: int) -> Perft:
        return Perft(depth, words_of_place(place), self._settings(place, None))

    def solve(self, place: Place, moves: bool, limit: Optional[Limit], bound: Optional[str], timeout: Optional[float]) -> Solve:
        if bound not in (None, "win", "draw"):
            raise ValueError(f"`bound` is 'win', 'draw' or None, not {bound!r}")
        limit = Limit() if limit is None else limit
        if limit != Limit(time=limit.time, nodes=limit.nodes):
            raise ValueError(f"the limit of a solution has `time` and `nodes` only, not {limit!r}")
        words = ["solve", *(["moves"] if moves else []), *([f"bound {bound}"] if bound else []), limit.words()]
        solve = Solve(" ".join(words).strip(), words_of_place(place), self._settings(place, None))
        solve.patience = self.patience(limit, timeout)
        return solve

    def checked(self, place: Place, search: Search) -> PlayResult:
        """The result of a search whose move is legal. Raises EngineError otherwise."""
        result = result_of(search)
        try:
            board = self.board(place)
        except (EngineError, ImportError):
            return result  # The rules are not known.
        if not board.is_legal(result.move):
            raise EngineError(f"the engine has answered with an illegal move: `{result.move}` in {board.fen()}")
        return result

    # Pondering

    def ponderhit(self, place: Place, limit: Limit, root_moves: Optional[Moves]) -> Optional[Search]:
        """The search on the opponent's time that awaits this position."""
        pondering, self._pondering = self._pondering, None
        if pondering is None or pondering[0] != self._key(place, limit) or root_moves is not None:
            return None
        return None if pondering[1].error is not None else pondering[1]

    def pondering(
        self, place: Place, limit: Limit, result: PlayResult, began: float, game: object,
    ) -> Optional[Search]:
        """The search for the reply to the expected reply; None if the engine expects none of the other side."""
        if result.ponder is None or result.ponder.isupper() == result.move.isupper():
            return None
        try:
            board = self.board(place).copy()
            for move in (result.move, result.ponder):
                board.push(move)
        except (EngineError, ImportError, ValueError):
            return None
        if board.is_game_over():
            return None
        later = _as_position(place).push(result.move + result.ponder)
        after = _later(limit, result.move, clock.monotonic() - began)
        search = Search(
            f"go ponder {after.words()}", later.words(), self._settings(place, None, True), board.turn, game,
        )
        search.gives_way = True
        self._pondering = (self._key(place, limit, result.move + result.ponder), search)
        return search

    def _key(self, place: Place, limit: Limit, moves: str = "") -> object:
        """What a search on the opponent's time depends on, apart from the clocks."""
        rest = replace(limit, south_clock=None, north_clock=None, moves_to_go=None)
        return (tuple(self._settings(place, None, True).items()), _as_position(place).push(moves), rest)

    # Times

    def patience(self, limit: Limit, timeout: Optional[float]) -> Optional[float]:
        """The timeout of a search in seconds."""
        if timeout is not None:
            return None if math.isinf(timeout) else timeout
        clocks = [time for time in (limit.south_clock, limit.north_clock) if time is not None]
        longest = limit.time if limit.time is not None else max(clocks, default=None)
        margin = self.patience_of()
        return None if longest is None or margin is None else max(longest, 0) + margin

    def patience_of(self, timeout: Optional[float] = None) -> Optional[float]:
        """The timeout of another command in seconds."""
        timeout = self.timeout if timeout is None else timeout
        return None if timeout is None or math.isinf(timeout) else timeout


def snapshot(place: Place) -> Place:
    """A place that does not change during a search."""
    return place if isinstance(place, Position) else place.copy()


def words_of_place(place: Place) -> str:
    """A position as words of the command `position`."""
    return _as_position(place).words()


def _as_position(place: Place) -> Position:
    return place if isinstance(place, Position) else Position(place.start_fen, place.move_stack)


def bounded(limit: Limit) -> Limit:
    """A limit that ends a search."""
    if not isinstance(limit, Limit):
        raise TypeError(f"a limit is a kroo.Limit, such as Limit(time=0.5), not {limit!r}")
    if not limit.words():
        raise ValueError("a search without a limit never answers; use `analysis`, which can be stopped")
    return limit


def whole(name: str, value: int) -> int:
    """A whole number, also one of NumPy."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"`{name}` is a whole number, not {value!r}")
    return int(value)


def _later(limit: Limit, move: str, elapsed: float) -> Limit:
    """The limit at the next move, after a time has passed on the mover's clock."""
    if limit.moves_to_go is not None:
        limit = replace(limit, moves_to_go=limit.moves_to_go - 1 or None)
    if move.isupper():
        if limit.south_clock is None:
            return limit
        return replace(limit, south_clock=limit.south_clock - elapsed + (limit.south_inc or 0))
    if limit.north_clock is None:
        return limit
    return replace(limit, north_clock=limit.north_clock - elapsed + (limit.north_inc or 0))


def _check_line(text: str) -> None:
    if any(unicodedata.category(sign) == "Cc" for sign in text):
        raise ValueError(f"a command is one line without control characters, not {text!r}")


def _plain(name: str) -> str:
    return name.replace("_", "").replace(" ", "").lower()
