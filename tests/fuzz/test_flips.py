"""Fifty states of each variant, with its fewest players; `python -m tests.fuzz.flips` changes far more of them."""

import pytest

from tests.fuzz.flips import flip
from tests.helpers.playing import LOADED_VARIANTS


@pytest.mark.parametrize(
    ("variant", "players"), [(variant.id, variant.min_players) for variant in LOADED_VARIANTS[::3]]
)
def test_a_changed_state_is_refused_or_played_to_its_end(variant: str, players: int) -> None:
    assert 5 < flip(variant, players, 50, seed=1) < 35
