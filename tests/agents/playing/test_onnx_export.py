"""Policies as ONNX files, computed by ONNX Runtime."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from t2r_agents import LoadedPolicy, export_onnx, load_policy
from t2r_agents.playing.policy import Policy, Skip
from t2r_env import Games, configure
from tests.helpers.simulated_player import policy_for

pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")

NEW_YORK = configure("new_york", 2)


def check_same(policy: LoadedPolicy, path: Path) -> None:
    """Assert that ONNX Runtime computes what this library computes, at decisions of games."""
    export_onnx(policy, path)
    session = onnxruntime.InferenceSession(path)
    names = [it.name for it in session.get_outputs()]
    for decisions in (0, 5, 40):
        games = Games(policy.configuration, batch=50, seed=decisions, features=policy.features)
        games.play_random(decisions)
        computed = session.run(names, {"observation": games.observations, "action_mask": games.masks})
        given = dict(zip(names, computed, strict=True))
        inputs = policy.policy.reads.fit(games.observations, policy.observation)
        expected = policy.policy.legal_logits(policy.policy.logits(inputs), games.masks)
        np.testing.assert_allclose(given["logits"], expected, rtol=1e-4, atol=1e-3)
        np.testing.assert_array_equal(given["action"], policy.predict(games.observations, action_masks=games.masks)[0])
        assert (given["logits"].dtype, given["action"].dtype) == (np.float32, np.int64)
        assert ("value" in given) == bool(policy.policy.value_layers)
        if "value" in given:
            np.testing.assert_allclose(given["value"], policy.policy.logits_and_values(inputs)[1], atol=1e-3)


@pytest.mark.parametrize(
    ("variant", "players", "options"),
    [
        ("new_york", 3, {}),  # a policy with room for more players
        ("usa", 5, {"tickets": "classic"}),
        ("card_game", 2, {}),
        ("pennsylvania", 3, {}),
    ],
)
def test_a_shipped_policy_chooses_the_same_actions(
    variant: str, players: int, options: dict[str, Any], tmp_path: Path
) -> None:
    check_same(load_policy(variant, players, **options), tmp_path / "policy.onnx")


NO_VALUES = replace(policy_for(NEW_YORK), value_layers=())
WEIGHTS = np.random.default_rng(2).normal(size=(NEW_YORK.layout.observation.size + 1, NEW_YORK.layout.actions.size))


@pytest.mark.parametrize(
    "policy",
    [NO_VALUES, replace(NO_VALUES, skip=Skip(7, 2.5)), replace(NO_VALUES, layers=((WEIGHTS[1:], WEIGHTS[0]),))],
    ids=["no features, values or skip", "a skip on the observation", "one layer"],
)
def test_any_network_of_a_policy_can_be_exported(policy: Policy, tmp_path: Path) -> None:
    in_float32 = tuple((weight.astype(np.float32), bias.astype(np.float32)) for weight, bias in policy.layers)
    check_same(LoadedPolicy(replace(policy, layers=in_float32), NEW_YORK), tmp_path / "policy.onnx")
