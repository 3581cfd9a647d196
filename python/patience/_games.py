"""Games and planners by name, and what searches say."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Protocol, TypedDict

from . import _calls, _native
from ._native import Game, Rng, State
from .errors import UsageError
from .values import Advice, GameInfo, PlannerInfo, Played

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Budget(TypedDict, total=False):
    """What a search may spend; the first limit that is reached ends it."""

    #: Steps: episodes, leaves, sweeps.
    iterations: int | None
    #: Moves simulated by the game.
    model_calls: int | None
    #: Seconds. Without any limit a search has 1, or 60 if it ends by itself (5 if it tells the steps to go).
    time: float | None
    #: Bytes held by the search; 4 GB if nothing is said.
    memory: int | None


class Rules(Protocol):
    """What a game of your own must have. States are values: `step` gives a new one and leaves the
    old one as it is. Actions, observations and keys must be hashable.

    It may also have `discount` (a number), `minimising(state)` (whether the opponent is to move),
    `text(state)` and `action_text(state, action)` (otherwise `str` is used), `key(state)` (equal for
    states in which the game goes on alike), `outcomes(state, action)` (with `key`: all that can
    happen, as pairs of a probability and what `step` gives), and `known(state)` with
    `draw(known, rng)` (a part of the state is hidden: planners get what is known and draw from it).
    """

    def start(self, rng: Rng) -> Any:
        """A start position. All chance comes from `rng`."""

    def actions(self, state: Any) -> Any:
        """The legal actions, in an order that depends on what the player knows; none if the game is
        over."""

    def step(self, state: Any, action: Any, rng: Rng) -> tuple[Any, ...]:
        """The state that follows, the reward, and perhaps what the player sees of what happened."""


def game(rules: str | Rules, /, **parameters: object) -> Game:
    """A game: by name with its parameters, or one of your own.

    >>> import patience
    >>> patience.game("sailing(size=5)")
    Game('sailing(size=5)')
    >>> patience.game("sailing", size=5, start="random")
    Game('sailing(size=5, start=random)')

    A game of your own is an object with the methods of `Rules`. Every planner plays it, slowly but
    rightly:

    >>> class Countdown:
    ...     '''Take one or two of ten matches; whoever plays alone wants to take the last by a two.'''
    ...     def start(self, rng): return 10
    ...     def actions(self, state): return [n for n in (1, 2) if n <= state]
    ...     def step(self, state, action, rng):
    ...         return state - action, 1.0 if action == 2 == state else 0.0
    >>> state = patience.game(Countdown()).start()
    >>> state.actions()
    ['1', '2']
    >>> patience.advise(state, "uct(iterations=2000)").best
    '2'
    """
    if not isinstance(rules, str):
        name = type(rules).__name__
        if parameters:
            given = ", ".join(parameters)
            raise UsageError(f"{name} is an object already: it takes no parameters ({given})")
        return _native.python_game(rules, name)
    return _native.game(_calls.join(rules, parameters))


def table(game: str, /, **parameters: object) -> Game:
    """A game as it lies on the table: every move that people make, by the rules that they play by. It is
    what `patience hint`, `solve` and `play` are about; planners still think about the game that `game`
    gives. For many games the two are the same.

    >>> import patience
    >>> state = patience.table("klondike").start(seed=7)
    >>> "turn" in state.actions()
    True
    >>> advice = state.advise("best", iterations=50)
    >>> for move in advice[advice.best].moves:
    ...     turn = state.step(move)
    """
    return _native.table(_calls.join(game, parameters))


def games() -> list[GameInfo]:
    """What games there are.

    >>> import patience
    >>> "klondike" in [info.name for info in patience.games()]
    True
    """
    return [GameInfo.of(values) for values in _native.games()]


def planners() -> list[PlannerInfo]:
    """What planners there are, with their parameters and guarantees.

    >>> import patience
    >>> patience.planners()[0].name
    'uct'
    """
    return [PlannerInfo.of(values) for values in _native.planners()]


def solvers() -> list[PlannerInfo]:
    """What solvers there are, with their parameters and guarantees. Those that are a game's own name it.

    >>> import patience
    >>> [info.name for info in patience.solvers() if "samegame" in info.games]
    ['portfolio']
    """
    return [PlannerInfo.of(values) for values in _native.solvers()]


def advise(
    state: State,
    planner: str | None = None,
    *,
    seed: int = 0,
    watch: Callable[[Advice], object] | None = None,
    **budget: Unpack[Budget],
) -> Advice:
    """Thinks about a position: the best move, and every move with its value.

    `watch` is called about ten times a second with what is known so far. Ctrl-C ends the search.

    >>> import patience
    >>> lake = patience.game("sailing", size=5).start(seed=1)
    >>> advice = patience.advise(lake, "value-iteration")
    >>> advice.stats.stop
    'complete'
    """
    return state.advise(planner, seed=seed, watch=watch, **budget)


def hint(
    rules: str | Game | Rules,
    planner: str | None = None,
    *,
    seed: int | None = None,
    deal: int | str | None = None,
    position: str | None = None,
    text: str | None = None,
    watch: Callable[[Advice], object] | None = None,
    **budget: Unpack[Budget],
) -> Advice:
    """Thinks about a deal or a position, as `patience hint` does: the same seed gives the same. A name is
    the game on the table; an object is taken as it is. The deal is `7` or `"seed:7"`, or that of the
    seed; a position is text (`text` is an older name for it).

    >>> import patience
    >>> patience.hint("tiger", "uct(scale=110)", iterations=5000).best
    'listen'
    """
    position = text if position is None else position
    if isinstance(rules, str):
        chosen = _native.table(rules, position)
    else:
        chosen = rules if isinstance(rules, Game) else game(rules)
    if deal is None and position is None and seed is None:
        deal = chosen.first_deal
    seed = 0 if seed is None else seed
    state = chosen.start(seed, deal=deal, position=position)
    return state.advise(planner, seed=seed, watch=watch, **budget)


def tree(
    state: State, planner: str, number: int, seed: int = 0, **budget: Unpack[Budget]
) -> Advice:
    """One tree of a root-parallel search. It depends on the seed and its number alone."""
    return state.advise(planner, seed=_native.tree_seed(seed, number), **budget)


def ensemble(
    state: State,
    planner: str,
    *,
    trees: int,
    seed: int = 0,
    threads: int | None = None,
    **budget: Unpack[Budget],
) -> Advice:
    """Root-parallel search: several trees for one decision, and what they say together. The budget
    is that of each tree. Values are averaged over the trees, with the interval of independent
    samples; the result is the same on any number of threads, and on a cluster
    (`patience.cluster.ensemble`).

    >>> import patience
    >>> state = patience.game("klondike").start(seed=7)
    >>> advice = patience.ensemble(state, "uct(c=1)", trees=4, iterations=50)
    >>> advice.stats.iterations
    200
    """
    workers = threads if threads is not None else os.cpu_count() or 1
    with ThreadPoolExecutor(max(1, workers)) as pool:
        grown = pool.map(lambda i: tree(state, planner, i, seed, **budget), range(trees))
        return _native.merge_trees(list(grown), seed)


def played(state: State, decide: Callable[[State, int], Advice]) -> Played:
    """Plays a copy of a state to its end, or until no move leads on; `decide` gets the position and the
    number of the move."""
    state = state.copy()
    actions: list[str] = []
    decisions = 0
    while not state.is_over:
        moves = tuple(legal := state.actions())[:1]
        if len(legal) > 1:
            advice = decide(state, len(actions))
            decisions += 1
            best = None if advice.best is None else advice[advice.best]
            if best is None or best.again or not best.moves:
                break
            moves = best.moves
        for move in moves:
            state.step(move)
        actions += moves
    return Played(actions, state.result, decisions)


def play(
    state: State,
    planner: str,
    *,
    trees: int = 1,
    seed: int = 0,
    threads: int | None = None,
    **budget: Unpack[Budget],
) -> Played:
    """Plays a deal to its end, each decision by root-parallel search (`ensemble`). The result is the
    same on any number of threads, and on a cluster (`patience.cluster.play`), unless the budget is
    time.

    >>> import patience
    >>> state = patience.game("klondike").start(seed=7)
    >>> game = patience.play(state, "uct(c=1)", trees=2, iterations=20)
    >>> len(game.actions) >= game.decisions
    True
    """

    def decide(position: State, number: int) -> Advice:
        own = _native.tree_seed(seed, number)
        return ensemble(position, planner, trees=trees, seed=own, threads=threads, **budget)

    return played(state, decide)
