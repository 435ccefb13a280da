"""The names of phases, blocks of actions, segments and parts of the score, and their numbers.

Each table is a NamedTuple of numbers, which Numba freezes as constants: `phases.TURN` is the number of the phase
"turn", and `PHASES[phases.TURN]` its name. A new rule adds its names here.
"""

from typing import NamedTuple


class _Phases(NamedTuple):
    """The kinds of decision of one player."""

    TURN: int
    SECOND_CARD: int
    KEEP_TICKET: int
    PAY: int
    PLACE: int
    FROM_RACK: int
    TUNNEL: int
    SHARE: int
    SECOND_CLAIM: int
    TAKE_SHARE: int
    NEUTRAL_SHARE: int
    SET_CARDS: int
    SET_LOCOMOTIVES: int
    COMPLETE: int


class _Outcomes(NamedTuple):
    """The states of a game: running, or how it ended."""

    RUNNING: int
    FINISHED: int
    TRUNCATED: int
    FORFEITED: int


class _Blocks(NamedTuple):
    """The blocks of the action space."""

    DRAW_FACE_UP: int
    DRAW_DECK: int
    DRAW_TICKETS: int
    CLAIM: int
    PASS: int
    PAY: int
    KEEP_TICKET: int
    REFUSE_TICKET: int
    STOP: int
    PLACE: int
    FROM_RACK: int
    PAY_MORE: int
    WITHDRAW: int
    SHARE_TICKET: int
    DRAW_THREE: int
    BUY: int
    SPEND: int
    TAKE_SHARE: int
    NEUTRAL_SHARE: int
    BUILD: int
    PLAY_SET: int
    PLAY_THREE: int
    SET_CARDS: int
    SET_LOCOMOTIVES: int
    COMPLETE: int


class _Segments(NamedTuple):
    """The segments of observations and global states."""

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
    # Map games
    SUBJECT_ROUTE: int
    PASSES: int
    TRAINS: int
    CLAIMED: int
    COMPLETED: int
    SUBJECT_PAYMENT: int
    SUBJECT_CARDS: int
    SET_ASIDE: int
    RACK_COUNT: int
    RACK_KNOWN: int
    RACK_TICKET_COUNT: int
    PLACED: int
    DRAWN: int
    RACK: int
    RACK_TICKETS: int
    RACK_COMPLETED: int
    REVEALED: int
    TO_SHARE: int
    SHARING: int
    TECHNOLOGIES: int
    TECHNOLOGIES_LEFT: int
    SUBJECT_TECHNOLOGY: int
    BOUGHT: int
    CLAIMS: int
    SHARES: int
    SHARE_COUNT: int
    SHARES_LEFT: int
    STATIONS: int
    STATIONS_LEFT: int
    SUBJECT_CITY: int
    # The Card Game
    SUBJECT_SET: int
    SCORING_ROUND: int
    YARD: int
    YARD_LOCOMOTIVES: int
    ON_TRACK: int
    COMPLETED_TICKETS: int
    COMPLETING: int


class _Parts(NamedTuple):
    """The parts of a score, in the order of the breakdown."""

    ROUTES: int
    MOUNTAINS: int
    TICKETS: int
    LONGEST_PATH: int
    GLOBETROTTER: int
    GRAND_TOUR: int
    EXPLORER: int
    ATTRACTIONS: int
    TECHNOLOGIES: int
    SHARES: int
    STATIONS: int
    BIG_CITIES: int


class _Schemes(NamedTuple):
    """The reward schemes."""

    RANK: int
    WIN: int
    SCORE: int
    MARGIN: int


def _names(table: type[tuple[int, ...]]) -> tuple[str, ...]:
    """Return the names of a table, in lower case."""
    return tuple(name.lower() for name in table._fields)  # type: ignore[attr-defined]  # every NamedTuple has them


PHASES, BLOCKS, SEGMENTS, PARTS = _names(_Phases), _names(_Blocks), _names(_Segments), _names(_Parts)
OUTCOMES, REWARDS = _names(_Outcomes), _names(_Schemes)
phases, outcomes = _Phases(*range(len(PHASES))), _Outcomes(*range(len(OUTCOMES)))
blocks, segments = _Blocks(*range(len(BLOCKS))), _Segments(*range(len(SEGMENTS)))
parts, schemes = _Parts(*range(len(PARTS))), _Schemes(*range(len(REWARDS)))

TURN_OVER, ENDED = -1, -2
"""Values of `phase` without a decision: between two turns, which lasts only within a step; after the end."""
NO_ACTION = -1
