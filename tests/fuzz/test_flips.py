"""Fifty of the states of each game that `python -m tests.fuzz.flips` changes by the hundred thousand."""

import pytest

from tests.fuzz.flips import GAMES, flip


@pytest.mark.parametrize(("variant", "players"), [game for game in GAMES if game[1] < 5])
def test_a_changed_state_is_refused_or_played_to_its_end(variant: str, players: int) -> None:
    assert 5 < flip(variant, players, 50, seed=1) < 35
