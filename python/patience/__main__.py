"""The command `patience`, which `pip` installs, also as `python -m patience`."""

from __future__ import annotations

import os
import signal
import sys

from . import _native


def main() -> int:
    """Runs the command with the words of the command line, and gives its exit code."""
    if not hasattr(_native, "command"):
        print(
            "error: the package was built without the command: build it with `--features command`, or "
            "the program alone with `cargo build --release`",
            file=sys.stderr,
        )
        return 2
    # Ctrl-C is for the command to deal with, and Ray is driven by this Python.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.environ.setdefault("PATIENCE_PYTHON", sys.executable)
    return _native.command(["patience", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
