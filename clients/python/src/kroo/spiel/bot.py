"""Kroo as a bot of OpenSpiel."""

import importlib
from typing import Any, List, Optional, Tuple

from .._rules import Board
from ..commands import Value
from ..engine import Engine
from ..limit import Limit
from ..process import Command
from . import conversion

try:
    # Without types.
    _pyspiel: Any = importlib.import_module("pyspiel")
except ImportError as error:
    raise ImportError("kroo.spiel.Bot needs OpenSpiel: pip install 'kroo[spiel]', with Python 3.11 or later") from error


class Bot(_pyspiel.Bot):
    """A player of OpenSpiel's `mancala` or `oware`: `Bot(0, kroo.Limit(nodes=10_000))`, or `Bot(1, elo=1200)`.

    `player` is 0 or 1, the first or the second to move. The default limit is 0.1 seconds a move; `elo` is a strength on the
    scale of the option `UCI_Elo`. `engine` is the command of `kroo.Engine`, which starts with the bot and ends with `close`, or
    with the bot, and `options` are the engine's. A game that OpenSpiel has and Kroo has not raises ValueError.
    """

    def __init__(
        self,
        player: int,
        limit: Optional[Limit] = None,
        *,
        engine: Optional[Command] = None,
        elo: Optional[int] = None,
        **options: Value,
    ) -> None:
        if player not in (0, 1):
            raise ValueError(f"a player is 0 or 1, not {player!r}")
        _pyspiel.Bot.__init__(self)
        self._player = player
        self._limit = Limit(time=0.1) if limit is None else limit
        self._engine = Engine(engine)
        try:
            self._engine.configure(options)
        except BaseException:
            self._engine.kill()
            raise
        self._elo = elo
        self._rules: Optional[str] = None
        """The rule set for which the engine is configured."""
        self._games = 0

    def player_id(self) -> int:
        """The number of its player."""
        return self._player

    def restart(self) -> None:
        """Another game begins."""
        self._games += 1

    def restart_at(self, state: Any) -> None:
        """Another game begins, at a state."""
        self.restart()

    def inform_action(self, state: Any, player: int, action: int) -> None:
        """Does nothing: each state has its history."""

    def step(self, state: Any) -> int:
        """The chosen action."""
        board = conversion.board(state.history(), str(state.get_game()))
        self._prepare(board)
        found = self._engine.play(board, self._limit, game=self._games)
        return conversion.action(found.move, board.variant)

    def provides_policy(self) -> bool:
        """It does: a policy that chooses one action."""
        return True

    def step_with_policy(self, state: Any) -> Tuple[List[Tuple[int, float]], int]:
        """A policy that chooses one action, and that action."""
        chosen = self.step(state)
        return [(action, float(action == chosen)) for action in state.legal_actions()], chosen

    def get_policy(self, state: Any) -> List[Tuple[int, float]]:
        """A policy that chooses one action."""
        return self.step_with_policy(state)[0]

    def close(self) -> None:
        """Ends the engine."""
        self._engine.quit()

    def _prepare(self, board: Board) -> None:
        """The strength is set after the rules, whose scale it is on."""
        if self._rules == board.variant:
            return
        self._engine.configure({"UCI_Variant": board.variant})
        if self._elo is not None:
            self._engine.configure({"UCI_LimitStrength": True, "UCI_Elo": self._elo})
        self._rules = board.variant
