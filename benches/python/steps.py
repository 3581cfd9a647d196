"""Moves per second of the vectorised environments, random moves included: one core.

    python benches/python/steps.py [Patience/Klondike-v0] [games]
"""

import sys
import time

import gymnasium

import patience  # noqa: F401  (makes the environments known)

name = sys.argv[1] if len(sys.argv) > 1 else "Patience/Klondike-v0"
games = int(sys.argv[2]) if len(sys.argv) > 2 else 4096

env = gymnasium.make_vec(name, num_envs=games)
env.reset(seed=1)
for _ in range(20):
    env.step(env.random_moves())
steps, stepping, begin = 0, 0.0, time.process_time()
while time.process_time() - begin < 5:
    moves = env.random_moves()
    before = time.process_time()
    env.step(moves)
    stepping += time.process_time() - before
    steps += 1
total = time.process_time() - begin
print(f"{name}, {games} games side by side, {steps} steps of all of them")
print(f"{games * steps / stepping / 1e6:.2f} million moves per second in step()")
print(f"{games * steps / total / 1e6:.2f} million with the choice of random moves")
