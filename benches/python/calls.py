"""What calling a planner from Python costs beside the command: the same searches of the same seeds.

    python benches/python/calls.py target/release/patience

Processor time of the search itself, as the search reports it, so that starting a process does not
count; the smallest of several runs, in turn, because machines are busy.
"""

import json
import subprocess
import sys

import patience

COMMAND = sys.argv[1] if len(sys.argv) > 1 else "target/release/patience"
SEARCHES = [
    ("connect-four", "uct(iterations=400000)"),
    ("klondike", "uct(c=1, iterations=40000)"),
    ("sailing(size=10)", "uct(scale=10, eval=perturbed, stop=visits, iterations=400000)"),
]

for game, planner in SEARCHES:
    here, there = [], []
    for _ in range(9):
        here.append(patience.hint(game, planner, seed=1).stats)
        told = subprocess.run(
            [COMMAND, "hint", game, "--planner", planner, "--seed", "1", "--json"],
            capture_output=True,
            check=True,
        )
        there.append(json.loads(told.stdout)["stats"])
    assert here[0].model_calls == there[0]["model_calls"], "the same search"
    python, command = min(s.seconds for s in here), min(s["seconds"] for s in there)
    change = 100 * (python / command - 1)
    print(f"{game:20} Python {1e3 * python:7.1f} ms, command {1e3 * command:7.1f} ms: {change:+.1f}%")
