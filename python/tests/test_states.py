"""States as objects: arrays, numbers of actions, equality, text and back."""

import copy
import pickle

import numpy as np
import pytest

import patience

NAMES = [info.name for info in patience.games()]
CODED = [name for name in NAMES if patience.game(name).layout]


def walk(state, seed=1, most=200):
    """The state after each of some random moves, itself first."""
    rng = np.random.default_rng(seed)
    yield state
    for _ in range(most):
        if state.is_over:
            return
        state.step(int(rng.integers(len(state.actions()))))
        yield state


@pytest.mark.parametrize("name", CODED)
def test_arrays_are_those_of_the_batch(name):
    game = patience.game(name)
    layout = game.layout
    highest = np.concatenate([np.full(p["count"], p["highest"]) for p in layout["observation"]])
    batch = game.batch(1)
    assert highest.tolist() == batch.highest and layout["moves"] == batch.moves
    observation = np.zeros((1, len(highest)), np.int16)
    legal = np.zeros((1, layout["moves"]), np.int8)
    for state in walk(game.start(seed=3)):
        batch.set_state(0, state)
        batch.show(observation, legal)
        assert state.array.dtype == np.int16 and (state.array == observation[0]).all()
        assert (0 <= state.array).all() and (state.array <= highest).all()
        assert state.mask.dtype == bool and (state.mask == legal[0]).all()
        assert dict(zip(state.numbers, state.actions())) == dict(batch.legal(0))
        for number, action in zip(state.numbers, state.actions()):
            assert state.number(action) == number and state.action(number) == action
        assert batch.state(0) == state and batch.state(0).text == state.text


def test_numbers_that_are_not_legal():
    state = patience.game("connect-four").start()
    with pytest.raises(patience.InputError, match="no legal move has the number 9"):
        state.action(9)
    with pytest.raises(patience.UsageError, match="-1 is not a whole number"):
        state.action(-1)
    with pytest.raises(patience.InputError, match="z9 is not a legal move"):
        state.number("z9")
    state = patience.game("pgame").start()
    for ask in (lambda: state.array, lambda: state.mask, lambda: state.numbers):
        with pytest.raises(patience.InputError, match="pgame cannot be put into arrays"):
            ask()


@pytest.mark.parametrize("name", NAMES)
def test_a_state_is_equal_to_its_copies(name):
    for make in (patience.game, patience.table):
        state = make(name).start(seed=5)
        for state in walk(state, most=5):
            pass
        others = [
            state.copy(),
            copy.copy(state),
            copy.deepcopy(state),
            pickle.loads(pickle.dumps(state)),
        ]
        for other in others:
            assert other == state and hash(other) == hash(state) and other.text == state.text
            assert other.game == state.game and hash(other.game) == hash(state.game)
        assert len({state, *others}) == 1
        if not state.is_over:
            other = others[0]
            other.step(0)
            assert state.moves == other.moves - 1
        assert state != 5 and state != make("sailing(size=7)").start(seed=5)


def test_states_reached_on_other_ways_are_equal_where_the_game_goes_on_alike():
    game = patience.game("tic-tac-toe")
    one, other = game.start(), game.start(seed=9)
    for a, b in zip(["a1", "b2", "c3"], ["c3", "b2", "a1"]):
        one.step(a)
        other.step(b)
    assert one == other and hash(one) == hash(other) and one.key == other.key
    one.step("a2")
    assert one != other
    deals = patience.game("klondike")
    assert deals.start(seed=1) == deals.start(deal="seed:1") != deals.start(seed=2)
    assert patience.table("klondike").start(seed=1) != deals.start(seed=1)


def test_a_named_deal_has_its_own_chance():
    lake = patience.game("sailing(size=6)")
    one, other = lake.start(seed=7), lake.start(deal="seed:7")
    for _ in range(5):
        assert one.step(0) == other.step(0)


@pytest.mark.parametrize("name", [n for n in NAMES if "reading" in patience.table(n).capabilities])
def test_text_and_back(name):
    """What is shown can be read again; what is hidden is then unknown, or dealt anew."""
    table = patience.table(name)
    for state in walk(table.start(seed=2), most=30):
        again = table.start(position=state.text)
        assert again.text == state.text
        if "hidden" not in table.capabilities and "opened" not in table.capabilities:
            assert again.actions() == state.actions()


def test_batches_are_copied_and_pickled():
    game = patience.game("sailing(size=5)")
    batch = game.batch(3, threads=2)
    shape = (3, len(batch.highest)), (3, batch.moves)
    arrays = lambda: [np.zeros(shape[0], np.int16), np.zeros(shape[1], np.int8)]  # noqa: E731
    batch.reset([1, 2, 3], *arrays())

    def run(batch):
        seen, rng = [], patience.Rng(4)
        moves, (observations, legal) = np.zeros(3, np.int64), arrays()
        rewards, over, illegal = np.zeros(3), np.zeros(3, bool), np.zeros(3, bool)
        for _ in range(60):  # Past the end of games: those after it are the same too.
            batch.sample(rng, moves)
            batch.step(moves, observations, legal, rewards, over, illegal)
            seen.append((observations.tolist(), rewards.tolist(), over.tolist()))
        return seen

    run(batch)
    others = [batch.copy(), copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]
    expected = run(batch)
    assert any(any(over) for _, _, over in expected)
    for other in others:
        assert run(other) == expected
    with pytest.raises(patience.UsageError, match="none at place 3"):
        batch.state(3)
    with pytest.raises(patience.UsageError, match="is no state of sailing"):
        batch.set_state(0, patience.game("tiger").start())


@pytest.mark.parametrize("name", CODED)
def test_any_number_of_threads_steps_the_same_games(name):
    runs = []
    for threads in (1, 3, 7):
        batch = patience.game(name).batch(7, threads=threads)
        observations = np.zeros((7, len(batch.highest)), np.int16)
        legal = np.zeros((7, batch.moves), np.int8)
        rewards, over, illegal = np.zeros(7), np.zeros(7, bool), np.zeros(7, bool)
        moves, rng, seen = np.zeros(7, np.int64), patience.Rng(1), []
        batch.reset(list(range(7)), observations, legal)
        for _ in range(100):
            batch.sample(rng, moves)
            batch.step(moves, observations, legal, rewards, over, illegal)
            seen.append((observations.tolist(), legal.tolist(), rewards.tolist(), over.tolist()))
        runs.append(seen)
    assert runs[0] == runs[1] == runs[2]


def test_a_planner_is_imitated():
    """Pairs of what is seen and what is played, from a planner and from a solver."""
    state, pairs = patience.game("klondike").start(seed=7), []
    while not state.is_over:
        best = state.advise("greedy").best
        pairs.append((state.array, state.number(best)))
        state.step(best)
    assert len(pairs) == state.moves > 10
    solution = patience.solve("samegame", seed=1, size=(6, 6, 3), rollouts=200)
    state, total = solution.start(), 0.0
    for action in solution.actions:
        assert state.mask[state.number(action)] and state.array.shape == (36,)
        total += state.step(action).reward
    assert total == solution.score
