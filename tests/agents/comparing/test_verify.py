"""`t2r rate --out` and `t2r verify`: a true result stands, and forged ones are refused."""

import itertools
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from t2r_agents.commands import verify as command
from t2r_agents.comparing.rating.ladder import GREEDY, Ladder, LadderError, make_ladder, read_ladders, write_ladders
from t2r_agents.comparing.rating.rating import Rater
from t2r_agents.comparing.rating.result import (
    RESULT,
    ResultError,
    check_estimate,
    check_schedule,
    find_ladder,
    read_result,
)
from t2r_agents.comparing.rating.verify import verify
from t2r_agents.comparing.tournament import workers
from t2r_agents.comparing.tournament.folder import Folder
from t2r_env import __version__, configure
from t2r_env.commands import UsageError, make_parser
from t2r_env.commands import main as t2r
from t2r_env.replay import Replay
from tests.helpers import odd_agents
from tests.helpers.disks import full_disk
from tests.helpers.odd_agents import path_of
from tests.helpers.refusing import refusal

ILLEGAL, FIRST = path_of(odd_agents.Illegal), path_of(odd_agents.First)
GAMES = 8
Content = dict[str, Any]
"""The content of result.json or of a replay."""


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


def rate(table: Path, agent: str, out: Path, variant: str = "new_york") -> int:
    words = ["--variant", variant, "--ladder", str(table), "--processes", "1", "--out", str(out)]
    return t2r(["rate", agent, *words])


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
def test_a_true_result_stands(name: str, true_results: Path, table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(table, true_results / name) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("the rating stands: ")
    assert f"in new_york, {GAMES} games, agent " in line


def test_the_result_of_a_game_with_teams_stands(table: Path, tmp_path: Path) -> None:
    assert rate(table, "one_plan", tmp_path / "teams", "team_asia") == 0
    assert run(table, tmp_path / "teams") == 0


def test_the_estimate_is_the_rating_of_the_same_games(true_results: Path, ladder: Ladder) -> None:
    rating = Rater(ladder, "one_plan", GAMES, ladder.rated_seed).rate(0, float("inf"))
    assert rating is not None
    result = read_result(true_results / "one_plan" / RESULT)
    assert result.estimate["value"] == pytest.approx(rating.rating.value, abs=0.01)
    assert (result.agent, result.library, result.seed) == ("one_plan", __version__, str(ladder.rated_seed))
    assert len(result.games) == GAMES


@pytest.mark.release
def test_games_are_the_same_with_two_processes(true_results: Path, table: Path, tmp_path: Path) -> None:
    words = ["--variant", "new_york", "--ladder", str(table), "--processes", "2", "--out", str(tmp_path / "two")]
    assert t2r(["rate", "one_plan", *words]) == 0
    one, two = ((folder / RESULT).read_bytes() for folder in (true_results / "one_plan", tmp_path / "two"))
    assert one == two


def test_an_agent_that_forfeits_has_lost_these_games(true_results: Path) -> None:
    games = read_result(true_results / "illegal" / RESULT).games
    forfeited = [game for game in games if game.outcome == "forfeited"]
    assert forfeited
    assert all(game.ranks[game.agents.index(ILLEGAL)] == 2 for game in forfeited)


def test_all_ladders_get_a_folder_each(table: Path, tmp_path: Path) -> None:
    assert rate(table, "random", tmp_path / "all", "all") == 0
    folders = [folder.name for folder in sorted((tmp_path / "all").iterdir())]
    assert folders == ["new_york_2_players_tickets_classic", "team_asia_4_players_tickets_regular"]
    assert [run(table, tmp_path / "all" / name) for name in folders] == [0, 0]


# A rating is written as it is played


def test_a_rating_that_was_interrupted_goes_on_with_the_same_command_and_has_the_same_result(
    true_results: Path, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(workers, "DEALS_AT_ONCE", 1)
    whole, out = true_results / "one_plan", tmp_path / "out"
    with monkeypatch.context() as patch:
        patch.setattr(Folder, "write", interrupted_after(2))
        assert rate(table, "one_plan", out) == 130
    assert "the games so far are kept, and the same command goes on" in capsys.readouterr().err
    kept = sorted(out.glob("replays/*.json"))
    assert 0 < len(kept) < GAMES
    assert not (out / RESULT).exists()
    times = [file.stat().st_mtime_ns for file in kept]
    assert rate(table, "one_plan", out) == 0
    assert [file.stat().st_mtime_ns for file in kept] == times  # what was played is not played again
    assert (out / RESULT).read_bytes() == (whole / RESULT).read_bytes()
    assert run(table, out) == 0


def interrupted_after(times: int) -> Callable[..., None]:
    """`Folder.write`, but Ctrl-C is pressed when it has written so often."""
    write, written = Folder.write, itertools.count(1)

    def write_and_interrupt(*arguments: Any) -> None:
        write(*arguments)
        if next(written) == times:
            raise KeyboardInterrupt

    return write_and_interrupt


@pytest.mark.release
@pytest.mark.parametrize("room", [0, 1500])
def test_a_full_disk_is_found_before_the_first_game_or_loses_only_the_last_ones(
    room: int, true_results: Path, table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with full_disk(after=room):
        assert rate(table, "one_plan", tmp_path / "out") == 1
    printed = capsys.readouterr()
    assert "t2r rate: error: " in printed.err
    assert "File too large" in printed.err
    assert ("the same command goes on" in printed.err) == (room > 0)
    assert rate(table, "one_plan", tmp_path / "out") == 0
    assert (tmp_path / "out" / RESULT).read_bytes() == (true_results / "one_plan" / RESULT).read_bytes()


def test_a_rating_that_is_finished_is_shown_again_and_not_played(
    true_results: Path, table: Path, tmp_path: Path
) -> None:
    out = Path(shutil.copytree(true_results / GREEDY, tmp_path / "out"))
    games = (out / "games.csv").read_bytes()
    assert rate(table, GREEDY, out) == 0
    assert (out / "games.csv").read_bytes() == games  # with the seconds of each seat


def test_the_games_of_a_rating_are_shown_from_their_replays_and_are_no_tournament_to_go_on_with(
    true_results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = true_results / "one_plan"
    assert t2r(["replay", str(folder), "3"]) == 0
    shown = capsys.readouterr().out
    assert t2r(["replay", str(folder / "replays" / "game_3.json")]) == 0
    assert capsys.readouterr().out == shown
    assert "has the games of a rating" in refusal(capsys, t2r, "tournament", "--resume", folder)


# Forgeries of the result


def change(path: Path, changed: Callable[[Content], object]) -> None:
    """Change the JSON of a file."""
    content = json.loads(path.read_text(encoding="utf-8"))
    changed(content)
    path.write_text(json.dumps(content), encoding="utf-8")


def raise_score(content: Content) -> None:
    content["games"][3]["scores"][0] += 5


def win_a_lost_game(content: Content) -> None:
    """Where the agent has lost or tied, it has won."""
    game = next(it for it in content["games"] if it["ranks"][it["agents"].index("one_plan")] == 2)
    game["ranks"].reverse()


def drop_losses(content: Content) -> None:
    content["games"] = [it for it in content["games"] if it["ranks"][it["agents"].index("one_plan")] == 1]


def drop_the_last_deal(content: Content) -> None:
    del content["games"][-2:]


def repeat_a_game(content: Content) -> None:
    content["games"][3] = content["games"][2]


def add_a_game(content: Content) -> None:
    content["games"].append(content["games"][-1] | {"game": GAMES})


def deal_other_cards(content: Content) -> None:
    content["games"][2]["seed"] = "1"


def swap_seats(content: Content) -> None:
    content["games"][2]["agents"].reverse()


def choose_a_seed(content: Content) -> None:
    content["seed"] = "7"


def choose_easier_opponents(content: Content) -> None:
    game = next(it for it in content["games"] if "racer" in it["agents"])
    game["agents"] = ["random" if name == "racer" else name for name in game["agents"]]


def praise(content: Content) -> None:
    content["estimate"]["value"] += 40


def narrow(content: Content) -> None:
    content["estimate"]["low"] = content["estimate"]["value"] - 1


def end_without_ranks(content: Content) -> None:
    content["games"][4]["outcome"] = "truncated"


FORGERIES: list[tuple[Callable[[Content], object], str]] = [
    (raise_score, "game 3: scores must be"),
    (win_a_lost_game, "ranks must be"),
    (drop_losses, "is missing: game"),
    (drop_the_last_deal, f"game {GAMES - 2} is missing: a rating has {GAMES} games"),
    (repeat_a_game, "game 3 is missing: game 2 has its place"),
    (add_a_game, f"game {GAMES} is too many"),
    (deal_other_cards, "game 2: seed must be"),
    (swap_seats, "game 2: agents must be"),
    (choose_a_seed, "seed: the ladder says"),
    (choose_easier_opponents, "agents must be"),
    (praise, "estimate: its value must be"),
    (narrow, "estimate: its low must be"),
    (end_without_ranks, "game 4: outcome must be"),
    (lambda it: it.update(agent="long_routes"), "game 0: agents must be"),
    (lambda it: it.update(agent=GREEDY), "game 0: agents must be"),
    (lambda it: it.update(library="0.1.0"), "library: the result is of version '0.1.0'"),
    (lambda it: it.update(rules="others"), "rules: the result is of other rules"),
    (lambda it: it.update(num_players=3), "variant: there is no ladder for 'new_york', 3 players"),
    (lambda it: it.update(variant="usa"), "variant: there is no ladder for 'usa', 2 players"),
    (lambda it: it.update(replays="0" * 64), "replays: the digest is one of other actions"),
    (lambda it: it.update(format="another"), "result.json is no result of a rating: format must be"),
    (lambda it: it.pop("seed"), "result.json is no result of a rating: it must have"),
    (lambda it: it["games"][1].update(scores="12"), "scores of entry 1 of games must be of type list"),
    (lambda it: it["games"][1].update(ranks=[1, None]), "ranks of entry 1 of games must be a list of int"),
    (lambda it: it.update(estimate={}), "estimate must be value, low and high"),
    (lambda it: it.update(games=[]), "game 0 is missing"),
]


@pytest.mark.parametrize(("forge", "message"), FORGERIES)
def test_a_forged_result_is_refused(
    forge: Callable[[Content], object], message: str, forged: Path, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(forged / RESULT, forge)
    assert run(table, forged) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("the rating does not stand: ")
    assert message in line


# Forgeries of the replays


def replay_of(folder: Path, agent: str) -> tuple[int, Path]:
    """A game in which the agent plays on seat 0, and its replay."""
    games = read_result(folder / RESULT).games
    number = next(game.game for game in games if game.agents[0] == "one_plan" and game.agents[1] == agent)
    return number, folder / "replays" / f"game_{number}.json"


def decisions(path: Path, seat: int) -> list[tuple[int, list[int]]]:
    """The numbers of a seat's actions in a replay, with the other actions that were legal there."""
    replay = Replay.load(path)
    found = []
    for number, (games, action) in enumerate(zip(replay.games(), replay.actions, strict=False)):
        if games.current[0] == seat:
            found.append((number, [int(it) for it in games.masks[0].nonzero()[0] if it != action]))
    return found


def test_a_reference_that_helps_is_refused(forged: Path, table: Path, ladder: Ladder) -> None:
    number, path = replay_of(forged, GREEDY)
    action, others = next((action, others) for action, others in decisions(path, 1) if others)
    change(path, lambda it: it.update(actions=[*it["actions"][:action], others[0]]))
    with pytest.raises(ResultError, match=rf"game {number}: action {action} of greedy on seat 1 must be \d+, not"):
        verify(forged, [ladder])


def test_a_reference_that_forfeits_is_refused(forged: Path, ladder: Ladder) -> None:
    number, path = replay_of(forged, GREEDY)
    action, _ = decisions(path, 1)[0]
    change(path, lambda it: it.update(actions=[*it["actions"][:action], -1]))
    with pytest.raises(ResultError, match=rf"game {number}: action {action} of greedy on seat 1 must be \d+, not -1"):
        verify(forged, [ladder])


def test_another_action_of_the_agent_gives_another_game(forged: Path, ladder: Ladder) -> None:
    number, path = replay_of(forged, GREEDY)
    action, others = next((action, others) for action, others in decisions(path, 0) if others)
    change(path, lambda it: it["actions"].__setitem__(action, others[0]))
    with pytest.raises(ResultError, match=f"game {number}: "):
        verify(forged, [ladder])


def test_an_action_of_a_reference_that_is_rated_is_checked_too(
    true_results: Path, tmp_path: Path, ladder: Ladder
) -> None:
    folder = Path(shutil.copytree(true_results / GREEDY, tmp_path / "forged"))
    game = next(it for it in read_result(folder / RESULT).games if it.agents[0] == GREEDY)
    path = folder / "replays" / f"game_{game.game}.json"
    action, others = next((action, others) for action, others in decisions(path, 0) if others)
    change(path, lambda it: it.update(actions=[*it["actions"][:action], others[0]]))
    with pytest.raises(ResultError, match=f"game {game.game}: action {action} of greedy on seat 0 must be"):
        verify(folder, [ladder])


def illegal_in_the_middle(content: Content) -> None:
    content["actions"][10] = -1


def illegal_at_the_end(content: Content) -> None:
    content["actions"][-1] = -1


REPLAYS: list[tuple[Callable[[Content], object], str]] = [
    (illegal_in_the_middle, r"actions\[10\] is not legal and so ended the game: only the last one may be"),
    (illegal_at_the_end, ""),
    (lambda it: it["actions"].pop(), "its replay is cut off after"),
    (lambda it: it["actions"].append(0), "comes after the end of the game"),
    (lambda it: it["actions"].clear(), "its replay is cut off after 0 actions"),
    (lambda it: it["actions"].__setitem__(0, 10**30), r"actions\[0\]"),
    (lambda it: it.update(seed="5", actions=[]), "its replay must begin from the seed"),
    (lambda it: it.update(num_players=3, actions=[]), "its replay is one of another configuration"),
    (lambda it: it.update(actions="none"), "actions must be a list of integers"),
]


@pytest.mark.parametrize(("forge", "message"), REPLAYS)
def test_a_forged_replay_is_refused_and_its_game_is_named(
    forge: Callable[[Content], object], message: str, forged: Path, ladder: Ladder
) -> None:
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


def test_a_result_can_be_checked_without_its_replays_but_for_its_games(true_results: Path, ladder: Ladder) -> None:
    result = read_result(true_results / "one_plan" / RESULT)
    assert find_ladder([ladder], result) == ladder
    assert len(check_schedule(result, ladder)) == GAMES
    check_estimate(result, ladder)
    assert ladder.rated_seed != replace(ladder, library="another").rated_seed


def test_references_with_import_paths_are_made_only_if_they_are_trusted(tmp_path: Path) -> None:
    made = make_ladder(configure("new_york"), "new_york", 2, 0, "a test", references=[FIRST, GREEDY])
    table, out = tmp_path / "ladders.json", tmp_path / "out"
    write_ladders(table, [replace(made, rated_games=2)])
    words = ["--variant", "new_york", "--ladder", str(table), "--processes", "1", "--out", str(out)]
    assert t2r(["rate", "random", *words, "--trust", FIRST]) == 0
    with pytest.raises(LadderError, match="references that must be named by you, too"):
        verify(out, read_ladders(table))
    assert verify(out, read_ladders(table), [FIRST]).agent == "random"


def test_a_folder_that_has_a_result_is_not_written_again_and_one_without_is_told(
    true_results: Path, table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = true_results / "one_plan"
    words = ("--variant", "new_york", "--ladder", table, "--out", folder)
    assert "--out must be a new or empty folder, or one of the same rating" in refusal(
        capsys, t2r, "rate", "random", *words
    )
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    assert "--out must be a new or empty folder" in refusal(
        capsys, t2r, "rate", "random", *words[:4], "--out", tmp_path
    )
    assert [it.name for it in tmp_path.iterdir()] == ["notes.txt"]
    with pytest.raises(UsageError, match=r"FOLDER must have a result\.json"):
        run(table, tmp_path)
