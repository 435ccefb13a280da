"""The planning agents in map games: they make a plan, and choose an action by it.

A decision from top to bottom: `decide` -> `planning.fill_plan`, which says which routes to claim for tickets
and for points with the cards, trains and turns left -> `choose_action`, for a turn `_take_turn`: `last_turn` and
`claims` say which route to claim and when, `cards` what to draw and pay.

Functions take their arguments in this order: what they read (`view`, `mask`, `rules`, and `parameters`, which differ
between agents), what they write (`plan`), and what the call is about, such as a route. A view is the state of a game as
its acting seat sees it (C20); a search passes a determinized state instead. A function that chooses returns an action,
or `NO_ACTION` where its docstring says so.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from t2r_agents.playing.planner.map_game.cards import best_card, cheapest_payment
from t2r_agents.playing.planner.map_game.claims import best_claim, best_purchase, waits
from t2r_agents.playing.planner.map_game.last_turn import best_last_claim, best_last_station
from t2r_agents.playing.planner.map_game.planning import fill_plan, plan_tickets
from t2r_agents.playing.planner.map_game.position import begin_plan, clear_plan, share_gain
from t2r_agents.playing.planner.map_game.records import LOWEST, PARAMETERS, Parameters, Plan
from t2r_agents.playing.planner.parameters import Parameter
from t2r_env import Configuration
from t2r_env.agents import Array
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, count_bits, lowest_bit
from t2r_env.rules import ticket_choice
from t2r_env.rules.map_game.records import HAND, NEUTRAL, RACK, MapRules, MapState
from t2r_env.rules.names import NO_ACTION, blocks, phases
from t2r_env.variants.variant import MapVariant

USUAL_TRAINS = 45
"""The number of trains of each seat for which the defaults are meant."""
GROWS_WITH_TRAINS = ("claim_cost", "max_missing_cards", "endgame_turns", "min_turns_to_draw_tickets", "slack")


def parameters_for(configuration: Configuration) -> dict[str, Parameter]:
    """Return the parameters that can be tuned. With more trains a turn is worth more and waiting pays longer."""
    own = fit_parameters({name: it.default for name, it in PARAMETERS.items()}, configuration)
    return {name: replace(it, default=own[name]) for name, it in PARAMETERS.items()}


def fit_parameters(usual: Mapping[str, int], configuration: Configuration) -> dict[str, int]:
    """Return the parameters for a map, from those for the usual number of trains."""
    variant = configuration.variant
    assert isinstance(variant, MapVariant)
    fitted = dict(usual)
    for name in GROWS_WITH_TRAINS:
        low, high = PARAMETERS[name].low, PARAMETERS[name].high
        fitted[name] = min(max(usual[name] * variant.trains // USUAL_TRAINS, low), high)
    if variant.companies:
        fitted["max_hand"] = 0  # companies' shares do not wait
    return fitted


@compiled
def decide(view: MapState, mask: Array, rules: MapRules, parameters: Parameters, plan: Plan) -> int:
    """Return an action for a decision of any phase."""
    begin_plan(view, rules, parameters, plan)
    return decide_begun(view, mask, rules, parameters, plan)


@compiled
def decide_begun(view: MapState, mask: Array, rules: MapRules, parameters: Parameters, plan: Plan) -> int:
    """Return an action for a decision for which a plan has begun."""
    if view.phase == phases.KEEP_TICKET:
        return _choose_ticket(view, rules, parameters, plan)
    fill_plan(view, rules, parameters, plan)
    return choose_action(view, mask, rules, parameters, plan)


@compiled
def choose_action(view: MapState, mask: Array, rules: MapRules, parameters: Parameters, plan: Plan) -> int:
    """Return an action by the plan, for all phases but the choice of tickets."""
    if view.phase == phases.TURN:
        return _take_turn(view, mask, rules, parameters, plan)
    if view.phase == phases.SECOND_CARD:
        return best_card(view, mask, rules, parameters, plan)
    if view.phase == phases.PAY:
        return cheapest_payment(mask, rules, plan)
    if view.phase == phases.TUNNEL:
        return _first_legal(mask, rules.first_action[blocks.PAY_MORE])
    if view.phase == phases.PLACE:  # on the rack the teammate can use it
        return rules.first_action[blocks.PLACE] + (HAND if plan.spare_cards[view.unplaced] < 0 else RACK)
    if view.phase == phases.FROM_RACK:
        return _first_legal(mask, rules.first_action[blocks.FROM_RACK])
    if view.phase == phases.SHARE:
        return _share_ticket(mask, rules)
    if view.phase == phases.SECOND_CLAIM:
        action = best_claim(view, mask, rules, parameters, plan, False)
        return rules.first_action[blocks.STOP] if action == NO_ACTION else action
    if view.phase == phases.TAKE_SHARE:
        return _choose_share(view, mask, rules, plan, view.current, rules.first_action[blocks.TAKE_SHARE])
    return _choose_share(view, mask, rules, plan, NEUTRAL, rules.first_action[blocks.NEUTRAL_SHARE])


@compiled
def _take_turn(view: MapState, mask: Array, rules: MapRules, parameters: Parameters, plan: Plan) -> int:
    """Draw tickets if they promise enough, claim what is planned and does not wait, else draw cards."""
    action = best_purchase(view, mask, rules, plan)
    if action == NO_ACTION and view.last_turns_left > 0:
        action, points = best_last_claim(view, mask, rules, plan)
        station, gain = best_last_station(view, mask, rules)
        if gain > points:
            action = station
    if action != NO_ACTION and view.last_turns_left > 0:
        return action
    draw_tickets = rules.first_action[blocks.DRAW_TICKETS]
    if mask[draw_tickets] and plan.ticket_gain >= parameters.min_ticket_gain:
        return draw_tickets
    if action == NO_ACTION and plan.turns_left <= 1 + count_bits(plan.stations):
        action = _planned_station(mask, rules, plan)
    if action == NO_ACTION:
        is_waiting = waits(view, rules, parameters, plan)
        action = best_claim(view, mask, rules, parameters, plan, is_waiting)
    if action == NO_ACTION and bits.count(plan.ticket_routes) == 0:
        action = _planned_station(mask, rules, plan)
    if action == NO_ACTION:
        action = best_card(view, mask, rules, parameters, plan)
    if action == NO_ACTION:
        action = best_claim(view, mask, rules, parameters, plan, False)
    return act_without_cards(mask, rules) if action == NO_ACTION else action


@compiled
def _planned_station(mask: Array, rules: MapRules, plan: Plan) -> int:
    """Build a station of the plan that can be paid; or NO_ACTION. Building late hides one's tickets longer."""
    cities = plan.stations
    while cities != bits.NONE:
        action = rules.first_action[blocks.BUILD] + lowest_bit(cities)
        if mask[action]:
            return action
        cities = bits.without_lowest(cities)
    return NO_ACTION


@compiled
def act_without_cards(mask: Array, rules: MapRules) -> int:
    """Act when no card can be drawn: claim the longest route, else draw tickets, else pass, else build a station."""
    chosen = NO_ACTION
    longest = 0
    for route in range(rules.num_routes):
        action = rules.first_action[blocks.CLAIM] + route
        if mask[action] and rules.route_length[route] > longest:
            longest = rules.route_length[route]
            chosen = action
    if chosen == NO_ACTION and mask[rules.first_action[blocks.DRAW_TICKETS]]:
        chosen = rules.first_action[blocks.DRAW_TICKETS]
    if chosen == NO_ACTION and mask[rules.first_action[blocks.PASS]]:
        chosen = rules.first_action[blocks.PASS]
    return _first_legal(mask, rules.first_action[blocks.BUILD]) if chosen == NO_ACTION else chosen


@compiled
def _first_legal(mask: Array, first: int) -> int:
    """Return the first legal action from `first` on: the fewest cards from the rack, the fewest locomotives."""
    while not mask[first]:
        first += 1
    return first


@compiled
def _choose_ticket(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan) -> int:
    """Keep the offered tickets that make the best plan, of all choices that are still possible."""
    seat = view.current
    decided = (1 << view.offer_index) - 1
    chosen = 0
    best = LOWEST
    for kept in range(1 << view.offered_count[seat]):
        is_possible = kept & decided == view.kept[seat]
        if is_possible and count_bits(np.uint64(kept)) >= ticket_choice.must_keep(view, rules, seat):
            clear_plan(view, rules, plan)
            # some trains are not counted, since others may claim routes of the plan
            plan.spare_trains -= rules.trains * parameters.reserve_percent // 100 * view.trains[seat] // rules.trains
            for index in range(view.offered_count[seat]):
                if (kept >> index) & 1:
                    bits.add(plan.unplanned_tickets, view.offered[seat, index])
            plan_tickets(view, rules, parameters, plan)
            if plan.ticket_value > best:
                best = plan.ticket_value
                chosen = kept
    keeps = (chosen >> view.offer_index) & 1
    return rules.first_action[blocks.KEEP_TICKET if keeps else blocks.REFUSE_TICKET]


@compiled
def _share_ticket(mask: Array, rules: MapRules) -> int:
    """Share the ticket of the most points, so that the teammate can help with it."""
    chosen = NO_ACTION
    most = 0
    for ticket in range(rules.num_tickets):
        action = rules.first_action[blocks.SHARE_TICKET] + ticket
        if mask[action] and rules.ticket_points[ticket] > most:
            most = rules.ticket_points[ticket]
            chosen = action
    return chosen


@compiled
def _choose_share(view: MapState, mask: Array, rules: MapRules, plan: Plan, holder: int, first_action: int) -> int:
    """Return the action, of the block at `first_action`, whose share serves the seat best in the holder's hand."""
    chosen = first_action
    best = LOWEST
    for company in range(rules.num_companies):
        if mask[first_action + company]:
            gain = share_gain(view, rules, plan, holder, company)
            if gain > best:
                best = gain
                chosen = first_action + company
    return chosen
