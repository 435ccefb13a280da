"""Beliefs about what others hold: deals by belief, in which all that the seat knows stays true (C20), and signs."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse.csgraph import shortest_path

from t2r_agents.playing.beliefs import Belief, BeliefNetwork, Beliefs, find_beliefs, signs
from t2r_agents.playing.beliefs.signs import FAR, SIGNS
from t2r_agents.playing.ismcts import policy_search
from t2r_agents.playing.ismcts.policy_search import PolicySearch
from t2r_env import Configuration, Games, configure
from t2r_env.agents import Decisions
from t2r_env.core.bits import members
from t2r_env.variants import MapVariant
from tests.helpers.acting import decisions_in
from tests.helpers.simulated_player import policy_for, with_rollout

DEALS = 2000


def reached(configuration: Configuration, decisions: int = 40) -> Decisions:
    games = Games(configuration, batch=3, seed=1)
    games.play_random(decisions)
    return decisions_in(games)


def shipped(variant: str, **options: Any) -> Beliefs:
    beliefs = find_beliefs(configure(variant, 2, **options))
    assert beliefs is not None
    return beliefs


@pytest.mark.parametrize(("variant", "options"), [("usa", {"tickets": "classic"}), ("europe", {})])
def test_what_is_dealt_by_belief_agrees_with_what_the_seat_knows(variant: str, options: dict[str, Any]) -> None:
    """C20, LA2: hands have as many tickets as before, each ticket is once in the game, and long ones stay long."""
    beliefs = shipped(variant, **options)
    decisions = reached(beliefs.configuration)
    seeds = np.arange(3 * 20).reshape(3, 20)
    evenly, believed = decisions.determinize(seeds), beliefs.determinize(decisions, seeds)
    assert believed.shape == (3, 20)
    assert np.array_equal(believed, beliefs.determinize(decisions, seeds))
    games = Games(beliefs.configuration, batch=60, seed=0)
    games.set_states(None, believed.ravel())
    assert games.views(np.arange(60)).tobytes() == decisions.views.repeat(20).tobytes()
    regular = int(beliefs.configuration.rules[0]["num_regular"])
    for before, after in zip(evenly.ravel(), believed.ravel(), strict=True):
        other = 1 - int(after["current"])
        held = [[*members(state["tickets"][other])] for state in (before, after)]
        long_before, long_after = (sum(it >= regular for it in tickets) for tickets in held)
        assert long_before == long_after
        there = _places(after)
        assert len(there) == len(set(there)) == len(_places(before))


def _places(state: Any) -> list[int]:
    """All tickets that lie somewhere, each as often as it does."""
    places: list[int] = state["ticket_queue"][state["ticket_queue"] >= 0].tolist()
    for seat in range(2):
        places += [*members(state["tickets"][seat]), *state["offered"][seat, : state["offered_count"][seat]].tolist()]
    return places


def test_tickets_are_dealt_as_often_as_they_are_believed_to_be_held() -> None:
    beliefs = shipped("usa", tickets="classic")
    decisions = reached(beliefs.configuration)
    (told,) = beliefs.of(decisions.take(slice(0, 1))).tickets[:, 0]
    other = 1 - int(decisions.views["current"][0])
    states = beliefs.determinize(decisions.take(slice(0, 1)), np.arange(DEALS)[None])[0]
    held = [number for words in states["tickets"][:, other] for number in members(words)]
    dealt = np.bincount(held, minlength=len(told)) / DEALS
    assert dealt.sum() == pytest.approx(told.sum())
    assert dealt == pytest.approx(told, abs=0.04)


def test_what_is_believed_of_others_is_told_by_the_seats_numbers() -> None:
    chances = np.array([[[0.5, 0.2, 0.0], [0.75, 0.0, 0.0]]])
    told = Belief(chances, np.zeros((1, 2, 9))).by_seat(np.array([2]))
    assert told.tickets[0, :2] == pytest.approx(chances[0])
    assert np.isnan(told.tickets[0, 2]).all()
    assert told.cards.shape == (1, 3, 9)


def test_without_a_network_there_are_no_beliefs_and_in_team_games_tickets_are_not_dealt_by_them() -> None:
    """TA2: they may lie on racks."""
    assert find_beliefs(configure("india", 2)) is None
    configuration = configure("team_asia", 4)
    layout = configuration.layout
    outputs = 3 * (layout.global_state["tickets"].shape[1] + layout.global_state["hand"].shape[1])
    layer = np.zeros((layout.observation.size, outputs), np.float32), np.zeros(outputs, np.float32)
    beliefs = Beliefs(configuration, BeliefNetwork(configuration.identity, layout.observation, (layer,)))
    with pytest.raises(ValueError, match="tickets are not dealt by belief in team games"):
        beliefs.determinize(reached(configuration), np.arange(3))


def test_the_search_with_a_policy_deals_by_belief_where_there_is_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    configuration = configure("new_york", 2)
    decisions, policy = reached(configuration), with_rollout(policy_for(configuration))
    by_belief = PolicySearch(policy).search(decisions, 32)
    monkeypatch.setattr(policy_search, "find_beliefs", lambda configuration: None)
    evenly = PolicySearch(policy).search(decisions, 32)
    assert not np.array_equal(by_belief.logits, evenly.logits)


# Signs, compared with SciPy's shortest paths


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
