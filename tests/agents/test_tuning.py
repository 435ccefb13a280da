"""Tuning: matches, the search, its folder and its command, and the table that the planner plays by."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from t2r_agents.planner import PlannerAgent, RacerAgent, tuned
from t2r_agents.planner.parameters import Parameter
from t2r_agents.planner.tuned import Entry, read_table, tuned_parameters, write_entry
from t2r_agents.tuning import terminal
from t2r_agents.tuning.folder import Folder, FolderError
from t2r_agents.tuning.matches import Match, Mirror, play_match, play_mirror
from t2r_agents.tuning.tuning import Evaluation, Round, Settings, Share, Tuning, Validation, steps_of
from t2r_agents.tuning.workers import Task, Team, Workers
from t2r_env import configure
from t2r_env.agents import Decisions, RandomAgent, choose_evenly
from t2r_env.commands import main as t2r
from t2r_env.variants import VARIANTS

CARD_GAME = configure("card_game", 2)
SMALL = ("--games", 4, "--sweeps", 1, "--population", 3, "--validation-games", 8, "--sigma", 0.3)
ONLY = ("min_play_advantage", "late_turns")


def run(*arguments: object) -> int:
    """The command in one process, unless it names another number."""
    processes = [] if "--processes" in arguments else ["--processes", "1"]
    return t2r(["tune", *map(str, arguments), *processes])


def begin(folder: Path, generations: int, *arguments: object) -> int:
    """A small search in the Card Game."""
    game = ("--variant", "card_game", "--against", "planner:v1", "racer", "--seed", 5, "--only", *ONLY)
    return run(*game, *SMALL, "--generations", generations, "--out", folder, *arguments)


def evaluations_of(folder: Path) -> list[Any]:
    return [json.loads(line) for line in (folder / "evaluations.jsonl").read_text(encoding="utf-8").splitlines()]


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


def test_a_mirror_tells_the_means_of_the_winner() -> None:
    mirror = play_mirror(configure("new_york", 2), RacerAgent(), range(4), 7, "test")
    means, columns = mirror.means(), mirror.columns
    parts = sum(column for name, column in columns.items() if name.startswith("part "))
    assert np.array_equal(parts, columns["score"])
    assert means["score"] == columns["score"].mean() > 0
    assert 5 < means["turns"] < 40
    match = play_match(configure("new_york", 2), RacerAgent(), RacerAgent(), range(4), 7, "test")
    won = np.abs(match.margins[:, 0])
    assert np.all(columns["score"] >= won)


def test_parts_of_a_match_are_the_whole_match() -> None:
    """So several processes can share it."""
    player = Team(CARD_GAME, "planner", ["racer"], 7).player()
    for opponent in (0, None):
        task = Task({}, opponent, range(3, 8), "test")
        parts = task.parts(3)
        assert [len(part.deals) for part in parts] == [1, 2, 2]
        played, whole = [player.play(part) for part in parts], player.play(task)
        joined: Match | Mirror = type(whole).joined(played)  # type: ignore[arg-type]  # all are of the whole's type
        np.testing.assert_equal(vars(joined), vars(whole))
    assert task.parts(9) == [replace(task, deals=range(deal, deal + 1)) for deal in task.deals]


# The search


class Bowl(Workers):
    """In the place of games: the margin is the greater, the nearer two parameters are to 300 and 12."""

    def __init__(self) -> None:
        self.tasks: list[Task] = []

    def play(self, tasks: Sequence[Task]) -> Iterator[Match | Mirror]:
        for task in tasks:
            self.tasks.append(task)
            far = (task.parameters["min_play_advantage"] - 300) / 400, (task.parameters["late_turns"] - 12) / 15
            margin = round(-10_000 * (far[0] ** 2 + far[1] ** 2))
            if task.opponent is None:
                yield Mirror({"score": np.full(len(task.deals), 100.0 + task.parameters["late_turns"])})
                continue
            wins = np.full((len(task.deals), 2), 1 + margin / 10_000)
            yield Match(wins, np.full_like(wins, margin, np.int64), 0)


def settings(**changes: Any) -> Settings:
    plain = Settings("card_game", 2, dict(CARD_GAME.options), "planner", ["racer", "greedy"], seed=1, games=8)
    usual: dict[str, Any] = {"sweeps": 0, "sigma": 0.2, "population": 8, "only": list(ONLY)}
    return replace(plain, **usual | changes)


def rounds_of(tuning: Tuning, workers: Workers) -> list[Round]:
    return [step for step in tuning.play(workers) if isinstance(step, Round)]


@pytest.mark.parametrize("stages", [{"generations": 25}, {"sweeps": 8, "generations": 0}, {"sweeps": 3}])
def test_it_finds_the_best_parameters_and_leaves_the_others_alone(stages: dict[str, int]) -> None:
    tuning, bowl = Tuning(settings(start={"late_turns": 3}, **stages)), Bowl()
    rounds_of(tuning, bowl)
    assert abs(tuning.result["min_play_advantage"] - 300) <= 10
    assert abs(tuning.result["late_turns"] - 12) <= 1
    assert {name for name in tuning.result if tuning.result[name] != tuning.start[name]} == set(ONLY)
    assert all(
        it.low <= task.parameters[name] <= it.high for task in bowl.tasks for name, it in tuning.parameters.items()
    )
    validation = tuning.validate(bowl)
    assert validation.is_better(0)
    assert validation.gain.value == pytest.approx(validation.result_of_all.value - validation.start_of_all.value)


def test_a_sweep_plays_a_step_down_and_up_of_each_parameter_and_then_the_gainful_together() -> None:
    start = {"min_play_advantage": 200, "late_turns": 2}
    tuning, bowl = Tuning(settings(sweeps=2, generations=0, start=start)), Bowl()
    rounds = rounds_of(tuning, bowl)
    low, high = tuning.tuned["min_play_advantage"].low, tuning.tuned["min_play_advantage"].high
    step = round(0.2 * (high - low))
    tried = [it.candidate for it in rounds[0].evaluations]
    assert tried == [[200, 2], [200 - step, 2], [200 + step, 2], [200, 0], [200, 4]]
    assert [(it.stage, [one.candidate for one in it.evaluations]) for it in rounds[1:4]] == [
        ("sweep 0, so far", [[200, 2]]),
        ("sweep 0, late_turns 4", [[200, 4]]),
        (f"sweep 0, min_play_advantage {200 + step}", [[200 + step, 4]]),
    ]
    assert rounds[4].stage == "sweep 1"
    assert rounds[4].evaluations[0].candidate == [200 + step, 4]


def test_steps_are_shorter_low_in_the_range_and_stay_in_it() -> None:
    assert steps_of(Parameter(50, 0, 100, ""), 50, 0.2) == [30, 70]
    assert steps_of(Parameter(50, 0, 100, ""), 29, 0.2) == [19, 39]
    assert steps_of(Parameter(50, 0, 100, ""), 95, 0.2) == [75, 100]
    assert steps_of(Parameter(5, 0, 5, ""), 5, 0.01) == [4]


def test_candidates_of_a_round_play_the_same_deals_and_each_round_new_ones() -> None:
    tuning, bowl = Tuning(settings(sweeps=1, generations=1, mirror_weight=0.1)), Bowl()
    rounds = rounds_of(tuning, bowl)
    assert {it.block for it in rounds} == {0, 1, 2}
    for opponents in ((0, None), (1,)):
        deals = {task.deals for task in bowl.tasks if task.opponent in opponents}
        assert len(deals) == 3
    played = [deal for deals in {task.deals for task in bowl.tasks} for deal in deals]
    assert len(set(played)) == len(played) == 2 * 2 * 3
    before = len(bowl.tasks)
    tuning.validate(bowl)
    assert {task.purpose for task in bowl.tasks[:before]} == {"tuning"}
    assert {task.purpose for task in bowl.tasks[before:]} == {"validation"}


def test_the_mirror_counts_with_its_weight() -> None:
    (plain, *_), (mirrored, *_) = (
        rounds_of(Tuning(settings(sweeps=1, generations=0, mirror_weight=weight)), Bowl()) for weight in (0, 0.5)
    )
    assert [it.mirror for it in plain.evaluations] == [None] * len(plain.evaluations)
    for without, with_mirror in zip(plain.evaluations, mirrored.evaluations, strict=True):
        assert with_mirror.mirror == 100 + with_mirror.candidate[1]
        assert with_mirror.fitness == pytest.approx(without.fitness + 0.5 * with_mirror.mirror / 100)


def test_the_result_is_compared_with_what_is_played_at_present_wherever_the_search_starts() -> None:
    tuning, bowl = Tuning(settings(sweeps=0, generations=0, start={"late_turns": 12})), Bowl()
    rounds_of(tuning, bowl)
    assert tuning.result == tuning.start == tuning.present | {"late_turns": 12}
    assert tuning.validate(bowl).is_better(0)


def test_numpys_own_generator_is_left_alone() -> None:
    np.random.seed(3)  # noqa: NPY002  # the global generator is what is tested
    expected = np.random.random()  # noqa: NPY002
    np.random.seed(3)  # noqa: NPY002
    rounds_of(Tuning(settings(generations=2)), Bowl())
    assert np.random.random() == expected  # noqa: NPY002


def test_the_interval_of_a_share_is_that_of_the_mean_over_deals() -> None:
    share = Share.of([np.array([0.0, 1.0] * 50), np.ones(100)])
    assert share.value == 0.75
    assert share.high - share.value == pytest.approx(1.96 * np.sqrt(25 / 99 / 100) / 2)


def test_a_search_takes_over_what_was_played() -> None:
    tuning, bowl = Tuning(settings(sweeps=1, generations=2)), Bowl()
    rounds = rounds_of(tuning, bowl)
    again, idle = Tuning(settings(sweeps=1, generations=2)), Bowl()
    again.restore(tuning.evaluations.values())
    assert list(again.play(idle)) == rounds
    assert again.result == tuning.result
    assert not idle.tasks


# The command


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a whole search."""
    folder = tmp_path_factory.mktemp("tuning") / "whole"
    assert begin(folder, 2) == 0
    return folder


def test_the_result_is_the_same_with_several_processes(whole: Path, tmp_path: Path) -> None:
    """With three, processes share matches when the two of one candidate are played."""
    assert begin(tmp_path / "three", 2, "--processes", 3) == 0
    assert evaluations_of(tmp_path / "three") == evaluations_of(whole)
    assert search_of(tmp_path / "three") == search_of(whole)


@pytest.mark.parametrize("last", [2, 7])
def test_an_interrupted_search_goes_on_where_it_was(
    whole: Path, tmp_path: Path, last: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a sweep, and after it."""
    play = Tuning.play

    def interrupted(self: Tuning, workers: Workers) -> Iterator[Evaluation | Round]:
        for number, step in enumerate(play(self, workers)):
            yield step
            if number == last:
                raise KeyboardInterrupt

    folder = tmp_path / "interrupted"
    monkeypatch.setattr(Tuning, "play", interrupted)
    assert begin(folder, 2) == 130
    played = evaluations_of(folder)
    assert f"interrupted after {len(played)} evaluations" in " ".join(capsys.readouterr().err.split())
    assert 0 < len(played) < len(evaluations_of(whole))
    assert played == evaluations_of(whole)[: len(played)]
    with (folder / "evaluations.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"block": 1, "cand')  # it was killed while it wrote
    monkeypatch.undo()
    assert run("--resume", folder) == 0
    assert evaluations_of(folder) == evaluations_of(whole)
    assert search_of(folder) == search_of(whole)


def test_a_search_can_have_more_generations_later(whole: Path, tmp_path: Path) -> None:
    assert begin(tmp_path / "short", 1) == 0
    assert run("--resume", tmp_path / "short", "--generations", 2) == 0
    assert search_of(tmp_path / "short") == search_of(whole)


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
        (("--mirror-weight", "nan"), "mirror_weight must be a number from 0"),
        (("--sweeps", "-1"), "sweeps must be an integer from 0"),
        (("--step", "1.5"), "step must be above 0 and at most 1"),
        (("--start", "nowhere"), "--start must be table, defaults or a file"),
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


def test_a_folder_keeps_its_search(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = search_of(whole)
    with pytest.raises(SystemExit):
        begin(whole, 1)
    assert "use --resume to go on with it" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        run("--resume", whole, "--games", 6)
    assert "games must be 4 as in" in capsys.readouterr().err
    assert search_of(whole) == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "start.json: "),
        ("[1]", "must contain an object of parameters by name"),
        ('{"boldness": 1}', "there is no parameter 'boldness'"),
        ('{"late_turns": 99}', "late_turns must be an integer from 0 to 15, not 99"),
        ('{"late_turns": "7"}', "late_turns must be an integer from 0 to 15"),
    ],
)
def test_a_start_that_does_not_fit_is_refused(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "start.json").write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit):
        begin(tmp_path / "new", 1, "--start", tmp_path / "start.json")
    assert message in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_a_search_starts_from_the_table_the_defaults_or_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = (Entry("card_game", 2, {"tickets": "classic"}, {"late_turns": 7, "small_row_cards": 2}, {}),)
    monkeypatch.setattr(tuned, "read_table", lambda: table)
    (tmp_path / "start.json").write_text('{"late_turns": 9}', encoding="utf-8")
    starts = {}
    for name in ("table", "defaults", tmp_path / "start.json"):
        monkeypatch.setattr(terminal, "_play", lambda tuning, *_: Tuning(tuning.settings).validate(Bowl()))
        folder = tmp_path / f"from {Path(name).name}"
        assert begin(folder, 1, "--start", name) == 0
        starts[Path(name).name] = search_of(folder)["settings"]["start"]
    defaults = PlannerAgent().default_parameters(CARD_GAME)
    assert starts["table"] == defaults | {"late_turns": 7, "small_row_cards": 2}
    assert starts["defaults"] == defaults
    assert starts["start.json"] == starts["table"] | {"late_turns": 9}


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
        ("evaluations.jsonl", '"block": 0', '"block": -1', "block must be an integer, at least 0"),
        ("evaluations.jsonl", '"fitness"', '"fatness"', "can't be used"),
        ("evaluations.jsonl", '"candidate": [', '"candidate": [-1', "must be an integer from 0 to"),
        ("evaluations.jsonl", '"candidate": [', '"candidate": [1, ', "can't be used"),
        ("evaluations.jsonl", '"wins": [', '"wins": [true, ', "is not of this search"),
    ],
)
def test_a_damaged_folder_is_refused(whole: Path, tmp_path: Path, name: str, old: str, new: str, message: str) -> None:
    for file in ("tuning.json", "evaluations.jsonl"):
        text = (whole / file).read_text(encoding="utf-8")
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
    assert one.made["gain"]["low"] > 0 or ("--mirror-weight" in one.made["command"] and one.made["gain"]["high"] > 0)


def test_where_the_score_was_sought_too_a_result_that_wins_as_often_and_scores_more_is_better() -> None:
    even, worse = Share(0.0, -0.1, 0.1), Share(-0.2, -0.3, -0.1)
    for gain, score, weight, expected in (
        (even, 150.0, 1.0, True),
        (even, 150.0, 0.0, False),
        (even, 139.0, 1.0, False),
        (worse, 150.0, 1.0, False),
    ):
        made = Validation(10, {}, {}, even, even, gain, {"score": 140.0}, {"score": score})
        assert made.is_better(weight) == expected


def test_the_result_is_written_into_the_table_only_if_it_is_better(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written: list[Entry] = []
    monkeypatch.setattr(terminal, "write_entry", written.append)
    of = Tuning.validate

    def worse(self: Tuning, workers: Workers) -> Any:
        return replace(of(self, workers), gain=Share(0.1, -0.1, 0.3))

    def better(self: Tuning, workers: Workers) -> Any:
        return replace(of(self, workers), gain=Share(0.3, 0.1, 0.5))

    monkeypatch.setattr(Tuning, "validate", worse)
    assert run("--resume", whole, "--write") == 0
    assert "not better than what is played with at present" in capsys.readouterr().out
    assert not written
    monkeypatch.setattr(Tuning, "validate", better)
    assert run("--resume", whole, "--write") == 0
    (one,) = written
    assert (one.variant, one.num_players, one.options) == ("card_game", 2, {"tickets": "classic"})
    assert one.parameters == search_of(whole)["result"]
    assert "--seed 5 --start start.json --only min_play_advantage late_turns" in one.made["command"]
    assert one.made["started_from"] == search_of(whole)["settings"]["start"]
    assert one.made["result_mirror"]["score"] > 0
