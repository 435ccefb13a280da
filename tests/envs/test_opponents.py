"""Opponents, in batches of games in each of which one seat is played from outside."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from t2r_env import Games, IllegalActionError, OpponentPool, configure
from t2r_env.agents import Decisions, RandomAgent
from t2r_env.envs.opponents import InstancePerSeat
from t2r_env.envs.seat_games import LEARNER, SeatGames
from tests.helpers.fixtures import Patch
from tests.helpers.odd_agents import COUNTING, Counting, First, Last, path_of
from tests.helpers.playing import each_kind_once

FIRST = "tests.helpers.odd_agents:First"


class Noting(First):
    """Records the seats that it acts for, and its seeds."""

    def __init__(self) -> None:
        self.seats: set[int] = set()
        self.seeds: list[int] = []

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        self.seats.update(decisions.views["current"].tolist())
        self.seeds.extend(decisions.seeds.tolist())
        return super().act(decisions)


def words(number: int, seats: int = 1) -> NDArray[np.uint64]:
    return np.random.default_rng(0).integers(2**64, size=(number, seats), dtype=np.uint64)


def step(games: SeatGames, number: int = 1) -> None:
    """Choose by the observations alone, so that equal games continue equally in any row."""
    for _ in range(number):
        masks = games.masks()
        rng = np.random.default_rng(7).random(masks.shape[1])
        games.step((masks * rng).argmax(axis=1))


def started(batch: int = 1, players: int = 2, **arguments: Any) -> SeatGames:
    games = SeatGames("usa", players, batch, **arguments)
    games.reset(seeds=range(batch))
    return games


def test_some_games_may_be_reset_by_their_numbers_and_rows_that_are_not_there_change_nothing() -> None:
    games = started(3, opponents=First, seat="random")
    games.reset([2, 0], [7, 8])
    assert games.games.seeds.tolist()[::2] == [8, 7]
    games.reset(1, 9)
    before = games.games.states.copy()
    wrong: Any
    for wrong in (3, [-1], [0.5], "all", [1, 1]):
        seats = games.seating.copy()
        with pytest.raises(ValueError, match=r"rows must be (integers from 0 to 2|different from each other), not"):
            games.reset(wrong, [5, 6])
        assert np.array_equal(games.seating, seats)
    assert np.array_equal(games.games.states, before)


@pytest.mark.parametrize(
    "opponents", [FIRST, First, First(), First().act, [FIRST], (First().act,), OpponentPool([First])]
)
def test_opponents_may_be_named_in_many_ways(opponents: Any) -> None:
    games, other = started(3, opponents=opponents), started(3, opponents=First)
    step(games, 20)
    step(other, 20)
    assert games.games.states.tobytes() == other.games.states.tobytes()


def test_a_list_sits_after_the_learner_in_turn_order_and_one_opponent_plays_all_other_seats() -> None:
    agents = [Noting() for _ in range(3)]
    games = started(2, players=4, seat=2, opponents=agents)
    step(games, 20)
    assert [agent.seats for agent in agents] == [{3}, {0}, {1}]
    assert games.seating.tolist() == [[1, 2, LEARNER, 0]] * 2
    agent = Noting()
    step(started(2, players=4, seat=1, opponents=agent), 20)
    assert agent.seats == {0, 2, 3}


@pytest.mark.parametrize("drawn", [[[0.0], [0.0]], [[0], [1]], [[0], [-1]], [0, 0]])
def test_what_opponents_of_ones_own_draw_is_checked_and_changes_nothing(drawn: Any, monkeypatch: Patch) -> None:
    opponents = OpponentPool([First])
    games = started(2, opponents=opponents)
    before, seats = games.games.states.copy(), games.seats.copy()
    monkeypatch.setattr(opponents, "draw", lambda *_: np.array(drawn))
    with pytest.raises(ValueError, match=r"draw must return integers \(2, 1\) from 0 to 0, not array"):
        games.reset(seeds=[5, 6])
    assert np.array_equal(games.games.states, before)
    assert np.array_equal(games.seats, seats)
    with pytest.raises(ValueError, match="seat must be an integer from 0 to 1, or 'random'"):
        started(seat=np.array([0, 1]))


def test_an_opponent_made_for_other_games_is_refused() -> None:
    class ForThree(First):
        def check(self, configuration: Any) -> None:
            if configuration.num_players != 3:
                raise ValueError("made for 3 players")

    started(players=3, opponents=ForThree)
    with pytest.raises(ValueError, match="made for 3 players"):
        started(players=2, opponents=ForThree)


def test_a_pool_draws_by_weight() -> None:
    pool = OpponentPool([First, Last, "random"], weights=[1, 0, 3])
    drawn = Counter(pool.draw(words(1000, 4)).ravel().tolist())
    assert sorted(drawn) == [0, 2]
    assert 900 < drawn[0] < 1100
    pool.weights = np.full(3, 1.7e308)
    assert set(pool.draw(words(30)).ravel().tolist()) == {0, 1, 2}


@pytest.mark.parametrize("weights", [[1, 0, 0], [0, 1, 0], [0, 0, 5e-324], [0, 1.7e308, 0]])
def test_the_only_opponent_with_a_weight_is_drawn_by_every_word(weights: list[float]) -> None:
    pool = OpponentPool([First, Last, "random"], weights)
    extremes = np.array([[0, 1, 2**63, 2**64 - 1]], np.uint64)
    assert pool.draw(extremes).tolist() == [[int(np.argmax(weights))] * 4]


def test_every_seat_of_every_game_gets_one_and_keeps_it_for_the_game() -> None:
    """A random seat of the learner's is each seat equally often."""
    games = started(1000, players=3, opponents=OpponentPool([First, "random"]), seat="random")
    seating, seats = games.seating.copy(), games.seats.copy()
    assert np.array_equal(seats, (seating == LEARNER).argmax(axis=1))
    assert (abs(np.bincount(seats, minlength=3) - 1000 / 3) < 80).all()
    assert (games.games.current == seats).all()
    pairs = Counter(tuple(row[row != LEARNER].tolist()) for row in seating)
    assert sorted(pairs) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert all(180 < times < 320 for times in pairs.values())
    step(games, 5)
    assert np.array_equal(games.seating, seating)
    assert np.array_equal(games.seats, seats)


def test_weights_set_in_between_count_for_the_games_that_begin_afterwards() -> None:
    pool = OpponentPool({"first": First, "last": Last}, weights=[1, 0])
    games = started(4, opponents=pool, seat=1)
    pool.weights = [0, 1]
    games.reset(np.array([0, 2]))
    assert games.seating[:, 0].tolist() == [1, 0, 1, 0]
    pool.add("random", "random", 5)
    assert pool.names == ["first", "last", "random"]
    assert pool.weights.tolist() == [0, 1, 5]
    seated = set()
    for _ in range(5):
        games.reset()
        seated |= {*games.seating[:, 0].tolist()}
    assert seated == {1, 2}


@pytest.mark.parametrize(
    "weights",
    [[1], [1, 2, 3], [-1, 2], [0, 0], [1, float("nan")], [1, float("inf")], [[1, 2]], 1, {"first": 1}, ["a", 1]],
)
def test_weights_that_are_not_allowed_change_nothing(weights: Any) -> None:
    pool = OpponentPool([First, Last], weights=[1, 2])
    message = "weights must be 2 numbers of at least 0, one for each opponent and not all 0"
    with pytest.raises(ValueError, match=message):
        pool.weights = weights
    with pytest.raises(ValueError, match=message):
        OpponentPool([First, Last], weights)
    with pytest.raises(ValueError, match="read-only"):
        pool.weights[0] = -1
    assert pool.weights.tolist() == [1, 2]


def test_names_may_repeat_and_an_opponent_that_cannot_be_added_leaves_the_pool_as_it_was() -> None:
    pool = OpponentPool(["random"])
    with pytest.raises(ValueError, match="weights must be 2 numbers"):
        pool.add("worse", First, -1)
    with pytest.raises(ValueError, match="there is no agent 'nobody'"):
        pool.add("nobody", "nobody")
    assert (pool.names, len(pool.agents), pool.weights.tolist()) == (["random"], 1, [1])
    pool = OpponentPool(["random", FIRST, "random", Last])
    assert pool.names == ["random", FIRST, "random", "3"]
    made = [it.make() if isinstance(it, InstancePerSeat) else it for it in pool.agents]
    assert [type(agent) for agent in made] == [RandomAgent, First, RandomAgent, Last]


@pytest.mark.parametrize("opponents", ["random", 3, None, First, [], {}])
def test_a_pool_is_made_of_a_list_or_a_mapping_that_is_not_empty(opponents: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=r"must be (a list or a mapping by name, not|one or more)"):
        OpponentPool(opponents)


@each_kind_once
@pytest.mark.parametrize(
    "opponents", ["random", OpponentPool(["random", First, Last]), Counting, [path_of(Counting)] * 3, COUNTING]
)
def test_a_game_follows_from_its_seed_alone(variant: str, players: int, opponents: Any) -> None:
    """Not on its row, the games beside it, the number of threads, or what an opponent keeps of others."""
    chosen = configure(variant, players)
    opponents = opponents[: players - 1] if isinstance(opponents, list) else opponents
    seeds = [5, 900, 2**64 - 1, 0, 17]
    games = SeatGames(chosen, batch=5, opponents=opponents, seat="random", threads=2)
    games.reset(seeds=seeds)
    step(games, 25)
    for row, seed in enumerate(seeds):
        alone = SeatGames(chosen, opponents=opponents, seat="random")
        alone.reset(seeds=[77])
        step(alone, 3)
        alone.reset(seeds=[seed])
        step(alone, 25)
        assert alone.games.states[0] == games.games.states[row]
        np.testing.assert_array_equal(alone.observe()[0], games.observe()[row])


def test_an_opponents_chance_is_new_for_every_decision_and_the_same_for_every_seed() -> None:
    agent = Noting()
    games = started(20, players=4, opponents=agent)
    step(games, 10)
    noted = len(agent.seeds)
    assert len(set(agent.seeds)) == noted > 100
    games.reset(seeds=range(20))
    step(games, 10)
    assert agent.seeds[:noted] == agent.seeds[noted:]


def outcomes(games: Games, seat: int) -> dict[bytes, float]:
    """The probability of each state in which another seat acts, if this one chooses each legal action equally often."""
    state, legal = games.states.copy(), np.flatnonzero(games.masks[0])
    likelihoods: dict[bytes, float] = {}
    for action in legal:
        games.set_states(None, state)
        games.step([action])
        is_asked = games.current[0] == seat
        for reached, likelihood in (outcomes(games, seat) if is_asked else {games.states.tobytes(): 1.0}).items():
            likelihoods[reached] = likelihoods.get(reached, 0) + likelihood / len(legal)
    return likelihoods


@pytest.mark.parametrize("variant", ["usa", "united_kingdom", "team_asia", "card_game"])
def test_random_seats_choose_each_legal_action_equally_often(variant: str) -> None:
    """A whole turn of such a seat ends in each state as often as the tree of all its actions predicts."""
    source, number = Games(variant, seed=4, observe=False, autoreset=False), 5_000
    while source.states["turn"][0] < 5 or source.current[0] != 1:
        before, action = source.states.copy(), int(np.flatnonzero(source.masks[0])[-1])
        source.step([action])
    games = Games(source.configuration, batch=number, observe=False, seed=0)
    games.set_states(None, np.repeat(before, number))
    games.random_seats[:, 1] = True
    games.step(np.full(number, action))
    likelihoods = outcomes(source, 1)
    times = Counter(state.tobytes() for state in games.states)
    assert times.keys() <= likelihoods.keys()
    assert len(likelihoods) > 5
    likely = {reached: number * part for reached, part in likelihoods.items() if number * part > 5}
    squares = sum((times[reached] - expected) ** 2 / expected for reached, expected in likely.items())
    assert sum(likely.values()) > 0.9 * number
    assert squares < len(likely) + 4 * (2 * len(likely)) ** 0.5


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (None, r"must return integers of shape \(\d,\), not object"),
        (True, "not bool"),
        (-1, r"returned -1, which is not legal; legal actions: \d"),
        (np.uint64(2**64 - 1), "returned 18446744073709551615, which is not legal; legal"),
    ],
)
def test_after_an_opponents_illegal_action_its_games_can_only_be_reset(
    answer: Any, message: str, monkeypatch: Patch
) -> None:
    """Otherwise the learner would act at its opponent's decision."""
    failing = First()
    games = started(3, players=3, opponents=[First, failing], seat=1)
    step(games, 5)
    monkeypatch.setattr(failing, "act", lambda decisions: np.full(len(decisions), answer))
    with pytest.raises(IllegalActionError, match=message):
        step(games, 100)
    assert not games.over.any()
    before = games.games.states.copy()
    waiting = np.flatnonzero(games.games.current != 1)
    with pytest.raises(ResetNeeded, match=rf"reset the games \[{waiting[0]}.*: an opponent has failed to act"):
        step(games)
    assert np.array_equal(games.games.states, before)
    monkeypatch.undo()
    games.reset(waiting)
    step(games)
