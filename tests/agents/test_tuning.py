"""Tuning: matches, the search, its folder and its command, and the table that the planner plays by."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from t2r_agents.planner import PlannerAgent, tuned
from t2r_agents.planner.parameters import Parameter
from t2r_agents.planner.tuned import Entry, read_table, tuned_parameters, write_entry
from t2r_agents.styles import RacerAgent
from t2r_agents.tuning import terminal
from t2r_agents.tuning.folder import Folder, FolderError
from t2r_agents.tuning.matches import Match, play_match
from t2r_agents.tuning.tuning import Generation, Settings, Share, Tuning
from t2r_agents.tuning.workers import Task, Workers
from t2r_env import configure
from t2r_env.agents import Decisions, RandomAgent, choose_evenly
from t2r_env.commands import main as t2r
from t2r_env.variants import VARIANTS

CARD_GAME = configure("card_game", 2)
SMALL = ("--games", 4, "--population", 3, "--validation-games", 8, "--sigma", 0.3)
ONLY = ("min_play_advantage", "late_turns")


def run(*arguments: object) -> int:
    """The command in one process, unless it names another number."""
    processes = [] if "--processes" in arguments else ["--processes", "1"]
    return t2r(["tune", *map(str, arguments), *processes])


def begin(folder: Path, generations: int, *arguments: object) -> int:
    """A small search in the Card Game."""
    game = ("--variant", "card_game", "--against", "planner:v1", "racer", "--seed", 5, "--only", *ONLY)
    return run(*game, *SMALL, "--generations", generations, "--out", folder, *arguments)


def generations_of(folder: Path) -> list[Any]:
    lines = (folder / "generations.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) | {"seconds": 0} for line in lines]


def search_of(folder: Path) -> Any:
    return json.loads((folder / "tuning.json").read_text(encoding="utf-8"))


# Matches


class NeedsObservations:
    """Plays at random, and notes whether it was given observations."""

    were_given = False

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        self.were_given = decisions.observations.shape[1] > 0
        return choose_evenly(decisions.masks, decisions.seeds)


def test_each_deal_is_played_from_every_team() -> None:
    """A deterministic agent against itself plays the same game from every seat, so it wins once for each deal."""
    match = play_match(configure("card_game", 3), RacerAgent(), RacerAgent(), range(4), 7, "test")
    assert match.wins.shape == match.margins.shape == (4, 3)
    assert match.wins.sum(axis=1).tolist() == [1.0] * 4
    assert np.all((match.margins > 0) == (match.wins == 1))


def test_a_deal_is_the_same_whichever_others_are_played_with_it() -> None:
    several = play_match(CARD_GAME, PlannerAgent(), RandomAgent(), range(5), 7, "test")
    one = play_match(CARD_GAME, PlannerAgent(), RandomAgent(), range(3, 4), 7, "test")
    assert one.margins[0].tolist() == several.margins[3].tolist()
    assert len(set(several.margins[:, 0].tolist())) > 1
    other = play_match(CARD_GAME, PlannerAgent(), RandomAgent(), range(5), 7, "another purpose")
    assert other.margins.tolist() != several.margins.tolist()


def test_a_team_wins_together() -> None:
    match = play_match(configure("team_asia", 4), PlannerAgent(), RandomAgent(), range(3), 7, "test")
    assert match.wins.shape == (3, 2)
    assert match.wins.mean() == 1


def test_an_agent_that_reads_observations_gets_them() -> None:
    reader = NeedsObservations()
    play_match(CARD_GAME, PlannerAgent(), reader, range(1), 7, "test")
    assert reader.were_given


def test_a_game_without_a_result_is_no_win() -> None:
    """C19."""
    match = play_match(configure("card_game", 2, turn_limit=3), PlannerAgent(), RandomAgent(), range(2), 7, "test")
    assert not match.wins.any()
    assert not match.margins.any()


def test_a_larger_margin_is_fitter_among_equal_shares_of_wins() -> None:
    close, clear = (Match(np.ones((1, 2)), np.full((1, 2), margin), 0) for margin in (1, 41))
    assert clear.fitness(0.25) - close.fitness(0.25) == pytest.approx(0.1)
    assert clear.fitness(0) == close.fitness(0) == 1


# The search


class Bowl(Workers):
    """In the place of games: the margin is the greater, the nearer two parameters are to 300 and 12."""

    def __init__(self) -> None:
        self.tasks: list[Task] = []

    def play(self, tasks: Sequence[Task]) -> Iterator[Match]:
        for task in tasks:
            self.tasks.append(task)
            far = (task.parameters["min_play_advantage"] - 300) / 400, (task.parameters["late_turns"] - 12) / 15
            margin = round(-10_000 * (far[0] ** 2 + far[1] ** 2))
            wins = np.full((len(task.deals), 2), 1 + margin / 10_000)
            yield Match(wins, np.full_like(wins, margin, np.int64), 0)


def settings(**changes: Any) -> Settings:
    plain = Settings("card_game", 2, dict(CARD_GAME.options), "planner", ["racer", "greedy"], seed=1, games=8)
    return replace(plain, population=8, only=list(ONLY), **changes)


def test_it_finds_the_best_parameters_and_leaves_the_others_alone() -> None:
    tuning, bowl = Tuning(settings(generations=25)), Bowl()
    assert sum(generation is not None for generation in tuning.play(bowl)) == 25
    assert abs(tuning.result["min_play_advantage"] - 300) <= 10
    assert abs(tuning.result["late_turns"] - 12) <= 1
    assert {name for name in tuning.result if tuning.result[name] != tuning.start[name]} == set(ONLY)
    assert all(
        it.low <= task.parameters[name] <= it.high for task in bowl.tasks for name, it in tuning.parameters.items()
    )
    validation = tuning.validate(bowl)
    assert validation.is_better
    assert validation.gain.value == pytest.approx(validation.result_of_all.value - validation.start_of_all.value)


def test_candidates_of_a_generation_play_the_same_deals_and_each_generation_new_ones() -> None:
    tuning, bowl = Tuning(settings(generations=2)), Bowl()
    list(tuning.play(bowl))
    first = [task.deals for task in bowl.tasks if task.opponent == 0]
    second = [task.deals for task in bowl.tasks if task.opponent == 1]
    assert len(set(first)) == len(set(second)) == 2
    played = [deal for deals in {*first, *second} for deal in deals]
    assert len(set(played)) == len(played) == 8
    list(tuning.validate(bowl).result)
    assert {task.purpose for task in bowl.tasks} == {"tuning", "validation"}


def test_numpys_own_generator_is_left_alone() -> None:
    np.random.seed(3)  # noqa: NPY002
    expected = np.random.random()  # noqa: NPY002
    np.random.seed(3)  # noqa: NPY002
    list(Tuning(settings(generations=2)).play(Bowl()))
    assert np.random.random() == expected  # noqa: NPY002


def test_the_interval_of_a_share_is_that_of_the_mean_over_deals() -> None:
    share = Share.of([np.array([0.0, 1.0] * 50), np.ones(100)])
    assert share.value == 0.75
    assert share.high - share.value == pytest.approx(1.96 * np.sqrt(25 / 99 / 100) / 2)


def test_generations_of_another_search_are_refused() -> None:
    tuning = Tuning(settings(generations=2))
    list(tuning.play(Bowl()))
    again = Tuning(settings(generations=2))
    again.restore(tuning.generations)
    assert again.result == tuning.result
    with pytest.raises(ValueError, match="generation 0 is not of this search"):
        Tuning(replace(settings(generations=2), seed=2)).restore(tuning.generations)


# The command


@pytest.fixture(scope="module")
def two_generations(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a whole search."""
    folder = tmp_path_factory.mktemp("tuning") / "whole"
    assert begin(folder, 2) == 0
    return folder


def test_the_result_is_the_same_with_two_processes(two_generations: Path, tmp_path: Path) -> None:
    assert begin(tmp_path / "two", 2, "--processes", 2) == 0
    assert generations_of(tmp_path / "two") == generations_of(two_generations)
    assert search_of(tmp_path / "two") == search_of(two_generations)


def test_an_interrupted_search_goes_on_where_it_was(
    two_generations: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = Tuning.play

    def interrupted(self: Tuning, workers: Workers) -> Iterator[Generation | None]:
        for generation in whole(self, workers):
            yield generation
            if generation:
                raise KeyboardInterrupt

    folder = tmp_path / "interrupted"
    monkeypatch.setattr(Tuning, "play", interrupted)
    assert begin(folder, 2) == 130
    assert "interrupted after 1 generations" in capsys.readouterr().err
    assert generations_of(folder) == generations_of(two_generations)[:1]
    with (folder / "generations.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"number": 1, "cand')  # it was killed while it wrote
    monkeypatch.undo()
    assert run("--resume", folder) == 0
    assert generations_of(folder) == generations_of(two_generations)
    assert search_of(folder) == search_of(two_generations)


def test_a_search_can_have_more_generations_later(two_generations: Path, tmp_path: Path) -> None:
    assert begin(tmp_path / "short", 1) == 0
    assert run("--resume", tmp_path / "short", "--generations", 2) == 0
    assert search_of(tmp_path / "short") == search_of(two_generations)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--agent", "greedy"), "'greedy' has no parameters to tune for card_game, 2 players"),
        (("--agent", "planner:v1"), "'planner:v1' has no parameters to tune"),
        (("--only", "boldness"), "no parameter 'boldness'; there are: min_play_advantage"),
        (("--against", "racer", "racer"), "different agents"),
        (("--sigma", "0"), "sigma must be above 0"),
        (("--population", "2"), "population must be an integer from 3"),
        (("--games", "0"), "games must be an integer from 1"),
        (("--margin-weight", "-1"), "margin_weight must be a number from 0"),
        (("--num-players", "7"), "num_players of card_game"),
        (("--processes", "0"), "--processes must be"),
    ],
)
def test_what_is_not_allowed_is_said(
    arguments: Sequence[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        begin(tmp_path / "new", 1, *arguments)
    assert ended.value.code == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_a_folder_keeps_its_search(two_generations: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = search_of(two_generations)
    with pytest.raises(SystemExit):
        begin(two_generations, 1)
    assert "use --resume to go on with it" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        run("--resume", two_generations, "--games", 6)
    assert "games must be 4 as in" in capsys.readouterr().err
    assert search_of(two_generations) == before


def resumed(path: Path) -> Tuning:
    folder = Folder(path)
    tuning = Tuning(folder.settings())
    folder.resume(tuning)
    return tuning


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("tuning.json", "{", "", "can't be read"),
        ("tuning.json", '"low": 0', '"low": -3', "are others now"),
        ("tuning.json", '"digest": "', '"digest": "0', "other tables"),
        ("generations.jsonl", '"number": 0', '"number": 3', "generation 3 is not of this search"),
        ("generations.jsonl", '"fitness"', '"fatness"', "can't be used"),
        ("generations.jsonl", '"fitness": [', '"fitness": [true, ', "can't be used"),
    ],
)
def test_a_damaged_folder_is_refused(
    two_generations: Path, tmp_path: Path, name: str, old: str, new: str, message: str
) -> None:
    for file in ("tuning.json", "generations.jsonl"):
        text = (two_generations / file).read_text(encoding="utf-8")
        assert old in text or file != name
        (tmp_path / file).write_text(text.replace(old, new, 1) if file == name else text, encoding="utf-8")
    with pytest.raises(FolderError, match=message):
        resumed(tmp_path)


# The table


def entry(variant: str, num_players: int, value: int, **options: Any) -> Entry:
    return Entry(variant, num_players, options, {"late_turns": value}, {})


TABLE = [
    entry("usa", 2, 1, tickets="classic"),
    entry("usa", 2, 2, tickets="mega"),
    entry("usa", 4, 3, tickets="mega"),
    entry("new_york", 2, 4, tickets="classic"),
]


@pytest.mark.parametrize(
    ("num_players", "tickets", "expected"), [(2, "mega", 2), (2, "classic", 1), (4, "classic", 3), (5, "mega", 3)]
)
def test_the_nearest_entry_serves(num_players: int, tickets: str, expected: int) -> None:
    """Players come before options."""
    found = tuned_parameters(configure("usa", num_players, tickets=tickets, turn_limit=99), TABLE)
    assert found == {"late_turns": expected}


def test_of_two_numbers_of_players_as_near_the_smaller_serves() -> None:
    assert tuned_parameters(configure("usa", 3, tickets="mega"), TABLE) == {"late_turns": 2}
    assert tuned_parameters(configure("usa", 3, tickets="mega"), TABLE[::-1]) == {"late_turns": 2}


def test_a_variant_without_an_entry_is_played_with_the_defaults() -> None:
    assert tuned_parameters(configure("pennsylvania", 2), TABLE) == {}


def test_given_parameters_replace_tuned_ones_and_these_the_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    table = (Entry("card_game", 2, {"tickets": "classic"}, {"late_turns": 7, "small_row_cards": 2}, {}),)
    monkeypatch.setattr(tuned, "read_table", lambda: table)
    agent = PlannerAgent(parameters={"late_turns": 9})
    played_with = {name: it.default for name, it in agent.tunable_parameters(CARD_GAME).items()}
    play_match(CARD_GAME, agent, RandomAgent(), range(1), 0, "test")
    records = agent._records[CARD_GAME].parameters[0]
    assert {name: int(records[name]) for name in played_with} == played_with
    assert (played_with["late_turns"], played_with["small_row_cards"]) == (9, 2)
    assert played_with["max_planned_tickets"] == 12


def test_a_planner_plays_each_number_of_players_with_its_own_parameters(monkeypatch: pytest.MonkeyPatch) -> None:
    table = tuple(Entry("card_game", players, {}, {"late_turns": players}, {}) for players in (2, 4))
    monkeypatch.setattr(tuned, "read_table", lambda: table)
    agent = PlannerAgent()
    for players in (2, 4):
        play_match(configure("card_game", players), agent, RandomAgent(), range(1), 0, "test")
    used = [int(records.parameters["late_turns"][0]) for records in agent._records.values()]
    assert used == [2, 4]


def test_the_planner_of_0_1_is_not_tuned() -> None:
    assert PlannerAgent("v1").tunable_parameters(CARD_GAME) == {}


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"boldness": 1}, "there is no parameter 'boldness'; there are: min_play_advantage"),
        ({"late_turns": 99}, "late_turns must be an integer from 0 to 15, not 99"),
        ({"late_turns": 0.5}, "late_turns must be an integer from 0 to 15, not 0.5"),
    ],
)
def test_parameters_that_are_not_allowed_are_refused(parameters: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PlannerAgent(parameters=parameters).tunable_parameters(CARD_GAME)


def test_a_parameters_default_lies_in_its_range() -> None:
    with pytest.raises(ValueError, match="default must be an integer from 0 to 5, not 6"):
        Parameter(6, 0, 5, "")


def test_an_entry_replaces_the_one_for_the_same_game(tmp_path: Path) -> None:
    path = tmp_path / "tuned.json"
    assert read_table(path) == ()
    for one in (TABLE[1], TABLE[0], replace(TABLE[1], parameters={"late_turns": 8})):
        write_entry(one, path)
    assert [(it.options["tickets"], it.parameters["late_turns"]) for it in read_table(path)] == [
        ("classic", 1),
        ("mega", 8),
    ]


@pytest.mark.parametrize("one", read_table(), ids=lambda one: f"{one.variant}-{one.num_players}")
def test_each_entry_of_the_table_is_a_games_and_says_how_it_was_made(one: Entry) -> None:
    assert one.variant in VARIANTS
    configuration = configure(one.variant, one.num_players, **one.options)
    assert tuned_parameters(configuration) == one.parameters
    played_with = {name: it.default for name, it in PlannerAgent().tunable_parameters(configuration).items()}
    assert one.parameters.items() <= played_with.items()
    assert one.made["command"].startswith(f"t2r tune --variant {one.variant} --num-players {one.num_players} ")
    assert one.made["gain"]["low"] > 0


def test_the_result_is_written_into_the_table_only_if_it_is_better(
    two_generations: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written: list[Entry] = []
    monkeypatch.setattr(terminal, "write_entry", written.append)
    of = Tuning.validate

    def worse(self: Tuning, workers: Workers) -> Any:
        return replace(of(self, workers), gain=Share(0.1, -0.1, 0.3))

    def better(self: Tuning, workers: Workers) -> Any:
        return replace(of(self, workers), gain=Share(0.3, 0.1, 0.5))

    monkeypatch.setattr(Tuning, "validate", worse)
    assert run("--resume", two_generations, "--write") == 0
    assert "not better than the start" in capsys.readouterr().out
    assert not written
    monkeypatch.setattr(Tuning, "validate", better)
    assert run("--resume", two_generations, "--write") == 0
    (one,) = written
    assert (one.variant, one.num_players, one.options) == ("card_game", 2, {"tickets": "classic"})
    assert one.parameters == search_of(two_generations)["result"]
    assert "--seed 5 --only min_play_advantage late_turns" in one.made["command"]
