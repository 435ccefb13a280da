"""Payments under way: what their actions mean, and the cards that lie apart until they are complete (C2, C9, TA10)."""

from typing import Any, NamedTuple

import numpy as np

from t2r_env.core.compiled import by_record, compiled, inlined
from t2r_env.core.game import NO_ACTION, PHASES, outcomes
from t2r_env.core.layout import Part
from t2r_env.core.records import Array, int8, int16, int64
from t2r_env.rules import hooks, train_cards
from t2r_env.rules.cards import CARD_TYPES, CARDS, LOCOMOTIVE
from t2r_env.rules.check import CARDS_LIMIT, check_conditions
from t2r_env.rules.map_game.board import GRAY, NO_ROUTE, BoardRules, BoardState, blocks, claim_phases
from t2r_env.rules.map_game.board import phases as board_phases
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.map_game.flow import forget_claim
from t2r_env.rules.module import Limits, RuleModule, States
from t2r_env.rules.names import BLOCKS, SEGMENTS
from t2r_env.rules.observe import write_cards, write_number
from t2r_env.rules.snapshot import Snapshot

HAND, RACK = range(2)
"""Where cards come from and go to, in team games (TA2)."""


class _Phases(NamedTuple):
    FROM_RACK: int  # of racks.py: what is still to be laid out depends on it


class _Blocks(NamedTuple):
    PAY_MORE: int  # of tunnels.py, likewise


class _Segments(NamedTuple):
    SUBJECT_PAYMENT: int
    SUBJECT_CARDS: int
    SET_ASIDE: int


phases = PHASES.add(_Phases)
extra_blocks = BLOCKS.add(_Blocks)
segments = SEGMENTS.add(_Segments)


class PayingState(BoardState):
    """Payments that take more than one decision."""

    payment: int = int16()  # the action that pays for the route, or NO_ACTION
    extra: int = int16()  # the action that pays what a tunnel demands, or NO_ACTION (TA10)
    due: int = int64()  # cards that a tunnel still demands (TA10)
    set_aside: Array = int8(2, CARD_TYPES)  # laid out for a payment: from HAND, from RACK (C2)
    revealed: Array = int8(CARD_TYPES)  # turned up for a tunnel (TA10)


class PayingRules(BoardRules):
    """Where payments lie among the actions."""

    lays_out: int = int8()  # 1: payments may take more than one decision, and lie apart meanwhile (C2)
    pay_width: int = int64()  # payments of each colour: the length of the longest route


@by_record
def complete_claim(state: BoardState, rules: BoardRules) -> None:
    """Complete a claim that is paid (claiming.py)."""


@inlined
def payment_action(rules: PayingRules, colour: int, locomotives: int) -> int:
    """The action that pays with cards of `colour` and so many locomotives."""
    column = locomotives - 1 if colour == LOCOMOTIVE else locomotives
    return rules.first_action[blocks.PAY] + colour * rules.pay_width + column


@inlined
def colour_of(rules: PayingRules, action: int) -> int:
    """The colour that a payment uses; `LOCOMOTIVE` if it is locomotives alone."""
    return (action - rules.first_action[blocks.PAY]) // rules.pay_width


@inlined
def locomotives_of(rules: PayingRules, action: int) -> int:
    """How many locomotives a payment uses."""
    offset = action - rules.first_action[blocks.PAY]
    column = offset % rules.pay_width
    return column + 1 if offset // rules.pay_width == LOCOMOTIVE else column


def colour_name(rules: Any, action: int) -> str:
    """The colour that a payment uses, by name."""
    return CARDS[colour_of(rules, action)]


@inlined
def locomotives_due(state: PayingState, rules: PayingRules) -> int:
    """How many locomotives are to be laid out: of the payment, or of what a tunnel demands besides."""
    if state.extra != NO_ACTION:
        return state.extra - rules.first_action[extra_blocks.PAY_MORE]
    return locomotives_of(rules, state.payment)


@inlined
def coloured_due(state: PayingState, rules: PayingRules) -> int:
    """How many cards of the payment's colour are to be laid out."""
    total = state.due if state.extra != NO_ACTION else rules.route_length[state.route]
    return total - locomotives_due(state, rules)


@inlined
def spend(state: PayingState, seat: int, card: int, number: int) -> None:
    """Discard cards of a hand at once, as where no step of a payment follows; those that others know of go first."""
    train_cards.take_away(state, seat, card, number)
    train_cards.discard(state, card, number)


@inlined
def lay_out(state: PayingState, seat: int, card: int, number: int) -> None:
    """Lay cards of a hand apart; those that others know of go first (C20)."""
    train_cards.take_away(state, seat, card, number)
    state.set_aside[HAND, card] += number


@compiled
def discard_all(state: PayingState) -> None:
    """Discard together all that was laid out or turned up (C2)."""
    for card in range(CARD_TYPES):
        number = state.set_aside[HAND, card] + state.set_aside[RACK, card] + state.revealed[card]
        if number:
            train_cards.discard(state, card, number)
            state.set_aside[HAND, card] = 0
            state.set_aside[RACK, card] = 0
            state.revealed[card] = 0


@compiled
def take_back(state: PayingState, seat: int) -> None:
    """Take what was laid out from a hand back to it; all have seen it (TA10, C20)."""
    for card in range(CARD_TYPES):
        number = state.set_aside[HAND, card]
        state.hand[seat, card] += number
        state.known[seat, card] += number
        state.hand_count[seat] += number
        state.set_aside[HAND, card] = 0


@inlined
def _forget_claim(state: PayingState, rules: PayingRules) -> None:
    state.payment = NO_ACTION
    state.extra = NO_ACTION
    state.due = 0


@inlined
def _write_public(state: PayingState, rules: PayingRules, at: Array, viewer: int, vector: Array) -> None:
    if at[segments.SUBJECT_PAYMENT] >= 0 and state.payment != NO_ACTION:
        write_number(1, at[segments.SUBJECT_PAYMENT] + colour_of(rules, state.payment), vector)
        if state.phase == phases.FROM_RACK:
            write_number(coloured_due(state, rules), at[segments.SUBJECT_CARDS], vector)
            write_number(locomotives_due(state, rules), at[segments.SUBJECT_CARDS] + 1, vector)
        else:
            write_number(state.due, at[segments.SUBJECT_CARDS], vector)
    if at[segments.SET_ASIDE] >= 0:
        for source in range(2):
            write_cards(state.set_aside[source], at[segments.SET_ASIDE] + source * CARD_TYPES, vector)


@inlined
def _see_cards(state: PayingState, rules: PayingRules) -> None:
    for card in range(CARD_TYPES):
        number = state.set_aside[HAND, card] + state.set_aside[RACK, card] + state.revealed[card]
        state.deck[card] -= number
        state.deck_count -= number


def _lays_out(configuration: MapConfiguration) -> bool:
    return configuration.has_racks or configuration.has_tunnels or configuration.variant.exchange > 0


def _public_segments(configuration: MapConfiguration) -> list[Part]:
    listed: list[Part] = []
    if configuration.has_racks or configuration.has_tunnels:
        due = "coloured cards and locomotives still to be laid out; at a tunnel the cards due, and 0"
        listed += [
            (segments.SUBJECT_PAYMENT, (CARD_TYPES,), "one-hot: the colour of the payment; locomotives alone last"),
            (segments.SUBJECT_CARDS, (2,), due),
        ]
    if _lays_out(configuration):
        apart = "cards laid out for the payment under way, from the hand and from the rack"
        listed.append((segments.SET_ASIDE, (2, CARD_TYPES), apart))
    return listed


def _write_rules(record: Any, configuration: MapConfiguration) -> None:
    record.lays_out = _lays_out(configuration)
    record.pay_width = configuration.largest_payment


def _write_opening(state: Any, rules: Any) -> None:
    state.payment = state.extra = NO_ACTION


def _limits(rules: Any) -> Limits:
    actions = (NO_ACTION, int(rules.num_actions) - 1)
    return {"payment": actions, "extra": actions, "set_aside": CARDS_LIMIT, "revealed": CARDS_LIMIT}


def _find_fault_of_decision(states: States, rules: Any) -> str:
    """The payment chosen must pay for the route."""
    phase, payment = states["phase"], states["payment"]
    is_chosen = payment != NO_ACTION
    if fault := check_conditions(states, {"payment": (is_chosen, False, np.isin(phase, list(claim_phases)))}):
        return fault
    route = states["route"]
    length, symbols = rules.route_length[route].astype(np.int64), rules.route_ferry[route].astype(np.int64)
    # Diesel Power takes a card off some routes (UK12)
    least = length - ((length > np.maximum(symbols, 1)) & (rules.num_technologies > 0))
    colour, column = np.divmod(payment - rules.first_action[blocks.PAY], rules.pay_width)
    is_wild, route_colour = colour == LOCOMOTIVE, rules.route_colour[route]
    fits = np.where(
        is_wild,
        (column + 1 >= least) & (column + 1 <= length),
        (column >= symbols) & (column < length) & ((route_colour == GRAY) | (route_colour == colour)),
    )
    if np.any(is_chosen & ~((colour >= 0) & (colour <= LOCOMOTIVE) & fits)):
        return "payment must be one for the route that is claimed"
    return ""


def payment_laid_out(states: States, rules: Any) -> Array:
    """The cards of the payments chosen, by type: (states, types)."""
    colour, column = np.divmod(states["payment"] - rules.first_action[blocks.PAY], rules.pay_width)
    length = rules.route_length[states["route"]].astype(np.int64)
    locomotives = np.where(colour == LOCOMOTIVE, column + 1, column)
    types = np.arange(CARD_TYPES)
    coloured = (colour[:, None] == types) * (length - locomotives)[:, None]
    return coloured + (types == LOCOMOTIVE) * locomotives[:, None]


def _find_fault(states: States, rules: Any) -> str:
    """Nothing lies apart once a game has ended."""
    over = states[states["outcome"] != outcomes.RUNNING]
    is_left = (over["route"] != NO_ROUTE) | (over["payment"] != NO_ACTION) | (over["extra"] != NO_ACTION)
    if np.any(is_left | (over["due"] > 0) | over["set_aside"].any((1, 2)) | over["revealed"].any(1)):
        return "no payment must be under way in an ended game"
    return ""


def find_fault_of_cards_apart(states: States, rules: Any) -> str:
    """What lies apart must have been laid out for a payment, or turned up for it."""
    set_aside, is_demanded, is_paying = states["set_aside"], states["due"] > 0, states["phase"] == board_phases.PAY
    spends = is_paying & bool(rules.exchange) & (set_aside[:, :, LOCOMOTIVE].sum(-1) == 0)
    is_apart = set_aside.sum((-1, -2), dtype=np.int64) > 0
    is_revealed = states["revealed"].sum(-1, dtype=np.int64) > 0
    if np.any(is_apart & ~(is_demanded | spends)) or np.any(is_revealed & ~is_demanded):
        return "set_aside and revealed must belong to a payment under way"
    demanded = states[is_demanded]
    if np.any(demanded["set_aside"].sum(1, dtype=np.int64) != payment_laid_out(demanded, rules)):
        return "set_aside must be the payment for the tunnel"
    return ""


def _cards(states: States) -> list[Array]:
    return [states["set_aside"], states["revealed"]]


def _snapshot(snapshot: Snapshot) -> dict[str, Any]:
    """Cards laid out for the payment under way (C2), where a game has such."""
    from_hand, from_rack = (snapshot.count(cards) for cards in snapshot.state.set_aside)
    if snapshot.configuration.has_racks:
        return {"set_aside": {"hand": from_hand, "rack": from_rack}}
    return {"set_aside": from_hand} if snapshot.rules.lays_out else {}


def _subject(snapshot: Snapshot) -> dict[str, Any]:
    state, rules = snapshot.state, snapshot.rules
    if state.payment == NO_ACTION or not snapshot.is_in("from_rack", "tunnel"):
        return {}
    return {"colour": colour_name(rules, state.payment)}


PAYING = RuleModule(
    hooks={
        forget_claim: _forget_claim,
        hooks.write_public: _write_public,
        hooks.see_cards: _see_cards,
    },
    public_segments=_public_segments,
    write_rules=_write_rules,
    write_opening=_write_opening,
    cards=_cards,
    limits=_limits,
    find_fault=_find_fault,
    find_fault_of_decision=_find_fault_of_decision,
    snapshot=_snapshot,
    subject=_subject,
)
"""Payments under way."""
