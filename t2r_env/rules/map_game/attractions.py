"""Tourist attractions: cities that are worth points to everybody whose routes touch them (NY5)."""

from t2r_env.rules import bits
from t2r_env.rules.compiled import compiled, lowest_bit
from t2r_env.rules.map_game import network
from t2r_env.rules.records import Record


@compiled
def touched(state: Record, rules: Record, team: int) -> int:
    """How many attractions a side's routes touch, each counted once."""
    number = 0
    low, high = network.routes_of(state, rules, team, 0), network.routes_of(state, rules, team, 1)
    cities = rules.attractions
    while cities != bits.NONE:
        city = lowest_bit(cities)
        cities = bits.without_lowest(cities)
        if (rules.touching[city, 0] & low) | (rules.touching[city, 1] & high) != bits.NONE:
            number += 1
    return number
