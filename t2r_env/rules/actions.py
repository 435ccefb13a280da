"""The numbers of the answers that all games have: blocks laid one after the other.

The numbers of these blocks are the first of each kind's `BLOCKS`; where a block lies, `rules.first_action` says.
"""

from t2r_env.rules.layout import Part
from t2r_env.rules.train_cards import FACE_UP_SLOTS

SHARED_BLOCKS = ("draw_face_up", "draw_deck", "draw_tickets", "pass", "keep_ticket", "refuse_ticket", "stop")
DRAW_FACE_UP, DRAW_DECK, DRAW_TICKETS, PASS, KEEP_TICKET, REFUSE_TICKET, STOP = range(len(SHARED_BLOCKS))

DRAWING: list[Part] = [
    ("draw_face_up", (FACE_UP_SLOTS,), "take the train card in a slot of the row (C8)"),
    ("draw_deck", (1,), "draw a train card blind from the deck (C8)"),
    ("draw_tickets", (1,), "draw tickets (C12, CG8)"),
]
PASSING: list[Part] = [("pass", (1,), "pass, when nothing else can be done (C13, CG5)")]
CHOOSING_TICKETS: list[Part] = [
    ("keep_ticket", (1,), "keep the ticket to decide on (C5, C12, CG2, CG8)"),
    ("refuse_ticket", (1,), "refuse the ticket to decide on (C5, C12, CG2, CG8)"),
]
