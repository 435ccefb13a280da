"""What all map games have, as a rule module: routes, trains, claims, tickets completed by routes."""

from typing import Any

import numpy as np

from t2r_env.core.compiled import inlined
from t2r_env.core.game import NO_ACTION, outcomes
from t2r_env.core.layout import Part
from t2r_env.core.records import Array
from t2r_env.rules import actions, hooks
from t2r_env.rules.cards import CARD_TYPES, EMPTY
from t2r_env.rules.check import check_conditions, find_fault_of_drawn_card, numbers_of, of_current, took_the_last_turn
from t2r_env.rules.check import members as sets_as_rows
from t2r_env.rules.map_game import board, choices, network, open_routes, prices
from t2r_env.rules.map_game.board import NO_ROUTE, BoardRules, BoardState, blocks, parts, segments
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.map_game.flow import depends_on_cards, forget_claim, pick_payment
from t2r_env.rules.map_game.phases import pay, second_card, turn
from t2r_env.rules.map_game.technologies import NO_TECHNOLOGY, effects
from t2r_env.rules.map_game.text import MapText
from t2r_env.rules.module import Limits, Phase, RuleModule, States
from t2r_env.rules.names import PARTS
from t2r_env.rules.names import phases as shared_phases
from t2r_env.rules.observe import seat_after, write_number, write_set
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
        write_number(1, at[segments.SUBJECT_ROUTE] + state.route, vector)
    write_number(state.passes, at[segments.PASSES], vector)
    seat = viewer
    for distance in range(rules.num_seats):
        write_number(state.trains[seat], at[segments.TRAINS] + distance, vector)
        write_set(state.claimed[seat], rules.num_routes, at[segments.CLAIMED] + distance * rules.num_routes, vector)
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
    """Claims within trains and parallel routes (C9, C11), and whose turn it is (C7, C13, C15)."""
    claimed = states["claimed"]
    if np.any(board.total_of_routes(claimed, rules.route_trains) > rules.trains):
        return f"claimed must name routes that {rules.trains} trains are enough for"
    by_anybody = np.bitwise_or.reduce(claimed, axis=1)
    groups, first = np.unique(rules.parallel[: rules.num_routes], axis=0, return_index=True)
    for parallel, capacity in zip(groups, rules.capacity[first], strict=True):
        is_single = np.bitwise_count(parallel).sum() == 1
        if not is_single and np.any(numbers_of(claimed & parallel) > 1):
            return "claimed must name no two parallel routes of one seat"
        if not is_single and capacity and np.any(numbers_of(by_anybody & parallel) > capacity):
            return "claimed must name no more parallel routes than may be claimed"
    has_right_of_way = rules.technology_with[effects.RIGHT_OF_WAY] != NO_TECHNOLOGY
    if not has_right_of_way and np.any(numbers_of(claimed).sum(1) > numbers_of(by_anybody)):
        return "claimed must name each route once"
    if np.any((states["turn"] > 0) & ~took_the_last_turn(states, rules)):
        return "current must be the seat whose turn it is"
    return _find_fault_of_passes(states, rules) or _find_fault_of_last_round(states, rules)


def _find_fault_of_passes(states: States, rules: Any) -> str:
    """Passes are in succession, and who passes leaves nothing to draw (C13)."""
    passes = states["passes"]
    end_it = (passes == rules.num_seats) & (states["outcome"] != outcomes.FINISHED)
    if np.any(passes > states["turn"]) or np.any(end_it):
        return "passes must be those of seats in succession, and all of them end the game"
    return ""


def _find_fault_of_last_round(states: States, rules: Any) -> str:
    """The round is the last because the team of the seat before it has few trains left; else none has (C15, TA11)."""
    seats = np.arange(int(rules.num_seats))
    team_trains = states["trains"][:, seats].astype(np.int64) @ (rules.team[seats][:, None] == rules.team[seats])
    is_low = team_trains <= rules.last_round_trains
    is_finished, left = states["outcome"] == outcomes.FINISHED, states["last_turns_left"].astype(np.int64)
    # a truncated game is between two turns: of those left, the next seat would take the first
    next_turn = states["current"] + (states["outcome"] == outcomes.TRUNCATED)
    began = is_low[np.arange(len(states)), (next_turn + left - 1) % rules.num_seats]
    if np.any((left > 0) & ~began):
        return "last_turns_left must be set if a team has few trains left, and only then"
    is_paid = np.isin(states["phase"], [number for number, is_due in board.claim_phases.items() if not is_due])
    has_claimed = is_paid | (states["claims"] > 0)
    may_be_low = has_claimed[:, None] & (rules.team[states["current"]][:, None] == rules.team[seats])
    if np.any((left == 0) & ~is_finished & np.any(is_low & ~may_be_low, axis=1)):
        return "last_turns_left must be set if a team has few trains left, and only then"
    was_last = (left == 0) & is_low[np.arange(len(states)), states["current"]]
    if np.any(is_finished & ~was_last & (states["passes"] < rules.num_seats)):
        return "a game must not have ended before its last turn"
    return ""


def _find_fault_of_decision(states: States, rules: Any) -> str:
    phase = states["phase"]
    is_claim = np.isin(phase, list(board.claim_phases))
    is_set = states["route"] != NO_ROUTE
    is_paying = phase == board.phases.PAY
    if fault := check_conditions(states, {"route": (is_set, is_paying, is_claim)}):
        return fault
    bought = {name: states[name] != nothing for name, nothing in board.purchases.items()}
    if np.any(is_paying & (np.sum([is_set, *bought.values()], axis=0) != 1)):
        return f"in phase pay either route or one of {', '.join(board.purchases)} must be set"
    if fault := check_conditions(states, {name: (is_bought, is_paying, False) for name, is_bought in bought.items()}):
        return fault
    is_paid = np.isin(phase, [number for number, is_due in board.claim_phases.items() if not is_due])
    own = sets_as_rows(of_current(states, "claimed"))[np.arange(len(states)), np.maximum(states["route"], 0)]
    if np.any(is_set & (is_paid != (own > 0))):
        return "route must be one of the acting seat's once it is paid, and not before"
    is_before = (phase == shared_phases.TURN) | (is_paying & ~is_set)
    if np.any((states["passes"] > 0) & ~is_before):
        return "passes must be 0 once something is done in a turn"
    could_draw = (states["deck_count"] > 0) | (states["queue_count"] > 0) | (states["face_up"] != EMPTY).any(1)
    if np.any((states["passes"] > 0) & could_draw & (states["bought"] == NO_TECHNOLOGY)):
        return "passes must be 0 while there is something to draw"
    if rules.num_racks == 0:
        drawn = states[phase == shared_phases.SECOND_CARD]
        known, hand_count = of_current(drawn, "known"), of_current(drawn, "hand_count")
        return find_fault_of_drawn_card(drawn, known, known.sum(-1), hand_count)
    return ""


def _describe_claim(text: Any, state: Any, action: int, offset: int) -> Description:
    assert isinstance(text, MapText)
    return text.claim(offset)


def _describe_pay(text: Any, state: Any, action: int, offset: int) -> Description:
    assert isinstance(text, MapText)
    check_decision(action, state.phase == board.phases.PAY, "is a payment, but nothing is to be paid for")
    return text.pay(int(pay.price(state, text.rules)), action)


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
        hooks.is_impossible: open_routes.is_out_of_reach,
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
    state=BoardState,
    derived=("open", "component", "trains"),
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
