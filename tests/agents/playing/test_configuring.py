"""What is played is what the policies among the agents were trained for."""

import io
from pathlib import Path
from typing import Any

import pytest

from t2r_agents.playing.configuring import configure_for
from t2r_agents.playing.policy import SHIPPED
from t2r_agents.playing.policy_file import PolicyError
from t2r_env import Configuration, configure
from t2r_env.commands import main as t2r
from tests.helpers.refusing import refusal

CLASSIC, MEGA, LONDON = (
    str(SHIPPED / f"{name}.safetensors") for name in ("usa_classic_23", "usa_mega_23", "united_kingdom_main_234")
)
TWO = configure("usa", 2, tickets="classic")


@pytest.mark.parametrize(
    ("agents", "variant", "players", "options", "played"),
    [
        *((["greedy", name.format(CLASSIC)], None, None, {}, TWO) for name in ("{}", "policy:{}", "ismcts:10,{}")),
        ([CLASSIC], None, 3, {}, configure("usa", 3, tickets="classic")),
        ([CLASSIC], "usa", None, {"tickets": "mega"}, configure("usa", 2, tickets="mega")),
        ([CLASSIC], "new_york", None, {}, configure("new_york")),
        ([MEGA], "usa", None, {}, configure("usa", 2, tickets="mega")),
        ([CLASSIC, MEGA], None, None, {}, configure("usa")),
        ([CLASSIC, CLASSIC], None, None, {}, TWO),
        (["greedy", "planner", "policy", "ismcts:5,policy"], None, None, {}, configure("usa")),
    ],
)
def test_policies_that_agree_say_what_is_played_unless_it_is_told(
    agents: list[str], variant: str | None, players: int | None, options: dict[str, Any], played: Configuration
) -> None:
    assert configure_for(agents, variant, players, options) == played


@pytest.mark.parametrize("name", ["my_module:Model:model.zip", "any_board:own.safetensors", "ismcts:200"])
def test_files_of_other_agents_are_no_policies(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is one that is named like a budget."""
    monkeypatch.chdir(tmp_path)
    Path(name.rpartition(":")[2]).touch()
    assert configure_for([name], None, None, {}) == configure("usa")


def test_commands_play_what_policies_were_trained_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert t2r(["tournament", "--agents", LONDON, "random", "--games", "2", "--processes", "1"]) == 0
    assert "united_kingdom, 2 players" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    assert t2r(["play", "--opponents", LONDON, "--seed", "1"]) == 130
    assert capsys.readouterr().out.startswith("united_kingdom, 2 players, seed 1: player_0 is you, player_1 is ")
    told = refusal(capsys, t2r, "tournament", "--agents", CLASSIC, MEGA, "--games", "2")
    assert "the policy was trained for usa, 2, 3 players, tickets classic, turn_limit 1000, with options" in told
    (tmp_path / "own.safetensors").write_text("no policy")
    with pytest.raises(PolicyError, match=r"own\.safetensors is not a policy"):
        configure_for([str(tmp_path / "own.safetensors")], None, None, {})
