"""Matches of a policy, and the command that plays them."""

from pathlib import Path

import pytest

from t2r_agents.comparing.evaluate import POLICY_AGENT, match, result_of
from t2r_agents.playing.policy import PolicyAgent
from t2r_env import configure
from t2r_env.agents import RandomAgent
from t2r_env.commands import main as t2r
from t2r_env.seeding import derive_seed
from t2r_train.training import POLICY
from tests.helpers import odd_agents
from tests.helpers.odd_agents import path_of
from tests.helpers.refusing import refusal
from tests.train.tiny import trained

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a policy for New York."""
    folder = tmp_path_factory.mktemp("policies") / "tiny"
    trained(folder, 0)
    return folder / POLICY


def test_each_deal_of_a_match_is_played_from_all_seats_also_against_an_object(policy: Path) -> None:
    configuration, agent = configure("new_york"), PolicyAgent(policy)
    entries = [entry for batch in match(configuration, agent, "greedy", games=6, seed=5) for entry in batch]
    assert sorted((entry.seed, entry.seat) for entry in entries if entry.agent == POLICY_AGENT) == [
        (seed, seat) for seed in sorted(derive_seed(5, "deals", deal) for deal in range(3)) for seat in (0, 1)
    ]
    assert result_of(configuration, entries).wins.value == pytest.approx(
        sum(entry.win for entry in entries if entry.agent == POLICY_AGENT) / 6
    )
    batches = match(configure("new_york"), PolicyAgent(policy), RandomAgent(), 2)
    entries = [entry for batch in batches for entry in batch]
    assert {entry.agent for entry in entries} == {POLICY_AGENT, "opponent"}


def test_an_opponent_that_remembers_gets_a_new_instance_for_each_game(policy: Path) -> None:
    """Else it would know the deal that it has played from the other seat."""
    opponent = path_of(odd_agents.Remembering, "instance")
    entries = [entry for batch in match(configure("new_york"), PolicyAgent(policy), opponent, 4) for entry in batch]
    assert [entry.forfeit for entry in entries] == [""] * 8


def test_the_command_shows_win_rates_and_parts_of_the_score(policy: Path, capsys: Capture) -> None:
    assert t2r(["evaluate", str(policy), "--variant", "new_york", "--against", "random", "greedy", "--games", "4"]) == 0
    shown = capsys.readouterr().out
    for label in ("random", "greedy", "wins", "routes", "tickets made", "failed", "%"):
        assert label in shown


def test_the_command_says_how_many_games_the_whole_deals_have(capsys: Capture) -> None:
    assert t2r(["evaluate", "random", "--variant", "new_york", "--against", "random", "--games", "3"]) == 0
    assert "4 games against each" in capsys.readouterr().out


def test_forfeits_are_told_by_the_names_of_the_command(capsys: Capture) -> None:
    quits = path_of(odd_agents.Quitting)
    assert t2r(["evaluate", quits, "--variant", "new_york", "--against", "policy", "--games", "2"]) == 0
    assert f"{quits} forfeited 2 games, first 0: " in capsys.readouterr().out.replace("\n", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--variant", "usa"], "was trained for new_york, 2 players"),
        (["--against", "nobody"], "there is no agent 'nobody'"),
        (["--games", "0"], "games must be an integer, at least 1, not 0"),
        (["--seed", "-1"], "a seed must be an integer from 0"),
    ],
)
def test_a_wrong_command_is_refused(policy: Path, capsys: Capture, arguments: list[str], message: str) -> None:
    assert message in refusal(capsys, t2r, "evaluate", policy, *arguments)


def test_any_agent_can_be_evaluated_by_name(tmp_path: Path, capsys: Capture) -> None:
    command = ["evaluate", "planner", "--variant", "new_york", "--against", "random", "--games", "2"]
    assert t2r(command) == 0
    assert "planner: new_york" in capsys.readouterr().out
    assert "there is no agent 'nobody'" in refusal(capsys, t2r, "evaluate", "nobody")
    assert "needs the file of a policy" in refusal(capsys, t2r, *command, "--sample")
    (tmp_path / "no.safetensors").write_bytes(b"nothing at all")
    assert "is not a policy, or it is damaged" in refusal(capsys, t2r, "evaluate", tmp_path / "no.safetensors")
