"""The blocks of actions that all games have: drawing, passing, choosing tickets."""

from t2r_env.core.layout import Part
from t2r_env.rules.cards import FACE_UP_SLOTS
from t2r_env.rules.names import blocks

DRAWING: list[Part] = [
    (blocks.DRAW_FACE_UP, (FACE_UP_SLOTS,), "take the face-up train card in a slot (C8)"),
    (blocks.DRAW_DECK, (1,), "draw a train card from the deck (C8)"),
    (blocks.DRAW_TICKETS, (1,), "draw tickets (C12, CG8)"),
]
PASSING: list[Part] = [(blocks.PASS, (1,), "pass; legal only if nothing else is (C13, CG5)")]
CHOOSING_TICKETS: list[Part] = [
    (blocks.KEEP_TICKET, (1,), "keep the ticket offered (C5, C12, CG2, CG8)"),
    (blocks.REFUSE_TICKET, (1,), "refuse the ticket offered (C5, C12, CG2, CG8)"),
]
