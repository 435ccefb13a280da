"""A user's own map, the example of docs/variants.md, is played like the shipped ones, by the path of its folder."""

from pathlib import Path

import numpy as np
import pytest

import t2r_env
from t2r_agents.comparing.tournament import Tournament
from tests.helpers.example_map import write_example_map


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_example_map(tmp_path / "lakes")


@pytest.mark.parametrize("players", [2, 3])
def test_games_are_played_to_their_end(folder: Path, players: int) -> None:
    games = t2r_env.Games(folder, players, batch=50, seed=0)
    assert games.play_random(400) >= 50
    results = games.results
    assert np.array_equal(results.scores, sum(results.breakdown.values()))
    assert (results.ranks.min(axis=1) == 1).all()


def test_agents_play_it_in_a_tournament(folder: Path) -> None:
    tournament = Tournament(t2r_env.configure(folder, 2), ["random", "greedy"], 20, 0)
    assert sum(len(entries) for entries in tournament.play()) == 2 * 20
    assert {entry.agent for entry in tournament.entries} == {"random", "greedy"}
