"""Policies in an environment's loop: `t2r_agents.load_policy`."""

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import t2r_env
from t2r_agents import LoadedPolicy, load_policy
from t2r_agents.playing.policy import SHIPPED, Policy, PolicyAgent
from t2r_agents.playing.policy_file import PolicyError
from t2r_env import Games, configure
from tests.helpers.acting import decisions_in
from tests.helpers.simulated_player import policy_for
from tests.helpers.situations import changed_variant

NEW_YORK = configure("new_york", 2)
CLASSIC = SHIPPED / "usa_classic_23.safetensors"


def games_for(policy: LoadedPolicy, batch: int = 20, *, plain: bool = False) -> Games:
    """Games in the middle; if they are plain, without the features."""
    games = Games(policy.configuration, batch=batch, seed=4, features=None if plain else policy.features)
    games.play_random(30)
    return games


@pytest.mark.parametrize("file", sorted(SHIPPED.glob("*.safetensors"))[::2], ids=lambda file: file.stem)
def test_every_policy_predicts_from_observations_what_its_agent_plays(file: Path) -> None:
    identity = Policy.load(file).identities[-1]
    policy = load_policy(file, identity["num_players"])
    assert policy.configuration.identity == identity
    assert load_policy(policy.configuration).configuration == policy.configuration
    options = dict(identity["options"])
    assert load_policy(identity["variant"], identity["num_players"], **options).configuration == policy.configuration
    games = games_for(policy)
    played = PolicyAgent(policy.policy).act(decisions_in(games_for(policy, plain=True)))
    actions, state = policy.predict({"observation": games.observations, "action_mask": games.masks}, state="kept")
    assert (actions.dtype, state) == (np.int64, "kept")
    np.testing.assert_array_equal(actions, played)


def test_a_policy_plays_games_of_pettingzoo_and_gymnasium() -> None:
    policy = load_policy("new_york", 3)
    env = t2r_env.raw_env(policy.configuration, features=policy.features)
    env.reset(seed=1)
    for _ in env.agent_iter():
        observation, _, terminated, _, _ = env.last()
        env.step(None if terminated else policy.predict(observation)[0])
    assert env.snapshot()["outcome"] == "finished"
    single = gymnasium.make("t2r_env/new_york-v0", num_players=3, features=policy.features, observation="vector")
    vector, info = single.reset(seed=1)
    terminated = False
    while not terminated:
        action, state = policy.predict(vector, action_masks=info["action_mask"])
        assert (type(action), state) == (np.int64, None)
        vector, _, terminated, _, info = single.step(action)
    assert "score" in info


def test_a_policy_wins_in_a_vector_environment_where_ended_games_need_no_action() -> None:
    policy = load_policy("new_york")
    envs: Any = gymnasium.make_vec("t2r_env/new_york-v0", num_envs=30, features=policy.features, seat="random")
    observations, _ = envs.reset(seed=0)
    won: list[bool] = []
    while len(won) < 60:
        actions, _ = policy.predict(observations)
        assert not actions[~observations["action_mask"].any(axis=1)].any()
        observations, rewards, terminated, _, _ = envs.step(actions)
        won += (rewards[terminated] == 1).tolist()
    assert np.mean(won) > 0.9


def test_drawn_actions_are_legal_and_repeatable_by_a_seed_also_of_a_policy_without_features(tmp_path: Path) -> None:
    """Those of one decision differ. Their probabilities are tested with the agent, which draws them alike."""
    policy_for(NEW_YORK).save(file := tmp_path / "own.safetensors")
    policy, same, other = (load_policy(file, seed=seed) for seed in (1, 1, 2))
    assert (policy.features, policy.configuration) == (None, NEW_YORK)
    games = games_for(policy, batch=50)
    drawn, again, others = (
        it.predict(games.observations, action_masks=games.masks, deterministic=False)[0] for it in (policy, same, other)
    )
    assert games.masks[np.arange(50), drawn].all()
    np.testing.assert_array_equal(again, drawn)
    assert not np.array_equal(others, drawn)


def test_the_policy_of_a_map_of_ones_own_is_told_its_folder(tmp_path: Path) -> None:
    folder, file = tmp_path / "map", tmp_path / "own.safetensors"
    folder.mkdir()
    changed_variant(folder, {"variant.toml": ('id = "usa"', 'id = "lakes"')})
    policy_for(configure(folder, 2, tickets="mega")).save(file)
    with pytest.raises(PolicyError, match=r"unknown variant 'lakes'.*variant=FOLDER"):
        load_policy(file)
    assert load_policy(file, variant=folder).configuration == configure(folder, 2, tickets="mega")


@pytest.mark.parametrize(
    ("policy", "arguments", "error", "message"),
    [
        (CLASSIC, {"num_players": 4}, ValueError, "the policy was trained for 2 or 3 players, not for 4"),
        (CLASSIC, {"tickets": "mega"}, PolicyError, "tickets"),
        ("missing.safetensors", {}, ValueError, "there is no file .*missing.safetensors"),
        ("mars", {}, ValueError, "unknown variant 'mars'"),
        ("usa", {"tickets": "1910"}, PolicyError, "there is no policy for usa, 2 players, only"),
        ("usa", {"ticket": "mega"}, TypeError, "unexpected keyword argument 'ticket'"),
        ("usa", {"variant": "maps/lakes"}, ValueError, "variant is for the file of a policy, and usa is none"),
        ("new_york", {"seed": -1}, ValueError, "a seed must be an integer from 0 to 2"),
    ],
)
def test_a_policy_that_there_is_not_is_named(
    policy: Any, arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        load_policy(policy, **arguments)


def test_an_observation_of_another_environment_is_refused_with_what_to_do() -> None:
    policy = load_policy("new_york")
    plain, right = (games_for(policy, 3, plain=it).observations for it in (True, False))
    masks = games_for(policy, 3).masks
    given: list[tuple[Any, Any, str]] = [
        (plain, masks, r"uint8, \(702,\) or \(k, 702\), not uint8 \(3, 315\).*features='plan'"),
        (right / 255, masks, r"must be uint8.*not float64"),
        (right, None, r"give predict action_masks=info\['action_mask'\]"),
        (right, masks[0], r"action_masks must be bool or integers, \(3, 87\), not int8 \(87,\)"),
        (right, masks * np.nan, r"must be bool or integers.*not float64"),
    ]
    for observations, action_masks, message in given:
        with pytest.raises(ValueError, match=message):
            policy.predict(observations, action_masks=action_masks)
