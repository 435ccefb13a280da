"""Environments made by id, as the tools of others make them."""

from pathlib import Path

import gymnasium
import pettingzoo
import pytest

from t2r_env.envs import aec, parallel
from t2r_env.envs.single import SeatEnvironment
from t2r_env.envs.vector import SeatVectorEnvironment
from tests.helpers.example_map import write_example_map
from tests.helpers.playing import id_of


def test_a_map_of_ones_own_has_an_environment_that_calls_itself_by_the_map(tmp_path: Path) -> None:
    """By the id of any published one; PettingZoo's environments say it in their metadata."""
    write_example_map(tmp_path / "map")
    single = gymnasium.make(id_of("usa"), variant=tmp_path / "map", max_episode_steps=300)
    many = gymnasium.make_vec(id_of("usa"), num_envs=2, variant=tmp_path / "map")
    assert single.spec is not None
    assert single.spec is not gymnasium.spec(id_of("usa"))
    assert many.spec is not None
    assert single.spec.id == many.spec.id == single.unwrapped.spec.id == "t2r_env/lakes-v0"  # type: ignore[union-attr]
    again = gymnasium.make(single.spec)
    assert again.unwrapped.configuration.variant.id == "lakes"  # type: ignore[attr-defined]
    assert str(pettingzoo.make("parallel", id_of("usa"), variant=tmp_path / "map")) == "lakes_v0"
    assert gymnasium.make(id_of("usa")).spec == gymnasium.spec(id_of("usa"))
    assert SeatEnvironment().spec is SeatVectorEnvironment().spec is None


def test_a_pettingzoo_without_a_registry_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """As before 1.27."""
    monkeypatch.delattr(pettingzoo, "register")
    aec.register()
    parallel.register()
