"""Games for two players in PettingZoo, by its own tests."""

import copy
import pickle
import warnings

import numpy as np
import pytest

import patience

pytest.importorskip("pettingzoo")
from pettingzoo.test import api_test  # noqa: E402

from patience.zoo import TwoPlayers  # noqa: E402

NAMES = [i.name for i in patience.games() if i.players == 2 and patience.game(i.name).layout]


def test_both_are_there():
    assert {"tic-tac-toe", "connect-four"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_pettingzoo_is_content(name, capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(TwoPlayers(name), num_cycles=200)


@pytest.mark.parametrize("name", NAMES)
def test_turns_and_rewards_are_the_games(name):
    env = TwoPlayers(name, render_mode="ansi")
    results = set()
    for seed in range(30):
        rng = np.random.default_rng(seed)
        env.reset(seed=seed)
        state, totals, turns = env.game.start(seed), dict.fromkeys(env.agents, 0.0), []
        for agent in env.agent_iter():
            seen, reward, over, _, _ = env.last()
            totals[agent] += reward
            if over:
                env.step(None)
                continue
            turns.append(agent)
            assert (seen["action_mask"] == state.mask).all() and env.render() == state.text
            assert env.observation_space(agent).contains(seen)
            action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
            state.step(state.action(action))
            env.step(action)
        assert turns[::2] == ["first"] * len(turns[::2]) and turns[1::2] == ["second"] * len(turns[1::2])
        assert totals == {"first": state.result, "second": -state.result}
        results.add(state.result)
    assert {1.0, -1.0} <= results


def test_illegal_moves_and_copies():
    env = TwoPlayers("connect-four", render_mode="rgb_array")
    env.reset()
    with pytest.raises(patience.InputError, match="no legal move has the number 7"):
        env.step(7)
    env.step(3)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        other.step(3)
        assert env.game_state.moves == 1 and other.game_state.moves == 2
    assert env.render().shape == (480, 640, 3)
    again = TwoPlayers("connect-four")
    again.set_state(env.game_state)
    assert again.agent_selection == "second" and again.game_state == env.game_state
    with pytest.raises(patience.UsageError, match="cannot be put into arrays"):
        TwoPlayers("pgame")
