"""The Thermocompressor: a second route may be claimed in a turn (UK12)."""

from t2r_env.core.compiled import inlined
from t2r_env.rules.map_game import technologies
from t2r_env.rules.map_game.records import NO_ROUTE, MapRules, MapState
from t2r_env.variants.variant import effects


@inlined
def follows(state: MapState, rules: MapRules) -> bool:
    """Whether a turn goes on: its first claim is complete, and the card was bought before."""
    is_bought = technologies.was_bought(state, rules.technology_with[effects.THERMOCOMPRESSOR])
    return is_bought and state.claims == 1 and state.route != NO_ROUTE


@inlined
def end_turn(state: MapState, rules: MapRules) -> None:
    """Give the card back to the supply."""
    technologies.give_back(state, state.current, rules.technology_with[effects.THERMOCOMPRESSOR])
    state.claims = 0
