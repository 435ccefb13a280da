"""The observation of a seat of a map game, and the global state: each group of segments and its writing (C20)."""

import numpy as np

from t2r_env.core import bits
from t2r_env.core.bits import copy_bytes, write_bits
from t2r_env.core.compiled import compiled, count_bits, inlined
from t2r_env.core.layout import Part
from t2r_env.core.records import Array
from t2r_env.rules import observe as shared
from t2r_env.rules.cards import CARD_TYPES, EMPTY
from t2r_env.rules.map_game import payments, routes, technologies
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.map_game.records import NEUTRAL, NO_CITY, NO_ROUTE, NO_TECHNOLOGY, NOWHERE, MapRules, MapState
from t2r_env.rules.names import NO_ACTION, phases, segments
from t2r_env.rules.observe import distance_to, write_number, write_set
from t2r_env.rules.state import FROM_DECK, GLOBAL_STATE, NO_TICKET, OBSERVATION
from t2r_env.rules.turns import next_seat


def lay_out(configuration: MapConfiguration, vector: int) -> list[Part]:
    """Return the segments of the observation or the global state."""
    is_global = vector == GLOBAL_STATE
    players, number = configuration.num_players, len(configuration.variant.routes)
    seats = players if is_global else 1
    teams = configuration.num_teams if is_global else 1
    has_technologies, has_racks = bool(configuration.technologies), configuration.has_racks
    return [
        *shared.public_segments(configuration),
        (segments.SUBJECT_ROUTE, (number,), "one-hot: the route that is being claimed"),
        (segments.PASSES, (1,), "passes in succession (C13)"),
        (segments.TRAINS, (players,), "trains left to each seat"),
        (segments.CLAIMED, (players, number), "routes claimed by each seat"),
        *(_rack_segments(configuration) if has_racks else ()),
        *_payment_segments(configuration),
        *(_technology_segments(configuration) if has_technologies else ()),
        *(_share_segments(configuration) if configuration.variant.companies else ()),
        *(_station_segments(configuration) if configuration.variant.stations else ()),
        *shared.private_segments(configuration, seats),
        (segments.COMPLETED, (seats, configuration.num_tickets), "tickets in the hand that are completed"),
        *(_team_segments(configuration, seats, teams) if has_racks else ()),
        *(shared.hidden_segments(configuration) if is_global else ()),
    ]


@compiled
def observe(state: MapState, rules: MapRules, seat: int, vector: Array) -> None:
    """Write what a seat sees into a vector of uint8."""
    vector[:] = 0
    at = rules.segment[OBSERVATION]
    _write_public(state, rules, at, seat, vector)
    _write_private(state, rules, at, seat, 0, vector)
    if rules.num_racks > 0:
        _write_team(state, rules, at, rules.team[seat], 0, vector)
        if state.current == seat and state.phase == phases.SHARE:
            write_set(state.to_share, rules.num_tickets, at[segments.TO_SHARE], vector)
        if state.unplaced != EMPTY and (state.current == seat or state.drawn_slot != FROM_DECK):
            write_number(1, at[segments.DRAWN] + state.unplaced, vector)


@compiled
def write_global_state(state: MapState, rules: MapRules, vector: Array) -> None:
    """Write all that there is to know into a vector of uint8."""
    vector[:] = 0
    at = rules.segment[GLOBAL_STATE]
    _write_public(state, rules, at, 0, vector)
    for seat in range(rules.num_seats):
        _write_private(state, rules, at, seat, seat, vector)
    if rules.num_racks > 0:
        for team in range(rules.num_racks):
            _write_team(state, rules, at, team, team, vector)
        if state.phase == phases.SHARE:
            write_set(state.to_share, rules.num_tickets, at[segments.TO_SHARE], vector)
        if state.unplaced != EMPTY:
            write_number(1, at[segments.DRAWN] + state.unplaced, vector)
    shared.write_hidden(state, at, vector)


@inlined
def _write_public(state: MapState, rules: MapRules, at: Array, viewer: int, vector: Array) -> None:
    """Write what all may see."""
    next_turn = 0 if state.turn == 0 else next_seat(state, rules)  # C7
    shared.write_public(state, rules, at, viewer, next_turn, vector)
    if state.route != NO_ROUTE:
        write_number(1, at[segments.SUBJECT_ROUTE] + state.route, vector)
    write_number(state.passes, at[segments.PASSES], vector)
    for seat in range(rules.num_seats):
        distance = distance_to(rules, viewer, seat)
        write_number(state.trains[seat], at[segments.TRAINS] + distance, vector)
        write_set(state.claimed[seat], rules.num_routes, at[segments.CLAIMED] + distance * rules.num_routes, vector)
    if rules.num_racks > 0:
        _write_racks(state, rules, at, viewer, vector)
    if rules.lays_out:
        _write_payment(state, rules, at, vector)
    if rules.num_technologies > 0:
        _write_technologies(state, rules, at, viewer, vector)
    if rules.num_companies > 0:
        _write_all_shares(state, rules, at, viewer, vector)
    if rules.num_stations > 0:
        _write_stations(state, rules, at, viewer, vector)


@inlined
def _write_private(state: MapState, rules: MapRules, at: Array, seat: int, row: int, vector: Array) -> None:
    """Write what a seat may see of its own, into a row of its segments."""
    shared.write_private(state, rules, at, seat, row, vector)
    start = at[segments.COMPLETED] + row * rules.num_tickets
    _write_completed(state, rules, state.tickets[seat], rules.team[seat], start, vector)
    if rules.num_racks > 0 and state.sharing[seat] != NO_TICKET:
        write_number(1, at[segments.SHARING] + row * rules.num_tickets + state.sharing[seat], vector)


@inlined
def _write_completed(state: MapState, rules: MapRules, tickets: Array, team: int, start: int, vector: Array) -> None:
    """Write which tickets of a set the team has completed, as ones."""
    for ticket in bits.members(tickets):
        write_number(routes.is_completed(state, rules, team, ticket), start + ticket, vector)


# Payments under way, and tunnels (C2, TA10)


def _payment_segments(configuration: MapConfiguration) -> list[Part]:
    listed: list[Part] = []
    if configuration.has_racks or configuration.has_tunnels:
        due = "coloured cards and locomotives still to be laid out; at a tunnel the cards due, and 0"
        listed += [
            (segments.SUBJECT_PAYMENT, (CARD_TYPES,), "one-hot: the colour of the payment; locomotives alone last"),
            (segments.SUBJECT_CARDS, (2,), due),
        ]
    if configuration.lays_out:
        apart = "cards laid out for the payment under way, from the hand and from the rack"
        listed.append((segments.SET_ASIDE, (2, CARD_TYPES), apart))
    if configuration.has_tunnels:
        listed.append((segments.REVEALED, (CARD_TYPES,), "cards turned up for the tunnel"))
    return listed


@inlined
def _write_payment(state: MapState, rules: MapRules, at: Array, vector: Array) -> None:
    if at[segments.SUBJECT_PAYMENT] >= 0 and state.payment != NO_ACTION:
        write_number(1, at[segments.SUBJECT_PAYMENT] + payments.colour_of(rules, state.payment), vector)
        if state.phase == phases.FROM_RACK:
            write_number(payments.coloured_due(state, rules), at[segments.SUBJECT_CARDS], vector)
            write_number(payments.locomotives_due(state, rules), at[segments.SUBJECT_CARDS] + 1, vector)
        else:
            write_number(state.due, at[segments.SUBJECT_CARDS], vector)
    for source in range(2):
        copy_bytes(state.set_aside[source], CARD_TYPES, at[segments.SET_ASIDE] + source * CARD_TYPES, vector)
    if rules.has_tunnels:
        copy_bytes(state.revealed, CARD_TYPES, at[segments.REVEALED], vector)


# Racks and what teammates share (TA2, TA4, TA5)


def _rack_segments(configuration: MapConfiguration) -> list[Part]:
    teams = configuration.num_teams
    return [
        (segments.RACK_COUNT, (teams,), "train cards on the rack of each team, one's own first"),
        (segments.RACK_KNOWN, (teams, CARD_TYPES), "cards on each rack that all players know of, by colour"),
        (segments.RACK_TICKET_COUNT, (teams,), "tickets on the rack of each team"),
        (segments.PLACED, (2,), "one-hot: where this turn's first card went, hand or rack (TA5)"),
    ]


def _team_segments(configuration: MapConfiguration, seats: int, teams: int) -> list[Part]:
    tickets = configuration.num_tickets
    drawn = "one-hot: the card drawn that goes to the hand or the rack, for seats that may see it (TA5)"
    return [
        (segments.DRAWN, (CARD_TYPES,), drawn),
        (segments.RACK, (teams, CARD_TYPES), "cards on the team's rack, by colour"),
        (segments.RACK_TICKETS, (teams, tickets), "tickets on the team's rack"),
        (segments.RACK_COMPLETED, (teams, tickets), "tickets on the team's rack that are completed"),
        (segments.TO_SHARE, (tickets,), "tickets of which one may go on the rack, for the acting seat"),
        (segments.SHARING, (seats, tickets), "ticket chosen for the rack at the start (TA4)"),
    ]


@inlined
def _write_racks(state: MapState, rules: MapRules, at: Array, viewer: int, vector: Array) -> None:
    team = rules.team[viewer]
    for distance in range(rules.num_racks):
        write_number(state.rack_count[team], at[segments.RACK_COUNT] + distance, vector)
        write_number(state.rack_ticket_count[team], at[segments.RACK_TICKET_COUNT] + distance, vector)
        copy_bytes(state.rack_known[team], CARD_TYPES, at[segments.RACK_KNOWN] + distance * CARD_TYPES, vector)
        team = team + 1 if team + 1 < rules.num_racks else 0
    if state.placed != NOWHERE:
        write_number(1, at[segments.PLACED] + state.placed, vector)


@inlined
def _write_team(state: MapState, rules: MapRules, at: Array, team: int, row: int, vector: Array) -> None:
    copy_bytes(state.rack[team], CARD_TYPES, at[segments.RACK] + row * CARD_TYPES, vector)
    tickets, start = state.rack_tickets[team], row * rules.num_tickets
    write_set(tickets, rules.num_tickets, at[segments.RACK_TICKETS] + start, vector)
    _write_completed(state, rules, tickets, team, at[segments.RACK_COMPLETED] + start, vector)


# Technologies (UK8)


def _technology_segments(configuration: MapConfiguration) -> list[Part]:
    number = len(configuration.technologies)
    listed: list[Part] = [
        (segments.TECHNOLOGIES, (configuration.num_players, number), "technologies of each seat"),
        (segments.TECHNOLOGIES_LEFT, (number,), "copies of each technology left in the supply"),
        (segments.SUBJECT_TECHNOLOGY, (number,), "one-hot: the technology that is being paid for"),
        (segments.BOUGHT, (number,), "one-hot: the technology bought this turn"),
    ]
    if configuration.has_effect("thermocompressor"):
        listed.append((segments.CLAIMS, (1,), "routes claimed this turn"))
    return listed


@inlined
def _write_technologies(state: MapState, rules: MapRules, at: Array, viewer: int, vector: Array) -> None:
    for seat in range(rules.num_seats):
        distance = distance_to(rules, viewer, seat)
        start = at[segments.TECHNOLOGIES] + distance * rules.num_technologies
        write_bits(np.uint64(state.technologies[seat]), rules.num_technologies, start, vector)
    for technology in range(rules.num_technologies):
        left = technologies.copies_left(state, rules, technology)
        write_number(left, at[segments.TECHNOLOGIES_LEFT] + technology, vector)
    if state.technology != NO_TECHNOLOGY:
        write_number(1, at[segments.SUBJECT_TECHNOLOGY] + state.technology, vector)
    if state.bought != NO_TECHNOLOGY:
        write_number(1, at[segments.BOUGHT] + state.bought, vector)
    if at[segments.CLAIMS] >= 0:
        write_number(state.claims, at[segments.CLAIMS], vector)


# Shares (PA4, PA8)


def _share_segments(configuration: MapConfiguration) -> list[Part]:
    companies, seats = configuration.variant.companies, configuration.num_players
    holders = seats + configuration.has_neutral_shareholder
    of_each = "of each seat, then of the neutral player" if holders > seats else "of each seat"
    number = sum(company.shares for company in companies)
    return [
        (segments.SHARES, (holders, number), f"shares {of_each}, company by company in the order of their numbers"),
        (segments.SHARE_COUNT, (holders, len(companies)), f"number of shares by company, {of_each}"),
        (segments.SHARES_LEFT, (len(companies),), "shares of each company that are not yet taken"),
    ]


@inlined
def _write_all_shares(state: MapState, rules: MapRules, at: Array, viewer: int, vector: Array) -> None:
    for seat in range(rules.num_seats):
        distance = distance_to(rules, viewer, seat)
        _write_shares(state.shares[seat], rules, at, distance, vector)
    if rules.neutral_shareholder:
        _write_shares(state.shares[NEUTRAL], rules, at, rules.num_seats, vector)
    for company in range(rules.num_companies):
        left = count_bits(state.shares_left & rules.company_shares[company])
        write_number(left, at[segments.SHARES_LEFT] + company, vector)


@inlined
def _write_shares(shares: np.uint64, rules: MapRules, at: Array, holder: int, vector: Array) -> None:
    write_bits(shares, rules.num_shares, at[segments.SHARES] + holder * rules.num_shares, vector)
    start = at[segments.SHARE_COUNT] + holder * rules.num_companies
    for company in range(rules.num_companies):
        write_number(count_bits(shares & rules.company_shares[company]), start + company, vector)


# Stations (EU6)


def _station_segments(configuration: MapConfiguration) -> list[Part]:
    seats, cities = configuration.num_players, len(configuration.variant.cities)
    return [
        (segments.STATIONS, (seats, cities), "cities with a station of each seat"),
        (segments.STATIONS_LEFT, (seats,), "stations left to each seat"),
        (segments.SUBJECT_CITY, (cities,), "one-hot: the city whose station is being paid for"),
    ]


@inlined
def _write_stations(state: MapState, rules: MapRules, at: Array, viewer: int, vector: Array) -> None:
    if state.city != NO_CITY:
        write_number(1, at[segments.SUBJECT_CITY] + state.city, vector)
    for seat in range(rules.num_seats):
        distance = distance_to(rules, viewer, seat)
        for city in state.stations[seat]:
            if city != NO_CITY:
                write_number(1, at[segments.STATIONS] + distance * rules.num_cities + city, vector)
        left = rules.num_stations - payments.stations_built(state, seat)
        write_number(left, at[segments.STATIONS_LEFT] + distance, vector)
