"""Solvers of whole deals and boards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import _native
from .errors import InputError, UsageError
from .values import Solution

_GIGABYTE = 1_000_000_000


def _freecell(
    deal: int | None = None,
    *,
    board: str | None = None,
    rules: str = "freecell",
    metric: str | None = None,
    optimal: bool = True,
    heuristic: str = "best",
    time: float | None = None,
    memory: int = 4 * _GIGABYTE,
) -> dict[str, Any]:
    return _native.solve_freecell(deal, board, rules, metric, optimal, heuristic, time, memory)


def _klondike(
    seed: int | None = None,
    *,
    deal: int | str | None = None,
    position: str | None = None,
    draw: int = 3,
    take_back: bool = True,
    nodes: int | None = None,
    time: float | None = None,
    memory: int = _GIGABYTE,
) -> dict[str, Any]:
    number = None if deal is None else str(deal)
    return _native.solve_klondike(seed, number, position, draw, take_back, nodes, time, memory)


def _samegame(
    deal: int | None = None,
    *,
    board: str | None = None,
    size: tuple[int, int, int] = (15, 15, 5),
    rewards: str = "samegame",
    penalty: str = "none",
    rollouts: int | None = None,
    time: float | None = None,
    threads: int = 0,
    seed: int = 1,
) -> dict[str, Any]:
    return _native.solve_samegame(
        board, deal, size, rewards, penalty, rollouts, time, threads, seed
    )


_SOLVERS: dict[str, Callable[..., dict[str, Any]]] = {
    "freecell": _freecell,
    "klondike": _klondike,
    "samegame": _samegame,
}


def solve(game: str, /, *args: Any, **options: Any) -> Solution:
    """Solves a whole deal or board. Every solution was replayed by a separate validator.

    `solve("freecell", deal)`: a provably shortest solution, or any with `optimal=False`. Options:
    `board` (text instead of a number), `rules` (such as `bakers-game`), `metric` (`supermove`, which is
    what is meant if nothing is said, `table1` or `single`), `heuristic`, `time` in seconds, `memory` in
    bytes.

    `solve("klondike", seed)`: a win, or the proof that there is none. Options: `deal` (the canonical
    number below 52!), `position` (text), `draw`, `take_back`, `nodes`, `time`, `memory`.

    `solve("samegame", deal)`: the best score within `time` (10 seconds) or `rollouts` of each thread.
    Options: `board` (text), `size` (columns, rows, colours), `rewards`, `penalty`, `threads` (if not
    given: one with `rollouts`, else one per core), `seed`.

    >>> import patience
    >>> solution = patience.solve("freecell", deal=3, metric="table1")
    >>> solution.length, solution.verdict
    (70, 'optimal')
    >>> patience.solve("klondike", seed=1, draw=1).verdict
    'won'
    >>> patience.solve("samegame", board="00\\n11").score
    1000.0
    """
    if game not in _SOLVERS:
        raise InputError(f"there is no solver for {game} (there are: {', '.join(_SOLVERS)})")
    try:
        return Solution.of(_SOLVERS[game](*args, **options))
    except TypeError as error:
        message = str(error).replace(f"_{game}()", f"solve({game!r})")
        raise UsageError(message) from None
