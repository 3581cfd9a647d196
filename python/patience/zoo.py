"""Games for two players as PettingZoo environments: `pip install 'patience-games[pettingzoo]'`.

>>> from patience.zoo import TwoPlayers
>>> env = TwoPlayers("connect-four")
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, over, cut, info = env.last()
...     action = None if over else env.action_space(agent).sample(observation["action_mask"])
...     env.step(action)
"""

from __future__ import annotations

from operator import index
from typing import Any, SupportsIndex

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from ._draw import picture
from ._games import game as make_game
from ._native import Game, State
from .errors import UsageError

__all__ = ["TwoPlayers"]

FIRST, SECOND = AGENTS = ("first", "second")


class TwoPlayers(AECEnv):  # type: ignore[misc]
    """A game for two, who take turns. What one of them wins the other one loses.

    An observation holds the game's array and the mask of legal moves, whose numbers are fixed. A move
    that is not legal is an `InputError`. `env.game_state` is the game as a `patience.State`.
    """

    def __init__(
        self, game: str | Game, *, render_mode: str | None = None, **parameters: object
    ) -> None:
        super().__init__()
        #: The game.
        self.game = game if isinstance(game, Game) else make_game(game, **parameters)
        layout = self.game.layout
        if layout is None:
            raise UsageError(f"{self.game} cannot be put into arrays")
        self.render_mode = render_mode
        self.metadata: dict[str, Any] = {
            "name": self.game.name,
            "render_modes": ["ansi", "rgb_array"],
            "is_parallelizable": False,
        }
        self.possible_agents = list(AGENTS)
        high = [part["highest"] for part in layout["observation"] for _ in range(part["count"])]
        highest = np.array(high, np.int16)
        seen = spaces.Dict(
            {
                "observation": spaces.Box(np.zeros_like(highest), highest, dtype=np.int16),
                "action_mask": spaces.Box(0, 1, (layout["moves"],), np.int8),
            }
        )
        self._moves = layout["moves"]
        self.observation_spaces = {agent: seen for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(self._moves) for agent in AGENTS}

    def observation_space(self, agent: str) -> spaces.Dict:
        """What an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The moves by their numbers."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game: the one of the seed."""
        self._begin(self.game.start(0 if seed is None else int(seed)))

    def _begin(self, state: State) -> None:
        #: The game as it stands.
        self.game_state = state
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, state.is_over)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = SECOND if state.minimising else FIRST

    def set_state(self, state: State) -> None:
        """Goes on from a state of this game."""
        if state.game != self.game:
            raise UsageError(f"{state!r} is no state of {self.game}")
        self._begin(state.copy())

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """What an agent sees: the array, and the legal moves if it is its turn."""
        turn = agent == self.agent_selection
        mask = self.game_state.mask if turn else np.zeros(self._moves, bool)
        return {"observation": self.game_state.array, "action_mask": mask.astype(np.int8)}

    def step(self, action: SupportsIndex | None) -> None:
        """Makes a move."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise UsageError("a move is expected: the game is not over")
        self._cumulative_rewards[agent] = 0.0
        state = self.game_state
        reward = state.step(state.action(index(action))).reward
        self.rewards = {FIRST: reward, SECOND: -reward}
        self.terminations = dict.fromkeys(AGENTS, state.is_over)
        self.agent_selection = SECOND if state.minimising else FIRST
        self._accumulate_rewards()

    def close(self) -> None:
        """Nothing is left open."""

    def render(self) -> str | NDArray[np.uint8]:
        """The position as text, or as a picture if `render_mode` is `rgb_array`."""
        if self.render_mode == "rgb_array":
            return picture(self.game_state.scene)
        return self.game_state.text
