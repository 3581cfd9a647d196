"""Experiments: run, resume, report, and the results as tables."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Mapping
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native
from .values import Summary

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

__all__ = ["Experiment", "merge", "specs"]

#: A spec as it travels: its name in messages, its text, whether it is the quick version, units.
Given = tuple[str, str, bool, "int | None"]


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


class Experiment:
    """A spec and the store of its results.

    `spec` is a file or the name of a built-in one. Nothing is run and no store is made before `run`;
    what is wrong with the spec is said at once.

    >>> import patience, tempfile, os
    >>> store = os.path.join(tempfile.mkdtemp(), "S.db")
    >>> experiment = patience.Experiment("uct-figure-2", quick=True, units=2, store=store)
    >>> experiment.run(threads=1).complete
    True
    >>> table = experiment.columns()
    >>> len(table["value"]) == len(table["unit"]) > 0
    True
    """

    def __init__(
        self,
        spec: str | PathLike[str],
        *,
        quick: bool = False,
        units: int | None = None,
        store: str | PathLike[str] = "patience.db",
    ) -> None:
        self.quick = quick
        self.store = fspath(store)
        about = _native.read_spec(fspath(spec), quick, units)
        self._given: Given = (about["file"], about["text"], quick, units)
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
    ) -> Summary:
        """Runs it, or what is left of it, on all cores or so many threads. `shard` such as `"0/4"` is
        a part of the units. `progress` shows how far it is on standard error, or is called with it
        about ten times a second. Ctrl-C ends it cleanly, and what is finished is stored: run it again
        to go on. Results of another version of the program stay in the store and are not counted; a
        warning says so."""
        watch = watcher(self.name) if progress is True else progress or None
        warn_of_outdated(self._given, self.store)
        summary = _native.experiment_run(*self._given, self.store, threads, shard, watch)
        return Summary(**summary)

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

    def columns(self) -> dict[str, Any]:
        """The results as plain columns, one number per row: `arm` and `column` are lists of strings,
        `unit`, `x` (not a number where there is no checkpoint) and `value` NumPy arrays."""
        rows = _native.rows(self.store, self.name)
        arms, columns = rows["arm_names"], rows["column_names"]
        return {
            "arm": [arms[i] for i in rows["arm"]],
            "unit": rows["unit"],
            "column": [columns[i] for i in rows["column"]],
            "x": rows["x"],
            "value": rows["value"],
        }

    def to_pandas(self) -> pandas.DataFrame:
        """The results as a pandas data frame; arm and column are categories."""
        import pandas as pd

        rows = _native.rows(self.store, self.name)
        return pd.DataFrame(
            {
                "arm": pd.Categorical.from_codes(rows["arm"], rows["arm_names"]),
                "unit": rows["unit"],
                "column": pd.Categorical.from_codes(rows["column"], rows["column_names"]),
                "x": rows["x"],
                "value": rows["value"],
            }
        )

    def to_arrow(self) -> pyarrow.Table:
        """The results as an Arrow table; arm and column are dictionaries."""
        import pyarrow as pa

        rows = _native.rows(self.store, self.name)

        def words(which: str) -> Any:
            return pa.DictionaryArray.from_arrays(pa.array(rows[which]), rows[f"{which}_names"])

        # Where there is no checkpoint there is nothing, not a number that is none.
        x = pa.array(rows["x"], mask=np.isnan(rows["x"]))
        return pa.table(
            {
                "arm": words("arm"),
                "unit": pa.array(rows["unit"]),
                "column": words("column"),
                "x": x,
                "value": pa.array(rows["value"]),
            }
        )

    def to_polars(self) -> polars.DataFrame:
        """The results as a polars data frame."""
        import polars as pl

        rows = self.columns()
        return pl.DataFrame(
            {
                "arm": pl.Series(rows["arm"], dtype=pl.Categorical),
                "unit": rows["unit"],
                "column": pl.Series(rows["column"], dtype=pl.Categorical),
                "x": pl.Series(rows["x"]).fill_nan(None),
                "value": rows["value"],
            }
        )

    def __repr__(self) -> str:
        version = ", quick" if self.quick else ""
        arms = len(self.arms)
        return f"<Experiment {self.name}{version}: {arms} arms of {self.units} units in {self.store}>"


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
