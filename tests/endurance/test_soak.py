"""The soak finds faults, and none in a few hundred games."""

from typing import Any

import pytest

from tests.endurance import soak
from tests.helpers.playing import DECKS


@pytest.mark.parametrize("portion", range(0, len(DECKS), 7))
def test_a_few_hundred_games_have_no_fault(portion: int) -> None:
    tally = soak.play_portion(portion, 300)
    assert tally.faults == []
    assert tally.games >= tally.ends >= 300
    assert min(tally.states, tally.determinizations, tally.refereed) > 0


@pytest.mark.parametrize("field", ["score", "rank"])
def test_a_wrong_result_is_found(field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check = soak.Soak._check_ends

    def check_changed(self: soak.Soak, rows: Any) -> None:
        self.games.finished[field][:, 0] += 1
        check(self, rows)

    monkeypatch.setattr(soak.Soak, "_check_ends", check_changed)
    assert len(soak.play_portion(0, 300).faults) == 1


pytestmark = pytest.mark.release
