"""Distillation of a policy: a small network that plays as it does."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from t2r_agents.playing.ismcts.policy_search import PolicySearch
from t2r_agents.playing.policy import Policy, PolicyAgent, shipped_policy
from t2r_env import Games, configure
from t2r_env.commands import main as t2r
from t2r_env.core.layout import Segments
from t2r_train.distill import BATCH, STEPS, RolloutNetwork, distill, learn, self_play
from tests.helpers.acting import decisions_in
from tests.helpers.disks import full_disk
from tests.helpers.fixtures import Capture, Patch
from tests.helpers.refusing import refusal

torch = pytest.importorskip("torch")


CONFIGURATION = configure("new_york", 2)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file of the policy for New York that comes with the library."""
    shipped_policy(CONFIGURATION).save(path := tmp_path / "policy.safetensors")
    return path


def test_the_network_learns_the_probabilities_of_the_policy() -> None:
    policy = shipped_policy(CONFIGURATION)
    samples = self_play(policy, CONFIGURATION, seed=0)
    first, unseen = next(samples), next(samples)
    assert first.masks.any(dim=1).all()
    assert torch.allclose(first.probabilities.sum(dim=1), torch.ones(BATCH * STEPS))
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


def test_the_games_to_learn_from_take_actions_that_the_policy_draws(monkeypatch: Patch) -> None:
    """One that finds all actions equal would never claim a route if it took the first of them."""
    monkeypatch.setattr("t2r_train.distill.BATCH", 8)
    policy = shipped_policy(CONFIGURATION)
    even = tuple((np.zeros_like(weight), np.zeros_like(bias)) for weight, bias in policy.layers)
    samples = next(self_play(replace(policy, layers=even, skip=None), CONFIGURATION, seed=0))
    assert len(np.unique(samples.observations[:, policy.observation["trains"].slice].numpy())) > 3


def test_the_command_adds_the_network_and_leaves_the_rest(file: Path, monkeypatch: Patch, capsys: Capture) -> None:
    monkeypatch.setattr("t2r_train.distill.STEPS", 2)
    before = Policy.load(file)
    assert t2r(["distill", str(file), "--decisions", "100", "--units", "8", "--seed", "3"]) == 0
    assert "has a rollout network now, with 8 hidden units" in capsys.readouterr().out
    after = Policy.load(file)
    PolicyAgent(after).check(CONFIGURATION)
    assert [weight.shape[1] for weight, _ in after.rollout_layers] == [8, CONFIGURATION.layout.actions.size]
    assert after.planner_weight != 0
    assert (after.identities, after.training, after.skip) == (before.identities, before.training, before.skip)
    for ours, theirs in zip(after.layers + after.value_layers, before.layers + before.value_layers, strict=True):
        assert all(np.array_equal(*both) for both in zip(ours, theirs, strict=True))
    content = file.read_bytes()
    configurations = [configure("new_york", identity["num_players"]) for identity in before.identities]
    distill(before, configurations, decisions=100, units=8, seed=3).save(file)
    assert file.read_bytes() == content


def test_a_policy_for_several_numbers_of_players_learns_and_is_searched_with_each(monkeypatch: Patch) -> None:
    """In Pennsylvania two players have actions that three have not."""
    monkeypatch.setattr("t2r_train.distill.STEPS", 2)
    configurations = [configure("pennsylvania", number) for number in (2, 3)]
    observation = Segments.covering([it.layout.observation for it in configurations])
    rng = np.random.default_rng(0)
    sizes = (observation.size, 8), (8, configurations[0].layout.actions.size), (8, 1)
    first, last, value = ((rng.normal(size=shape) * 0.05, np.zeros(shape[1])) for shape in sizes)
    identities = tuple(it.identity for it in configurations)
    policy = distill(Policy(identities, observation, (first, last), value_layers=(value,)), configurations, 1, units=4)
    for configuration in configurations:
        games = Games(configuration, batch=3, seed=2)
        games.play_random(30)
        decisions = decisions_in(games)
        searched = PolicySearch(policy).search(decisions, 12)
        assert decisions.masks[np.arange(3), searched.actions].all()


def test_where_nothing_can_be_written_the_file_stays(file: Path, monkeypatch: Patch, capsys: Capture) -> None:
    monkeypatch.setattr("t2r_train.distill.STEPS", 2)
    content, command = file.read_bytes(), ["distill", str(file), "--decisions", "100", "--units"]
    with full_disk(1000):
        assert t2r([*command, "8"]) == 1
    assert f"'{file}'; the file is as it was" in capsys.readouterr().err
    monkeypatch.setattr("t2r_agents.playing.policy_file.MAX_PARAMETERS", 1 << 20)
    assert t2r([*command, "4096"]) == 1
    assert "at most 1,048,576 weights" in capsys.readouterr().err
    assert file.read_bytes() == content


def test_wrong_arguments_are_refused(file: Path, tmp_path: Path, capsys: Capture) -> None:
    assert "there is no file" in refusal(capsys, t2r, "distill", tmp_path / "none.safetensors")
    for option in ("--decisions", "--units"):
        assert f"{option} must be" in refusal(capsys, t2r, "distill", file, option, "0")
