"""The comparison of the agents: what it plays and writes, and how it resumes. Their strength is not tested."""

import json
import shutil
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from benchmarks import strength
from benchmarks.strength import AGENTS, _parser, draw_up, main
from t2r_agents.tournament.folder import Folder
from t2r_agents.tournament.playing import Entry
from t2r_env.agents import agent_names
from tests.agents import odd_agents
from tests.agents.odd_agents import path_of
from tests.example_map import write_example_map

FIRST, ILLEGAL, INTERRUPTING = map(path_of, (odd_agents.First, odd_agents.Illegal, odd_agents.Interrupting))
TINY = ("--variants", "usa", "team_asia", "--agents", "random", "greedy", "--games", "3", "--seed", "5")
WITHOUT_PLANNER = ("--search-agent", FIRST, "--self-agent", "greedy")


def run(out: Path, *arguments: str) -> int:
    return main([*arguments, "--processes", "1", "--out", str(out)])


def results_of(folder: Path) -> dict[str, Any]:
    results: dict[str, Any] = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    return results


def entries_of(folder: Path) -> list[Entry]:
    there = Folder(folder)
    return there.entries(there.settings(trusted=[FIRST, ILLEGAL, INTERRUPTING]).tournament())


def without_clock(entries: list[Entry]) -> list[Any]:
    return [vars(entry) | {"seconds": 0} for entry in entries]


@pytest.fixture(scope="module")
def complete(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small but complete comparison."""
    out = tmp_path_factory.mktemp("strength") / "complete"
    assert run(out, *TINY, *WITHOUT_PLANNER, "--search-games", "2", "--self-games", "2") == 0
    return out


def test_the_agents_compared_by_default_have_names() -> None:
    assert {agent.partition(":")[0] for agent in AGENTS} <= agent_names().keys()


def test_the_policy_is_compared_where_one_comes_with_the_library(tmp_path: Path) -> None:
    command = ["--out", "nowhere", "--variants", "usa", str(write_example_map(tmp_path / "lakes"))]
    usa, lakes = draw_up(_parser().parse_args(command)).comparisons
    assert "policy" in usa[0].settings.agents
    assert "policy" not in lakes[0].settings.agents


def test_the_folder_of_the_games_depends_on_the_sources(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text("one", encoding="utf-8")
    monkeypatch.setattr(strength, "SOURCES", (tmp_path,))
    before = strength.sources_digest()
    assert before == strength.sources_digest()
    (tmp_path / "agent.py").write_text("two", encoding="utf-8")
    assert strength.sources_digest() != before


def test_the_winners_stand_beside_those_of_people(complete: Path) -> None:
    winners, policy = results_of(complete)["winners"]
    entries = entries_of(complete / "usa_people_0")
    games = [[entry for entry in entries if entry.game == game] for game in (0, 1)]
    best = [max(game, key=lambda entry: entry.win) for game in games]
    assert {game[0].outcome for game in games} == {"finished"}
    assert all(entry.win == 1 for entry in best)
    assert winners["score"] == fmean(entry.score for entry in best)
    assert winners["kept"] == fmean(entry.completed + entry.failed for entry in best)
    assert winners["turns"] == fmean(entry.turns for entry in best) / 4
    page = (complete / "strength.md").read_text(encoding="utf-8")
    assert f"| points | 157.1 | {winners['score']:.1f} | {policy['score']:.1f} |" in page
    assert f"| turns of a player | 35.4 | {winners['turns']:.1f} | {policy['turns']:.1f} |" in page


def test_the_page_is_written_when_all_is_played(complete: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    arguments = (*TINY, *WITHOUT_PLANNER, "--search-games", "2", "--self-games", "2", "--page", str(page))
    out = Path(shutil.copytree(complete, tmp_path / "out"))
    assert run(out, *arguments) == 0
    assert page.read_text(encoding="utf-8") == (out / "strength.md").read_text(encoding="utf-8")


def test_each_pair_plays_complete_deals_in_every_variant(complete: Path) -> None:
    """With the fewest players that a variant allows, and in `usa` with the classic tickets (US5)."""
    usa, asia = results_of(complete)["comparisons"]
    assert (usa["variant"], usa["num_players"], usa["options"]["tickets"], usa["games"]) == ("usa", 2, "classic", 4)
    assert (asia["variant"], asia["num_players"], asia["games"]) == ("team_asia", 4, 4)
    for folder in (complete / "usa", complete / "team_asia"):
        entries = entries_of(folder)
        assert [len({entry.game for entry in entries if entry.deal == deal}) for deal in (0, 1)] == [2, 2]
    assert {agent["agent"] for agent in asia["agents"]} == {"random", "greedy"}


def test_the_search_agent_plays_each_agent_in_some_variants(complete: Path) -> None:
    usa, asia = results_of(complete)["comparisons"]
    games = {agent["agent"]: agent["games"] for agent in usa["agents"]}
    assert games == {"random": 6, "greedy": 6, FIRST: 4}
    assert all(
        (share is None) == (row == column)
        for row, line in enumerate(usa["head_to_head"])
        for column, share in enumerate(line)
    )
    assert len(asia["agents"]) == 2
    assert {entry.agent for entry in entries_of(complete / "usa_search_1")} == {FIRST, "greedy"}


def test_one_agent_plays_itself_with_every_number_of_players(complete: Path) -> None:
    results = results_of(complete)["self_play"]
    assert [(result["variant"], result["num_players"]) for result in results] == [
        *(("usa", players) for players in (2, 3, 4, 5)),
        *(("team_asia", players) for players in (4, 6)),
    ]
    entries = entries_of(complete / "usa_2_self")
    assert {entry.agent for entry in entries} == {"greedy"}
    assert results[0]["standing"]["score"] == fmean(entry.score for entry in entries)
    winners = [max(entry.score for entry in entries if entry.game == game) for game in (0, 1)]
    assert results[0]["winner_score"] == fmean(winners)


def test_the_results_name_the_command_and_the_machine(complete: Path) -> None:
    results = results_of(complete)
    assert results["command"].startswith("python -m benchmarks.strength --variants usa team_asia --agents random")
    assert results["machine"]
    assert {"python", "t2r-env", "numpy", "numba"} <= results["versions"].keys()


def test_the_page_has_complete_tables(complete: Path) -> None:
    page = (complete / "strength.md").read_text(encoding="utf-8")
    assert results_of(complete)["command"] in page
    tables = [block.splitlines() for block in page.split("\n\n") if block.startswith("|")]
    assert len(tables) == 1 + 2 * 2 + 1 + 1 + 1
    for heading, rule, *rows in tables:
        columns = heading.count(" | ") + 1
        assert rule == "| --- |" + " ---: |" * (columns - 1)
        assert rows
        assert all(row.startswith("| ") and row.endswith(" |") and row.count(" | ") + 1 == columns for row in rows)
    assert page.endswith("|\n")


def test_the_same_command_plays_only_the_games_that_are_missing(
    complete: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = Path(shutil.copytree(complete, tmp_path / "out"))
    before = (out / "team_asia" / "games.csv").read_text(encoding="utf-8")
    games = out / "usa" / "games.csv"
    games.write_text("".join(games.read_text(encoding="utf-8").splitlines(keepends=True)[:5]), encoding="utf-8")
    shutil.rmtree(out / "usa_4_self")
    assert run(out, *TINY, *WITHOUT_PLANNER, "--search-games", "2", "--self-games", "2") == 0
    assert (out / "team_asia" / "games.csv").read_text(encoding="utf-8") == before
    for name in ("usa", "usa_4_self"):
        assert without_clock(entries_of(out / name)) == without_clock(entries_of(complete / name))
    printed = capsys.readouterr().out
    assert "win rate in all variants" in printed
    assert "greedy on all seats" in printed


def test_an_interruption_keeps_and_prints_the_results_so_far(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = ("--variants", "new_york", "team_asia", "--agents", "random", INTERRUPTING)
    assert run(tmp_path, *small, "--games", "8", "--self-games", "0") == 130
    captured = capsys.readouterr()
    assert "the same command resumes" in captured.err
    assert "new_york, 2 players" in captured.out
    assert [result["variant"] for result in results_of(tmp_path)["comparisons"]] == ["new_york"]
    assert 0 < len(entries_of(tmp_path / "team_asia")) < 8 * 4


def test_forfeits_are_reported(tmp_path: Path) -> None:
    small = ("--variants", "new_york", "--agents", "random", ILLEGAL, "--games", "20", "--self-games", "0")
    assert run(tmp_path, *small) == 0
    assert f"{ILLEGAL} forfeited" in (tmp_path / "strength.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--variants", "mars"], "unknown variant 'mars'"),
        (["--variants", "usa", "usa"], "--variants must be different games, not usa, usa"),
        (["--agents", "random"], "--agents must be two or more, each named once, not random"),
        (["--agents", "random", "random"], "--agents must be two or more, each named once, not random, random"),
        (["--agents", "random", "nobody"], "there is no agent 'nobody'"),
        (["--games", "0"], "--games must be an integer, at least 1, not 0"),
        (["--self-games", "-1"], "--self-games must be an integer, at least 0, not -1"),
        (["--search-games", "2", "--search-agent", "nobody:3"], "No module named 'nobody'"),
        (["--search-games", "2", "--search-agent", "greedy"], "one or more different names, not greedy, greedy"),
        (["--processes", "0"], "--processes must be an integer, at least 1, not 0"),
        (["--seed", "-1"], "a seed must be an integer from 0 to 2^64 - 1, not -1"),
    ],
)
def test_a_wrong_command_line_is_refused_with_a_message(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--agents", "random", "greedy", "--out", str(tmp_path / "out"), *arguments])
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_folder_with_another_comparison_is_not_changed(complete: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = results_of(complete)
    with pytest.raises(SystemExit) as stopped:
        run(complete, *TINY, *WITHOUT_PLANNER, "--self-games", "2", "--games", "8")
    assert stopped.value.code == 2
    assert "holds another tournament: t2r tournament" in capsys.readouterr().err
    assert results_of(complete) == before
