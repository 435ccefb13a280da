"""What a seat sees, as a vector of counts and one-hots (C20), and the whole truth as another.

Both vectors are made of named segments; `rules.segment` says where each begins. Seats are counted from the observing
seat in turn order; in the truth, from seat 0. What only a seat itself may see has one row in its observation and a row
for every seat in the truth.
"""

import numpy as np

from t2r_env.boxes import Box
from t2r_env.rules import bits, ticket_queue
from t2r_env.rules.compiled import compiled, count_bits, inlined, lowest_bit
from t2r_env.rules.layout import Segments
from t2r_env.rules.map_game import scoring
from t2r_env.rules.map_game.phases import keep_ticket
from t2r_env.rules.map_game.state import ENDED, KEEP_TICKET, NEUTRAL, NO_LANE, PHASES
from t2r_env.rules.records import Record
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
    "shares",
    "share_count",
    "shares_left",
    "hand",
    "tickets",
    "completed",
    "offered",
    "kept",
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
    SHARES,
    SHARE_COUNT,
    SHARES_LEFT,
    HAND,
    TICKETS,
    COMPLETED,
    OFFERED,
    KEPT,
    DECK,
    TICKET_DECK,
) = range(len(SEGMENTS))


def phases_of(box: Box, num_players: int) -> list[str]:
    """The questions that a game may ask."""
    absent = set()
    if not box.companies:
        absent.add("take_share")
    if not box.has_neutral_shareholder(num_players):
        absent.add("neutral_share")
    return [phase for phase in PHASES if phase not in absent]


def lay_out(box: Box, num_players: int, num_tickets: int, layout: int) -> Segments:
    """The segments of the observation or of the truth, in their order."""
    lanes = len(box.lanes)
    phases = phases_of(box, num_players)
    public = {
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
    if box.companies:
        holders = num_players + box.has_neutral_shareholder(num_players)
        of_each = "of each seat, then of the neutral player" if holders > num_players else "of each seat"
        companies, number = len(box.companies), sum(company.shares for company in box.companies)
        public |= {
            SHARES: ((holders, number), f"shares {of_each}, company by company in the order of their numbers"),
            SHARE_COUNT: ((holders, companies), f"how many shares of each company are {of_each}"),
            SHARES_LEFT: ((companies,), "shares of each company that are not yet taken"),
        }
    rows = 1 if layout == OBSERVATION else num_players
    private = {
        HAND: ((rows, CARD_KINDS), "cards in the hand, by colour"),
        TICKETS: ((rows, num_tickets), "tickets held"),
        COMPLETED: ((rows, num_tickets), "those of them that are completed"),
        OFFERED: ((rows, num_tickets), "tickets on offer, not yet answered"),
        KEPT: ((rows, num_tickets), "tickets on offer, answered to be kept (C6)"),
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
        _write_question_ticket(state, rules, OBSERVATION, vector)


@compiled
def tell_truth(state: Record, rules: Record, vector: np.ndarray) -> None:
    """Write all there is to know into a row of uint8."""
    vector[:] = 0
    _write_public(state, rules, TRUTH, 0, vector)
    for seat in range(rules.num_seats):
        _write_private(state, rules, TRUTH, seat, seat, vector)
    _write_question_ticket(state, rules, TRUTH, vector)
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
    if rules.neutral_shareholder:
        _write_shares(state.shares[NEUTRAL], rules, at, rules.num_seats, vector)
    for company in range(rules.num_companies):
        vector[at[SHARES_LEFT] + company] = count_bits(state.shares_left & rules.company_shares[company])


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
    held_from = at[TICKETS] + row * rules.num_tickets
    completed_from = at[COMPLETED] + row * rules.num_tickets
    for word in range(2):
        held = state.tickets[seat, word]
        while held != bits.NONE:
            ticket = 64 * word + lowest_bit(held)
            held = bits.without_lowest(held)
            vector[held_from + ticket] = 1
            if scoring.is_completed(state, rules, rules.side[seat], ticket):
                vector[completed_from + ticket] = 1
    answered = keep_ticket.answered_number(state, seat)
    for place in range(state.offered_count[seat]):
        if place >= answered:
            vector[at[OFFERED] + row * rules.num_tickets + state.offered[seat, place]] = 1
        elif ticket_queue.is_kept(state, seat, place):
            vector[at[KEPT] + row * rules.num_tickets + state.offered[seat, place]] = 1


@inlined
def _write_question_ticket(state: Record, rules: Record, layout: int, vector: np.ndarray) -> None:
    if state.phase == KEEP_TICKET:
        ticket = state.offered[state.current, state.asked]
        vector[rules.segment[layout, QUESTION_TICKET] + ticket] = 1
