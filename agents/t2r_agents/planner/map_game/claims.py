"""Choosing a route to claim."""

from t2r_agents.planner.map_game.planning import held_cards
from t2r_agents.planner.map_game.records import Parameters, Plan, Workspace
from t2r_agents.planner.map_game.timing import missing_cards
from t2r_agents.route_actions.claims import is_payable
from t2r_agents.route_plan.paths import UNREACHABLE, connect, find_paths
from t2r_agents.route_plan.points import ends, route_points
from t2r_env.agents import Array
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, lowest_bit
from t2r_env.core.game import NO_ACTION
from t2r_env.rules.map_game import board, network
from t2r_env.rules.map_game.board import ROUTE_WORDS
from t2r_env.rules.map_game.modules import MapRules, MapState
from t2r_env.rules.state import TICKET_WORDS

FEW_CARDS = 15
"""With fewer cards in deck and discard it does not wait for cards."""
MAX_DETOUR = 200
"""A detour that is longer, in quarters of a card, counts as so long."""
DANGER_DIVISOR = 16


@compiled
def waits(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan) -> bool:
    """Whether to wait with claims: until then any route may be paid in the colour that comes, and opponents learn
    nothing."""
    return (
        missing_cards(plan) > parameters.max_missing_cards
        and plan.turns_left > parameters.endgame_turns
        and held_cards(view, rules) <= parameters.max_hand
        and view.deck_count + view.discard_count >= FEW_CARDS
    )


@compiled
def best_claim(
    view: MapState,
    mask: Array,
    rules: MapRules,
    parameters: Parameters,
    plan: Plan,
    workspace: Workspace,
    is_waiting: bool,
) -> int:
    """Claim the planned route that can be paid and is worth most: those for tickets first, then those that may be lost;
    or NO_ACTION. When it waits, only what is long or urgent."""
    chosen = NO_ACTION
    best = 0
    for word in range(ROUTE_WORDS):
        routes = plan.routes[word]
        while routes != bits.NONE:
            route = 64 * word + lowest_bit(routes)
            routes = bits.without_lowest(routes)
            action = rules.first_action[board.blocks.CLAIM] + route
            if mask[action] and is_payable(view, rules, plan, route):
                is_for_ticket = bits.contains(plan.ticket_routes, route)
                danger = _danger(view, rules, workspace, route)
                loss = parameters.point_value * rules.points[rules.route_length[route]] // 4
                if is_for_ticket and danger > 0:
                    loss += _detour(view, rules, plan, workspace, route)
                urgency = danger * loss // DANGER_DIVISOR
                is_long = rules.route_length[route] >= parameters.long_route_length
                if not is_waiting or is_long or urgency >= parameters.urgency:
                    value = 1 + urgency + parameters.point_value * rules.route_length[route]
                    value += parameters.ticket_route_value if is_for_ticket else 0
                    if value > best:
                        best = value
                        chosen = action
    return chosen


@compiled
def _danger(view: MapState, rules: MapRules, workspace: Workspace, route: int) -> int:
    """How much it is to be feared that an opponent takes a route: more where his network is near and he has cards."""
    danger = 0
    for seat in range(rules.num_seats):
        if rules.team[seat] != rules.team[view.current] and bits.contains(view.open[seat], route):
            near = 1
            if bits.bit(rules.route_a[route]) & workspace.networks[seat] != bits.NONE:
                near += 2
            if bits.bit(rules.route_b[route]) & workspace.networks[seat] != bits.NONE:
                near += 2
            if view.hand_count[seat] < rules.route_length[route]:
                near = 0
            danger += near
    return danger


@compiled
def _detour(view: MapState, rules: MapRules, plan: Plan, workspace: Workspace, route: int) -> int:
    """What a way between the ends of a planned route costs if it is lost, and those beside it where one closes them."""
    for city in range(rules.num_cities):
        workspace.held_component[city] = workspace.component[city]
        workspace.component[city] = view.component[rules.team[view.current], city]
    for word in range(ROUTE_WORDS):
        routes = plan.ticket_routes[word]
        while routes != bits.NONE:
            other = 64 * word + lowest_bit(routes)
            routes = bits.without_lowest(routes)
            if other != route:
                connect(rules, workspace, other)
    closes = rules.capacity[route] == 1
    for i in range(workspace.num_candidates):
        other = workspace.candidate_route[i]
        if other == route or (closes and bits.contains(rules.parallel[route], other)):
            workspace.candidate_cost[i] += UNREACHABLE
    end = find_paths(rules, workspace, bits.bit(rules.route_a[route]), bits.bit(rules.route_b[route]))
    detour = min(MAX_DETOUR, workspace.distance[end])
    for i in range(workspace.num_candidates):
        if workspace.candidate_cost[i] > UNREACHABLE:
            workspace.candidate_cost[i] -= UNREACHABLE
    for city in range(rules.num_cities):
        workspace.component[city] = workspace.held_component[city]
    return detour


@compiled
def best_last_claim(view: MapState, mask: Array, rules: MapRules, workspace: Workspace) -> tuple[int, int]:
    """In the last turn, claim the route that brings the most points at once, tickets included: with these points.

    Tickets count twice, as their points are no longer lost. NO_ACTION and less than nothing if there is no claim.
    """
    chosen = NO_ACTION
    best = -1
    for route in range(rules.num_routes):
        action = rules.first_action[board.blocks.CLAIM] + route
        if mask[action]:
            value = 4 * (route_points(rules, workspace, route) + 2 * _completed_points(view, rules, route))
            if ends(rules, route) & workspace.network != bits.NONE:
                value += 1
            if value > best:
                best = value
                chosen = action
    return chosen, best // 4


@compiled
def _completed_points(view: MapState, rules: MapRules, route: int) -> int:
    """The points of the tickets that a route completes."""
    team = rules.team[view.current]
    a = view.component[team, rules.route_a[route]]
    b = view.component[team, rules.route_b[route]]
    points = 0
    for word in range(TICKET_WORDS):
        tickets = view.tickets[view.current, word]
        if rules.num_racks > 0:
            tickets |= view.rack_tickets[team, word]
        while tickets != bits.NONE:
            ticket = 64 * word + lowest_bit(tickets)
            tickets = bits.without_lowest(tickets)
            if not network.is_completed(view, rules, team, ticket) and _joins(view, rules, ticket, a, b):
                points += rules.ticket_points[ticket]
    return points


@compiled
def _joins(view: MapState, rules: MapRules, ticket: int, a: int, b: int) -> bool:
    """Whether a ticket's ends lie in the components `a` and `b` (C16)."""
    team = rules.team[view.current]
    starts = rules.ticket_a[ticket]
    while starts != bits.NONE:
        start = view.component[team, lowest_bit(starts)]
        starts = bits.without_lowest(starts)
        goals = rules.ticket_b[ticket]
        while goals != bits.NONE:
            goal = view.component[team, lowest_bit(goals)]
            goals = bits.without_lowest(goals)
            if (start == a and goal == b) or (start == b and goal == a):
                return True
    return False
