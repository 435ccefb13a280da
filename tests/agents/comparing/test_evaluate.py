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
    """An opponent that remembers is a new one in each game: it does not know the deal from the other seat."""
    configuration, agent = configure("new_york"), PolicyAgent(policy)
    opponent = path_of(odd_agents.Remembering, "instance")
    entries = [entry for batch in match(configuration, agent, opponent, games=6, seed=5) for entry in batch]
    assert not any(entry.forfeit for entry in entries)
    assert sorted((entry.seed, entry.seat) for entry in entries if entry.agent == POLICY_AGENT) == [
        (seed, seat) for seed in sorted(derive_seed(5, "deals", deal) for deal in range(3)) for seat in (0, 1)
    ]
    assert result_of(configuration, entries).wins.value == pytest.approx(
        sum(entry.win for entry in entries if entry.agent == POLICY_AGENT) / 6
    )
    batches = match(configuration, agent, RandomAgent(), 2)
    assert {entry.agent for batch in batches for entry in batch} == {POLICY_AGENT, "opponent"}


def test_the_command_shows_win_rates_and_parts_of_the_score_in_whole_deals(policy: Path, capsys: Capture) -> None:
    assert t2r(["evaluate", str(policy), "--variant", "new_york", "--against", "random", "greedy", "--games", "3"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for label in ("4 games against each", "random", "greedy", "wins", "routes", "tickets made", "failed", "%"):
        assert label in shown


def test_any_agent_is_evaluated_and_forfeits_are_told_by_the_names_of_the_command(capsys: Capture) -> None:
    quits = path_of(odd_agents.Quitting)
    assert t2r(["evaluate", quits, "--variant", "new_york", "--against", "policy", "--games", "2"]) == 0
    shown = capsys.readouterr().out.replace("\n", "")
    assert f"{quits}: new_york" in shown
    assert f"{quits} forfeited 2 games, first 0: " in shown


def test_if_a_server_does_not_answer_the_complete_matches_are_shown(capsys: Capture) -> None:
    against = ["--against", "random", path_of(odd_agents.Unavailable)]
    assert t2r(["evaluate", "greedy", "--variant", "new_york", "--games", "2", *against]) == 1
    shown = capsys.readouterr()
    assert "t2r evaluate: error: the server does not answer" in shown.err
    assert "random" in shown.out.partition("the matches that were complete:")[2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("POLICY --variant usa", "was trained for new_york, 2 players"),
        ("POLICY --against nobody", "there is no agent 'nobody'"),
        ("POLICY --games 0", "games must be an integer, at least 1, not 0"),
        ("POLICY --seed -1", "a seed must be an integer from 0"),
        ("nobody", "there is no agent 'nobody'"),
        ("planner --sample", "needs the file of a policy"),
        ("nowhere.safetensors", "there is no file"),
    ],
)
def test_a_wrong_command_is_refused(policy: Path, capsys: Capture, arguments: str, message: str) -> None:
    assert message in refusal(capsys, t2r, "evaluate", *arguments.replace("POLICY", str(policy)).split())
