"""Why something can't be done now: what is said is true, at decisions of random games of all variants."""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from t2r_agents.browser.decision import Decision, decision_of
from t2r_agents.browser.reasons import why_not
from t2r_env import Games, configure
from t2r_env.agents import decisions_of
from t2r_env.rules.text import Description
from tests.helpers.situations import situation


def decisions(variant: str, steps: int, preferred: tuple[str, ...] = ()) -> Iterator[Decision]:
    """Decisions of random games, each as its seat sees it; the preferred actions are chosen where they are legal."""
    games = Games(variant, configure(variant).variant.max_players, seed=0)
    rng = np.random.default_rng(0)
    for _ in range(steps):
        decision = decision_of(decisions_of(games, np.zeros(1, np.int64), np.zeros(1, np.uint64)))
        yield decision
        legal = [action for action, it in decision.actions if it["action"] in preferred]
        games.step([rng.choice(legal or np.flatnonzero(games.masks[0]))])


def named(decision: Decision, action: str) -> list[Description]:
    """The legal actions of this name."""
    return [it for _, it in decision.actions if it["action"] == action]


def is_other(decision: Decision, reason: str) -> bool:
    """Whether the reason is that something else is to be decided."""
    return reason == f"Not now: {decision.question}"


@pytest.mark.parametrize("variant", ["usa", "united_kingdom", "europe"])
def test_each_route_that_cannot_be_claimed_has_a_reason_that_is_true(variant: str) -> None:
    """C9, C11, UK6. Every second decision is looked at."""
    seen = set()
    for decision in itertools.islice(decisions(variant, 400), 0, None, 2):
        legal = {(it["a"], it["b"], it["track"]) for it in named(decision, "claim")}
        view, routes = decision.snapshot, decision.configuration.variant.routes
        mine = view["players"][decision.seat]
        for entry, route in zip(view["routes"], routes, strict=True):
            key = (entry["a"], entry["b"], entry["track"])
            assert key == (route.a, route.b, route.track)
            if key in legal:
                continue
            reason = why_not(decision, {"route": list(key)})
            rivals = [it["owners"] for it in view["routes"] if (it["a"], it["b"]) == key[:2] and it["track"] != key[2]]
            claims_now = view["phase"] in ("turn", "second_claim")
            if "claimed" in reason:
                assert entry["owners"]
                assert ("You" in reason) == (decision.seat in entry["owners"])
            elif "closed" in reason:
                assert not entry["owners"]
                assert any(rivals)
            elif "trains" in reason or "1 train," in reason:
                assert claims_now
                assert mine["trains"] < route.length
            elif "technology" in reason:
                assert claims_now
                held = [it.name for it in decision.configuration.technologies if it.id in mine["technologies"]]
                assert not any(name in reason for name in held)
            elif "lack the cards" in reason:
                assert claims_now
                assert mine["trains"] >= route.length
            else:
                assert is_other(decision, reason)
                # in a turn something else goes first only after a purchase (UK9)
                assert not claims_now or any(it["action"] == "buy" for it in view["pending"]) or not legal
            seen.add(reason.split()[0])
    assert len(seen) >= 4


def test_eu6_each_city_where_no_station_can_be_built_has_a_reason_that_is_true() -> None:
    seen = set()
    for decision in decisions("europe", 1500, ("build", "draw_deck", "pay")):
        legal = {it["city"] for it in named(decision, "build")}
        players, mine = decision.snapshot["players"], decision.snapshot["players"][decision.seat]
        for city in decision.configuration.variant.cities:
            if city.id in legal:
                continue
            reason = why_not(decision, {"city": city.id})
            if "a station there" in reason:
                assert any(city.id in player["stations"] for player in players)
            elif "no station left" in reason:
                assert len(mine["stations"]) == 3
            elif "lack the cards" in reason:
                assert 1 + len(mine["stations"]) > max(mine["hand"].values())
            else:
                assert is_other(decision, reason)
                assert decision.snapshot["phase"] != "turn"
            seen.add(reason.split()[1])
    assert len(seen) >= 3


def test_in_games_without_stations_a_city_says_what_to_do_instead() -> None:
    decision = next(decisions("usa", 1))
    reason = why_not(decision, {"city": "boston"})
    assert reason == "Nothing is built in cities: point at a route to claim it (C9)."


def test_a_face_up_locomotive_is_no_second_card() -> None:
    """C8."""
    found = 0
    for decision in decisions("usa", 2000):
        for slot, card in enumerate(decision.snapshot["face_up"]):
            if decision.snapshot["phase"] == "second_card" and card == "locomotive":
                found += 1
                assert why_not(decision, {"slot": slot}) == "A face-up locomotive can't be the second card (C8)."
    assert found


@pytest.mark.parametrize("variant", ["nordic", "switzerland"])
def test_where_a_face_up_locomotive_may_be_the_second_card_nothing_else_is_said(variant: str) -> None:
    """NO4, SW4."""
    found = 0
    for decision in decisions(variant, 800):
        for slot, card in enumerate(decision.snapshot["face_up"]):
            if decision.snapshot["phase"] == "second_card" and card == "locomotive":
                found += 1
                assert slot in [it["slot"] for it in named(decision, "draw_face_up")]
                assert is_other(decision, why_not(decision, {"slot": slot}))
    assert found


@pytest.mark.parametrize(
    ("variant", "hand", "route", "reason"),
    [
        ("switzerland", "9 locomotive", "baden-olten", "2 purple (C9). Locomotives can't be paid for it (NO5, SW5)."),
        ("switzerland", "8 red", "baden-olten", "2 purple (C9)."),
        ("switzerland", "1 locomotive", "basel-olten", "1 orange (C9)."),
        (
            "nordic",
            "1 blue",
            "alborg-goteborg",
            "1 locomotive (C9). 3 coloured cards stand for a locomotive (UK5, NO6).",
        ),
        (
            "nordic",
            "8 locomotive",
            "lieksa-murmansk",
            "9 of one colour (C9)."
            " Any 4 cards stand for one of the colour paid, a locomotive alone for none (NO5, NO8).",
        ),
    ],
)
def test_the_cards_that_are_lacking_are_those_that_can_be_paid(
    variant: str, hand: str, route: str, reason: str
) -> None:
    table = situation(variant=variant, hands=[hand])
    decision = decision_of(decisions_of(table.games, np.zeros(1, np.int64), np.zeros(1, np.uint64)))
    told = why_not(decision, {"route": [*route.split("-"), 0]})
    assert told == f"You lack the cards for it: {reason}"


@pytest.mark.parametrize(
    ("trains", "reason"),
    [(3, "It takes 4 trains, and you have 3 (C9)."), (4, "You lack the cards for it: 4 of one colour (C9).")],
)
def test_a_route_takes_as_many_trains_as_it_has_spaces(trains: int, reason: str) -> None:
    table = situation(trains=[trains])
    decision = decision_of(decisions_of(table.games, np.zeros(1, np.int64), np.zeros(1, np.uint64)))
    assert why_not(decision, {"route": ["calgary", "seattle", 0]}) == reason


@pytest.mark.parametrize(
    ("target", "preferred", "reason"),
    [
        ({"pile": "deck"}, ("draw_face_up", "draw_deck"), "The deck is empty (C2)."),
        ({"pile": "tickets"}, ("draw_tickets", "keep_ticket"), "No tickets are left to draw (C12)."),
        ({"slot": None}, ("draw_face_up", "draw_deck"), "The slot is empty: the deck had no card to fill it (C3)."),
    ],
)
def test_an_empty_pile_or_slot_is_told(target: dict[str, Any], preferred: tuple[str, ...], reason: str) -> None:
    for decision in decisions("usa", 600, preferred):
        face_up = decision.snapshot["face_up"]
        is_empty = None in face_up if "slot" in target else not named(decision, f"draw_{target['pile']}")
        if decision.snapshot["phase"] == "turn" and is_empty:
            where = {"slot": face_up.index(None)} if "slot" in target else target
            assert why_not(decision, where) == reason
            return
    pytest.fail("it was never empty")


@pytest.mark.parametrize(
    "target", [{}, {"city": "atlantis"}, {"route": ["a", "b", 0]}, {"route": [1, 2, 3]}, {"slot": 9}, {"pile": "x"}, 3]
)
def test_what_is_not_in_the_picture_is_refused(target: object) -> None:
    decision = next(decisions("usa", 1))
    with pytest.raises(ValueError, match="target must be"):
        why_not(decision, target)  # type: ignore[arg-type]  # as pages may send it
