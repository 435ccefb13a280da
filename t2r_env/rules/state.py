"""The fields that the records of all games have in common.

A *team* is who scores together; where there are no teams, each player is one.
"""

from typing import NamedTuple

import numpy as np

from t2r_env.basics.sizes import MAX_OFFER, MAX_SEATS, MAX_TICKETS
from t2r_env.core.records import Array, Record, bitset, int8, int16, int32, int64
from t2r_env.rules.cards import CARD_TYPES, FACE_UP_SLOTS
from t2r_env.rules.names import BLOCKS, PARTS, PHASES, SEGMENTS
from t2r_env.variants.variant import TIE_BREAKS

FROM_DECK = FACE_UP_SLOTS
"""The value of `drawn_slot` for a blind draw."""

TICKET_WORDS = -(-MAX_TICKETS // 64)

MAX_LEGAL_ACTIONS = 512
"""Room for the legal actions of one decision. The most are a map game's turn (its routes, tickets and technologies) and
`from_rack`'s 16 x 16."""

OBSERVATION, GLOBAL_STATE = 0, 1
"""Rows of `Rules.segment`."""

NO_TICKET = -1


class SharedState(Record):
    """All that changes during a game.

    Fields that are passed as arguments have 64 bits: each width compiles separately.
    """

    rng: np.uint64 = bitset()  # the counter of the game's random numbers (core/randomness.py)
    phase: int = int8()
    current: int = int64()  # the acting seat
    decisions: int = int32()  # taken by the players
    outcome: int = int8()
    # Train cards, by colour, the locomotive last
    deck: Array = int8(CARD_TYPES)
    discard: Array = int8(CARD_TYPES)
    face_up: Array = int64(FACE_UP_SLOTS)  # the card in each slot, or EMPTY
    hand: Array = int8(MAX_SEATS, CARD_TYPES)
    known: Array = int8(MAX_SEATS, CARD_TYPES)  # cards of each hand that all players know of (C20)
    deck_count: int = int8()
    discard_count: int = int8()
    hand_count: Array = int8(MAX_SEATS)
    reshuffled: int = int8()  # 1 once the discard has become the deck
    drawn_slot: int = int8()  # where this turn's first card came from: a slot, FROM_DECK, or EMPTY
    drawn: int = int8()  # the card, if it lay face up, or EMPTY
    # Tickets
    tickets: Array = bitset(MAX_SEATS, TICKET_WORDS)  # tickets in each hand
    ticket_count: Array = int8(MAX_SEATS)
    ticket_queue: Array = int8(MAX_TICKETS)  # the ticket deck, a ring that begins at queue_head
    queue_head: int = int8()
    queue_count: int = int64()
    offered: Array = int8(MAX_SEATS, MAX_OFFER)  # tickets lying before each seat, or NO_TICKET
    offered_count: Array = int8(MAX_SEATS)
    kept: Array = int8(MAX_SEATS)  # bit i: the seat has decided to keep the ticket `offered[seat, i]`
    offer_index: int = int8()  # of the ticket that the acting seat decides on
    # Points, by team
    score: Array = int16(MAX_SEATS)
    breakdown: Array = int16(MAX_SEATS, len(PARTS))  # the parts of each score
    completed: Array = int8(MAX_SEATS)  # once finished: tickets completed
    failed: Array = int8(MAX_SEATS)  # once finished: tickets held and not completed
    rank: Array = int8(MAX_SEATS)  # once finished: 1 is best, ties share the lower number
    # Where the game stands
    turn: int = int32()  # turns begun; 0 while starting tickets are chosen
    last_turns_left: int = int8()  # in the last round: turns not yet finished; before it 0


class SharedRules(Record):
    """All that stays fixed during a game."""

    num_seats: int = int64()
    num_teams: int = int64()
    team: Array = int64(MAX_SEATS)  # of each seat
    # Cards and tickets
    deck: Array = int8(CARD_TYPES)
    starting_hand: int = int8()
    starting_locomotives: int = int64()  # UK1, CG2
    reshuffles: int = int8()  # 1: the discard becomes the deck when that is empty (C2)
    face_up_sweep: int = int8()  # 1: C4 applies
    free_locomotives: int = int8()  # 1: a face-up locomotive is taken like any other card (NO4)
    num_tickets: int = int64()
    num_regular: int = int64()  # of them in the ticket deck; the others, which come last, are long ones (LA2)
    ticket_points: Array = int16(MAX_TICKETS)
    long_offer: int = int8()  # long tickets offered to each seat at the start (LA2)
    starting_offer: int = int8()  # in addition to the long ones
    starting_keep: int = int8()
    starting_refused: int = int64()  # what becomes of refused starting tickets: an index of REFUSED
    later_offer: int = int8()
    later_keep: int = int8()
    later_refused: int = int64()  # likewise, of tickets refused later
    # The end
    turn_limit: int = int32()  # C19
    tie_break: Array = int8(len(TIE_BREAKS))  # criteria after the points, NO_TIE_BREAK after the last (C18, CG14)
    # Where actions, observations and global states lie
    num_actions: int = int64()
    first_action: Array = int64(len(BLOCKS))  # of each block; -1 if the game has none
    block_size: Array = int64(len(BLOCKS))
    segment: Array = int16(2, len(SEGMENTS))  # where each begins: in the observation, in the global state; -1: nowhere
    phase_slot: Array = int8(len(PHASES))  # of each phase in the one-hot; -1 if the game never has it


class SharedScratch(Record):
    """Memory for decisions to compute in."""

    legal: Array = int16(MAX_LEGAL_ACTIONS)  # the legal actions, as many as `list_legal` returned
    long_tickets: Array = int64(MAX_SEATS)  # by seat: how many it holds, while they are dealt again
    score_before: Array = int64(MAX_SEATS)
    open_tickets: Array = bitset(TICKET_WORDS)  # those that a seat sees without holding them
    needed: Array = int64(CARD_TYPES)  # cards of each colour that tickets chosen to be completed take (CG10)


class ScoringScratch(Record):
    """Memory for the scoring of a game to compute in."""

    standing: Array = int64(len(TIE_BREAKS), MAX_SEATS)  # what each tie-break compares, by team
    value: Array = int64(MAX_SEATS)  # by team: what a bonus compares


class Scratch(NamedTuple):
    """Memory for one thread to compute in: arrays of one record each."""

    deciding: Array
    """The small record that every decision needs."""
    scoring: Array
    """The large record that only the end of a game needs."""
