"""The examples that learn are run, much shortened: they end, and the network changes what it thinks."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

EXAMPLES = Path(__file__).parents[2] / "examples"
SHORT = ["--rounds", "1", "--games", "6", "--iterations", "6", "--steps", "3"]


def load(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("name", "more", "expected"),
    [
        ("connect_four", ["--matches", "2"], "round   1,"),
        ("samegame", ["--boards", "2"], "the network and a search"),
        ("twenty48", ["--boards", "2"], "the network and a search"),
    ],
)
def test_an_example_runs(name, more, expected):
    program = EXAMPLES / f"{name}.py"
    assert len(program.read_text().splitlines()) < 200
    told = subprocess.run(
        [sys.executable, str(program), *SHORT, *more],
        capture_output=True,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert told.returncode == 0, told.stderr
    assert expected in told.stdout


@pytest.mark.parametrize("name", ["connect_four", "samegame", "twenty48"])
def test_what_is_learnt_is_what_was_played(name):
    """From the same few samples again and again: the network comes to think what the searches thought."""
    example = load(name)
    torch.manual_seed(1)
    rng = np.random.default_rng(1)
    network = example.Network()
    if name == "connect_four":
        sample = example.self_play(network, 4, 8, rng)
    else:
        sample = example.self_play(network, range(4), rng, root="gumbel", iterations=8)[:3]
    seen, policies, values = sample
    assert len(seen) == len(policies) == len(values) > 8
    assert np.allclose(policies.sum(axis=1), 1.0)
    masks = np.ones_like(policies, bool)

    def surprise():
        """How far the network's policies are from those that it is to learn."""
        priors, _ = network.judge(seen, masks)
        shares = np.where(policies > 0, policies, 1.0)
        return (policies * (np.log(shares) - np.log(priors))).sum(axis=1).mean()

    before = surprise()
    optimiser = torch.optim.Adam(network.parameters(), lr=1e-3)
    # What is seen in eight mirrors takes longer.
    steps = 600 if name == "twenty48" else 200
    example.learn(network, optimiser, [sample], steps, 64, rng)
    assert surprise() < 0.7 * before


def test_results_are_those_of_who_moved():
    """Of a game of Connect Four the winner's positions are worth 1 and the loser's -1."""
    example = load("connect_four")
    seen, _, values = example.self_play(example.Network(), 1, 4, np.random.default_rng(2))
    turns = seen[:, -1]
    assert set(values) <= {-1.0, 0.0, 1.0}
    assert (values[turns == 0] == values[0]).all() and (values[turns == 1] == -values[0]).all()
    boards, policies = example.mirrored(seen, np.eye(7)[np.arange(len(seen)) % 7])
    again, back = example.mirrored(boards, policies)
    assert np.array_equal(again, seen) and np.array_equal(back, np.eye(7)[np.arange(len(seen)) % 7])


def test_mirrors_of_2048_are_the_same_game():
    """Turned and seen in mirrors, a board's moves go where the policy's mirror says."""
    example = load("twenty48")
    rng = np.random.default_rng(3)
    state = example.GAME.start(seed=5)
    for _ in range(40):
        if state.is_over:
            break
        # The moves that are legal take the place of a policy: which ones they are a mirror must keep.
        board, policy = example.mirrored(state.array[None], state.mask[None].astype(float), rng)
        rows = board.reshape(3, 3)
        words = [[str(2**power) if power else "." for power in row] for row in rows]
        there = example.GAME.start(position="\n".join(" ".join(row) for row in words))
        assert (there.mask == policy[0]).all() and (there.array == board[0]).all()
        state.step(int(rng.integers(len(state.actions()))))
    assert state.moves > 20


def test_what_a_position_of_2048_is_worth():
    """What the next moves scored, and what the search said after them; at the end what was scored alone."""
    example = load("twenty48")
    scored = np.arange(0.0, 100.0, 4.0)
    values = np.full(25, 1000.0)
    worth = example.worth_of(list(values), list(scored), 120.0)
    assert worth[0] == 4.0 * example.AHEAD + 1000 and worth[8] == 4.0 * example.AHEAD + 1000
    assert worth[9] == 120.0 - scored[9] and worth[-1] == 120.0 - 96.0
