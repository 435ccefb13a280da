"""What changes during a card game: one fixed-size record (`STATE`), and what a function may scribble on (`SCRATCH`)."""

from t2r_env.rules.records import WORD, record_dtype
from t2r_env.rules.state import SHARED_FIELDS, SHARED_PHASES, SHARED_SCRATCH, TICKET_WORDS
from t2r_env.rules.train_cards import CARD_TYPES
from t2r_env.variants.variant import COLOURS, MAX_SEATS

# The decision that the game puts to the current player.
PHASES = (*SHARED_PHASES, "set_cards", "set_locomotives", "complete")
"""The names of the phases that ask something, by number."""
TURN, SECOND_CARD, KEEP_TICKET, SET_CARDS, SET_LOCOMOTIVES, COMPLETE = range(len(PHASES))

# The parts of a score.
PARTS = ("tickets", "big_cities")
TICKETS, BIG_CITIES = range(len(PARTS))

NOBODY = -1
NO_COLOUR = -1
NUM_COLOURS = len(COLOURS)

STATE = record_dtype(
    [
        *SHARED_FIELDS,
        # Rail yards (CG3): a row of each colour lies in at most one of them (CG7)
        ("yard_owner", "i1", (NUM_COLOURS,)),  # the seat in whose rail yard it lies, or NOBODY
        ("yard_cards", "i1", (NUM_COLOURS,)),  # its coloured cards
        ("yard_locomotives", "i1", (NUM_COLOURS,)),
        ("on_track", "i1", (MAX_SEATS, CARD_TYPES)),  # the pile of each seat, which all have seen grow (CG4, C20)
        # The set that is being played (CG7)
        ("set_colour", "i8"),  # or NO_COLOUR
        ("set_cards", "i8"),  # its coloured cards, once they are chosen
        # Scorings (CG10-CG12)
        ("completing", WORD, (MAX_SEATS, TICKET_WORDS)),  # tickets chosen to be completed, not yet in effect (C6)
        ("completed_tickets", WORD, (MAX_SEATS, TICKET_WORDS)),
        ("scoring_round", "i1"),  # the number of the scoring that comes next, or is under way
        ("resuming", "i8"),  # the seat after the one that took the last turn
        ("breakdown", "i2", (MAX_SEATS, len(PARTS))),  # the parts of each score
    ]
)

SCRATCH = record_dtype(
    [
        *SHARED_SCRATCH,
        ("needed", "i8", (NUM_COLOURS,)),  # cards of each colour that tickets to be completed take
    ]
)
