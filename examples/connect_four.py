"""Connect Four learnt from nothing, by self-play with the search of Gumbel AlphaZero.

    pip install . torch                                            # in the source folder
    python examples/connect_four.py                                # some minutes on a processor
    python examples/connect_four.py --rounds 2 --games 8           # a look

A network gives every position a policy and a value. Games are played against itself, every move by a search
whose leaves it judges, of all games at once; it learns the policies that the searches came to, and how the
games ended (Silver et al. 2018; Danihelka et al. 2022). Every few rounds it plays UCT, which knows nothing but
the rules.
"""

import argparse
import time

import numpy as np
import torch
from torch import nn

import patience

GAME = patience.game("connect-four")
COLUMNS, ROWS = 7, 6


class Network(nn.Module):
    """Two planes of stones, mine and theirs, to a policy over columns and a value to me."""

    def __init__(self, width=256):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(2 * COLUMNS * ROWS, width), nn.ReLU(),
            nn.Linear(width, width), nn.ReLU(),
            nn.Linear(width, width), nn.ReLU(),
        )
        self.policy, self.value = nn.Linear(width, COLUMNS), nn.Linear(width, 1)

    def forward(self, planes):
        seen = self.body(planes)
        return self.policy(seen), torch.tanh(self.value(seen)).squeeze(1)

    @torch.inference_mode()
    def judge(self, observations, masks):
        logits, values = self(planes(observations))
        logits = logits.masked_fill(~torch.from_numpy(masks), -torch.inf)
        return logits.softmax(1).numpy(), values.numpy()


def planes(observations):
    """What is seen, in the eyes of whoever is to move: 42 cells (0 empty, 1 and 2 a stone of the first and
    the second player, columns from the left), then whose turn it is."""
    cells, turn = observations[:, :-1], observations[:, -1:]
    return torch.from_numpy(np.hstack([cells == 1 + turn, cells == 2 - turn]).astype(np.float32))


def mirrored(observations, policies):
    """The same positions seen in a mirror."""
    cells = observations[:, :-1].reshape(-1, COLUMNS, ROWS)[:, ::-1].reshape(len(observations), -1)
    return np.hstack([cells, observations[:, -1:]]), policies[:, ::-1]


def self_play(network, games, iterations, rng):
    """Plays games to their ends; gives what was seen, the policies, and how it ended for who moved."""
    states = [GAME.start() for _ in range(games)]
    running, seen, policies, movers, owners = np.arange(games), [], [], [], []
    while len(running):
        searched = patience.uct(
            [states[game] for game in running],
            evaluator=network.judge,
            root="gumbel",
            iterations=iterations,
            seed=rng.integers(2**63, size=len(running)),
        )
        seen.append(searched.observations)
        policies.append(searched.policies)
        movers.append(np.array([-1.0 if states[game].minimising else 1.0 for game in running]))
        owners.append(running)
        for game, advice in zip(running, searched):
            states[game].step(advice.best)
        running = np.array([game for game in running if not states[game].is_over], int)
    results = np.array([state.result for state in states])[np.concatenate(owners)]
    values = results * np.concatenate(movers)
    return np.concatenate(seen), np.concatenate(policies), values


def learn(network, optimiser, samples, steps, batch, rng):
    """Steps of gradient descent on samples drawn from the last rounds; gives the mean loss."""
    seen, policies, values = (np.concatenate(part) for part in zip(*samples))
    total = 0.0
    for _ in range(steps):
        drawn = rng.integers(len(seen), size=batch)
        boards, wanted = seen[drawn], policies[drawn]
        if rng.random() < 0.5:
            boards, wanted = mirrored(boards, wanted)
        logits, value = network(planes(boards))
        wanted = torch.from_numpy(np.ascontiguousarray(wanted, np.float32))
        outcome = torch.from_numpy(values[drawn].astype(np.float32))
        loss = nn.functional.cross_entropy(logits, wanted) + nn.functional.mse_loss(value, outcome)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        total += loss.item()
    return total / steps


def match(network, opponent, games, iterations, rng):
    """The share of the points against a planner; half of the games each begins, two moves at random."""
    states = [GAME.start() for _ in range(games)]
    for state in states:
        for _ in range(2):
            state.step(int(rng.integers(len(state.actions()))))
    while running := [place for place, state in enumerate(states) if not state.is_over]:
        mine = [p for p in running if states[p].minimising == (p % 2 == 1)]
        searched = patience.uct(
            [states[place] for place in mine], evaluator=network.judge, iterations=iterations
        )
        for place, advice in zip(mine, searched):
            states[place].step(advice.best)
        for place in set(running) - set(mine):
            seed = int(rng.integers(2**63))
            states[place].step(states[place].advise(opponent, seed=seed).best)
    signs = np.array([-1 if place % 2 else 1 for place in range(games)])
    return float(np.mean([1 + sign * state.result for sign, state in zip(signs, states)]) / 2)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=40, help="rounds of self-play and learning")
    parser.add_argument("--games", type=int, default=128, help="games of a round")
    parser.add_argument("--iterations", type=int, default=32, help="of each search")
    parser.add_argument("--steps", type=int, default=150, help="of gradient descent in a round")
    parser.add_argument("--matches", type=int, default=60, help="games against each opponent")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    rng = np.random.default_rng(given.seed)
    network = Network()
    optimiser = torch.optim.Adam(network.parameters(), lr=1e-3, weight_decay=1e-5)
    samples, begin = [], time.monotonic()
    opponents = ["uct(iterations=30, c=1)", "uct(iterations=300, c=1)"]

    def report(done):
        points = [match(network, o, given.matches, given.iterations, rng) for o in opponents]
        shown = ", ".join(f"{p:.0%} against {o}" for p, o in zip(points, opponents))
        print(f"round {done:3}, {time.monotonic() - begin:4.0f} s: {shown}", flush=True)

    report(0)
    for done in range(1, given.rounds + 1):
        samples = [*samples[-9:], self_play(network, given.games, given.iterations, rng)]
        learn(network, optimiser, samples, given.steps, 256, rng)
        if done % 10 == 0 or done == given.rounds:
            report(done)


if __name__ == "__main__":
    main()
