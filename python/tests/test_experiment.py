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
        assert list(frame.columns) == ["arm", "unit", "column", "x", "value"]
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

    given = (str(spec), SPEC, False, None)
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
