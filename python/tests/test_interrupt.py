"""Ctrl-C ends what runs, cleanly."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

# Each program prints `ready` when it is about to compute for long.
PROGRAMS = {
    "a search": """
        patience.advise(patience.game("connect-four").start(), "uct", time=600)
    """,
    "a solver": """
        patience.solve("samegame", deal=1, time=600)
    """,
    "a game in Python": """
        class Endless:
            def start(self, rng): return 0
            def actions(self, state): return [0, 1]
            def step(self, state, action, rng): return state, 0.0
        patience.hint(Endless(), "uct", time=600)
    """,
}


@pytest.mark.parametrize("what", PROGRAMS)
def test_ctrl_c_ends(what):
    program = "import patience\nprint('ready', flush=True)\n" + textwrap.dedent(PROGRAMS[what])
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    os.kill(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in errors and process.returncode != 0
    assert "panicked" not in errors, errors


def test_ctrl_c_keeps_what_an_experiment_has(tmp_path):
    store = tmp_path / "S.db"
    program = f"""
import patience
print('ready', flush=True)
patience.Experiment("uct-figure-2", store={str(store)!r}).run(threads=1)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(3)
    os.kill(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in errors
    import patience

    done = patience.experiment._native.list_store(str(store))[0]["done"]
    assert done > 0, "what was finished is stored"
