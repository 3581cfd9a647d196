"""Moves per second of the vectorised environments, random moves included: on one thread and on all cores.

    python benches/python/steps.py [Patience/Klondike-v0] [games]

Nothing is copied. Seconds are those of the clock, the best of five runs, because machines are busy. On a machine
that others work on, those of the processor say what it would be alone.
"""

import os
import sys
import time

import gymnasium

import patience  # noqa: F401  (makes the environments known)

name = sys.argv[1] if len(sys.argv) > 1 else "Patience/Klondike-v0"
games = int(sys.argv[2]) if len(sys.argv) > 2 else 4096

for threads in sorted({1, os.cpu_count() or 1}):
    env = gymnasium.make_vec(name, num_envs=games, threads=threads, copy=False)
    env.reset(seed=1)
    step = whole = worked = 0.0
    for _ in range(5):
        stepping, working, begin, steps = 0.0, 0.0, time.perf_counter(), 0
        while time.perf_counter() - begin < 1:
            moves = env.random_moves()
            before, work = time.perf_counter(), time.process_time()
            env.step(moves)
            stepping += time.perf_counter() - before
            working += time.process_time() - work
            steps += 1
        step = max(step, games * steps / stepping)
        worked = max(worked, games * steps / working)
        whole = max(whole, games * steps / (time.perf_counter() - begin))
    print(f"{name}, {games} games side by side, {threads} threads")
    print(f"{step / 1e6:.2f} million moves per second in step()")
    print(f"{worked / 1e6:.2f} million for each second of a processor in step()")
    print(f"{whole / 1e6:.2f} million with the choice of random moves")
