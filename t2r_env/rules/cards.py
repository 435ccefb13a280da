"""The types of train cards (C1), by number."""

from t2r_env.variants import COLOURS

CARDS = (*COLOURS, "locomotive")

CARD_TYPES = len(CARDS)
LOCOMOTIVE = CARDS.index("locomotive")
"""The wild card."""

FACE_UP_SLOTS = 5
EMPTY = -1
"""The value of an empty slot of the face-up cards, and of 'no card'."""
