"""Tourist attractions: cities that are worth points to everybody whose routes touch them (NY5)."""

from t2r_env.core import bits
from t2r_env.core.compiled import compiled
from t2r_env.rules.map_game.records import MapRules, MapState
from t2r_env.rules.map_game.routes import routes_of
from t2r_env.rules.names import parts
from t2r_env.rules.ranking import add_points


@compiled
def score(state: MapState, rules: MapRules) -> None:
    """Score each attraction that a team's routes touch, once."""
    for team in range(rules.num_teams):
        low, high = routes_of(state, rules, team, 0), routes_of(state, rules, team, 1)
        for city in bits.ones(rules.attractions):
            if (rules.touching[city, 0] & low) | (rules.touching[city, 1] & high) != bits.NONE:
                add_points(state, team, parts.ATTRACTIONS, rules.bonus[parts.ATTRACTIONS])
