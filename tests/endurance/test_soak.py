"""The soak finds no fault in a few hundred games."""

import pytest

from tests.endurance import soak
from tests.helpers.playing import DECKS


@pytest.mark.parametrize("portion", range(0, len(DECKS), 7))
def test_a_few_hundred_games_have_no_fault(portion: int) -> None:
    tally = soak.play_portion(portion, 300)
    assert tally.faults == []
    assert tally.games >= tally.ends >= 300
    assert min(tally.states, tally.determinizations, tally.refereed) > 0


pytestmark = pytest.mark.release
