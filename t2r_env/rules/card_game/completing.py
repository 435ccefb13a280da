"""Completing tickets with the cards of the pile (CG10)."""

from typing import Any, NamedTuple

import numpy as np

from t2r_env.core import bits
from t2r_env.core.compiled import by_record, compiled, inlined, lowest_bit
from t2r_env.core.game import PHASES, outcomes
from t2r_env.core.layout import Part
from t2r_env.core.randomness import below
from t2r_env.core.records import Array, bitset, int8, int64
from t2r_env.rules import hooks, ticket_queue
from t2r_env.rules.card_game.configuration import CardConfiguration
from t2r_env.rules.card_game.yard import NUM_COLOURS, YardState
from t2r_env.rules.cards import LOCOMOTIVE
from t2r_env.rules.check import members as sets_as_rows
from t2r_env.rules.information import clear
from t2r_env.rules.module import Phase, RuleModule, States
from t2r_env.rules.names import BLOCKS, SEGMENTS
from t2r_env.rules.names import blocks as shared_blocks
from t2r_env.rules.observe import seat_after, write_set
from t2r_env.rules.snapshot import Snapshot, members
from t2r_env.rules.state import TICKET_WORDS, SharedRules, SharedScratch
from t2r_env.rules.text import Description, Text
from t2r_env.rules.turns import between_turns
from t2r_env.sizes import MAX_SEATS, MAX_TICKETS
from t2r_env.variants.variant import COLOURS


class _Phases(NamedTuple):
    COMPLETE: int


class _Blocks(NamedTuple):
    COMPLETE: int


class _Segments(NamedTuple):
    COMPLETED_TICKETS: int
    COMPLETING: int


phases = PHASES.add(_Phases)
blocks = BLOCKS.add(_Blocks)
segments = SEGMENTS.add(_Segments)
between_turns.add(phases.COMPLETE)


class CompletingState(YardState):
    """Tickets completed, and those chosen to be."""

    completing: Array = bitset(MAX_SEATS, TICKET_WORDS)  # chosen, not yet in effect (C6)
    completed_tickets: Array = bitset(MAX_SEATS, TICKET_WORDS)


class CompletingRules(SharedRules):
    """What tickets take."""

    ticket_cards: Array = int8(MAX_TICKETS, NUM_COLOURS)  # cards of each colour that complete the ticket


class CompletingScratch(SharedScratch):
    """What tickets chosen take."""

    needed: Array = int64(NUM_COLOURS)  # cards of each colour


@by_record
def end_scoring(state: CompletingState, rules: CompletingRules, scratch: CompletingScratch) -> None:
    """When all seats have chosen (turns.py)."""


# Phase `complete`: which ticket is completed? Every seat decides until it stops; the choices are simultaneous (C6)


@inlined
def enter_complete(state: CompletingState, seat: int) -> None:
    """A seat chooses the tickets that it completes."""
    state.current = seat
    state.phase = phases.COMPLETE


@inlined
def _list_legal(state: CompletingState, rules: CompletingRules, scratch: CompletingScratch) -> int:
    """Any ticket for which the pile suffices; or no more."""
    count = _list_completable(state, rules, scratch, state.current, rules.first_action[blocks.COMPLETE])
    scratch.legal[count] = rules.first_action[shared_blocks.STOP]
    return count + 1


@inlined
def _apply(state: CompletingState, rules: CompletingRules, scratch: CompletingScratch, action: int) -> None:
    """Note the ticket; or go on to the next seat, and after the last one to the scoring."""
    seat = state.current
    if action != rules.first_action[shared_blocks.STOP]:
        bits.add(state.completing[seat], action - rules.first_action[blocks.COMPLETE])
    elif seat + 1 < rules.num_seats:
        enter_complete(state, seat + 1)
    else:
        end_scoring(state, rules, scratch)


@compiled
def _list_completable(
    state: CompletingState, rules: CompletingRules, scratch: CompletingScratch, seat: int, first_action: Any
) -> int:
    """List the tickets that a seat can complete besides those it has chosen; return how many there are."""
    count_needed(state, rules, scratch, seat)
    count = 0
    for word in range(TICKET_WORDS):
        left = state.tickets[seat, word] & ~state.completing[seat, word]
        while left != bits.NONE:
            ticket = 64 * word + lowest_bit(left)
            left = bits.without_lowest(left)
            if _suffices(state, rules, scratch, seat, ticket):
                scratch.legal[count] = first_action + ticket
                count += 1
    return count


@compiled
def count_needed(state: CompletingState, rules: CompletingRules, scratch: CompletingScratch, seat: int) -> None:
    """Write the cards that the tickets chosen to be completed take into `scratch.needed`."""
    for colour in range(NUM_COLOURS):
        scratch.needed[colour] = 0
    for word in range(TICKET_WORDS):
        left = state.completing[seat, word]
        while left != bits.NONE:
            ticket = 64 * word + lowest_bit(left)
            left = bits.without_lowest(left)
            for colour in range(NUM_COLOURS):
                scratch.needed[colour] += rules.ticket_cards[ticket, colour]


@inlined
def _suffices(
    state: CompletingState, rules: CompletingRules, scratch: CompletingScratch, seat: int, ticket: int
) -> bool:
    """Whether the pile suffices for one more ticket. A locomotive stands for each coloured card that is missing.

    As coloured cards are used first, which are used does not depend on the order of the tickets.
    """
    missing = 0
    for colour in range(NUM_COLOURS):
        needed = scratch.needed[colour] + rules.ticket_cards[ticket, colour]
        missing += max(0, needed - state.on_track[seat, colour])
    return missing <= state.on_track[seat, LOCOMOTIVE]


@inlined
def _write_public(state: CompletingState, rules: CompletingRules, at: Array, viewer: int, vector: Array) -> None:
    seat = viewer
    for distance in range(rules.num_seats):
        start = at[segments.COMPLETED_TICKETS] + distance * rules.num_tickets
        write_set(state.completed_tickets[seat], rules.num_tickets, start, vector)
        seat = seat_after(rules, seat)


@inlined
def _write_private(
    state: CompletingState, rules: CompletingRules, at: Array, seat: int, row: int, vector: Array
) -> None:
    write_set(state.completing[seat], rules.num_tickets, at[segments.COMPLETING] + row * rules.num_tickets, vector)


# What a seat can't know


@inlined
def _blank(state: CompletingState, rules: CompletingRules, seat: int) -> None:
    for other in range(rules.num_seats):
        if other != seat:
            clear(state.completing[other])


@compiled
def _see_tickets(state: CompletingState, rules: CompletingRules, scratch: CompletingScratch, seat: int) -> None:
    for other in range(rules.num_seats):
        for word in range(TICKET_WORDS):
            scratch.open_tickets[word] |= state.completed_tickets[other, word]
        if other != seat:
            clear(state.completing[other])


@compiled
def _deal_ticket_choice(state: CompletingState, rules: CompletingRules, scratch: CompletingScratch, seat: int) -> None:
    """Deal the acting seat a ticket that it can complete, or there would be no decision."""
    if state.phase != phases.COMPLETE:
        return
    acting = state.current
    for _ in range(state.queue_count):
        ticket = ticket_queue.draw_ticket(state)
        bits.add(state.tickets[acting], ticket)
        if _list_completable(state, rules, scratch, acting, np.int64(0)) > 0:
            return
        bits.remove(state.tickets[acting], ticket)
        ticket_queue.put_under(state, ticket)


@compiled
def _redraw(state: CompletingState, rules: CompletingRules, scratch: CompletingScratch, seat: int) -> None:
    """Choose at random what other seats complete."""
    if state.phase != phases.COMPLETE:
        return
    for other in range(state.current + 1):
        if other != seat:
            _redraw_completions(state, rules, scratch, other)


@compiled
def _redraw_completions(state: CompletingState, rules: CompletingRules, scratch: CompletingScratch, other: int) -> None:
    """Choose at random the tickets that another seat completes; the acting one must be left with one."""
    while True:
        count = _list_completable(state, rules, scratch, other, np.int64(0))
        choice = below(state, count + 1)
        if choice == count:
            return
        ticket = scratch.legal[choice]
        bits.add(state.completing[other], ticket)
        if other == state.current and _list_completable(state, rules, scratch, other, np.int64(0)) == 0:
            bits.remove(state.completing[other], ticket)
            return


# What is declared


def lay_out_blocks(configuration: CardConfiguration) -> list[Part]:
    """The blocks of a scoring."""
    return [(blocks.COMPLETE, (configuration.num_tickets,), "complete a ticket (CG10)")]


def _public_segments(configuration: CardConfiguration) -> list[Part]:
    shape = (configuration.num_players, configuration.num_tickets)
    return [(segments.COMPLETED_TICKETS, shape, "tickets completed in earlier scorings")]


def _private_segments(configuration: CardConfiguration, seats: int, teams: int) -> list[Part]:
    chosen = "tickets in the hand, chosen to be completed in this scoring (CG10)"
    return [(segments.COMPLETING, (seats, configuration.num_tickets), chosen)]


def _write_rules(record: Any, configuration: CardConfiguration) -> None:
    for number, ticket in enumerate(configuration.deck.tickets):
        record.ticket_cards[number] = [ticket.cards.get(colour, 0) for colour in COLOURS]


def _find_fault_of_decision(states: States, rules: Any) -> str:
    """Tickets chosen to be completed are in the hands of seats that have chosen, whose piles suffice for them."""
    chosen = states["completing"]
    is_scoring = (states["phase"] == phases.COMPLETE)[:, None]
    may_have_chosen = is_scoring & (np.arange(MAX_SEATS) <= states["current"][:, None])
    if np.any(chosen & ~states["tickets"]) or np.any(chosen[~may_have_chosen]):
        return "completing must name tickets of seats that have chosen them"
    needed = sets_as_rows(chosen)[..., : len(rules.ticket_cards)] @ rules.ticket_cards.astype(np.int64)
    missing = np.maximum(needed - states["on_track"][..., :NUM_COLOURS], 0).sum(-1)
    if np.any(missing > states["on_track"][..., LOCOMOTIVE]):
        return "completing must name tickets for which the pile suffices"
    return ""


def _find_fault(states: States, rules: Any) -> str:
    if np.any(states["completing"][states["outcome"] != outcomes.RUNNING]):
        return "completing must name no tickets in an ended game"
    return ""


def _complete_text(text: Text, number: int) -> Description:
    ticket = text.ticket(number)
    return Description({"action": "complete", "ticket": ticket}, f"complete {text.ticket_text(*ticket)}")


def _describe(text: Text, state: Any, action: int, offset: int) -> Description:
    return _complete_text(text, offset)


def _possessions(snapshot: Snapshot, seat: int) -> dict[str, Any]:
    return {"completed": snapshot.tickets(members(snapshot.state.completed_tickets[seat]))}


def _pending_after(snapshot: Snapshot) -> list[Any]:
    state, pending = snapshot.state, list[Any]()
    if snapshot.is_in("complete"):
        for seat in range(state.current + 1):
            pending += [_complete_text(snapshot.text, ticket) for ticket in members(state.completing[seat])]
            if seat < state.current:
                pending.append({"action": "stop"})
    return pending


COMPLETING = RuleModule(
    phases=[Phase(phases.COMPLETE, _list_legal, _apply)],
    hooks={
        hooks.write_public: _write_public,
        hooks.write_private: _write_private,
        hooks.blank: _blank,
        hooks.see_tickets: _see_tickets,
        hooks.deal_ticket_choice: _deal_ticket_choice,
        hooks.redraw: _redraw,
    },
    public_segments=_public_segments,
    private_segments=_private_segments,
    write_rules=_write_rules,
    sets=lambda rules: dict.fromkeys(("completing", "completed_tickets"), int(rules.num_tickets)),
    tickets=["completed_tickets"],
    find_fault=_find_fault,
    find_fault_of_decision=_find_fault_of_decision,
    describe={blocks.COMPLETE: _describe},
    possessions=_possessions,
    pending_after=_pending_after,
)
"""Completing tickets."""
