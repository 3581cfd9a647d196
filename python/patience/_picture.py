"""What an object looks like inside, so that a change of it is seen even where it has no `__eq__`."""

from __future__ import annotations

from typing import Any

_PLAIN = (int, float, complex, str, bytes, bool, type(None))


def picture(value: Any, depth: int = 20) -> Any:
    """A value that is equal for objects that look the same inside, and that no change reaches."""
    if isinstance(value, _PLAIN) or depth == 0:
        return value if isinstance(value, _PLAIN) else id(value)
    if isinstance(value, (list, tuple)):
        return type(value).__name__, tuple(picture(item, depth - 1) for item in value)
    if isinstance(value, (set, frozenset)):
        return type(value).__name__, frozenset(picture(item, depth - 1) for item in value)
    if isinstance(value, dict):
        items = ((picture(k, depth - 1), picture(v, depth - 1)) for k, v in value.items())
        return "dict", frozenset(items)
    if isinstance(value, bytearray):
        return "bytearray", bytes(value)
    if hasattr(value, "tobytes") and hasattr(value, "shape"):  # An array of NumPy.
        return "array", tuple(value.shape), value.tobytes()
    slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    inside = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    inside.update(getattr(value, "__dict__", {}))
    return (type(value).__name__, picture(inside, depth - 1)) if inside else id(value)
