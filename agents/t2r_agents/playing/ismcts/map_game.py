"""The rollout policy and the priors of the search in map games: they follow the planner's plans.

A seat keeps its plan from decision to decision as long as it can be carried out, since planning takes most of the time
of a simulation.
"""

import numpy as np

from t2r_agents.playing.ismcts.records import Edges, History
from t2r_agents.playing.planner.map_game import choose_action, decide
from t2r_agents.playing.planner.map_game.planning import continue_plan, make_plan
from t2r_agents.playing.planner.map_game.records import Parameters, Plan
from t2r_env.agents import Array
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined
from t2r_env.rules.cards import FACE_UP_SLOTS, LOCOMOTIVE
from t2r_env.rules.map_game.records import MapRules, MapState
from t2r_env.rules.names import blocks, phases

# Priors, before they are divided by their sum
ROLLOUT_BONUS = 0.6  # for the action of the rollout policy, besides
TICKET_ROUTE_PRIOR = 0.3
UNPLANNED_ROUTES_PRIOR = 0.3  # of all of them together
PLANNED_STATION_PRIOR = 0.2
UNPLANNED_STATIONS_PRIOR = 0.1  # of all of them together
MISSING_CARD_PRIOR, LOCOMOTIVE_PRIOR, SPARE_CARD_PRIOR = 0.2, 0.1, 0.05  # of face-up cards
OTHER_PRIOR = 0.2


@compiled
def rollout_action(
    state: MapState, mask: Array, rules: MapRules, parameters: Parameters, plan: Plan, history: History
) -> int:
    """Return the planner's action, but by a plan that is kept from decision to decision."""
    phase = state.phase
    if phase == phases.TURN or phase == phases.SECOND_CARD or phase == phases.PAY:
        _update_plan(state, rules, parameters, plan, history)
        return choose_action(state, mask, rules, parameters, plan)
    history.has_plan = 0  # other decisions overwrite the plan
    return decide(state, mask, rules, parameters, plan)


@compiled
def _update_plan(state: MapState, rules: MapRules, parameters: Parameters, plan: Plan, history: History) -> None:
    """Go on with the seat's plan; make a new one if it can't be carried out, or the tickets or trains have changed."""
    seat = state.current
    tickets_held = state.ticket_count[seat]
    if rules.num_racks > 0:
        tickets_held += state.rack_ticket_count[rules.team[seat]]
    trains_held = state.trains[seat]
    is_unchanged = history.tickets_held == tickets_held and history.trains_held == trains_held
    if history.has_plan == 0 or not is_unchanged or not continue_plan(state, rules, parameters, plan):
        make_plan(state, rules, parameters, plan)
        history.has_plan = 1
        history.tickets_held = tickets_held
        history.trains_held = trains_held


@compiled
def write_priors(state: MapState, rules: MapRules, plan: Plan, edges: Edges, chosen: np.int64) -> None:
    """Write a prior for each legal action: the most for the rollout policy's, `chosen`, then for what the plan holds or
    lacks."""
    claim, draw_face_up = rules.first_action[blocks.CLAIM], rules.first_action[blocks.DRAW_FACE_UP]
    may_claim = state.phase == phases.TURN or state.phase == phases.SECOND_CLAIM
    may_draw = state.phase == phases.TURN or state.phase == phases.SECOND_CARD
    num_unplanned = 0
    num_stations = 0
    for i in range(edges.count):
        route = edges.legal_action[i] - claim
        if may_claim and 0 <= route < rules.num_routes and not bits.contains(plan.routes, route):
            num_unplanned += 1
        if _builds_station(rules, edges.legal_action[i]):
            num_stations += 1
    for i in range(edges.count):
        action = edges.legal_action[i]
        route = action - claim
        prior = OTHER_PRIOR
        if may_claim and 0 <= route < rules.num_routes:
            if bits.contains(plan.ticket_routes, route):
                prior = TICKET_ROUTE_PRIOR
            elif not bits.contains(plan.routes, route):
                prior = UNPLANNED_ROUTES_PRIOR / num_unplanned
        elif _builds_station(rules, action):
            prior = UNPLANNED_STATIONS_PRIOR / num_stations
            if plan.stations & bits.bit(action - rules.first_action[blocks.BUILD]) != bits.NONE:
                prior = PLANNED_STATION_PRIOR
        elif may_draw and draw_face_up <= action < draw_face_up + FACE_UP_SLOTS:
            prior = _face_up_prior(state, plan, action - draw_face_up)
        if action == chosen:
            prior += ROLLOUT_BONUS
        edges.prior[i] = prior


@inlined
def _builds_station(rules: MapRules, action: int) -> bool:
    return 0 <= action - rules.first_action[blocks.BUILD] < rules.block_size[blocks.BUILD]


@inlined
def _face_up_prior(state: MapState, plan: Plan, slot: int) -> float:
    """Return the prior of a face-up card; of several alike only the first is tried."""
    card = state.face_up[slot]
    prior = MISSING_CARD_PRIOR if plan.spare_cards[card] < 0 else SPARE_CARD_PRIOR
    if card == LOCOMOTIVE:
        prior = LOCOMOTIVE_PRIOR
    for other in range(slot):
        if state.face_up[other] == card:
            prior = 0.0
    return prior
