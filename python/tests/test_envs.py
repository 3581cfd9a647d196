"""Gymnasium environments: they pass the checker, and agree with the games behind them."""

import warnings

import numpy as np
import pytest

import patience

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402

from patience._register import ENVIRONMENTS  # noqa: E402

NAMES = [f"Patience/{name}-v0" for name in ENVIRONMENTS]


@pytest.mark.parametrize("name", NAMES)
def test_the_checker_is_content(name):
    env = gymnasium.make(name, render_mode="ansi")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)
    assert isinstance(env.reset(seed=1) and env.render(), str)


@pytest.mark.parametrize("name", NAMES)
def test_masks_are_the_legal_moves_and_games_end(name):
    env = gymnasium.make(name).unwrapped
    for seed in range(3):
        observation, info = env.reset(seed=seed)
        state = env.game.start(seed)
        total, over, steps = 0.0, False, 0
        rng = np.random.default_rng(seed)
        while not over and steps < 3000:
            mask = info["action_mask"]
            legal = env.legal_moves()
            assert sorted(np.flatnonzero(mask)) == sorted(legal)
            assert list(legal.values()) == state.actions(), "the game behind it has the same moves"
            assert env.observation_space.contains(observation)
            move = int(rng.choice(list(legal)))
            text = legal[move]
            observation, reward, over, truncated, info = env.step(move)
            assert reward == state.step(text).reward
            assert not truncated and not info["illegal"]
            total += reward
            steps += 1
        assert over == state.is_over
        if over:
            with pytest.raises(gymnasium.error.ResetNeeded):
                env.step(0)


def test_parameters_are_the_games():
    one = gymnasium.make("Patience/Klondike-v0", draw=1).unwrapped
    three = gymnasium.make("Patience/Klondike-v0", draw=3).unwrapped
    assert one.game.name == "klondike(draw=1)"
    assert len(one.reset(seed=1)[1]["action_mask"].nonzero()[0]) >= len(
        three.reset(seed=1)[1]["action_mask"].nonzero()[0]
    )
    with pytest.raises(patience.InputError, match="from 1 to 3"):
        gymnasium.make("Patience/Klondike-v0", draw=7)


def test_a_deal_without_moves_ends_with_the_first_step():
    # The checker begins with this seed too.
    assert patience.game("klondike").start(seed=123).is_over
    env = gymnasium.make("Patience/Klondike-v0").unwrapped
    _, info = env.reset(seed=123)
    assert not info["action_mask"].any()
    _, reward, over, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
    assert (reward, over, truncated, info["illegal"]) == (0.0, True, False, False)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


def test_illegal_moves_are_ignored_or_raised():
    env = gymnasium.make("Patience/Klondike-v0").unwrapped
    before, info = env.reset(seed=1)
    wrong = int(info["action_mask"].argmin())
    after, reward, over, _, info = env.step(wrong)
    assert info["illegal"] and reward == 0 and not over
    assert (before == after).all()
    strict = gymnasium.make("Patience/Klondike-v0", illegal="raise").unwrapped
    strict.reset(seed=1)
    with pytest.raises(patience.InputError, match="is not legal"):
        strict.step(wrong)


def test_hidden_cards_are_not_seen():
    """Two deals that differ only in what lies face down look the same."""
    env = gymnasium.make("Patience/Klondike-v0").unwrapped
    observation, _ = env.reset(seed=4)
    places = observation[:52]
    assert (places == 0).sum() == 21, "as many cards are unseen as lie face down"
    assert observation[104:111].sum() == 21


@pytest.mark.parametrize("name", NAMES)
def test_the_vector_version_plays_the_same_games(name):
    count = 5
    many = gymnasium.make_vec(name, num_envs=count, copy=True)
    ones = [gymnasium.make(name).unwrapped for _ in range(count)]
    seen, info = many.reset(seed=20)
    firsts = [env.reset(seed=20 + i) for i, env in enumerate(ones)]
    assert many.observation_space.contains(seen)
    for i, (first, own) in enumerate(firsts):
        assert (seen[i] == first).all() and (info["action_mask"][i] == own["action_mask"]).all()
    over = [False] * count
    rng = np.random.default_rng(1)
    for _ in range(300):
        moves = [
            int(rng.choice(np.flatnonzero(mask))) if mask.any() else 0
            for mask in info["action_mask"]
        ]
        seen, rewards, ended, truncated, info = many.step(np.array(moves))
        for i, env in enumerate(ones):
            if over[i]:
                over[i] = None  # It has begun anew with a game of its own.
            elif over[i] is False:
                own, reward, over[i], _, own_info = env.step(moves[i])
                assert (seen[i] == own).all() and rewards[i] == reward and ended[i] == over[i]
                assert (info["action_mask"][i] == own_info["action_mask"]).all()
        assert not truncated.any()
        if all(o is None for o in over):
            break


def test_the_vector_version_copies_nothing_and_cuts_games():
    many = gymnasium.make_vec("Patience/Klondike-v0", num_envs=3, max_episode_steps=4)
    first, _ = many.reset(seed=1)
    for step in range(1, 12):
        seen, _, over, truncated, info = many.step(many.random_moves())
        assert seen is first, "one array for all steps"
        assert not info["illegal"].any()
        if not over.any():
            assert truncated.all() == (step % 5 == 4)
    with pytest.raises(patience.UsageError, match="moves has the shape"):
        many.step(np.zeros(4, int))
    with pytest.raises(patience.UsageError, match="2 seeds for 3 games"):
        many.reset(seed=[1, 2])


def test_random_moves_are_legal_and_repeatable():
    runs = []
    for _ in range(2):
        many = gymnasium.make_vec("Patience/SameGame-v0", num_envs=50)
        many.reset(seed=3)
        total = 0.0
        for _ in range(100):
            _, rewards, _, _, info = many.step(many.random_moves())
            total += rewards.sum()
            assert not info["illegal"].any()
        runs.append(total)
    assert runs[0] == runs[1] > 0
