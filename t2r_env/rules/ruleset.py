"""A ruleset as the rest of the library needs it: its records, and functions for layouts, rules, texts and snapshots.

Compiled functions are not here: rulesets.py chooses them by record.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from t2r_env.basics.sizes import MAX_SEATS
from t2r_env.core.layout import Layout, Part, Segments
from t2r_env.core.records import Array, dtype_of, frozen_copy
from t2r_env.rules.cards import EMPTY
from t2r_env.rules.names import BLOCKS, PHASES, SEGMENTS
from t2r_env.rules.ranking import NO_TIE_BREAK
from t2r_env.rules.state import GLOBAL_STATE, NO_TICKET, OBSERVATION, Scratch, SharedScratch
from t2r_env.variants.variant import COLOURS, REFUSED, TIE_BREAKS

DType = np.dtype[Any]

_SCRATCH = dtype_of(SharedScratch)


@dataclass(frozen=True, kw_only=True)
class Ruleset:
    """Map games or card games. `Any` stands for the ruleset's own Configuration, which is defined above it."""

    state: DType
    """The dtype of its State records; the next two are those of the other records."""
    rules: DType
    scoring: DType
    vector_parts: Callable[[Any, int], list[Part]]
    """(configuration, OBSERVATION or GLOBAL_STATE) -> the segments of the vector."""
    blocks: Callable[[Any], list[Part]]
    """configuration -> the blocks of actions."""
    write_rules: Callable[[Any, Any], None]
    """(record, configuration): fill the ruleset's own fields of a Rules record."""
    write_opening: Callable[[Any, Any], None]
    """(state, rules): fill the ruleset's own fields of a State before the deal that are not zero."""
    text: Callable[[Any], Any]
    """configuration -> its Text."""
    snapshot: Callable[[Any, Any], Any]
    """(text, state) -> the Snapshot of a state, or of a view of one."""

    def lay_out(self, configuration: Any) -> Layout:
        """Return where observations, global states and actions lie."""
        observation, global_state = (self.vector_parts(configuration, it) for it in (OBSERVATION, GLOBAL_STATE))
        return Layout(
            Segments(SEGMENTS, observation),
            Segments(SEGMENTS, global_state),
            Segments(BLOCKS, self.blocks(configuration)),
        )

    def make_rules(self, configuration: Any) -> Array:
        """Return the Rules record, in an array of shape (1,) that can't be written to."""
        rules = np.zeros(1, self.rules)
        _write_shared_rules(rules[0], configuration)
        _write_layout(rules[0], configuration)
        self.write_rules(rules[0], configuration)
        return frozen_copy(rules)

    def make_opening(self, rules: Array) -> Array:
        """Return the State before anything is shuffled or dealt, in an array of shape (1,): games begin as its copy."""
        states = np.zeros(1, self.state)
        state, record = states[0], rules[0]
        state.deck = record.deck
        state.deck_count = record.deck.sum()
        state.face_up[:] = EMPTY
        state.drawn = state.drawn_slot = EMPTY
        state.ticket_queue[:] = NO_TICKET
        state.offered[:] = NO_TICKET
        self.write_opening(state, record)
        return frozen_copy(states)

    def new_states(self, number: int) -> Array:
        """Return this many blank states."""
        return np.zeros(number, self.state)

    def new_scratch(self) -> Scratch:
        """Return memory for one thread to compute in."""
        return Scratch(np.zeros(1, _SCRATCH), np.zeros(1, self.scoring))


def _write_shared_rules(record: Any, configuration: Any) -> None:
    """Fill the fields that all games have."""
    variant, deck = configuration.variant, configuration.deck
    record.num_seats = configuration.num_players
    record.num_teams = configuration.num_teams
    record.team = [seat // variant.team_size for seat in range(MAX_SEATS)]
    record.deck = [*(variant.colours.get(colour, 0) for colour in COLOURS), variant.locomotives]
    record.starting_hand = variant.starting_hand
    record.starting_locomotives = variant.starting_locomotives
    record.num_tickets = configuration.num_tickets
    record.num_regular = len(deck.regular)
    record.long_offer = deck.long_offered
    record.ticket_points[: configuration.num_tickets] = [ticket.failure for ticket in deck.tickets]
    record.starting_offer, record.starting_keep = deck.starting.count, deck.starting.keep
    record.starting_refused = REFUSED.index(deck.starting_refused)
    record.later_offer, record.later_keep = deck.later.count, deck.later.keep
    record.later_refused = REFUSED.index(deck.later_refused)
    record.turn_limit = configuration.turn_limit
    record.tie_break[:] = NO_TIE_BREAK
    record.tie_break[: len(variant.tie_breaks)] = [TIE_BREAKS.index(name) for name in variant.tie_breaks]


def _write_layout(record: Any, configuration: Any) -> None:
    """Fill the fields that say where actions and segments lie."""
    layout, used = configuration.layout, list(configuration.phases)
    record.num_actions = layout.actions.size
    record.first_action = [_start(layout.actions, name) for name in BLOCKS]
    record.block_size = [layout.actions[name].size if name in layout.actions else 0 for name in BLOCKS]
    record.segment[OBSERVATION] = [_start(layout.observation, name) for name in SEGMENTS]
    record.segment[GLOBAL_STATE] = [_start(layout.global_state, name) for name in SEGMENTS]
    record.phase_slot = [used.index(name) if name in used else -1 for name in PHASES]


def _start(segments: Segments, name: str) -> int:
    """Return where a segment begins; -1 if there is none of this name."""
    return segments[name].start if name in segments else -1
