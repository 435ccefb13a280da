"""What a type checker tells the authors of programs that use the library."""

import inspect
from pathlib import Path

import pytest
from mypy import api

from t2r_env import VARIANTS, Options, configure

PROJECT = Path(__file__).parents[1]

GOOD = """
import gymnasium
import numpy as np

import t2r_env
from t2r_env import new_york_v0

games = t2r_env.Games("usa", 3, batch=2, tickets="mega", turn_limit=50, seed=None)
games.step([0, np.int64(1)])
games.step(games.masks.argmax(axis=1))
games.step(np.zeros(2, np.uint8), rows=[0, 1])
games.reset(0, seeds=7)
options: t2r_env.Options = {"advanced_technologies": True}
env = t2r_env.env("united_kingdom", reward="score", **options)
env.reset(seed=np.uint64(3))
env.step(np.int64(0))
env = new_york_v0.env(num_players=3, illegal_action="terminate", turn_limit=50)
env = t2r_env.usa_v0.raw_env(tickets="classic")
configuration = t2r_env.configure("path/to/folder", tickets="main")
for trajectory in t2r_env.trajectories("usa", games=1, tickets="classic"):
    print(trajectory.rewards.sum())
"""

BAD = """
import t2r_env
from t2r_env.envs.single import SeatEnvironment
from t2r_env.envs.vector import SeatVectorEnvironment

games = t2r_env.Games()
games.step("x")  # wrong
games.step(["x"])  # wrong
games.step([0.5])  # wrong
games.step([0], rows="x")  # wrong
games.reset(seeds="x")  # wrong
t2r_env.Games("usa", ticket="mega")  # wrong
t2r_env.Games("usa", tickets=1)  # wrong
t2r_env.Games("usa", reward="money")  # wrong
t2r_env.env("usa", ticket="mega")  # wrong
t2r_env.configure("usa", ticket="mega")  # wrong
t2r_env.usa_v0.env(ticket="mega")  # wrong
t2r_env.usa_v0.env("usa")  # wrong
t2r_env.trajectories("usa", games=1, ticket="mega")  # wrong
SeatEnvironment("usa", ticket="mega")  # wrong
SeatEnvironment("usa", seat="second")  # wrong
SeatVectorEnvironment("usa", ticket="mega").step("x")  # wrong # wrong
"""


def test_mypy_finds_actions_and_options_that_are_none_and_nothing_else(tmp_path: Path) -> None:
    """One run, with the cache of `make check`, as a first one takes a minute."""
    files = [tmp_path / "good.py", tmp_path / "bad.py"]
    for file, text in zip(files, (GOOD, BAD), strict=True):
        file.write_text(f"{text}# {file}\n")  # mypy's cache would tell of an earlier file with the same content
    settings = ["--config-file", str(PROJECT / "pyproject.toml"), "--cache-dir", str(PROJECT / ".mypy_cache")]
    output, fault, _ = api.run(["--strict", "--no-pretty", *settings, *map(str, files)])
    assert not fault
    found = [line.split(": error: ")[0] for line in output.splitlines() if ": error: " in line]
    expected = [
        f"{files[1]}:{number}" for number, line in enumerate(BAD.splitlines(), 1) for _ in range(line.count("# wrong"))
    ]
    assert found == expected, output


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_types_name_all_options(variant: str) -> None:
    assert configure(variant).options.keys() <= Options.__annotations__.keys()


def test_the_types_name_no_others() -> None:
    named = {name for variant in VARIANTS for name in configure(variant).options}
    assert named == Options.__annotations__.keys()
    assert inspect.signature(configure).parameters["options"].kind is inspect.Parameter.VAR_KEYWORD
