"""Leaves judged per second through a Python function, and what share of the time is ours.

    python benches/python/evaluations.py [games] [iterations]

Connect Four, one leaf of each of so many games in a call, so a batch has as many rows as there are games.
The trivial network is one product of matrices for priors and one for values. Of ours is all that is not spent
within the function: the trees, the arrays, the calls.
"""

import sys

import numpy as np

import patience

games = int(sys.argv[1]) if len(sys.argv) > 1 else 256
iterations = int(sys.argv[2]) if len(sys.argv) > 2 else 400

state = patience.game("connect-four").start()
rng = np.random.default_rng(1)
weights = rng.normal(0, 0.1, (43, 8)).astype(np.float32)


def nothing(observations, masks):
    return masks.astype(np.float32), np.zeros(len(masks))


def trivial(observations, masks):
    out = observations.astype(np.float32) @ weights
    return np.exp(out[:, :7]), np.tanh(out[:, 7])


for name, network in [("says nothing", nothing), ("one layer", trivial)]:
    for settings in [{}, {"root": "gumbel"}, {"batch": games, "virtual_loss": 0.5}]:
        one = "batch" in settings
        states = [state] if one else [state] * games
        most = iterations * games if one else iterations
        searched = patience.uct(states, evaluator=network, iterations=most, **settings)
        rate = searched.evaluations / searched.seconds
        rows = searched.evaluations / searched.calls
        ours = 1 - searched.outside / searched.seconds
        what = "one tree" if one else f"{games} trees"
        how = settings.get("root", "puct")
        print(
            f"{name:12} {how:6} {what:9}: {rate:9,.0f} evaluations/s, {rows:5.1f} in a call, "
            f"{ours:4.0%} of the time ours"
        )
