"""Experiments: run, resume, report, and the results as tables."""

from __future__ import annotations

import json
import re
import sys
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Literal

from . import _frames, _native, _spec
from ._spec import Given, Objects
from .errors import InputError, UsageError
from .values import Summary

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

__all__ = ["Experiment", "merge", "open", "provenance", "specs"]


def specs() -> list[str]:
    """The names of the built-in specs, one per table and figure of the papers.

    >>> import patience
    >>> "uct-figure-2" in patience.specs()
    True
    """
    return _native.spec_names()


def merge(into: str | PathLike[str], *stores: str | PathLike[str]) -> dict[str, int]:
    """Takes over the results of other stores, such as those of shards: of all of them, or of none
    and an exception."""
    return _native.merge_stores(fspath(into), [fspath(store) for store in stores])


#: Which table: what every unit measured, or what they come to with intervals.
Table = Literal["rows", "estimates"]

#: What a logger is told: numbers by name, and how many units are done. `mlflow.log_metrics` is one.
Log = Callable[[dict[str, float], int], object]


class Experiment:
    """A spec and the store of its results.

    `spec` is a file, the name of a built-in one, or a dictionary of the same keys, in which the game of an arm
    may be an object (`patience.Rules`), and its planner a function that gets a state and a random stream and
    gives a move, by its text or its place. Objects must be picklable; results belong to what an object is, its
    class's source and what it holds. Nothing is run and no store is made before `run`; what is wrong with the
    spec is said at once.

    >>> import patience, tempfile, os
    >>> store = os.path.join(tempfile.mkdtemp(), "S.db")
    >>> experiment = patience.Experiment("uct-figure-2", quick=True, units=2, store=store)
    >>> experiment.run(threads=1).complete
    True
    >>> table = experiment.columns()
    >>> len(table["value"]) == len(table["unit"]) > 0
    True
    >>> patience.open(store).name
    'uct-figure-2'
    """

    def __init__(
        self,
        spec: str | PathLike[str] | Mapping[str, Any],
        *,
        quick: bool = False,
        units: int | None = None,
        store: str | PathLike[str] = "patience.db",
    ) -> None:
        self._be(*_spec.read(spec, quick, units), fspath(store))

    def _be(self, given: Given, about: Mapping[str, Any], store: str) -> None:
        self._given = given
        self.quick = given[2]
        self.store = store
        #: The experiment's name.
        self.name: str = about["name"]
        #: Its title.
        self.title: str = about["title"]
        #: The seed of all streams.
        self.seed: int = about["seed"]
        #: Units per arm.
        self.units: int = about["units"]
        #: The names of the arms.
        self.arms: list[str] = about["arms"]

    def run(
        self,
        *,
        threads: int = 0,
        shard: str | None = None,
        progress: bool | Callable[[Mapping[str, Any]], object] = False,
        log: Log | None = None,
    ) -> Summary:
        """Runs it, or what is left of it, on all cores or so many threads. `shard` such as `"0/4"` is
        a part of the units. `progress` shows how far it is on standard error, or is called with it
        about ten times a second. `log` is called every ten seconds and at the end with numbers by name
        and the units done, as `mlflow.log_metrics` wants them. Ctrl-C ends it cleanly, and what is finished is
        stored: run it again to go on. Results of another version of the program stay in the store and are not
        counted; a warning says so."""
        watch = watcher(self.name) if progress is True else progress or None
        warn_of_outdated(self._given, self.store)
        if log is not None:
            watch = logged(log, watch)
        summary = Summary(
            **_native.experiment_run(*self._given, self.store, threads, shard, watch)
        )
        if log is not None:
            log(metrics(self.report()["arms"]), summary.before + summary.ran)
        return summary

    #: The same: what is stored is not run again.
    resume = run

    def report(self) -> dict[str, Any]:
        """The report: arms with intervals, published figures with verdicts, claims, charts. The same
        as `patience experiment report --json`."""
        whole: dict[str, Any] = _native.report(self.store, [self.name])
        found: dict[str, Any] = whole["experiments"][0]
        return found

    def html(self) -> str:
        """The report as one self-contained HTML page."""
        return _native.html(self.store, [self.name])

    def plots(self) -> dict[str, str]:
        """The report's plots as SVG, by name."""
        return dict(_native.svgs(self.store, [self.name]))

    def _columns(self, of: Table) -> dict[str, _frames.Column]:
        if of not in ("rows", "estimates"):
            raise UsageError(f"there is no table {of!r} (there are: 'rows', 'estimates')")
        stored = _native.rows(self.store, self.name)
        return _frames.rows(stored) if of == "rows" else _frames.estimates(stored, self.report())

    def columns(self, of: Table = "rows") -> dict[str, Any]:
        """The results as plain columns: strings are lists, numbers NumPy arrays.

        `rows`: one number per row. `arm`, the values of its sweep by their names (numbers or words), `game`,
        `planner`, `unit`, `column` (what was measured), `x` (its checkpoint; not a number where there is
        none), `value`, the `seconds` that the unit took, and the `hash` of what the results depend on.

        `estimates`: what the units of an arm come to, one row for each column: `kind`, `units`, `value`, the
        95% interval from `low95` to `high95`, that of 99%, the standard `error`, and the `published` figure."""
        return _frames.plain(self._columns(of))

    def to_pandas(self, of: Table = "rows") -> pandas.DataFrame:
        """The results as a pandas data frame; strings are categories."""
        return _frames.to_pandas(self._columns(of))

    def to_arrow(self, of: Table = "rows") -> pyarrow.Table:
        """The results as an Arrow table; strings are dictionaries. Its metadata says where they are from."""
        return _frames.to_arrow(self._columns(of), {"patience": json.dumps(self.provenance())})

    def to_polars(self, of: Table = "rows") -> polars.DataFrame:
        """The results as a polars data frame."""
        return _frames.to_polars(self._columns(of))

    def to_parquet(self, path: str | PathLike[str], of: Table = "rows") -> None:
        """Writes the results as a Parquet file, which says itself where they are from (`provenance`)."""
        import pyarrow.parquet as pq  # type: ignore[import-untyped]

        pq.write_table(self.to_arrow(of), fspath(path))

    def provenance(self) -> dict[str, Any]:
        """Where the results are from: the spec's text, the seed, the units, the program's version and when it
        ran, and of each arm the hash and the versions that its results depend on."""
        report = self.report()
        told = {key: report[key] for key in ("name", "title", "paper", "quick", "seed", "units", "done")}
        told.update({key: report[key] for key in ("program", "updated", "spec")})
        known = ("name", "game", "planner", "hash", "versions", "units")
        told["arms"] = [{key: arm[key] for key in known} for arm in report["arms"]]
        return told

    def __repr__(self) -> str:
        version = ", quick" if self.quick else ""
        arms = len(self.arms)
        return f"<Experiment {self.name}{version}: {arms} arms of {self.units} units in {self.store}>"


def open(store: str | PathLike[str], name: str | None = None) -> Experiment:
    """An experiment of a store as it was last run, without its spec: to be looked at, and run on if no arm
    is a Python object. The name is needed where the store has several."""
    stored = _native.stored_specs(fspath(store))
    names = [about["name"] for about in stored]
    if name is None and len(names) == 1:
        name = names[0]
    for about in stored:
        if about["name"] == name:
            experiment = Experiment.__new__(Experiment)
            units = about["units"]
            given = (f"spec of {name}", about["text"], about["quick"], units, Objects())
            experiment._be(given, about, fspath(store))
            return experiment
    which = "is not named" if name is None else f"{name} is not in it"
    listed = ", ".join(names) or "none"
    raise InputError(f"{fspath(store)}: the experiment {which} (there are: {listed})")


def provenance(path: str | PathLike[str]) -> dict[str, Any]:
    """Where the results in a Parquet file are from: what `Experiment.to_parquet` wrote."""
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    told = (pq.read_schema(fspath(path)).metadata or {}).get(b"patience")
    if told is None:
        raise InputError(f"{fspath(path)}: it does not say where its results are from")
    found: dict[str, Any] = json.loads(told)
    return found


def metrics(arms: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """What is known of arms, by names that loggers take: of a report, or of a run's progress."""
    known: dict[str, float] = {}
    for arm in arms:
        columns = arm.get("columns")
        for column in [arm] if columns is None else columns:
            if column.get("value") is None:
                continue
            measured = column["column"] if columns is None else column["name"]
            parts = [arm["name"], measured] + ([] if column["x"] is None else [f"{column['x']:g}"])
            name = "/".join(re.sub(r"[^A-Za-z0-9_. -]+", "_", part).strip("_ ") for part in parts)
            known[name] = column["value"]
            for end in ("low", "high"):
                if column["at95"] is not None:
                    known[f"{name}/{end}95"] = column["at95"][end]
    return known


#: Seconds between two calls of a logger.
LOG_EVERY = 10.0


def logged(
    log: Log, watch: Callable[[Mapping[str, Any]], object] | None
) -> Callable[[Mapping[str, Any]], None]:
    """Tells a logger now and then, and whoever else watches each time."""
    last = time.monotonic()

    def tell(progress: Mapping[str, Any]) -> None:
        nonlocal last
        if watch is not None:
            watch(progress)
        if time.monotonic() - last >= LOG_EVERY:
            last = time.monotonic()
            rate = {"units_per_second": progress["rate"]}
            log({**metrics(progress["arms"]), **rate}, progress["done"])

    return tell


def warn_of_outdated(given: Given, store: str) -> None:
    """Tells of results that another version of the program made, before a long run."""
    for outdated in _native.outdated(*given, store):
        warnings.warn(outdated, stacklevel=3)


def watcher(name: str) -> Callable[[Mapping[str, Any]], None]:
    """Shows how far a run is on standard error: one line that changes on a terminal, else a line
    now and then."""
    terminal = sys.stderr.isatty()
    begin = last = time.monotonic()

    def show(progress: Mapping[str, Any]) -> None:
        nonlocal last
        now = time.monotonic()
        over = progress["done"] == progress["total"]
        if now - begin < 1 or (now - last < (0.2 if terminal else 10) and not (over and terminal)):
            return
        last = now
        rest = progress["remaining"]
        to_go = "?" if rest is None else f"{rest:.0f} s"
        line = (
            f"{name}: {progress['done']}/{progress['total']} units, "
            f"{progress['rate']:.1f} units/s, {to_go} to go"
        )
        if terminal:
            print(f"\r\033[K{line}", end="\n" if over else "", file=sys.stderr, flush=True)
        else:
            print(line, file=sys.stderr, flush=True)

    return show
