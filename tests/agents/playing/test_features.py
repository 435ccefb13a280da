"""Derived features: what they tell, that they tell nothing hidden, and that every environment gives the same ones."""

import math
import pickle
import re
import tracemalloc
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray

import t2r_env
from t2r_env import Configuration, Games, configure, trajectories
from t2r_env import games as games_module
from t2r_env.agents import decisions_of, find_agent
from t2r_env.core.layout import Segments
from t2r_env.envs.vector import SeatVectorEnvironment
from t2r_env.features import compute_features, feature_names, find_features
from t2r_env.variants import COLOURS, LOCOMOTIVE
from tests.agents.playing.test_greedy import TO_EL_PASO
from tests.games.test_information import GAMES, standing_at, states_of_play
from tests.helpers import card_situations
from tests.helpers.playing import Options, every_variant_once, some_configurations
from tests.helpers.situations import CARDS, Table, count, situation


class LegalActions:
    """Features of nobody's but this test: how many actions are legal, and who acts."""

    version = 1

    def __init__(self, configuration: Configuration) -> None:
        if configuration.num_players > 3:
            raise ValueError("there are too many players")
        self.segments = Segments.of([("legal", (1,), "how many actions are legal"), ("seat", (1,), "the acting seat")])

    def write(self, views: NDArray[Any], masks: NDArray[np.int8], vectors: NDArray[np.uint8]) -> None:
        """Add to what is there."""
        assert len(views) == len(masks) == len(vectors)
        vectors[:, 0] += masks.sum(axis=1, dtype=np.uint8)
        vectors[:, 1] += views["current"].astype(np.uint8)


class Twice(LegalActions):
    def __init__(self, configuration: Configuration) -> None:
        self.segments = Segments.of([("hand", (1,), "a name that the observation has")])


def own_features(games: Games, name: str = "plan") -> NDArray[np.uint8]:
    """What the features of this name of the decisions of games are, computed apart from the games."""
    return compute_features(find_features(name, games.configuration), games.views(), games.masks)


def given(games: Games) -> NDArray[np.uint8]:
    """The part of the observations in which the features lie."""
    return games.observations[:, games.configuration.layout.observation.size :]


# In every environment


@every_variant_once
def test_features_follow_the_observation_and_its_layout_names_their_segments(variant: str, players: int) -> None:
    games, plain = Games(variant, players, batch=20, features="plan", seed=0), Games(variant, players, batch=20, seed=0)
    for number in range(6):
        layout, size = games.layout.observation, plain.layout.observation.size
        assert games.observations.shape == games.final_observations[:, 0].shape == (20, layout.size)
        assert np.array_equal(games.observations[:, :size], plain.observations)
        assert np.array_equal(given(games), own_features(plain))
        assert games.features
        starts = np.cumsum([0, *(segment.size for segment in layout.values())])
        assert [segment.start for segment in layout.values()] == starts[:-1].tolist()
        assert starts[-1] == layout.size == size + games.features.segments.size
        assert all(segment.meaning for segment in layout.values())
        assert games.configuration.layout.observation.shapes == plain.layout.observation.shapes
        for some in (games, plain):
            some.play_random(15, seed=number)


def test_copies_have_them_and_games_to_which_the_states_are_set() -> None:
    games, other = (Games("usa", 3, batch=40, features="plan", seed=seed) for seed in (0, 20))
    games.play_random(40)
    other.set_states(None, games.states.copy())
    for copy in (other, games.clone(), pickle.loads(pickle.dumps(games))):
        assert np.array_equal(copy.observations, games.observations)
        actions = games.masks.argmax(axis=1)
        copy.step(actions)
        assert np.array_equal(given(copy), own_features(copy))


def test_only_the_acting_seat_has_features_and_nobody_after_the_end() -> None:
    """They are computed, too, where observations are not written by themselves."""
    games = Games("new_york", 2, batch=30, autoreset=False, features="plan", seed=0)
    unwritten = Games("new_york", 2, batch=30, features="plan", observe=False, seed=0)
    size = games.configuration.layout.observation.size
    assert given(games).any()
    assert np.array_equal(games.observe(), games.observations)
    assert (unwritten.observations.shape, unwritten.observe().tolist()) == ((30, 0), games.observations.tolist())
    assert not games.observe(None, 1 - games.current)[:, size:].any()
    games.play_random(500)
    assert (games.terminated | games.truncated).all()
    for observations in (games.observations, games.final_observations):
        assert observations[..., :size].any()
        assert not observations[..., size:].any()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("features", ["plan", LegalActions])
def test_each_row_gets_its_own_features_however_few_are_computed_at_once(
    threads: int, features: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games_module, "ROWS_AT_ONCE", 4)
    games = Games("new_york", 2, batch=23, autoreset=False, features=features, threads=threads, seed=0)
    games.featured_seats[5:9] = False
    games.featured_seats[9:14, 1] = False
    has_ended = False
    for number in range(20):
        games.play_random(13, seed=number)
        games.step(games.masks.argmax(axis=1)[::-2], np.arange(23)[::-2])
        running = ~(games.terminated | games.truncated)
        gets = running & games.featured_seats[np.arange(23), games.current]
        has_ended |= bool(gets.any() and not running.all())
        expected = np.zeros_like(given(games))
        assert games.features
        expected[gets] = compute_features(games.features, games.views()[gets], games.masks[gets])
        assert np.array_equal(given(games), expected)
    assert has_ended


def test_a_step_with_features_takes_no_memory_for_all_rows() -> None:
    games = Games("new_york", 2, batch=1000, features="plan", seed=0)
    games.step(games.masks.argmax(axis=1))
    tracemalloc.start()
    games.step(games.masks.argmax(axis=1))
    largest = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert largest < games.states.nbytes / 4


@every_variant_once
def test_the_pettingzoo_environment_gives_them_to_the_acting_agent(variant: str, players: int) -> None:
    env = t2r_env.env(variant, players, features="plan")
    env.reset(seed=3)
    rng = np.random.default_rng(0)
    size = env.configuration.layout.observation.size
    for _ in range(30):
        seen, *_ = env.last()
        assert seen is not None
        assert env.observation_space(env.agent_selection).contains(seen)
        assert np.array_equal(seen["observation"][None, size:], own_features(env.games))
        other = env.possible_agents[env.games.current[0] - 1]
        assert env.observation_space(other).contains(env.observe(other))
        assert not env.observe(other)["observation"][size:].any()
        env.step(rng.choice(np.flatnonzero(seen["action_mask"])))
    assert env.layout.observation.size == env.games.layout.observation.size


def test_the_gymnasium_environments_and_stable_baselines_give_them_to_the_learner() -> None:
    stable_baselines = pytest.importorskip("t2r_env.envs.stable_baselines")
    made: dict[str, Any] = {"opponents": "greedy", "seat": "random", "features": "plan"}
    single = gymnasium.make("t2r_env/new_york-v0", **made)
    vector = SeatVectorEnvironment("new_york", num_envs=3, autoreset_mode="SameStep", **made)
    baselines = stable_baselines.SeatVecEnv("new_york", num_envs=3, seed=5, **made)
    (seen, _), (of_all, _), of_baselines = single.reset(seed=5), vector.reset(seed=5), baselines.reset()
    rng = np.random.default_rng(0)
    for _ in range(60):
        assert single.observation_space.contains(seen)
        assert vector.observation_space.contains(of_all)
        assert baselines.observation_space.shape == of_baselines[0].shape
        size = vector.configuration.layout.observation.size
        assert np.array_equal(of_all["observation"][:, size:], own_features(vector.games.games))
        assert np.array_equal(of_all["observation"], of_baselines)
        assert np.array_equal(of_all["observation"][0], seen["observation"])
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in of_all["action_mask"]])
        seen, _, terminated, truncated, _ = single.step(actions[0])
        of_all, *_ = vector.step(actions)
        of_baselines, *_ = baselines.step(actions)
        if terminated or truncated:
            break
    assert vector.layout.observation == vector.games.games.layout.observation


def test_trajectories_have_them() -> None:
    configuration = configure("new_york", 2)
    segment = find_features("plan", configuration).segments["planner_action"]
    featured = trajectories(configuration, agents="planner", games=2, features="plan")
    for one, other in zip(trajectories(configuration, agents="planner", games=2), featured, strict=True):
        size = one.observations.shape[1]
        assert np.array_equal(one.observations, other.observations[:, :size])
        assert other.observations[:, size:][:, segment.slice].argmax(axis=1).tolist() == one.actions.tolist()


# No hidden information, in every game


@some_configurations
def test_features_tell_the_planners_action_and_nothing_hidden_at_every_kind_of_decision(
    variant: str, players: int, options: Options
) -> None:
    """C20."""
    rows, seeds = np.arange(GAMES), np.zeros(GAMES, np.uint64)
    for games in states_of_play(variant, players, bool(options)):
        others = standing_at(games, games.determinize(None, range(GAMES)))
        for name in feature_names():
            assert np.array_equal(own_features(games, name), own_features(others, name)), name
        told = own_features(games)[:, find_features("plan", games.configuration).segments["planner_action"].slice]
        actions = find_agent("planner").act(decisions_of(games, rows, seeds))
        assert np.array_equal(told, np.eye(told.shape[1], dtype=np.uint8)[actions])


# What they tell


def tell(table: Table, name: str) -> NDArray[np.uint8]:
    """A segment of the features of the decision that a game waits for."""
    segment = find_features("plan", table.games.configuration).segments[name]
    values: NDArray[np.uint8] = own_features(table.games)[0, segment.slice].reshape(segment.shape)
    return values


def of(table: Table, name: str, pair: str) -> int:
    """The number of a route, or of a ticket, in a segment."""
    configuration: Any = table.games.configuration
    listed = configuration.variant.routes if name.startswith("route") else configuration.deck.tickets
    index = [f"{it.a}-{it.b}" for it in listed].index(pair)
    return int(tell(table, name)[index])


@pytest.mark.parametrize(
    ("position", "told", "at_stake"),
    [
        ({"hands": ["1 red"]}, [0, 1, 0, 2, 1], [0, 4, 0]),
        ({"routes": [["denver-santa_fe", "el_paso-santa_fe"]]}, [1, 0, 0, 0, 0], [4, 0, 0]),
        ({"trains": [1]}, [0, 0, 1, 0, 0], [0, 0, 4]),
        ({"holds": [[], ["denver-el_paso"]]}, [0, 0, 0, 0, 0], [0, 0, 0]),  # another seat's
    ],
)
def test_a_ticket_tells_whether_it_is_complete_planned_or_impossible_and_its_shortest_way(
    position: dict[str, Any], told: list[int], at_stake: list[int]
) -> None:
    table = situation(**TO_EL_PASO | position)
    names = ("tickets_complete", "tickets_planned", "tickets_impossible", "ticket_trains", "ticket_cards")
    assert [of(table, name, "denver-el_paso") for name in names] == told
    assert tell(table, "points_at_stake").tolist() == at_stake
    assert (of(table, "routes_planned", "el_paso-santa_fe") == 2) == bool(told[1])
    assert tell(table, "claims_planned")[0] == told[1]


def test_a_route_tells_how_many_cards_it_lacks_and_whether_opponents_are_there() -> None:
    routes = [["denver-santa_fe"], ["duluth-winnipeg"]]
    table = situation(hands=["3 white, 1 locomotive"], routes=routes, tickets="classic")
    # 8 less two of six white cards; four of any colour; nothing where a route is claimed
    readiness = {"calgary-winnipeg": 6, "calgary-seattle": 8, "denver-santa_fe": 0, "duluth-winnipeg": 0}
    assert {route: of(table, "route_readiness", route) for route in readiness} == readiness
    assert [of(table, "route_contested", f"calgary-{city}") for city in ("winnipeg", "seattle")] == [1, 0]


@pytest.mark.parametrize("hand", ["", "1 red, 4 blue", "6 white, 6 green, 3 locomotive"])
def test_the_plan_tells_its_cards_trains_and_turns(hand: str) -> None:
    """How they follow from the planned routes, whatever the planner has planned."""
    face_up = ["red", "blue", LOCOMOTIVE, "white"]
    routes, holds = [["denver-santa_fe"], ["duluth-winnipeg"]], [["denver-el_paso", "new_york-seattle"]]
    shown = ", ".join([*face_up, "-"])
    table = situation(hands=[hand], face_up=shown, routes=routes, holds=holds, tickets="classic")
    variant: Any = table.games.configuration.variant
    planned = tell(table, "routes_planned")
    lengths = np.array([route.length for route in variant.routes])
    claims = [np.count_nonzero(planned == 2), np.count_nonzero(planned)]
    trains = [lengths[planned == 2].sum(), lengths[planned > 0].sum()]
    assert claims[0] >= 5
    assert tell(table, "claims_planned").tolist() == [claims[0], claims[1] - claims[0]]
    assert tell(table, "trains_after_plan").tolist() == [table.trains(0) - number for number in trains]
    assert tell(table, "trains_to_last_round").tolist() == [41 - 2, 43 - 2]
    missing, spare = tell(table, "missing_by_colour"), tell(table, "spare_by_colour")
    assert spare.sum() - missing.astype(int).sum() == count(hand).sum() - trains[1]
    for_tickets, in_all = tell(table, "plan_missing").tolist()
    assert in_all == missing[:-1].sum() - min(spare[-1], missing[:-1].sum())
    assert 0 < for_tickets <= trains[0]
    turns = [claims[0] + math.ceil(for_tickets / 2), claims[1] + math.ceil(in_all / 2)]
    assert tell(table, "turns_for_plan").tolist() == turns
    lacking = dict(zip(CARDS, missing.tolist(), strict=True)) | {LOCOMOTIVE: in_all}
    assert tell(table, "face_up_missing").tolist() == [*(lacking[card] for card in face_up), 0]


@pytest.mark.parametrize(("hand", "added_cards"), [("12 red", 0), ("", 2)])
def test_an_offer_tells_what_each_ticket_adds_to_the_plan(hand: str, added_cards: int) -> None:
    offered = ["denver-el_paso", "new_york-seattle", "boston-miami"]
    table = situation(hands=[hand], ticket_deck=offered, **TO_EL_PASO | {"holds": [["dallas-new_york"]]})
    table.play("draw_tickets")
    assert table.offered(0) == offered
    told = tell(table, "offer")
    assert told[:, 0].tolist() == [4, 22, 12]
    assert told[0].tolist() == [4, 2, 2, added_cards, 1]  # any colour pays for El Paso-Santa Fe
    assert (told[1:, 2] < told[1:, 1]).all()  # the way from Dallas to New York serves them, too
    table.play("keep_ticket")
    assert of(table, "tickets_planned", "denver-el_paso") == 1
    assert tell(table, "offer")[:, 0].tolist() == [22, 12, 0]


def test_the_card_game_tells_what_its_tickets_lack() -> None:
    chosen = configure("card_game", 2)
    number, ticket = next((i, it) for i, it in enumerate(chosen.deck.tickets) if it.cards.get("blue", 0) > 1)
    table = card_situations.situation(hands=["1 blue, 9 locomotive"], holds=[[f"{ticket.a}-{ticket.b}"]])
    assert tell(table, "tickets_planned")[number] == 1
    assert tell(table, "points_at_stake").tolist() == [ticket.points, 0]
    lacks = {colour: cards - (colour == "blue") for colour, cards in ticket.cards.items()}
    assert tell(table, "missing_by_colour").tolist() == [lacks.get(colour, 0) for colour in COLOURS]
    assert tell(table, "spare_by_colour").sum() == 0
    assert tell(table, "ticket_cards").sum() == 0  # locomotives stand in
    assert tell(table, "plan_missing").tolist() == [sum(lacks.values())]  # but they are not on track


# Finding them


@pytest.mark.parametrize("features", [LegalActions, f"{__name__}:LegalActions"])
def test_features_of_ones_own_need_nothing_of_the_library(features: Any) -> None:
    games = Games("usa", 2, batch=5, features=features, seed=0)
    games.play_random(20)
    assert games.observations[:, -2].tolist() == games.masks.sum(axis=1).tolist()
    assert games.observations[:, -1].tolist() == games.current.tolist()
    assert games.layout.observation["seat"].start == games.layout.observation.size - 1


@pytest.mark.parametrize(
    ("features", "error", "message"),
    [
        ("plans", ValueError, "there are no features 'plans' (did you mean 'plan'?); allowed are plan"),
        ("no_such_module:Plan", ValueError, "the features 'no_such_module:Plan' can't be imported"),
        (f"{__name__}:Missing", ValueError, "can't be found"),
        (7, TypeError, "features must be a name, or make features of a configuration, and 7 does not"),
        (str, TypeError, "must have segments, a version and a method write"),
        (Twice, ValueError, "segments must have names of their own, not hand"),
        (LegalActions, ValueError, "can't be made for new_york, 4 players: there are too many players"),
    ],
)
def test_what_are_no_features_is_refused(features: Any, error: type[Exception], message: str) -> None:
    for make in (Games, t2r_env.env, partial(trajectories, games=1)):
        with pytest.raises(error, match=re.escape(message)):
            make("new_york", 4, features=features)
