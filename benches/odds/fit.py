#!/usr/bin/env python3
"""Fits the odds of Klondike's player: from the mean of its samples to the chance to win.

    patience reliability 'klondike(view=plus, draw=3)' --planner 'best(samples=400)' --seeds 1..1200 --csv a.csv
    benches/odds/fit.py a.csv [more.csv …]

reads decisions that are not proven (columns mean, face_down, samples, won) and prints the coefficients of a logistic
regression for `crates/games/src/klondike/best/odds.rs`. Decisions of one game end alike, so each counts by one over
the number of its game's decisions in its ten points of the mean: no long game outweighs others. Newton's method with a
small ridge; nothing but the standard library is needed.
"""

import csv
import math
import sys
from collections import Counter


def logit(p):
    return math.log(p / (1 - p))


def features(mean, face_down, samples):
    """The same as in odds.rs."""
    n = max(samples, 1.0)
    x = logit((mean * n + 0.5) / (n + 1.0))
    h = face_down / 21.0
    s = math.log2(min(max(samples, 50.0), 6400.0) / 400.0)
    return [1.0, x, h, h * x, s, s * h]


def read(paths):
    rows = []
    for path in paths:
        with open(path) as file:
            for row in csv.DictReader(file):
                if row["sure"] == "1" or not row["mean"]:
                    continue
                mean = float(row["mean"])
                key = (path, row["deal"], int(10 * mean))
                x = features(mean, float(row["face_down"]), float(row["samples"]))
                rows.append((key, x, float(row["won"]), mean))
    counts = Counter(row[0] for row in rows)
    return [(1.0 / counts[key], x, y, mean) for key, x, y, mean in rows]


def solve(a, b):
    """Gauss's elimination."""
    n = len(b)
    m = [row[:] + [b[i]] for i, row in enumerate(a)]
    for i in range(n):
        p = max(range(i, n), key=lambda r: abs(m[r][i]))
        m[i], m[p] = m[p], m[i]
        for r in range(n):
            if r != i:
                f = m[r][i] / m[i][i]
                m[r] = [u - f * v for u, v in zip(m[r], m[i])]
    return [m[i][n] / m[i][i] for i in range(n)]


def fit(rows, ridge=1.0, steps=20):
    k = len(rows[0][1])
    # Without evidence the odds are the mean.
    prior = [0.0, 1.0] + [0.0] * (k - 2)
    w = prior[:]
    for _ in range(steps):
        g = [ridge * (p - v) for p, v in zip(prior, w)]
        h = [[ridge * (i == j) for j in range(k)] for i in range(k)]
        for weight, x, y, _ in rows:
            p = 1 / (1 + math.exp(-sum(a * b for a, b in zip(w, x))))
            for i in range(k):
                g[i] += weight * (y - p) * x[i]
                for j in range(k):
                    h[i][j] += weight * p * (1 - p) * x[i] * x[j]
        w = [a + b for a, b in zip(w, solve(h, g))]
    return w


def main():
    rows = read(sys.argv[1:])
    w = fit(rows)
    plain = sum((m - y) ** 2 for _, _, y, m in rows) / len(rows)
    p = [1 / (1 + math.exp(-sum(a * b for a, b in zip(w, x)))) for _, x, _, _ in rows]
    told = sum((p - r[2]) ** 2 for p, r in zip(p, rows)) / len(rows)
    print(f"{len(rows)} decisions; Brier score on these {plain:.4f} before, {told:.4f} after")
    print("[" + ", ".join(f"{v:.3f}" for v in w) + "]")


if __name__ == "__main__":
    main()
