"""What tickets that the seat has not seen may bring."""

from t2r_agents.planner.map_game.records import Parameters, Plan, Workspace
from t2r_agents.planner.map_game.timing import half_turns_of_path, has_time, routes_on_path
from t2r_agents.route_actions import LOWEST
from t2r_agents.route_plan.paths import UNREACHABLE, find_paths, trains_on_path
from t2r_env.agents import Array
from t2r_env.core import bits
from t2r_env.core.compiled import compiled
from t2r_env.rules.map_game.modules import MapRules, MapState
from t2r_env.rules.names import phases

TENTHS = 10
"""Values of tickets are in tenths of a point."""


@compiled
def gain_of_drawing_tickets(
    view: MapState, rules: MapRules, parameters: Parameters, plan: Plan, workspace: Workspace
) -> int:
    """What an offer of tickets is worth on average beside those planned, in tenths of a point.

    LOWEST if tickets are not to be drawn: the seat has not nearly done with its own, or no time is left.
    """
    if view.phase != phases.TURN or view.queue_count == 0 or view.last_turns_left > 0:
        return LOWEST
    if plan.open_routes > parameters.max_open_routes or plan.turns_left < parameters.min_turns_to_draw_tickets:
        return LOWEST
    number = _list_gains(view, rules, parameters, plan, workspace)
    drawn = min(rules.later_offer, view.queue_count)
    return expected_gain(workspace.gain, number, drawn) if 0 < drawn <= number else LOWEST


@compiled
def expected_gain(gains: Array, number: int, drawn: int) -> int:
    """What an offer of `drawn` tickets of `number` is worth on average.

    `gains`, int64 of shape (number or more,), says what each of them would gain, the greatest first. Of those drawn
    the best must be kept; of the others those that gain something are.
    """
    best = 0.0  # the mean of the best one's gain
    best_if_gain = 0.0  # the same, where a loss counts as 0
    total = 0.0  # the sum of all gains that are no losses
    chance = drawn / number  # that this one is the best: all before it are missing
    for i in range(number - drawn + 1):
        best += chance * gains[i]
        best_if_gain += chance * max(0, gains[i])
        # C(number - i - 2, drawn - 1) / C(number - i - 1, drawn - 1)
        left = number - i - 1
        if left > 0:
            chance *= max(0.0, (left - drawn + 1) / left)
    for i in range(number):
        total += max(0, gains[i])
    return int(best + drawn / number * total - best_if_gain)


@compiled
def _list_gains(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan, workspace: Workspace) -> int:
    """Write what each ticket that the seat has not seen would gain with this plan, the greatest first."""
    number = 0
    seat = view.current
    for ticket in range(rules.num_regular):
        is_held = bits.contains(view.tickets[seat], ticket)
        if rules.num_racks > 0:
            is_held = is_held or bits.contains(view.rack_tickets[rules.team[seat]], ticket)
        if not is_held:
            gain = _gain(rules, parameters, plan, workspace, ticket)
            place = number
            while place > 0 and workspace.gain[place - 1] < gain:
                workspace.gain[place] = workspace.gain[place - 1]
                place -= 1
            workspace.gain[place] = gain
            number += 1
    return number


@compiled
def _gain(rules: MapRules, parameters: Parameters, plan: Plan, workspace: Workspace, ticket: int) -> int:
    """What a ticket would gain beside the plan, in tenths of a point."""
    points = TENTHS * rules.ticket_points[ticket]
    end = find_paths(rules, workspace, rules.ticket_a[ticket], rules.ticket_b[ticket])
    cost = workspace.distance[end]
    if cost == 0:
        return points
    if cost >= UNREACHABLE or trains_on_path(rules, workspace, end) > plan.spare_trains:
        return -points
    half_turns = half_turns_of_path(rules, plan, workspace, end)
    if not has_time(plan, parameters, plan.half_turns + half_turns):
        return -points
    risk = min(100, parameters.route_risk * routes_on_path(rules, workspace, end))
    return max(-points, points * (100 - 2 * risk) // 100 - TENTHS * cost // parameters.cost_per_point)
