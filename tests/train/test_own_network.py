"""Networks of PyTorch as files of policies."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import t2r_train
from t2r_agents import load_policy
from t2r_agents.playing.policy_file import PolicyError
from t2r_env import Games, configure
from t2r_env.envs.stable_baselines import SeatVecEnv

torch = pytest.importorskip("torch")
nn = torch.nn

NEW_YORK = configure("new_york", 2)
SIZE, ACTIONS = NEW_YORK.layout.observation.size, NEW_YORK.layout.actions.size


def network(inputs: int = SIZE, outputs: int = ACTIONS, **arguments: Any) -> Any:
    torch.manual_seed(0)
    body = nn.Sequential(nn.Linear(inputs, 32, **arguments), nn.ReLU(), nn.Linear(32, 16, **arguments), nn.ReLU())
    return nn.Sequential(body, nn.Linear(16, outputs, **arguments))


@pytest.mark.parametrize(
    ("module", "features", "scale"),
    [
        (network(), None, 1.0),
        (network(), None, 1 / 255),
        (network(702), "plan", 1.0),
        (network(bias=False), None, 1.0),
        (network().double(), None, 0.1),
        (network().bfloat16(), None, 1.0),
        (nn.Linear(SIZE, ACTIONS), None, 1.0),
    ],
    ids=["plain", "scaled", "features", "no bias", "float64", "bfloat16", "one layer"],
)
def test_a_file_chooses_what_its_network_does(module: Any, features: str | None, scale: float, tmp_path: Path) -> None:
    file, card = tmp_path / "own.safetensors", {"epochs": 3}
    t2r_train.save_policy(file, module, NEW_YORK, features=features, scale=scale, training=card)
    policy = load_policy(file)
    assert (policy.features, policy.policy.training) == (features, card)
    games = Games(NEW_YORK, batch=100, seed=0, features=features)
    games.play_random(12)
    with torch.no_grad():
        expected = module.float()(torch.from_numpy(games.observations).float() * scale).numpy()
    logits = policy.policy.logits(games.observations)
    assert np.abs(logits - expected).max() < 0.005 * np.abs(expected).max() + 1e-3
    legal = np.where(games.masks == 1, expected, -np.inf)
    actions, _ = policy.predict(games.observations, action_masks=games.masks)
    best, chosen = legal.max(axis=1), legal[np.arange(100), actions]
    assert (best - chosen).max() < 0.01 * np.abs(expected).max() + 1e-3


too_large = network()
nn.init.constant_(too_large[1].bias, 70_000.0)


@pytest.mark.parametrize(
    ("module", "error", "message"),
    [
        (nn.Sequential(nn.Linear(SIZE, 9), nn.Tanh(), nn.Linear(9, ACTIONS)), TypeError, r"and has Tanh\(\)"),
        (nn.Sequential(nn.Linear(SIZE, 9), nn.Linear(9, ACTIONS)), ValueError, "one nn.ReLU between two nn.Linear"),
        (nn.Sequential(nn.Linear(SIZE, ACTIONS), nn.ReLU()), ValueError, "begin and end with nn.Linear"),
        (nn.Sequential(), ValueError, "begin and end with nn.Linear"),
        (network(outputs=ACTIONS - 1), PolicyError, "logits of 86 actions, not of 87"),
        (too_large, PolicyError, r"policy\.2\.bias must hold finite numbers up to 65,504"),
    ],
)
def test_another_network_is_refused_and_an_earlier_file_stays(
    module: Any, error: type[Exception], message: str, tmp_path: Path
) -> None:
    t2r_train.save_policy(file := tmp_path / "own.safetensors", network(), NEW_YORK)
    before = file.read_bytes()
    with pytest.raises(error, match=message):
        t2r_train.save_policy(file, module, NEW_YORK)
    assert file.read_bytes() == before
    assert [*tmp_path.iterdir()] == [file]


def test_the_network_of_stable_baselines_plays_as_its_model_does(tmp_path: Path) -> None:
    contrib = pytest.importorskip("sb3_contrib")
    games = SeatVecEnv(NEW_YORK, num_envs=8, seed=0)
    model = contrib.MaskablePPO("MlpPolicy", games, n_steps=8, policy_kwargs={"activation_fn": nn.ReLU}, seed=0)
    model.learn(64)
    module = nn.Sequential(model.policy.mlp_extractor.policy_net, model.policy.action_net)
    t2r_train.save_policy(tmp_path / "own.safetensors", module, NEW_YORK)
    policy, differ = load_policy(tmp_path / "own.safetensors"), 0
    observations: Any = games.reset()
    for _ in range(30):
        actions, _ = policy.predict(observations, action_masks=games.action_masks())
        differ += int((actions != model.predict(observations, None, None, True, games.action_masks())[0]).sum())
        observations, *_ = games.step(actions)
    assert differ <= 5  # of 240: weights are rounded
