"""Tickets to several countries, with a value for each: the best one joined counts (SW8)."""

from t2r_env.core import bits
from t2r_env.core.compiled import compiled
from t2r_env.rules.map_game import routes
from t2r_env.rules.map_game.records import MapRules, MapState


@compiled
def best_value(state: MapState, rules: MapRules, team: int, ticket: int) -> int:
    """Return the points of such a ticket for a team: those of the best country joined, 0 if none is."""
    labels = routes.labels(state, team, rules.ticket_a[ticket])
    for index in range(rules.num_destinations[ticket]):
        if labels & routes.labels(state, team, rules.destination[ticket, index]) != bits.NONE:
            return rules.destination_points[ticket, index]
    return 0
