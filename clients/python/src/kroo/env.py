"""The games as a PettingZoo environment: `pip install kroo[env]`.

    from kroo import env

    game = env.Mancala("oware")
    game.reset(seed=1)
    for agent in game.agent_iter():
        _, reward, terminated, truncated, _ = game.last()
        mask = game.observe(agent)["action_mask"]
        game.step(None if terminated or truncated else int(game.action_space(agent).sample(mask)))
"""

import numbers
from typing import Any, Dict, Optional

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv

from ._rules import Board

Observation = Dict[str, npt.NDArray[np.int8]]
_AGENTS = {"S": "south", "N": "north"}


class Mancala(AECEnv[str, Observation, Optional[int]]):
    """A game for two agents, `south` and `north`. Action `i` sows the agent's own pit `i`, the first at its left.

    An observation is a dictionary: `observation` has the agent's six pits, its opponent's, its store and the opponent's;
    `action_mask` has a 1 for each legal action. The reward at the end is 1 for the winner and -1 for the loser. In `kalah`,
    `avalanche` and `awari1978` an agent may move twice in a row. After `max_moves` moves the game is truncated without a winner.
    """

    metadata = {"render_modes": ["ansi", "human"], "name": "kroo_v0", "is_parallelizable": False}

    def __init__(self, variant: str = "awari", *, max_moves: int = 250, render_mode: Optional[str] = None) -> None:
        super().__init__()
        if render_mode not in (None, "ansi", "human"):
            raise ValueError(f"`render_mode` is 'ansi', 'human' or None, not {render_mode!r}")
        known: object = max_moves
        if isinstance(known, bool) or not isinstance(known, numbers.Integral) or int(known) < 1:
            raise ValueError(f"`max_moves` is a whole number from 1, not {known!r}")
        self.board = Board(variant)
        self.variant = self.board.variant
        self.max_moves = int(max_moves)
        self.render_mode = render_mode
        self.possible_agents = list(_AGENTS.values())
        self.agents = list(self.possible_agents)
        self.agent_selection = _AGENTS[self.board.turn]
        self._seeds = seeds = sum(self.board.pits)
        self._action_space = spaces.Discrete(6)
        self._observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, seeds, (14,), np.int8),
                "action_mask": spaces.Box(0, 1, (6,), np.int8),
            }
        )

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._action_space

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        """Starts a game; `options` may have `fen`, the first position. The seed has no effect: nothing is random.

        Raises ValueError for another option, or a position with more seeds than the game has, and keeps the game then.
        """
        options = options or {}
        # PettingZoo's own test of environments sends `options`.
        others = [name for name in options if name not in ("fen", "options")]
        if others:
            raise ValueError(f"`fen` is the only option of `reset`, not {others[0]!r}")
        board = Board(self.variant, options.get("fen"))
        seeds = sum(board.pits) + sum(board.stores)
        if seeds > self._seeds:
            raise ValueError(f"a position of {self.variant} has at most {self._seeds} seeds, as its observations have, not {seeds}")
        self.board = board
        self.agents = list(self.possible_agents)
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = {agent: 0.0 for agent in self.agents}
        self.terminations = {agent: self.board.is_game_over() for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self.infos: Dict[str, Dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = _AGENTS[self.board.turn]

    def observe(self, agent: str) -> Observation:
        south = agent == "south"
        pits, stores = self.board.pits, self.board.stores
        own, other = (pits[:6], pits[6:]) if south else (pits[6:], pits[:6])
        numbers = (*own, *other, *(stores if south else stores[::-1]))
        mask = np.zeros(6, np.int8)
        if agent == self.agent_selection:
            for letter in self.board.legal_moves:
                mask[ord(letter.upper()) - ord("A")] = 1
        return {"observation": np.array(numbers, np.int8), "action_mask": mask}

    def step(self, action: Optional[int]) -> None:
        if not hasattr(self, "terminations"):
            raise RuntimeError("call `reset` before `step`")
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("the game goes on, so an action is needed")
        known: object = action
        if isinstance(known, bool) or not isinstance(known, numbers.Integral) or int(known) not in range(6):
            raise ValueError(f"an action is a whole number from 0 to 5, not {known!r}")
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        letter = "ABCDEF"[int(action)]
        self.board.push(letter if agent == "south" else letter.lower())
        if self.board.is_game_over():
            winner = self.board.winner()
            for side, name in _AGENTS.items():
                self.rewards[name] = 0.0 if winner is None else 1.0 if side == winner else -1.0
                self.terminations[name] = True
        elif len(self.board.move_stack) >= self.max_moves:
            self.truncations = {name: True for name in self.agents}
        self.agent_selection = _AGENTS[self.board.turn]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Optional[str]:
        """The board as text: returned in the mode `ansi`, printed in the mode `human`."""
        if self.render_mode == "ansi":
            return self.board.unicode()
        print(self.board.unicode())
        return None

    def close(self) -> None:
        """Does nothing: there is no window or process."""
