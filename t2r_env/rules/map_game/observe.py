"""What a seat sees, as a vector of counts and one-hots (C20), and the whole truth as another.

Both vectors are made of named segments; `rules.segment` says where each begins (t2r_env/rules/observe.py: the segments
that all games have).
"""

import numpy as np

from t2r_env.rules import bits, turns
from t2r_env.rules.compiled import compiled, count_bits, inlined, lowest_bit
from t2r_env.rules.layout import Part, Segments
from t2r_env.rules.map_game import actions, scoring, technologies
from t2r_env.rules.map_game.phases import from_rack
from t2r_env.rules.map_game.setup import MapSetup
from t2r_env.rules.map_game.state import FROM_RACK, NEUTRAL, NO_LANE, NO_TECHNOLOGY, NOWHERE, SHARE
from t2r_env.rules.observe import (
    OBSERVATION,
    SHARED_SEGMENTS,
    TRUTH,
    lay_out_hidden,
    lay_out_private,
    lay_out_public,
    write_cards,
    write_hidden,
    write_private,
    write_public,
    write_public_of,
    write_question,
    write_set,
)
from t2r_env.rules.records import Record
from t2r_env.rules.state import FROM_DECK, NO_ANSWER, TICKET_WORDS
from t2r_env.rules.ticket_queue import NO_TICKET
from t2r_env.rules.train_cards import CARD_KINDS, EMPTY

SEGMENTS = (
    *SHARED_SEGMENTS,
    "question_lane",
    "passes",
    "trains",
    "claimed",
    "rack_count",
    "rack_known",
    "rack_ticket_count",
    "placed",
    "question_payment",
    "question_cards",
    "set_aside",
    "revealed",
    "technologies",
    "technologies_left",
    "question_technology",
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
    QUESTION_LANE,
    PASSES,
    TRAINS,
    CLAIMED,
    RACK_COUNT,
    RACK_KNOWN,
    RACK_TICKET_COUNT,
    PLACED,
    QUESTION_PAYMENT,
    QUESTION_CARDS,
    SET_ASIDE,
    REVEALED,
    TECHNOLOGIES,
    TECHNOLOGIES_LEFT,
    QUESTION_TECHNOLOGY,
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


def lay_out(setup: MapSetup, vector: int) -> Segments:
    """The segments of the observation or of the truth, in their order: those that the game needs."""
    parts = [*lay_out_public(setup), *_lay_out_map(setup), *_lay_out_apart(setup), *_lay_out_holdings(setup)]
    parts += [*lay_out_private(setup, vector), *_lay_out_private(setup, vector)]
    return Segments([*parts, *lay_out_hidden(setup)] if vector == TRUTH else parts)


def _lay_out_map(setup: MapSetup) -> list[Part]:
    """What all may see of the map."""
    num_players, lanes = setup.num_players, len(setup.box.lanes)
    return [
        ("question_lane", (lanes,), "one-hot: the lane that is being claimed"),
        ("passes", (1,), "passes in succession (C13)"),
        ("trains", (num_players,), "trains left to each seat"),
        ("claimed", (num_players, lanes), "lanes claimed by each seat"),
    ]


def _lay_out_apart(setup: MapSetup) -> list[Part]:
    """What all may see of racks, and of payments that take more than one step."""
    teams = setup.num_sides
    parts: list[Part] = []
    if setup.has_racks:
        parts += [
            ("rack_count", (teams,), "train cards on the rack of each team, one's own first"),
            ("rack_known", (teams, CARD_KINDS), "cards that all know to be on each rack, by colour"),
            ("rack_ticket_count", (teams,), "tickets on the rack of each team"),
            ("placed", (2,), "one-hot: where this turn's first card went, hand or rack (TA5)"),
        ]
    if setup.has_racks or setup.has_tunnels:
        parts += [
            (
                "question_payment",
                (CARD_KINDS,),
                "one-hot: the colour of the payment under way; locomotives alone last",
            ),
            (
                "question_cards",
                (2,),
                "coloured cards and locomotives still to be laid out; at a tunnel what is due and 0",
            ),
        ]
    if setup.has_racks or setup.has_tunnels or setup.box.exchange:
        parts.append(
            ("set_aside", (2, CARD_KINDS), "cards laid out for the payment under way, from the hand and from the rack")
        )
    if setup.has_tunnels:
        parts.append(("revealed", (CARD_KINDS,), "cards turned up for the tunnel"))
    return parts


def _lay_out_holdings(setup: MapSetup) -> list[Part]:
    """What all may see of technologies and shares."""
    box, num_players = setup.box, setup.num_players
    parts: list[Part] = []
    if setup.technologies:
        number = len(setup.technologies)
        parts += [
            ("technologies", (num_players, number), "technologies of each seat"),
            ("technologies_left", (number,), "copies of each technology that the supply has"),
            ("question_technology", (number,), "one-hot: the technology that is being paid for"),
            ("bought", (number,), "one-hot: the technology bought this turn"),
        ]
    if setup.has_effect("thermocompressor"):
        parts.append(("claims", (1,), "lanes claimed this turn"))
    if box.companies:
        holders = num_players + setup.has_neutral_shareholder
        of_each = "of each seat, then of the neutral player" if holders > num_players else "of each seat"
        companies, number = len(box.companies), sum(company.shares for company in box.companies)
        parts += [
            ("shares", (holders, number), f"shares {of_each}, company by company in the order of their numbers"),
            ("share_count", (holders, companies), f"how many shares of each company are {of_each}"),
            ("shares_left", (companies,), "shares of each company that are not yet taken"),
        ]
    return parts


def _lay_out_private(setup: MapSetup, vector: int) -> list[Part]:
    """What a seat may see of its own, and of its team's rack."""
    is_truth, num_tickets = vector == TRUTH, setup.num_tickets
    rows = setup.num_players if is_truth else 1
    parts: list[Part] = [("completed", (rows, num_tickets), "tickets in the hand that are completed")]
    if setup.has_racks:
        racks = setup.num_sides if is_truth else 1
        parts += [
            ("drawn", (CARD_KINDS,), "one-hot: the card drawn that goes to hand or rack, for who may see it (TA5)"),
            ("rack", (racks, CARD_KINDS), "cards on the team's rack, by colour"),
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
        _write_question(state, rules, OBSERVATION, vector)
    if rules.num_teams > 0:
        _write_rack(state, rules, OBSERVATION, rules.side[seat], 0, vector)
        if state.current == seat or state.drawn_slot != FROM_DECK:
            _write_drawn(state, rules, OBSERVATION, vector)


@compiled
def tell_truth(state: Record, rules: Record, vector: np.ndarray) -> None:
    """Write all there is to know into a row of uint8."""
    vector[:] = 0
    _write_public(state, rules, TRUTH, 0, vector)
    for seat in range(rules.num_seats):
        _write_private(state, rules, TRUTH, seat, seat, vector)
    _write_question(state, rules, TRUTH, vector)
    if rules.num_teams > 0:
        for side in range(rules.num_teams):
            _write_rack(state, rules, TRUTH, side, side, vector)
        _write_drawn(state, rules, TRUTH, vector)
    write_hidden(state, rules.segment[TRUTH], vector)


@inlined
def _write_public(state: Record, rules: Record, layout: int, viewer: int, vector: np.ndarray) -> None:
    at = rules.segment[layout]
    write_public(state, rules, at, viewer, turns.seat_of_next_turn(state, rules), vector)
    if state.lane != NO_LANE:
        vector[at[QUESTION_LANE] + state.lane] = 1
    vector[at[PASSES]] = state.passes
    seat = viewer
    for distance in range(rules.num_seats):
        write_public_of(state, rules, at, seat, distance, vector)
        vector[at[TRAINS] + distance] = state.trains[seat]
        write_set(state.claimed[seat], at[CLAIMED] + distance * rules.num_lanes, vector)
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
    if at[QUESTION_PAYMENT] >= 0 and state.payment != NO_ANSWER:
        _write_payment(state, rules, at, vector)
    if at[SET_ASIDE] >= 0:
        for source in range(2):
            write_cards(state.set_aside[source], at[SET_ASIDE] + source * CARD_KINDS, vector)
    if at[REVEALED] >= 0:
        write_cards(state.revealed, at[REVEALED], vector)
    if at[TECHNOLOGIES] >= 0:
        _write_technologies(state, rules, at, viewer, vector)


@compiled
def _write_racks(state: Record, rules: Record, at: np.ndarray, viewer: int, vector: np.ndarray) -> None:
    side = rules.side[viewer]
    for distance in range(rules.num_teams):
        vector[at[RACK_COUNT] + distance] = state.rack_count[side]
        vector[at[RACK_TICKET_COUNT] + distance] = state.rack_ticket_count[side]
        write_cards(state.rack_known[side], at[RACK_KNOWN] + distance * CARD_KINDS, vector)
        side = side + 1 if side + 1 < rules.num_teams else 0
    if state.placed != NOWHERE:
        vector[at[PLACED] + state.placed] = 1


@compiled
def _write_payment(state: Record, rules: Record, at: np.ndarray, vector: np.ndarray) -> None:
    vector[at[QUESTION_PAYMENT] + actions.payment_colour(rules, state.payment)] = 1
    if state.phase == FROM_RACK:
        vector[at[QUESTION_CARDS]] = from_rack.coloured_due(state, rules)
        vector[at[QUESTION_CARDS] + 1] = from_rack.locomotives_due(state, rules)
    else:
        vector[at[QUESTION_CARDS]] = state.due


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
        vector[at[QUESTION_TECHNOLOGY] + state.technology] = 1
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
    _write_completed(state, rules, state.tickets[seat], rules.side[seat], start, vector)
    if rules.num_teams > 0 and state.sharing[seat] != NO_TICKET:
        vector[at[SHARING] + row * rules.num_tickets + state.sharing[seat]] = 1


@inlined
def _write_completed(
    state: Record, rules: Record, tickets: np.ndarray, side: int, start: int, vector: np.ndarray
) -> None:
    """Write which tickets of a set the side has completed."""
    for word in range(TICKET_WORDS):
        held = tickets[word]
        while held != bits.NONE:
            ticket = 64 * word + lowest_bit(held)
            held = bits.without_lowest(held)
            if scoring.is_completed(state, rules, side, ticket):
                vector[start + ticket] = 1


@compiled
def _write_rack(state: Record, rules: Record, layout: int, side: int, row: int, vector: np.ndarray) -> None:
    at = rules.segment[layout]
    write_cards(state.rack[side], at[RACK] + row * CARD_KINDS, vector)
    write_set(state.rack_tickets[side], at[RACK_TICKETS] + row * rules.num_tickets, vector)
    _write_completed(state, rules, state.rack_tickets[side], side, at[RACK_COMPLETED] + row * rules.num_tickets, vector)


@inlined
def _write_drawn(state: Record, rules: Record, layout: int, vector: np.ndarray) -> None:
    if state.unplaced != EMPTY:
        vector[rules.segment[layout, DRAWN] + state.unplaced] = 1


@inlined
def _write_question(state: Record, rules: Record, layout: int, vector: np.ndarray) -> None:
    """What only the asked seat may know of its question."""
    at = rules.segment[layout]
    write_question(state, at, vector)
    if state.phase == SHARE:
        write_set(state.to_share, at[TO_SHARE], vector)
