#!/usr/bin/env python3
"""MCTS simulations per second: OpenSpiel's C++ MCTSBot beside ours, in one run.

One thread, one random rollout per simulation, exploration constant 1.4, from the start position;
best of several repetitions for both, taken in turns. Prints a table with ratios, or JSON with --json.

Usage: benches/peers/run [--json]
"""

import json
import subprocess
import sys
import time

import pyspiel

CASES = [
    ("uct/tic-tac-toe/10k", "tic_tac_toe", 10_000),
    ("uct/tic-tac-toe/200k", "tic_tac_toe", 200_000),
    ("uct/connect-four/10k", "connect_four", 10_000),
    ("uct/connect-four/200k", "connect_four", 200_000),
]
ROUNDS = 3


def open_spiel(name: str, simulations: int) -> float:
    """Simulations per second of one round, best of as many searches as fit into 1.5 s, but three."""
    game = pyspiel.load_game(name)
    best, count, begin = 0.0, 0, time.perf_counter()
    while count < 3 or time.perf_counter() - begin < 1.5:
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=count)
        bot = pyspiel.MCTSBot(
            game,
            evaluator,
            uct_c=1.4,
            max_simulations=simulations,
            max_memory_mb=4000,
            solve=False,
            seed=count,
            verbose=False,
        )
        state = game.new_initial_state()
        start = time.perf_counter()
        bot.mcts_search(state)
        best = max(best, simulations / (time.perf_counter() - start))
        count += 1
    return best


def patience(binary: str, name: str) -> float:
    out = subprocess.run([binary, "bench", name, "--json"], capture_output=True, check=True)
    return json.loads(out.stdout)[0]["value"]


def main() -> None:
    binary = sys.argv[1]
    rows = []
    for name, game, simulations in CASES:
        ours = theirs = 0.0
        for _ in range(ROUNDS):
            theirs = max(theirs, open_spiel(game, simulations))
            ours = max(ours, patience(binary, name))
        rows.append({"name": name, "patience": ours, "open_spiel": theirs, "ratio": ours / theirs})
    if "--json" in sys.argv:
        print(json.dumps(rows, indent=2))
        return
    print(f"{'simulations per second':24}{'Patience':>12}{'OpenSpiel':>12}{'ratio':>8}")
    for row in rows:
        print(f"{row['name']:24}{row['patience']:12.0f}{row['open_spiel']:12.0f}{row['ratio']:8.1f}")


main()
