"""The benchmark of strength: which tournaments it plays, its tables, and that it goes on after an interruption."""

import itertools
import re
from collections import Counter
from pathlib import Path

import pytest

from benchmarks import strength
from benchmarks.strength import draw_up, main
from t2r_agents.comparing.tournament.folder import Folder
from t2r_agents.comparing.tournament.playing import Entry
from tests.helpers.fixtures import Capture, Patch


def command(folder: Path) -> list[str]:
    small = ["--variants", "new_york", "--agents", "random", "greedy", "policy", "--games", "2", "--processes", "1"]
    return [*small, "--out", str(folder / "games"), "--page", str(folder / "page.md")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small comparison."""
    folder = tmp_path_factory.mktemp("strength")
    assert main(command(folder)) == 0
    return folder


def test_each_pair_plays_the_same_number_of_games_and_the_planner_with_every_number_of_players() -> None:
    matches = draw_up(["usa", "team_asia"], ["random", "greedy", "racer", "policy"], 10)
    usa, asia, *alone = matches
    assert (usa.num_players, usa.options["tickets"], usa.games) == (2, "classic", 60)
    assert (asia.num_players, len(asia.agents)) == (4, 4)
    assert [(it.variant, it.num_players, it.options["tickets"]) for it in alone] == [
        *(("usa", 4, "mega"),) * 3,
        *(("usa", players, "classic") for players in (2, 3, 4, 5)),
        *(("team_asia", players, "regular") for players in (4, 6)),
    ]
    assert [it.agents for it in alone] == [["planner"], ["policy"], ["ismcts:32,policy"], *[["planner"]] * 6]
    assert [it.games for it in alone] == [10] * 9


def test_an_agent_for_which_there_is_no_policy_is_left_out(monkeypatch: Patch) -> None:
    with pytest.raises(ValueError, match="there is no agent 'nobody'"):
        draw_up(["usa"], ["random", "nobody"], 1)
    monkeypatch.setattr(strength, "OPTIONS", {"usa": {"tickets": "1910"}})
    assert draw_up(["usa"], ["random", "greedy", "policy"], 1)[0].agents == ["random", "greedy"]


def test_the_page_has_all_tables_and_the_winners_of_each_game(folder: Path) -> None:
    text = (folder / "page.md").read_text(encoding="utf-8")
    title = "**new_york, 2 players, tickets classic, seed 0"
    for heading in ("**win rate in all variants, %**", f"{title}: win rate of the row's", f"{title}**", "**winners"):
        assert text.count(heading) == 1, heading
    rows = Counter(line.split(" | ")[0] for line in text.splitlines() if line.startswith("| "))
    assert (rows["| policy"], rows["| greedy"], rows["| random"], rows["| new york"]) == (3, 3, 3, 3)
    assert "| usa | 4 | mega | finalists of 2025 | 27 | 157.1 |" in text
    found = Folder(folder / "games" / "new_york_2_classic_planner")
    entries = found.entries(found.settings().tournament())
    best = [max(entry.score for entry in entries if entry.game == game) for game in (0, 1)]
    (row,) = re.findall(r"^\| new york \| 2 \| classic \| planner .*", text, re.MULTILINE)
    assert row.split(" | ")[5] == f"{sum(best) / 2:.1f}"


def test_the_same_command_goes_on_and_plays_no_game_twice(
    folder: Path, tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    add, calls = Folder.add, itertools.count(1)

    def interrupted(self: Folder, entries: list[Entry]) -> None:
        add(self, entries)
        if next(calls) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(Folder, "add", interrupted)
    assert main(command(tmp_path)) == 130
    assert "the same command goes on" in capsys.readouterr().err
    assert main(command(tmp_path)) == 0
    for games in (tmp_path / "games").glob("*/games.csv"):
        whole = folder / "games" / games.parent.name / "games.csv"
        numbers = [[line.split(",")[:4] for line in sorted(it.read_text().splitlines())] for it in (games, whole)]
        assert numbers[0] == numbers[1]
