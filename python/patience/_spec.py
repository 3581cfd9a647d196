"""Specs as dictionaries: as the text of a spec, and the objects in it by name."""

from __future__ import annotations

import hashlib
import importlib
import inspect
import json
import math
import pickle
import re
from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from typing import Any

from . import _native
from .errors import UsageError


class Objects(dict[str, object]):
    """Games and planners that are Python objects, by the names that they have in a spec. A name says what
    the object is, so equal names are equal objects."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(sorted(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Objects) and sorted(self) == sorted(other)


#: A spec as it travels: its name in messages, its text, whether it is the quick version, units, objects.
Given = tuple[str, str, bool, "int | None", Objects]


def read(
    spec: str | PathLike[str] | Mapping[str, Any], quick: bool, units: int | None
) -> tuple[Given, dict[str, Any]]:
    """A spec as it travels, and what there is to know of it; what is wrong with it is said here."""
    if isinstance(spec, Mapping):
        text, objects = written(spec)
        file = f"the dictionary {spec.get('name', '')!r}"
        about = _native.check_spec(file, text, quick, units, objects)
    else:
        objects = Objects()
        about = _native.read_spec(fspath(spec), quick, units)
    return (about["file"], about["text"], quick, units, objects), about


def written(spec: Mapping[str, Any]) -> tuple[str, Objects]:
    """A dictionary as the text of a spec, which is TOML, with the objects in it by name.

    >>> from patience._spec import written
    >>> text, objects = written({"name": "a", "arm": [{"name": "b", "game": "tiger"}]})
    >>> print(text)
    name = "a"
    <BLANKLINE>
    [[arm]]
    name = "b"
    game = "tiger"
    <BLANKLINE>
    """
    objects = Objects()
    lines, tables = [], []
    for key, value in spec.items():
        if value is None:
            continue
        rows = list(value) if isinstance(value, (list, tuple)) else []
        if rows and all(isinstance(row, Mapping) for row in rows):
            for place, row in enumerate(rows):
                tables += ["", f"[[{_key(key)}]]"]
                for name, own in row.items():
                    where = f"{key}[{place}].{name}"
                    if key == "arm" and name in ("game", "planner"):
                        own = _named(own, where, objects)
                    if own is not None:
                        tables.append(f"{_key(name)} = {_value(own, where)}")
        else:
            lines.append(f"{_key(key)} = {_value(value, str(key))}")
    return "\n".join([*lines, *tables, ""]), objects


def _named(given: Any, where: str, objects: Objects) -> Any:
    """A game or planner by its name: a string is one, an object gets one by what it is."""
    if given is None or isinstance(given, (str, _native.Game)):
        return None if given is None else str(given)
    kind = given if inspect.isfunction(given) or inspect.isclass(given) else type(given)
    name = f"python:{re.sub(r'[^A-Za-z0-9_]', '', kind.__name__) or 'object'}:{_digest(given, kind, where)}"
    objects[name] = given
    return name


def _digest(given: Any, kind: Any, where: str) -> str:
    """What an object is: its class's source, and what it holds. Results belong to it."""
    digest = hashlib.sha256()
    try:
        digest.update(inspect.getsource(kind).encode())
    except (OSError, TypeError):
        pass  # What was typed in has no source; then it is what it holds alone.
    digest.update(_pickled(given, where))
    return digest.hexdigest()[:12]


def _pickled(given: Any, where: str) -> bytes:
    failures = []
    for module in ("pickle", "cloudpickle", "ray.cloudpickle"):
        try:
            return bytes(importlib.import_module(module).dumps(given))
        except ImportError:
            continue
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            failures.append(str(error))
    raise UsageError(f"{where}: {given!r} cannot be pickled ({failures[0]})")


def _key(key: object) -> str:
    text = str(key)
    return text if re.fullmatch(r"[A-Za-z0-9_-]+", text) else json.dumps(text, ensure_ascii=False)


def _value(value: Any, where: str) -> str:
    """A value in TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        entries = [f"{_key(k)} = {_value(v, f'{where}.{k}')}" for k, v in value.items() if v is not None]
        return "{ " + ", ".join(entries) + " }" if entries else "{}"
    if hasattr(value, "tolist"):  # NumPy's numbers and arrays.
        return _value(value.tolist(), where)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else str(value)
    if isinstance(value, (Sequence, range)) and not isinstance(value, bytes):
        return "[" + ", ".join(_value(item, where) for item in value) + "]"
    raise UsageError(f"{where}: a spec has no place for {value!r}")
