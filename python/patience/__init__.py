"""Patience solves, plays and measures one-player games.

Games and planners go by name, as on the command line:

>>> import patience
>>> state = patience.game("klondike", draw=3).start(seed=7)
>>> advice = state.advise("uct(c=1, iterations=200)", seed=1)
>>> advice.best in state.actions()
True

Solvers deal with whole deals and boards:

>>> patience.solve("klondike", seed=1).verdict
'solved'

Experiments are resumed, reported and turned into tables (`Experiment`); with Gymnasium installed
the games are environments (`patience.envs`), with Ray experiments run on a cluster
(`patience.cluster`). While something is computed other threads run; Ctrl-C ends it cleanly.
"""

from __future__ import annotations

from . import errors, values
from ._check import Checked, check
from ._games import (
    Budget,
    Rules,
    advise,
    ensemble,
    game,
    games,
    hint,
    planners,
    play,
    solvers,
    table,
)
from ._native import Batch, Game, Rng, State, __version__
from ._solve import review, solve, verify
from .errors import FaultError, InputError, PatienceError, UsageError
from .evaluator import Evaluator, Searched, uct
from .experiment import Experiment, merge, open, provenance, specs
from .values import (
    Advice,
    Bounds,
    GameInfo,
    MoveAdvice,
    Parameter,
    PlannerInfo,
    Played,
    Solution,
    Stats,
    Summary,
    Turn,
)

__all__ = [
    "Advice",
    "Batch",
    "Bounds",
    "Budget",
    "Checked",
    "Evaluator",
    "Experiment",
    "FaultError",
    "Game",
    "GameInfo",
    "InputError",
    "MoveAdvice",
    "Parameter",
    "PatienceError",
    "PlannerInfo",
    "Played",
    "Rng",
    "Rules",
    "Searched",
    "Solution",
    "State",
    "Stats",
    "Summary",
    "Turn",
    "UsageError",
    "__version__",
    "advise",
    "check",
    "ensemble",
    "errors",
    "game",
    "games",
    "hint",
    "merge",
    "open",
    "planners",
    "play",
    "provenance",
    "review",
    "solve",
    "solvers",
    "specs",
    "table",
    "uct",
    "values",
    "verify",
]


def _register_environments() -> None:
    # Gymnasium does not look for plugins, so importing the package is what makes them known.
    try:
        from ._register import register
    except ImportError:
        return
    register()


_register_environments()
