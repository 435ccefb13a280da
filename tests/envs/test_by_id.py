"""Environments made by id, as the tools of others make them, and by the modules of their variants."""

import importlib
import inspect
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import pettingzoo
import pytest

import t2r_env
from t2r_env.envs import aec, parallel
from t2r_env.envs.single import SeatEnvironment
from t2r_env.envs.vector import SeatVectorEnvironment
from t2r_env.variants import load_variant
from tests.helpers.example_map import write_example_map
from tests.helpers.playing import every_variant, id_of


@every_variant
def test_each_variant_has_a_module_that_documents_itself_and_an_id_of_its_version(variant: str) -> None:
    name, players = id_of(variant).removeprefix("t2r_env/").replace("-", "_"), load_variant(variant).max_players
    module = importlib.import_module(f"t2r_env.{name}")
    made: list[Any] = [pettingzoo.make(kind, id_of(variant), num_players=players) for kind in ("aec", "parallel")]
    for function, illegal_action in (("env", "terminate"), ("raw_env", "raise"), ("parallel_env", "terminate")):
        make, general = getattr(module, function), getattr(t2r_env, function)
        made.append(make(num_players=players))
        assert type(made[-1]) is type(general())
        assert pickle.loads(pickle.dumps(make)) is make
        parameters = inspect.signature(make).parameters
        assert [*parameters] == [name for name in inspect.signature(general).parameters if name != "variant"]
        assert parameters["illegal_action"].default == illegal_action
        for text in ("Parameters", "illegal_action", "terminate", f't2r_env.{function}("{variant}", ...)'):
            assert text in (inspect.getdoc(make) or "")
        with pytest.raises(TypeError, match=rf"{type(made[-1]).__name__}.* got an unexpected keyword .* 'ticket'"):
            make(ticket="mega")
    for env in made:
        assert str(env) == env.metadata["name"] == name
        assert env.configuration == t2r_env.configure(variant, players)


def test_a_new_process_has_the_modules_of_all_variants() -> None:
    """Whatever the tests have imported."""
    names = [f"t2r_env.{variant}_v0.env" for variant in t2r_env.VARIANTS]
    subprocess.run([sys.executable, "-c", f"import t2r_env; print({', '.join(names)})"], check=True)


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
