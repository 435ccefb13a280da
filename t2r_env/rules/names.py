"""The lists of names that rule modules add to, and the names that all games have (core/names.py: how they work).

Phases are listed in core/game.py, since the core knows the phase `turn`.
"""

from typing import NamedTuple

from t2r_env.core.game import PHASES
from t2r_env.core.names import Names

BLOCKS = Names()
"""Blocks of actions."""
SEGMENTS = Names()
"""Segments of observations and global states."""
PARTS = Names()
"""Parts of a score."""


class _Phases(NamedTuple):
    TURN: int
    SECOND_CARD: int
    KEEP_TICKET: int


class _Blocks(NamedTuple):
    DRAW_FACE_UP: int
    DRAW_DECK: int
    DRAW_TICKETS: int
    PASS: int
    KEEP_TICKET: int
    REFUSE_TICKET: int
    STOP: int


class _Segments(NamedTuple):
    PHASE: int
    TO_MOVE: int
    NEXT_TURN: int
    SUBJECT_TICKET: int
    TURNS_LEFT: int
    LAST_TURNS_LEFT: int
    FACE_UP: int
    DISCARD: int
    DECK_COUNT: int
    TICKET_DECK_COUNT: int
    SCORE: int
    HAND_COUNT: int
    TICKET_COUNT: int
    KNOWN: int
    HAND: int
    TICKETS: int
    OFFERED: int
    KEPT: int
    DECK: int
    TICKET_DECK: int


class _Parts(NamedTuple):
    TICKETS: int


phases = PHASES.add(_Phases)
blocks = BLOCKS.add(_Blocks)
segments = SEGMENTS.add(_Segments)
parts = PARTS.add(_Parts)
