"""Experiments from Python: the same stores, reports and rows as the command's."""

import numpy as np
import pytest

import patience

SPEC = """\
name = "dice"
title = "Tic-tac-toe by episodes"
seed = 3
units = 12
task = { kind = "play", opponent = "random", won_at = 1 }

[quick]
units = 4

[[arm]]
name = "UCT {n}"
series = "UCT"
game = "tic-tac-toe"
planner = "uct(iterations={n})"
sweep = { n = [5, 50] }
"""


@pytest.fixture
def spec(tmp_path):
    path = tmp_path / "dice.toml"
    path.write_text(SPEC)
    return path


def test_run_report_and_tables(spec, tmp_path):
    experiment = patience.Experiment(spec, store=tmp_path / "S.db")
    assert (experiment.name, experiment.units, experiment.arms) == ("dice", 12, ["UCT 5", "UCT 50"])
    assert not (tmp_path / "S.db").exists(), "no store before the first run"
    seen = []
    summary = experiment.run(threads=2, progress=seen.append)
    assert summary.complete and (summary.before, summary.ran, summary.total) == (0, 24, 24)
    assert seen[-1]["done"] == 24
    assert patience.experiment._native.outdated(*experiment._given, experiment.store) == []
    again = experiment.resume()
    assert (again.before, again.ran) == (24, 0)
    report = experiment.report()
    assert report["name"] == "dice"
    assert "<html" in experiment.html()
    table = experiment.columns()
    assert set(table["arm"]) == {"UCT 5", "UCT 50"}
    assert {"won", "return", "moves"} == set(table["column"])
    assert len(table["value"]) == 24 * 3
    assert table["unit"].max() == 11


def test_results_of_another_version_are_told_of(spec, tmp_path, monkeypatch):
    experiment = patience.Experiment(spec, quick=True, store=tmp_path / "S.db")
    kept = "arm `UCT 5`: 3 units of another version kept"
    monkeypatch.setattr(patience.experiment._native, "outdated", lambda *given: [kept])
    with pytest.warns(UserWarning, match="3 units of another version"):
        experiment.run()


def test_tables_of_three_libraries_agree(spec, tmp_path):
    pytest.importorskip("pandas")
    pytest.importorskip("polars")
    pytest.importorskip("pyarrow")
    experiment = patience.Experiment(spec, quick=True, store=tmp_path / "S.db")
    experiment.run()
    plain = experiment.columns()
    frames = [
        experiment.to_pandas(),
        experiment.to_arrow().to_pandas(),
        experiment.to_polars().to_pandas(),
    ]
    for frame in frames:
        assert list(frame.columns) == list(plain)
        assert list(frame["arm"]) == plain["arm"] and list(frame["column"]) == plain["column"]
        assert (frame["value"].to_numpy() == plain["value"]).all()
        assert frame["x"].isna().all()
    means = frames[0][frames[0]["column"] == "won"].groupby("arm", observed=True)["value"].mean()
    assert set(means.index) == {"UCT 5", "UCT 50"}


def test_shards_merge_to_the_whole_to_the_bit(spec, tmp_path):
    whole = patience.Experiment(spec, store=tmp_path / "whole.db")
    whole.run(threads=1)
    parts = [tmp_path / f"part{i}.db" for i in range(3)]
    for i, part in enumerate(parts):
        patience.Experiment(spec, store=part).run(shard=f"{i}/3")
    merged = patience.merge(tmp_path / "all.db", *parts)
    assert merged == {"added": 24, "same": 0}
    together = patience.Experiment(spec, store=tmp_path / "all.db")
    assert together.run().ran == 0
    a, b = whole.columns(), together.columns()
    assert a["arm"] == b["arm"] and np.array_equal(a["value"], b["value"])


def test_units_run_elsewhere_are_the_same_to_the_bit(spec, tmp_path):
    """What a cluster does, without one: a ledger, two crews, chunks that come twice and late."""
    from patience import _native

    given = (str(spec), SPEC, False, None, {})
    ledger = _native.Ledger(*given, str(tmp_path / "remote.db"))
    crews = [_native.Crew(*given) for _ in range(2)]
    chunks = []
    while chunk := ledger.chunk(0.001):
        chunks.append(chunk)
    results = [crews[i % 2].run(chunk) for i, chunk in enumerate(chunks)]
    for result in reversed(results):
        assert ledger.take(result + result) > 0
        assert ledger.take(result) == 0
    assert ledger.summary()["complete"]
    ledger.close()
    alone = patience.Experiment(spec, store=tmp_path / "alone.db")
    alone.run(threads=1)
    remote = patience.Experiment(spec, store=tmp_path / "remote.db")
    assert np.array_equal(alone.columns()["value"], remote.columns()["value"])
    with pytest.raises(patience.InputError, match="no results"):
        _native.Ledger(*given, str(tmp_path / "x.db")).take(b"abc")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("uct(", "utc("), "there is no planner utc; did you mean `uct`"),
        (("seed = 3", "seed = -3"), "dice.toml:3"),
        (("units = 12", "unit = 12"), "did you mean `units`"),
        (('"play"', '"plaay"'), "did you mean"),
    ],
)
def test_a_wrong_spec_names_file_and_line(tmp_path, change, message):
    path = tmp_path / "dice.toml"
    path.write_text(SPEC.replace(*change))
    with pytest.raises(patience.InputError) as error:
        patience.Experiment(path)
    assert message in str(error.value) and "dice.toml" in str(error.value)


def test_stores_that_are_none(spec, tmp_path):
    with pytest.raises(patience.InputError, match="there is no such file or spec"):
        patience.Experiment(tmp_path / "nowhere.toml")
    experiment = patience.Experiment(spec, store=tmp_path / "nothing.db")
    with pytest.raises(patience.InputError, match="there is no store"):
        experiment.columns()
    foreign = tmp_path / "foreign.db"
    foreign.write_text("this is no store, and stays as it is")
    with pytest.raises(patience.InputError, match="left as it is"):
        patience.Experiment(spec, store=foreign).run()
    assert foreign.read_text() == "this is no store, and stays as it is"
    with pytest.raises(patience.UsageError, match="expected i/n"):
        patience.Experiment(spec, store=tmp_path / "S.db").run(shard="5/3")
    experiment.run()
    with pytest.raises(patience.InputError, match="no experiment uct-figure-2 in the store"):
        patience.Experiment("uct-figure-2", store=tmp_path / "nothing.db").columns()


def frame(experiment, of="rows"):
    return pytest.importorskip("pandas").DataFrame(experiment.columns(of))


def test_rows_are_tidy(spec, tmp_path):
    experiment = patience.Experiment(spec, store=tmp_path / "S.db")
    experiment.run()
    rows = experiment.columns()
    assert list(rows) == ["arm", "n", "game", "planner", "unit", "column", "x", "value", "seconds", "hash"]
    assert set(rows["n"]) == {5.0, 50.0} and set(rows["game"]) == {"tic-tac-toe"}
    for arm, n, planner in zip(rows["arm"], rows["n"], rows["planner"]):
        assert (arm, planner) == (f"UCT {n:.0f}", f"uct(iterations={n:.0f})")
    assert (rows["seconds"] > 0).all()
    hashes = {arm["name"]: arm["hash"] for arm in experiment.report()["arms"]}
    assert set(zip(rows["arm"], rows["hash"])) == set(hashes.items())


def test_estimates_are_those_of_the_report(spec, tmp_path):
    experiment = patience.Experiment(spec, store=tmp_path / "S.db")
    experiment.run()
    table = frame(experiment, "estimates")
    assert len(table) == 6 and set(table["kind"]) == {"proportion", "mean"}
    rows = frame(experiment)
    for row in table.itertuples():
        values = rows[(rows["arm"] == row.arm) & (rows["column"] == row.column)]["value"]
        assert row.units == len(values) == 12 and row.value == pytest.approx(values.mean())
        assert row.low99 <= row.low95 <= row.value <= row.high95 <= row.high99
    with pytest.raises(patience.UsageError, match="no table 'row'"):
        experiment.columns("row")


def test_a_store_is_opened_without_its_spec(spec, tmp_path):
    store = tmp_path / "S.db"
    experiment = patience.Experiment(spec, quick=True, store=store)
    experiment.run()
    opened = patience.open(store)
    assert (opened.name, opened.quick, opened.units, opened.arms) == ("dice", True, 4, experiment.arms)
    assert (opened.title, opened.seed) == (experiment.title, experiment.seed)
    assert opened.columns()["arm"] == experiment.columns()["arm"]
    assert opened.run().ran == 0
    patience.Experiment("uct-figure-2", quick=True, units=1, store=store).run()
    with pytest.raises(patience.InputError, match="not named.*dice, uct-figure-2"):
        patience.open(store)
    assert patience.open(store, "dice").units == 4
    with pytest.raises(patience.InputError, match="nothing is not in it"):
        patience.open(store, "nothing")
    with pytest.raises(patience.InputError, match="there is no store"):
        patience.open(tmp_path / "no.db")


def test_parquet_says_where_it_is_from(spec, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    experiment = patience.Experiment(spec, quick=True, store=tmp_path / "S.db")
    experiment.run()
    for of, rows in [("rows", 24), ("estimates", 6)]:
        experiment.to_parquet(tmp_path / "t.parquet", of)
        table = parquet.read_table(tmp_path / "t.parquet")
        assert table.num_rows == rows
        told = patience.provenance(tmp_path / "t.parquet")
        assert (told["name"], told["seed"], told["units"], told["done"]) == ("dice", 3, 4, 8)
        assert told["spec"] == SPEC and told["quick"] and told["program"] == patience._native.__version__
        assert [arm["hash"] for arm in told["arms"]] == [arm["hash"] for arm in experiment.report()["arms"]]
        assert all(arm["versions"] for arm in told["arms"])
    parquet.write_table(table.replace_schema_metadata(None), tmp_path / "bare.parquet")
    with pytest.raises(patience.InputError, match="does not say"):
        patience.provenance(tmp_path / "bare.parquet")


def test_a_logger_is_told(spec, tmp_path, monkeypatch):
    """Called as `mlflow.log_metrics` is: numbers by name, and a step."""
    monkeypatch.setattr(patience.experiment, "LOG_EVERY", 0.0)
    calls, seen = [], []
    experiment = patience.Experiment(spec, store=tmp_path / "S.db")
    experiment.run(log=lambda metrics, step: calls.append((metrics, step)), progress=seen.append)
    assert len(calls) == len(seen) + 1
    last, step = calls[-1]
    assert step == 24
    table = frame(experiment, "estimates")
    for row in table.itertuples():
        assert last[f"{row.arm}/{row.column}"] == row.value
        assert last[f"{row.arm}/{row.column}/low95"] == row.low95
    assert all(isinstance(value, float) for metrics, _ in calls for value in metrics.values())
    assert any("units_per_second" in metrics for metrics, _ in calls)

    def broken(metrics, step):
        raise RuntimeError("no tracking server")

    with pytest.raises(RuntimeError, match="no tracking server"):
        patience.Experiment(spec, store=tmp_path / "T.db").run(log=broken)


def test_a_dictionary_is_a_spec(spec, tmp_path):
    """The same results to the bit, and the same hashes, as of the file."""
    from patience._spec import written

    given = {
        "name": "dice",
        "title": "Tic-tac-toe by episodes",
        "seed": 3,
        "units": np.int64(12),
        "task": {"kind": "play", "opponent": "random", "won_at": 1},
        "quick": {"units": 4},
        "arm": [
            {
                "name": "UCT {n}",
                "series": "UCT",
                "game": patience.game("tic-tac-toe"),
                "planner": "uct(iterations={n})",
                "sweep": {"n": np.array([5, 50])},
                "published": None,
            }
        ],
    }
    here = patience.Experiment(given, store=tmp_path / "here.db")
    there = patience.Experiment(spec, store=tmp_path / "there.db")
    for experiment in (here, there):
        experiment.run()
    a, b = here.columns(), there.columns()
    assert np.array_equal(a["value"], b["value"]) and a["hash"] == b["hash"]
    odd = {"name": 'a "b"\n\u00e9', "x y": [True, 0.5, float("inf"), -2], "t": {"k": []}}
    tomllib = pytest.importorskip("tomllib")

    assert tomllib.loads(written(odd)[0]) == odd
    with pytest.raises(patience.UsageError, match=r"arm\[0\].units: a spec has no place for"):
        patience.Experiment({"name": "x", "arm": [{"units": object()}]})
    with pytest.raises(patience.InputError, match="the dictionary 'dice'.*did you mean `units`"):
        patience.Experiment({**given, "unit": 3})


def test_words_of_a_sweep_are_columns_too(tmp_path):
    """A word for each row of the arm, in every frame; a variable of both kinds is of words."""
    given = {
        "name": "words",
        "seed": 3,
        "units": 4,
        "task": {"kind": "play", "opponent": "random", "won_at": 1},
        "arm": [
            {
                "name": "{what} {n}",
                "game": "tic-tac-toe",
                "planner": "uct(iterations={n}, recommend={what})",
                "sweep": {"n": [5, 50], "what": ["visits", "value"], "how": [1, "b"]},
            },
            {"name": "no sweep", "game": "tic-tac-toe", "planner": "mc(iterations=2)"},
        ],
    }
    given["arm"][0]["name"] += " {how}"
    experiment = patience.Experiment(given, store=tmp_path / "S.db")
    experiment.run()
    table = experiment.columns()
    arms = dict(zip(table["arm"], zip(table["n"], table["what"], table["how"])))
    assert len(arms) == 9 and np.isnan(arms["no sweep"][0]) and arms["no sweep"][1:] == ("", "")
    for name, (n, what, how) in arms.items():
        assert name == "no sweep" or name == f"{what} {n:g} {how}"
    pytest.importorskip("pandas")
    frame = experiment.to_pandas()
    assert set(frame["what"].unique()) == {"visits", "value", ""}
    visits = frame[(frame["what"] == "visits") & (frame["n"] == 50) & (frame["how"] == "b")]
    assert set(visits["arm"]) == {"visits 50 b"} and len(visits) == len(frame) / 9
    assert list(experiment.to_pandas("estimates")["what"].cat.categories) == ["visits", "value", ""]
    pytest.importorskip("polars")
    assert experiment.to_polars()["what"].to_list() == table["what"]
    pytest.importorskip("pyarrow")
    assert experiment.to_arrow()["what"].to_pylist() == table["what"]


class Matches:
    """Take one or two of so many matches; the last one wins."""

    def __init__(self, matches):
        self.matches = matches

    def start(self, rng):
        return self.matches + rng.below(5)

    def actions(self, state):
        return [n for n in (1, 2) if n <= state]

    def step(self, state, action, rng):
        return state - action, 1.0 if action == 2 == state else 0.0

    def key(self, state):
        return state


class Greedy:
    """Takes the last of the actions, or with a chance the first."""

    def __init__(self, first=0.0):
        self.first = first

    def __call__(self, state, rng):
        return state.actions()[0 if rng.chance(self.first) else -1]


def last_place(state, rng):
    return len(state.actions()) - 1


def arms(*arms, **more):
    spec = {"name": "objects", "seed": 5, "units": 20, "task": {"kind": "play"}}
    return {**spec, "arm": [{"name": str(i), **arm} for i, arm in enumerate(arms)], **more}


def test_games_and_planners_may_be_objects(tmp_path):
    game = Matches(6)
    spec = arms(
        {"game": game, "planner": "uct(iterations=30)"},
        {"game": game, "planner": Greedy()},
        {"game": game, "planner": Greedy(0.5)},
        {"game": game, "planner": last_place},
    )
    experiment = patience.Experiment(spec, store=tmp_path / "S.db")
    assert experiment.run(threads=2).ran == 80
    rows = frame(experiment)
    assert set(rows["game"]) == {rows["game"][0]} and rows["game"][0].startswith("python:Matches:")
    assert rows[rows["arm"] == "1"]["planner"].iloc[0].startswith("python:Greedy:")
    by = {arm: own["value"].to_numpy() for arm, own in rows[rows["column"] == "return"].groupby("arm")}
    assert np.array_equal(by["1"], by["3"]), "the same decisions of the same deals"
    assert 0 < by["1"].mean() < 1 and not np.array_equal(by["1"], by["2"])
    # By hand: whoever takes two at a time wins with an even number.
    moves = rows[(rows["arm"] == "1") & (rows["column"] == "moves")]["value"].to_numpy()
    assert set(moves) <= {3, 4, 5} and (by["1"][moves == 3] == 1).all()
    again = patience.Experiment(spec, store=tmp_path / "T.db")
    again.run(threads=1)
    assert np.array_equal(again.columns()["value"], experiment.columns()["value"])
    assert patience.Experiment(spec, store=tmp_path / "S.db").run().ran == 0
    other = arms({"game": Matches(7), "planner": "random"})
    assert patience.Experiment(other, store=tmp_path / "S.db").run().ran == 20, "another object"
    assert patience.open(tmp_path / "T.db").columns()["hash"] == again.columns()["hash"]


def test_objects_play_the_deals_of_planners(tmp_path):
    """Of a game of ours: arms are compared in pairs, and an object that asks a planner is that planner's
    equal in what it is dealt."""
    spec = arms(
        {"game": "samegame(width=5, height=5)", "planner": "random"},
        {"game": "samegame(width=5, height=5)", "planner": last_place},
        {"game": "tic-tac-toe", "planner": Greedy(1.0), "task": {"opponent": "random", "won_at": 1}},
        task={"kind": "play"},
    )
    seen = []

    def watching(state, rng):
        if state.moves == 0:
            seen.append(state.text)
        return 0

    pytest.importorskip("cloudpickle", reason="a function in a function needs it")
    watched = arms({"game": "samegame(width=5, height=5)", "planner": watching})
    patience.Experiment(watched, store=tmp_path / "W.db").run(threads=1)
    assert len(set(seen)) == len(seen) == 20
    experiment = patience.Experiment(spec, store=tmp_path / "S.db")
    experiment.run()
    won = frame(experiment)
    won = won[(won["arm"] == "2") & (won["column"] == "won")]["value"]
    assert 0 < won.mean() < 1


class Failing(Exception):
    pass


class Broken(Matches):
    def step(self, state, action, rng):
        if state == 3:
            raise Failing("in a step")
        return super().step(state, action, rng)


def breaks(state, rng):
    raise Failing("in a decision")


def nowhere(state, rng):
    return "nowhere"


@pytest.mark.parametrize("threads", [1, 3])
def test_what_objects_raise_is_raised(tmp_path, threads):
    for arm, error, message in [
        ({"game": Broken(6), "planner": "uct(iterations=20)"}, Failing, "in a step"),
        ({"game": "tic-tac-toe", "planner": breaks}, Failing, "in a decision"),
        ({"game": "tic-tac-toe", "planner": nowhere}, patience.InputError, "nowhere is not a legal move"),
    ]:
        with pytest.raises(error, match=message):
            patience.Experiment(arms(arm), store=tmp_path / "S.db").run(threads=threads)
    with pytest.raises(patience.InputError, match="neither a game"):
        patience.Experiment(arms({"game": Greedy, "planner": 3}))
    with pytest.raises(patience.InputError, match="can only play"):
        patience.Experiment(arms({"game": "pgame", "planner": breaks}, task={"kind": "convergence"}))


def test_objects_travel(tmp_path):
    """What a cluster does, without one: the spec and its objects are pickled."""
    import pickle

    from patience import _native

    spec = arms({"game": Matches(6), "planner": Greedy(0.5)})
    alone = patience.Experiment(spec, store=tmp_path / "alone.db")
    alone.run(threads=1)
    sent = pickle.loads(pickle.dumps(alone._given))
    assert sent == alone._given and hash(sent) == hash(alone._given), "a worker keeps its crew"
    ledger, crew = _native.Ledger(*alone._given, str(tmp_path / "remote.db")), _native.Crew(*sent)
    while chunk := ledger.chunk(0.001):
        ledger.take(crew.run(chunk))
    ledger.close()
    remote = patience.Experiment(spec, store=tmp_path / "remote.db")
    assert np.array_equal(remote.columns()["value"], alone.columns()["value"])
    failing = patience.Experiment(arms({"game": Broken(6), "planner": "random"}))
    with pytest.raises(Failing):
        _native.Crew(*failing._given).run([(0, 20)])
