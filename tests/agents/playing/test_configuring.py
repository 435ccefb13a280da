"""What is played is what the policies among the agents were trained for."""

from pathlib import Path

import pytest

from t2r_agents.playing.configuring import configure_for
from t2r_agents.playing.policy import SHIPPED
from t2r_agents.playing.policy_file import PolicyError
from t2r_env import configure
from t2r_env.commands import main as t2r
from tests.helpers.refusing import refusal

CLASSIC, MEGA, LONDON = (
    str(SHIPPED / f"{name}.safetensors") for name in ("usa_classic_23", "usa_mega_23", "united_kingdom_main_234")
)
TWO, THREE = configure("usa", 2, tickets="classic"), configure("usa", 3, tickets="classic")


@pytest.mark.parametrize("name", ["{}", "policy:{}", "ismcts:10,{}"])
def test_a_policy_says_what_is_played(name: str) -> None:
    assert configure_for(["greedy", name.format(CLASSIC)], None, None, {}) == TWO


def test_what_is_told_comes_first() -> None:
    assert configure_for([CLASSIC], None, 3, {}) == THREE
    assert configure_for([CLASSIC], "usa", None, {"tickets": "mega"}) == configure("usa", 2, tickets="mega")
    assert configure_for([CLASSIC], "new_york", None, {}) == configure("new_york")
    assert configure_for([MEGA], "usa", None, {}) == configure("usa", 2, tickets="mega")


def test_policies_that_disagree_say_nothing() -> None:
    assert configure_for([CLASSIC, MEGA], None, None, {}) == configure("usa")
    assert configure_for([CLASSIC, CLASSIC], None, None, {}) == TWO
    assert configure_for(["greedy", "planner", "policy"], None, None, {}) == configure("usa")


def test_a_file_that_is_no_policy_is_refused(tmp_path: Path) -> None:
    (tmp_path / "own.safetensors").write_text("no policy")
    with pytest.raises(PolicyError, match=r"own\.safetensors is not a policy"):
        configure_for([str(tmp_path / "own.safetensors")], None, None, {})


def test_commands_play_what_the_policies_were_trained_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["--agents", LONDON, "random", "--games", "2", "--processes", "1"]
    assert t2r(["tournament", *command]) == 0
    assert "united_kingdom, 2 players" in capsys.readouterr().out
    command = ["tournament", "--agents", CLASSIC, MEGA, "--games", "2"]
    message = "the policy was trained for usa, 2, 3 players, tickets classic, turn_limit 1000, with options"
    assert message in refusal(capsys, t2r, *command)
