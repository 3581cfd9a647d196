"""Solvers and validators: results that are known, bad input."""

import pytest

import patience

SOLVED = [info for info in patience.games() if info.solver]


def test_a_shortest_solution_is_proven():
    solution = patience.solve("freecell", deal=1, metric="table1", optimal=True)
    assert (solution.length, solution.verdict, solution.lower_bound) == (82, "optimal", 82)
    assert solution.bounds == (82, 82) and solution.value == 82
    assert solution.stats.stop == "complete"
    again = patience.solve("freecell(metric=table1)", 1, solver="optimal")
    assert again.actions == solution.actions


def test_any_solution_is_quick():
    solution = patience.solve("freecell", deal=617)
    assert solution.verdict == "solved" and solution.length >= 60 and solution.score is None
    assert len(solution.solution.split()) == solution.length == len(solution.actions)
    assert solution == patience.solve("freecell", deal=617, optimal=False, satisficing=True)


def test_a_budget_ends_the_search_with_bounds():
    solution = patience.solve(
        "freecell", deal=11982, metric="single", optimal=True, memory=100_000_000, time=3
    )
    assert solution.verdict in ("unknown", "unsolvable", "solved")


def test_a_deal_is_solved_or_proven_to_have_no_solution():
    verdicts = {seed: patience.solve("klondike", seed=seed, draw=3) for seed in range(1, 13)}
    assert {s.verdict for s in verdicts.values()} == {"solved", "unsolvable"}
    won = next(s for s in verdicts.values() if s.verdict == "solved")
    assert won.length == len(won.solution.split()) > 40
    assert won.reached and won.goal == "won"
    lost = next(s for s in verdicts.values() if s.verdict == "unsolvable")
    assert lost.solution is None and lost.length is None and lost.actions == []
    cut = patience.solve("klondike", seed=1, nodes=1)
    assert cut.verdict == "unknown" and cut.stats.stop == "iterations"


@pytest.mark.parametrize("info", SOLVED, ids=lambda info: info.name)
def test_solutions_are_played_by_states(info):
    """On the table; and by the game of planners too, where it is the same."""
    played = 0
    for seed in range(1, 40):
        solution = patience.solve(info.name, seed=seed, iterations=20_000)
        state = solution.start()
        assert state.actions() == patience.table(info.name).start(seed=seed).actions()
        total = 0.0
        for action in solution.actions:
            total += state.step(action).reward
        if solution.solution:
            played += 1
            assert len(solution.actions) == solution.length == state.moves > 0
            assert state.is_over or not solution.reached
            assert total == solution.value or solution.objective != "score"
        if played == 5:
            break
    assert played == 5
    assert solution.moves == solution.actions, "an older name"


def test_a_search_that_counts_iterations_is_deterministic():
    first = patience.solve("samegame", deal=1, size=(6, 6, 3), rollouts=300, threads=2)
    again = patience.solve("samegame", deal=1, size="6x6x3", iterations=300, threads=2)
    assert first == again
    assert first.score == first.value > 0 and first.length == len(first.solution.split())
    alone = patience.solve("samegame(size=6x6x3)", "1", rollouts=300)
    assert alone.solver == "portfolio(threads=1)", "cores do not decide"
    assert patience.solve("samegame", 1, size="6x6x3", solver="portfolio(threads=1)", rollouts=300) == alone


@pytest.mark.parametrize("info", SOLVED, ids=lambda info: info.name)
def test_one_deal_per_seed(info):
    by_seed = patience.solve(info.name, seed=7, iterations=1)
    assert by_seed.position == patience.solve(info.name, "seed:7", iterations=1).position
    assert by_seed.position != patience.solve(info.name, seed=8, iterations=1).position
    assert by_seed.deal == "seed:7"
    again = patience.solve(info.name, position=by_seed.position, iterations=1)
    assert again.position == by_seed.position and again.deal == ""


def test_what_is_not_said_is_the_games_own():
    info = next(info for info in patience.games() if info.name == "samegame")
    assert {p.name: p.default for p in info.parameters}["penalty"] == "seed"
    board = "0012"  # One tile each of two colours is left.
    assert patience.solve("samegame", board=board, iterations=9).score == -2
    assert patience.solve("samegame", board=board, penalty="none", iterations=9).score == 0
    assert patience.verify("samegame", position=board, solution="a1") == -2
    plain = patience.solve("klondike", seed=1, draw=None)
    assert plain.moves == patience.solve("klondike(draw=3)", seed=1).moves


def test_solutions_are_verified():
    solution = patience.solve("freecell", deal=617)
    assert patience.verify("freecell", 617, solution) == solution.value
    assert patience.verify("freecell", 617, f"# found\n{solution.solution}") == solution.value
    short = " ".join(solution.solution.split()[:-1])
    with pytest.raises(patience.InputError):
        patience.verify("freecell", 617, short)
    with pytest.raises(patience.InputError, match="no solution"):
        patience.verify("freecell", 618, solution)
    won = patience.solve("klondike", seed=1)
    # Turning the waste over is a word of the solution, and costs nothing.
    free = won.actions.count("redeal")
    assert patience.verify("klondike", solution=won, seed=1) == won.value == won.length - free
    assert free > 0
    with pytest.raises(patience.InputError, match="the goal is not reached"):
        patience.verify("klondike", "seed:1", " ".join(won.moves[:-1]))
    with pytest.raises(patience.UsageError, match="which solution"):
        patience.verify("klondike", "seed:1")
    with pytest.raises(patience.UsageError, match="did you mean `draw`"):
        patience.verify("klondike", "seed:1", won, drow=3)


def solvers():
    return [(info.name, solver) for info in SOLVED for solver in patience.game(info.name).solvers]


@pytest.mark.parametrize(("game", "solver"), solvers())
def test_every_solver_of_a_game_can_be_asked(game, solver):
    found = patience.solve(game, "seed:1", solver=solver, iterations=50)
    assert found.solver.split("(")[0] == solver
    assert found.verdict in ("optimal", "solved", "unsolvable", "unknown")


def test_a_search_is_watched():
    seen = []
    solution = patience.solve("samegame", 1, time=0.6, watch=seen.append)
    assert len(seen) >= 2 and seen[0].stats.stop is None
    assert seen[-1].value <= solution.value and solution.verdict == "solved"

    def enough(so_far):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        patience.solve("samegame", 1, time=60, watch=enough)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("chess",), "there is no game chess (there are: "),
        (("freecel", 1), "there is no game freecel; did you mean `freecell`?"),
        (("freecell", 1, {"metric": "tabel1"}), "expected one of single, table1, supermove; did you"),
        (("freecell", 1, {"rules": "baker"}), "did you mean `bakers-game`"),
        (("freecell", 0), "`0` is no deal"),
        (("freecell", "seed:x"), "`seed:x` is no deal"),
        (("freecell", None, {"board": "XX"}), "line 1"),
        (("freecell(metric=table1)", 1, {"metric": "single"}), "metric is given twice"),
        (("klondike", 1, {"draw": 4}), "draw is 4, expected a whole number from 1 to 3"),
        (("klondike", "x"), "`x` is no deal"),
        (("klondike", None, {"position": "nonsense"}), ""),
        (("samegame", None, {"board": "01\n1"}), "line 2, column 2: this row has 1 cell"),
        (("samegame", 1, {"rewards": "gold"}), "rewards is gold, expected one of"),
        (("samegame", 1, {"rollouts": 1, "threads": 100_000}), "a whole number from 1 to 1024"),
        (("samegame", 1, {"solver": "portfolo"}), "there is no solver portfolo; did you mean `portfolio`"),
    ],
)
def test_bad_input(arguments, message):
    options = arguments[-1] if isinstance(arguments[-1], dict) else {}
    plain = arguments[:-1] if options else arguments
    with pytest.raises(patience.InputError) as error:
        patience.solve(*plain, **options)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "which deal?"),
        ({"deal": 1, "board": "x"}, "either a deal or a position"),
        ({"board": "x", "position": "x"}, "give one of them"),
        ({"deal": 1.5}, "a deal is a number such as 7"),
        ({"deal": True}, "a deal is a number such as 7"),
        ({"deal": 1, "time": 0}, "seconds above 0"),
        ({"deal": 1, "iterations": 0}, "from 1 on"),
        ({"deal": 1, "speed": 9}, "freecell by satisficing has no parameter speed"),
        ({"deal": 1, "metrik": "single"}, "did you mean `metric`"),
        ({"deal": 1, "optimum": True}, "did you mean `optimal`"),
        ({"deal": 1, "heuristic": "h1"}, "optimal has it (optimal=True)"),
        ({"deal": 1, "threads": 2}, "satisficing has no parameter threads"),
        ({"deal": 1, "optimal": True, "solver": "satisficing"}, "one solver is expected"),
        ({"deal": 1, "satisficing": False}, "name another solver"),
    ],
)
def test_wrong_usage(options, message):
    with pytest.raises(patience.UsageError) as error:
        patience.solve("freecell", **options)
    assert message in str(error.value)


def test_a_game_without_a_solver_says_so():
    with pytest.raises(patience.UsageError, match="tic-tac-toe has no solver"):
        patience.solve("tic-tac-toe", 1)
    with pytest.raises(patience.UsageError, match="has no solver"):
        patience.solve("klondike", 1, redeals=2)
