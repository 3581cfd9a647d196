"""Results as columns, and as frames of three libraries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

#: A column: an array, or places in a list of words.
Column = NDArray[Any] | tuple[NDArray[Any], list[str]]


def rows(stored: Mapping[str, Any]) -> dict[str, Column]:
    """What every unit measured, one number per row."""
    arms = stored["arms"]
    arm = stored["arm"]
    columns: dict[str, Column] = {"arm": (arm, stored["arm_names"])}
    columns.update(_of_arms(arms, arm))
    for name in ("unit", "x", "value", "seconds"):
        columns[name] = stored[name]
    columns["column"] = (stored["column"], stored["column_names"])
    return _ordered(columns, ["unit", "column", "x", "value", "seconds", "hash"])


#: What is told of an estimate.
_TOLD = ["units", "value", "low95", "high95", "low99", "high99", "error", "published"]


def estimates(stored: Mapping[str, Any], report: Mapping[str, Any]) -> dict[str, Column]:
    """What the units of every arm come to together, with intervals."""
    arms, names, kinds = [], [], []
    numbers: dict[str, list[float]] = {name: [] for name in ["x", *_TOLD]}
    for place, arm in enumerate(report["arms"]):
        for column in arm["columns"]:
            arms.append(place)
            names.append(column["name"])
            kinds.append(column["kind"])
            published = column.get("published") or {}
            of = {"x": column["x"], "published": published.get("value")}
            for name in ("units", "value", "error"):
                of[name] = column.get(name)
            for level in ("95", "99"):
                bounds = column.get(f"at{level}") or {}
                of[f"low{level}"], of[f"high{level}"] = bounds.get("low"), bounds.get("high")
            for name, all_of in numbers.items():
                all_of.append(np.nan if of[name] is None else of[name])
    arm = np.array(arms, np.int32)
    columns: dict[str, Column] = {"arm": (arm, [arm["name"] for arm in report["arms"]])}
    columns.update(_of_arms(stored["arms"], arm))
    columns.update({"column": _words(names), "kind": _words(kinds)})
    for name, all_of in numbers.items():
        columns[name] = np.array(all_of, float)
    columns["units"] = np.nan_to_num(np.array(numbers["units"])).astype(np.int64)
    return _ordered(columns, ["column", "kind", "x", *_TOLD, "hash"])


def _words(words: Sequence[str]) -> Column:
    known = list(dict.fromkeys(words))
    return np.array([known.index(word) for word in words], np.int32), known


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:g}"


def _of_arms(arms: Sequence[Mapping[str, Any]], arm: NDArray[Any]) -> dict[str, Column]:
    """What is told of arms: the values of their sweeps, their games and planners. A variable that is a word
    somewhere is a column of words, with nothing in it where an arm has no such variable."""
    told: dict[str, Column] = {}
    taken = {"arm", "game", "planner", "unit", "column", "x", "value", "seconds", "hash", "kind", *_TOLD}
    for variable in dict.fromkeys(name for one in arms for name in one["sweep"]):
        name = f"{variable}_" if variable in taken else variable
        values = [one["sweep"].get(variable) for one in arms]
        if any(isinstance(value, str) for value in values):
            shown = (value if isinstance(value, str) else _shown(value) for value in values)
            places, words = _words(list(shown))
            told[name] = (np.asarray(places)[arm], words)
        else:
            numbers = [np.nan if value is None else value for value in values]
            told[name] = np.array(numbers, float)[arm]
    for what in ("game", "planner", "hash"):
        places, words = _words([one[what] for one in arms])
        told[what] = (np.asarray(places)[arm], words)
    return told


def _ordered(columns: dict[str, Column], last: list[str]) -> dict[str, Column]:
    first = [name for name in columns if name not in last]
    return {name: columns[name] for name in [*first, *last]}


def plain(columns: Mapping[str, Column]) -> dict[str, Any]:
    """Lists of strings, and arrays of numbers."""

    def of(column: Column) -> Any:
        if isinstance(column, tuple):
            places, words = column
            return [words[place] for place in places]
        return column

    return {name: of(column) for name, column in columns.items()}


def to_pandas(columns: Mapping[str, Column]) -> pandas.DataFrame:
    """Words are categories."""
    import pandas as pd

    def of(column: Column) -> Any:
        return pd.Categorical.from_codes(*column) if isinstance(column, tuple) else column

    return pd.DataFrame({name: of(column) for name, column in columns.items()})


def to_arrow(columns: Mapping[str, Column], metadata: Mapping[str, str]) -> pyarrow.Table:
    """Words are dictionaries; where there is no number there is nothing."""
    import pyarrow as pa

    def of(column: Column) -> Any:
        if isinstance(column, tuple):
            return pa.DictionaryArray.from_arrays(pa.array(column[0]), column[1])
        nothing = np.isnan(column) if column.dtype.kind == "f" else None
        return pa.array(column, mask=nothing)

    table = pa.table({name: of(column) for name, column in columns.items()})
    return table.replace_schema_metadata(dict(metadata))


def to_polars(columns: Mapping[str, Column]) -> polars.DataFrame:
    """Words are categories; where there is no number there is nothing."""
    import polars as pl

    def of(column: Column) -> Any:
        if isinstance(column, tuple):
            places, words = column
            return pl.Series([words[place] for place in places], dtype=pl.Categorical)
        series = pl.Series(column)
        return series.fill_nan(None) if column.dtype.kind == "f" else series

    return pl.DataFrame({name: of(column) for name, column in columns.items()})
