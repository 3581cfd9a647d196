"""Strings that name games, planners and solvers, such as `sailing(size=10)`, made from keywords."""

from __future__ import annotations

from collections.abc import Mapping


def text(value: object) -> str:
    """A value as it stands in a string: `true`, `12`, `0.5`, and `6x6x3` for `(6, 6, 3)`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (tuple, list)):
        return "x".join(map(text, value))
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def name(call: str) -> str:
    """The name before the parameters."""
    return call.split("(")[0].strip()


def join(call: str, parameters: Mapping[str, object]) -> str:
    """A string with more parameters; `None` is one that is not given."""
    given = [f"{key}={text(value)}" for key, value in parameters.items() if value is not None]
    if not given:
        return call
    more = ", ".join(given)
    begin = call.rstrip()
    if not begin.endswith(")"):
        return f"{begin}({more})"
    begin = begin[:-1].rstrip()
    return f"{begin}{more})" if begin.endswith("(") else f"{begin}, {more})"
