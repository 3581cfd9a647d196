"""Searches whose leaves a Python function judges: against plain searches, a twin, and one by one."""

import math
import os
import signal
import threading
import time

import numpy as np
import pytest

import patience
from patience import InputError, UsageError

TICTACTOE = patience.game("tic-tac-toe")
FOUR = patience.game("connect-four")
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def uniform(observations, masks):
    return masks.astype(float), np.zeros(len(masks))


def opinion(observations, masks):
    """Something of every state, and of each move something else: no two alike."""
    weights = np.arange(1, observations.shape[1] + 1) ** 2
    sums = (observations.astype(np.int64) * weights).sum(axis=1)
    values = np.sin(sums * 1.7)
    moves = np.arange(masks.shape[1])
    priors = 1.1 + np.sin(sums[:, None] * (moves + 2.3))
    return priors, values


def positions(game, count, moves):
    """Positions after some random moves; in some of them the game is over."""
    rng = patience.Rng(3, "positions")
    states = []
    for place in range(count):
        state = game.start(seed=place)
        for _ in range(moves * place // count):
            if state.is_over:
                break
            state.step(rng.pick(state.actions()))
        states.append(state)
    return states


@pytest.mark.parametrize("game", ["tic-tac-toe", "connect-four", "samegame(width=5, height=5)"])
def test_one_that_knows_nothing_is_plain_puct(game):
    for seed, state in enumerate(positions(patience.game(game), 6, 8)):
        advice = patience.uct(state, evaluator=uniform, iterations=300, c=2, seed=seed)
        plain = state.advise("uct(selection=puct, recommend=visits, eval=zero, c=2)", iterations=300, seed=seed)
        assert advice.best == plain.best and advice.moves == plain.moves


class Twin:
    """PUCT as in the paper: a dictionary of histories, values in the eyes of who is to move."""

    def __init__(self, state, judge, c):
        self.root, self.judge, self.c = state, judge, c
        self.edges = {}
        self.expand((), state)

    def expand(self, history, state):
        """Keeps priors, tries and sums by action; gives the state's value."""
        numbers = patience.uct([state], evaluator=uniform, iterations=1)
        observation, mask = numbers.observations, numbers.masks
        priors, values = self.judge(observation, mask)
        legal = np.flatnonzero(mask[0])
        shares = priors[0][legal] / priors[0][legal].sum()
        # The actions of these games are numbered in their order.
        self.edges[history] = {a: [p, 0, 0.0] for a, p in zip(state.actions(), shares)}
        return values[0]

    def choose(self, history):
        edges = self.edges[history]
        tries = sum(n for _, n, _ in edges.values())
        mean = sum(total for _, _, total in edges.values()) / tries if tries else 0.0
        visits = tries + (1 if history else 0)  # The first one judged the state; the root is not visited for it.

        def score(edge):
            prior, n, total = edge
            return (total / n if n else mean) + self.c * prior * math.sqrt(visits) / (1 + n)

        return max(edges, key=lambda action: score(edges[action]))

    def episode(self):
        state, history, path = self.root.copy(), (), []
        while True:
            action = self.choose(history)
            mover = -1 if state.minimising else 1
            path.append((history, action, mover))
            reward = state.step(action).reward
            history = (*history, action)
            if state.is_over:
                value = reward
                break
            if history not in self.edges:
                value = self.expand(history, state) * (-1 if state.minimising else 1)
                break
        for history, action, mover in path:
            edge = self.edges[history][action]
            edge[1] += 1
            edge[2] += mover * value


@pytest.mark.parametrize(("game", "moves"), [(TICTACTOE, 3), (FOUR, 12)])
def test_priors_and_values_are_used_as_by_the_twin(game, moves):
    for state in positions(game, 4, moves):
        twin = Twin(state, opinion, c=1.5)
        for _ in range(150):
            twin.episode()
        advice = patience.uct(state, evaluator=opinion, iterations=150, c=1.5)
        assert {m.action: m.visits for m in advice.moves} == {
            action: n for action, (_, n, _) in twin.edges[()].items()
        }
        sign = -1 if state.minimising else 1
        for move in advice.moves:
            _, n, total = twin.edges[()][move.action]
            assert n == 0 or move.value == pytest.approx(sign * total / n, abs=1e-6)


def solve(cells, mover, known={}):
    """The value of a position of tic-tac-toe to the mover (1 crosses, 2 noughts), by trying everything."""
    key = (cells, mover)
    if key not in known:
        other = 3 - mover
        if any(all(cells[i] == other for i in line) for line in LINES):
            known[key] = -1
        elif 0 not in cells:
            known[key] = 0
        else:
            after = (cells[:i] + (mover,) + cells[i + 1 :] for i in range(9) if cells[i] == 0)
            known[key] = max(-solve(next, other) for next in after)
    return known[key]


def perfect(observations, masks):
    values = [solve(tuple(map(int, row[:9])), int(row[9]) + 1) for row in observations]
    return masks.astype(np.float32), np.array(values)


@pytest.mark.parametrize("root", ["tree", "gumbel"])
@pytest.mark.parametrize("side", [0, 1])
def test_who_knows_the_values_never_loses(side, root):
    """Against every reply; the view of the values is that of who is to move, or the second player would
    lose at once. Gumbel's root draws: a move that is worth 1 less has exp(5) times smaller odds."""
    states, ends, lost = [TICTACTOE.start()], 0, 0
    for move in range(9):
        if move % 2 == side:
            searched = patience.uct(
                states, evaluator=perfect, iterations=18 if root == "tree" else 64, seed=move, root=root
            )
            for state, advice in zip(states, searched):
                state.step(advice.best)
        else:
            states = [state.copy() for state in states for _ in state.actions()]
            places = {}
            for state in states:
                place = places.setdefault(state.text, 0)
                places[state.text] += 1
                state.step(place % len(state.actions()))
        over = [state for state in states if state.is_over]
        ends += len(over)
        lost += sum(state.result * (1 - 2 * side) < 0 for state in over)
        states = [state for state in states if not state.is_over]
        unique = {state.text: state for state in states}
        states = list(unique.values())
    assert ends > 10 and not states
    assert lost == 0 if root == "tree" else lost < ends / 20, (lost, ends)


def test_values_are_those_of_who_is_to_move():
    """A move before the end: whoever is to move wins at once."""
    for actions, side in [("a a b b c c", 1), ("a b a b g b g", -1)]:
        state = FOUR.start()
        for action in actions.split():
            state.step(action)
        assert (-1 if state.minimising else 1) == side
        searched = patience.uct([state], evaluator=uniform, iterations=200)
        assert searched.values[0] > 0.5
        # The advice is from the first player's view, as always.
        assert searched[0][searched[0].best].value == side

        def sure(observations, masks):
            return masks * 1.0, np.full(len(masks), 0.75)

        one = patience.uct([state], evaluator=sure, iterations=1, c=0)
        # One episode: its leaf is worth 0.75 to the other player, or the game is over.
        assert one.values[0] in (-0.75, 1.0)


SETTINGS = [
    {"iterations": 40},
    {"iterations": 41, "batch": 8, "virtual_loss": 0.5},
    {"iterations": 24, "root": "gumbel"},
    {"iterations": 10, "trees": 3},
    {"iterations": 40, "merge": "across"},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize(
    ("game", "moves"), [("connect-four", 40), ("samegame(width=6, height=6)", 9), ("klondike", 40)]
)
def test_many_games_at_once_are_the_games_one_by_one(game, moves, settings):
    if settings.get("merge") and "key" not in patience.game(game).capabilities:
        pytest.skip("no key")
    states = positions(patience.game(game), 12, moves)
    asked = []

    def judge(observations, masks):
        asked.append(len(masks))
        return opinion(observations, masks)

    together = patience.uct(states, evaluator=judge, seed=7, **settings)
    assert max(asked) > 6 and sum(asked) == together.evaluations and len(asked) == together.calls
    again = patience.uct(states, evaluator=opinion, seed=range(7, 19), **settings)
    for place, state in enumerate(states):
        alone = patience.uct([state], evaluator=opinion, seed=7 + place, **settings)
        for searched in (again, alone):
            row = 0 if searched is alone else place
            assert searched[row].moves == together[place].moves
            for name in ("observations", "masks", "visits", "policies", "values", "best"):
                here, there = getattr(searched, name)[row], getattr(together, name)[place]
                assert np.array_equal(here, there), name
        actions = state.actions()
        assert together.masks[place].sum() == len(actions)
        assert together.policies[place].sum() == pytest.approx(1.0 if actions else 0.0)
        assert together.policies[place][~together.masks[place]].sum() == 0
        assert (together.best[place] == -1) == state.is_over
        assert together.visits[place].sum() == sum(m.visits for m in together[place].moves)


def test_a_state_is_left_as_it_is():
    state = FOUR.start()
    patience.uct(state, evaluator=uniform, iterations=20)
    assert state.moves == 0 and state.text == FOUR.start().text


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda o, m: None, "expected a pair"),
        (lambda o, m: (m * 1.0,), "expected a pair"),
        (lambda o, m: (np.ones((len(m), 3)), np.zeros(len(m))), r"priors of the shape \(1, 3\), expected \(1, 7\)"),
        (lambda o, m: (m * 1.0, np.zeros((len(m), 1))), r"values of the shape \(1, 1\), expected \(1,\)"),
        (lambda o, m: (m * 1.0, np.full(len(m), np.nan)), "the value NaN in row 0"),
        (lambda o, m: (m * np.nan, np.zeros(len(m))), "the prior NaN to move 0 in row 0"),
        (lambda o, m: (m * -1.0, np.zeros(len(m))), "the prior -1 to move 0 in row 0"),
        (lambda o, m: (m * np.inf, np.zeros(len(m))), "the prior inf to move 0 in row 0"),
        (lambda o, m: (m * 0.0, np.zeros(len(m))), "the prior 0 to all legal moves in row 0"),
        (lambda o, m: (np.array([["x"] * 7]), np.zeros(len(m))), "priors of the type <U1"),
        (lambda o, m: (m * 1j, np.zeros(len(m))), "priors of the type complex128"),
        (lambda o, m: (m * 1.0, [None]), "values of the type object"),
    ],
)
def test_wrong_answers_are_refused(answer, message):
    with pytest.raises(InputError, match=message):
        patience.uct(FOUR.start(), evaluator=answer, iterations=10)


def test_only_legal_moves_have_priors():
    """A full column: what is said of it is not read, whatever it is."""
    state = FOUR.start()
    for _ in range(6):
        state.step("a")

    def careless(observations, masks):
        assert masks.dtype == bool and observations.dtype == np.int16
        priors = np.where(masks, 1.0, np.nan)
        masks[:] = False  # The arrays are the function's own.
        observations[:] = -1
        return priors, np.zeros(len(masks))

    searched = patience.uct([state], evaluator=careless, iterations=30)
    assert not searched.masks[0, 0] and searched.visits[0, 0] == 0 and searched.visits.sum() == 30


class Broken(Exception):
    pass


@pytest.mark.parametrize("error", [Broken("inside"), KeyboardInterrupt(), SystemExit(3)])
def test_what_it_raises_is_raised(error):
    calls = []

    def broken(observations, masks):
        calls.append(len(masks))
        if len(calls) == 5:
            raise error
        return uniform(observations, masks)

    with pytest.raises(type(error)) as caught:
        patience.uct([FOUR.start()] * 3, evaluator=broken, iterations=100)
    assert caught.value is error
    assert len(calls) == 5, "it is not asked again"


def test_ctrl_c_while_it_is_asked():
    def slow(observations, masks):
        signal.raise_signal(signal.SIGINT)
        return uniform(observations, masks)

    with pytest.raises(KeyboardInterrupt):
        patience.uct(FOUR.start(), evaluator=slow, iterations=100)


def nearly_over():
    """Every move ends the game, so that nobody is asked but once."""
    state = TICTACTOE.start()
    for action in ("a3", "b3", "c3", "b2", "a2", "a1", "b1", "c2"):
        state.step(action)
    assert len(state.actions()) == 1
    return state


def test_ctrl_c_while_it_is_not_asked():
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        patience.uct(nearly_over(), evaluator=uniform, time=60)


def test_others_run_meanwhile():
    count, over = 0, False

    def work():
        nonlocal count
        while not over:
            count += 1

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.05)
    before = count
    patience.uct(nearly_over(), evaluator=uniform, time=0.5)
    after, over = count, True
    thread.join()
    assert after - before > 1000


def test_limits_and_watching():
    seen = []
    begin = time.monotonic()
    searched = patience.uct([FOUR.start()], evaluator=uniform, time=0.4, watch=seen.append)
    assert 0.3 < time.monotonic() - begin < 20
    assert searched[0].stats.stop == "time" and searched.calls > 10
    assert seen and seen[-1]["evaluations"] > 0
    small = patience.uct(FOUR.start(), evaluator=uniform, iterations=10**6, memory=100_000)
    assert small.stats.stop == "memory"
    ended = patience.uct(FOUR.start(), evaluator=uniform, iterations=30)
    assert (ended.stats.iterations, ended.stats.stop) == (30, "complete")


def test_wrong_calls_are_refused():
    state = FOUR.start()
    for wrong, message in [
        ({}, "iterations, or time"),
        ({"iterations": 5, "seed": [1, 2]}, "2 seeds for 1 states"),
    ]:
        with pytest.raises(UsageError, match=message):
            patience.uct([state], evaluator=uniform, **wrong)
    with pytest.raises(UsageError, match="expected a function"):
        patience.uct(state, evaluator=3, iterations=5)
    for wrong, message in [
        ({"eval": "zero"}, "eval goes without an evaluator"),
        ({"threads": 2, "batch": 2}, "threads goes without an evaluator"),
        ({"iteration": 3}, "did you mean `iterations`"),
        ({"root": "gumbel", "batch": 2}, "batch is 2, expected 1"),
    ]:
        with pytest.raises(InputError, match=message):
            patience.uct(state, evaluator=uniform, **{"iterations": 5, **wrong})
    with pytest.raises(InputError, match="cannot be put into arrays"):
        patience.uct(patience.game("pgame").start(), evaluator=uniform, iterations=5)
    with pytest.raises(InputError, match="different sizes"):
        patience.uct([state, TICTACTOE.start()], evaluator=uniform, iterations=5)
    assert len(patience.uct([], evaluator=uniform, iterations=5)) == 0


def test_what_is_searched_can_be_learnt_from():
    states = [FOUR.start() for _ in range(4)]
    searched = patience.uct(states, evaluator=opinion, iterations=16, root="gumbel", seed=1)
    assert searched.observations.shape == (4, 43) and searched.masks.all()
    assert len({int(best) for best in searched.best}) > 1, "the seeds differ, and so does the noise"
    assert [a.best for a in searched] == [searched[i].best for i in range(4)]
    assert searched[-1] == searched[3]
    with pytest.raises(IndexError):
        searched[4]
    assert 0 < searched.outside < searched.seconds
