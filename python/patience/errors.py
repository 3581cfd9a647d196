"""What can go wrong. The messages are those of the command `patience`, and so is the division:
`exit_code` is the code with which the command would have ended."""

from __future__ import annotations

__all__ = ["PatienceError", "UsageError", "InputError", "FaultError"]


class PatienceError(Exception):
    """Any error of this package."""

    exit_code = 5


class UsageError(PatienceError, ValueError):
    """Something was used wrongly: a parameter out of range, a store that another process writes to."""

    exit_code = 2


class InputError(PatienceError, ValueError):
    """A string, spec, store, board or position that is not what it should be.

    >>> import patience
    >>> patience.game("klondyke")
    Traceback (most recent call last):
    ...
    patience.errors.InputError: `klondyke`, column 1: there is no game klondyke; did you mean `klondike`? ...
    """

    exit_code = 3


class FaultError(PatienceError, RuntimeError):
    """Something failed that should not have: a disk, a task, a bug."""

    exit_code = 5
