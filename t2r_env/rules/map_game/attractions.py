"""Tourist attractions: cities that are worth points to everybody whose routes touch them (NY5)."""

from t2r_env.core import bits
from t2r_env.core.compiled import compiled, lowest_bit
from t2r_env.rules.map_game.records import MapRules, MapState
from t2r_env.rules.map_game.routes import routes_of
from t2r_env.rules.names import parts
from t2r_env.rules.ranking import add_points


@compiled
def score(state: MapState, rules: MapRules) -> None:
    """Score each attraction that a team's routes touch."""
    for team in range(rules.num_teams):
        add_points(state, team, parts.ATTRACTIONS, rules.bonus[parts.ATTRACTIONS] * _touched(state, rules, team))


@compiled
def _touched(state: MapState, rules: MapRules, team: int) -> int:
    """Return how many attractions a team's routes touch, each counted once."""
    number = 0
    low, high = routes_of(state, rules, team, 0), routes_of(state, rules, team, 1)
    cities = rules.attractions
    while cities != bits.NONE:
        city = lowest_bit(cities)
        cities = bits.without_lowest(cities)
        if (rules.touching[city, 0] & low) | (rules.touching[city, 1] & high) != bits.NONE:
            number += 1
    return number
