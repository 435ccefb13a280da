"""What all map games have, as a rule module: routes, trains, claims, tickets completed by routes."""

from typing import Any

import numpy as np

from t2r_env.core.compiled import inlined
from t2r_env.core.game import NO_ACTION
from t2r_env.core.layout import Part
from t2r_env.core.records import Array
from t2r_env.rules import actions, hooks
from t2r_env.rules.cards import CARD_TYPES
from t2r_env.rules.check import check_conditions
from t2r_env.rules.map_game import board, choices, network, prices
from t2r_env.rules.map_game.board import MAX_EDGES, NO_ROUTE, BoardRules, BoardState, blocks, parts, segments
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.map_game.flow import depends_on_cards, forget_claim, pick_payment
from t2r_env.rules.map_game.phases import pay, second_card, turn
from t2r_env.rules.map_game.text import MapText
from t2r_env.rules.module import Limits, Phase, RuleModule, States
from t2r_env.rules.names import PARTS
from t2r_env.rules.names import phases as shared_phases
from t2r_env.rules.observe import seat_after, write_set
from t2r_env.rules.ruleset import KEEP_TICKET
from t2r_env.rules.snapshot import Snapshot, members
from t2r_env.rules.text import Description, check_decision
from t2r_env.sizes import MAX_CITIES, MAX_TRAINS


@inlined
def _forget_claim(state: BoardState, rules: BoardRules) -> None:
    state.route = NO_ROUTE


@inlined
def _write_public(state: BoardState, rules: BoardRules, at: Array, viewer: int, vector: Array) -> None:
    if state.route != NO_ROUTE:
        vector[at[segments.SUBJECT_ROUTE] + state.route] = 1
    vector[at[segments.PASSES]] = state.passes
    seat = viewer
    for distance in range(rules.num_seats):
        vector[at[segments.TRAINS] + distance] = state.trains[seat]
        write_set(state.claimed[seat], at[segments.CLAIMED] + distance * rules.num_routes, vector)
        seat = seat_after(rules, seat)


@inlined
def _write_private(state: BoardState, rules: BoardRules, at: Array, seat: int, row: int, vector: Array) -> None:
    start = at[segments.COMPLETED] + row * rules.num_tickets
    network.write_completed(state, rules, state.tickets[seat], rules.team[seat], start, vector)


# What is declared


def _lay_out_blocks(configuration: MapConfiguration) -> list[Part]:
    routes, longest = len(configuration.variant.routes), configuration.largest_payment
    return [
        *actions.DRAWING,
        (blocks.CLAIM, (routes,), "claim a route; the payment is the next decision (C9)"),
        *actions.PASSING,
        (blocks.PAY, (CARD_TYPES, longest), "pay with cards of this colour and this many locomotives (C9)"),
        *actions.CHOOSING_TICKETS,
    ]


def _public_segments(configuration: MapConfiguration) -> list[Part]:
    seats, routes = configuration.num_players, len(configuration.variant.routes)
    return [
        (segments.SUBJECT_ROUTE, (routes,), "one-hot: the route that is being claimed"),
        (segments.PASSES, (1,), "passes in succession (C13)"),
        (segments.TRAINS, (seats,), "trains left to each seat"),
        (segments.CLAIMED, (seats, routes), "routes claimed by each seat"),
    ]


def _private_segments(configuration: MapConfiguration, seats: int, teams: int) -> list[Part]:
    return [(segments.COMPLETED, (seats, configuration.num_tickets), "tickets in the hand that are completed")]


def _parts_at_end(configuration: MapConfiguration) -> list[int]:
    bonuses = [parts.LONGEST_PATH, parts.GLOBETROTTER, parts.EXPLORER]
    return [parts.TICKETS, *(part for part in bonuses if PARTS[part] in configuration.deck.bonuses)]


def _limits(rules: Any) -> Limits:
    return {
        "component": (0, MAX_CITIES - 1),
        "trains": (0, MAX_TRAINS),
        "passes": (0, int(rules.num_seats)),
        "route": (NO_ROUTE, int(rules.num_routes) - 1),
    }


def _find_fault(states: States, rules: Any) -> str:
    if np.any(np.bitwise_count(states["claimed"]).sum(-1) > MAX_EDGES):
        return f"claimed must name no more than {MAX_EDGES}"
    return ""


def _find_fault_of_decision(states: States, rules: Any) -> str:
    phase = states["phase"]
    is_claim = np.isin(phase, list(board.claim_phases))
    is_set = states["route"] != NO_ROUTE
    return check_conditions(states, {"route": (is_set, phase == board.phases.PAY, is_claim)})


def _describe_claim(text: Any, state: Any, action: int, offset: int) -> Description:
    assert isinstance(text, MapText)
    return text.claim(offset)


def _describe_pay(text: Any, state: Any, action: int, offset: int) -> Description:
    assert isinstance(text, MapText)
    check_decision(action, state.phase == board.phases.PAY, "is a payment, but nothing is to be paid for")
    return text.pay(int(pay.cards_due(state, text.rules)), action)


def _snapshot(snapshot: Snapshot) -> dict[str, Any]:
    claimed = [members(snapshot.state.claimed[seat]) for seat in snapshot.seats]
    return {"routes": [_owners(snapshot, claimed, number) for number in range(snapshot.rules.num_routes)]}


def _owners(snapshot: Snapshot, claimed: list[list[int]], number: int) -> dict[str, Any]:
    a, b, track = snapshot.text.route(number)
    return {"a": a, "b": b, "track": track, "owners": [seat for seat in snapshot.seats if number in claimed[seat]]}


def _possessions(snapshot: Snapshot, seat: int) -> dict[str, Any]:
    return {"trains": int(snapshot.state.trains[seat])}


def _subject(snapshot: Snapshot) -> dict[str, Any]:
    route = snapshot.state.route
    return {} if route == NO_ROUTE else {"route": snapshot.text.route(route)}


def _pending_before(snapshot: Snapshot) -> list[Any]:
    """The route chosen, and how it is paid."""
    state, text = snapshot.state, snapshot.text
    if state.route == NO_ROUTE:
        return []
    pending = [text.claim(state.route)]
    if state.payment != NO_ACTION:
        price = prices.price(state, snapshot.rules, state.current, state.route)
        pending.append(text.pay(int(price), state.payment))
    return pending


BASE = RuleModule(
    phases=[
        Phase(shared_phases.TURN, turn.list_legal, turn.apply),
        Phase(shared_phases.SECOND_CARD, second_card.list_legal, second_card.apply),
        KEEP_TICKET,
        Phase(board.phases.PAY, pay.list_legal, pay.apply),
    ],
    hooks={
        forget_claim: _forget_claim,
        hooks.write_public: _write_public,
        hooks.write_private: _write_private,
        hooks.deal_choice: choices.deal_choice,
        depends_on_cards: pay.depends_on_cards,
        pick_payment: pay.pick_payment,
    },
    blocks=_lay_out_blocks,
    public_segments=_public_segments,
    private_segments=_private_segments,
    parts_in_play=lambda configuration: [parts.ROUTES],
    parts_at_end=_parts_at_end,
    write_rules=board.write_rules,
    write_opening=board.write_opening,
    limits=_limits,
    sets=lambda rules: dict.fromkeys(("open", "claimed"), int(rules.num_routes)),
    find_fault=_find_fault,
    find_fault_of_decision=_find_fault_of_decision,
    describe={blocks.CLAIM: _describe_claim, blocks.PAY: _describe_pay},
    snapshot=_snapshot,
    possessions=_possessions,
    subject=_subject,
    pending_before=_pending_before,
)
"""What all map games have."""
