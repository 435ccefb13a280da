"""The check of texts finds no fault in a few games of every configuration."""

import pytest

from t2r_env import VARIANTS
from tests.endurance import add_numbers
from tests.endurance.texts import Tally, check_portion, portions_of


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_text_of_a_few_games_is_taken_for_its_action(variant: str) -> None:
    tally = Tally()
    for portion in portions_of(variant, 8):
        add_numbers(tally, check_portion(portion))
    assert tally.faults == []
    assert (tally.games, tally.failures) == (8, 0)
    assert tally.actions > tally.parsed > 5 * tally.decisions
    assert 0 < tally.checked_again < tally.actions / 20


pytestmark = pytest.mark.release
