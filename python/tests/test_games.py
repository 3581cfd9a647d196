"""Games, states, planners: what the facade offers."""

import copy
import pickle
import threading
import time

import pytest

import patience


def test_games_and_planners_are_listed_with_parameters():
    games = {info.name: info for info in patience.games()}
    assert {"klondike", "freecell", "samegame", "sailing", "tic-tac-toe"} <= set(games)
    klondike = games["klondike"]
    draw = klondike.parameters[0]
    assert (draw.name, draw.default, draw.kind) == ("draw", "3", "a whole number")
    assert (draw.min, draw.max, draw.words) == (1, 3, ())
    assert klondike.parameters[1].words == ("useful", "any")
    assert (klondike.title, klondike.solver, klondike.deals) == ("Klondike", "thoughtful", "ranks")
    assert games["freecell"].deals == "numbers" and games["freecell"].numbers == 32000
    assert games["freecell"].variants[0] == ("freecell", "FreeCell")
    assert all(info.version >= 1 and info.title for info in games.values())
    planners = {info.name: info for info in patience.planners()}
    assert "iterations" in [p.name for p in planners["uct"].parameters]
    assert planners["alpha-beta"].needs == "undo"
    assert planners["uct"].iteration == "episode" and planners["uct"].hidden
    solvers = {info.name: info for info in patience.solvers()}
    assert solvers["thoughtful"].proves and not solvers["thoughtful"].advises
    assert solvers["optimal"].measure == "steps_to_go" and planners["uct"].measure is None


#: Solvers of a paper's own game, which experiments ask and tables do not.
OF_PAPERS = {"nested"}


def test_every_planner_and_solver_that_is_listed_can_be_made():
    planners, solvers = set(), set()
    for info in patience.games():
        table = patience.table(info.name)
        for planner in table.planners:
            assert table.check(planner) in (True, False), planner
        assert table.check(table.planner) in (True, False)
        planners |= set(table.planners)
        solvers |= set(patience.game(info.name).solvers)
        for solver in patience.solvers():
            if info.name in solver.games and solver.name not in OF_PAPERS:
                assert solver.name in patience.game(info.name).solvers
    assert planners == {info.name for info in patience.planners()}
    assert solvers == {info.name for info in patience.solvers()} - OF_PAPERS


def test_a_state_is_played_to_the_end():
    state = patience.game("klondike", draw=1).start(seed=3)
    total = 0.0
    while not state.is_over:
        legal = state.actions()
        assert legal
        total += state.step(legal[-1]).reward
    assert state.actions() == []
    assert state.result == total
    assert state.moves == len(state.history)


def test_the_same_seed_is_the_same_game_and_a_copy_goes_on_alike():
    game = patience.game("sailing(size=6)")
    a, b = game.start(seed=5), game.start(seed=5)
    a.step(0)
    b.step(0)
    others = [a.copy(), copy.copy(a), copy.deepcopy(a), pickle.loads(pickle.dumps(a))]
    for state in [b, *others]:
        assert (state.text, state.key, state.moves) == (a.text, a.key, a.moves)
    seen = [(s.step(0), s.text) for s in [a, b, *others]]
    assert len(set(seen)) == 1
    assert seen[0][0].observation == a.observation != ""


def test_deals_and_positions():
    game = patience.game("freecell")
    assert game.start(deal=1).text == game.start(seed=9, deal="1").text
    assert game.start(deal=1).text != game.start(deal=2).text
    for name in (617, "seed:617"):
        deal = game.start(deal=name)
        deal.step(0)
        assert pickle.loads(pickle.dumps(deal)).text == deal.text
    position = patience.game("samegame").start(position="01\n10")
    assert position.text == patience.game("samegame").start(text="01\n10").text
    assert pickle.loads(pickle.dumps(position)).text == position.text
    with pytest.raises(patience.UsageError, match="either a deal or a position"):
        game.start(deal=1, position="x")
    with pytest.raises(patience.InputError, match="`0` is no deal"):
        game.start(deal=0)
    with pytest.raises(patience.UsageError, match="a deal is a number such as 7"):
        game.start(deal=1.5)


@pytest.mark.parametrize("name", [info.name for info in patience.games()])
def test_one_deal_per_seed(name):
    for make in (patience.game, patience.table):
        game = make(name)
        assert game.start(seed=7).text == game.start(seed=7, deal="seed:7").text
        again = pickle.loads(pickle.dumps(game.start(deal="seed:7")))
        assert again.text == game.start(seed=7).text and repr(again.game) == repr(game)
    table = patience.table(name)
    advice = patience.hint(name, "random", seed=7)
    assert advice.position == table.start(seed=7).text
    assert patience.hint(name, "random", deal="seed:7").position == advice.position
    first = patience.hint(name, "random").position
    assert first == table.start(deal=table.first_deal).text


def test_a_table_is_played_by_what_advice_says():
    state = patience.table("klondike").start(seed=7)
    advice = state.advise("best", iterations=100, seed=1)
    assert advice.measure == "win_probability" and not advice.minimising and advice.lost is None
    best = advice[advice.best]
    assert best.label and not best.loses and not best.again
    for move in best.moves:
        assert move in state.actions()
        state.step(move)
    assert pickle.loads(pickle.dumps(state)).text == state.text
    # The game that planners think about has the same action in one move.
    thought = patience.game("klondike").start(seed=7).advise("uct(c=1, iterations=50)")
    assert all(m.moves == (m.action,) for m in thought.moves)
    steps = patience.hint("freecell", deal=1, time=0.5)
    assert (steps.planner, steps.measure, steps.minimising) == ("distance", "steps_to_go", True)
    assert patience.ensemble(
        patience.table("freecell").start(deal=1), "distance", trees=2, time=0.3
    ).minimising
    small = patience.hint("samegame", position="00\n11", iterations=10)
    assert small.measure == "score"


def test_words_of_earlier_versions_still_work():
    state = patience.game("connect-four").start()
    old = state.advise("uct(trajectories=50)", seed=1)
    new = state.advise("uct(iterations=50)", seed=1)
    assert old.moves == new.moves


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: patience.game("klondyke"), "there is no game klondyke; did you mean `klondike`"),
        (lambda: patience.game("klondike", drew=3), "klondike has no parameter drew; did you mean"),
        (lambda: patience.game("klondike(draw=9)"), "`klondike(draw=9)`, column 15: draw is 9, expected a whole number from 1 to 3"),
        (lambda: patience.hint("tic-tac-toe", "utc"), "there is no planner utc; did you mean `uct`"),
        (lambda: patience.hint("tic-tac-toe", "uct(c=nan)"), "column 7: c is nan, expected a number"),
        (lambda: patience.game("tic-tac-toe").start().step("z9"), "z9 is not a legal move"),
        (lambda: patience.game("tic-tac-toe").start().step(9), "none at place 9"),
        (lambda: patience.game("tic-tac-toe").start().step(-1), "none at place -1"),
        (lambda: patience.game("pgame").batch(1), "pgame cannot be put into arrays"),
    ],
)
def test_errors_say_what_the_command_says(make, message):
    with pytest.raises(patience.InputError) as error:
        make()
    assert message in str(error.value)
    assert isinstance(error.value, ValueError)
    assert error.value.exit_code == 3


def test_wrong_types_and_numbers_are_exceptions_too():
    state = patience.game("tic-tac-toe").start()
    with pytest.raises(patience.UsageError, match="its text, or its place"):
        state.step(1.5)
    for wrong in (0, -1, float("nan"), 1e300):
        with pytest.raises(patience.UsageError, match="seconds above 0"):
            state.advise("uct", time=wrong)
    with pytest.raises(patience.UsageError, match="-1"):
        patience.game("tic-tac-toe").start(seed=-1)
    with pytest.raises(patience.UsageError):
        patience.game("klondike").batch(0)
    with pytest.raises(patience.UsageError):
        patience.Rng(1).below(0)


def test_advice_is_deterministic_and_complete():
    state = patience.game("connect-four").start()
    first = patience.advise(state, "uct(iterations=500)", seed=4)
    again = patience.advise(state, "uct(iterations=500)", seed=4)
    other = patience.advise(state, "uct(iterations=500)", seed=5)
    assert first == again != other
    assert [m.action for m in first.moves] == state.actions()
    assert sum(m.visits for m in first.moves) == first.stats.iterations == 500
    assert first.best == max(first.moves, key=lambda m: m.value).action
    assert first.stats.stop == "complete"
    assert pickle.loads(pickle.dumps(first)) == first
    assert patience.hint("connect-four", "uct(iterations=500)", seed=4).best == first.best


def test_other_threads_run_during_a_search():
    state = patience.game("connect-four").start()
    ticks = 0
    over = threading.Event()

    def count():
        nonlocal ticks
        while not over.is_set():
            ticks += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    state.advise("uct", time=0.5)
    over.set()
    counter.join()
    assert ticks > 20, "the interpreter's lock is let go"


def test_a_search_is_watched_and_ended_by_what_the_watcher_raises():
    state = patience.game("connect-four").start()
    seen = []
    state.advise("uct", time=0.6, watch=seen.append)
    assert len(seen) >= 2
    assert seen[0].stats.stop is None and seen[-1].stats.iterations > seen[0].stats.iterations

    def enough(advice):
        raise RuntimeError("enough")

    begin = time.monotonic()
    with pytest.raises(RuntimeError, match="enough"):
        state.advise("uct", time=60, watch=enough)
    assert time.monotonic() - begin < 30


def test_an_ensemble_is_the_same_on_any_number_of_threads():
    state = patience.game("klondike").start(seed=11)
    alone = patience.ensemble(state, "uct(c=1)", trees=5, iterations=40, seed=2, threads=1)
    many = patience.ensemble(state, "uct(c=1)", trees=5, iterations=40, seed=2, threads=4)
    assert alone == many
    assert alone.stats.iterations == 200
    assert [m.action for m in alone.moves] == state.actions()
    # By hand: the mean over the trees.
    from patience._games import tree

    trees = [tree(state, "uct(c=1)", i, 2, iterations=40) for i in range(5)]
    assert len({t.seed for t in trees}) == 5
    for place, merged in enumerate(alone.moves):
        values = [t.moves[place].value for t in trees if t.moves[place].value is not None]
        assert merged.value == pytest.approx(sum(values) / len(values), abs=1e-12)
        assert merged.visits == sum(t.moves[place].visits for t in trees)
        assert merged.low <= merged.value <= merged.high
    with pytest.raises(patience.UsageError, match="no tree"):
        patience.ensemble(state, "uct", trees=0, iterations=1)


def test_a_deal_is_played_the_same_on_any_number_of_threads():
    state = patience.game("klondike").start(seed=11)
    alone = patience.play(state, "uct(c=1)", trees=3, iterations=10, seed=2, threads=1)
    many = patience.play(state, "uct(c=1)", trees=3, iterations=10, seed=2, threads=3)
    assert alone == many
    assert state.moves == 0, "a copy was played"
    again = state.copy()
    for action in alone.actions:
        again.step(action)
    assert again.is_over and again.result == alone.result
    assert 0 < alone.decisions <= len(alone.actions)
    with pytest.raises(patience.InputError, match="utc"):
        patience.play(state, "utc", iterations=1)


def test_streams_are_those_of_the_library():
    rng = patience.Rng(7, "a")
    assert [rng.below(10) for _ in range(5)] == [
        value for other in [patience.Rng(7, "a")] for value in [other.below(10) for _ in range(5)]
    ]
    items = list(range(20))
    patience.Rng(1).shuffle(items)
    assert sorted(items) == list(range(20)) != items
    assert patience.Rng(1).pick("abc") in "abc"
    assert 0 <= patience.Rng(1).unit() < 1


def test_people_see_what_was_turned_and_nothing_else():
    """What is shown and told is the same if all that was never seen lies otherwise."""
    ranks = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
    pack = [rank + suit for suit in "SHDC" for rank in ranks]

    def told(offset: int) -> list[object]:
        hidden = pack[7:][offset:] + pack[7:][:offset]
        columns = []
        for column in range(7):
            down, hidden = hidden[:column], hidden[column:]
            columns.append(" ".join([*(f"<{card}>" for card in down), pack[column]]))
        text = "\n".join(["Talon: " + " ".join(hidden), *columns, ""])
        advice = patience.hint("klondike", position=text, iterations=300)
        return [advice.position, advice.best, advice.why, advice.moves]

    assert told(0) == told(11)
    assert "??" in str(told(0)[0])
