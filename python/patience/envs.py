"""The games as Gymnasium environments.

>>> import gymnasium, patience
>>> env = gymnasium.make("Patience/Klondike-v0", draw=3)
>>> observation, info = env.reset(seed=7)
>>> action = int(info["action_mask"].argmax())
>>> observation, reward, terminated, truncated, info = env.step(action)
>>> info["illegal"]
False

Parameters are those of the game (`patience games klondike`). Moves have fixed numbers, and
`info["action_mask"]` has a 1 for each that is legal; it fits `env.action_space.sample(mask)`. A move
that is not legal changes nothing and brings nothing, and `info["illegal"]` says so; with
`illegal="raise"` it is an exception. `action_masks()` gives the mask as SB3-contrib wants it.

A game always begins with a move to make: where the deal of a seed allows none, the next deal of the
seed that allows one takes its place, and `info["skipped"]` says how many were passed over.
`reset(options={"deal": 7})` begins at a deal by its name.

`env.state` is the game as a `patience.State`, for planners and solvers, and `env.set_state(state)` goes
on from one. Environments are copied (`copy.deepcopy`) and pickled with their games.

`gymnasium.make_vec("Patience/Klondike-v0", num_envs=4096)` steps thousands of games in one call.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Sequence
from typing import Any, Literal, cast

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ._draw import picture
from ._games import game as make_game
from ._native import Batch, Game, Rng, State
from ._register import register
from .errors import InputError, UsageError

__all__ = ["PatienceEnv", "PatienceVectorEnv"]

register()


def _game(game: str | Game, parameters: dict[str, object]) -> Game:
    if isinstance(game, Game):
        if parameters:
            raise UsageError(f"{game} has its parameters already")
        return game
    return make_game(game, **parameters)


def _spaces(batch: Batch) -> tuple[Any, Any]:
    high = np.asarray(batch.highest, dtype=np.int16)
    observations = spaces.Box(np.zeros_like(high), high, dtype=np.int16)
    return observations, spaces.Discrete(batch.moves)


def _check_render(mode: str | None) -> str | None:
    if mode not in (None, "ansi", "rgb_array"):
        raise UsageError(f"render_mode is {mode!r}, expected 'ansi' or 'rgb_array'")
    return mode


def _check_illegal(illegal: str) -> bool:
    if illegal not in ("ignore", "raise"):
        raise UsageError(f"illegal is {illegal!r}, expected 'ignore' or 'raise'")
    return illegal == "raise"


def _deal(options: dict[str, Any] | None) -> Any:
    """The deal, or the deals, that the options of a reset name."""
    options = options or {}
    unknown = [key for key in options if key != "deal"]
    if unknown:
        raise UsageError(f"reset has no option {unknown[0]!r} (its options: 'deal')")
    return options.get("deal")


class PatienceEnv(gymnasium.Env[NDArray[np.int16], np.int64]):
    """One game.

    The game of a seed is the one that `patience.game(...).start(seed)` begins: the same deal, the same
    chance. Only where that deal allows no move another takes its place.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}

    def __init__(
        self,
        game: str | Game,
        *,
        render_mode: str | None = None,
        illegal: Literal["ignore", "raise"] = "ignore",
        **parameters: object,
    ) -> None:
        self._illegal_raises = _check_illegal(illegal)
        #: The game.
        self.game = _game(game, parameters)
        self.render_mode = _check_render(render_mode)
        self._batch = self.game.batch(1)
        self.observation_space, self.action_space = _spaces(self._batch)
        moves = self._batch.moves
        self._observation = np.zeros((1, len(self._batch.highest)), np.int16)
        self._legal = np.zeros((1, moves), np.int8)
        self._reward = np.zeros(1)
        self._over = np.ones(1, bool)
        self._illegal = np.zeros(1, bool)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int16], dict[str, Any]]:
        """Starts a game: the one of the seed, the one that `options={"deal": 7}` names, or another
        one."""
        seed = None if seed is None else operator.index(seed)
        super().reset(seed=seed)
        if seed is None:
            seed = int(self.np_random.integers(2**63))
        deal = _deal(options)
        deals = None if deal is None else [deal]
        self._batch.reset([seed], self._observation, self._legal, deals)
        if not self._legal.any():
            raise InputError(f"no deal of {self.game} was found that allows a move")
        self._over[0] = False
        return self._observation[0].copy(), {
            **self._info(False),
            "skipped": self._batch.skipped()[0],
        }

    def action_masks(self) -> NDArray[np.bool_]:
        """Which moves are legal, where SB3-contrib looks for it."""
        mask: NDArray[np.bool_] = self._legal[0].astype(bool)
        return mask

    def _info(self, illegal: bool) -> dict[str, Any]:
        return {"action_mask": self._legal[0].copy(), "illegal": illegal}

    def step(
        self, action: np.int64 | int
    ) -> tuple[NDArray[np.int16], float, bool, bool, dict[str, Any]]:
        """Makes a move."""
        if self._over[0]:
            raise gymnasium.error.ResetNeeded("the game is over, or has not begun: call reset()")
        moves = np.array([action], np.int64)
        self._batch.step(
            moves, self._observation, self._legal, self._reward, self._over, self._illegal
        )
        illegal = bool(self._illegal[0])
        if illegal and self._illegal_raises:
            raise InputError(f"move {int(action)} is not legal (there are: {self.legal_moves()})")
        info = self._info(illegal)
        return self._observation[0].copy(), float(self._reward[0]), bool(self._over[0]), False, info

    def legal_moves(self) -> dict[int, str]:
        """The legal moves: their numbers, with their notation."""
        return dict(self._batch.legal(0))

    @property
    def state(self) -> State:
        """The game as it stands, as a state of its own."""
        return self._batch.state(0)

    def set_state(self, state: State) -> tuple[NDArray[np.int16], dict[str, Any]]:
        """Goes on from a state of this game, and gives what `reset` gives."""
        self._batch.set_state(0, state)
        self._batch.show(self._observation, self._legal)
        self._over[0] = state.is_over
        return self._observation[0].copy(), self._info(False)

    def render(self) -> str | NDArray[np.uint8]:  # type: ignore[override]
        """The position as text, or as a picture if `render_mode` is `rgb_array`."""
        if self.render_mode == "rgb_array":
            return picture(self.state.scene)
        return self._batch.text(0)


class PatienceVectorEnv(VectorEnv[NDArray[np.int16], NDArray[np.int64], NDArray[Any]]):
    """Many games side by side. A game that is over starts anew with the next step, whose move and
    reward do not count (Gymnasium's `NEXT_STEP`).

    What `step` gives is yours. With `copy=False` nothing is copied: the arrays are the environment's own,
    and the next step overwrites them. The games are the same on any number of `threads`; if nothing is
    said there is one for each thousand games, as far as there are cores.
    """

    metadata: dict[str, Any] = {
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": 4,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int,
        game: str | Game,
        *,
        render_mode: str | None = None,
        max_episode_steps: int | None = None,
        copy: bool = True,
        threads: int | None = None,
        illegal: Literal["ignore", "raise"] = "ignore",
        **parameters: object,
    ) -> None:
        self._illegal_raises = _check_illegal(illegal)
        if max_episode_steps is not None and max_episode_steps < 1:
            raise UsageError(f"max_episode_steps is {max_episode_steps}, expected 1 or more")
        #: The game.
        self.game = _game(game, parameters)
        self.num_envs = num_envs
        self.render_mode = _check_render(render_mode)
        threads = threads or max(1, min(os.cpu_count() or 1, num_envs // 1000))
        self._batch = self.game.batch(num_envs, threads)
        self.single_observation_space, self.single_action_space = _spaces(self._batch)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._most = max_episode_steps
        self._copy = copy
        self._observations = np.zeros((num_envs, len(self._batch.highest)), np.int16)
        self._legal = np.zeros((num_envs, self._batch.moves), np.int8)
        self._rewards = np.zeros(num_envs)
        self._over = np.zeros(num_envs, bool)
        self._truncated = np.zeros(num_envs, bool)
        self._illegal = np.zeros(num_envs, bool)
        self._steps = np.zeros(num_envs, np.int64)
        self._random = np.zeros(num_envs, np.int64)
        self._seed = 0
        self._drawn = 0
        self._begun = False

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[np.int16], dict[str, Any]]:
        """Starts all games: game i with `seed + i`, or each with its own seed. `options={"deal": 7}` names
        the deal of all games, or is a list with one for each."""
        first = None
        if seed is not None and np.ndim(cast("Any", seed)) == 0:
            first = operator.index(cast("int", seed))
        super().reset(seed=first)
        if first is not None:
            seeds = [first + i for i in range(self.num_envs)]
        else:
            drawn = self.np_random.integers(2**63, size=self.num_envs).tolist()
            given: Sequence[int | None] = [None] * self.num_envs
            if seed is not None:
                given = cast("Sequence[int | None]", seed)
            if len(given) != self.num_envs:
                raise UsageError(f"{len(given)} seeds for {self.num_envs} games")
            seeds = [own if own is not None else other for own, other in zip(given, drawn)]
        self._seed, self._drawn = seeds[0], 0
        deal = _deal(options)
        deals = None
        if deal is not None:
            one = isinstance(deal, str) or hasattr(deal, "__index__")
            deals = [deal] * self.num_envs if one else list(deal)
        self._batch.reset(seeds, self._observations, self._legal, deals)
        if not self._legal.any(axis=1).all():
            raise InputError(f"no deal of {self.game} was found that allows a move")
        self._begun = True
        self._over[:] = False
        self._truncated[:] = False
        self._steps[:] = 0
        self._illegal[:] = False
        skipped = np.asarray(self._batch.skipped(), np.int64)
        return self._own(self._observations), {**self._info(), "skipped": skipped}

    def action_masks(self) -> NDArray[np.bool_]:
        """Which moves are legal, one row per game."""
        return self._legal.astype(bool)

    def _refuse_illegal(self, moves: NDArray[np.int64]) -> None:
        """Raises for the first move that is not legal, before any is made."""
        ranged = np.clip(moves, 0, self._batch.moves - 1)
        legal = (ranged == moves) & (self._legal[np.arange(self.num_envs), ranged] == 1)
        wrong = np.flatnonzero(~(legal | self._over | self._truncated))
        if len(wrong):
            game = int(wrong[0])
            there = self.legal_moves(game)
            raise InputError(f"move {moves[game]} of game {game} is not legal (there are: {there})")

    def _own(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._copy else array

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._own(self._legal), "illegal": self._own(self._illegal)}

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[
        NDArray[np.int16],
        NDArray[Any],
        NDArray[Any],
        NDArray[Any],
        dict[str, Any],
    ]:
        """Makes a move in every game."""
        moves = np.ascontiguousarray(actions, np.int64)
        if moves.shape != (self.num_envs,):
            raise UsageError(f"moves has the shape {moves.shape}, expected ({self.num_envs},)")
        if not self._begun:
            raise gymnasium.error.ResetNeeded("the games have not begun: call reset()")
        if self._illegal_raises:
            self._refuse_illegal(moves)
        if self._most is not None:
            begins = self._over | self._truncated
            moves = np.where(self._truncated, Batch.RESTART, moves)
        self._batch.step(
            moves, self._observations, self._legal, self._rewards, self._over, self._illegal
        )
        if self._most is not None:
            self._steps += 1
            self._steps[begins] = 0
            np.greater_equal(self._steps, self._most, out=self._truncated)
            self._truncated &= ~self._over
        return (
            self._own(self._observations),
            self._own(self._rewards),
            self._own(self._over),
            self._own(self._truncated),
            self._info(),
        )

    def random_moves(self) -> NDArray[np.int64]:
        """A legal move for every game, each alike (-1 where a game is over)."""
        self._batch.sample(Rng(self._seed, "random moves", str(self._drawn)), self._random)
        self._drawn += 1
        return self._own(self._random)

    def legal_moves(self, game: int) -> dict[int, str]:
        """The legal moves of a game: their numbers, with their notation."""
        return dict(self._batch.legal(game))

    def state(self, game: int) -> State:
        """A game as it stands, as a state of its own."""
        return self._batch.state(game)

    def set_state(self, game: int, state: State) -> None:
        """Lets a game go on from a state; what is seen of it comes with the next step."""
        if not self._begun:
            raise gymnasium.error.ResetNeeded("the games have not begun: call reset()")
        self._batch.set_state(game, state)
        self._batch.show(self._observations, self._legal)
        self._over[game] = state.is_over
        self._truncated[game] = False
        self._steps[game] = 0

    def render(self) -> tuple[str, ...] | tuple[NDArray[np.uint8], ...]:
        """The positions as text, or as pictures."""
        if self.render_mode == "rgb_array":
            return tuple(picture(self.state(i).scene) for i in range(self.num_envs))
        return tuple(self._batch.text(i) for i in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        """Nothing is left open."""
