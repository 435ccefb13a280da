"""Tourist attractions: cities that are worth points to everybody whose lanes touch them (NY5)."""

from t2r_env.rules import bits
from t2r_env.rules.compiled import compiled, lowest_bit
from t2r_env.rules.map_game import network
from t2r_env.rules.records import Record


@compiled
def touched(state: Record, rules: Record, side: int) -> int:
    """How many attractions a side's lanes touch, each counted once."""
    number = 0
    low, high = network.lanes_of(state, rules, side, 0), network.lanes_of(state, rules, side, 1)
    cities = rules.attractions
    while cities != bits.NONE:
        city = lowest_bit(cities)
        cities = bits.without_lowest(cities)
        if (rules.touching[city, 0] & low) | (rules.touching[city, 1] & high) != bits.NONE:
            number += 1
    return number
