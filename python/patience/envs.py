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
`illegal="raise"` it is an exception.

`gymnasium.make_vec("Patience/Klondike-v0", num_envs=4096)` steps thousands of games in one call.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ._games import game as make_game
from ._native import Batch, Game, Rng
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


class PatienceEnv(gymnasium.Env[NDArray[np.int16], np.int64]):
    """One game.

    The game of a seed is the one that `patience.game(...).start(seed)` begins: the same deal, the same
    chance.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}

    def __init__(
        self,
        game: str | Game,
        *,
        render_mode: str | None = None,
        illegal: Literal["ignore", "raise"] = "ignore",
        **parameters: object,
    ) -> None:
        if illegal not in ("ignore", "raise"):
            raise UsageError(f"illegal is {illegal!r}, expected 'ignore' or 'raise'")
        #: The game.
        self.game = _game(game, parameters)
        self.render_mode = render_mode
        self._illegal_raises = illegal == "raise"
        self._batch = self.game.batch(1)
        self.observation_space, self.action_space = _spaces(self._batch)
        moves = self._batch.moves
        self._observation = np.zeros((1, len(self._batch.highest)), np.int16)
        self._legal = np.zeros((1, moves), np.int8)
        self._reward = np.zeros(1)
        self._over = np.ones(1, bool)
        self._illegal = np.zeros(1, bool)
        self._begun = False
        #: No move was made yet.
        self._fresh = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int16], dict[str, Any]]:
        """Starts a game: the one of the seed, or another one."""
        super().reset(seed=seed)
        if seed is None:
            seed = int(self.np_random.integers(2**63))
        self._batch.reset([seed], self._observation, self._legal)
        self._over[0] = not self._legal.any()
        self._begun = self._fresh = True
        return self._observation[0].copy(), self._info(False)

    def _info(self, illegal: bool) -> dict[str, Any]:
        return {"action_mask": self._legal[0].copy(), "illegal": illegal}

    def step(
        self, action: np.int64 | int
    ) -> tuple[NDArray[np.int16], float, bool, bool, dict[str, Any]]:
        """Makes a move. Some deals allow none: their first step ends them."""
        if not self._begun or (self._over[0] and not self._fresh):
            raise gymnasium.error.ResetNeeded("the game is over, or has not begun: call reset()")
        self._fresh = False
        if self._over[0]:
            return self._observation[0].copy(), 0.0, True, False, self._info(False)
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

    def render(self) -> str:  # type: ignore[override]
        """The position as text."""
        return self._batch.text(0)


class PatienceVectorEnv(VectorEnv[NDArray[np.int16], NDArray[np.int64], NDArray[Any]]):
    """Many games side by side. A game that is over starts anew with the next step, whose move and
    reward do not count (Gymnasium's `NEXT_STEP`).

    What `step` gives are the environment's own arrays, which the next step overwrites: nothing is
    copied. With `copy=True` they are yours.
    """

    metadata: dict[str, Any] = {
        "render_modes": ["ansi"],
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
        copy: bool = False,
        **parameters: object,
    ) -> None:
        #: The game.
        self.game = _game(game, parameters)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self._batch = self.game.batch(num_envs)
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
        self._rng = Rng(0, "random moves")

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[np.int16], dict[str, Any]]:
        """Starts all games: game i with `seed + i`, or each with its own seed."""
        first = seed if seed is None or isinstance(seed, int) else None
        super().reset(seed=first)
        if isinstance(seed, int):
            seeds = [seed + i for i in range(self.num_envs)]
        else:
            drawn = self.np_random.integers(2**63, size=self.num_envs).tolist()
            given: Sequence[int | None] = seed if seed is not None else [None] * self.num_envs
            if len(given) != self.num_envs:
                raise UsageError(f"{len(given)} seeds for {self.num_envs} games")
            seeds = [own if own is not None else other for own, other in zip(given, drawn)]
        self._rng = Rng(seeds[0], "random moves")
        self._batch.reset(seeds, self._observations, self._legal)
        self._over[:] = False
        self._truncated[:] = False
        self._steps[:] = 0
        self._illegal[:] = False
        return self._own(self._observations), self._info()

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
        self._batch.sample(self._rng, self._random)
        return self._own(self._random)

    def legal_moves(self, game: int) -> dict[int, str]:
        """The legal moves of a game: their numbers, with their notation."""
        return dict(self._batch.legal(game))

    def render(self) -> tuple[str, ...]:
        """The positions as text."""
        return tuple(self._batch.text(i) for i in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        """Nothing is left open."""
