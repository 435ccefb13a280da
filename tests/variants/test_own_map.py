"""A user's own map, the example of docs/variants.md, is played like the shipped ones, by the path of its folder."""

from pathlib import Path

import pytest

from t2r_agents.comparing.tournament import Tournament
from t2r_env import configure
from tests.helpers.example_map import write_example_map


@pytest.mark.parametrize(("players", "entries"), [(2, 40), (3, 63)])
def test_agents_play_it_in_a_tournament(tmp_path: Path, players: int, entries: int) -> None:
    tournament = Tournament(configure(write_example_map(tmp_path), players), ["random", "greedy"], 20, 0)
    assert sum(map(len, tournament.play())) == entries
    assert {entry.agent for entry in tournament.entries} == {"random", "greedy"}
