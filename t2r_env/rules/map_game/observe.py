"""What a seat sees, as a vector of counts and one-hots (C20), and the whole truth as another.

Both vectors are made of named segments; `rules.segment` says where each begins (t2r_env/rules/observe.py: the segments
that all games have).
"""

import numpy as np

from t2r_env.rules import bits, turns
from t2r_env.rules.compiled import compiled, count_bits, inlined, lowest_bit
from t2r_env.rules.layout import Part, Segments
from t2r_env.rules.map_game import actions, scoring, technologies
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.map_game.phases import from_rack
from t2r_env.rules.map_game.state import FROM_RACK, NEUTRAL, NO_ROUTE, NO_TECHNOLOGY, NOWHERE, SHARE
from t2r_env.rules.observe import (
    GLOBAL_STATE,
    OBSERVATION,
    SHARED_SEGMENTS,
    lay_out_hidden,
    lay_out_private,
    lay_out_public,
    write_cards,
    write_hidden,
    write_private,
    write_public,
    write_public_of,
    write_set,
    write_subject,
)
from t2r_env.rules.records import Record
from t2r_env.rules.state import FROM_DECK, NO_ACTION, TICKET_WORDS
from t2r_env.rules.ticket_queue import NO_TICKET
from t2r_env.rules.train_cards import CARD_TYPES, EMPTY

SEGMENTS = (
    *SHARED_SEGMENTS,
    "subject_route",
    "passes",
    "trains",
    "claimed",
    "rack_count",
    "rack_known",
    "rack_ticket_count",
    "placed",
    "subject_payment",
    "subject_cards",
    "set_aside",
    "revealed",
    "technologies",
    "technologies_left",
    "subject_technology",
    "bought",
    "claims",
    "shares",
    "share_count",
    "shares_left",
    "completed",
    "drawn",
    "rack",
    "rack_tickets",
    "rack_completed",
    "to_share",
    "sharing",
)
(
    SUBJECT_ROUTE,
    PASSES,
    TRAINS,
    CLAIMED,
    RACK_COUNT,
    RACK_KNOWN,
    RACK_TICKET_COUNT,
    PLACED,
    SUBJECT_PAYMENT,
    SUBJECT_CARDS,
    SET_ASIDE,
    REVEALED,
    TECHNOLOGIES,
    TECHNOLOGIES_LEFT,
    SUBJECT_TECHNOLOGY,
    BOUGHT,
    CLAIMS,
    SHARES,
    SHARE_COUNT,
    SHARES_LEFT,
    COMPLETED,
    DRAWN,
    RACK,
    RACK_TICKETS,
    RACK_COMPLETED,
    TO_SHARE,
    SHARING,
) = range(len(SHARED_SEGMENTS), len(SEGMENTS))


def lay_out(configuration: MapConfiguration, vector: int) -> Segments:
    """The segments of the observation or of the truth, in their order: those that the game needs."""
    parts = [
        *lay_out_public(configuration),
        *_lay_out_map(configuration),
        *_lay_out_apart(configuration),
        *_lay_out_holdings(configuration),
    ]
    parts += [*lay_out_private(configuration, vector), *_lay_out_private(configuration, vector)]
    return Segments([*parts, *lay_out_hidden(configuration)] if vector == GLOBAL_STATE else parts)


def _lay_out_map(configuration: MapConfiguration) -> list[Part]:
    """What all may see of the map."""
    num_players, routes = configuration.num_players, len(configuration.variant.routes)
    return [
        ("subject_route", (routes,), "one-hot: the route that is being claimed"),
        ("passes", (1,), "passes in succession (C13)"),
        ("trains", (num_players,), "trains left to each seat"),
        ("claimed", (num_players, routes), "routes claimed by each seat"),
    ]


def _lay_out_apart(configuration: MapConfiguration) -> list[Part]:
    """What all may see of racks, and of payments that take more than one step."""
    teams = configuration.num_teams
    parts: list[Part] = []
    if configuration.has_racks:
        parts += [
            ("rack_count", (teams,), "train cards on the rack of each team, one's own first"),
            ("rack_known", (teams, CARD_TYPES), "cards that all know to be on each rack, by colour"),
            ("rack_ticket_count", (teams,), "tickets on the rack of each team"),
            ("placed", (2,), "one-hot: where this turn's first card went, hand or rack (TA5)"),
        ]
    if configuration.has_racks or configuration.has_tunnels:
        parts += [
            (
                "subject_payment",
                (CARD_TYPES,),
                "one-hot: the colour of the payment under way; locomotives alone last",
            ),
            (
                "subject_cards",
                (2,),
                "coloured cards and locomotives still to be laid out; at a tunnel what is due and 0",
            ),
        ]
    if configuration.has_racks or configuration.has_tunnels or configuration.variant.exchange:
        parts.append(
            ("set_aside", (2, CARD_TYPES), "cards laid out for the payment under way, from the hand and from the rack")
        )
    if configuration.has_tunnels:
        parts.append(("revealed", (CARD_TYPES,), "cards turned up for the tunnel"))
    return parts


def _lay_out_holdings(configuration: MapConfiguration) -> list[Part]:
    """What all may see of technologies and shares."""
    variant, num_players = configuration.variant, configuration.num_players
    parts: list[Part] = []
    if configuration.technologies:
        number = len(configuration.technologies)
        parts += [
            ("technologies", (num_players, number), "technologies of each seat"),
            ("technologies_left", (number,), "copies of each technology that the supply has"),
            ("subject_technology", (number,), "one-hot: the technology that is being paid for"),
            ("bought", (number,), "one-hot: the technology bought this turn"),
        ]
    if configuration.has_effect("thermocompressor"):
        parts.append(("claims", (1,), "routes claimed this turn"))
    if variant.companies:
        holders = num_players + configuration.has_neutral_shareholder
        of_each = "of each seat, then of the neutral player" if holders > num_players else "of each seat"
        companies, number = len(variant.companies), sum(company.shares for company in variant.companies)
        parts += [
            ("shares", (holders, number), f"shares {of_each}, company by company in the order of their numbers"),
            ("share_count", (holders, companies), f"how many shares of each company are {of_each}"),
            ("shares_left", (companies,), "shares of each company that are not yet taken"),
        ]
    return parts


def _lay_out_private(configuration: MapConfiguration, vector: int) -> list[Part]:
    """What a seat may see of its own, and of its team's rack."""
    is_global, num_tickets = vector == GLOBAL_STATE, configuration.num_tickets
    rows = configuration.num_players if is_global else 1
    parts: list[Part] = [("completed", (rows, num_tickets), "tickets in the hand that are completed")]
    if configuration.has_racks:
        racks = configuration.num_teams if is_global else 1
        parts += [
            ("drawn", (CARD_TYPES,), "one-hot: the card drawn that goes to hand or rack, for who may see it (TA5)"),
            ("rack", (racks, CARD_TYPES), "cards on the team's rack, by colour"),
            ("rack_tickets", (racks, num_tickets), "tickets on the team's rack"),
            ("rack_completed", (racks, num_tickets), "those of them that are completed"),
            ("to_share", (num_tickets,), "tickets of which one may go on the rack, for the seat that is asked"),
            ("sharing", (rows, num_tickets), "ticket chosen for the rack at the start (TA4)"),
        ]
    return parts


@compiled
def observe(state: Record, rules: Record, seat: int, vector: np.ndarray) -> None:
    """Write what `seat` sees into a row of uint8."""
    vector[:] = 0
    _write_public(state, rules, OBSERVATION, seat, vector)
    _write_private(state, rules, OBSERVATION, seat, 0, vector)
    if state.current == seat:
        _write_subject(state, rules, OBSERVATION, vector)
    if rules.num_racks > 0:
        _write_rack(state, rules, OBSERVATION, rules.team[seat], 0, vector)
        if state.current == seat or state.drawn_slot != FROM_DECK:
            _write_drawn(state, rules, OBSERVATION, vector)


@compiled
def write_global_state(state: Record, rules: Record, vector: np.ndarray) -> None:
    """Write all there is to know into a row of uint8."""
    vector[:] = 0
    _write_public(state, rules, GLOBAL_STATE, 0, vector)
    for seat in range(rules.num_seats):
        _write_private(state, rules, GLOBAL_STATE, seat, seat, vector)
    _write_subject(state, rules, GLOBAL_STATE, vector)
    if rules.num_racks > 0:
        for team in range(rules.num_racks):
            _write_rack(state, rules, GLOBAL_STATE, team, team, vector)
        _write_drawn(state, rules, GLOBAL_STATE, vector)
    write_hidden(state, rules.segment[GLOBAL_STATE], vector)


@inlined
def _write_public(state: Record, rules: Record, layout: int, viewer: int, vector: np.ndarray) -> None:
    at = rules.segment[layout]
    write_public(state, rules, at, viewer, turns.seat_of_next_turn(state, rules), vector)
    if state.route != NO_ROUTE:
        vector[at[SUBJECT_ROUTE] + state.route] = 1
    vector[at[PASSES]] = state.passes
    seat = viewer
    for distance in range(rules.num_seats):
        write_public_of(state, rules, at, seat, distance, vector)
        vector[at[TRAINS] + distance] = state.trains[seat]
        write_set(state.claimed[seat], at[CLAIMED] + distance * rules.num_routes, vector)
        if rules.num_companies:
            _write_shares(state.shares[seat], rules, at, distance, vector)
        seat = seat + 1 if seat + 1 < rules.num_seats else 0
    _write_special(state, rules, at, viewer, vector)
    if rules.neutral_shareholder:
        _write_shares(state.shares[NEUTRAL], rules, at, rules.num_seats, vector)
    for company in range(rules.num_companies):
        vector[at[SHARES_LEFT] + company] = count_bits(state.shares_left & rules.company_shares[company])


@inlined
def _write_special(state: Record, rules: Record, at: np.ndarray, viewer: int, vector: np.ndarray) -> None:
    """What all may see that only some games have."""
    if at[RACK_COUNT] >= 0:
        _write_racks(state, rules, at, viewer, vector)
    if at[SUBJECT_PAYMENT] >= 0 and state.payment != NO_ACTION:
        _write_payment(state, rules, at, vector)
    if at[SET_ASIDE] >= 0:
        for source in range(2):
            write_cards(state.set_aside[source], at[SET_ASIDE] + source * CARD_TYPES, vector)
    if at[REVEALED] >= 0:
        write_cards(state.revealed, at[REVEALED], vector)
    if at[TECHNOLOGIES] >= 0:
        _write_technologies(state, rules, at, viewer, vector)


@compiled
def _write_racks(state: Record, rules: Record, at: np.ndarray, viewer: int, vector: np.ndarray) -> None:
    team = rules.team[viewer]
    for distance in range(rules.num_racks):
        vector[at[RACK_COUNT] + distance] = state.rack_count[team]
        vector[at[RACK_TICKET_COUNT] + distance] = state.rack_ticket_count[team]
        write_cards(state.rack_known[team], at[RACK_KNOWN] + distance * CARD_TYPES, vector)
        team = team + 1 if team + 1 < rules.num_racks else 0
    if state.placed != NOWHERE:
        vector[at[PLACED] + state.placed] = 1


@compiled
def _write_payment(state: Record, rules: Record, at: np.ndarray, vector: np.ndarray) -> None:
    vector[at[SUBJECT_PAYMENT] + actions.payment_colour(rules, state.payment)] = 1
    if state.phase == FROM_RACK:
        vector[at[SUBJECT_CARDS]] = from_rack.coloured_due(state, rules)
        vector[at[SUBJECT_CARDS] + 1] = from_rack.locomotives_due(state, rules)
    else:
        vector[at[SUBJECT_CARDS]] = state.due


@compiled
def _write_technologies(state: Record, rules: Record, at: np.ndarray, viewer: int, vector: np.ndarray) -> None:
    seat = viewer
    for distance in range(rules.num_seats):
        for technology in range(rules.num_technologies):
            if technologies.holds(state, seat, technology):
                vector[at[TECHNOLOGIES] + distance * rules.num_technologies + technology] = 1
        seat = seat + 1 if seat + 1 < rules.num_seats else 0
    for technology in range(rules.num_technologies):
        vector[at[TECHNOLOGIES_LEFT] + technology] = technologies.copies_left(state, rules, technology)
    if state.technology != NO_TECHNOLOGY:
        vector[at[SUBJECT_TECHNOLOGY] + state.technology] = 1
    if state.bought != NO_TECHNOLOGY:
        vector[at[BOUGHT] + state.bought] = 1
    if at[CLAIMS] >= 0:
        vector[at[CLAIMS]] = state.claims


@compiled
def _write_shares(shares: np.uint64, rules: Record, at: np.ndarray, holder: int, vector: np.ndarray) -> None:
    for company in range(rules.num_companies):
        own = shares & rules.company_shares[company]
        vector[at[SHARE_COUNT] + holder * rules.num_companies + company] = count_bits(own)
        while own != bits.NONE:
            vector[at[SHARES] + holder * rules.num_shares + lowest_bit(own)] = 1
            own = bits.without_lowest(own)


@inlined
def _write_private(state: Record, rules: Record, layout: int, seat: int, row: int, vector: np.ndarray) -> None:
    at = rules.segment[layout]
    write_private(state, rules, at, seat, row, vector)
    start = at[COMPLETED] + row * rules.num_tickets
    _write_completed(state, rules, state.tickets[seat], rules.team[seat], start, vector)
    if rules.num_racks > 0 and state.sharing[seat] != NO_TICKET:
        vector[at[SHARING] + row * rules.num_tickets + state.sharing[seat]] = 1


@inlined
def _write_completed(
    state: Record, rules: Record, tickets: np.ndarray, team: int, start: int, vector: np.ndarray
) -> None:
    """Write which tickets of a set the side has completed."""
    for word in range(TICKET_WORDS):
        held = tickets[word]
        while held != bits.NONE:
            ticket = 64 * word + lowest_bit(held)
            held = bits.without_lowest(held)
            if scoring.is_completed(state, rules, team, ticket):
                vector[start + ticket] = 1


@compiled
def _write_rack(state: Record, rules: Record, layout: int, team: int, row: int, vector: np.ndarray) -> None:
    at = rules.segment[layout]
    write_cards(state.rack[team], at[RACK] + row * CARD_TYPES, vector)
    write_set(state.rack_tickets[team], at[RACK_TICKETS] + row * rules.num_tickets, vector)
    _write_completed(state, rules, state.rack_tickets[team], team, at[RACK_COMPLETED] + row * rules.num_tickets, vector)


@inlined
def _write_drawn(state: Record, rules: Record, layout: int, vector: np.ndarray) -> None:
    if state.unplaced != EMPTY:
        vector[rules.segment[layout, DRAWN] + state.unplaced] = 1


@inlined
def _write_subject(state: Record, rules: Record, layout: int, vector: np.ndarray) -> None:
    """What only the asked seat may know of its decision."""
    at = rules.segment[layout]
    write_subject(state, at, vector)
    if state.phase == SHARE:
        write_set(state.to_share, at[TO_SHARE], vector)
