"""`t2r rate --out` and `t2r verify`: a true result stands, forged ones are refused, and names and files do no harm."""

import itertools
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import leaderboard
from t2r_agents.browser.players import Player
from t2r_agents.browser.tables import Tables
from t2r_agents.commands import verify as command
from t2r_agents.comparing.rating.ladder import GREEDY, Ladder, LadderError, make_ladder, read_ladders, write_ladders
from t2r_agents.comparing.rating.rating import Rater
from t2r_agents.comparing.rating.result import RESULT, ResultError, read_result
from t2r_agents.comparing.rating.verify import verify
from t2r_agents.comparing.tournament import workers
from t2r_agents.comparing.tournament.folder import Folder
from t2r_env import __version__, configure
from t2r_env.agents import is_harmless
from t2r_env.commands import UsageError, make_parser
from t2r_env.commands import main as t2r
from t2r_env.render.replay_steps import called
from t2r_env.replay import Replay
from tests.agents.comparing.test_tournament_command import HARMLESS, HOSTILE
from tests.helpers import odd_agents
from tests.helpers.disks import full_disk
from tests.helpers.odd_agents import path_of
from tests.helpers.refusing import refusal

Capture = pytest.CaptureFixture[str]

ILLEGAL, FIRST, TOLD = map(path_of, (odd_agents.Illegal, odd_agents.First, odd_agents.Told))
GAMES = 8
Content = dict[str, Any]
"""The content of result.json or of a replay."""
Forgery = Callable[[Content], object]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a small ladder of New York, and of one of Team Asia, by which ratings have few games."""
    path = tmp_path_factory.mktemp("ladders") / "ladders.json"
    made = [
        make_ladder(configure(variant), variant, 12, 0, "a test", references=["random", GREEDY, "racer"])
        for variant in ("new_york", "team_asia")
    ]
    write_ladders(path, [replace(ladder, rated_games=GAMES) for ladder in made])
    return path


@pytest.fixture(scope="module")
def ladder(table: Path) -> Ladder:
    return read_ladders(table)[0]


def rate(table: Path, agent: str, out: Path, *options: str, variant: str = "new_york") -> int:
    words = ["--variant", variant, "--ladder", str(table), "--processes", "1", "--out", str(out)]
    return t2r(["rate", agent, *words, *options])


@pytest.fixture(scope="module")
def true_results(table: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the results of an agent that is no reference, of one that is, and of one that forfeits."""
    folder = tmp_path_factory.mktemp("results")
    for name, agent in (("one_plan", "one_plan"), (GREEDY, GREEDY), ("illegal", ILLEGAL)):
        assert rate(table, agent, folder / name) == 0
    return folder


@pytest.fixture
def forged(true_results: Path, tmp_path: Path) -> Path:
    """A copy of a true result, to be changed."""
    return Path(shutil.copytree(true_results / "one_plan", tmp_path / "forged"))


def run(table: Path, folder: Path) -> int:
    """The exit status of `t2r verify`."""
    arguments = make_parser({"verify": command}).parse_args(["verify", str(folder), "--ladder", str(table)])
    return command.run(arguments)


# True results


@pytest.mark.parametrize("name", ["one_plan", GREEDY, "illegal"])
def test_a_true_result_stands(name: str, true_results: Path, table: Path, capsys: Capture) -> None:
    assert run(table, true_results / name) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("the rating stands: ")
    assert f"in new_york, {GAMES} games, agent " in line
    games = read_result(true_results / name / RESULT).games
    lost = [it.ranks[it.agents.index(ILLEGAL)] for it in games if it.outcome == "forfeited"]
    assert {*lost} == ({2} if name == "illegal" else set())


def test_the_estimate_is_the_rating_of_the_same_games(true_results: Path, ladder: Ladder) -> None:
    rating = Rater(ladder, "one_plan", GAMES, ladder.rated_seed).rate(0, float("inf"))
    assert rating is not None
    result = read_result(true_results / "one_plan" / RESULT)
    assert result.estimate["value"] == pytest.approx(rating.rating.value, abs=0.01)
    told = (result.agent, result.library, result.seed, len(result.games))
    assert told == ("one_plan", __version__, str(ladder.rated_seed), GAMES)
    assert ladder.rated_seed != replace(ladder, library="another").rated_seed


def test_all_ladders_get_a_folder_each(table: Path, tmp_path: Path) -> None:
    """Also that of a game with teams."""
    assert rate(table, "random", tmp_path / "all", variant="all") == 0
    folders = [folder.name for folder in sorted((tmp_path / "all").iterdir())]
    assert folders == ["new_york_2_players_tickets_classic", "team_asia_4_players_tickets_regular"]
    assert [run(table, tmp_path / "all" / name) for name in folders] == [0, 0]


# A rating is written as it is played


def test_an_interrupted_rating_goes_on_and_has_the_same_result(
    true_results: Path, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(workers, "DEALS_AT_ONCE", 1)
    whole, out, write, written = true_results / "one_plan", tmp_path / "out", Folder.write, itertools.count(1)

    def write_and_interrupt(*arguments: Any) -> None:
        """Press Ctrl-C after the second time."""
        write(*arguments)
        if next(written) == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Folder, "write", write_and_interrupt)
        assert rate(table, "one_plan", out) == 130
    assert "the games so far are kept, and the same command goes on" in capsys.readouterr().err
    kept = (out / "games.csv").read_bytes()  # with the seconds of each seat: what was played is not played again
    assert 0 < len([*out.glob("replays/*.json")]) < GAMES
    assert not (out / RESULT).exists()
    assert rate(table, "one_plan", out) == 0
    games = (out / "games.csv").read_bytes()
    assert games.startswith(kept)
    assert (out / RESULT).read_bytes() == (whole / RESULT).read_bytes()
    assert rate(table, "one_plan", out) == 0
    assert (out / "games.csv").read_bytes() == games


@pytest.mark.release
def test_on_a_full_disk_a_rating_is_kept(true_results: Path, table: Path, tmp_path: Path, capsys: Capture) -> None:
    for room in (0, 1500):
        with full_disk(after=room):
            assert rate(table, "one_plan", tmp_path / "out") == 1
        printed = capsys.readouterr().err
        assert "t2r rate: error: " in printed
        assert "File too large" in printed
        assert ("the same command goes on" in printed) == (room > 0)
    assert rate(table, "one_plan", tmp_path / "out", "--processes", "2") == 0
    assert (tmp_path / "out" / RESULT).read_bytes() == (true_results / "one_plan" / RESULT).read_bytes()


def test_the_games_of_a_rating_are_shown_from_their_replays(true_results: Path, capsys: Capture) -> None:
    folder = true_results / "one_plan"
    assert t2r(["replay", str(folder), "3"]) == 0
    shown = capsys.readouterr().out
    assert t2r(["replay", str(folder / "replays" / "game_3.json")]) == 0
    assert capsys.readouterr().out == shown
    assert "has the games of a rating" in refusal(capsys, t2r, "tournament", "--resume", folder)


# Forgeries of the result


def change(path: Path, changed: Forgery) -> None:
    content = json.loads(path.read_text(encoding="utf-8"))
    changed(content)
    path.write_text(json.dumps(content), encoding="utf-8")


FORGERIES: list[tuple[Forgery, str]] = [
    (lambda it: it["games"][3].update(scores=[99, 9]), "game 3: scores must be"),
    (lambda it: [game["ranks"].reverse() for game in it["games"]], "game 0: ranks must be"),
    (lambda it: it["games"].pop(2), "game 2 is missing: game 3 has its place"),
    (lambda it: it["games"].pop(), f"game {GAMES - 1} is missing: a rating has {GAMES} games"),
    (lambda it: it["games"].__setitem__(3, it["games"][2]), "game 3 is missing: game 2 has its place"),
    (lambda it: it["games"].append(it["games"][-1] | {"game": GAMES}), f"game {GAMES} is too many"),
    (lambda it: it["games"][2].update(seed="1"), "game 2: seed must be"),
    (lambda it: it["games"][2]["agents"].reverse(), "game 2: agents must be"),
    (lambda it: it.update(seed="7"), "seed: the ladder says"),
    (lambda it: it.update(games=json.loads(json.dumps(it["games"]).replace("racer", "random"))), "agents must be"),
    (lambda it: it["estimate"].update(value=it["estimate"]["value"] + 40), "estimate: its value must be"),
    (lambda it: it["estimate"].update(low=it["estimate"]["value"] - 1), "estimate: its low must be"),
    (lambda it: it["games"][4].update(outcome="truncated"), "game 4: outcome must be"),
    (lambda it: it.update(agent="long_routes"), "game 0: agents must be"),
    (lambda it: it.update(agent=GREEDY), "game 0: agents must be"),
    (lambda it: it.update(library="0.1.0"), "library: the result is of version '0.1.0'"),
    (lambda it: it.update(rules="others"), "rules: the result is of other rules"),
    (lambda it: it.update(num_players=3), "variant: there is no ladder for 'new_york', 3 players"),
    (lambda it: it.update(replays="0" * 64), "replays: the digest is one of other actions"),
    (lambda it: it.update(format="another"), "result.json is no result of a rating: format must be"),
    (lambda it: it.pop("seed"), "result.json is no result of a rating: it must have"),
    (lambda it: it["games"][1].update(scores="12"), "scores of entry 1 of games must be of type list"),
    (lambda it: it["games"][1].update(ranks=[1, None]), "ranks of entry 1 of games must be a list of int"),
    (lambda it: it.update(estimate={}), "estimate must be value, low and high"),
    (lambda it: it.update(games=[]), "game 0 is missing"),
]


@pytest.mark.parametrize(("forge", "message"), FORGERIES)
def test_a_forged_result_is_refused(forge: Forgery, message: str, forged: Path, table: Path, capsys: Capture) -> None:
    change(forged / RESULT, forge)
    assert run(table, forged) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("the rating does not stand: ")
    assert message in line


# Forgeries of the replays


def another_action(folder: Path, agent: str, seat: int) -> tuple[int, Path, int, int]:
    """A game in which this agent has seat 0 and plays with greedy, its replay, and the number of the first decision at
    which the seat has a choice, with an action that it has not chosen.
    """
    game = next(it for it in read_result(folder / RESULT).games if it.agents[0] == agent and GREEDY in it.agents)
    path = folder / "replays" / f"game_{game.game}.json"
    replay = Replay.load(path)
    for number, (games, action) in enumerate(zip(replay.games(), replay.actions, strict=False)):
        others = [it for it in games.masks[0].nonzero()[0].tolist() if it != action]
        if games.current[0] == seat and others:
            return game.game, path, number, others[0]
    raise AssertionError


@pytest.mark.parametrize(
    ("agent", "seat", "forfeits"), [("one_plan", 1, False), ("one_plan", 1, True), (GREEDY, 0, False)]
)
def test_other_acts_of_a_reference_are_refused(
    agent: str, seat: int, forfeits: bool, true_results: Path, tmp_path: Path, ladder: Ladder
) -> None:
    """It may help the agent, or forfeit the game; and it may be a reference that is rated itself."""
    folder = Path(shutil.copytree(true_results / agent, tmp_path / "forged"))
    game, path, number, other = another_action(folder, agent, seat)
    change(path, lambda it: it.update(actions=[*it["actions"][:number], -1 if forfeits else other]))
    with pytest.raises(ResultError, match=rf"game {game}: action {number} of greedy on seat {seat} must be \d+, not"):
        verify(folder, [ladder])


def test_another_action_of_the_agent_gives_another_game(forged: Path, ladder: Ladder) -> None:
    game, path, number, other = another_action(forged, "one_plan", 0)
    change(path, lambda it: it["actions"].__setitem__(number, other))
    with pytest.raises(ResultError, match=f"game {game}: "):
        verify(forged, [ladder])


REPLAYS: list[tuple[Forgery, str]] = [
    (lambda it: it["actions"].__setitem__(10, -1), r"actions\[10\] is not legal and so ended the game: only the last"),
    (lambda it: it["actions"].__setitem__(-1, -1), ""),
    (lambda it: it["actions"].pop(), "its replay is cut off after"),
    (lambda it: it["actions"].append(0), "comes after the end of the game"),
    (lambda it: it["actions"].clear(), "its replay is cut off after 0 actions"),
    (lambda it: it["actions"].__setitem__(0, 10**30), r"actions\[0\]"),
    (lambda it: it.update(seed="5", actions=[]), "its replay must begin from the seed"),
    (lambda it: it.update(num_players=3, actions=[]), "its replay is one of another configuration"),
    (lambda it: it.update(actions="none"), "actions must be a list of integers"),
]


@pytest.mark.parametrize(("forge", "message"), REPLAYS)
def test_a_forged_replay_is_refused(forge: Forgery, message: str, forged: Path, ladder: Ladder) -> None:
    change(forged / "replays" / "game_5.json", forge)
    with pytest.raises(ResultError, match=f"game 5: .*{message}"):
        verify(forged, [ladder])


def test_a_replay_that_is_missing_or_of_another_game_is_refused(forged: Path, ladder: Ladder) -> None:
    replays = forged / "replays"
    shutil.copy(replays / "game_4.json", replays / "game_5.json")  # the same deal from the other seats
    with pytest.raises(ResultError, match="game 5: "):
        verify(forged, [ladder])
    (replays / "game_5.json").unlink()
    with pytest.raises(ResultError, match=r"game 5: .*No such file"):
        verify(forged, [ladder])


# Ladders and folders


def test_references_with_import_paths_are_made_only_if_they_are_trusted(tmp_path: Path) -> None:
    made = make_ladder(configure("new_york"), "new_york", 2, 0, "a test", references=[FIRST, GREEDY])
    table, out = tmp_path / "ladders.json", tmp_path / "out"
    write_ladders(table, [replace(made, rated_games=2)])
    assert rate(table, "random", out, "--trust", FIRST) == 0
    with pytest.raises(LadderError, match="references that must be named by you, too"):
        verify(out, read_ladders(table))
    assert verify(out, read_ladders(table), [FIRST]).agent == "random"


def test_a_folder_with_other_files_is_left(true_results: Path, table: Path, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    for folder in (true_results / "one_plan", true_results / "illegal", tmp_path):  # of an import path, too
        told = refusal(capsys, t2r, "rate", "random", "--variant", "new_york", "--ladder", table, "--out", folder)
        assert "--out must be a new or empty folder" in told
    assert [it.name for it in tmp_path.iterdir()] == ["notes.txt"]
    with pytest.raises(UsageError, match=r"FOLDER must have a result\.json"):
        run(table, tmp_path)


# What names and files of strangers can do


@pytest.fixture(scope="module")
def hostile(table: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a true rating of an agent with a hostile name, as far as folders allow it."""
    out, name = tmp_path_factory.mktemp("hostile") / "out", HOSTILE.replace("\r", "\n")
    assert rate(table, f"{TOLD}:{name}", out) == 0
    return out


def test_a_name_can_not_write_to_the_terminal_of_who_verifies_it(hostile: Path, table: Path, capsys: Capture) -> None:
    assert run(table, hostile) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("the rating stands: ")
    assert line.endswith(f" in new_york, {GAMES} games, agent {TOLD}:" + HARMLESS.replace(r"\r", r"\n"))


def test_a_name_that_is_markup_or_controls_is_rated_and_shown(table: Path, capsys: Capture) -> None:
    for argument, expected in ((HOSTILE, HARMLESS), ("[/]", "[/]")):
        command = ["rate", f"{TOLD}:{argument}", "--variant", "new_york", "--ladder", str(table)]
        assert t2r([*command, "--processes", "1", "--max-games", "2"]) == 0
        printed = capsys.readouterr().out
        assert "".join(f"{TOLD}:{expected}".split()) in "".join(printed.replace("│", "").split())
        assert "\x1b" not in printed


def test_a_name_stays_in_its_cell_of_the_leaderboard(hostile: Path) -> None:
    result = replace(read_result(hostile / RESULT), agent="a|b`\n| `policy` | 2740 |")
    result = replace(result, games=[replace(game, agents=[result.agent, GREEDY]) for game in result.games])
    assert leaderboard._row(result)[0] == r"`a\x7cb\x60\n\x7c \x60policy\x60 \x7c 2740 \x7c`"


def test_names_of_players_are_plain_on_pages_and_at_the_table() -> None:
    assert called(["\x1b[2J", "pl\u0430nner"], 2) == [r"\x1b[2J", r"pl\u0430nner"]
    player = Player("\u0410nna", 0, "greedy")
    assert (player.shown, player.title) == (r"\u0410nna", r"\u0410nna (greedy)")
    assert Player("Иван", 0).title == "Иван"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *((name, True) for name in ("random", "planner", "policy", "ismcts:1000", "ismcts:0.5s", "a/b.safetensors")),
        *((name, True) for name in ("ismcts:0.2s,policy", "ismcts:200,a/usa.safetensors", "any_board:a.safetensors")),
        *((name, False) for name in ("llm:x", "human", "t2r_agents.playing.llm:LanguageModelAgent:x", f"{TOLD}:x")),
        *((name, False) for name in ("ismcts:200000000", "ismcts:9999s", "ismcts:1e9s", "ismcts:infs", "ismcts:nans")),
        ("nobody", False),
    ],
)
def test_files_may_name_registered_agents_that_ask_nobody_and_search_shortly(name: str, expected: bool) -> None:
    assert is_harmless(name) == expected


def changed(table: Path, folder: Path, changed_ladder: Forgery) -> Path:
    """Write a table whose first ladder is changed into a folder; return the file."""
    path = Path(shutil.copy(table, folder / "ladders.json"))
    change(path, lambda it: changed_ladder(it["ladders"][0]))
    return path


@pytest.mark.parametrize("reference", ["llm:x", "ismcts:200000000", "human"])
def test_a_ladder_starts_nothing_that_costs(
    reference: str, table: Path, hostile: Path, tmp_path: Path, capsys: Capture
) -> None:
    """The key of who verifies pays nothing, and nothing is made."""
    ladders = changed(table, tmp_path, lambda it: it["references"].update({reference: it["references"][GREEDY]}))
    for words in (["verify", hostile], ["rate", "random", "--variant", "new_york"]):
        message = refusal(capsys, t2r, *words, "--ladder", ladders)
        assert f"['{reference}']; if you want that, repeat them as --trust" in message


def test_a_ladder_can_not_ask_for_endless_games(table: Path, tmp_path: Path) -> None:
    with pytest.raises(LadderError, match="rated_games must be an integer from 1 to 5000"):
        read_ladders(changed(table, tmp_path, lambda ladder: ladder.update(rated_games=10**7)))

    def add(references: Content) -> None:
        references |= {f"ismcts:{number}": references[GREEDY] for number in range(2, 20)}

    message = "the number of references must be an integer from 2 to 20, not 21"
    with pytest.raises(LadderError, match=message):
        read_ladders(changed(table, tmp_path, lambda it: add(it["references"])))


def test_a_page_may_not_ask_for_a_long_search_either(tmp_path: Path) -> None:
    for name in ("ismcts:9999s", "ismcts:200000000", "any_board:a.safetensors", "llm:x"):
        with pytest.raises(ValueError, match="is no agent here"):
            Tables(tmp_path).find_agent(name, configure("new_york"))
