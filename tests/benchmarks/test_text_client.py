"""The client that reads only text."""

import random

import pytest

from benchmarks import text_client
from t2r_env.text import rules_text, view_text
from tests.helpers.situations import situation


@pytest.mark.parametrize("variant", ["new_york", "united_kingdom", "card_game"])
def test_it_plays_whole_games_and_is_hardly_ever_refused(variant: str) -> None:
    counted = text_client.play(variant, 2, seed=0)
    assert counted["forfeits"] == 0
    assert counted["decisions"] > 40
    assert counted["refused"] < 0.02 * counted["decisions"]


def test_it_writes_the_claims_that_its_hand_pays_for() -> None:
    games = situation(hands=["2 blue, 1 locomotive"], face_up="red, red, blue, blue, blue").games
    client = text_client.TextClient(rules_text(games.configuration), random.Random(0))
    moves = client._moves(view_text(games.views()[0], games.configuration))
    assert {"draw deck", "draw red", "draw blue", "claim Montréal-New York"} <= set(moves)
    assert "claim Portland-Salt Lake City" not in moves  # blue, 6
    assert "claim Boston-New York (red 2)" not in moves


def test_what_is_not_legal_three_times_is_counted_as_a_forfeit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_client.TextClient, "answer", lambda self, messages: "fly to Miami")
    assert text_client.play("new_york", 2, seed=0) == {"games": 2, "decisions": 2, "refused": 2, "forfeits": 2}
