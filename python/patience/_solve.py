"""Solvers of whole deals and boards, and the validators of what they find."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from . import _calls, _native
from .errors import UsageError
from .values import GameInfo, Parameter, PlannerInfo, Solution

__all__ = ["review", "solve", "verify"]

#: Words that are what they are, whatever a solver calls its parameters: as for the command.
_TAKEN = ("threads", "memory", "time", "iterations", "seed", "deal")


def solve(
    game: str,
    deal: int | str | None = None,
    *,
    seed: int | None = None,
    position: str | None = None,
    board: str | None = None,
    solver: str | None = None,
    iterations: int | None = None,
    time: float | None = None,
    memory: int = 4_000_000_000,
    threads: int | None = None,
    watch: Callable[[Solution], object] | None = None,
    **parameters: object,
) -> Solution:
    """Solves a whole deal or board: what `patience solve` does, with the same result. A validator that
    knows nothing of the solver replayed every solution.

    The deal is a name as for the command: `7`, or `"seed:7"`. With nothing but a `seed` it is the deal
    of that seed. A `position` (or `board`) is given as text instead. `seed` is also that of the search.

    Parameters of the game and of its solver are keywords, or stand in the string:
    `"freecell(metric=table1)"`. `solver` names a solver, and a solver of the game's own can be asked
    for by its name: `optimal=True`. `patience.games()` and `patience.solvers()` list all of them.

    `time` is in seconds, `memory` in bytes. `iterations` may go by what the solver counts, such as
    `nodes` or `rollouts`. With no limit a search that would not end by itself has 10 seconds. `watch`
    is called about ten times a second with what is known so far. Ctrl-C ends the search.

    >>> import patience
    >>> solution = patience.solve("freecell", deal=3, metric="table1", optimal=True)
    >>> solution.length, solution.verdict
    (70, 'optimal')
    >>> patience.solve("klondike", seed=1, draw=1).verdict
    'solved'
    >>> patience.solve("samegame", board="00\\n11").score
    1000.0
    """
    info, own = _info(game)
    left = {key: value for key, value in parameters.items() if value is not None}
    call = _calls.join(game, _taken(left, info.parameters))
    chosen = _solver(info, own, solver, left)
    about = _named(chosen, own)
    unit = _unit(about)
    if unit in left:
        if iterations is not None:
            raise UsageError(f"{unit} are the iterations: give one of them")
        iterations = _whole(unit, left.pop(unit))
    if iterations is not None and iterations < 1:
        raise UsageError(f"iterations is {iterations}, expected a number from 1 on")
    if chosen is not None and about is not None:
        chosen = _calls.join(chosen, _taken(left, about.parameters))
        if any(parameter.name == "threads" for parameter in about.parameters):
            if threads or not re.search(r"\bthreads\s*=", chosen):
                # Who counts iterations wants the same result everywhere, so cores do not decide then.
                cores = 1 if iterations is not None else os.cpu_count() or 1
                chosen = _calls.join(chosen, {"threads": threads or cores})
        elif threads:
            raise UsageError(f"{about.name} has no parameter threads")
    if left:
        raise _unknown(next(iter(left)), info, about, own)
    deal, place = _place(deal, seed, position, board)
    seed = 1 if seed is None else seed
    return _native.solve(call, deal, place, chosen, seed, iterations, time, memory, watch)


def verify(
    game: str,
    deal: int | str | None = None,
    solution: str | Solution | None = None,
    *,
    seed: int | None = None,
    position: str | None = None,
    board: str | None = None,
    **parameters: object,
) -> float:
    """Replays a solution by a validator that knows nothing of solvers, and says what it comes to: its
    score, or the moves that count. What is no solution is an `InputError`, which names the step and the rule.

    >>> import patience
    >>> solution = patience.solve("freecell", deal=3, metric="table1", optimal=True)
    >>> patience.verify("freecell", 3, solution.solution, metric="table1")
    70.0
    >>> patience.verify("samegame", board="00\\n11", solution="a1 a1")
    1000.0
    """
    info, _ = _info(game)
    left = {key: value for key, value in parameters.items() if value is not None}
    call = _calls.join(game, _taken(left, info.parameters))
    if left:
        raise _unknown(next(iter(left)), info, None, [])
    moves = solution.solution if isinstance(solution, Solution) else solution
    if moves is None:
        raise UsageError("which solution? Give its text")
    deal, place = _place(deal, seed, position, board)
    return _native.verify(call, deal, place, moves)


@cache
def _games() -> dict[str, GameInfo]:
    return {info["name"]: GameInfo.of(info) for info in _native.games()}


@cache
def _solvers() -> list[PlannerInfo]:
    return [PlannerInfo.of(info) for info in _native.solvers()]


def _info(game: str) -> tuple[GameInfo, list[PlannerInfo]]:
    """What there is to know of a game, and the solvers that are its own."""
    name = _calls.name(game)
    if name not in _games():
        _native.table(game)  # Which says what is wrong with it.
        raise UsageError(f"there is no game {name}")
    return _games()[name], [solver for solver in _solvers() if name in solver.games]


def _taken(left: dict[str, object], declared: Iterable[Parameter]) -> dict[str, object]:
    """Takes those keywords that are declared."""
    names = [p.name for p in declared if p.name not in _TAKEN]
    return {name: left.pop(name) for name in names if name in left}


def _solver(
    info: GameInfo,
    own: list[PlannerInfo],
    solver: str | None,
    left: dict[str, object],
) -> str | None:
    """The solver's string: the one that is named, asked for by its flag, or the game's."""
    flags = {other.name.replace("-", "_"): other.name for other in own}
    said = {name: left.pop(flag) for flag, name in flags.items() if flag in left}
    asked = [name for name, value in said.items() if value]
    if len(asked) + (solver is not None) > 1:
        raise UsageError("one solver is expected: " + ", ".join(filter(None, [solver, *asked])))
    chosen = solver or (asked[0] if asked else info.solver)
    if chosen and not said.get(_calls.name(chosen), True):
        raise UsageError(f"{chosen} is what solves it: name another solver")
    return chosen or None


def _named(call: str | None, own: list[PlannerInfo]) -> PlannerInfo | None:
    """What there is to know of the solver of a string."""
    if call is None:
        return None
    name = _calls.name(call)
    everybodys = [solver for solver in _solvers() if not solver.games]
    return next((info for info in [*own, *everybodys] if info.name == name), None)


def _unit(solver: PlannerInfo | None) -> str:
    """What a solver's iterations are called, if that is a word."""
    return f"{solver.iteration}s" if solver and solver.iteration.isalpha() else ""


def _whole(what: str, value: object) -> int:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise UsageError(f"{what} is {value!r}, expected a whole number")


def _place(
    deal: int | str | None, seed: int | None, position: str | None, board: str | None
) -> tuple[int | str | None, str | None]:
    """Which deal or position is meant."""
    if position is not None and board is not None:
        raise UsageError("board and position are the same: give one of them")
    position = board if position is None else position
    if deal is None and position is None and seed is not None:
        deal = f"seed:{seed}"
    return deal, position


def _unknown(
    key: str, info: GameInfo, solver: PlannerInfo | None, own: list[PlannerInfo]
) -> UsageError:
    """The error that there is no such parameter."""
    who = f"{info.name} by {solver.name}" if solver else info.name
    flags = {other.name.replace("-", "_"): other for other in own}
    for flag, other in flags.items():
        if key in [parameter.name for parameter in other.parameters]:
            return UsageError(f"{who} has no parameter {key}: {other.name} has it ({flag}=True)")
    declared = [*info.parameters, *(solver.parameters if solver else ())]
    names = list(dict.fromkeys(parameter.name for parameter in declared))
    near = _native.near(key, [*names, *flags, *filter(None, [_unit(solver)])])
    return UsageError(f"{who} has no parameter {key}{near} (its parameters: {', '.join(names)})")


def review(
    game: str | Mapping[str, object],
    *,
    planner: str | None = None,
    iterations: int | None = None,
    time: float | None = None,
    proof: int | None = 1_000_000,
    reveal: bool = False,
    seed: int = 0,
) -> dict[str, Any]:
    """What every move of a game cost: what `patience review --json` prints, as a dictionary.

    The game is a link of the page, the text of a saved game, or a mapping with its `setup` and its
    `moves`. Every position may spend so many `iterations` or so much `time` (half a second if nothing is
    said), every proof so many iterations; `proof=None` proves nothing. With `reveal` a solver's line is
    told that the player could not know of.

    >>> import patience
    >>> game = {"setup": {"game": "tic-tac-toe"}, "moves": ["a1", "b2"]}
    >>> [point["moves"] for point in patience.review(game, iterations=50)["points"]]
    [0, 1, 2]
    """
    text = game if isinstance(game, str) else json.dumps(dict(game))
    if iterations is None and time is None:
        time = 0.5
    return _native.review(text, planner, iterations, time, proof, reveal, seed)
