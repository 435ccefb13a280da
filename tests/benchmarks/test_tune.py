"""Tuning: the search finds what wins, resumes, and writes the planner's table only for the better."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import tune
from benchmarks.tune import main, mean_of, play_deals
from t2r_agents.playing.planner import PlannerAgent
from t2r_agents.playing.planner.tuned import ANY_MAP, Entry
from t2r_env import configure
from tests.helpers.fixtures import Capture, Patch
from tests.helpers.refusing import refusal

CLAIM_COST = 30
BEST = {"min_play_advantage": 300, "late_turns": 12}


def command(file: Path, *more: object) -> list[str]:
    """A small search in the Card Game, in this process."""
    game = ("--variant", "card_game", "--against", "racer", "random", "--seed", 5, "--processes", 1)
    small = ("--games", 4, "--population", 4, "--validation-games", 8, "--out", file)
    return list(map(str, [*game, *small, *more]))


def content_of(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


@pytest.fixture
def bowl(monkeypatch: Patch) -> list[int]:
    """In the place of games: the nearer two parameters are to BEST, the more is won. Returns the seeds of the deals."""
    seeds: list[int] = []

    def play(game: Any, agent: str, against: Any, seed: int, games: int, parameters: dict[str, int]) -> Any:
        seeds.append(seed)
        ranges = PlannerAgent().tunable_parameters(game)
        parts = [(parameters[name] - best) / (ranges[name].high - ranges[name].low) for name, best in BEST.items()]
        far = sum(part**2 for part in parts)
        rng = np.random.default_rng(seed)
        return np.stack([1 - far + 0.01 * rng.random((2, 20)), np.zeros((2, 20))], axis=2)

    monkeypatch.setattr(tune, "play_deals", play)
    return seeds


def test_it_finds_the_best_parameters_and_writes_them(bowl: list[int], tmp_path: Path, monkeypatch: Patch) -> None:
    written: list[Entry] = []
    monkeypatch.setattr(tune, "write_entry", written.append)
    file = tmp_path / "new" / "search.json"
    assert main(command(file, "--generations", 60, "--population", 14, "--sigma", 0.3, "--write")) == 0
    (entry,) = written
    assert entry.parameters == content_of(file)["result"]
    assert abs(entry.parameters["min_play_advantage"] - 300) <= 40
    assert abs(entry.parameters["late_turns"] - 12) <= 2
    assert (entry.variant, entry.num_players, entry.options) == ("card_game", 2, {"tickets": "classic"})
    assert entry.made["command"].startswith("python -m benchmarks.tune --variant card_game")
    assert entry.made["gain"]["low"] > 0
    deals = [bowl[first : first + 14] for first in range(0, 60 * 14, 14)]
    assert all(len(set(seeds)) == 1 for seeds in deals)  # all candidates of a generation play the same
    assert len(set(bowl)) == 60 + 1


def test_what_is_no_better_is_not_written(bowl: list[int], tmp_path: Path, monkeypatch: Patch, capsys: Capture) -> None:
    monkeypatch.setattr(tune, "write_entry", pytest.fail)
    monkeypatch.setattr(tune.Search, "result", property(lambda search: search.present))
    assert main(command(tmp_path / "search.json", "--generations", 1, "--write")) == 0
    assert "not better than the present parameters" in capsys.readouterr().out


def test_an_interrupted_search_goes_on_where_it_was_and_may_have_more_generations(
    bowl: list[int], tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    whole, parts = tmp_path / "whole.json", tmp_path / "parts.json"
    assert main(command(whole, "--generations", 4)) == 0
    evolve = tune.Search.evolve

    def interrupted(search: tune.Search, *arguments: Any) -> None:
        if len(search.fitness) == 2:
            raise KeyboardInterrupt
        evolve(search, *arguments)

    monkeypatch.setattr(tune.Search, "evolve", interrupted)
    assert main(command(parts, "--generations", 3)) == 130
    assert "2 generations are kept" in " ".join(capsys.readouterr().err.split())
    monkeypatch.setattr(tune.Search, "evolve", evolve)
    assert main(command(parts, "--generations", 4)) == 0
    assert content_of(parts) == content_of(whole)


@pytest.mark.release
def test_real_games_are_the_same_with_several_processes(tmp_path: Path) -> None:
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    assert main(command(one, "--generations", 1)) == 0
    assert main(command(two, "--generations", 1, "--processes", 2)) == 0
    assert content_of(one) == content_of(two)


@pytest.mark.parametrize(("variant", "players"), [("card_game", 3), ("team_asia", 4)])
def test_each_deal_is_played_from_every_team(variant: str, players: int) -> None:
    """A deterministic agent against itself plays the same game from every seat, so it wins once for each deal."""
    configuration = configure(variant, players)
    found = play_deals(configuration, "planner", ["planner", "random"], 7, 20, {})
    assert found.shape == (2, -(-10 // configuration.num_teams), 2)
    assert found[0, :, 0] == pytest.approx(1 / configuration.num_teams)
    assert (found[1, :, 0] == 1).all()
    assert (found[1, :, 1] > 0).all()


def test_a_game_without_a_result_is_no_win_and_the_interval_is_that_of_the_mean_over_deals() -> None:
    """C19."""
    assert not play_deals(configure("card_game", 2, turn_limit=3), "planner", ["random"], 7, 4, {}).any()
    mean = mean_of(np.array([[0.0, 1.0] * 50, [1.0] * 100]))
    assert mean.value == 0.75
    assert mean.high - mean.value == pytest.approx(1.96 * np.sqrt(25 / 99 / 100) / 2)


def test_the_planner_is_tuned_for_any_map_on_new_maps_in_each_generation(tmp_path: Path, monkeypatch: Patch) -> None:
    """The parameters are those for the usual number of trains: each map is played with what fits its own."""
    played: list[tuple[int, str, int, int]] = []
    written: list[Entry] = []

    def play(game: Any, agent: str, against: Any, seed: int, games: int, parameters: dict[str, int]) -> Any:
        fitted = CLAIM_COST * game.variant.trains // 45
        played.append((len(against), game.variant.id, games, parameters["claim_cost"] - fitted))
        return np.full((len(against), 3, 2), parameters["urgency"] / 300)

    monkeypatch.setattr(tune, "play_deals", play)
    monkeypatch.setattr(tune, "write_entry", written.append)
    monkeypatch.setattr(tune, "any_map_parameters", lambda: {"claim_cost": CLAIM_COST})
    arguments = "--generated-maps 2 --against greedy racer --games 12 --population 4 --processes 1 --sigma 0.001"
    file = tmp_path / "any.json"
    assert main([*arguments.split(), "--generations", "3", "--out", str(file), "--write"]) == 0
    assert {(opponents, games) for opponents, _, games, _ in played[: 3 * 4 * 2]} == {(2, 6)}
    maps = [played[first : first + 8] for first in range(0, 24, 8)]
    assert [len({variant for _, variant, _, _ in it}) for it in maps] == [2, 2, 2]
    assert len({variant for _, variant, _, _ in played}) == 8  # with two maps of the comparison
    assert all(abs(beyond) <= 1 for *_, beyond in played)
    (entry,) = written
    assert (entry.variant, entry.num_players, entry.options) == (ANY_MAP, 2, {})
    assert entry.made["deals"] == 2


def test_a_file_of_another_search_is_refused_and_stays(bowl: list[int], tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "search.json"
    assert main(command(file, "--generations", 1)) == 0
    before = content_of(file)
    for others in (("--games", 6), ("--seed", 6), ("--num-players", 3)):
        assert "holds another search" in refusal(capsys, main, *command(file, *others))
    assert content_of(file) == before
