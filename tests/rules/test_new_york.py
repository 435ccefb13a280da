"""The rules of New York (NY5). Its taxis are the trains and its taxi cards the locomotives of the common rules.

NY4 is tested with the common rules, the others in `test_set_up`.
"""

from tests.helpers.maps import load_map
from tests.helpers.situations import end, ended, route_name, situation

ATTRACTIONS = {"brooklyn", "central_park", "chelsea", "chinatown", "empire_state_building", "greenwich_village"}
ATTRACTIONS |= {"times_square", "united_nations", "wall_street"}


def test_ny5_a_route_earns_a_point_for_each_of_its_ends_that_is_an_attraction() -> None:
    """NY5: at the end only."""
    for route in load_map("new_york").routes:
        own = route_name(route.a, route.b, route.track)
        table = situation(variant="new_york", routes=[[], [own]], last_turns_left=1)
        before, gained = table.score(1), len({route.a, route.b} & ATTRACTIONS)
        assert end(table).parts("attractions") == [0, gained]
        assert table.scores == [0, before + gained]


def test_ny5_an_attraction_counts_once_for_each_player_who_touches_it() -> None:
    """NY5."""
    own = ["chelsea-midtown_west", "midtown_west-times_square", "empire_state_building-times_square"]
    table = ended(variant="new_york", routes=[own, ["times_square-united_nations"]])
    assert table.parts("attractions") == [3, 2]
