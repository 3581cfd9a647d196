"""Searches whose leaves a network judges, as in AlphaZero.

>>> import numpy as np, patience
>>> def network(observations, masks):
...     '''All moves alike, and nobody is ahead.'''
...     return masks / masks.sum(axis=1, keepdims=True), np.zeros(len(masks))
>>> state = patience.game("connect-four").start()
>>> advice = patience.uct(state, evaluator=network, iterations=50)
>>> advice.best in state.actions()
True

Of many positions at once the network is asked about the leaves of all of them together:

>>> states = [patience.game("connect-four").start() for _ in range(16)]
>>> searched = patience.uct(states, evaluator=network, root="gumbel", iterations=16)
>>> searched.policies.shape, searched.values.shape, searched[0].best in state.actions()
((16, 7), (16,), True)
>>> searched.calls <= 17
True
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, Protocol, overload

import numpy as np
from numpy.typing import NDArray

from . import _calls, _native
from ._native import Searched, State
from .errors import UsageError
from .values import Advice

__all__ = ["Evaluator", "Searched", "uct"]


class Evaluator(Protocol):
    """What judges leaves: a function, a network, an object with `__call__`."""

    def __call__(self, observations: NDArray[np.int16], masks: NDArray[np.bool_], /) -> Any:
        """Gets `B` states: what is seen of each, one row of whole numbers per state, and which of the `n`
        moves are legal. Gives a pair: priors of the shape `(B, n)`, not negative, of which only those of
        legal moves are read (they need not sum to 1); and values of the shape `(B,)`, what each state is
        worth to the player who is to move there. What is seen of the last move is not among what is seen.

        It is called on the thread that called `uct`. The arrays are its own. What it raises ends the
        search and is raised there. It must judge a state alike whatever stands beside it, for a search
        to be the same each time."""


@overload
def uct(
    states: State,
    /,
    *,
    evaluator: Evaluator,
    seed: int = 0,
    time: float | None = None,
    memory: int = ...,
    watch: Callable[[dict[str, Any]], object] | None = None,
    **parameters: object,
) -> Advice: ...
@overload
def uct(
    states: Sequence[State],
    /,
    *,
    evaluator: Evaluator,
    seed: int | Sequence[int] | NDArray[Any] = 0,
    time: float | None = None,
    memory: int = ...,
    watch: Callable[[dict[str, Any]], object] | None = None,
    **parameters: object,
) -> Searched: ...
def uct(
    states: State | Sequence[State],
    /,
    *,
    evaluator: Evaluator,
    seed: int | Sequence[int] | NDArray[Any] = 0,
    time: float | None = None,
    memory: int = 4_000_000_000,
    watch: Callable[[dict[str, Any]], object] | None = None,
    **parameters: object,
) -> Advice | Searched:
    """Searches a position, or many of one game at once, by UCT with priors and values of an evaluator.

    The parameters are those of the planner `uct`: `iterations` for each position, `c`, `scale` (the range of
    rewards), `batch` (leaves of one tree that are judged together) with `virtual_loss`, and the others. If
    nothing else is said, actions are selected by PUCT and recommended by visits; with `root="gumbel"` the
    search is that of Gumbel AlphaZero, and the best action is drawn as its paper says, so that games
    played so need no other noise.

    Position i is searched with the seed `seed + i`, or with its own of a list, and what is found of it does
    not depend on the others. `time` (seconds) is that of all. `watch` is called about twenty times a second
    with how far they are.
    """
    if "iterations" not in parameters and time is None:
        raise UsageError("give iterations, or time")
    gumbel = parameters.get("root") == "gumbel"
    standard = {"selection": "improved" if gumbel else "puct", "recommend": "visits"}
    planner = _calls.join("uct", {**standard, **parameters})
    several = not isinstance(states, State)
    chosen = list(states) if isinstance(states, Sequence) else [states]
    if np.ndim(seed) == 0:
        first = operator.index(seed)  # type: ignore[arg-type]
        seeds: Sequence[int] = [first + place for place in range(len(chosen))]
    else:
        seeds = list(seed)  # type: ignore[arg-type]
    searched = _native.search_evaluated(chosen, seeds, planner, evaluator, time, memory, watch)
    return searched if several else searched[0]
