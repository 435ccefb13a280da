"""The records of the planner in map games: those of all agents that plan, and what it knows besides."""

import numpy as np

from t2r_agents.planner.parameters import Parameter, defaults_of
from t2r_agents.records import PlanRecords, new_record
from t2r_agents.route_plan import records as route_plan
from t2r_env.core.records import Array, Record, bitset, dtype_of, int64
from t2r_env.sizes import MAX_CITIES, MAX_SEATS, MAX_TICKETS

PARAMETERS = {
    # The cost of a route, in quarters of a train card
    "claim_cost": Parameter(20, 0, 60, "for the turn in which a route is claimed, in quarters of a card"),
    "train_cost": Parameter(1, 0, 16, "for each train that a route takes, in quarters of a card"),
    "card_cost": Parameter(4, 0, 16, "for each card that the hand lacks for a route, in quarters of a card"),
    "locomotive_cost": Parameter(8, 0, 24, "for each locomotive symbol, in quarters of a card"),
    "point_discount": Parameter(0, 0, 12, "taken off a route's cost for each point that it scores"),
    "technology_cost": Parameter(24, 0, 100, "for each locomotive of a technology's price, in quarters of a card"),
    # Tickets
    "cost_per_point": Parameter(8, 2, 40, "the cost that outweighs a point of a ticket, in quarters of a card"),
    "reserve_percent": Parameter(33, 0, 70, "of the initial trains that are left out when tickets are chosen"),
    "route_risk": Parameter(0, 0, 30, "of losing a ticket with each route that it still takes, in percent"),
    "max_planned_tickets": Parameter(12, 0, 12, "tickets planned at a time, not counting completed ones"),
    "min_ticket_gain": Parameter(40, -100, 300, "what drawn tickets must promise to be drawn, in tenths of a point"),
    "max_open_routes": Parameter(3, 0, 12, "it draws tickets when its tickets need so many more routes at most"),
    "min_turns_to_draw_tickets": Parameter(8, 1, 40, "and so many turns at least are left"),
    # The end of the game
    "trains_per_100_turns": Parameter(150, 60, 350, "that the fastest opponent will spend"),
    "slack": Parameter(4, -20, 30, "half turns that a plan may take beyond those left"),
    "endgame_turns": Parameter(5, 0, 20, "with so many turns left it no longer waits with claims"),
    # Routes for points
    "point_value": Parameter(10, 4, 40, "of a point, in quarters of a card"),
    "extension_value": Parameter(8, 0, 80, "of a route for points at its own network, in quarters of a card"),
    "blocking_value": Parameter(0, 0, 80, "of a route that joins two networks of an opponent, in quarters of a card"),
    "race_points": Parameter(
        100, 10, 100, "a route that scores more for each half turn is claimed before all else, in tenths of a point"
    ),
    # Claims
    "max_missing_cards": Parameter(4, 0, 30, "it no longer waits with claims when its plan lacks so few cards"),
    "max_hand": Parameter(30, 0, 45, "nor when it holds more cards"),
    "long_route_length": Parameter(6, 1, 16, "routes of so many spaces are claimed at once"),
    "urgency": Parameter(60, 1, 300, "routes of which losing this is to be feared are claimed at once"),
    "ticket_route_value": Parameter(40, 0, 200, "by which claims for tickets come before those for points"),
    # Cards
    "locomotive_value": Parameter(150, 0, 400, "of a locomotive, in percent of a card that is missing"),
    "near_value": Parameter(60, 0, 200, "added for a colour that lacks one card, in percent of a card; half for two"),
    "spare_value": Parameter(30, 0, 100, "of a card that the plan does not need, in percent of one that it does"),
}
"""What may be tuned."""


class _OwnParameters(Record):
    """What only the planner is tuned by. It comes first, so that no record begins like another's."""

    card_cost: int = int64()
    technology_cost: int = int64()
    cost_per_point: int = int64()
    reserve_percent: int = int64()
    route_risk: int = int64()
    min_ticket_gain: int = int64()
    max_open_routes: int = int64()
    min_turns_to_draw_tickets: int = int64()
    trains_per_100_turns: int = int64()
    slack: int = int64()
    endgame_turns: int = int64()
    point_value: int = int64()
    extension_value: int = int64()
    blocking_value: int = int64()
    race_points: int = int64()
    urgency: int = int64()
    ticket_route_value: int = int64()
    locomotive_value: int = int64()
    near_value: int = int64()
    spare_value: int = int64()


class Parameters(route_plan.Parameters, _OwnParameters):
    """What the planner is tuned by (`PARAMETERS`)."""


class _OwnPlan(Record):
    """What only the planner notes."""

    turns_left: int = int64()  # the seat's turns still to come, this one included, as far as can be told
    half_turns: int = int64()  # that the plan takes: two for each claim, one for each card that is missing
    open_routes: int = int64()  # planned for tickets
    ticket_gain: int = int64()  # of drawing tickets, in tenths of a point; LOWEST if that is out of the question


class Plan(route_plan.Plan, _OwnPlan):
    """The result of planning."""


class _OwnWorkspace(Record):
    """Scratch memory of the planner alone."""

    network: np.uint64 = bitset()  # cities that its routes touch, planned ones included
    networks: Array = bitset(MAX_SEATS)  # cities that each seat's routes touch
    held_component: Array = int64(MAX_CITIES)  # components before planning
    gain: Array = int64(MAX_TICKETS)  # of each unseen ticket, in tenths of a point, the greatest first


class Workspace(route_plan.Workspace, _OwnWorkspace):
    """Scratch memory of planning."""


PARAMETERS_DTYPE, PLAN, WORKSPACE = dtype_of(Parameters), dtype_of(Plan), dtype_of(Workspace)


def new_records(**parameters: int) -> PlanRecords:
    """Records for planning with these parameters, and with the defaults for the others."""
    given = new_record(PARAMETERS_DTYPE, defaults_of(PARAMETERS) | parameters)
    return PlanRecords(given, np.zeros(1, PLAN), np.zeros(1, WORKSPACE))
