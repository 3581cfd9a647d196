"""The conformance suite, for games written in Python."""

from __future__ import annotations

from dataclasses import dataclass

from . import _native
from ._games import Rules
from .errors import UsageError

__all__ = ["Checked", "check"]


@dataclass(frozen=True)
class Checked:
    """What was looked at in a game in which nothing wrong was found."""

    #: Games played.
    games: int
    #: Games that came to their end.
    ended: int
    #: Moves played in them.
    moves: int
    #: Comparisons made.
    comparisons: int


def check(
    rules: Rules,
    /,
    *,
    seed: int = 1,
    games: int = 20,
    limit: int = 10_000,
    endless: bool = False,
) -> Checked:
    """Puts a game of your own through the suite that every game of this package passes. What is wrong
    with it is an `InputError`, which names the property that it does not have, with the seed, the game
    and the move where that was seen.

    Random play must come to its end within `limit` moves, unless the game is `endless`. The same actions
    must come in the same order, states must not be changed, the same stream must give the same play. What
    else a game has is checked too: keys tell states apart, outcomes are what happens and as often as
    they say, and nothing hidden leaks. A game that passes has not been proved right.

    >>> import patience
    >>> class Walk:
    ...     def start(self, rng): return 0
    ...     def actions(self, state): return [] if abs(state) == 3 else [-1, 1]
    ...     def step(self, state, action, rng): return state + action, float(state + action == 3)
    ...     def key(self, state): return abs(state)
    >>> patience.check(Walk())
    Traceback (most recent call last):
    ...
    patience.errors.InputError: violated: different states have different keys ...
    """
    if games < 1 or limit < 1:
        raise UsageError(f"{games} games of {limit} moves: expected 1 or more of both")
    return Checked(*_native.check_game(rules, seed, games, limit, endless))
