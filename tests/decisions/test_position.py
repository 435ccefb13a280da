"""Positions: what an agent reads of a decision, a view of a game (C20), agrees with the game."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from t2r_env import VARIANTS, Games, present_decisions
from t2r_env.agents import decisions_of
from t2r_env.position import Position
from t2r_env.rules.map_game import routes
from tests.helpers.playing import Options, fewest_and_most

ROWS = 12


def as_tickets(position: Position, tickets: Any) -> Counter[Any]:
    """Tickets as snapshots have them, in any order."""
    deck = {ticket: number for number, ticket in enumerate(position.configuration.deck.tickets)}
    return Counter(str(position.configuration.text.ticket(deck[ticket])) for ticket in tickets)


@fewest_and_most
def test_a_position_says_what_the_snapshot_of_the_view_says(variant: str, players: int, options: Options) -> None:
    games = Games(variant, players, batch=ROWS, seed=3, **options)
    size = games.configuration.variant.team_size
    for decisions in (3, 67):
        games.play_random(decisions)
        asked = present_decisions(games)
        assert asked.views.tobytes() == games.views().tobytes()
        for row in range(ROWS):
            position = asked.position(row)
            snapshot = position.snapshot()
            own = snapshot["players"][position.seat]
            assert position.seat == snapshot["current_player"] == games.current[row]
            assert position.phase == snapshot["phase"]
            assert position.hand == own["hand"]
            assert list(position.face_up) == snapshot["face_up"]
            assert list(position.trains) == [it["trains"] for it in snapshot["players"] if "trains" in it]
            assert list(position.actions) == np.flatnonzero(games.masks[row]).tolist()
            assert all(position.actions[action] == games.describe(action, row) for action in position.actions)
            assert [it.owners for it in position.routes] == [tuple(it["owners"]) for it in snapshot["routes"]]
            team = {position.seat // size * size + seat for seat in range(size)}
            assert [it.is_own for it in position.routes] == [bool(team & {*it["owners"]}) for it in snapshot["routes"]]
            on_rack = snapshot["teams"][position.seat // 2]["tickets"] if "teams" in snapshot else []
            mine = own["offered"][0] if position.phase == "keep_ticket" else None
            assert not position.offered or as_tickets(position, position.offered[:1]) == Counter([str(mine)])
            assert as_tickets(position, position.offered) == Counter(map(str, own["offered"]))
            pending = [it["ticket"] for it in snapshot["pending"] if it["action"] == "keep_ticket"]
            kept = pending if position.phase == "keep_ticket" else []
            assert as_tickets(position, position.tickets) == Counter(map(str, [*own["tickets"], *on_rack, *kept]))


@pytest.mark.parametrize("variant", ["usa", "legendary_asia", "team_asia", "switzerland"])
def test_open_tickets_are_those_that_the_rules_do_not_find_completed(variant: str) -> None:
    games = Games(variant, batch=ROWS, seed=1)
    numbers = {ticket: number for number, ticket in enumerate(games.configuration.deck.tickets)}
    rules, found = games.configuration.rules[0], Counter[bool]()
    for _ in range(8):
        games.play_random(25)
        for row, decision in enumerate(present_decisions(games).split()):
            position = decision.position()
            state, team = games.states[row], rules.team[position.seat]
            completed = [routes.is_completed(state, rules, team, numbers[it]) for it in position.tickets]
            is_open = [ticket in position.open_tickets for ticket in position.tickets]
            assert is_open == [not it for it in completed]
            found.update(is_open)
    assert found[True]
    assert found[False]


@pytest.mark.parametrize("variant", sorted({*VARIANTS} - {"card_game", "new_york", "india"}))
def test_payments_are_those_that_the_next_decision_would_offer(variant: str) -> None:
    """A claim that can be paid for in one way only is paid for at once; then the route says what it cost and gave."""
    games = Games(variant, batch=10, seed=2, autoreset=False)
    claimed = Counter[str]()
    for _ in range(8):
        games.play_random(17)
        rows = np.flatnonzero(~(games.terminated | games.truncated))
        positions = dict(zip(rows.tolist(), (it.position() for it in present_decisions(games).split()), strict=True))
        tried = games.clone()
        for row, position in positions.items():
            in_reach = [it for it in position.routes if it.claim in position.actions]
            for route in in_reach[:: max(len(in_reach) // 3, 1)]:
                tried.set_states([row], games.states[[row]])
                before = tried.snapshot(row)["players"][position.seat]
                tried.step([route.claim], [row])
                after = tried.snapshot(row)
                mine = after["players"][position.seat]
                if after["phase"] == "pay":
                    offered = decisions_of(tried, np.array([row]), np.zeros(1, np.uint64)).position()
                    assert position.payments(route) == [*offered.actions.values()]
                    claimed["several"] += 1
                    continue
                assert len(position.payments(route)) == 1
                claimed["one"] += 1
                if position.seat in after["routes"][route.number]["owners"]:
                    assert mine["trains"] == before["trains"] - route.trains
                    is_added = variant == "united_kingdom"  # technologies add points there
                    assert is_added or mine["score"] == before["score"] + route.points
            if position.phase == "turn" and variant != "united_kingdom":  # where technologies decide, too
                for route in position.routes[::7]:
                    fits = route.is_open and route.trains <= position.trains[position.seat]
                    is_payable = bool(position.payments(route))
                    assert (route.claim in position.actions) == (fits and is_payable)
    assert claimed["one"]
    assert claimed["several"]


def test_claim_i_is_route_i_of_the_table_and_ends_of_tickets_are_cities() -> None:
    position = present_decisions(Games("switzerland", seed=0)).position()
    variant: Any = position.configuration.variant
    first = position.configuration.layout.actions["claim"].start
    expected = [(number, first + number, route) for number, route in enumerate(variant.routes)]
    assert [(it.number, it.claim, it.route) for it in position.routes] == expected
    assert position.cities("zurich") == ["zurich"]
    abroad = [city.id for city in variant.cities if city.region == "france"]
    assert position.cities("france") == abroad != []
