"""Stations: each lets its owner use one route of another player in its city, for tickets (EU6-EU8)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined, lowest_bit
from t2r_env.core.game import outcomes
from t2r_env.core.layout import Part
from t2r_env.core.records import Array, bitset, int8, int16, int64
from t2r_env.rules import hooks, train_cards
from t2r_env.rules.cards import LOCOMOTIVE
from t2r_env.rules.check import of_current
from t2r_env.rules.map_game import network
from t2r_env.rules.map_game.board import (
    GRAY,
    NO_ROUTE,
    ROUTE_WORDS,
    BoardRules,
    TrailScratch,
    enter_pay,
    purchases,
)
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.map_game.flow import cards_due, complete_purchase, extend_networks
from t2r_env.rules.map_game.paying import PayingRules, PayingState, discard_all
from t2r_env.rules.module import Limits, RuleModule, States
from t2r_env.rules.names import BLOCKS, PARTS, SEGMENTS
from t2r_env.rules.observe import seat_after, write_number
from t2r_env.rules.ranking import add_points
from t2r_env.rules.snapshot import Snapshot
from t2r_env.rules.state import TICKET_WORDS, SharedScratch
from t2r_env.rules.text import Description, Text
from t2r_env.rules.turns import finish_turn
from t2r_env.sizes import MAX_CITIES, MAX_SEATS, MAX_STATION_POINTS, MAX_STATION_PRICE, MAX_STATIONS, MAX_TICKETS
from t2r_env.variants import MapVariant
from t2r_env.variants.declared import Entries, Key
from t2r_env.variants.reading import Names, Row, Table
from t2r_env.variants.variant import map_tie_breaks

NO_CITY = -1


@dataclass(frozen=True)
class Stations:
    """The stations that each player has."""

    prices: tuple[int, ...]
    """Train cards that the first takes, the second and so on (EU6)."""
    points: int
    """For each one left at the end (EU8)."""


class _Blocks(NamedTuple):
    BUILD: int


class _Segments(NamedTuple):
    STATIONS: int
    STATIONS_LEFT: int
    SUBJECT_CITY: int


class _Parts(NamedTuple):
    STATIONS: int


blocks = BLOCKS.add(_Blocks)
segments = SEGMENTS.add(_Segments)
parts = PARTS.add(_Parts)
purchases["city"] = NO_CITY


class StationState(PayingState):
    """Where stations stand."""

    stations: Array = int8(MAX_SEATS, MAX_STATIONS)  # cities of each seat's, in the order built; then NO_CITY
    station_routes: Array = int16(MAX_SEATS, MAX_STATIONS)  # once finished: the route that each uses, or NO_ROUTE (EU7)
    city: int = int64()  # where a station is being paid for, or NO_CITY


class StationRules(PayingRules):
    """How many stations there are, and what they cost and bring."""

    num_stations: int = int64()  # of each seat
    station_price: Array = int8(MAX_STATIONS)  # in cards, of the first, the second and so on
    station_points: int = int16()  # for each one left


class StationScratch(TrailScratch):
    """What the choice of routes computes with. Cities joined by a seat's own routes are one, named by their label."""

    use_route: Array = int16(MAX_STATIONS, MAX_CITIES)  # routes that each station may use: one to each other label
    use_joins: Array = bitset(MAX_STATIONS, MAX_CITIES)  # the labels that the route joins
    use_count: Array = int64(MAX_STATIONS)
    use: Array = int64(MAX_STATIONS)  # which of them each station uses
    joined: Array = bitset(MAX_STATIONS)  # groups of labels that these join
    missing_a: Array = bitset(MAX_TICKETS)  # of each ticket not completed so far: labels that meet its one end
    missing_b: Array = bitset(MAX_TICKETS)
    missing_points: Array = int64(MAX_TICKETS)


@inlined
def number_built(state: StationState, seat: int) -> int:
    """How many stations a seat has built."""
    number = 0
    for city in state.stations[seat]:
        if city != NO_CITY:
            number += 1
    return number


@inlined
def cities_taken(state: StationState, rules: BoardRules) -> np.uint64:
    """The set of cities that have a station."""
    cities = bits.NONE
    for seat in range(rules.num_seats):
        for city in state.stations[seat]:
            if city != NO_CITY:
                cities |= bits.bit(city)
    return cities


# Building (EU6)


@inlined
def can_pay(state: StationState, rules: StationRules, seat: int) -> bool:
    """Whether a seat has a station left, and cards of one colour and locomotives for it."""
    number = number_built(state, seat)
    if number == rules.num_stations:
        return False
    most = 0
    for colour in range(GRAY):
        most = max(most, state.hand[seat, colour])
    return most + state.hand[seat, LOCOMOTIVE] >= rules.station_price[number]


@inlined
def _list_turn_actions(state: StationState, rules: StationRules, scratch: SharedScratch, count: int) -> int:
    """A station in any city that has none, as far as the cards allow."""
    if can_pay(state, rules, state.current):
        taken = cities_taken(state, rules)
        for city in range(rules.num_cities):
            if taken & bits.bit(city) == bits.NONE:
                scratch.legal[count] = rules.first_action[blocks.BUILD] + city
                count += 1
    return count


@inlined
def _begin_action(state: StationState, rules: StationRules, action: int) -> bool:
    """How it is paid is the next decision."""
    city = action - rules.first_action[blocks.BUILD]
    if not 0 <= city < rules.block_size[blocks.BUILD]:
        return False
    state.passes = 0
    state.city = city
    enter_pay(state)
    return True


@inlined
def _cards_due(state: StationState, rules: StationRules, cards: int) -> int:
    return cards if state.city == NO_CITY else rules.station_price[number_built(state, state.current)]


@inlined
def _complete_purchase(state: StationState, rules: StationRules) -> bool:
    """The station stands, and the turn is over."""
    if state.city == NO_CITY:
        return False
    seat = state.current
    state.stations[seat, number_built(state, seat)] = state.city
    state.city = NO_CITY
    discard_all(state)
    train_cards.restore(state, rules)
    finish_turn(state)
    return True


# Routes of others (EU7)


@compiled
def _extend_networks(state: StationState, rules: StationRules, scoring: StationScratch) -> None:
    """Choose the routes that stations use, and join what they join."""
    for seat in range(rules.num_seats):
        team = rules.team[seat]
        number = number_built(state, seat)
        _list_uses(state, rules, scoring, seat, number)
        _choose(scoring, number, _list_missing(state, rules, scoring, team, state.tickets[seat]))
        for station in range(number):
            if scoring.use_count[station] > 0:
                route = scoring.use_route[station, scoring.use[station]]
                state.station_routes[seat, station] = route
                network.join(state, rules, team, rules.route_a[route], rules.route_b[route])


@compiled
def _list_uses(state: StationState, rules: StationRules, scoring: StationScratch, seat: int, number: int) -> None:
    """List the routes that each of a seat's stations may use, those of the lowest numbers first.

    Of routes that lead to the same label only the first counts: the others join the same.
    """
    team = rules.team[seat]
    for station in range(number):
        city = state.stations[seat, station]
        own = bits.bit(state.component[team, city])
        count = 0
        reached = bits.NONE
        for word in range(ROUTE_WORDS):
            routes = bits.NONE
            for other in range(rules.num_seats):
                if other != seat:
                    routes |= state.claimed[other, word] & rules.touching[city, word]
            while routes != bits.NONE:
                route = 64 * word + lowest_bit(routes)
                routes = bits.without_lowest(routes)
                label = bits.bit(state.component[team, rules.route_a[route] + rules.route_b[route] - city])
                if reached & label == bits.NONE:
                    reached |= label
                    scoring.use_route[station, count] = route
                    scoring.use_joins[station, count] = own | label
                    count += 1
        scoring.use_count[station] = count


@compiled
def _list_missing(state: StationState, rules: StationRules, scoring: StationScratch, team: int, tickets: Array) -> int:
    """List the tickets of a set that a team's own routes do not complete; return how many there are."""
    count = 0
    for word in range(TICKET_WORDS):
        held = tickets[word]
        while held != bits.NONE:
            ticket = 64 * word + lowest_bit(held)
            held = bits.without_lowest(held)
            labels_a = network.labels(state, team, rules.ticket_a[ticket])
            labels_b = network.labels(state, team, rules.ticket_b[ticket])
            if labels_a & labels_b == bits.NONE:
                scoring.missing_a[count] = labels_a
                scoring.missing_b[count] = labels_b
                scoring.missing_points[count] = rules.ticket_points[ticket]
                count += 1
    return count


@compiled
def _choose(scoring: StationScratch, number: int, missing: int) -> None:
    """Choose what so many stations use: what brings the most points, then completes the most tickets.

    All choices are looked at, those of the lowest routes first, the first station's before the second's.
    """
    best_points = -1
    best_completed = -1
    last = 1
    for station in range(number):
        last *= max(1, scoring.use_count[station])
    best = 0
    for choice in range(last):
        _take_choice(scoring, number, choice)
        _join(scoring, number)
        points = 0
        completed = 0
        for ticket in range(missing):
            for station in range(number):
                group = scoring.joined[station]
                if group & scoring.missing_a[ticket] != bits.NONE and group & scoring.missing_b[ticket] != bits.NONE:
                    points += scoring.missing_points[ticket]
                    completed += 1
                    break
        if points > best_points or (points == best_points and completed > best_completed):
            best_points = points
            best_completed = completed
            best = choice
        if missing == 0:
            break
    _take_choice(scoring, number, best)


@inlined
def _take_choice(scoring: StationScratch, number: int, choice: int) -> None:
    """The choice of this number: its digits, the first station's first."""
    for station in range(number - 1, -1, -1):
        uses = max(1, scoring.use_count[station])
        scoring.use[station] = choice % uses
        choice //= uses


@inlined
def _join(scoring: StationScratch, number: int) -> None:
    """The groups of labels that the routes chosen join: no two of them have one in common."""
    for station in range(number):
        group = bits.NONE
        if scoring.use_count[station] > 0:
            group = scoring.use_joins[station, scoring.use[station]]
        for other in range(station):
            if scoring.joined[other] & group != bits.NONE:
                group |= scoring.joined[other]
                scoring.joined[other] = bits.NONE
        scoring.joined[station] = group


@compiled
def _score_end(state: StationState, rules: StationRules, scoring: StationScratch) -> None:
    """Points for the stations left, which a tie-break compares too (EU8, EU9)."""
    for seat in range(rules.num_seats):
        left = rules.num_stations - number_built(state, seat)
        add_points(state, rules.team[seat], parts.STATIONS, left * rules.station_points)
        scoring.standing[map_tie_breaks.STATIONS_LEFT, rules.team[seat]] = left


@inlined
def _write_public(state: StationState, rules: StationRules, at: Array, viewer: int, vector: Array) -> None:
    if state.city != NO_CITY:
        write_number(1, at[segments.SUBJECT_CITY] + state.city, vector)
    seat = viewer
    for distance in range(rules.num_seats):
        for city in state.stations[seat]:
            if city != NO_CITY:
                write_number(1, at[segments.STATIONS] + distance * rules.num_cities + city, vector)
        left = rules.num_stations - number_built(state, seat)
        write_number(left, at[segments.STATIONS_LEFT] + distance, vector)
        seat = seat_after(rules, seat)


# What is declared


def _read(table: Table, variant: MapVariant) -> Stations | None:
    """The stations of each player; none if the key is left out."""
    if not table.values["stations"]:
        return None
    stations = table.table("stations", Names(required=("prices", "points")))
    prices = stations.integers("prices", map(str, range(1, MAX_STATIONS + 1)), 1, MAX_STATION_PRICE)
    if list(prices) != [str(number) for number in range(1, len(prices) + 1)] or not prices:
        raise stations.wrong("prices", "a table with an entry for the first station, the second and so on")
    return Stations(tuple(prices.values()), stations.integer("points", 0, MAX_STATION_POINTS))


def _check(table: Table, routes: Sequence[Row], variant: MapVariant) -> None:
    """No rule says what teams or exchanges would mean for stations."""
    if variant.stations and (variant.team_size > 1 or variant.exchange):
        raise table.error("stations must be left out where there are teams or exchanges")


def _is_used(configuration: MapConfiguration) -> bool:
    return configuration.variant.stations is not None


def _lay_out_blocks(configuration: MapConfiguration) -> list[Part]:
    build = "build a station in a city; the payment is the next decision (EU6)"
    return [(blocks.BUILD, (len(configuration.variant.cities),), build)]


def _public_segments(configuration: MapConfiguration) -> list[Part]:
    seats, cities = configuration.num_players, len(configuration.variant.cities)
    return [
        (segments.STATIONS, (seats, cities), "cities with a station of each seat"),
        (segments.STATIONS_LEFT, (seats,), "stations left to each seat"),
        (segments.SUBJECT_CITY, (cities,), "one-hot: the city whose station is being paid for"),
    ]


def _write_rules(record: Any, configuration: MapConfiguration) -> None:
    if stations := configuration.variant.stations:
        record.num_stations = len(stations.prices)
        record.station_price[: len(stations.prices)] = stations.prices
        record.station_points = stations.points


def _write_opening(state: Any, rules: Any) -> None:
    state.stations[:] = state.city = NO_CITY
    state.station_routes[:] = NO_ROUTE


def _limits(rules: Any) -> Limits:
    cities = (NO_CITY, int(rules.num_cities) - 1)
    return {"stations": cities, "station_routes": (NO_ROUTE, int(rules.num_routes) - 1), "city": cities}


def _find_fault(states: States, rules: Any) -> str:
    stations = states["stations"]
    is_built = stations != NO_CITY
    if np.any(is_built[..., 1:] & ~is_built[..., :-1]) or np.any(is_built[..., int(rules.num_stations) :]):
        return f"stations must be {rules.num_stations} cities of each seat at most, and have no gaps"
    if np.any((stations[..., None] == np.arange(rules.num_cities)).sum((1, 2)) > 1):
        return "stations must stand in different cities"
    is_finished = states["outcome"] == outcomes.FINISHED
    if np.any((states["station_routes"] != NO_ROUTE) & ~is_finished[:, None, None]):
        return "station_routes must name no route before the game is finished"
    if np.any((states["city"] != NO_CITY) & (states["outcome"] != outcomes.RUNNING)):
        return "no station must be paid for in an ended game"
    return ""


def _find_fault_of_decision(states: States, rules: Any) -> str:
    building = states[states["city"] != NO_CITY]
    left = rules.num_stations - (of_current(building, "stations") != NO_CITY).sum(1)
    is_taken = (building["stations"] == building["city"][:, None, None]).any((1, 2))
    if np.any((left <= 0) | is_taken):
        return "city must be one without a station, and the acting seat must have one left"
    if np.any(building["passes"] > 0):
        return "passes must be 0 once something is done in a turn"
    return ""


def _build_text(text: Text, city: int) -> Description:
    """Building a station."""
    name = text.configuration.variant.cities[city].id
    return Description({"action": "build", "city": name}, f"build a station in {text.city(name)}")


def _describe(text: Text, state: Any, action: int, offset: int) -> Description:
    return _build_text(text, offset)


def _possessions(snapshot: Snapshot, seat: int) -> dict[str, Any]:
    return {"stations": [_city(snapshot, city) for city in _built(snapshot, seat)]}


def _results(snapshot: Snapshot, seat: int) -> dict[str, Any]:
    """The route that each station uses, in the order in which they were built; null if there was none to use."""
    used = [
        [_city(snapshot, city), None if route == NO_ROUTE else snapshot.text.route(route)]
        for city, route in zip(_built(snapshot, seat), snapshot.state.station_routes[seat], strict=False)
    ]
    return {"station_routes": used}


def _built(snapshot: Snapshot, seat: int) -> list[int]:
    return [int(city) for city in snapshot.state.stations[seat] if city != NO_CITY]


def _city(snapshot: Snapshot, number: int) -> str:
    city: str = snapshot.configuration.variant.cities[number].id
    return city


def _subject(snapshot: Snapshot) -> dict[str, Any]:
    city = snapshot.state.city
    return {} if city == NO_CITY else {"city": _city(snapshot, city)}


def _pending_before(snapshot: Snapshot) -> list[Any]:
    city = snapshot.state.city
    return [] if city == NO_CITY else [_build_text(snapshot.text, city)]


STATIONS = RuleModule(
    is_used=_is_used,
    entries=Entries(keys=[Key("stations", {}, _read)], checks=[_check]),
    hooks={
        hooks.list_turn_actions: _list_turn_actions,
        hooks.begin_action: _begin_action,
        cards_due: _cards_due,
        complete_purchase: _complete_purchase,
        extend_networks: _extend_networks,
        hooks.score_end: _score_end,
        hooks.write_public: _write_public,
    },
    blocks=_lay_out_blocks,
    public_segments=_public_segments,
    parts_at_end=lambda configuration: [parts.STATIONS],
    prices=lambda configuration: configuration.variant.stations.prices,
    write_rules=_write_rules,
    write_opening=_write_opening,
    state=StationState,
    limits=_limits,
    derived=("station_routes",),
    find_fault=_find_fault,
    find_fault_of_decision=_find_fault_of_decision,
    describe={blocks.BUILD: _describe},
    possessions=_possessions,
    results=_results,
    subject=_subject,
    pending_before=_pending_before,
)
"""Stations."""
