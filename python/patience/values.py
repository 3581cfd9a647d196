"""Plain values: what searches, solvers and runs say. All can be compared, printed and pickled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from .errors import InputError

if TYPE_CHECKING:
    from ._native import State

__all__ = [
    "Advice",
    "Bounds",
    "GameInfo",
    "MoveAdvice",
    "Parameter",
    "PlannerInfo",
    "Played",
    "Solution",
    "Stats",
    "Summary",
    "Turn",
]


@dataclass(frozen=True)
class Turn:
    """What a move brought."""

    #: The reward.
    reward: float
    #: What the player saw; empty if there was nothing to see.
    observation: str


@dataclass(frozen=True)
class Played:
    """A game that was played to its end."""

    #: The moves, in order.
    actions: list[str]
    #: What it was worth.
    result: float
    #: How many of the moves were searched for; the others were the only ones.
    decisions: int


@dataclass(frozen=True)
class Stats:
    """What a search has spent, and why it stopped."""

    iterations: int
    model_calls: int
    nodes: int
    bytes: int
    #: Wall-clock seconds; two equal searches differ in nothing else.
    seconds: float = field(compare=False)
    #: `complete`, `iterations`, `model_calls`, `time`, `memory` or `cancelled`; `None` while it runs.
    stop: str | None

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Stats:
        """From the native part."""
        return cls(**values)


@dataclass(frozen=True)
class MoveAdvice:
    """What is known of one move."""

    #: The move, in the notation of the planner's game.
    action: str
    #: The moves to make, in order. On a table a card may have to be uncovered or the stock turned first;
    #: elsewhere it is the action alone.
    moves: tuple[str, ...]
    #: The same in words.
    label: str
    #: Its estimated value, see `Advice.measure`; `None` if it was never tried, or is lost for good.
    value: float | None
    #: Ends of the 95% interval of the value, where there is an honest one. Of steps to go they are proven
    #: bounds.
    low: float | None
    high: float | None
    #: How often it was tried.
    visits: int
    #: The same number, as games with hidden cards call it.
    samples: int
    #: Whether the value is proven: a sure win or a sure loss, whatever is hidden.
    sure: bool
    #: Whether it is proven to lose.
    loses: bool
    #: Whether it leads back to a position of this game.
    again: bool

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> MoveAdvice:
        """From the native part."""
        return cls(**{**values, "moves": tuple(values["moves"])})


@dataclass(frozen=True)
class Advice:
    """What a search says of a position."""

    game: str
    planner: str
    seed: int
    #: The position, as the player may see it.
    position: str
    #: What values are: `win_probability`, `steps_to_go` (the fewer the better), `score` or `value` (both:
    #: what is still to come).
    measure: str
    #: The recommended move; `None` if the game is over. What to play for it is in `advice[best].moves`.
    best: str | None
    #: Why it is preferred, where its value alone does not say: it may be safe, or cost nothing.
    why: str | None
    #: All legal moves, in the game's order.
    moves: tuple[MoveAdvice, ...]
    #: Why the game cannot be won any more, if that is proven.
    lost: str | None
    stats: Stats
    #: Whether the smaller value is the better one for the player to move.
    minimising: bool

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Advice:
        """From the native part."""
        moves = tuple(MoveAdvice.of(move) for move in values["moves"])
        return cls(**{**values, "moves": moves, "stats": Stats.of(values["stats"])})

    def __getitem__(self, action: str) -> MoveAdvice:
        """What is known of a move.

        >>> import patience
        >>> advice = patience.hint("tic-tac-toe", "uct", iterations=1000)
        >>> advice[advice.best].visits > 0
        True
        """
        for move in self.moves:
            if move.action == action:
                return move
        raise KeyError(action)

    def _repr_html_(self) -> str:
        from . import _html

        return _html.advice(self)

    @property
    def choice(self) -> MoveAdvice:
        """What is known of the recommended move: `best`, where the game goes on."""
        if self.best is None:
            raise InputError("the game is over: no move is recommended")
        return self[self.best]


class Bounds(NamedTuple):
    """Between which values the best solution lies, both ends included; `None` is an end that is not
    known."""

    lower: float | None
    upper: float | None


@dataclass(frozen=True)
class Solution:
    """What a solver found of a deal or position. The same for every game."""

    #: The game, as a string.
    game: str
    #: The deal; empty for a position.
    deal: str
    #: The solver, as a string.
    solver: str
    #: The seed of its streams.
    seed: int
    #: Where the game stood, with all that is hidden in it.
    position: str
    #: `optimal` (none is better), `solved`, `unsolvable` (that is proven) or `unknown`.
    verdict: str
    #: What the solution comes to: its score, or the moves that count (in Klondike turning the waste over
    #: does not); `None` if there is none.
    value: float | None
    #: Between which values the best one lies.
    bounds: Bounds
    #: Whether the solution reaches the goal.
    reached: bool
    #: What the goal is called, such as `won` or `cleared`.
    goal: str
    #: By what solutions are judged: `score`, `length`, or `win` (whether there is one).
    objective: str
    #: How many moves the solution has, those that cost nothing included; `None` if there is none.
    length: int | None
    #: The moves to make on the table, as `State.step` takes them; none if there is no solution.
    actions: list[str]
    #: The solution in the game's notation; `None` if there is none.
    solution: str | None
    #: Figures of the solver's own, by their names.
    figures: dict[str, float]
    stats: Stats
    #: What a proof leaves to be compared with the same proof made again; `None` without one.
    certificate: str | None = None

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Solution:
        """From the native part."""
        made = {
            "bounds": Bounds(**values["bounds"]),
            "figures": values.get("figures", {}),
            "stats": Stats.of(values["stats"]),
            "actions": values["moves"],
        }
        return cls(**{**{key: values[key] for key in values if key != "moves"}, **made})

    def start(self) -> State:
        """Where the game stood, on the table, for `actions` to be played from there.

        >>> import patience
        >>> solution = patience.solve("freecell", deal=3)
        >>> state = solution.start()
        >>> for action in solution.actions:
        ...     turn = state.step(action)
        >>> state.is_over
        True
        """
        from . import _native

        return _native.table(self.game, self.position).start(position=self.position)

    @property
    def moves(self) -> list[str]:
        """An older name for `actions`."""
        return self.actions

    @property
    def score(self) -> float | None:
        """The score, where solutions are judged by one."""
        return self.value if self.objective == "score" else None

    @property
    def lower_bound(self) -> float | None:
        """The best solution does not come to less, as far as that is known."""
        return self.bounds.lower


@dataclass(frozen=True)
class Parameter:
    """A parameter of a game or planner."""

    name: str
    default: str
    meaning: str
    #: What values it takes, such as `a whole number`.
    kind: str
    #: The words that it takes, if it takes words.
    words: tuple[str, ...] = ()
    #: The least and the greatest number that it takes.
    min: float | None = None
    max: float | None = None

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Parameter:
        """From the native part."""
        return cls(**{**values, "words": tuple(values.get("words", ()))})


def _parameters(values: Mapping[str, Any]) -> tuple[Parameter, ...]:
    return tuple(Parameter.of(parameter) for parameter in values["parameters"])


@dataclass(frozen=True)
class GameInfo:
    """What there is to know of a game."""

    name: str
    #: What people call it.
    title: str
    summary: str
    rewards: str
    paper: str
    #: The version of its rules and deals.
    version: int
    #: A planner that plays it sensibly.
    planner: str
    #: The solver that says soonest whether it can be solved; empty if there is none.
    solver: str
    #: The solver that looks for the best solution; empty if there is none.
    optimiser: str
    #: A quick planner, by whose wins deals are called easy or hard; empty if there is none.
    yardstick: str
    #: A small variant by which a search can be explained; empty if there is none.
    lesson: str
    #: How deals are named beside `seed:7`: by `seeds` alone, or by `numbers` or `ranks` of the game's own.
    deals: str
    #: The numbers up to this one are in everybody's hands; `None` if none are.
    numbers: int | None
    #: How positions are written.
    positions: str
    #: What the score counts, in a word.
    score: str
    #: Variants, each as a string and what people call it.
    variants: tuple[tuple[str, str], ...]
    parameters: tuple[Parameter, ...]
    #: How many players it has; planners move for all of them.
    players: int = 1
    #: The place of its own page among those of other games, from 1; 0 if it has none.
    page: int = 0

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> GameInfo:
        """From the native part."""
        deals = values["deals"]
        # A name, or a name with a number.
        kind, number = (deals, None) if isinstance(deals, str) else next(iter(deals.items()))
        made = {
            "deals": kind,
            "numbers": number,
            "variants": tuple((game, title) for game, title in values["variants"]),
            "parameters": _parameters(values),
        }
        return cls(**{**values, **made})


@dataclass(frozen=True)
class PlannerInfo:
    """What there is to know of a planner or solver."""

    name: str
    summary: str
    guarantee: str
    paper: str
    #: The version of its results.
    version: int
    #: The capability that a game must have for it; empty if none.
    needs: str
    #: Whether it can plan where a part of the state is hidden.
    hidden: bool
    #: What one iteration is; empty if there are none.
    iteration: str
    #: Whether it advises on moves.
    advises: bool
    #: Whether it looks for a whole solution.
    solves: bool
    #: Whether it can prove that there is none.
    proves: bool
    #: The games whose own it is; empty if it is for all that have what it needs.
    games: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    #: What its values are, where that is not what the game's usual ones are; see `Advice.measure`.
    measure: str | None = None

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> PlannerInfo:
        """From the native part."""
        made = {"games": tuple(values["games"]), "parameters": _parameters(values)}
        return cls(**{**values, **made})


@dataclass(frozen=True)
class Summary:
    """How a run ended."""

    experiment: str
    #: Units that earlier runs had stored.
    before: int
    #: Units that this run stored.
    ran: int
    #: Units in all, of this shard.
    total: int
    complete: bool
    seconds: float = field(compare=False)
