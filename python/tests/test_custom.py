"""Games written in Python, planned on with our planners."""

import pytest

import patience


class Nim:
    """Two players take one to three matches; who takes the last wins. Known to the last match."""

    def __init__(self, matches=10):
        self.matches = matches

    def start(self, rng):
        return (self.matches, 0)

    def actions(self, state):
        return range(1, min(3, state[0]) + 1)

    def step(self, state, action, rng):
        left, player = state
        left -= action
        reward = 0.0 if left else (1.0 if player == 0 else -1.0)
        return (left, 1 - player), reward

    def minimising(self, state):
        return state[1] == 1

    def key(self, state):
        return state

    def text(self, state):
        return f"{state[0]} matches"

    def action_text(self, state, action):
        return f"take {action}"


class Die:
    """Roll a die up to three times; stop when you like and keep the last roll."""

    discount = 1.0

    def start(self, rng):
        return (2, 1 + rng.below(6))

    def actions(self, state):
        return ["keep", "roll"] if state[0] > 0 else (["keep"] if state[1] else [])

    def step(self, state, action, rng):
        if action == "keep":
            return (0, 0), float(state[1])
        roll = 1 + rng.below(6)
        return (state[0] - 1, roll), 0.0, roll

    def key(self, state):
        return state

    def outcomes(self, state, action):
        if action == "keep":
            return [(1.0, ((0, 0), float(state[1])))]
        return [(1 / 6, ((state[0] - 1, roll), 0.0, roll)) for roll in range(1, 7)]


class Cups:
    """A ball under one of three cups: lift one to win, or pay to look under the first."""

    def start(self, rng):
        return (rng.below(3), None)

    def actions(self, state):
        return [] if state[1] == "over" else ["look", 0, 1, 2]

    def step(self, state, action, rng):
        ball, seen = state
        if action == "look":
            return (ball, ball == 0), -0.05, ball == 0
        return (ball, "over"), float(ball == action)

    def known(self, state):
        return state[1]

    def draw(self, known, rng):
        if known is None or known == "over":
            return (rng.below(3), known)
        return (0 if known else 1 + rng.below(2), known)


@pytest.mark.parametrize("matches", [5, 6, 7, 9, 10])
@pytest.mark.parametrize("planner", ["uct(iterations=3000)", "uct(iterations=3000, merge=true)"])
def test_nim_is_played_perfectly(matches, planner):
    state = patience.game(Nim(matches)).start()
    assert patience.advise(state, planner, seed=1).best == f"take {matches % 4}"


def test_value_iteration_knows_the_die():
    game = patience.game(Die())
    assert {"key", "outcomes"} <= set(game.capabilities)
    for seed in range(8):
        state = game.start(seed)
        advice = patience.advise(state, "value-iteration")
        roll = int(state.text.split(",")[1].strip(" )"))
        # The last roll is worth 3.5, so the one before it (3 * 3.5 + 4 + 5 + 6) / 6.
        assert advice["keep"].value == roll
        assert advice["roll"].value == pytest.approx(4.25, abs=1e-6)
        sampled = patience.advise(state, "uct(scale=6, iterations=4000)")
        if roll not in (4, 5):  # Too close for a mean that includes what is explored.
            assert sampled.best == advice.best


def test_a_hidden_part_stays_hidden():
    game = patience.game(Cups())
    assert "hidden" in game.capabilities
    for seed in range(4):
        state = game.start(seed)
        advice = patience.advise(state, "uct(iterations=3000)", seed=1)
        for cup in "012":
            assert advice[cup].value == pytest.approx(1 / 3, abs=0.15), "nobody peeps"
    other = patience.advise(game.start(3), "uct(iterations=3000)", seed=1)
    assert advice.moves == other.moves


def test_planners_say_what_a_game_lacks():
    class Plain(Nim):
        key = None

    state = patience.game(Plain()).start()
    with pytest.raises(patience.InputError, match="artdp needs a game with the capability `key`"):
        patience.advise(state, "artdp", iterations=10)


def broken(method, answer):
    """Nim with a method that does something else."""
    game = Nim()

    def act(*args):
        if isinstance(answer, Exception):
            raise answer
        return answer

    setattr(game, method, act)
    return game


@pytest.mark.parametrize("method", ["start", "actions", "step", "minimising", "text", "action_text"])
def test_an_exception_in_the_game_is_raised_where_it_was_asked(method):
    with pytest.raises(ZeroDivisionError, match="of my own"):
        patience.hint(broken(method, ZeroDivisionError("of my own")), "uct(iterations=100)")


def test_an_exception_deep_in_a_search_ends_it_and_the_game_can_go_on():
    class Trap(Nim):
        armed = True

        def step(self, state, action, rng):
            if self.armed and state[0] == 2:
                raise KeyError("a trap")
            return super().step(state, action, rng)

    rules = Trap()
    game = patience.game(rules)
    state = game.start()
    with pytest.raises(KeyError, match="a trap"):
        patience.advise(state, "uct", time=60)
    rules.armed = False
    assert patience.advise(state, "uct(iterations=2000)").best == "take 2"


@pytest.mark.parametrize(
    ("method", "answer", "message"),
    [
        ("step", 5, "step must give"),
        ("step", (1, 2, 3, 4), "step must give"),
        ("step", ((1, 0), float("nan")), "a reward is NaN"),
        ("step", ((1, 0), "much"), "float|number"),
        ("actions", 7, "iter"),
        ("actions", [1, 1], "actions gives 1 twice"),
        ("actions", [[1]], "unhashable"),
        ("text", 5, "str"),
    ],
)
def test_nonsense_is_an_exception(method, answer, message):
    with pytest.raises((patience.InputError, TypeError, ValueError), match=message):
        patience.hint(broken(method, answer), "uct(iterations=100)")


def test_a_game_that_contradicts_itself_is_found_out():
    class Moody(Nim):
        calls = 0

        def actions(self, state):
            self.calls += 1
            return [self.calls, -self.calls]

        def step(self, state, action, rng):
            return state, 0.0

    with pytest.raises(patience.InputError, match="asked again|contradicts itself"):
        patience.hint(Moody(), "uct(iterations=50, trees=3)", time=20)


def test_what_is_no_game_is_refused():
    with pytest.raises(patience.UsageError, match="this one has no start"):
        patience.game(object())
    with pytest.raises(patience.UsageError, match="go together"):
        patience.game(type("Half", (Nim,), {"known": lambda self, state: state})())
    with pytest.raises(patience.UsageError, match="takes no parameters"):
        patience.game(Nim(), matches=3)
    with pytest.raises(patience.UsageError, match="discount is 2"):
        patience.game(type("Growing", (Nim,), {"discount": 2.0})())
