"""A learner is put on the environments as it is: MaskablePPO of SB3-contrib. Skipped where it, or
PyTorch, is not installed."""

import pytest

gymnasium = pytest.importorskip("gymnasium")
sb3_contrib = pytest.importorskip("sb3_contrib")

import numpy as np  # noqa: E402

import patience  # noqa: E402, F401


@pytest.mark.parametrize("name", ["Klondike", "FreeCell", "SameGame"])
def test_a_learner_learns_for_some_thousand_steps(name):
    import torch

    torch.set_num_threads(1)
    parameters = {"width": 6, "height": 6, "colours": 3} if name == "SameGame" else {}
    # With `raise` a mask that is not looked at would end the run.
    env = gymnasium.make(f"Patience/{name}-v0", illegal="raise", **parameters)
    learner = sb3_contrib.MaskablePPO(
        "MlpPolicy", env, n_steps=512, batch_size=128, n_epochs=2, seed=54, device="cpu"
    )
    before = [p.detach().clone() for p in learner.policy.parameters()]
    learner.learn(3072)
    assert learner.num_timesteps >= 3072
    assert any((a != b).any() for a, b in zip(before, learner.policy.parameters()))
    observation, info = env.reset(seed=54)
    over = cut = False
    while not (over or cut):
        action, _ = learner.predict(observation, action_masks=env.unwrapped.action_masks())
        assert info["action_mask"][int(action)] == 1
        observation, _, over, cut, info = env.step(np.int64(action))
