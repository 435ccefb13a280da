"""Sharing tickets with a teammate: tickets of the hand go on the team's rack (TA4, TA7, TA8)."""

from typing import Any, NamedTuple

import numpy as np

from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined, lowest_bit
from t2r_env.core.game import PHASES
from t2r_env.core.layout import Part
from t2r_env.core.records import Array, bitset, int8
from t2r_env.rules import hooks, ticket_queue
from t2r_env.rules.check import find_fault_of_count, of_current
from t2r_env.rules.information import clear, some_ticket
from t2r_env.rules.map_game import racks
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.map_game.racks import RackRules, RackState
from t2r_env.rules.module import Limits, Phase, RuleModule, States
from t2r_env.rules.names import BLOCKS, SEGMENTS
from t2r_env.rules.names import blocks as shared_blocks
from t2r_env.rules.observe import write_number, write_set
from t2r_env.rules.snapshot import Snapshot, members
from t2r_env.rules.state import TICKET_WORDS, SharedScratch
from t2r_env.rules.text import Description, Text
from t2r_env.rules.ticket_queue import NO_TICKET
from t2r_env.rules.turns import begin_turn, finish_turn, is_starting_choice, starting_phases
from t2r_env.sizes import MAX_SEATS


class _Phases(NamedTuple):
    SHARE: int


class _Blocks(NamedTuple):
    SHARE_TICKET: int


class _Segments(NamedTuple):
    TO_SHARE: int
    SHARING: int


phases = PHASES.add(_Phases)
blocks = BLOCKS.add(_Blocks)
segments = SEGMENTS.add(_Segments)
starting_phases.add(phases.SHARE)


class SharingState(RackState):
    """What may be shared, and what has been."""

    to_share: Array = bitset(TICKET_WORDS)  # tickets that the acting seat may put on the rack (TA4, TA7, TA8)
    to_share_count: int = int8()  # how many they are: all have seen how many it kept (TA7)
    sharing: Array = int8(MAX_SEATS)  # the ticket that each seat has chosen for the rack, or NO_TICKET (TA4)
    moved: int = int8()  # tickets that this turn's action has put on the rack (TA8)


# Phase `share`: which ticket goes on the team's rack?


@inlined
def enter_share(state: SharingState) -> None:
    """Decide which of the tickets in `to_share` the acting seat shares."""
    state.phase = phases.SHARE


@inlined
def share_any(state: SharingState, seat: int) -> None:
    """Let a seat decide which of all its tickets it shares."""
    state.current = seat
    for word in range(TICKET_WORDS):
        state.to_share[word] = state.tickets[seat, word]
    state.to_share_count = state.ticket_count[seat]
    enter_share(state)


@inlined
def _has_chosen(state: SharingState, seat: int) -> bool:
    """Whether a seat's starting choice is kept aside (TA4, C6)."""
    return state.phase == phases.SHARE and is_starting_choice(state) and seat < state.current


@inlined
def _list_tickets(rules: RackRules, scratch: SharedScratch, tickets: Array, count: int) -> int:
    """List the sharing of each ticket of a set, after `count` other actions; return how many there are in all."""
    for word in range(TICKET_WORDS):
        left = tickets[word]
        while left != bits.NONE:
            scratch.legal[count] = rules.first_action[blocks.SHARE_TICKET] + 64 * word + lowest_bit(left)
            left = bits.without_lowest(left)
            count += 1
    return count


@inlined
def _list_legal(state: SharingState, rules: RackRules, scratch: SharedScratch) -> int:
    """One of the tickets; a second one of a turn's action may be declined (TA8)."""
    count = _list_tickets(rules, scratch, state.to_share, 0)
    if state.moved > 0:
        scratch.legal[count] = rules.first_action[shared_blocks.STOP]
        count += 1
    return count


@inlined
def _apply(state: SharingState, rules: RackRules, scratch: SharedScratch, action: int) -> None:
    """Put it on the rack, and the turn is over; at the start all seats' choices take effect together (TA4, C6)."""
    seat = state.current
    ticket = action - rules.first_action[blocks.SHARE_TICKET]
    if is_starting_choice(state):
        state.sharing[seat] = ticket
        if seat + 1 < rules.num_seats:
            share_any(state, seat + 1)
            return
        for chooser in range(rules.num_seats):
            racks.put_ticket(state, rules, chooser, state.sharing[chooser])
            state.sharing[chooser] = NO_TICKET
        begin_turn(state, rules, 0)
    else:
        if action != rules.first_action[shared_blocks.STOP]:
            racks.put_ticket(state, rules, seat, ticket)
        finish_turn(state)
    clear(state.to_share)
    state.to_share_count = 0


@inlined
def _settle_tickets(state: SharingState, rules: RackRules, seat: int) -> None:
    """Note the tickets kept: one of them goes on the team's rack (TA7)."""
    for index in range(state.offered_count[seat]):
        if ticket_queue.is_kept(state, seat, index):
            bits.add(state.to_share, state.offered[seat, index])
            state.to_share_count += 1


@inlined
def _follow_tickets(state: SharingState, rules: RackRules) -> bool:
    """A ticket is shared after the choice of tickets (TA4, TA7)."""
    if is_starting_choice(state):
        share_any(state, 0)
    else:
        enter_share(state)
    return True


# In a turn (TA8)


@inlined
def _list_turn_actions(state: SharingState, rules: RackRules, scratch: SharedScratch, count: int) -> int:
    """Any ticket of the hand may be shared."""
    return _list_tickets(rules, scratch, state.tickets[state.current], count)


@inlined
def _begin_action(state: SharingState, rules: RackRules, action: int) -> bool:
    """Share a ticket; a second one may follow."""
    ticket = action - rules.first_action[blocks.SHARE_TICKET]
    if not 0 <= ticket < rules.block_size[blocks.SHARE_TICKET]:
        return False
    seat = state.current
    state.passes = 0
    racks.put_ticket(state, rules, seat, ticket)
    state.moved = 1
    if state.ticket_count[seat] > 0:
        share_any(state, seat)
    else:
        finish_turn(state)
    return True


@inlined
def _forget_turn(state: SharingState, rules: RackRules) -> None:
    state.moved = 0


# Observations


@inlined
def _write_private(state: SharingState, rules: RackRules, at: Array, seat: int, row: int, vector: Array) -> None:
    if state.sharing[seat] != NO_TICKET:
        write_number(1, at[segments.SHARING] + row * rules.num_tickets + state.sharing[seat], vector)


@inlined
def _write_subject(state: SharingState, rules: RackRules, at: Array, vector: Array) -> None:
    if state.phase == phases.SHARE:
        write_set(state.to_share, rules.num_tickets, at[segments.TO_SHARE], vector)


# What a seat can't know


@inlined
def _blank(state: SharingState, rules: RackRules, seat: int) -> None:
    if state.current != seat:
        clear(state.to_share)
    for other in range(rules.num_seats):
        if other != seat:
            state.sharing[other] = NO_TICKET


@compiled
def _redraw(state: SharingState, rules: RackRules, scratch: SharedScratch, seat: int) -> None:
    """Choose at random what others have chosen at the start; and let the decision be about so many tickets of the
    acting seat: how many it kept, all have seen (TA7)."""
    for other in range(rules.num_seats):
        if other != seat and _has_chosen(state, other):
            state.sharing[other] = some_ticket(state, state.tickets[other])
    if state.current == seat:
        return
    clear(state.to_share)
    left = state.to_share_count
    while left > 0:
        ticket = some_ticket(state, state.tickets[state.current])
        if not bits.contains(state.to_share, ticket):
            bits.add(state.to_share, ticket)
            left -= 1


# What is declared


def _is_used(configuration: MapConfiguration) -> bool:
    return configuration.has_racks


def _lay_out_blocks(configuration: MapConfiguration) -> list[Part]:
    share = "put a ticket on the team's rack (TA4, TA7, TA8)"
    return [
        (blocks.SHARE_TICKET, (configuration.num_tickets,), share),
        (shared_blocks.STOP, (1,), "share no second ticket (TA8)"),
    ]


def _private_segments(configuration: MapConfiguration, seats: int, teams: int) -> list[Part]:
    tickets = configuration.num_tickets
    return [
        (segments.TO_SHARE, (tickets,), "tickets of which one may go on the rack, for the acting seat"),
        (segments.SHARING, (seats, tickets), "ticket chosen for the rack at the start (TA4)"),
    ]


def _write_opening(state: Any, rules: Any) -> None:
    state.sharing[:] = NO_TICKET


def _limits(rules: Any) -> Limits:
    tickets = int(rules.num_tickets)
    return {"moved": (0, 1), "sharing": (NO_TICKET, tickets - 1), "to_share_count": (0, tickets)}


def _find_fault(states: States, rules: Any) -> str:
    rows, current = np.arange(len(states)), states["current"]
    shares = states["phase"] == phases.SHARE
    held = states["tickets"][rows, current]
    if np.any(states["to_share"] & ~np.where(shares[:, None], held, np.uint64(0))):
        return "to_share must name tickets of the acting seat"
    if fault := find_fault_of_count(states, "to_share_count", np.bitwise_count(states["to_share"]).sum(-1)):
        return fault
    has_moved, number = states["moved"] > 0, states["to_share_count"]
    if np.any(has_moved & ~(shares & (states["turn"] > 0))):
        return "moved must be set if a second ticket may be shared, and only then"
    is_any = shares & (has_moved | (states["turn"] == 0))
    is_kept = (number >= np.minimum(rules.later_keep, 1)) & (number <= rules.later_offer)
    if np.any(np.where(is_any, number != of_current(states, "ticket_count"), shares & ~is_kept)):
        return "to_share must name all tickets of the acting seat, or those that it has kept"
    seats = np.arange(MAX_SEATS)
    has_chosen = (shares & (states["turn"] == 0))[:, None] & (seats < current[:, None])
    chosen = np.maximum(states["sharing"], 0)
    holds = states["tickets"][rows[:, None], seats, chosen >> 6] >> (chosen & 63).astype(np.uint64) & np.uint64(1) == 1
    if np.any(np.where(has_chosen, ~holds, states["sharing"] != NO_TICKET)):
        return "sharing must name a ticket of each seat that has chosen one"
    return ""


def _share_text(text: Text, number: int) -> Description:
    """Putting a ticket on the team's rack."""
    ticket = text.ticket(number)
    return Description({"action": "share_ticket", "ticket": ticket}, f"share {text.ticket_text(*ticket)}")


def _describe(text: Text, state: Any, action: int, offset: int) -> Description:
    return _share_text(text, offset)


def _pending_after(snapshot: Snapshot) -> list[Any]:
    state, text = snapshot.state, snapshot.text
    pending: list[Any] = []
    if snapshot.is_in("share") and state.turn > 0 and not state.moved:
        pending.append({"action": "draw_tickets"})
        pending += [text.choose_ticket(True, ticket) for ticket in members(state.to_share)]
    return pending + [_share_text(text, ticket) for ticket in state.sharing if ticket != NO_TICKET]


SHARING = RuleModule(
    is_used=_is_used,
    phases=[Phase(phases.SHARE, _list_legal, _apply)],
    hooks={
        hooks.settle_tickets: _settle_tickets,
        hooks.follow_tickets: _follow_tickets,
        hooks.list_turn_actions: _list_turn_actions,
        hooks.begin_action: _begin_action,
        hooks.forget_turn: _forget_turn,
        hooks.write_private: _write_private,
        hooks.write_subject: _write_subject,
        hooks.blank: _blank,
        hooks.redraw: _redraw,
    },
    blocks=_lay_out_blocks,
    private_segments=_private_segments,
    write_opening=_write_opening,
    state=SharingState,
    starting=("to_share", "to_share_count", "sharing"),
    limits=_limits,
    sets=lambda rules: {"to_share": int(rules.num_tickets)},
    find_fault=_find_fault,
    describe={blocks.SHARE_TICKET: _describe},
    pending_after=_pending_after,
)
"""Tickets on the team's rack."""
