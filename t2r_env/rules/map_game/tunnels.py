"""Tunnels: cards turned up from the deck tell what a claim costs besides (TA10)."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from t2r_env.core.compiled import compiled, inlined
from t2r_env.core.game import NO_ACTION, PHASES
from t2r_env.core.layout import Part
from t2r_env.core.randomness import below
from t2r_env.core.records import Array, int64
from t2r_env.rules import hooks, train_cards
from t2r_env.rules.cards import CARD_TYPES, CARDS, LOCOMOTIVE
from t2r_env.rules.check import check_conditions
from t2r_env.rules.map_game import paying, racks
from t2r_env.rules.map_game.board import BoardScratch, claim_phases
from t2r_env.rules.map_game.board import blocks as board_blocks
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.map_game.flow import depends_on_cards, follow_payment, pick_payment
from t2r_env.rules.map_game.paying import extra_blocks, locomotives_due
from t2r_env.rules.map_game.racks import RackRules, RackState, enter_from_rack, from_rack_text
from t2r_env.rules.module import Limits, Phase, RuleModule, States
from t2r_env.rules.names import BLOCKS, SEGMENTS
from t2r_env.rules.observe import write_cards
from t2r_env.rules.snapshot import Snapshot
from t2r_env.rules.state import SharedScratch
from t2r_env.rules.text import Description, Text, check_decision, count_cards
from t2r_env.rules.turns import finish_turn
from t2r_env.sizes import MAX_ROUTES, MAX_TUNNEL
from t2r_env.variants import MapVariant, Route
from t2r_env.variants.declared import Column, Entries
from t2r_env.variants.reading import Row, Table


class _Phases(NamedTuple):
    TUNNEL: int


class _Blocks(NamedTuple):
    WITHDRAW: int


class _Segments(NamedTuple):
    REVEALED: int


phases = PHASES.add(_Phases)
blocks = BLOCKS.add(_Blocks)
segments = SEGMENTS.add(_Segments)
claim_phases[phases.TUNNEL] = True


class TunnelRules(RackRules):
    """Which routes are tunnels."""

    route_tunnel: Array = int64(MAX_ROUTES)  # cards turned up for it


# Phase `tunnel`: pay what the tunnel demands, or withdraw?


@inlined
def enter_tunnel(state: RackState) -> None:
    """Decide how to meet what the tunnel demands."""
    state.phase = phases.TUNNEL


@inlined
def _follow_payment(state: RackState, rules: TunnelRules) -> bool:
    """At a tunnel cards are turned up; if they demand something, that is the next decision."""
    if state.extra != NO_ACTION or rules.route_tunnel[state.route] == 0:
        return False
    _reveal(state, rules, rules.route_tunnel[state.route])
    state.due = _demand(state, paying.colour_of(rules, state.payment))
    if state.due == 0:
        return False
    enter_tunnel(state)
    return True


@compiled
def _reveal(state: RackState, rules: TunnelRules, number: int) -> None:
    """Turn up so many cards, or all that there are."""
    for _ in range(number):
        if state.deck_count > 0:
            state.revealed[train_cards.draw_blind(state, rules)] += 1


@inlined
def _demand(state: RackState, colour: int) -> int:
    """How many of the cards turned up are of the payment's colour or locomotives; a locomotive counts once."""
    if colour == LOCOMOTIVE:
        return state.revealed[LOCOMOTIVE]
    return state.revealed[colour] + state.revealed[LOCOMOTIVE]


@inlined
def _list_legal(state: RackState, rules: TunnelRules, scratch: SharedScratch) -> int:
    """Just so many cards of the payment's colour or locomotives, as there are; or withdraw, which is always allowed."""
    seat = state.current
    colour = paying.colour_of(rules, state.payment)
    scratch.legal[0] = rules.first_action[blocks.WITHDRAW]
    count = 1
    coloured = 0 if colour == LOCOMOTIVE else racks.held(state, rules, seat, colour)
    locomotives = racks.held(state, rules, seat, LOCOMOTIVE)
    for wild in range(max(0, state.due - coloured), min(state.due, locomotives) + 1):
        scratch.legal[count] = rules.first_action[extra_blocks.PAY_MORE] + wild
        count += 1
    return count


@inlined
def _apply(state: RackState, rules: TunnelRules, scratch: SharedScratch, action: int) -> None:
    """Pay, in team games with a decision which cards come from the rack; or take all back."""
    seat = state.current
    if action == rules.first_action[blocks.WITHDRAW]:
        paying.take_back(state, seat)
        racks.take_back(state, rules, seat)
        paying.discard_all(state)
        train_cards.restore(state, rules)
        finish_turn(state)
    elif rules.num_racks > 0:
        state.extra = action
        enter_from_rack(state)
    else:
        wild = action - rules.first_action[extra_blocks.PAY_MORE]
        paying.lay_out(state, seat, paying.colour_of(rules, state.payment), state.due - wild)
        paying.lay_out(state, seat, LOCOMOTIVE, wild)
        paying.complete_claim(state, rules)


@inlined
def _depends_on_cards(state: RackState, rules: TunnelRules) -> bool:
    return state.phase == phases.TUNNEL


@inlined
def _pick_payment(state: RackState, rules: TunnelRules, scratch: BoardScratch) -> bool:
    if state.phase != phases.TUNNEL:
        return False
    colour = paying.colour_of(rules, state.payment)
    locomotives = state.due if colour == LOCOMOTIVE else int(below(state, state.due + 1))
    scratch.payment[0] = colour
    scratch.payment[1] = state.due - locomotives
    scratch.payment[2] = locomotives
    return True


@inlined
def _write_public(state: RackState, rules: TunnelRules, at: Array, viewer: int, vector: Array) -> None:
    write_cards(state.revealed, at[segments.REVEALED], vector)


# What is declared


def _read_tunnel(row: Row, route: Route, variant: MapVariant) -> int:
    """How many cards are turned up when somebody tries to claim a route."""
    return row.integer("tunnel", 0, MAX_TUNNEL)


def _check(table: Table, routes: Sequence[Row], variant: MapVariant) -> None:
    """No rule says what exchanges would mean in a tunnel."""
    if variant.exchange and any(route.tunnel for route in variant.routes):
        raise table.wrong("exchange", "0 on a map with tunnels")


def _is_used(configuration: MapConfiguration) -> bool:
    return configuration.has_tunnels


def _lay_out_blocks(configuration: MapConfiguration) -> list[Part]:
    most = max(route.tunnel for route in configuration.variant.routes)
    return [
        (extra_blocks.PAY_MORE, (most + 1,), "pay what the tunnel demands, with this many locomotives (TA10)"),
        (blocks.WITHDRAW, (1,), "withdraw from the tunnel (TA10)"),
    ]


def _public_segments(configuration: MapConfiguration) -> list[Part]:
    return [(segments.REVEALED, (CARD_TYPES,), "cards turned up for the tunnel")]


def _write_rules(record: Any, configuration: MapConfiguration) -> None:
    record.route_tunnel[: len(configuration.variant.routes)] = [it.tunnel for it in configuration.variant.routes]


def _limits(rules: Any) -> Limits:
    return {"due": (0, MAX_TUNNEL)}


def _find_fault_of_decision(states: States, rules: Any) -> str:
    phase, has_extra = states["phase"], states["extra"] != NO_ACTION
    if fault := check_conditions(states, {"extra": (has_extra, phase == paying.phases.FROM_RACK, False)}):
        return fault
    pays_more = (phase == phases.TUNNEL) | has_extra
    extra = states["extra"] - rules.first_action[extra_blocks.PAY_MORE]
    is_wrong = has_extra & ((extra < 0) | (extra > states["due"]))
    if np.any(pays_more != (states["due"] > 0)) or np.any(is_wrong):
        return "due and extra must be what a tunnel demands and how it is paid"
    return paying.find_fault_of_cards_apart(states, rules) or _find_fault_of_demand(states[pays_more], rules)


def _find_fault_of_demand(states: States, rules: Any) -> str:
    """As many cards as the tunnel has, or as there were, tell what it demands (TA10)."""
    revealed = states["revealed"].astype(np.int64)
    colour = (states["payment"] - rules.first_action[board_blocks.PAY]) // rules.pay_width
    demanded = revealed[np.arange(len(states)), colour] + np.where(colour == LOCOMOTIVE, 0, revealed[:, LOCOMOTIVE])
    number, turned_up = rules.route_tunnel[states["route"]], revealed.sum(-1)
    is_whole = (turned_up == number) | ((turned_up < number) & (states["deck_count"] == 0))
    if np.any(states["due"] != demanded) or not np.all(is_whole):
        return "revealed must be the cards turned up for the tunnel, and due what they demand"
    return ""


def _pay_more_text(rules: Any, payment: int, due: int, locomotives: int) -> Description:
    """Paying what a tunnel demands."""
    cards = due - locomotives
    if cards < 0:
        raise ValueError(f"{locomotives} locomotives are more than the {due} cards that are due")
    colour = paying.colour_name(rules, payment)
    entries = {"action": "pay_more", "cards": cards, "locomotives": locomotives}
    return Description(entries, f"pay {count_cards({colour: cards, CARDS[LOCOMOTIVE]: locomotives})} more")


def _describe_pay_more(text: Text, state: Any, action: int, offset: int) -> Description:
    check_decision(action, state.phase == phases.TUNNEL, "pays for a tunnel, but no demand is to be paid")
    return _pay_more_text(text.rules, state.payment, int(state.due), offset)


def _describe_withdraw(text: Text, state: Any, action: int, offset: int) -> Description:
    return Description({"action": "withdraw"}, "withdraw")


def _snapshot(snapshot: Snapshot) -> dict[str, Any]:
    return {"revealed": snapshot.count(snapshot.state.revealed)}


def _subject(snapshot: Snapshot) -> dict[str, Any]:
    return {"due": int(snapshot.state.due)} if snapshot.is_in("tunnel") else {}


def _pending_before(snapshot: Snapshot) -> list[Any]:
    """Which cards of the payment came from the rack, and how what the tunnel demands is paid."""
    state, rules = snapshot.state, snapshot.rules
    pending: list[Any] = []
    if not snapshot.is_in("tunnel") and state.extra == NO_ACTION:
        return pending
    colour = paying.colour_of(rules, state.payment)
    if rules.num_racks:
        laid_out = state.set_aside[paying.RACK]
        cards = 0 if colour == LOCOMOTIVE else laid_out[colour]
        pending.append(from_rack_text(CARDS[colour], cards, laid_out[LOCOMOTIVE]))
    if state.extra != NO_ACTION:
        pending.append(_pay_more_text(rules, state.payment, int(state.due), int(locomotives_due(state, rules))))
    return pending


def _marks(route: Route) -> list[str]:
    return [f"tunnel {route.tunnel}"] if route.tunnel else []


TUNNELS = RuleModule(
    is_used=_is_used,
    entries=Entries(route_columns=[Column("tunnel", "0", _read_tunnel)], checks=[_check]),
    phases=[Phase(phases.TUNNEL, _list_legal, _apply)],
    hooks={
        follow_payment: _follow_payment,
        depends_on_cards: _depends_on_cards,
        pick_payment: _pick_payment,
        hooks.write_public: _write_public,
    },
    blocks=_lay_out_blocks,
    public_segments=_public_segments,
    write_rules=_write_rules,
    limits=_limits,
    find_fault_of_decision=_find_fault_of_decision,
    describe={extra_blocks.PAY_MORE: _describe_pay_more, blocks.WITHDRAW: _describe_withdraw},
    snapshot=_snapshot,
    subject=_subject,
    marks=_marks,
    pending_before=_pending_before,
)
"""Tunnels."""
