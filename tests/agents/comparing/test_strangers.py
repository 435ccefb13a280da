"""What texts and files of strangers can do where ratings and tournaments are shown: nothing but say what they say."""

import csv
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from benchmarks import leaderboard
from t2r_agents.browser.players import Player
from t2r_agents.browser.tables import Tables
from t2r_agents.comparing.rating.ladder import (
    GREEDY,
    MAX_RATED_GAMES,
    MAX_REFERENCES,
    LadderError,
    make_ladder,
    read_ladders,
    write_ladders,
)
from t2r_agents.comparing.rating.result import RESULT, read_result
from t2r_agents.comparing.tournament.schedule import make_schedule
from t2r_env import configure
from t2r_env.agents import is_harmless
from t2r_env.commands import main as t2r
from t2r_env.render.replay_steps import called
from tests.helpers import odd_agents
from tests.helpers.odd_agents import path_of
from tests.helpers.refusing import refusal

Capture = pytest.CaptureFixture[str]
TOLD = path_of(odd_agents.Told)
HOSTILE = "\x1b[2J\rthe rating stands: 2740\n[bold red]pl\u0430nner[/]"
"""An argument that blanks the terminal, breaks out of its line, is markup, and looks like another."""
HARMLESS = r"\x1b[2J\rthe rating stands: 2740\n[bold red]pl\u0430nner[/]"


def joined(printed: str) -> str:
    """Return what tables and paragraphs say, whatever lines they are broken into."""
    return "".join(printed.replace("│", "").split())


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a ladder by which ratings have two games."""
    made = make_ladder(configure("new_york"), "new_york", 2, 0, "a test", references=["random", GREEDY])
    path = tmp_path_factory.mktemp("ladders") / "ladders.json"
    write_ladders(path, [replace(made, rated_games=2)])
    return path


def words(table: Path) -> list[str]:
    return ["--variant", "new_york", "--ladder", str(table), "--processes", "1"]


# Texts


@pytest.fixture(scope="module")
def hostile(table: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a true rating of an agent with a hostile name."""
    out = tmp_path_factory.mktemp("hostile") / "out"
    assert t2r(["rate", f"{TOLD}:{HOSTILE}", *words(table), "--out", str(out)]) == 0
    return out


def test_a_name_can_not_write_to_the_terminal_of_who_verifies_it(hostile: Path, table: Path, capsys: Capture) -> None:
    assert t2r(["verify", str(hostile), "--ladder", str(table)]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("the rating stands: ")
    assert line.endswith(f" in new_york, 2 games, agent {TOLD}:{HARMLESS}")


def test_a_name_that_is_markup_or_controls_is_rated_and_shown(table: Path, capsys: Capture) -> None:
    for argument, expected in ((HOSTILE, HARMLESS), ("[/]", "[/]")):
        assert t2r(["rate", f"{TOLD}:{argument}", *words(table), "--max-games", "2"]) == 0
        printed = capsys.readouterr().out
        assert joined(f"{TOLD}:{expected}") in joined(printed)
        assert "\x1b" not in printed


def test_a_name_stays_in_its_cell_of_the_leaderboard(hostile: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = replace(read_result(hostile / RESULT), agent="a|b`\n| `policy` | 2740 |")
    result = replace(result, games=[replace(game, agents=[result.agent, GREEDY]) for game in result.games])
    assert leaderboard._row(result)[0] == r"`a\x7cb\x60\n\x7c \x60policy\x60 \x7c 2740 \x7c`"


def test_forfeits_in_a_strangers_table_are_shown_and_do_nothing(tmp_path: Path, capsys: Capture) -> None:
    command = ["--variant", "new_york", "--agents", path_of(odd_agents.Quitting), "random", "--games", "2"]
    assert t2r(["tournament", *command, "--seed", "0", "--processes", "1", "--pages", "1", "--out", str(tmp_path)]) == 0
    games = tmp_path / "games.csv"
    with games.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["forfeit"] = row["forfeit"] and HOSTILE
    with games.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    capsys.readouterr()
    assert t2r(["tournament", "--resume", str(tmp_path), *command[2:5], "--processes", "1", "--pages", "1"]) == 0
    printed = capsys.readouterr()
    assert joined(f": {HARMLESS}") in joined(printed.out)
    assert "\x1b" not in printed.out + printed.err
    report = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert HARMLESS in unescape(report)
    assert "\x1b" not in report


def test_names_of_players_are_plain_on_pages_and_at_the_table() -> None:
    assert called(["\x1b[2J", "pl\u0430nner"], 2) == [r"\x1b[2J", r"pl\u0430nner"]
    player = Player("\u0410nna", 0, "greedy")
    assert (player.shown, player.title) == (r"\u0410nna", r"\u0410nna (greedy)")
    assert Player("Иван", 0).title == "Иван"


# What files may start


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *((name, True) for name in ("random", "planner", "policy", "ismcts:1000", "ismcts:0.5s", "a/b.safetensors")),
        *(
            (name, True)
            for name in ("ismcts:0.2s,policy", "ismcts:200,a/long/path/usa.safetensors", "any_board:a.safetensors")
        ),
        *(
            (name, False)
            for name in ("llm:x", "human", "t2r_agents.playing.llm:LanguageModelAgent:x", TOLD + ":x", "nobody")
        ),
        *((name, False) for name in ("ismcts:200000000", "ismcts:9999s", "ismcts:1e9s", "ismcts:infs", "ismcts:nans")),
    ],
)
def test_files_may_name_registered_agents_that_ask_nobody_and_search_shortly(name: str, expected: bool) -> None:
    assert is_harmless(name) == expected


def changed(table: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    """Change the ladder of a table; return the file."""
    content = json.loads(table.read_text(encoding="utf-8"))
    change(content["ladders"][0])
    table.write_text(json.dumps(content), encoding="utf-8")
    return table


@pytest.mark.parametrize("reference", ["llm:x", "ismcts:200000000", "human"])
def test_a_ladder_starts_nothing_that_costs(
    reference: str, table: Path, hostile: Path, tmp_path: Path, capsys: Capture
) -> None:
    """The key of who verifies pays nothing, and nothing is made."""
    ladders = Path(shutil.copy(table, tmp_path / "ladders.json"))
    changed(ladders, lambda ladder: ladder["references"].update({reference: ladder["references"][GREEDY]}))
    for command in (["verify", hostile], ["rate", "random", "--variant", "new_york"]):
        message = refusal(capsys, t2r, *command, "--ladder", ladders)
        assert f"['{reference}']; if you want that, repeat them as --trust" in message


def many(ladder: dict[str, Any]) -> None:
    rating = ladder["references"][GREEDY]
    ladder["references"] |= {f"ismcts:{number}": rating for number in range(1, MAX_REFERENCES)}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda ladder: ladder.update(rated_games=10**7),
            f"rated_games must be an integer from 1 to {MAX_RATED_GAMES}",
        ),
        (many, f"the number of references must be an integer from 2 to {MAX_REFERENCES}, not {MAX_REFERENCES + 1}"),
    ],
)
def test_a_ladder_can_not_ask_for_endless_games(
    change: Callable[[dict[str, Any]], object], message: str, table: Path, tmp_path: Path
) -> None:
    with pytest.raises(LadderError, match=message):
        read_ladders(changed(Path(shutil.copy(table, tmp_path / "ladders.json")), change))


def test_a_schedule_of_too_many_agents_and_games_is_refused_before_it_is_made() -> None:
    with pytest.raises(ValueError, match="line-ups to compare, and at most 200,000,000 are allowed"):
        make_schedule([str(number) for number in range(30)], 5, 1, 1_000_000, 0)


def test_a_page_may_not_ask_for_a_long_search_either(tmp_path: Path) -> None:
    for name in ("ismcts:9999s", "ismcts:200000000", "any_board:a.safetensors", "llm:x"):
        with pytest.raises(ValueError, match="is no agent here"):
            Tables(tmp_path).find_agent(name, configure("new_york"))
