"""SameGame learnt from nothing, by self-play with the search of Gumbel AlphaZero.

    pip install . torch                                        # in the source folder
    python examples/samegame.py                                # some minutes on a processor
    python examples/samegame.py --rounds 2 --games 8           # a look

A game for one: the value of a position is the score that is still to come. In the end the network plays
boards that it has never seen, and our planners and a solver play them too.
"""

import argparse
import time

import numpy as np
import torch
from torch import nn

import patience

WIDTH, HEIGHT, COLOURS = 6, 6, 3
GAME = patience.game("samegame", width=WIDTH, height=HEIGHT, colours=COLOURS)
CELLS = WIDTH * HEIGHT
#: Points that are 1 to the network: clearing the board brings 1000.
SCALE = 500.0
#: Seeds of boards from here on are for play alone.
UNSEEN = 1_000_000


class Network(nn.Module):
    """A plane for each colour, to a policy over cells and a value."""

    def __init__(self, width=384):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(COLOURS * CELLS, width), nn.ReLU(),
            nn.Linear(width, width), nn.ReLU(),
            nn.Linear(width, width), nn.ReLU(),
        )
        self.policy, self.value = nn.Linear(width, CELLS), nn.Linear(width, 1)

    def forward(self, planes):
        seen = self.body(planes)
        return self.policy(seen), self.value(seen).squeeze(1)

    @torch.inference_mode()
    def judge(self, observations, masks):
        logits, values = self(planes(observations))
        logits = logits.masked_fill(~torch.from_numpy(masks), -torch.inf)
        return logits.softmax(1).numpy(), SCALE * values.numpy()


def planes(observations):
    """What is seen: the colour of every cell from 1, 0 where there is none."""
    colours = np.arange(1, COLOURS + 1)
    shown = observations[:, None, :] == colours[None, :, None]
    return torch.from_numpy(shown.reshape(len(shown), -1).astype(np.float32))


def recoloured(observations, rng):
    """The same boards in other colours."""
    return np.concatenate([[0], 1 + rng.permutation(COLOURS)])[observations]


def self_play(network, seeds, rng, **search):
    """Plays these boards to their ends; gives what was seen, the policies, and what was still scored."""
    states = [GAME.start(seed=int(seed)) for seed in seeds]
    running = np.array([g for g, state in enumerate(states) if not state.is_over], int)
    seen, policies, scored, owners = [], [], [], []
    while len(running):
        searched = patience.uct(
            [states[game] for game in running],
            evaluator=network.judge,
            seed=rng.integers(2**63, size=len(running)),
            scale=SCALE,
            **search,
        )
        seen.append(searched.observations)
        policies.append(searched.policies)
        scored.append(np.array([states[game].result for game in running]))
        owners.append(running)
        for game, advice in zip(running, searched):
            states[game].step(advice.best)
        running = np.array([game for game in running if not states[game].is_over], int)
    results = np.array([state.result for state in states])
    to_come = results[np.concatenate(owners)] - np.concatenate(scored)
    return np.concatenate(seen), np.concatenate(policies), to_come / SCALE, results


def learn(network, optimiser, samples, steps, batch, rng):
    """Steps of gradient descent on samples drawn from the last rounds."""
    seen, policies, values = (np.concatenate(part) for part in zip(*samples))
    for _ in range(steps):
        drawn = rng.integers(len(seen), size=batch)
        logits, value = network(planes(recoloured(seen[drawn], rng)))
        wanted = torch.from_numpy(policies[drawn].astype(np.float32))
        to_come = torch.from_numpy(values[drawn].astype(np.float32))
        loss = nn.functional.cross_entropy(logits, wanted)
        loss = loss + nn.functional.mse_loss(value, to_come)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()


def planned(planner, seeds):
    """The scores of one of our planners."""
    return np.array([patience.play(GAME.start(seed=int(s)), planner, seed=1).result for s in seeds])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=30, help="rounds of self-play and learning")
    parser.add_argument("--games", type=int, default=96, help="games of a round")
    parser.add_argument("--iterations", type=int, default=16, help="of each search")
    parser.add_argument("--steps", type=int, default=150, help="of gradient descent in a round")
    parser.add_argument("--boards", type=int, default=50, help="boards that are played in the end")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    rng = np.random.default_rng(given.seed)
    network = Network()
    optimiser = torch.optim.Adam(network.parameters(), lr=1e-3, weight_decay=1e-5)
    samples, begin = [], time.monotonic()
    search = {"root": "gumbel", "considered": 8, "iterations": given.iterations}
    for done in range(1, given.rounds + 1):
        seeds = rng.integers(UNSEEN, size=given.games)
        *sample, results = self_play(network, seeds, rng, **search)
        samples = [*samples[-9:], sample]
        learn(network, optimiser, samples, given.steps, 256, rng)
        if done % 10 == 0 or done in (1, given.rounds):
            spent = time.monotonic() - begin
            print(f"round {done:3}, {spent:4.0f} s: mean score {results.mean():6.1f}", flush=True)

    boards = UNSEEN + np.arange(given.boards)
    n = given.iterations
    rows = {
        "random": planned("random", boards),
        f"uct, {n} iterations a move": planned(f"uct(iterations={n}, scale={SCALE:.0f})", boards),
        f"uct, {10 * n} iterations a move": planned(f"uct(iterations={10 * n}, scale={SCALE:.0f})", boards),
        "the network and a search": self_play(network, boards, rng, **search)[-1],
        "portfolio, 20,000 rollouts a board": np.array([
            patience.solve("samegame", seed=int(s), size=(WIDTH, HEIGHT, COLOURS), rollouts=20_000).score
            for s in boards
        ]),
    }
    print(f"{given.boards} boards of {WIDTH} x {HEIGHT} with {COLOURS} colours that were not learnt from:")
    for name, scores in rows.items():
        error = 1.96 * scores.std(ddof=1) / len(scores) ** 0.5
        print(f"  {name:34} {scores.mean():7.1f} ± {error:.1f}", flush=True)


if __name__ == "__main__":
    main()
