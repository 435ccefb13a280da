"""The check of texts finds faults, and none in a few games of every configuration."""

from dataclasses import replace
from typing import Any

import pytest

from t2r_env import VARIANTS
from t2r_env.text import LegalAction, legal_actions, parse_action
from tests.endurance import add_numbers, texts
from tests.endurance.texts import Portion, Tally, check_portion, portions_of


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_text_of_a_few_games_is_taken_for_its_action(variant: str) -> None:
    tally = Tally()
    for portion in portions_of(variant, 8):
        add_numbers(tally, check_portion(portion))
    assert tally.faults == []
    assert (tally.games, tally.failures) == (8, 0)
    assert tally.actions > tally.parsed > 5 * tally.decisions
    assert 0 < tally.checked_again < tally.actions / 20


def test_a_text_that_is_not_parsed_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def parse(text: str, legal: list[LegalAction]) -> int:
        return parse_action("draw" if text == "draw deck" else text, legal)

    monkeypatch.setattr(texts, "parse_action", parse)
    tally = check_portion(Portion(0, 0, 2))
    assert tally.failures > len(tally.faults) == texts.FAULTS_SHOWN
    assert "usa_2, seed 0, decision " in tally.faults[0]
    assert "'draw' fits several legal actions" in tally.faults[0]
    monkeypatch.setattr(texts, "parse_action", lambda text, legal: legal[0].action)
    assert "is taken for" in check_portion(Portion(0, 0, 1)).faults[0]


def test_a_text_that_is_shared_by_actions_that_are_not_equal_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def describe(*arguments: Any) -> list[LegalAction]:
        return [replace(it, text=it.text.replace("blue", "red")) for it in legal_actions(*arguments)]

    monkeypatch.setattr(texts, "legal_actions", describe)
    assert "'draw red' is the text of action " in " ".join(check_portion(Portion(0, 0, 5)).faults)


def test_a_text_that_is_remembered_wrongly_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the colour of a face-up card were forgotten."""
    describe, known = texts.RoundTrips._describe, dict[int, LegalAction]()
    monkeypatch.setattr(texts.RoundTrips, "_describe", lambda *all_of: known.setdefault(all_of[-1], describe(*all_of)))
    faults = check_portion(Portion(0, 0, 40)).faults
    assert any("the texts are remembered as" in fault for fault in faults)


pytestmark = pytest.mark.release
