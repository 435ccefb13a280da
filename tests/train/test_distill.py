"""Distillation of a policy: a small network that plays as it does."""

from pathlib import Path

import numpy as np
import pytest

from t2r_agents.policy import Policy, PolicyAgent, shipped_policy
from t2r_env import configure
from t2r_env.commands import main as t2r
from t2r_train.distill import BATCH, STEPS, RolloutNetwork, distill, learn, self_play
from tests.refusing import refusal

torch = pytest.importorskip("torch")

CONFIGURATION = configure("new_york", 2)
DECISIONS = BATCH * STEPS


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file of the policy for New York that comes with the library."""
    shipped_policy("new_york", 2).save(path := tmp_path / "policy.safetensors")
    return path


def test_the_network_learns_the_probabilities_of_the_policy() -> None:
    policy = shipped_policy("new_york", 2)
    lessons = self_play(policy, CONFIGURATION, seed=0)
    first, unseen = next(lessons), next(lessons)
    assert first.masks.any(dim=1).all()
    assert torch.allclose(first.probabilities.sum(dim=1), torch.ones(DECISIONS))
    assert not first.probabilities[~first.masks].any()
    torch.manual_seed(0)
    network = RolloutNetwork(first.observations.numpy(), 16, CONFIGURATION.layout.actions.size, 3.0)
    optimizer = torch.optim.Adam(network.parameters(), lr=2e-3)

    def divergence() -> float:
        with torch.no_grad():
            return float(torch.nn.functional.kl_div(network(unseen), unseen.probabilities, reduction="batchmean"))

    before = divergence()
    learn(network, optimizer, first)
    assert divergence() < 0.6 * before
    assert network.planner_weight.item() != 3.0


def test_the_command_adds_the_network_to_the_file_and_leaves_the_rest(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = Policy.load(file)
    assert t2r(["distill", str(file), "--decisions", "100", "--units", "8", "--seed", "3"]) == 0
    assert "has a rollout network now, with 8 hidden units" in capsys.readouterr().out
    after = Policy.load(file)
    PolicyAgent(after).check(CONFIGURATION)
    assert [weight.shape[1] for weight, _ in after.rollout_layers] == [8, CONFIGURATION.layout.actions.size]
    assert after.planner_weight != 0
    assert (after.identity, after.training, after.skip) == (before.identity, before.training, before.skip)
    for ours, theirs in zip(after.layers + after.value_layers, before.layers + before.value_layers, strict=True):
        assert all(np.array_equal(*both) for both in zip(ours, theirs, strict=True))
    content = file.read_bytes()
    again = distill(before, CONFIGURATION, decisions=100, units=8, seed=3)
    again.save(file)
    assert file.read_bytes() == content


def test_wrong_arguments_are_refused(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, message in (
        ([str(tmp_path / "none.safetensors")], "there is no file"),
        ([str(file), "--decisions", "0"], "--decisions must be"),
        ([str(file), "--units", "0"], "--units must be"),
    ):
        assert message in refusal(capsys, t2r, "distill", *arguments)
