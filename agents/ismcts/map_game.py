"""How a search plays map games out, and which answers it looks at first.

Both follow a plan (agents/route_plan.py). A game is played out with plans that are kept from claim to claim as long as
they can be carried out, since most of an answer's time is that of its plan.
"""

import numpy as np

from agents.planner.map_game import set_up, take_turn
from agents.route_actions import best_card, cheapest_payment, claim_second, decide
from agents.route_plan import PLAN, keep_plan, make_plan
from t2r_env import Configuration
from t2r_env.agents import Array
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined
from t2r_env.core.records import Record
from t2r_env.rules.cards import FACE_UP_SLOTS, LOCOMOTIVE
from t2r_env.rules.map_game.board import blocks as board_blocks
from t2r_env.rules.map_game.board import phases as board_phases
from t2r_env.rules.map_game.second_claim import phases as second_claim_phases
from t2r_env.rules.names import blocks, phases

QUICK = 0.6
"""The weight of the answer that is given quickly, besides what it has as the others have it:"""
FOR_TICKET = 0.3
"""claims of routes that are planned for tickets,"""
UNPLANNED = 0.3
"""all others together that the plan does not hold,"""
LACKING, WILD, SPARE = 0.2, 0.1, 0.05
"""cards of the row that the plan lacks, locomotives, other cards,"""
OTHER = 0.2
"""and whatever else there is."""


def new_plans(configuration: Configuration, number: int) -> Array:
    """Room for so many plans."""
    plans = np.zeros(number, PLAN)
    set_up(plans, configuration)
    return plans


@compiled
def decide_quickly(state: Record, mask: Array, rules: Record, plan: Record) -> int:
    """An answer as good as can be had in no time."""
    phase = state.phase
    if phase == phases.TURN or phase == phases.SECOND_CARD or phase == board_phases.PAY:
        _be_ready(state, rules, plan)
        if phase == phases.TURN:
            return take_turn(state, mask, rules, plan)
        if phase == phases.SECOND_CARD:
            return best_card(state, mask, rules, plan)
        return cheapest_payment(mask, rules, plan)
    plan.is_made = 0
    if phase == second_claim_phases.SECOND_CLAIM:
        return claim_second(state, mask, rules, plan)
    return decide(state, mask, rules, plan)


@compiled
def _be_ready(state: Record, rules: Record, plan: Record) -> None:
    """Have a plan that can be carried out."""
    seat = state.current
    tickets_held = state.ticket_count[seat]
    if rules.num_racks > 0:
        tickets_held += state.rack_ticket_count[rules.team[seat]]
    trains_held = state.trains[seat]
    is_as_it_was = plan.tickets_held == tickets_held and plan.trains_held == trains_held
    if plan.is_made == 0 or not is_as_it_was or not keep_plan(state, rules, plan):
        make_plan(state, rules, plan)
        plan.is_made = 1
        plan.tickets_held = tickets_held
        plan.trains_held = trains_held


@inlined
def forget(state: Record, plan: Record) -> None:
    """Keep no plan of another deal."""
    plan.is_made = 0


@compiled
def weigh(state: Record, rules: Record, plan: Record, mask: Array, notes: Record, count: int) -> None:
    """Note how promising each of the legal answers looks: most the quick one, then what the plan holds or lacks."""
    chosen = decide_quickly(state, mask, rules, plan)
    claim, draw_face_up = rules.first_action[board_blocks.CLAIM], rules.first_action[blocks.DRAW_FACE_UP]
    may_claim = state.phase == phases.TURN or state.phase == second_claim_phases.SECOND_CLAIM
    may_draw = state.phase == phases.TURN or state.phase == phases.SECOND_CARD
    unplanned = 0
    for i in range(count):
        route = notes.legal[i] - claim
        if may_claim and 0 <= route < rules.num_routes and not bits.contains(plan.routes, route):
            unplanned += 1
    for i in range(count):
        action = notes.legal[i]
        route = action - claim
        weight = OTHER
        if may_claim and 0 <= route < rules.num_routes:
            if bits.contains(plan.ticket_routes, route):
                weight = FOR_TICKET
            elif not bits.contains(plan.routes, route):
                weight = UNPLANNED / unplanned
        elif may_draw and draw_face_up <= action < draw_face_up + FACE_UP_SLOTS:
            weight = _weight_of_slot(state, plan, action - draw_face_up)
        if action == chosen:
            weight += QUICK
        notes.weight[i] = weight


@inlined
def _weight_of_slot(state: Record, plan: Record, slot: int) -> float:
    """How promising a card of the row looks; of several alike only the first is looked at."""
    card = state.face_up[slot]
    weight = LACKING if plan.spare[card] < 0 else SPARE
    if card == LOCOMOTIVE:
        weight = WILD
    for other in range(slot):
        if state.face_up[other] == card:
            weight = 0.0
    return weight
