"""What holds at every decision of every game, checked in random play by a slow and independent referee.

The referee of map games is tests/helpers/referee.py, that of the Card Game tests/helpers/card_referee.py.
"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from t2r_env import Configuration, Games
from t2r_env.variants import LOCOMOTIVE, CardVariant, MapVariant, load_variant
from t2r_env.variants.variant import LEAVE, Ticket
from tests.helpers import card_referee, referee
from tests.helpers.maps import MAP_GAMES, ROUTE_POINTS, load_map, map_variant
from tests.helpers.playing import (
    DECKS,
    STYLES,
    Options,
    choose,
    decisions_of_every_phase,
    every_deck,
    fewest_and_most,
    title_of,
)
from tests.helpers.situations import action_name, configuration, in_snapshots

Snapshot = dict[str, Any]


def styles_of(variant: str, players: int, options: Options) -> Sequence[str]:
    """The styles in which the games of a configuration are played.

    With its fewest players and all its technologies each variant is played in two styles. With its most players and
    without technologies it has no rules of its own, only other numbers: one style, not always the same, finds their
    faults. Between the fewest and the most players, and with other decks, there is nothing new.
    """
    loaded = load_variant(variant)
    if loaded.min_players < players < loaded.max_players or "tickets" in options:
        return []
    can_grow_rich = isinstance(loaded, MapVariant) and (loaded.exchange or any(it.tunnel for it in loaded.routes))
    styles = [style for style in STYLES if style != "grow_rich" or can_grow_rich]
    is_complete = ("advanced_technologies" in loaded.switches) == ("advanced_technologies" in options)
    if is_complete and players == loaded.min_players:
        return styles[-2:]
    return [styles[(players + 2 * len(options)) % len(styles)]]


COURSES = [
    pytest.param(*chosen, style, id=f"{title_of(*chosen)}-{style}") for chosen in DECKS for style in styles_of(*chosen)
]
"""The games that are looked at decision by decision."""


@pytest.mark.parametrize("variant", MAP_GAMES)
def test_routes_are_worth_what_the_table_of_points_says(variant: str) -> None:
    """C10."""
    loaded = load_map(variant)
    assert {route.length: loaded.points[route.length] for route in loaded.routes}.items() <= ROUTE_POINTS.items()


@pytest.mark.parametrize(("variant", "players", "options", "style"), COURSES)
def test_at_every_decision(variant: str, players: int, options: Options, style: str) -> None:
    """In whole games nothing is lost, counts agree, the legal actions are those of the rules, and points are right.

    In the Card Game each action changes what the rules say and nothing else (CG2-CG14).
    """
    for seed in range(3) if variant == "card_game" else [DECKS.index((variant, players, options))]:
        games = Games(configuration(variant, players, **options), seed=seed, autoreset=False)
        loaded, rng, brought = load_variant(variant), random.Random(seed), [0] * players
        snapshot = games.snapshot()
        check_decision(games, snapshot, brought)
        while games.masks.any():
            decision, before, chosen = games.states[0].decisions, snapshot, choose(games, 0, style, rng)
            action = games.describe(chosen)
            games.step([chosen])
            assert games.states[0].decisions == decision + 1
            snapshot = games.snapshot()
            if isinstance(loaded, CardVariant):
                assert snapshot == card_referee.follow(loaded, before, action, snapshot)
            else:
                check_what_leaves_the_game(map_variant(games.configuration), before, action, snapshot)
                check_claim(map_variant(games.configuration), before, snapshot, brought)
            check_decision(games, snapshot, brought)
        check_end(games, snapshot, final(games.configuration, snapshot, brought))


def check_decision(games: Games, snapshot: Snapshot, brought: Sequence[int]) -> None:
    """What holds at each decision of a game that began at its start."""
    check_situation(games, snapshot)
    if isinstance(games.configuration.variant, MapVariant):
        check_deck_and_face_up(games.configuration.variant, snapshot)
        check_running_scores(games.configuration.variant, snapshot, brought)


def check_situation(games: Games, snapshot: Snapshot, row: int = 0) -> None:
    """What holds at each decision: each thing lies in one place, and the legal actions are those of the rules."""
    variant = games.configuration.variant
    check_variant(games.configuration, snapshot)
    if isinstance(variant, MapVariant):
        check_cards_apart(variant, snapshot)
        check_technologies(variant, snapshot)
    check_actions(games, snapshot, row)


def check_variant(chosen: Configuration, snapshot: Snapshot) -> None:
    """Each thing of the variant lies in one place."""
    if isinstance(chosen.variant, CardVariant):
        check_card_variant(chosen.variant, snapshot)
    else:
        for check in (check_cards, check_trains, check_tickets, check_routes, check_shares, check_stations):
            check(map_variant(chosen), snapshot)


def check_card_variant(variant: CardVariant, snapshot: Snapshot) -> None:
    """Each train card and ticket of the Card Game lies in one place (CG1), and each colour in one rail yard (CG7)."""
    assert card_referee.cards_in_play(snapshot) == {**variant.colours, LOCOMOTIVE: variant.locomotives}
    completed = [referee.as_row(ticket) for player in snapshot["players"] for ticket in player["completed"]]
    deck = variant.ticket_decks[snapshot["options"]["tickets"]]
    assert sorted(tickets_in_play(snapshot) + completed) == sorted(map(row_of, deck.tickets))
    colours = [colour for player in snapshot["players"] for colour in player["yard"]]
    assert len(set(colours)) == len(colours)
    assert all(any(cards.values()) for player in snapshot["players"] for cards in player["yard"].values())


def check_cards(variant: MapVariant, snapshot: Snapshot) -> None:
    """Each train card lies in one place (C1); some are set aside (C2), in team games some are on racks (TA2)."""
    everywhere = Counter(card for card in snapshot["face_up"] if card) + referee.cards_apart(variant, snapshot)
    hands = [player["hand"] for player in snapshot["players"]]
    racks = [team["rack"] for team in snapshot.get("teams", [])]
    for cards in (snapshot["deck"], snapshot["discard"], *hands, *racks):
        assert all(number >= 0 for number in cards.values())
        everywhere.update(cards)
    assert everywhere == {**variant.colours, LOCOMOTIVE: variant.locomotives}


def check_cards_apart(variant: MapVariant, snapshot: Snapshot) -> None:
    """Cards are set aside only for a payment under way (UK5, TA10, EU5, NO6) or before they are placed (TA5)."""
    actions = {action["action"]: action for action in snapshot["pending"]}
    laid_out = snapshot["set_aside"]
    if variant.team_size > 1:
        laid_out = Counter(laid_out["hand"]) + Counter(laid_out["rack"])
    if snapshot["phase"] == "place":
        assert snapshot["drawn"]
        assert actions.get("draw_face_up", {"card": snapshot["drawn"]})["card"] == snapshot["drawn"]
        assert "draw_face_up" not in actions or snapshot["drawn"] != LOCOMOTIVE
    else:
        assert snapshot["drawn"] is None
    if snapshot["phase"] == "tunnel" or "pay_more" in actions:
        paid = actions["pay"]
        cards, locomotives = Counter({paid["colour"]: paid["cards"]}), Counter({LOCOMOTIVE: paid["locomotives"]})
        assert +Counter(laid_out) == cards + locomotives
        if variant.team_size > 1:
            from_rack = actions["from_rack"]
            assert sum(snapshot["set_aside"]["rack"].values()) == from_rack["cards"] + from_rack["locomotives"]
        turned_up, left = (sum(snapshot[name].values()) for name in ("revealed", "deck"))
        tunnel = referee.route_to_pay(variant, snapshot).tunnel
        assert turned_up == tunnel or (turned_up < tunnel and left == 0)
        assert referee.demand(snapshot) > 0
    else:
        assert not any(snapshot["revealed"].values())
        spent = [action["colour"] for action in snapshot["pending"] if action["action"] == "spend"]
        assert +Counter(laid_out) == Counter(spent)
        assert not spent or snapshot["phase"] == "pay"
    if snapshot["phase"] == "tunnel":
        assert snapshot["subject"]["due"] == referee.demand(snapshot)
    if snapshot["phase"] == "from_rack":
        payment = {"colour": actions["pay"]["colour"]} | actions.get("pay_more", actions["pay"])
        for name in ("colour", "cards", "locomotives"):
            assert snapshot["subject"][name] == payment[name]


def check_deck_and_face_up(variant: MapVariant, snapshot: Snapshot) -> None:
    """An empty deck means an empty discard (C2), an empty slot an empty deck (C3); locomotives are swept (C4).

    The slot that a card was taken from is empty until the card has been placed (TA5). Face-up cards are swept only when
    no cards are set aside (C2), and never in United Kingdom (UK2).
    """
    left = sum(snapshot["deck"].values()) + sum(snapshot["discard"].values())
    if not any(snapshot["deck"].values()):
        assert left == 0
    empty = {slot for slot, card in enumerate(snapshot["face_up"]) if card is None}
    if snapshot["phase"] == "place" and (slot := snapshot["pending"][-1].get("slot")) is not None:
        empty.remove(slot)
    if empty:
        assert left == 0
    in_play: Counter[str] = Counter(snapshot["deck"]) + Counter(snapshot["discard"])
    in_play.update(card for card in snapshot["face_up"] if card)
    coloured = in_play.total() - in_play[LOCOMOTIVE]
    too_few = in_play.total() < 5 or coloured < 3
    # five face-up cards and five of the deck would take turns for ever
    never_ends = in_play.total() == 10 and snapshot["deck"][LOCOMOTIVE] >= 3
    is_sweeping = variant.face_up_sweep and not referee.cards_apart(variant, snapshot)
    assert snapshot["face_up"].count(LOCOMOTIVE) < 3 or too_few or never_ends or not is_sweeping


def check_trains(variant: MapVariant, snapshot: Snapshot) -> None:
    """A player's trains are in the supply, on routes or given up to the mountains (LA5)."""
    for seat, player in enumerate(snapshot["players"]):
        routes = referee.routes_of(variant, snapshot, seat)
        assert player["trains"] + sum(route.length + route.mountain for route in routes) == variant.trains
        assert player["trains"] >= 0
        assert player.get("mountain_routes", 0) == sum(route.mountain > 0 for route in routes)


def row_of(ticket: Ticket) -> tuple[str, str, str]:
    """A ticket of the table as the referee compares tickets."""
    return referee.as_row(in_snapshots(ticket))


def tickets_in_play(snapshot: Snapshot) -> list[tuple[str, str, str]]:
    """All tickets, wherever they are: in the deck, held, on a rack, offered, or decided on and kept aside (C6)."""
    is_choosing = snapshot["phase"] == "keep_ticket"
    decided = [action["ticket"] for action in snapshot["pending"] if is_choosing and "ticket" in action]
    owned = [player[name] for player in snapshot["players"] for name in ("tickets", "offered")]
    owned += [team["tickets"] for team in snapshot.get("teams", [])]
    everywhere = [*snapshot["ticket_deck"], *decided, *(ticket for tickets in owned for ticket in tickets)]
    return sorted(map(referee.as_row, everywhere))


def check_tickets(variant: MapVariant, snapshot: Snapshot) -> None:
    """Each ticket lies in one place; a long one is offered at the start or was kept then (LA2).

    Some are there twice (SW8). In team games each seat has put one of the tickets kept at the start on the rack (TA4).
    """
    deck = referee.deck_of(variant, snapshot)
    all_tickets, long = Counter(map(row_of, deck.tickets)), {*map(row_of, deck.long)}
    in_play = Counter(tickets_in_play(snapshot))
    assert in_play <= all_tickets
    choosing = snapshot["turn"] == 0
    if choosing:
        assert len(long.intersection(in_play)) == deck.long_offered * snapshot["num_players"]
    if choosing or deck.starting_refused != LEAVE:
        assert in_play >= Counter(map(row_of, deck.regular))
    for player in snapshot["players"]:
        assert len(long.intersection(map(referee.as_row, player["tickets"]))) <= deck.long_offered
        assert choosing or long.isdisjoint(map(referee.as_row, player["offered"]))
    for team, seats in enumerate(referee.teams_of(variant, snapshot)):
        on_rack = len(snapshot["teams"][team]["tickets"]) if variant.team_size > 1 else 0
        in_hands = sum(len(snapshot["players"][seat]["tickets"]) for seat in seats)
        assert choosing or in_hands + on_rack >= deck.starting.keep * len(seats)
        if variant.team_size > 1:
            assert on_rack == 0 if choosing else on_rack >= len(seats)
    assert long.isdisjoint(map(referee.as_row, snapshot["ticket_deck"]))


def check_what_leaves_the_game(
    variant: MapVariant, before: Snapshot, action: Mapping[str, Any], after: Snapshot
) -> None:
    """Only refused tickets may leave the game, where the rules say so: those of the start (LA2) or all (NO2, SW2)."""
    left = Counter(tickets_in_play(before)) - Counter(tickets_in_play(after))
    assert Counter(tickets_in_play(after)) <= Counter(tickets_in_play(before))
    is_start = before["turn"] == 0 < after["turn"]
    leaves = is_start and referee.deck_of(variant, after).starting_refused == LEAVE
    is_decided = after["phase"] != "keep_ticket" and before["phase"] == "keep_ticket"
    if leaves or (is_decided and variant.id in referee.REFUSED_LEAVE):
        assert after["ticket_deck"] == before["ticket_deck"]
        choices = [*before["pending"], action]
        assert left == Counter(referee.as_row(it["ticket"]) for it in choices if it["action"] == "refuse_ticket")
    else:
        assert not left


def check_technologies(variant: MapVariant, snapshot: Snapshot) -> None:
    """Each copy of a technology is in the supply or with one player (UK8), except those that leave the game (UK12).

    A technology that works once is with a player only in the turn in which it was bought (UK9, UK12).
    """
    technologies = referee.technologies_of(variant, snapshot)
    assert [*snapshot.get("technologies", {})] == [technology.id for technology in technologies]
    held = [player.get("technologies", []) for player in snapshot["players"]]
    assert all(len(set(own)) == len(own) for own in held)
    assert {name for own in held for name in own} <= snapshot.get("technologies", {}).keys()
    for technology in technologies:
        number = sum(technology.id in own for own in held)
        if technology.id in ("risky_contracts", "equalising_beam") and snapshot["reshuffled"]:
            assert snapshot["technologies"][technology.id] == 0
            assert number <= technology.copies
        else:
            assert snapshot["technologies"][technology.id] + number == technology.copies
        if number and technology.id in ("right_of_way", "thermocompressor"):
            assert technology.id in held[snapshot["current_player"]]
            assert referee.bought_this_turn(snapshot) == technology.id


def check_shares(variant: MapVariant, snapshot: Snapshot) -> None:
    """Each share lies in one place; they are taken in the order of their numbers (PA4), the neutral's too (PA8)."""
    neutral = snapshot.get("neutral_shares", {})
    held = [player["shares"] for player in snapshot["players"] if variant.companies]
    for company in variant.companies:
        numbers = range(1, company.shares + 1)
        left = snapshot["companies"][company.id]
        taken = [number for shares in (*held, neutral) for number in shares.get(company.id, [])]
        assert sorted(taken) + left == [*numbers]
    given = sum(map(len, neutral.values()))
    assert given <= sum(len(numbers) for shares in held for numbers in shares.values())
    assert ("neutral_shares" in snapshot) == (snapshot["num_players"] <= variant.neutral_shareholder_up_to)
    if revealed := snapshot.get("revealed_shares"):
        assert sum(map(len, revealed.values())) == (given + 1) // 2
        assert all(set(numbers) <= set(neutral[company]) for company, numbers in revealed.items())


def check_routes(variant: MapVariant, snapshot: Snapshot) -> None:
    """A route has at most one owner without Right of Way (UK9); of parallel routes C11 and TA9 limit the claims."""
    owners = [claim["owners"] for claim in snapshot["routes"]]
    for route, own, parallel in zip(variant.routes, owners, referee.parallel_routes_of(variant), strict=True):
        if not own:
            continue
        seats = [seat for other in parallel for seat in owners[other]]
        assert len(own) <= 1 or variant.all_technologies
        assert len(set(seats)) == len(seats)
        claimed = sum(bool(owners[other]) for other in parallel)
        assert claimed <= referee.most_claimed(variant, snapshot, route, len(parallel))


def check_stations(variant: MapVariant, snapshot: Snapshot) -> None:
    """A city has one station at most, a player three (EU1, EU6)."""
    built = [player.get("stations", []) for player in snapshot["players"]]
    cities = [city for own in built for city in own]
    assert len(set(cities)) == len(cities)
    assert set(cities) <= {city.id for city in variant.cities}
    assert all(len(own) <= referee.STATIONS for own in built)


def check_actions(games: Games, snapshot: Snapshot, row: int = 0) -> None:
    """There are legal actions until the game ends; they are those of the rules (C5, C8, C9, C11-C14)."""
    legal = np.flatnonzero(games.masks[row])
    if snapshot["phase"] == "ended":
        assert len(legal) == 0
        return
    assert games.current[row] == snapshot["current_player"]
    descriptions = [games.describe(action, row) for action in legal]
    assert all(str(description) for description in descriptions)
    actions = [action_name(description) for description in descriptions]
    assert len(set(actions)) == len(actions) >= (1 if snapshot["phase"] == "turn" else 2)
    variant = games.configuration.variant
    if isinstance(variant, CardVariant):
        assert set(actions) == card_referee.legal_actions(variant, snapshot)
    else:
        assert set(actions) == referee.legal_actions(map_variant(games.configuration), snapshot)


def check_claim(variant: MapVariant, before: Snapshot, after: Snapshot, brought: list[int]) -> None:
    """Only the acting seat claims a route; by Right of Way one that has owners, who keep it (UK9).

    Adds to `brought` the points of the seat's technologies for the route, which a later snapshot does not show (UK10).
    """
    seat = before["current_player"]
    claims = zip(variant.routes, before["routes"], after["routes"], strict=True)
    claimed = [(route, old["owners"], new["owners"]) for route, old, new in claims if old["owners"] != new["owners"]]
    assert len(claimed) <= 1
    for route, old, new in claimed:
        assert new == sorted([*old, seat])
        assert bool(old) == (referee.bought_this_turn(before) == "right_of_way")
        brought[seat] += referee.technology_points(before, seat, route)


def check_running_scores(variant: MapVariant, snapshot: Snapshot, brought: Sequence[int]) -> None:
    """Before the end the points are those for routes (C10, LA5, UK10), for teammates together (TA1)."""
    if snapshot["phase"] == "ended":
        return
    for team, seats in enumerate(referee.teams_of(variant, snapshot)):
        routes = [referee.routes_of(variant, snapshot, seat) for seat in seats]
        points = [sum(referee.route_points(variant, own).values()) for own in routes]
        expected = sum(points) + sum(brought[seat] for seat in seats)
        assert [snapshot["players"][seat]["score"] for seat in seats] == [expected] * len(seats)
        if variant.team_size > 1:
            assert snapshot["teams"][team]["score"] == expected


def check_end(games: Games, snapshot: Snapshot, expected: Sequence[Mapping[str, Any]]) -> None:
    """Scores, their parts and ranks are those of the referee (C16-C18, CG13, CG14), wherever they are shown."""
    assert snapshot["outcome"] == "finished"
    variant = games.configuration.variant
    assert snapshot["final"] == expected
    results = games.results
    for seat, final in enumerate(expected):
        assert snapshot["players"][seat]["score"] == final["score"] == results.scores[0, seat]
        assert results.ranks[0, seat] == final["rank"]
        assert {name: points[0, seat] for name, points in results.breakdown.items()} == final["breakdown"]
        assert results.completed[0, seat] == len(final["completed"])
        assert results.failed[0, seat] == len(final["failed"])
        if variant.team_size > 1:
            assert snapshot["teams"][seat // variant.team_size]["score"] == final["score"]
    assert results.turns[0] == snapshot["turn"]


@fewest_and_most
def test_decisions_of_every_kind_have_the_actions_that_the_rules_allow(
    variant: str, players: int, options: Options
) -> None:
    """Rare ones too: at a tunnel, after the first of two claims, by Right of Way.

    Played on at random, the games end with the referee's scores, many with technologies.
    """
    states = decisions_of_every_phase(variant, players, bool(options), 60)
    games = Games(configuration(variant, players, **options), batch=len(states), autoreset=False, seed=0)
    games.set_states(None, states)
    for row in range(games.batch):
        check_situation(games, games.snapshot(row), row)
    games.play_random(3000)
    for row in range(0, games.batch, 4):
        snapshot = games.snapshot(row)
        assert snapshot["final"] == final(games.configuration, snapshot)


def final(chosen: Configuration, snapshot: Snapshot, brought: Sequence[int] | None = None) -> list[dict[str, Any]]:
    """The final scores by the referee of this ruleset; without `brought` from the snapshot of the ended game alone."""
    if isinstance(chosen.variant, CardVariant):
        return card_referee.final(chosen.variant, snapshot)
    variant = map_variant(chosen)
    return referee.final(variant, snapshot, brought or shown_to_be_brought(variant, snapshot))


def shown_to_be_brought(variant: MapVariant, snapshot: Snapshot) -> list[int]:
    """The points of technologies for each seat's routes, taken from the final scores; checks that they are possible."""
    brought = []
    for seat, final in enumerate(snapshot["final"]):
        routes = referee.routes_of(variant, snapshot, seat)
        points = referee.route_points(variant, routes)["routes"]
        brought.append(final["breakdown"]["routes"] - points if variant.all_technologies else 0)
        assert 0 <= brought[-1] <= sum(referee.technology_points(snapshot, seat, route) for route in routes)
    return brought


@every_deck
def test_points_and_ranks_are_those_of_the_referee(variant: str, players: int, options: Options) -> None:
    """C10, C16-C18: for a batch of games played at random inside the core."""
    chosen = configuration(variant, players, **options)
    games = Games(chosen, batch=20, seed=12, autoreset=False, observe=False)
    assert games.play_random(5000) == games.batch
    for row in range(games.batch):
        snapshot = games.snapshot(row)
        assert snapshot["final"] == final(chosen, snapshot)
        assert games.results.scores[row].tolist() == [result["score"] for result in snapshot["final"]]
        check_variant(chosen, snapshot)
