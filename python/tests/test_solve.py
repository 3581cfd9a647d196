"""Solvers: lengths that are known, verdicts, bad input."""

import pytest

import patience


def test_freecell_deal_1_has_82_moves():
    solution = patience.solve("freecell", deal=1, metric="table1")
    assert (solution.length, solution.verdict, solution.lower_bound) == (82, "optimal", 82)
    assert solution.stats.stop == "complete"


def test_any_solution_of_freecell_is_quick():
    solution = patience.solve("freecell", deal=617, optimal=False)
    assert solution.verdict == "solved" and solution.length >= 60
    assert len(solution.solution.split()) == solution.length


def test_a_budget_ends_the_search_with_bounds():
    solution = patience.solve("freecell", deal=11982, metric="single", memory=100_000_000, time=3)
    assert solution.verdict in ("unknown", "unsolvable", "solved")


def test_klondike_is_won_or_lost_and_proven():
    verdicts = {seed: patience.solve("klondike", seed=seed, draw=3) for seed in range(1, 13)}
    assert {s.verdict for s in verdicts.values()} == {"won", "lost"}
    won = next(s for s in verdicts.values() if s.verdict == "won")
    assert won.length == len(won.solution.split()) > 40
    lost = next(s for s in verdicts.values() if s.verdict == "lost")
    assert lost.solution is None and lost.length is None
    cut = patience.solve("klondike", seed=1, nodes=1)
    assert cut.verdict == "unknown" and cut.stats.stop == "iterations"


def test_samegame_is_deterministic_with_rollouts():
    first = patience.solve("samegame", deal=1, size=(6, 6, 3), rollouts=300, threads=2)
    again = patience.solve("samegame", deal=1, size=(6, 6, 3), rollouts=300, threads=2)
    assert first == again
    assert first.score > 0 and first.length == len(first.solution.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("chess",), "there is no solver for chess (there are: freecell, klondike, samegame)"),
        (("freecell", 1, {"metric": "tabel1"}), "there is no metric tabel1; did you mean `table1`?"),
        (("freecell", 1, {"rules": "baker"}), "there is no game baker; did you mean `bakers-game`"),
        (("freecell", 0), "deal"),
        (("freecell", None, {"board": "XX"}), "line 1"),
        (("klondike", 1, {"draw": 4}), "1, 2 or 3 cards are turned at a time"),
        (("klondike", None, {"deal": "x"}), "x"),
        (("klondike", None, {"position": "nonsense"}), ""),
        (("samegame", None, {"board": "01\n1"}), "line 2, column 2: this row has 1 cell"),
        (("samegame", 1, {"rewards": "gold"}), "`gold` is none of"),
    ],
)
def test_bad_input(arguments, message):
    options = arguments[-1] if isinstance(arguments[-1], dict) else {}
    plain = arguments[:-1] if options else arguments
    with pytest.raises(patience.InputError) as error:
        patience.solve(*plain, **options)
    assert message in str(error.value)


@pytest.mark.parametrize(
    "options",
    [{}, {"deal": 1, "board": "x"}, {"deal": 1, "time": 0}, {"deal": 1, "speed": 9}],
)
def test_wrong_usage(options):
    with pytest.raises(patience.UsageError):
        patience.solve("freecell", **options)


def test_threads_have_an_end():
    with pytest.raises(patience.UsageError, match="up to 1024"):
        patience.solve("samegame", deal=1, rollouts=1, threads=100_000)
