"""Plain values: what searches, solvers and runs say. All can be compared, printed and pickled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = [
    "Advice",
    "GameInfo",
    "MoveAdvice",
    "Parameter",
    "PlannerInfo",
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

    #: The move, in the game's notation.
    action: str
    #: Its estimated value; `None` if it was never tried.
    value: float | None
    #: Ends of the 95% interval of the value, where there is an honest one.
    low: float | None
    high: float | None
    #: How often it was tried.
    visits: int
    #: The same number, as games with hidden cards call it.
    samples: int
    #: Whether the value is proven: a sure win or a sure loss, whatever is hidden.
    sure: bool


@dataclass(frozen=True)
class Advice:
    """What a search says of a position."""

    game: str
    planner: str
    seed: int
    #: The position, as the player may see it.
    position: str
    #: The recommended move; `None` if the game is over.
    best: str | None
    #: All legal moves, in the game's order.
    moves: tuple[MoveAdvice, ...]
    stats: Stats

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Advice:
        """From the native part."""
        moves = tuple(MoveAdvice(**move) for move in values["moves"])
        stats = Stats.of(values["stats"])
        plain = {key: values[key] for key in ("game", "planner", "seed", "position", "best")}
        return cls(**plain, moves=moves, stats=stats)

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


@dataclass(frozen=True)
class Solution:
    """What a solver found."""

    #: FreeCell: `optimal`, `solved`, `unsolvable` or `unknown`; Klondike: `won`, `lost` or `unknown`;
    #: SameGame: `cleared` or `solved`.
    verdict: str
    #: How many moves the solution has; `None` if there is none.
    length: int | None
    #: The moves in the game's notation; `None` if there is no solution.
    solution: str | None
    stats: Stats
    #: No solution is shorter, as far as that is known.
    lower_bound: int | None = None
    #: The score, for games with one.
    score: float | None = None

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Solution:
        """From the native part."""
        return cls(
            verdict=values["verdict"],
            length=values.get("length"),
            solution=values.get("solution"),
            stats=Stats.of(values["stats"]),
            lower_bound=values.get("lower_bound"),
            score=values.get("score"),
        )


@dataclass(frozen=True)
class Parameter:
    """A parameter of a game or planner."""

    name: str
    default: str
    meaning: str


@dataclass(frozen=True)
class GameInfo:
    """What there is to know of a game."""

    name: str
    summary: str
    rewards: str
    paper: str
    #: A planner that plays it sensibly.
    planner: str
    parameters: tuple[Parameter, ...]

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> GameInfo:
        """From the native part."""
        plain = {key: values[key] for key in ("name", "summary", "rewards", "paper", "planner")}
        return cls(**plain, parameters=tuple(Parameter(**p) for p in values["parameters"]))


@dataclass(frozen=True)
class PlannerInfo:
    """What there is to know of a planner or solver."""

    name: str
    summary: str
    guarantee: str
    paper: str
    #: The capability that a game must have for it; empty if none.
    needs: str
    #: The games whose own it is; empty if it is for all that have what it needs.
    games: tuple[str, ...]
    parameters: tuple[Parameter, ...]

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> PlannerInfo:
        """From the native part."""
        plain = {key: values[key] for key in ("name", "summary", "guarantee", "paper", "needs")}
        parameters = tuple(Parameter(**p) for p in values["parameters"])
        return cls(**plain, games=tuple(values["games"]), parameters=parameters)


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


def restore_state(game: Any, seed: int, deal: int | None, text: str | None, history: list[int]) -> Any:
    """A state again from where it began and the moves made: what pickle calls."""
    state = game.start(seed, deal=deal, text=text)
    for place in history:
        state.step(place)
    return state
