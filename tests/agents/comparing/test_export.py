"""`t2r export`: what is in its files, resuming, tournaments and replays as sources, Minari, and what is refused."""

import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import DEFAULT, Mock

import gymnasium
import minari
import numpy as np
import pyarrow.parquet as pq
import pytest
import yaml
from minari.storage import get_dataset_path

import t2r_env
from t2r_agents.commands import export as command
from t2r_agents.comparing.export import workers
from t2r_agents.comparing.export.card import _command, _size
from t2r_agents.comparing.export.episodes import dataset_ids
from t2r_agents.comparing.export.folder import Folder
from t2r_agents.comparing.export.reading import read_replay
from t2r_agents.comparing.export.sources import TournamentGames
from t2r_agents.comparing.tournament.playing import Round
from t2r_agents.comparing.tournament.tournament import Settings
from t2r_env import Configuration, Replay
from t2r_env.commands import UsageError, make_parser
from t2r_env.text import action_text, view_text
from tests.agents.comparing.test_tournament_command import rows_of as rows_of_tournament
from tests.agents.comparing.test_tournament_command import run as run_tournament
from tests.agents.comparing.test_tournament_command import write_rows
from tests.helpers import odd_agents
from tests.helpers.disks import full_disk
from tests.helpers.odd_agents import path_of
from tests.helpers.recorded import forfeited, game_of

Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch

SHORT = ("--variant", "new_york", "--agents", "greedy", "random", "--seed", 4)
"""Short games."""
SEVEN = (*SHORT, "--games", 7, "--games-per-file", 3)


def run(*words: object) -> int:
    """The exit status of `t2r export`, in one process unless it says more."""
    processes = () if {"--processes", "--replay", "--minari"} & set(words) else ("--processes", 1)
    arguments = make_parser({"export": command}).parse_args(["export", *map(str, (*words, *processes))])
    return command.run(arguments)


def refusal(*words: object) -> str:
    with pytest.raises(UsageError) as raised:
        run(*words)
    return str(raised.value)


def rows_of(folder: Path, table: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(folder / table).to_pylist()
    return rows


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(it.relative_to(folder)): it.read_bytes() for it in folder.rglob("*") if it.is_file()}


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Seven games in three files. Tests must not change it."""
    folder = tmp_path_factory.mktemp("export") / "data"
    assert run(*SEVEN, "--out", folder) == 0
    return folder


@pytest.fixture
def copy(exported: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(exported, tmp_path / "copy"))


@pytest.fixture(autouse=True)
def _datasets(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))


# The rows


def decisions_in_the_environment(configuration: Configuration, game: dict[str, Any], reward: Any) -> Iterator[Any]:
    """Each decision as the PettingZoo environment shows it, with the rewards of all seats for its action."""
    env = t2r_env.env(configuration, reward=reward)
    env.reset(seed=game["seed"])
    for action in game["actions"]:
        seen, seat = env.observe(env.agent_selection), int(env.agent_selection.removeprefix("player_"))
        row = {
            "seat": seat,
            "agent": game["agents"][seat],
            "observation": seen["observation"].tolist(),
            "mask": seen["action_mask"].tolist(),
            "action": action,
            "text": action_text(env.describe(action), configuration),
            "view": view_text(env.games.views()[0], configuration),
            "global_state": env.state().tolist(),
        }
        env.step(action)
        yield row, [env.rewards[name] for name in env.possible_agents]


@pytest.mark.parametrize(("variant", "players", "reward"), [("new_york", 2, "rank"), ("card_game", 3, "score")])
def test_rows_are_what_the_environment_shows(variant: str, players: int, reward: str, tmp_path: Path) -> None:
    command = ("--variant", variant, "--num-players", players, "--reward", reward, "--agents", "greedy", "random")
    assert run(*command, "--games", 1, "--hidden", "--view", "--out", tmp_path) == 0
    rows, configuration = iter(rows_of(tmp_path, "decisions")), t2r_env.configure(variant, players)
    for number, game in enumerate(rows_of(tmp_path, "games")):
        shown = [*decisions_in_the_environment(configuration, game, reward)]
        assert game["decisions"] == len(shown)
        to_go = np.array([rewards for _, rewards in shown])[::-1].cumsum(axis=0)[::-1]
        for step, (expected, _) in enumerate(shown):
            row = next(rows)
            assert row.pop("return") == pytest.approx(to_go[step, row["seat"]], abs=1e-5)
            assert row == {"game": number, "seed": game["seed"], "step": step} | expected
    assert next(rows, None) is None


def test_a_forfeited_game_has_its_legal_decisions_and_the_loss(tmp_path: Path) -> None:
    agents = ("random", path_of(odd_agents.Illegal))
    assert run("--variant", "new_york", "--agents", *agents, "--games", 40, "--seed", 1, "--out", tmp_path) == 0
    games, rows = rows_of(tmp_path, "games"), rows_of(tmp_path, "decisions")
    lost = [game for game in games if game["outcome"] == "forfeited"]
    assert lost
    for game in lost:
        own = [row for row in rows if row["game"] == game["game"]]
        assert len(own) == game["decisions"] == len(game["actions"]) - 1
        loser = game["agents"].index(agents[1])
        assert (game["ranks"][loser], game["wins"][loser]) == (2, 0)
        assert {(row["seat"], row["return"]) for row in own} <= {(loser, -1), (1 - loser, 0)}
    assert all(row["mask"][row["action"]] for row in rows)


# Files, processes, resuming


def test_agents_that_remember_play_in_several_processes_too(tmp_path: Path) -> None:
    agent = f"{path_of(odd_agents.Remembering)}:instance"
    command = ("--variant", "new_york", "--agents", agent, "--games", 6, "--seed", 1)
    for processes in (1, 2):
        words = ("--games-per-file", 2, "--processes", processes, "--out", tmp_path / str(processes))
        assert run(*command, *words) == 0
    assert files_of(tmp_path / "1") == files_of(tmp_path / "2")
    assert {game["outcome"] for game in rows_of(tmp_path / "1", "games")} == {"finished"}


def test_when_a_process_has_ended_by_itself_the_command_says_so(tmp_path: Path, capsys: Capture) -> None:
    words = ("--agents", path_of(odd_agents.Dying), "--games", 40, "--games-per-file", 20, "--processes", 2)
    assert run("--variant", "new_york", *words, "--out", tmp_path) == 1
    assert "a process of the export has ended" in capsys.readouterr().err


def test_files_do_not_depend_on_the_games_in_memory(exported: Path, tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(workers, "GAMES_AT_ONCE", 2)
    assert run(*SEVEN, "--out", tmp_path / "data") == 0
    for table in ("decisions", "games"):
        assert pq.read_table(tmp_path / "data" / table).equals(pq.read_table(exported / table))
    numbers = [pq.read_table(exported / "games" / f"0000{it}.parquet")["game"].to_pylist() for it in range(3)]
    assert numbers == [[0, 1, 2], [3, 4, 5], [6]]


def test_an_interrupted_export_goes_on(exported: Path, tmp_path: Path, monkeypatch: Patch, capsys: Capture) -> None:
    interrupted = Mock(wraps=Round, side_effect=[DEFAULT, KeyboardInterrupt, *[DEFAULT] * 9])
    monkeypatch.setattr("t2r_agents.comparing.tournament.playing.Round", interrupted)
    command = (*SEVEN, "--out", tmp_path)
    assert run(*command) == 130
    assert "the same command goes on" in " ".join(capsys.readouterr().err.split())
    assert [it.name for it in (tmp_path / "games").iterdir()] == ["00000.parquet"]
    assert not [*tmp_path.rglob("*.new")]
    assert run(*command) == 0
    assert files_of(tmp_path) == files_of(exported)


def test_an_export_that_was_killed_goes_on_with_the_seed_that_it_drew(tmp_path: Path) -> None:
    """Before its settings are in place, or one of the two files of some games."""
    command = ("--variant", "new_york", "--games", 4, "--games-per-file", 2, "--out", tmp_path)
    (tmp_path / "export.json.new").touch()
    assert run(*command) == 0
    whole = files_of(tmp_path)
    for names in (("games/00001.parquet", "README.md"), ("games/00001.parquet", "decisions/00001.parquet")):
        for name in names:
            (tmp_path / name).unlink()
        assert run(*command) == 0
        assert files_of(tmp_path) == whole
    assert len({game["seed"] for game in rows_of(tmp_path, "games")}) == 4


@pytest.mark.release
def test_on_a_full_disk_the_export_goes_on_later(exported: Path, tmp_path: Path, capsys: Capture) -> None:
    """It is full when the settings are written, then when the first rows are."""
    command = (*SEVEN, "--out", tmp_path / "data")
    with full_disk(after=0):
        assert "File too large" in refusal(*command)
    with full_disk(after=5000):
        assert run(*command) == 1
    assert "the same command goes on" in capsys.readouterr().err
    assert not [*tmp_path.rglob("*.new")]
    assert run(*command) == 0
    assert files_of(tmp_path / "data") == files_of(exported)


# The card


def test_the_figures_are_those_of_the_rows(exported: Path) -> None:
    figures = json.loads((exported / "export.json").read_text(encoding="utf-8"))["figures"]
    games, decisions = rows_of(exported, "games"), rows_of(exported, "decisions")
    assert (figures["games"], figures["left_out"], figures["decisions"]) == (7, 0, len(decisions))
    assert figures["outcomes"] == Counter(game["outcome"] for game in games)
    for agent, of_agent in figures["agents"].items():
        seats = [(game, seat) for game in games for seat in range(2) if game["agents"][seat] == agent]
        assert of_agent["seats"] == len(seats)
        assert of_agent["wins"] == pytest.approx(sum(game["wins"][seat] for game, seat in seats))
        assert of_agent["mean_score"] == pytest.approx(np.mean([game["scores"][it] for game, it in seats]), abs=0.01)


def test_the_card_has_the_head_that_hubs_read_and_says_what_is_there(exported: Path) -> None:
    _, head, text = (exported / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    fields = yaml.safe_load(head)
    assert (fields["license"], fields["size_categories"]) == ("mit", ["n<1K"])
    groups = {0: "n<1K", 999: "n<1K", 1000: "1K<n<10K", 99_999: "10K<n<100K", 10**6: "1M<n<10M", 10**9: "1B<n<10B"}
    assert {rows: _size(rows) for rows in groups} == groups
    files = {it["config_name"]: it["data_files"] for it in fields["configs"]}
    assert files == {"decisions": "decisions/*.parquet", "games": "games/*.parquet"}
    layout = t2r_env.configure("new_york").layout
    for segment in (*layout.observation.values(), *layout.actions.values()):
        assert f"| `{segment.name}` | {segment.start} |" in text
    for name in pq.read_schema(exported / "decisions" / "00000.parquet").names:
        assert f"| `{name}` |" in text
    for word in ("new_york, 2 players", t2r_env.__version__, "`greedy`, `random`", "seed: 4"):
        assert word in text


# Replays


def test_replays_become_data_and_replays_again(tmp_path: Path) -> None:
    """Also those that begin from a state, be it the last one, and those that an illegal action ended."""
    whole, lost = game_of("greedy", "usa", 2), forfeited()
    from_tenth = Replay(whole.configuration, whole.until(10).final().get_state(), whole.actions[10:])
    replays = [game_of("random", "usa", 2), from_tenth, lost, Replay(lost.configuration, lost.final().get_state(), ())]
    (tmp_path / "replays").mkdir()
    for number, replay in enumerate(replays):
        replay.save(tmp_path / "replays" / f"game_{number}.json")
    data = tmp_path / "data"
    assert run(tmp_path / "replays", "--out", data) == 0
    assert [read_replay(str(data), number) for number in range(4)] == replays
    games = rows_of(data, "games")
    assert [game["agents"] for game in games] == [None] * 4
    assert games[3]["ranks"] == games[2]["ranks"]
    assert [game["decisions"] for game in games] == [len(it.actions) - (it == replays[2]) for it in replays]
    assert {row["agent"] for row in rows_of(data, "decisions")} == {None}
    assert run(tmp_path / "replays", "--out", data) == 0  # the same once more changes nothing
    assert "4 replays" in (data / "README.md").read_text(encoding="utf-8")
    replays[1].save(tmp_path / "replays" / "game_0.json")
    assert "digest" in refusal(tmp_path / "replays", "--out", data)


def test_games_on_a_map_of_ones_own_are_replays_again_and_datasets_without_an_environment(tmp_path: Path) -> None:
    """Though the map has the id of one that comes with the library."""
    new_york = Path(t2r_env.__file__).parent / "variants" / "new_york"
    tables, moved = Path(shutil.copytree(new_york, tmp_path / "city")), tmp_path / "moved"
    rules = (tables / "variant.toml").read_text()
    (tables / "variant.toml").write_text(rules.replace("starting_hand = 2", "starting_hand = 3"))
    data = tmp_path / "data"
    assert run("--variant", tables, "--games", 1, "--seed", 1, "--out", data) == 0
    assert run(data, "--minari", "mine") == 0
    assert minari.load_dataset("mine-v0").spec.env_spec is None
    (game,), replay = rows_of(data, "games"), read_replay(data, 0)
    came_out = [replay.start, [*replay.actions], replay.final().results.scores[0].tolist()]
    assert came_out == [game["seed"], game["actions"], game["scores"]]
    tables.rename(moved)
    assert read_replay(data, 0, str(moved)) == replay
    assert run(data, "--replay", 0, "--variant", moved, "--out", tmp_path / "game.json") == 0
    assert Replay.load(tmp_path / "game.json", moved) == replay


# Tournaments


def test_games_of_a_tournament_are_exported_if_they_end_alike(
    exported: Path, tmp_path: Path, capsys: Capture, monkeypatch: Patch
) -> None:
    monkeypatch.setattr("t2r_agents.comparing.tournament.report.plots_of", lambda *_: {})  # they take long
    assert run_tournament(*SHORT, "--games", 8, "--out", tmp_path) == 0
    tournament = rows_of_tournament(tmp_path)
    assert run(tmp_path, "--out", tmp_path / "data") == 0
    games = rows_of(tmp_path / "data", "games")
    assert games[:7] == rows_of(exported, "games")
    assert len(games) == 8
    assert [str(score) for game in games for score in game["scores"]] == [row["score"] for row in tournament]
    for row in tournament[2:4]:  # both seats of the second game have more turns
        row["turns"] += "1"
    write_rows(tmp_path, tournament)
    capsys.readouterr()
    assert run(tmp_path, "--out", tmp_path / "fewer") == 0
    assert "1 games are left out" in capsys.readouterr().out
    assert rows_of(tmp_path / "fewer", "games") == [games[0], *games[2:]]
    assert "1 games of the tournament are left out" in (tmp_path / "fewer" / "README.md").read_text(encoding="utf-8")


def test_the_card_names_the_limits_of_isolated_agents() -> None:
    """They decide what is forfeited."""
    settings = Settings("new_york", 2, {}, ["greedy"], 8, 4, isolate=True, seconds=[1.0], memory=500)
    text = _command(TournamentGames(settings, ()).settings())
    assert text.startswith("t2r tournament --variant new_york ")
    assert text.endswith(" --isolate --seconds 1.0 --memory 500")


# Minari


def replaying(decisions: list[dict[str, Any]], seat: int) -> Any:
    """An agent that plays what a seat played in a game."""
    left = iter([row["action"] for row in decisions if row["seat"] == seat])
    return lambda _: np.array([next(left)])


@pytest.mark.parametrize(("reward", "form"), [("rank", "dict"), ("margin", "vector")])
def test_episodes_of_minari_are_what_the_environment_gives_to_the_seat(reward: str, form: str, tmp_path: Path) -> None:
    """The other seats play as they did."""
    data = tmp_path / "data"
    assert run("--num-players", 3, "--games", 2, "--seed", 8, "--reward", reward, "--out", data) == 0
    assert run(data, "--minari", "usa/greedy-v3", "--observation", form) == 0
    dataset = minari.load_dataset("usa/greedy-v3")
    games, rows = rows_of(data, "games"), rows_of(data, "decisions")
    assert dataset.total_episodes == 6
    assert dataset.spec.env_spec.kwargs["seat"] == "random"
    assert dataset.spec.env_spec.max_episode_steps == 100_000
    assert dataset.observation_space == dataset.recover_environment().observation_space
    seats = [(game, seat) for game in games for seat in range(3)]
    for (game, seat), episode in zip(seats, dataset.iterate_episodes(), strict=True):
        assert (episode.infos["seat"] == seat).all()
        decisions = [row for row in rows if row["game"] == game["game"]]
        others = [replaying(decisions, (seat + after) % 3) for after in (1, 2)]
        env: gymnasium.Env[Any, Any] = gymnasium.make(dataset.spec.env_spec, seat=seat, opponents=others)
        seen = episode.observations
        if form == "vector":
            seen = {"observation": seen, "action_mask": episode.infos["action_mask"]}
        observation, info = env.reset(seed=game["seed"])
        for step, action in enumerate(episode.actions):
            for name, given in (("observation", observation), ("action_mask", info)):
                expected = given[name] if isinstance(given, dict) else given
                assert np.array_equal(seen[name][step], expected)
            observation, earned, terminated, truncated, info = env.step(action)
            assert episode.rewards[step] == pytest.approx(earned)
            assert (episode.terminations[step], episode.truncations[step]) == (terminated, truncated)
        assert terminated
        assert len(episode.actions) == len(episode.rewards) == len(seen["observation"]) - 1
        assert np.array_equal(seen["observation"][-1], observation if form == "vector" else observation["observation"])
        assert not seen["action_mask"][-1].any()


def test_datasets_of_minari_have_one_agent_each_and_can_be_combined(exported: Path) -> None:
    assert run(exported, "--minari", "new_york/mine-v1") == 0
    names = {agent: f"new_york/mine-{agent}-v1" for agent in ("greedy", "random")}
    assert sorted(minari.list_local_datasets()) == sorted(names.values())
    datasets = {agent: minari.load_dataset(name) for agent, name in names.items()}
    played = Counter(agent for game in rows_of(exported, "games") for agent in game["agents"])
    for agent, dataset in datasets.items():
        assert dataset.total_episodes == played[agent]
        assert dataset.storage.metadata["algorithm_name"] == agent
        assert {episode.infos["agents"][0, episode.infos["seat"][0]].decode() for episode in dataset} == {agent}
    combined = minari.combine_datasets(list(datasets.values()), "new_york/both-v0")
    assert combined.total_episodes == played.total()


def test_replays_become_one_dataset_of_minari_and_names_of_agents_are_fitted(tmp_path: Path) -> None:
    game_of("random", "new_york", 2).save(tmp_path / "game.json")
    assert run(tmp_path / "game.json", "--out", tmp_path / "data") == 0
    assert run(tmp_path / "data", "--minari", "mine") == 0
    assert [episode.infos["agents"][0].tolist() for episode in minari.load_dataset("mine-v0")] == [[b"unknown"] * 2] * 2
    named = dataset_ids("a/mine-v2", ["ismcts:4,policy", "é.b", "é:b", "x" * 5000])
    assert list(named.values()) == [
        "a/mine-ismcts_4_policy-v2",
        "a/mine-é_b-v2",
        "a/mine-é_b-2-v2",
        f"a/mine-{'x' * 60}-v2",
    ]


def test_datasets_are_written_all_or_none_and_not_overwritten(exported: Path, copy: Path, monkeypatch: Patch) -> None:
    create = minari.create_dataset_from_buffers

    def fail_at_the_second(name: str, *arguments: Any, **named: Any) -> Any:
        if name == "mine-greedy-v0":
            return create(name, *arguments, **named)
        (get_dataset_path(name) / "data").mkdir(parents=True)
        raise OSError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(minari, "create_dataset_from_buffers", fail_at_the_second)
        assert "the disk is full" in refusal(exported, "--minari", "mine")
    assert run(exported, "--minari", "mine") == 0  # nothing was left
    assert "there is a dataset mine-greedy-v0" in refusal(exported, "--minari", "mine-v0")
    assert "Malformed dataset ID" in refusal(exported, "--minari", "a b")
    (copy / "games" / "00002.parquet").write_bytes(b"PAR1")
    assert "is damaged" in refusal(copy, "--minari", "other")
    assert sorted(minari.list_local_datasets()) == ["mine-greedy-v0", "mine-random-v0"]


# What is refused


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--agents", "nobody", "--out", "{new}"], "there is no agent 'nobody'"),
        (["--agents", "human", "--out", "{new}"], "asks a person"),
        (["--agents", "greedy", "greedy", "--out", "{new}"], "--agents must be different names"),
        (["--games", "0", "--out", "{new}"], "--games must be"),
        (["--games-per-file", "0", "--out", "{new}"], "--games-per-file must be"),
        (["--processes", "0", "--out", "{new}"], "--processes must be"),
        (["--games", "3"], "--out is missing"),
        (["{new}", "--out", "{new}"], "No such file"),
        (["{empty}", "--out", "{new}"], "has none"),
        (["{replay}", "--games", "3", "--out", "{new}"], "--games goes without SOURCE"),
        (["{replay}", "--agents", "greedy", "--out", "{new}"], "--agents goes without replays"),
        (["{replay}", "{other}", "--out", "{new}"], "all replays must be of the same game"),
        (["{running}", "--out", "{new}"], "the game is not over"),
        (["{data}", "--replay", "99", "--out", "{new}"], "has no game 99"),
        (["{data}", "--replay", "9" * 20, "--out", "{new}"], f"has no game {'9' * 20}"),
        (["{empty}", "--replay", "0", "--out", "{new}"], "is no folder of an export"),
        (["{data}", "--replay", "0"], "--out is missing: the file"),
        (["{data}", "--replay", "0", "--games", "3", "--out", "{new}"], "--replay goes without --games"),
        (["--replay", "0", "--out", "{new}"], "--replay needs one SOURCE"),
        (["{data}", "--minari", "x", "--out", "{new}"], "--minari goes without"),
        (["--games", "3", "--observation", "vector", "--out", "{new}"], "--observation goes with --minari"),
    ],
)
def test_a_wrong_command_changes_nothing(words: list[str], message: str, exported: Path, tmp_path: Path) -> None:
    paths = {name: tmp_path / name for name in ("new", "empty", "replay", "other", "running")} | {"data": exported}
    paths["empty"].mkdir()
    game_of("random", "usa", 2).save(paths["replay"])
    game_of("random", "usa", 3).save(paths["other"])
    game_of("random", "usa", 2, actions=20).save(paths["running"])
    told = refusal(*(word.format(**paths) for word in words))
    assert message in told
    assert "\n" not in told
    assert not paths["new"].exists()


def test_a_folder_with_another_export_or_other_files_or_that_is_open_is_refused(exported: Path, tmp_path: Path) -> None:
    before, command = files_of(exported), (*SEVEN, "--out", exported)
    for name, value in (("games", 8), ("seed", 5), ("reward", "win"), ("games_per_file", 4)):
        assert f"has an export with {name}" in refusal(*command, f"--{name.replace('_', '-')}", value)
    assert "has an export with hidden" in refusal(*command, "--hidden")
    with Folder(exported).locked():
        assert "another process has it open" in refusal(*command)
    assert files_of(exported) == before
    (tmp_path / "README.md").write_text("mine")
    for path in (tmp_path, tmp_path / "README.md"):
        assert "must be a new or empty folder" in refusal(*SHORT, "--out", path)
    assert files_of(tmp_path) == {"README.md": b"mine"}


def test_a_damaged_file_is_refused_and_can_be_deleted(copy: Path, exported: Path) -> None:
    games, decisions = (copy / table / "00001.parquet" for table in ("games", "decisions"))
    damages: list[tuple[Path, Callable[[], object]]] = [
        *((file, partial(os.truncate, file, file.stat().st_size - 200)) for file in (games, decisions)),
        (games, lambda: pq.write_table(pq.read_table(games).drop_columns("deal"), games)),
        (decisions, lambda: pq.write_table(pq.read_table(decisions).slice(1), decisions)),
        (decisions, decisions.unlink),
    ]
    for file, damage in damages:
        whole = file.read_bytes()
        damage()
        before = files_of(copy)
        assert "delete the files of this number" in refusal(*SEVEN, "--out", copy)
        assert files_of(copy) == before
        file.write_bytes(whole)
    games.unlink()
    decisions.unlink()
    assert run(*SEVEN, "--out", copy) == 0
    assert files_of(copy) == files_of(exported)


@pytest.mark.parametrize("name", ["README.md", "decisions", "lock"])
def test_links_in_a_folder_are_not_followed(name: str, copy: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (copy / name).rename(elsewhere)
    (copy / name).symlink_to(elsewhere)
    assert "must not be a symbolic link" in refusal(*SEVEN, "--out", copy)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "t2r_env export 1"}', '{"format": "x", "settings": {}}'])
def test_settings_that_are_none_are_refused(text: str, copy: Path) -> None:
    (copy / "export.json").write_text(text)
    assert "export.json" in refusal(copy, "--replay", 0, "--out", copy / "game.json")
    assert "export.json" in refusal(*SHORT, "--out", copy)


def test_an_agent_that_changes_the_folder_does_not_take_the_export_along(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("--variant", "new_york", "--agents", path_of(odd_agents.Wandering), "--games", 2, "--out", "data")
    assert run(*words) == 0
    assert (tmp_path / "data" / "README.md").exists()
