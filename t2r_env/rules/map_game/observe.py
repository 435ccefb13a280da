"""What a seat sees, as a vector of counts and one-hots (C20), and the whole truth as another.

Both vectors are made of named segments; `rules.segment` says where each begins. Seats are counted from the observing
seat in turn order; in the truth, from seat 0. What only a seat itself may see has one row in its observation and a row
for every seat in the truth.
"""

import numpy as np

from t2r_env.rules import bits, ticket_queue
from t2r_env.rules.compiled import compiled, count_bits, inlined, lowest_bit
from t2r_env.rules.layout import Segments
from t2r_env.rules.map_game import actions, scoring, technologies
from t2r_env.rules.map_game.phases import from_rack, keep_ticket
from t2r_env.rules.map_game.setup import Setup
from t2r_env.rules.map_game.state import (
    ENDED,
    FROM_DECK,
    FROM_RACK,
    KEEP_TICKET,
    NEUTRAL,
    NO_ANSWER,
    NO_LANE,
    NO_TECHNOLOGY,
    NOWHERE,
    SHARE,
    TICKET_WORDS,
)
from t2r_env.rules.records import Record
from t2r_env.rules.ticket_queue import NO_TICKET
from t2r_env.rules.train_cards import CARD_KINDS, EMPTY, ROW_SLOTS

OBSERVATION, TRUTH = 0, 1

SEGMENTS = (
    "phase",
    "to_move",
    "question_lane",
    "question_ticket",
    "turns_left",
    "last_turns_left",
    "passes",
    "row",
    "discard",
    "deck_count",
    "ticket_deck_count",
    "trains",
    "score",
    "hand_count",
    "ticket_count",
    "known",
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
    "hand",
    "tickets",
    "completed",
    "offered",
    "kept",
    "drawn",
    "rack",
    "rack_tickets",
    "rack_completed",
    "to_share",
    "sharing",
    "deck",
    "ticket_deck",
)
(
    PHASE,
    TO_MOVE,
    QUESTION_LANE,
    QUESTION_TICKET,
    TURNS_LEFT,
    LAST_TURNS_LEFT,
    PASSES,
    ROW,
    DISCARD,
    DECK_COUNT,
    TICKET_DECK_COUNT,
    TRAINS,
    SCORE,
    HAND_COUNT,
    TICKET_COUNT,
    KNOWN,
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
    HAND,
    TICKETS,
    COMPLETED,
    OFFERED,
    KEPT,
    DRAWN,
    RACK,
    RACK_TICKETS,
    RACK_COMPLETED,
    TO_SHARE,
    SHARING,
    DECK,
    TICKET_DECK,
) = range(len(SEGMENTS))


def lay_out(setup: Setup, layout: int) -> Segments:
    """The segments of the observation or of the truth, in their order: those that the game needs."""
    box, num_players, num_tickets = setup.box, setup.num_players, setup.num_tickets
    lanes, phases = len(box.lanes), setup.phases
    public: dict[int, tuple[tuple[int, ...], str]] = {
        PHASE: ((len(phases),), "one-hot: the question asked (" + ", ".join(phases) + "); none after the end"),
        TO_MOVE: ((num_players,), "one-hot: the seat that is asked; none after the end"),
        QUESTION_LANE: ((lanes,), "one-hot: the lane that is being claimed"),
        QUESTION_TICKET: ((num_tickets,), "one-hot: the ticket to be kept or refused, for the seat that is asked"),
        TURNS_LEFT: ((1,), "turns before the turn limit ends the game (C19); 255 if there are more"),
        LAST_TURNS_LEFT: ((1,), "in the last round: turns not yet finished, this one included; before it 0 (C15)"),
        PASSES: ((1,), "passes in succession (C13)"),
        ROW: ((ROW_SLOTS, CARD_KINDS), "one-hot for each slot: the card lying there; none if it is empty"),
        DISCARD: ((CARD_KINDS,), "cards in the discard, by colour"),
        DECK_COUNT: ((1,), "cards in the deck"),
        TICKET_DECK_COUNT: ((1,), "tickets in the ticket deck"),
        TRAINS: ((num_players,), "trains left to each seat"),
        SCORE: ((num_players,), "points of each seat so far (0 if negative, 255 if more)"),
        HAND_COUNT: ((num_players,), "train cards in each hand"),
        TICKET_COUNT: ((num_players,), "tickets held by each seat"),
        KNOWN: ((num_players, CARD_KINDS), "cards that all know to be in each hand, by colour"),
        CLAIMED: ((num_players, lanes), "lanes claimed by each seat"),
    }
    teams = setup.num_sides
    if setup.has_racks:
        public |= {
            RACK_COUNT: ((teams,), "train cards on the rack of each team, one's own first"),
            RACK_KNOWN: ((teams, CARD_KINDS), "cards that all know to be on each rack, by colour"),
            RACK_TICKET_COUNT: ((teams,), "tickets on the rack of each team"),
            PLACED: ((2,), "one-hot: where this turn's first card went, hand or rack (TA5)"),
        }
    if setup.has_racks or setup.has_tunnels:
        public |= {
            QUESTION_PAYMENT: ((CARD_KINDS,), "one-hot: the colour of the payment under way; locomotives alone last"),
            QUESTION_CARDS: (
                (2,),
                "coloured cards and locomotives still to be laid out; at a tunnel what is due and 0",
            ),
        }
    if setup.has_racks or setup.has_tunnels or box.exchange:
        public[SET_ASIDE] = (
            (2, CARD_KINDS),
            "cards laid out for the payment under way, from the hand and from the rack",
        )
    if setup.has_tunnels:
        public[REVEALED] = ((CARD_KINDS,), "cards turned up for the tunnel")
    if setup.technologies:
        number = len(setup.technologies)
        public |= {
            TECHNOLOGIES: ((num_players, number), "technologies of each seat"),
            TECHNOLOGIES_LEFT: ((number,), "copies of each technology that the supply has"),
            QUESTION_TECHNOLOGY: ((number,), "one-hot: the technology that is being paid for"),
            BOUGHT: ((number,), "one-hot: the technology bought this turn"),
        }
    if setup.has_effect("thermocompressor"):
        public[CLAIMS] = ((1,), "lanes claimed this turn")
    if box.companies:
        holders = num_players + setup.has_neutral_shareholder
        of_each = "of each seat, then of the neutral player" if holders > num_players else "of each seat"
        companies, number = len(box.companies), sum(company.shares for company in box.companies)
        public |= {
            SHARES: ((holders, number), f"shares {of_each}, company by company in the order of their numbers"),
            SHARE_COUNT: ((holders, companies), f"how many shares of each company are {of_each}"),
            SHARES_LEFT: ((companies,), "shares of each company that are not yet taken"),
        }
    rows = 1 if layout == OBSERVATION else num_players
    private: dict[int, tuple[tuple[int, ...], str]] = {
        HAND: ((rows, CARD_KINDS), "cards in the hand, by colour"),
        TICKETS: ((rows, num_tickets), "tickets held"),
        COMPLETED: ((rows, num_tickets), "those of them that are completed"),
        OFFERED: ((rows, num_tickets), "tickets on offer, not yet answered"),
        KEPT: ((rows, num_tickets), "tickets on offer, answered to be kept (C6)"),
    }
    if setup.has_racks:
        racks = 1 if layout == OBSERVATION else teams
        private |= {
            DRAWN: ((CARD_KINDS,), "one-hot: the card drawn that goes to hand or rack, for who may see it (TA5)"),
            RACK: ((racks, CARD_KINDS), "cards on the team's rack, by colour"),
            RACK_TICKETS: ((racks, num_tickets), "tickets on the team's rack"),
            RACK_COMPLETED: ((racks, num_tickets), "those of them that are completed"),
            TO_SHARE: ((num_tickets,), "tickets of which one may go on the rack, for the seat that is asked"),
            SHARING: ((rows, num_tickets), "ticket chosen for the rack at the start (TA4)"),
        }
    hidden = {
        DECK: ((CARD_KINDS,), "cards in the deck, by colour"),
        TICKET_DECK: ((num_tickets,), "each ticket's place in the ticket deck, the top being 1; 0 if it is not there"),
    }
    present = public | private if layout == OBSERVATION else public | private | hidden
    return Segments((SEGMENTS[number], shape, meaning) for number, (shape, meaning) in present.items())


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
    _write_cards(state.deck, rules.segment[TRUTH, DECK], vector)
    for place in range(state.queue_count):
        ticket = ticket_queue.ticket_at(state, place)
        vector[rules.segment[TRUTH, TICKET_DECK] + ticket] = place + 1


@inlined
def _saturated(number: int) -> int:
    return min(max(number, 0), 255)


@inlined
def _write_public(state: Record, rules: Record, layout: int, viewer: int, vector: np.ndarray) -> None:
    at = rules.segment[layout]
    if state.phase != ENDED:
        vector[at[PHASE] + rules.phase_slot[state.phase]] = 1
        ahead = state.current - viewer
        vector[at[TO_MOVE] + (ahead if ahead >= 0 else ahead + rules.num_seats)] = 1
    if state.lane != NO_LANE:
        vector[at[QUESTION_LANE] + state.lane] = 1
    vector[at[TURNS_LEFT]] = _saturated(rules.turn_limit - state.turn)
    vector[at[LAST_TURNS_LEFT]] = state.last_turns_left
    vector[at[PASSES]] = state.passes
    for slot in range(ROW_SLOTS):
        if state.row[slot] != EMPTY:
            vector[at[ROW] + slot * CARD_KINDS + state.row[slot]] = 1
    _write_cards(state.discard, at[DISCARD], vector)
    vector[at[DECK_COUNT]] = state.deck_count
    vector[at[TICKET_DECK_COUNT]] = state.queue_count
    seat = viewer
    for distance in range(rules.num_seats):
        vector[at[TRAINS] + distance] = state.trains[seat]
        vector[at[SCORE] + distance] = _saturated(state.score[rules.side[seat]])
        vector[at[HAND_COUNT] + distance] = state.hand_count[seat]
        vector[at[TICKET_COUNT] + distance] = state.ticket_count[seat]
        _write_cards(state.known[seat], at[KNOWN] + distance * CARD_KINDS, vector)
        _write_set(state.claimed[seat], at[CLAIMED] + distance * rules.num_lanes, vector)
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
            _write_cards(state.set_aside[source], at[SET_ASIDE] + source * CARD_KINDS, vector)
    if at[REVEALED] >= 0:
        _write_cards(state.revealed, at[REVEALED], vector)
    if at[TECHNOLOGIES] >= 0:
        _write_technologies(state, rules, at, viewer, vector)


@compiled
def _write_racks(state: Record, rules: Record, at: np.ndarray, viewer: int, vector: np.ndarray) -> None:
    side = rules.side[viewer]
    for distance in range(rules.num_teams):
        vector[at[RACK_COUNT] + distance] = state.rack_count[side]
        vector[at[RACK_TICKET_COUNT] + distance] = state.rack_ticket_count[side]
        _write_cards(state.rack_known[side], at[RACK_KNOWN] + distance * CARD_KINDS, vector)
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
def _write_cards(cards: np.ndarray, start: int, vector: np.ndarray) -> None:
    for card in range(CARD_KINDS):
        vector[start + card] = cards[card]


@inlined
def _write_set(words: np.ndarray, start: int, vector: np.ndarray) -> None:
    for word in range(2):
        left = words[word]
        while left != bits.NONE:
            vector[start + 64 * word + lowest_bit(left)] = 1
            left = bits.without_lowest(left)


@inlined
def _write_private(state: Record, rules: Record, layout: int, seat: int, row: int, vector: np.ndarray) -> None:
    at = rules.segment[layout]
    _write_cards(state.hand[seat], at[HAND] + row * CARD_KINDS, vector)
    held_from, completed_from = at[TICKETS] + row * rules.num_tickets, at[COMPLETED] + row * rules.num_tickets
    _write_tickets(state, rules, state.tickets[seat], rules.side[seat], held_from, completed_from, vector)
    if rules.num_teams > 0 and state.sharing[seat] != NO_TICKET:
        vector[at[SHARING] + row * rules.num_tickets + state.sharing[seat]] = 1
    answered = keep_ticket.answered_number(state, seat)
    for place in range(state.offered_count[seat]):
        if place >= answered:
            vector[at[OFFERED] + row * rules.num_tickets + state.offered[seat, place]] = 1
        elif ticket_queue.is_kept(state, seat, place):
            vector[at[KEPT] + row * rules.num_tickets + state.offered[seat, place]] = 1


@inlined
def _write_tickets(
    state: Record,
    rules: Record,
    tickets: np.ndarray,
    side: int,
    held_from: int,
    completed_from: int,
    vector: np.ndarray,
) -> None:
    """Write the tickets of a set, and which of them the side has completed."""
    for word in range(TICKET_WORDS):
        held = tickets[word]
        while held != bits.NONE:
            ticket = 64 * word + lowest_bit(held)
            held = bits.without_lowest(held)
            vector[held_from + ticket] = 1
            if scoring.is_completed(state, rules, side, ticket):
                vector[completed_from + ticket] = 1


@compiled
def _write_rack(state: Record, rules: Record, layout: int, side: int, row: int, vector: np.ndarray) -> None:
    at = rules.segment[layout]
    _write_cards(state.rack[side], at[RACK] + row * CARD_KINDS, vector)
    held_from, completed_from = at[RACK_TICKETS] + row * rules.num_tickets, at[RACK_COMPLETED] + row * rules.num_tickets
    _write_tickets(state, rules, state.rack_tickets[side], side, held_from, completed_from, vector)


@inlined
def _write_drawn(state: Record, rules: Record, layout: int, vector: np.ndarray) -> None:
    if state.unplaced != EMPTY:
        vector[rules.segment[layout, DRAWN] + state.unplaced] = 1


@inlined
def _write_question(state: Record, rules: Record, layout: int, vector: np.ndarray) -> None:
    """What only the asked seat may know of its question."""
    at = rules.segment[layout]
    if state.phase == KEEP_TICKET:
        vector[at[QUESTION_TICKET] + state.offered[state.current, state.asked]] = 1
    elif state.phase == SHARE:
        _write_set(state.to_share, at[TO_SHARE], vector)
