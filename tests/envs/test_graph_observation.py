"""`observation="graph"` in every environment: the tables of the acting seat, and what checkers say of them."""

from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import SyncVectorEnv
from pettingzoo.test import api_test

import t2r_env
from t2r_env.envs.single import SeatEnvironment
from t2r_env.envs.stable_baselines import SeatVecEnv
from t2r_env.envs.vector import SeatVectorEnvironment
from t2r_env.graph import COLUMNS, GraphSize, GraphWriter
from t2r_env.variants import load_variant
from tests.helpers.maps import MAP_GAMES

every_map = pytest.mark.parametrize("variant", MAP_GAMES)


@every_map
@pytest.mark.filterwarnings("ignore:.*was not legal", "ignore:Observation", "ignore:Action mask")
def test_checkers_find_graphs_as_they_should_be(variant: str) -> None:
    check_env(
        gymnasium.make(load_variant(variant).environment_id, observation="graph").unwrapped, skip_render_check=True
    )
    api_test(t2r_env.env(variant, observation="graph"), num_cycles=150)


@every_map
def test_every_environment_gives_the_graph_of_the_seat_that_looks(variant: str) -> None:
    players = load_variant(variant).min_players
    aec = t2r_env.env(variant, players, observation="graph")
    single = SeatEnvironment(variant, players, seat=1, observation="graph")
    vector = SeatVectorEnvironment(variant, players, num_envs=3, seat="random", observation="graph")
    writer = GraphWriter(aec.configuration)
    aec.reset(seed=3)
    seen, _ = single.reset(seed=3)
    many, _ = vector.reset(seed=3)
    rng = np.random.default_rng(1)
    for _ in range(25):
        for agent, seat in zip(aec.possible_agents, range(players), strict=True):
            mask = aec.games.masks if seat == aec.games.current[0] else np.zeros_like(aec.games.masks)
            expected = writer.observe(aec.games.observe(seats=[seat]), mask, np.array([seat]))
            found = aec.observe(agent)
            assert aec.observation_space(agent).contains(found)
            np.testing.assert_equal(found, {name: table[0] for name, table in expected.items()})
        aec.step(rng.choice(np.flatnonzero(aec.games.masks[0])))
        if not single.games.over[0]:
            expected = writer.observe(single.games.observe(), single.games.masks(), single.games.seats)
            np.testing.assert_equal(seen, {name: table[0] for name, table in expected.items()})
            seen, *_ = single.step(rng.choice(np.flatnonzero(seen["action_mask"])))
        np.testing.assert_equal(many, writer.observe(vector.games.observe(), vector.games.masks(), vector.games.seats))
        actions = [rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in many["action_mask"]]
        many, *_ = vector.step(np.array(actions))


def test_games_of_different_maps_and_numbers_of_players_stand_side_by_side_also_when_they_end_together() -> None:
    """With one size their spaces are the same, as Gymnasium's vector environments ask for."""
    boards = [t2r_env.configure(*it) for it in (("new_york", 2), ("europe", 2), ("usa", 4))]
    size = GraphSize.covering(boards)
    envs = SyncVectorEnv([partial(SeatEnvironment, board, observation=size) for board in boards])
    seen, infos = envs.reset(seed=1)
    for _ in range(20):
        assert seen["routes"].shape == (3, size.routes, COLUMNS["routes"].size)
        assert np.array_equal(seen["action_mask"], np.stack(list(infos["action_mask"])))
        actions = envs.action_space.sample(tuple(seen["action_mask"]))
        seen, _, _, _, infos = envs.step(actions)
    *_, infos = envs.step(np.array([play_to_last_decision(env) for env in envs.envs]))
    assert infos["scores"].shape == (3, 4)
    assert (infos["ranks"] > 0).tolist() == [[True, True, False, False]] * 2 + [[True] * 4]
    envs.close()


def play_to_last_decision(env: Any) -> Any:
    """Play until one decision is left; return its action."""
    while not env.clone().step(action := env.action_masks().argmax())[2]:
        env.step(action)
    return action


@pytest.mark.parametrize("form", ["graph", "dict", GraphSize.covering([t2r_env.configure("new_york", 4)])])
def test_stable_baselines_gets_other_forms_too(form: Any) -> None:
    """Those of Gymnasium's environment of many games, with the last observation of each game in its info.

    Results are of as many seats as a size has.
    """
    env = SeatVecEnv("new_york", num_envs=2, observation=form, seed=1)
    other = SeatVectorEnvironment("new_york", num_envs=2, observation=form, autoreset_mode="SameStep")
    assert env.observation_space == other.single_observation_space
    assert env.action_space == other.single_action_space
    seen, (expected, told) = env.reset(), other.reset(seed=1)
    rng = np.random.default_rng(1)
    while "final_obs" not in told:
        np.testing.assert_equal(seen, expected)
        assert np.array_equal(env.env_method("action_masks"), told["action_mask"])
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in told["action_mask"]])
        seen, _, _, infos = env.step(actions)
        expected, _, _, _, told = other.step(actions)
    row = told["_final_obs"].argmax()
    last = told["final_obs"][row]
    assert other.single_observation_space.contains(last)
    assert not last["action_mask"].any()
    np.testing.assert_equal(infos[row]["terminal_observation"], last)
    for name in ("scores", "ranks"):
        assert infos[row][name].tolist() == told["final_info"][name][row].tolist()
        assert len(infos[row][name]) == (4 if isinstance(form, GraphSize) else 2)
