"""`patience.check` finds every kind of fault in a game, and nothing wrong in a right one."""

import pytest

import patience

from test_custom import Cups, Die, Nim


@pytest.mark.parametrize("game", [Nim(7), Die(), Cups()], ids=lambda game: type(game).__name__)
def test_right_games_pass(game):
    checked = patience.check(game, games=10)
    assert checked.games == checked.ended == 10 and checked.moves > 10
    assert checked.comparisons > checked.moves
    assert patience.check(game, games=10) == checked, "the same seed looks at the same"


def faulty(base, **members):
    """A game of which some members are others."""
    return type("Faulty", (base,), members)()


def moody(self, state):
    """Another order whenever it is asked."""
    self.asked = getattr(self, "asked", 0) + 1
    legal = list(range(1, min(3, state[0]) + 1))
    return legal if self.asked % 2 else legal[::-1]


def growing(self, state, action, rng):
    """One more match for each that is taken."""
    return (state[0], 1 - state[1]), 0.0


def fickle(self, state):
    """Another player whenever it is asked."""
    self.turn = not getattr(self, "turn", False)
    return self.turn


def elsewhere(self, state, action, rng):
    """Chance that is not that of the stream."""
    if action == "keep":
        return Die.step(self, state, action, rng)
    self.rolled = getattr(self, "rolled", 0) + 1
    return (state[0] - 1, self.rolled), 0.0, self.rolled


def listed(change):
    """Outcomes of the die with a fault."""

    def outcomes(self, state, action):
        return change(Die.outcomes(self, state, action))

    return outcomes


def loaded(outcomes):
    if len(outcomes) < 6:
        return outcomes
    shares = [0.5, 0.1, 0.1, 0.1, 0.1, 0.1]
    return [(share, step) for share, (_, step) in zip(shares, outcomes)]


def unseen(outcomes):
    return [(p, (state, reward)) for p, (state, reward, *_) in outcomes]


def peeping(self, state):
    """A move more where the ball is under the first cup."""
    return Cups.actions(self, state) + (["first"] if state == (0, None) else [])


def told_too_much(self, state):
    return state[1], state[0] if state[1] is not None else None


def drawn_from_too_much(self, known, rng):
    seen, ball = known
    return (ball, seen) if ball is not None else Cups.draw(self, seen, rng)


class Mutable:
    """A state that a step may change."""

    def __init__(self, left):
        self.left = left


class Changing:
    """A countdown whose step changes the state that it is given."""

    def start(self, rng):
        return Mutable(4)

    def actions(self, state):
        return ["down"] if state.left else []

    def step(self, state, action, rng):
        state.left -= 1
        return state, 1.0


FAULTS = {
    "no end": (faulty(Nim, step=growing), "random play comes to an end"),
    "order": (faulty(Nim, actions=moody), "another order, when it is asked again"),
    "twice": (faulty(Nim, actions=lambda self, s: [1, 1] if s[0] else []), "gives 1 twice"),
    "a set": (faulty(Nim, actions=lambda self, s: {1} if s[0] else ()), "a set, which has no order"),
    "player": (faulty(Nim, minimising=fickle), "the same player to move"),
    "reward": (faulty(Nim, step=lambda *_: ((0, 0), float("inf"))), "expected a finite number"),
    "changed": (Changing(), "step changes the state that it is given"),
    "stream": (faulty(Die, step=elsewhere, outcomes=None, key=None), "the same stream"),
    "one key": (faulty(Nim, key=lambda self, s: s[0] // 2), "different states have different keys"),
    "sum": (faulty(Die, outcomes=listed(lambda o: o[:-1] or o)), "sum to 0.8"),
    "negative": (faulty(Die, outcomes=listed(lambda o: [(-1.0, o[0][1]), *o])), "probability -1"),
    "alike": (faulty(Die, outcomes=listed(unseen)), "observation of its own|what a step brings"),
    "missing": (
        faulty(Die, outcomes=listed(lambda o: o if len(o) < 6 else [(1.0, o[0][1])])),
        "what a step brings is one of the outcomes",
    ),
    "loaded": (faulty(Die, outcomes=listed(loaded)), "as often as their probabilities say"),
    "another": (
        faulty(Cups, draw=lambda self, known, rng: (rng.below(3), None)),
        "in a state drawn from what is known, the same is known",
    ),
    "leak": (faulty(Cups, actions=peeping), "actions depend only on what is known"),
    "certain": (
        faulty(Cups, draw=lambda self, known, rng: (0 if known in (None, True) else 1, known)),
        "draws of what is hidden differ|as often as play leads",
    ),
    "skewed": (
        faulty(
            Cups,
            draw=lambda self, known, rng: (0 if known else 1 if rng.chance(0.9) else 2, known)
            if known is not None
            else (rng.below(3), known),
        ),
        "states are drawn as often as play leads to them",
    ),
    "unseen": (
        faulty(
            Cups,
            step=lambda self, s, a, rng: (*Cups.step(self, s, a, rng)[:2], None),
        ),
        "what is known changes only by what is observed",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_found(name):
    game, message = FAULTS[name]
    with pytest.raises(patience.InputError, match=message):
        patience.check(game, limit=200)


def test_what_is_wrong_before_it_is_played():
    with pytest.raises(patience.UsageError, match="discount is 1.5"):
        patience.check(faulty(Nim, discount=1.5))
    with pytest.raises(patience.UsageError, match="no member minimizing; did you mean `minimising`"):
        patience.check(faulty(Cups, minimizing=lambda self, state: False))
    with pytest.raises(patience.UsageError, match="expected 1 or more"):
        patience.check(Nim(), games=0)


def test_games_need_not_end_if_that_is_said():
    game = faulty(Nim, step=growing)
    checked = patience.check(game, limit=50, endless=True, games=3)
    assert (checked.ended, checked.moves) == (0, 150)


def test_an_exception_is_raised_as_it_is():
    def raising(self, state, action, rng):
        raise ZeroDivisionError("of my own")

    with pytest.raises(ZeroDivisionError, match="of my own"):
        patience.check(faulty(Nim, step=raising))


@pytest.mark.parametrize(
    ("game", "planner", "message"),
    [
        (Changing(), "uct(iterations=50)", "step changes the state"),
        (faulty(Nim, actions=moody), "uct(iterations=50)", "asked again"),
        (faulty(Die, outcomes=listed(lambda o: o[:-1] or o)), "value-iteration", "sum to 0.8"),
        (faulty(Die, outcomes=listed(lambda o: [(-1.0, o[0][1]), *o])), "value-iteration", "above 0"),
    ],
)
def test_cheap_checks_are_always_on(game, planner, message):
    state = patience.game(game).start(seed=1)
    with pytest.raises(patience.InputError, match=message):
        state.advise(planner)
