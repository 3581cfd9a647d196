"""Gymnasium environments: they pass the checker, and agree with the games behind them."""

import copy
import pickle
import warnings

import numpy as np
import pytest

import patience

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402

from patience._register import ENVIRONMENTS  # noqa: E402
from patience.envs import PatienceEnv  # noqa: E402

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


@pytest.mark.parametrize("name", NAMES)
def test_a_thousand_seeds_begin_with_a_move(name):
    env = gymnasium.make(name).unwrapped
    many = gymnasium.make_vec(name, num_envs=1000, copy=False)
    observations, infos = many.reset(seed=0)
    assert infos["action_mask"].any(axis=1).all()
    for seed in range(1000):
        observation, info = env.reset(seed=seed)
        assert info["action_mask"].any()
        assert (observation == observations[seed]).all() and info["skipped"] == infos["skipped"][seed]
        assert (info["skipped"] > 0) == env.game.start(seed).is_over
        assert np.flatnonzero(env.action_masks()).tolist() == sorted(env.legal_moves())
        env.step(int(info["action_mask"].argmax()))


def test_a_deal_without_moves_is_passed_over():
    # The checker begins with this seed too.
    assert patience.game("klondike").start(seed=123).is_over
    env = gymnasium.make("Patience/Klondike-v0").unwrapped
    first, info = env.reset(seed=123)
    assert info["skipped"] > 0 and (env.reset(seed=123)[0] == first).all()
    with pytest.raises(patience.InputError, match="seed:123 allows no move"):
        env.reset(options={"deal": "seed:123"})


def test_games_that_begin_anew_begin_with_a_move():
    """Games side by side end only by a move, or are cut: none is over as it begins."""
    many = gymnasium.make_vec("Patience/Klondike-v0", num_envs=200, max_episode_steps=1)
    many.reset(seed=0)
    for step in range(100):
        _, _, over, truncated, info = many.step(many.random_moves())
        assert (over | truncated).all() == (step % 2 == 0)
        if step % 2:
            assert not over.any() and info["action_mask"].any(axis=1).all()


@pytest.mark.parametrize("name", NAMES)
def test_games_are_cut(name):
    assert gymnasium.make(name).spec.max_episode_steps == 1000
    env = gymnasium.make(name, max_episode_steps=2)
    _, info = env.reset(seed=1)
    ends = []
    for _ in range(2):
        move = int(info["action_mask"].argmax())
        _, _, over, cut, info = env.step(move)
        ends.append(over or cut)
        if over:
            break
    assert ends[-1]


def test_deals_have_names():
    env = gymnasium.make("Patience/FreeCell-v0").unwrapped
    by_number = env.reset(options={"deal": 1})[0]
    assert (env.reset(options={"deal": "1"}, seed=5)[0] == by_number).all()
    assert (env.reset(seed=1)[0] != by_number).any(), "the game numbers its deals"
    assert (env.reset(options={"deal": "seed:1"})[0] == env.reset(seed=1)[0]).all()
    assert env.reset(options={"deal": 1}) and env.render() == env.game.start(deal=1).text
    many = gymnasium.make_vec("Patience/FreeCell-v0", num_envs=2)
    assert (many.reset(options={"deal": 1})[0] == by_number).all()
    other = many.reset(options={"deal": [1, 2]})[0]
    assert (other[0] == by_number).all() and (other[1] != by_number).any()
    with pytest.raises(patience.InputError, match="is no deal"):
        env.reset(options={"deal": "x"})
    with pytest.raises(patience.UsageError, match="no option 'deals'"):
        env.reset(options={"deals": 1})


@pytest.mark.parametrize("name", NAMES)
def test_environments_are_states_and_states_are_environments(name):
    env = gymnasium.make(name).unwrapped
    _, info = env.reset(seed=3)
    rng = np.random.default_rng(1)
    for _ in range(12):
        if env.state.is_over:
            break
        _, _, _, _, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
    state = env.state
    assert state.text == env.render() and (state.mask == env.action_masks()).all()
    others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), gymnasium.make(name).unwrapped]
    seen, told = others[2].set_state(state)
    assert (seen == state.array).all() and (told["action_mask"] == state.mask).all()
    for other in others:
        assert other.state == state
    while not state.is_over and state.moves < 60:
        action = int(rng.choice(state.numbers))
        turn = state.step(state.action(action))
        for other in [env, *others]:
            seen, reward, over, _, _ = other.step(action)
            assert (seen == state.array).all() and (reward, over) == (turn.reward, state.is_over)
    if state.is_over:
        with pytest.raises(gymnasium.error.ResetNeeded):
            others[2].set_state(state)
            others[2].step(0)


def test_many_environments_are_copied_and_pickled():
    many = gymnasium.make_vec("Patience/Sailing-v0", num_envs=4, size=5, max_episode_steps=20)
    many.reset(seed=1)
    for _ in range(30):
        many.step(many.random_moves())
    others = [copy.deepcopy(many), pickle.loads(pickle.dumps(many))]
    for _ in range(50):
        expected = many.step(many.random_moves())
        for other in others:
            for own, its in zip(expected[:4], other.step(other.random_moves())):
                assert (own == its).all()
    many.set_state(2, many.state(0))
    assert many.state(2) == many.state(0)
    _, rewards, over, _, _ = many.step(many.random_moves())
    with pytest.raises(patience.UsageError, match="is no state of sailing"):
        many.set_state(0, patience.game("tiger").start())


def test_a_state_of_another_game_is_refused():
    env = gymnasium.make("Patience/Klondike-v0", draw=1).unwrapped
    with pytest.raises(patience.UsageError, match="is no state of klondike"):
        env.set_state(patience.game("klondike", draw=3).start(seed=1))
    with pytest.raises(patience.UsageError, match="is no state of klondike"):
        env.set_state(patience.table("klondike", draw=1).start(seed=1))


@pytest.mark.parametrize("name", NAMES)
def test_games_are_drawn(name):
    pytest.importorskip("PIL")
    env = gymnasium.make(name, render_mode="rgb_array")
    env.reset(seed=1)
    before = env.render()
    assert before.shape == (480, 640, 3) and before.dtype == np.uint8 and before.std() > 1
    env.reset(seed=2)
    assert env.render().shape == before.shape


def test_tables_are_drawn():
    pytest.importorskip("PIL")
    from patience._draw import picture

    for name in [info.name for info in patience.games()]:
        state = patience.table(name).start(seed=1)
        first = picture(state.scene)
        assert first.shape == (480, 640, 3) and first.std() > 1
        pictures = []
        while not state.is_over and len(pictures) < 20:
            state.step(len(pictures) % len(state.actions()))
            pictures.append(picture(state.scene))
        assert any((later != first).any() for later in pictures), name
    with pytest.raises(patience.UsageError, match="expected 'ansi' or 'rgb_array'"):
        PatienceEnv("klondike", render_mode="human")


def test_any_number_of_threads_steps_the_same_games():
    runs = []
    for threads in (1, 2):
        many = gymnasium.make_vec("Patience/Klondike-v0", num_envs=64, threads=threads)
        many.reset(seed=3)
        runs.append([many.step(many.random_moves())[0] for _ in range(100)])
    assert all((one == other).all() for one, other in zip(*runs))


def test_seeds_may_be_numpys():
    env = gymnasium.make("Patience/Klondike-v0").unwrapped
    many = gymnasium.make_vec("Patience/Klondike-v0", num_envs=2)
    seen = env.reset(seed=np.int64(7))[0]
    assert (seen == env.reset(seed=7)[0]).all()
    assert (many.reset(seed=np.int64(7))[0][0] == seen).all()
    assert (many.reset(seed=np.array([6, 7]))[0][1] == seen).all()


def test_a_game_must_begin_before_it_is_stepped():
    many = gymnasium.make_vec("Patience/Klondike-v0", num_envs=2)
    with pytest.raises(gymnasium.error.ResetNeeded):
        many.step(np.zeros(2, int))
    with pytest.raises(gymnasium.error.ResetNeeded):
        gymnasium.make("Patience/Klondike-v0").unwrapped.step(0)


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
    many = gymnasium.make_vec("Patience/Klondike-v0", num_envs=2, illegal="raise")
    _, info = many.reset(seed=1)
    right = many.random_moves()
    with pytest.raises(patience.InputError, match="move -5 of game 1 is not legal"):
        many.step(np.array([right[0], -5]))
    many.step(right)
    with pytest.raises(patience.UsageError, match="expected 'ignore' or 'raise'"):
        gymnasium.make_vec("Patience/Klondike-v0", num_envs=2, illegal="no")


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


def test_arrays_are_yours_unless_you_say_otherwise():
    many = gymnasium.make_vec("Patience/Klondike-v0", num_envs=3)
    first, _ = many.reset(seed=1)
    kept = first.copy()
    assert many.step(many.random_moves())[0] is not first
    assert (first == kept).all()


def test_the_vector_version_copies_nothing_and_cuts_games():
    many = gymnasium.make_vec("Patience/Klondike-v0", num_envs=3, max_episode_steps=4, copy=False)
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
