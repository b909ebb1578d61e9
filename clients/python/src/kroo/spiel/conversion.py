"""OpenSpiel's actions as moves, and back; replays of Kaggle's Game Arena."""

import json
import operator
import re
from typing import Any, Dict, Iterable, List, Mapping, Optional, SupportsIndex, Tuple, Union, cast

from .. import ogn
from .._rules import Board

Action = Union[SupportsIndex, str]
"""A number, or its digits in Kaggle's form."""

_SOUTH = "ABCDEF"
_USUAL_SEEDS = "4"
_FAULTS = ("ERROR", "INVALID", "TIMEOUT")
"""The states of a player who has forfeited."""
_NAME = re.compile(r"([a-z]+)(?:_proxy)?(?:\((.*)\))?")


def variant(game: str) -> str:
    """The rule set of an OpenSpiel game: `mancala`, `oware(num_seeds_per_house=6)`, or Kaggle's `mancala_proxy()`."""
    found = _NAME.fullmatch(game.strip())
    name, text = (found[1], found[2] or "") if found else ("", "")
    parameters: Dict[str, str] = {}
    for part in filter(None, text.split(",")):
        key, _, value = part.partition("=")
        parameters[key] = value
    if name == "mancala" and not parameters:
        return "kalah"
    if name == "oware" and parameters.pop("num_houses_per_player", "6") == "6":
        seeds = parameters.pop("num_seeds_per_house", _USUAL_SEEDS)
        if not parameters and seeds in ("3", "4", "5", "6"):
            return "oware" if seeds == _USUAL_SEEDS else f"oware{seeds}"
    raise ValueError(f"`mancala` and `oware` with six houses and 3 to 6 seeds a house can be converted, not {game!r}")


def action(letter: str, variant: str) -> int:
    """OpenSpiel's action for a move."""
    _check(variant)
    pit = _SOUTH.find(letter.upper()) if len(letter) == 1 else -1
    if pit < 0:
        raise ValueError(f"a move is one of the letters A to F and a to f, not {letter!r}")
    if variant.startswith("oware"):
        return pit
    return pit + (1 if letter.isupper() else 8)


def move(number: Action, board: Board) -> str:
    """The move of an action on a board. Raises ValueError if it is not legal there."""
    number = _number(number)
    legal = {action(letter, board.variant): letter for letter in board.legal_moves}
    if number not in legal:
        known = f"the legal actions are {', '.join(map(str, legal))}" if legal else "the game is over"
        raise ValueError(f"action {number} is not legal in {board.fen()}: {known}")
    return legal[number]


def actions(board: Board) -> List[int]:
    """OpenSpiel's actions for the moves of a board. Raises ValueError unless it began at the start of a game that it has."""
    _check(board.variant)
    if board.start_fen != Board(board.variant).fen():
        raise ValueError(f"OpenSpiel's games begin at the start position, not with {board.start_fen}")
    return [action(letter, board.variant) for letter in board.move_stack]


def board(actions: Iterable[Action], game: str = "mancala") -> Board:
    """The board after actions of an OpenSpiel game. Raises ValueError with the number of the first illegal one."""
    played = Board(variant(game))
    for number, one in enumerate(actions, 1):
        try:
            played.push(move(one, played))
        except (TypeError, ValueError) as error:
            raise ValueError(f"action number {number}: {error}") from None
    return played


def stores(board: Board) -> Tuple[int, int]:
    """The stores as OpenSpiel counts them for the result: at the end of a game each row is its owner's."""
    _check(board.variant)
    south, north = board.stores
    if board.is_game_over():
        south, north = south + sum(board.pits[:6]), north + sum(board.pits[6:])
    return south, north


def read_replay(replay: Union[str, Mapping[str, Any], Iterable[Action]], game: str = "mancala") -> ogn.Game:
    """The game of a replay of Kaggle's Game Arena: its text in JSON, the same as a dictionary, or a list of actions of `game`.

    It has the board and the moves, the players' names if the replay has them, and the result of a forfeit. Raises ValueError
    for a replay of another game, or with an illegal action.
    """
    source: Any = json.loads(replay) if isinstance(replay, str) else replay
    if not isinstance(source, Mapping):
        return ogn.Game(board(_listed(source), game))
    return _game(cast("Mapping[str, Any]", source), game)


def _game(replay: Mapping[str, Any], usual: str) -> ogn.Game:
    info, config = _part(replay, "info"), _part(replay, "configuration")
    name = info.get("openSpielGameStringResolved") or config.get("openSpielGameString") or usual
    known = info.get("actionHistory")
    if known is None or replay.get("steps"):
        # The list may have moves that were asked for and never played.
        known = [*_listed(config.get("initialActions", ())), *_applied(replay)]
    game = ogn.Game(board(_listed(known), str(name)))
    players: Any = info.get("TeamNames")
    if isinstance(players, list):
        game.headers.update(zip(("South", "North"), map(str, cast("List[object]", players))))
    result = _result(replay)
    if result is not None and not game.board.is_game_over():
        game.headers.update(Result=result, Termination="forfeit")
    return game


def _part(replay: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = replay.get(name)
    return cast("Mapping[str, Any]", part) if isinstance(part, Mapping) else {}


def _listed(found: Any) -> List[Action]:
    if isinstance(found, str) or not isinstance(found, Iterable):
        raise ValueError(f"a replay has a list of actions, not {found!r}")
    return list(cast("Iterable[Action]", found))


def _applied(replay: Mapping[str, Any]) -> List[int]:
    """The actions that the steps of a replay have applied."""
    try:
        infos: List[Mapping[str, Any]] = [player.get("info") or {} for step in replay["steps"] for player in step]
    except (AttributeError, KeyError, TypeError):
        raise ValueError("this is no replay of Kaggle's Game Arena: it has neither `info.actionHistory` nor `steps`") from None
    found = [info.get("actionApplied") for info in infos]
    return [applied for applied in found if applied is not None]


def _result(replay: Mapping[str, Any]) -> Optional[str]:
    """The result by the rewards of the last step. A player at fault has none if the match is strict."""
    try:
        rewards: List[Optional[float]] = [player["reward"] for player in replay["steps"][-1]]
        at_fault = [player.get("status") in _FAULTS for player in replay["steps"][-1]]
        south, north = (float("-inf") if reward is None else reward for reward in rewards)
        lead = (south > north) - (south < north)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return None
    if None in rewards and not any(at_fault):
        return None  # No player has a reward during a game.
    results: Dict[int, str] = {1: "1-0", -1: "0-1"}
    return results.get(lead)


def _number(written: Action) -> int:
    if isinstance(written, str) and not re.fullmatch(r"[0-9]{1,3}", written):
        raise ValueError(f"an action is a number, not {written!r}")
    return int(written) if isinstance(written, str) else operator.index(written)


def _check(variant: str) -> None:
    if variant not in ("kalah", "oware", "oware3", "oware5", "oware6"):
        raise ValueError(f"OpenSpiel has the rules of kalah with four seeds and of oware, not of {variant}")
