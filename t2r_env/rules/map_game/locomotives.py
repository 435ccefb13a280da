"""The routes that locomotives can be paid for: on some maps not all (NO5, SW5)."""

from t2r_env.core import bits
from t2r_env.core.compiled import inlined
from t2r_env.rules.map_game.records import NO_ROUTE, MapRules, MapState


@inlined
def pay_for_route(rules: MapRules, route: int) -> bool:
    """Whether locomotives can be paid for a route."""
    return rules.limits_locomotives == 0 or bits.contains(rules.takes_locomotives, route)


@inlined
def pay_now(state: MapState, rules: MapRules) -> bool:
    """Whether locomotives can be paid for what the acting seat pays for."""
    return rules.limits_locomotives == 0 or state.route == NO_ROUTE or pay_for_route(rules, state.route)
