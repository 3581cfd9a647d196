"""2048 on nine squares, learnt from nothing by self-play with the search of Gumbel AlphaZero.

    pip install . torch                                        # in the source folder
    python examples/twenty48.py                                # some minutes on a processor
    python examples/twenty48.py --rounds 2 --games 8           # a look

A game of chance for one: what a position is worth is the score that is still to come, which the network learns
from what was scored in the next moves and from what a search says of the position after them. In the end it
plays games that it has never seen, and our planners play them too.
"""

import argparse
import time

import numpy as np
import torch
from torch import nn

import patience

SIZE = 3
GAME = patience.game("2048", size=SIZE)
SQUARES, POWERS = SIZE * SIZE, SIZE * SIZE + 2
#: Points that are 1 to the network.
SCALE = 1000.0
#: Moves that are looked ahead for what a position was worth.
AHEAD = 16
#: Seeds of games from here on are for play alone.
UNSEEN = 1_000_000
#: Where left, right, up and down go in the mirrors.
LEFT_RIGHT, UP_DOWN, DIAGONAL = [1, 0, 2, 3], [0, 1, 3, 2], [2, 3, 0, 1]


class Network(nn.Module):
    """What lies on each square, to a policy over the four moves and a value."""

    def __init__(self, width=256):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(SQUARES * POWERS, width), nn.ReLU(),
            nn.Linear(width, width), nn.ReLU(),
        )
        self.policy, self.value = nn.Linear(width, 4), nn.Linear(width, 1)

    def forward(self, planes):
        seen = self.body(planes)
        return self.policy(seen), self.value(seen).squeeze(1)

    @torch.inference_mode()
    def judge(self, observations, masks):
        logits, values = self(planes(observations))
        logits = logits.masked_fill(~torch.from_numpy(masks), -torch.inf)
        return logits.softmax(1).numpy(), SCALE * values.numpy()


def planes(observations):
    """What is seen: the power of 2 on every square, 0 where there is no tile."""
    shown = observations[:, :, None] == np.arange(POWERS)
    return torch.from_numpy(shown.reshape(len(shown), -1).astype(np.float32))


def mirrored(observations, policies, rng):
    """The same positions turned and seen in mirrors: one of eight ways for all."""
    boards = observations.reshape(-1, SIZE, SIZE)
    if rng.random() < 0.5:
        boards, policies = boards[:, :, ::-1], policies[:, LEFT_RIGHT]
    if rng.random() < 0.5:
        boards, policies = boards[:, ::-1], policies[:, UP_DOWN]
    if rng.random() < 0.5:
        boards, policies = boards.transpose(0, 2, 1), policies[:, DIAGONAL]
    return boards.reshape(len(boards), -1), policies


def self_play(network, seeds, rng, **search):
    """Plays these games to their ends; gives what was seen, the policies, and what positions were worth."""
    states = [GAME.start(seed=int(seed)) for seed in seeds]
    games = [([], [], [], []) for _ in states]
    while running := [game for game, state in enumerate(states) if not state.is_over]:
        searched = patience.uct(
            [states[game] for game in running],
            evaluator=network.judge,
            seed=rng.integers(2**63, size=len(running)),
            scale=SCALE,
            **search,
        )
        rows = zip(searched.observations, searched.policies, searched.values, searched.best)
        for game, (seen, policy, value, best) in zip(running, rows):
            state = states[game]
            for kept, new in zip(games[game], (seen, policy, value, state.result)):
                kept.append(new)
            state.step(state.action(int(best)))
    results = np.array([state.result for state in states])
    worth = [worth_of(values, scored, result) for (*_, values, scored), result in zip(games, results)]
    seen, policies = (np.concatenate([game[part] for game in games]) for part in (0, 1))
    return seen, policies, np.concatenate(worth) / SCALE, results


def worth_of(values, scored, result):
    """Of each position of a game, what was scored in the moves after it, and what the search said then."""
    later = np.minimum(np.arange(len(scored)) + AHEAD, len(scored))
    then = np.append(scored, result)[later] + np.append(values, 0.0)[later]
    return then - np.array(scored)


def learn(network, optimiser, samples, steps, batch, rng):
    """Steps of gradient descent on samples drawn from the last rounds."""
    seen, policies, values = (np.concatenate(part) for part in zip(*samples))
    for _ in range(steps):
        drawn = rng.integers(len(seen), size=batch)
        boards, wanted = mirrored(seen[drawn], policies[drawn], rng)
        logits, value = network(planes(boards))
        wanted = torch.from_numpy(np.ascontiguousarray(wanted, np.float32))
        worth = torch.from_numpy(values[drawn].astype(np.float32))
        loss = nn.functional.cross_entropy(logits, wanted) + nn.functional.mse_loss(value, worth)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()


def planned(planner, seeds):
    """The scores of one of our planners."""
    return np.array([patience.play(GAME.start(seed=int(s)), planner, seed=1).result for s in seeds])


def interval(scores):
    return f"{scores.mean():7.0f} ± {1.96 * scores.std(ddof=1) / len(scores) ** 0.5:.0f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=40, help="rounds of self-play and learning")
    parser.add_argument("--games", type=int, default=48, help="games of a round")
    parser.add_argument("--iterations", type=int, default=16, help="of each search")
    parser.add_argument("--steps", type=int, default=200, help="of gradient descent in a round")
    parser.add_argument("--boards", type=int, default=50, help="games that are played in the end")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    rng = np.random.default_rng(given.seed)
    network = Network()
    optimiser = torch.optim.Adam(network.parameters(), lr=1e-3, weight_decay=1e-5)
    samples, begin = [], time.monotonic()
    search = {"root": "gumbel", "iterations": given.iterations}
    for done in range(1, given.rounds + 1):
        seeds = rng.integers(UNSEEN, size=given.games)
        *sample, results = self_play(network, seeds, rng, **search)
        samples = [*samples[-9:], sample]
        learn(network, optimiser, samples, given.steps, 256, rng)
        if done % 5 == 0 or done in (1, given.rounds):
            spent = time.monotonic() - begin
            print(f"round {done:3}, {spent:4.0f} s: mean score {results.mean():6.0f}", flush=True)

    boards = UNSEEN + np.arange(given.boards)
    uct = f"uct(scale={SCALE:.0f}, limit=100, iterations="
    network_and_search = self_play(network, boards, rng, **search)[-1]
    print(f"{given.boards} games of {SIZE} x {SIZE} squares that were not learnt from: the scores, and how")
    print("much more the network and a search scored in the same games")
    print(f"  {'the network and a search':28} {interval(network_and_search)}", flush=True)
    for name, planner in {
        "random": "random",
        f"uct, {given.iterations} iterations a move": f"{uct}{given.iterations})",
        f"uct, {10 * given.iterations} iterations a move": f"{uct}{10 * given.iterations})",
    }.items():
        scores = planned(planner, boards)
        print(f"  {name:28} {interval(scores)}, {interval(network_and_search - scores)}", flush=True)


if __name__ == "__main__":
    main()
