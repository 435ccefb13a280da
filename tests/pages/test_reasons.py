"""Why something can't be done now: what is said of routes, cities, cards and piles, and that it is true."""

from typing import Any

import numpy as np
import pytest

from t2r_agents.browser.reasons import why_not
from t2r_env import Games, configure
from tests.helpers.situations import situation
from tests.pages.test_decision import decision_in

SWITZERLAND, NORDIC, UK = ({"variant": name} for name in ("switzerland", "nordic", "united_kingdom"))
EUROPE: dict[str, Any] = {"variant": "europe"}
LOCOMOTIVE: dict[str, Any] = {"face_up": "locomotive, red, red, blue, blue", "plays": ["draw_deck"]}
THREE_STATIONS = ["london", "wien", "roma"]
LACKS, SECOND = "You lack the cards for it:", "Not now: Choose a second card"
TECHNOLOGY = "It takes a technology that you lack:"
CLOSED = "It is closed by a claim of a parallel route (C11)."
NOT_FILLED = "The slot is empty: the deck had no card to fill it (C3)."
NOT_PAID = "Locomotives can't be paid for it (NO5, SW5)."
THREE = "3 coloured cards stand for a locomotive (UK5, NO6)."
ANY_FOUR = "Any 4 cards stand for one of the colour paid, a locomotive alone for none (NO5, NO8)."


@pytest.mark.parametrize(
    ("position", "target", "reason"),
    [
        ({"routes": [["calgary-seattle"]]}, "calgary seattle 0", "You have claimed this route already (C9)."),
        ({"routes": [[], ["calgary-seattle"]]}, "calgary seattle 0", "player_1 has claimed this route (C9)."),
        ({"routes": [[], ["boston-montreal"]]}, "boston montreal 1", CLOSED),
        ({"hands": ["3 blue"], "plays": ["draw_deck"]}, "montreal new_york 0", SECOND),
        ({"trains": [3]}, "calgary seattle 0", "It takes 4 trains, and you have 3 (C9)."),
        ({"trains": [4]}, "calgary seattle 0", f"{LACKS} 4 of one colour (C9)."),
        (SWITZERLAND | {"hands": ["9 locomotive"]}, "baden olten 0", f"{LACKS} 2 purple (C9). {NOT_PAID}"),
        (SWITZERLAND | {"hands": ["8 red"]}, "baden olten 0", f"{LACKS} 2 purple (C9)."),
        (SWITZERLAND | {"hands": ["1 locomotive"]}, "basel olten 0", f"{LACKS} 1 orange (C9)."),
        (NORDIC | {"hands": ["1 blue"]}, "alborg goteborg 0", f"{LACKS} 1 locomotive (C9). {THREE}"),
        (NORDIC | {"hands": ["8 locomotive"]}, "lieksa murmansk 0", f"{LACKS} 9 of one colour (C9). {ANY_FOUR}"),
        (
            UK | {"technologies": [["scotland_concession"]]},
            "aberdeen inverness 0",
            f"{TECHNOLOGY} Mechanical Stoker (UK6).",
        ),
        ({}, {"city": "boston"}, "Nothing is built in cities: point at a route to claim it (C9)."),
        (EUROPE | {"stations": [["paris"]]}, {"city": "paris"}, "You have a station there (EU6)."),
        (EUROPE | {"stations": [[], ["paris"]]}, {"city": "paris"}, "player_1 has a station there (EU6)."),
        (EUROPE | {"stations": [THREE_STATIONS]}, {"city": "paris"}, "You have no station left (EU6)."),
        (EUROPE, {"city": "paris"}, "You lack the cards for a station: 1 card of one colour (EU6)."),
        (EUROPE | {"hands": ["1 red"], "plays": ["draw_deck"]}, {"city": "paris"}, SECOND),
        (LOCOMOTIVE, {"slot": 0}, "A face-up locomotive can't be the second card (C8)."),
        (LOCOMOTIVE | SWITZERLAND, {"slot": 0}, SECOND),  # SW4
        (LOCOMOTIVE | NORDIC, {"slot": 0}, SECOND),  # NO4
        ({"deck": "", "face_up": "-, red, red, blue, blue"}, {"slot": 0}, NOT_FILLED),
        ({"deck": ""}, {"pile": "deck"}, "The deck is empty (C2)."),
        ({"ticket_deck": []}, {"pile": "tickets"}, "No tickets are left to draw (C12)."),
        ({"plays": ["draw_deck"]}, {"pile": "tickets"}, SECOND),
        ({}, {"pile": "discard"}, "Nobody takes cards from the discard (C2)."),
    ],
)
def test_what_cannot_be_done_has_its_reason(position: dict[str, Any], target: Any, reason: str) -> None:
    """C2, C3, C8, C9, C11, C12, EU6, NO4, NO5, NO6, NO8, SW4, SW5, UK5, UK6."""
    table = situation(**{name: it for name, it in position.items() if name != "plays"})
    table.play(*position.get("plays", ()))
    if isinstance(target, str):
        a, b, track = target.split()
        target = {"route": [a, b, int(track)]}
    assert why_not(decision_in(table.games), target) == reason


def test_what_is_not_in_the_picture_is_refused() -> None:
    decision = decision_in(situation().games)
    wrong: list[Any] = [{}, {"city": "atlantis"}, {"route": ["a", "b", 0]}, {"route": [1, 2, 3]}, {"slot": 9}]
    for target in (*wrong, {"pile": "x"}, 3):
        with pytest.raises(ValueError, match="target must be"):
            why_not(decision, target)


@pytest.mark.parametrize("variant", ["usa", "united_kingdom", "europe"])
def test_each_route_that_cannot_be_claimed_has_a_reason_that_is_true_in_random_games(variant: str) -> None:
    """C9, C11, UK6."""
    games, rng, seen = Games(variant, configure(variant).variant.max_players, seed=0), np.random.default_rng(0), set()
    for _ in range(200):
        decision = decision_in(games)
        legal = [[it["a"], it["b"], it["track"]] for _, it in decision.actions if it["action"] == "claim"]
        pending = [it["action"] for it in decision.snapshot["pending"]]
        claims_now = decision.snapshot["phase"] in ("turn", "second_claim")
        for entry, route in zip(decision.snapshot["routes"], decision.configuration.variant.routes, strict=True):
            key = [entry["a"], entry["b"], entry["track"]]
            if key in legal:
                continue
            reason = why_not(decision, {"route": key})
            is_short = decision.own["trains"] < route.length
            assert ("claimed" in reason) == bool(entry["owners"])
            assert ("You have claimed" in reason) == (decision.seat in entry["owners"])
            assert "trains, and" not in reason or (claims_now and is_short)
            assert "lack the cards" not in reason or (claims_now and not is_short)
            # in a turn something else goes first only after a purchase (UK9)
            assert "Not now" not in reason or not claims_now or "buy" in pending or not legal
            seen.add(reason.split()[0])
        for _ in range(2):  # every second decision is looked at
            games.step([rng.choice(np.flatnonzero(games.masks[0]))])
    assert len(seen) >= 4
