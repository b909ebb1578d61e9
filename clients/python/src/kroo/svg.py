"""Boards as SVG pictures, for notebooks and pages.

    picture = kroo.svg.board(board, arrows=["Fc", kroo.svg.Arrow("A", "S", "#a33")])
"""

import math
from dataclasses import dataclass
from typing import Dict, Iterable, List, Optional, Tuple, Union

from ._rules import Board

_CELL = 80
_RADIUS = 34
_WIDTH, _HEIGHT = 8 * _CELL, 2 * _CELL + 60
_INK, _WOOD, _PIT, _LAST = "#2b2118", "#c89b63", "#a87b45", "#e8c34a"


@dataclass(frozen=True)
class Arrow:
    """An arrow between two places: pits (`A` to `F`, `a` to `f`) or stores (`S`, `N`)."""

    tail: str
    head: str
    color: str = "#1d6f3a"


def board(board: Board, *, arrows: Iterable[Union[str, Arrow]] = (), size: Optional[int] = None) -> str:
    """The board with North above, and its last move marked.

    An arrow is an `Arrow`, or two letters such as `Fc`. `size` is the width in pixels. Raises ValueError for an unknown place or
    a size below 1.
    """
    if size is not None and size < 1:
        raise ValueError(f"`size` is a number of pixels from 1, or None, not {size!r}")
    wanted = [Arrow(*arrow) if isinstance(arrow, str) and len(arrow) == 2 else arrow for arrow in arrows]
    places = _places()
    width = "" if size is None else f' width="{size}" height="{size * _HEIGHT // _WIDTH}"'
    said = f"South {board.stores[0]}, North {board.stores[1]}, {'South' if board.turn == 'S' else 'North'} to move"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}"{width} role="img" aria-label="{said}">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="24" fill="{_WOOD}"/>',
    ]
    for store, seeds in zip("SN", board.stores):
        x, y = places[store]
        parts.append(f'<rect x="{x - 28}" y="{y - 76}" width="56" height="152" rx="28" fill="{_PIT}"/>')
        parts.append(_text(x, y, str(seeds), 26))
    last = board.peek()
    for letter, seeds in zip("ABCDEFabcdef", board.pits):
        x, y = places[letter]
        ring = f' stroke="{_LAST}" stroke-width="5"' if letter == last else ""
        parts.append(f'<circle cx="{x}" cy="{y}" r="{_RADIUS}" fill="{_PIT}"{ring}/>')
        parts.append(_text(x, y, str(seeds), 26))
        parts.append(_text(x, _HEIGHT - 14 if letter.isupper() else 14, letter, 15))
    parts += [_arrow(arrow, places) for arrow in wanted]
    return "".join([*parts, "</svg>"])


def _places() -> Dict[str, Tuple[int, int]]:
    """The centres of pits and stores."""
    middle = _HEIGHT // 2
    places = {"N": (_CELL // 2, middle), "S": (_WIDTH - _CELL // 2, middle)}
    for number in range(6):
        left, right = _CELL * number + 3 * _CELL // 2, _WIDTH - _CELL * number - 3 * _CELL // 2
        places["ABCDEF"[number]] = (left, middle + _CELL // 2)
        places["abcdef"[number]] = (right, middle - _CELL // 2)
    return places


def _text(x: int, y: int, text: str, size: int) -> str:
    return (
        f'<text x="{x}" y="{y}" font-family="sans-serif" font-size="{size}" fill="{_INK}" text-anchor="middle" '
        f'dominant-baseline="central">{text}</text>'
    )


def _arrow(arrow: Union[str, Arrow], places: Dict[str, Tuple[int, int]]) -> str:
    if not isinstance(arrow, Arrow) or arrow.tail not in places or arrow.head not in places or arrow.tail == arrow.head:
        raise ValueError(f"an arrow has two different places, pits (A to F, a to f) or stores (S, N), not {arrow!r}")
    if not all(sign.isalnum() or sign in "#(),.% " for sign in arrow.color):
        raise ValueError(f"a colour is a name or a code such as #1d6f3a, not {arrow.color!r}")
    (x, y), (to_x, to_y) = places[arrow.tail], places[arrow.head]
    length = math.hypot(to_x - x, to_y - y)
    across, along = (to_x - x) / length, (to_y - y) / length
    tip: List[float] = [to_x - 10 * across, to_y - 10 * along]
    neck = [tip[0] - 18 * across, tip[1] - 18 * along]
    corners = [tip, [neck[0] - 9 * along, neck[1] + 9 * across], [neck[0] + 9 * along, neck[1] - 9 * across]]
    points = " ".join(f"{corner[0]:.1f},{corner[1]:.1f}" for corner in corners)
    return (
        f'<g fill="{arrow.color}" stroke="{arrow.color}" opacity="0.8"><line x1="{x}" y1="{y}" x2="{neck[0]:.1f}" y2="{neck[1]:.1f}" '
        f'stroke-width="8" stroke-linecap="round"/><polygon points="{points}" stroke="none"/></g>'
    )
