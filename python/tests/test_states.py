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


def refused(ask, said, error=patience.UsageError):
    with pytest.raises(error, match=said):
        ask()


def test_numbers_that_are_none_are_refused_in_our_words(tmp_path):
    """Negative numbers, and numbers of what is not there, wherever one is taken."""
    gymnasium = pytest.importorskip("gymnasium")
    from patience.envs import PatienceEnv, PatienceVectorEnv

    assert gymnasium.__version__
    game = patience.game("sailing(size=5)")
    state, batch = game.start(seed=1), game.batch(3)
    arrays = np.zeros((3, len(batch.highest)), np.int16), np.zeros((3, batch.moves), np.int8)
    batch.reset([1, 2, 3], *arrays)
    many = PatienceVectorEnv(3, "sailing(size=5)")
    many.reset(seed=1)
    env = PatienceEnv("sailing(size=5)")
    env.reset(seed=1)
    lists = {
        "batch.state": batch.state,
        "batch.set_state": lambda place: batch.set_state(place, state),
        "batch.legal": batch.legal,
        "batch.text": batch.text,
        "many.state": many.state,
        "many.set_state": lambda place: many.set_state(place, state),
        "many.legal_moves": many.legal_moves,
    }
    for ask in lists.values():
        for place in (-1, -(2**70)):
            refused(lambda: ask(place), f"{place} is not a whole number from 0")
        for place in (3, 99, 2**63):
            refused(lambda: ask(place), f"there are 3 games, none at place {place}")
        for place in (True, 1.5, "1", None):
            refused(lambda: ask(place), f"{place} is not a whole number from 0")
    store = str(tmp_path / "S.db")
    spec = ("uct-figure-2",)
    experiment = patience.Experiment(*spec, quick=True, units=1, store=store)
    whole = "-1 is not a whole number from 0"
    refused(lambda: experiment.run(threads=-1), whole)
    refused(lambda: experiment.run(threads=2000), "2000 threads: expected at most 1024")
    refused(lambda: patience.Experiment(*spec, units=-1, store=store), whole)
    refused(lambda: patience.Experiment({"name": "a"}, units=-1, store=store), whole)
    assert not (tmp_path / "S.db").exists()
    refused(lambda: PatienceVectorEnv(-1, "sailing"), whole)
    refused(lambda: PatienceVectorEnv(2, "sailing", threads=-1), whole)
    refused(lambda: PatienceVectorEnv(2, "sailing", max_episode_steps=-1), "expected 1 or more")
    refused(lambda: game.batch(-1), whole)
    refused(lambda: game.batch(0), "0 games: expected 1 to")
    refused(lambda: game.batch(1, threads=-1), whole)
    refused(lambda: game.batch(1, threads=0), "0 threads: expected 1 or more")
    refused(lambda: game.batch(1, threads=1025), "1025 threads: expected at most 1024")
    refused(lambda: game.start(seed=-1), whole)
    refused(lambda: env.reset(seed=-1), "-1", gymnasium.error.Error)
    refused(lambda: state.action(-1), whole)
    refused(lambda: state.step(-1), "none at place -1", patience.InputError)
    refused(lambda: state.step(99), "none at place 99", patience.InputError)
    for budget in ("iterations", "model_calls", "memory", "seed"):
        refused(lambda: state.advise("mc", **{budget: -1}), whole)
    refused(lambda: state.advise("mc", time=-1), "above 0")
    refused(lambda: patience.solve("freecell", deal=1, iterations=-1), "iterations is -1, expected")
    refused(lambda: patience.Rng(-1), whole)
    refused(lambda: patience.Rng(1).below(-1), whole)
    refused(lambda: patience.ensemble(state, "mc(iterations=1)", trees=0), "tree")
    refused(lambda: patience.ensemble(state, "mc(iterations=1)", trees=-1), "tree")


def test_sampled_moves_and_wrong_moves_of_a_batch():
    """A move that there is not changes nothing and is told, whatever the number."""
    batch = patience.game("sailing(size=5)").batch(1)
    observations, legal = np.zeros((1, len(batch.highest)), np.int16), np.zeros((1, batch.moves), np.int8)
    rewards, over, illegal = np.zeros(1), np.zeros(1, bool), np.zeros(1, bool)
    batch.reset([1], observations, legal)
    before = batch.text(0)
    for move in (-5, 8, 99, 2**62):
        batch.step(np.array([move], np.int64), observations, legal, rewards, over, illegal)
        assert illegal[0] and rewards[0] == 0 and not over[0] and batch.text(0) == before
