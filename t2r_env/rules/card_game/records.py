"""The records of card games: what changes during a game, what stays fixed, and memory to compute in."""

from itertools import combinations

from t2r_env.basics.sizes import MAX_BONUS_CARDS, MAX_SEATS, MAX_TICKETS
from t2r_env.core.records import Array, bitset, int8, int16, int64
from t2r_env.rules.cards import CARD_TYPES
from t2r_env.rules.state import TICKET_WORDS, SharedRules, SharedState
from t2r_env.variants.variant import COLOURS

NUM_COLOURS = len(COLOURS)
NOBODY = -1
NO_COLOUR = -1
THREES = tuple(sorted(combinations(range(NUM_COLOURS), 3), key=lambda colours: colours[::-1]))
"""Every three colours, by number: ordered by their last colour, then by the one before it."""


class CardState(SharedState):
    """All that changes during a card game."""

    # Rail yards (CG3): a row of each colour lies in at most one of them (CG7)
    yard_owner: Array = int8(NUM_COLOURS)  # the seat in whose rail yard it lies, or NOBODY
    yard_cards: Array = int8(NUM_COLOURS)  # its coloured cards
    yard_locomotives: Array = int8(NUM_COLOURS)
    on_track: Array = int8(MAX_SEATS, CARD_TYPES)  # the pile of each seat, which all have seen grow (CG4, C20)
    # The set that is being played (CG7)
    set_colour: int = int64()  # or NO_COLOUR
    set_cards: int = int64()  # its coloured cards, once they are chosen
    # Scorings (CG10-CG12)
    completing: Array = bitset(MAX_SEATS, TICKET_WORDS)  # tickets chosen, not yet in effect (C6)
    completed_tickets: Array = bitset(MAX_SEATS, TICKET_WORDS)
    scoring_round: int = int8()  # the number of the scoring that comes next, or is under way
    resuming: int = int64()  # the seat after the one that took the last turn


class CardRules(SharedRules):
    """All that stays fixed during a card game. Decks are not reshuffled, and nothing is swept (CG6, CG9)."""

    threes: Array = int64(len(THREES), 3)  # the colours of each action of block `play_three`
    ticket_cards: Array = int8(MAX_TICKETS, NUM_COLOURS)  # cards of each colour that complete the ticket (CG10)
    scorings: int = int8()  # (CG11, CG12)
    second_deck_hand: int = int8()
    # Big City cards (CG13)
    num_bonus_cards: int = int64()
    naming: Array = bitset(MAX_BONUS_CARDS, TICKET_WORDS)  # the tickets that name each one's city
    bonus_points: Array = int16(MAX_BONUS_CARDS)
