"""A few hundred of the single bits that `python -m tests.fuzz.flips` flips by the hundred thousand."""

import pytest

from tests.fuzz.flips import GAMES, flip


@pytest.mark.parametrize(("variant", "players"), [game for game in GAMES if game[1] < 5])
def test_a_state_with_a_bit_flipped_is_refused_or_a_position_of_the_game(variant: str, players: int) -> None:
    assert 0 < flip(variant, players, 300, seed=1) < 150
