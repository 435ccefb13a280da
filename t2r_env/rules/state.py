"""What the State records of both kinds of game have in common: the same fields under the same names.

A *side* is who scores together: a player, in team games a team. A *place* is a ticket's position among those offered.
"""

from t2r_env.rules.records import WORD, Field
from t2r_env.rules.train_cards import CARD_TYPES, FACE_UP_SLOTS
from t2r_env.variants.variant import MAX_OFFER, MAX_SEATS, MAX_TICKETS

SHARED_PHASES = ("turn", "second_card", "keep_ticket")
"""The decisions that all games ask: the first numbers of each kind's phases."""
TURN, SECOND_CARD, KEEP_TICKET = range(len(SHARED_PHASES))
# No decision: between turns, within a step only, and after the end.
TURN_OVER, ENDED = -1, -2

NO_ACTION = -1
FROM_DECK = FACE_UP_SLOTS
"""The value of `drawn_slot` for a blind draw."""

TICKET_WORDS = -(-MAX_TICKETS // 64)

MAX_TIE_BREAKS = 3

# What is passed on as an argument is 64 bits wide: each width of an argument is compiled by itself.
SHARED_FIELDS: list[Field] = [
    ("rng", WORD),
    # Train cards, by colour, the locomotive last
    ("deck", "i1", (CARD_TYPES,)),
    ("discard", "i1", (CARD_TYPES,)),
    ("face_up", "i8", (FACE_UP_SLOTS,)),  # the card in each slot, or EMPTY
    ("hand", "i1", (MAX_SEATS, CARD_TYPES)),
    ("known", "i1", (MAX_SEATS, CARD_TYPES)),  # cards of each hand that all players know of (C20)
    ("deck_count", "i1"),
    ("discard_count", "i1"),
    ("hand_count", "i1", (MAX_SEATS,)),
    ("reshuffled", "i1"),  # 1 once the discard has become the deck
    ("drawn_slot", "i1"),  # where this turn's first card came from: a slot of the row, FROM_DECK, or EMPTY
    ("drawn", "i1"),  # the card, if it came from the row, or EMPTY
    # Tickets
    ("tickets", WORD, (MAX_SEATS, TICKET_WORDS)),  # tickets in each hand
    ("ticket_count", "i1", (MAX_SEATS,)),
    ("ticket_queue", "i1", (MAX_TICKETS,)),  # the ticket deck, a ring that begins at queue_head
    ("queue_head", "i1"),
    ("queue_count", "i8"),
    ("offered", "i1", (MAX_SEATS, MAX_OFFER)),  # tickets lying before each seat, or NO_TICKET
    ("offered_count", "i1", (MAX_SEATS,)),
    ("kept", "i1", (MAX_SEATS,)),  # bit p: the seat answered to keep the ticket at place p
    ("offer_index", "i1"),  # the place that the current player is asked about
    # Points
    ("score", "i2", (MAX_SEATS,)),  # by side
    ("completed", "i1", (MAX_SEATS,)),  # by side, once finished: tickets completed
    ("failed", "i1", (MAX_SEATS,)),  # by side, once finished: tickets held and not completed
    ("rank", "i1", (MAX_SEATS,)),  # by side, once finished: 1 is best, ties share the lower number
    # Where the game stands
    ("phase", "i1"),
    ("current", "i8"),  # the seat that is asked
    ("turn", "i4"),  # turns begun; 0 while starting tickets are chosen
    ("decisions", "i4"),  # decisions answered by the players
    ("last_turns_left", "i1"),  # in the last round: turns not yet finished; before it 0
    ("outcome", "i1"),
]

MAX_LEGAL_ACTIONS = 512
"""To one decision: more than the most, a map game's turn (its routes, tickets and technologies) or `from_rack`'s
16 x 16."""

SHARED_SCRATCH: list[Field] = [
    ("legal", "i2", (MAX_LEGAL_ACTIONS,)),  # the legal answers, as many as `legal` returned
    ("standing", "i8", (MAX_TIE_BREAKS, MAX_SEATS)),  # what each tie-break compares, by side
    ("value", "i8", (MAX_SEATS,)),  # by side: what a bonus compares
    ("score_before", "i8", (MAX_SEATS,)),
    ("open_tickets", WORD, (TICKET_WORDS,)),  # those that a seat sees without holding them
]
