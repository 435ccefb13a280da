"""What all can see that tells of the tickets that others hold, compared with SciPy's shortest paths."""

import numpy as np
import pytest
from scipy.sparse.csgraph import shortest_path

from t2r_agents.playing.beliefs import signs
from t2r_agents.playing.beliefs.signs import FAR, SIGNS
from t2r_env import Configuration, Games, configure
from t2r_env.core.bits import members
from t2r_env.variants import MapVariant

NEARLY_NOTHING = 1e-6
"""The cost of a space that costs nothing: SciPy takes 0 for no route."""


def least(variant: MapVariant, cost: dict[int, float], a: str, ends: list[str]) -> int:
    """The least sum of costs over routes, by their numbers, from one of the cities that meet `a` to one of `ends`."""
    cities = [city.id for city in variant.cities]
    costs = np.zeros((len(cities), len(cities)))
    for number, spaces in sorted(cost.items(), key=lambda it: -it[1]):  # of two parallel routes the cheaper one
        route = variant.routes[number]
        pair = cities.index(route.a), cities.index(route.b)
        costs[pair] = costs[pair[::-1]] = spaces
    between = shortest_path(costs, directed=False)
    found = between[np.ix_(cities_of(variant, [a]), cities_of(variant, ends))].min()
    return FAR if np.isinf(found) else min(round(found), FAR)


def cities_of(variant: MapVariant, ends: list[str]) -> list[int]:
    return [index for index, city in enumerate(variant.cities) if {city.id, city.region} & {*ends}]


def expected(configuration: Configuration, games: Games, row: int, seat: int, ticket: int) -> list[int]:
    """The signs of a seat and a ticket, but for the rank."""
    variant, state = configuration.variant, games.states[row]
    assert isinstance(variant, MapVariant)
    team = configuration.rules[0].team
    own = set().union(*(members(state["claimed"][it]) for it in range(games.num_players) if team[it] == team[seat]))
    open_to_it = {*members(state["open"][seat])} - own
    deck = configuration.deck.tickets
    (a, ends) = deck[ticket].a, [end for end, _ in deck[ticket].destinations]
    length = {number: float(route.length) for number, route in enumerate(variant.routes)}
    is_open, is_own = ({it: length[it] for it in chosen} for chosen in (open_to_it, own))
    free = dict.fromkeys(own, NEARLY_NOTHING)
    pairs, cities = [{variant.routes[it].a, variant.routes[it].b} for it in own], [it.id for it in variant.cities]
    at = [max(sum(cities[city] in pair for pair in pairs) for city in cities_of(variant, end)) for end in ([a], ends)]
    costs = is_open | free, is_open | is_own, is_own
    of_seat = (state["trains"][seat], state["ticket_count"][seat], state["hand_count"][seat])
    return [*(least(variant, it, a, ends) for it in costs), *(min(it, 3) for it in at), *map(int, of_seat)]


@pytest.mark.parametrize(("variant", "players"), [("new_york", 2), ("switzerland", 3), ("team_asia", 4), ("europe", 2)])
def test_signs_tell_how_far_the_others_are_from_tickets_and_what_they_have(variant: str, players: int) -> None:
    """Countries are met by any of their cities (SW8); a team's routes are one network (TA7)."""
    configuration = configure(variant, players)
    games = Games(configuration, batch=3, seed=1, autoreset=False)
    games.play_random(70 * players)
    seats = np.array([1, 0, 1])
    found = signs(configuration, games.states, seats)
    assert found.shape[1:] == (players - 1, configuration.rules[0].num_tickets, len(SIGNS))
    for row, distance in np.ndindex(3, players - 1):
        seat = int(seats[row] + 1 + distance) % players
        without_rank = np.delete(found[row, distance], SIGNS.index("rank"), axis=-1)
        for ticket in range(0, without_rank.shape[0], 3):
            assert without_rank[ticket].tolist() == expected(configuration, games, row, seat, ticket)
        lacking = found[row, distance, :, SIGNS.index("lacking")].astype(int)
        assert found[row, distance, :, SIGNS.index("rank")].tolist() == [(lacking < it).sum() for it in lacking]
    assert len(np.unique(found[..., 0])) > 5
    assert (found[..., 2] < FAR).any()  # somebody joins a ticket's ends


def test_signs_are_public_and_the_card_game_has_none() -> None:
    """C20, CG1: views of a seat have all of them."""
    configuration = configure("usa", 2)
    games = Games(configuration, batch=4, seed=2, autoreset=False)
    games.play_random(90)
    seats = games.current.astype(np.int64)
    by_state, by_view = (signs(configuration, it, seats) for it in (games.states, games.views(np.arange(4))))
    assert np.array_equal(by_state, by_view)
    cards = configure("card_game", 3)
    states = Games(cards, batch=2, seed=0).states
    assert signs(cards, states, np.zeros(2, np.int64)).shape == (2, 2, cards.rules[0].num_tickets, 0)
