"""Agents: what they see, how they are found, and the errors for names of no agent."""

import functools
import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from t2r_env import Games, configure
from t2r_env.agents import Decisions, Opinion, RandomAgent, act, choose_actions, decisions_of, find_agent, opinions
from t2r_env.games import IllegalActionError
from tests.helpers.odd_agents import COUNTING, First, RememberingVariously, Told, fill, path_of
from tests.helpers.playing import Options, fewest_and_most
from tests.helpers.situations import differing_fields


class Thinker(RandomAgent):
    """Has opinions that a test sets."""

    def __init__(self, **wrong: Any) -> None:
        self.wrong = wrong

    def opinions(self, decisions: Decisions) -> list[Opinion]:
        return [Opinion(**vars(opinion) | self.wrong) for opinion in super().opinions(decisions)]


def seeds(number: int) -> NDArray[np.uint64]:
    return np.random.default_rng(0).integers(2**64, size=number, dtype=np.uint64)


def some_decisions(batch: int = 4, played: int = 30) -> Decisions:
    """Decisions of games of the USA with two players."""
    games = Games("usa", batch=batch, seed=2)
    games.play_random(played)
    return decisions_of(games, np.arange(batch), seeds(batch))


PARTS = ("views", "masks", "observations", "seeds")


@fewest_and_most
def test_an_agent_sees_what_the_acting_seat_may_know_and_determinizes_and_plays_on_as_the_games_do(
    variant: str, players: int, options: Options
) -> None:
    """C20. Observations are there also of games that write none."""
    games, unwritten = (Games(variant, players, batch=5, seed=0, observe=it, **options) for it in (True, False))
    for it in (games, unwritten):
        it.play_random(40)
    rows = np.array([3, 1])
    decisions = decisions_of(games, rows, seeds(2))
    assert len(decisions) == 2
    assert decisions.views.tobytes() == games.views(rows).tobytes()
    assert np.array_equal(decisions.masks, games.masks[rows])
    assert decisions.observations.any()
    for seen in (decisions, decisions_of(unwritten, rows, seeds(2))):
        assert np.array_equal(seen.observations, games.observations[rows])
    assert decisions.configuration is games.configuration
    states = decisions.determinize([7, 8])
    assert not differing_fields(states, games.determinize(rows, [7, 8]))
    tried = Games(games.configuration, batch=2, autoreset=False)
    tried.set_states(None, states)
    assert tried.views().tobytes() == decisions.views.tobytes()
    assert np.array_equal(tried.masks, decisions.masks)


@pytest.mark.parametrize("variant", ["usa", "card_game"])
def test_the_random_agent_chooses_each_legal_action_equally_often(variant: str) -> None:
    games = Games(variant, batch=1, seed=3)
    games.play_random(30)
    legal = np.flatnonzero(games.masks[0])
    number = 400 * len(legal)
    many = decisions_of(games, np.zeros(number, np.int64), seeds(number))
    given = Counter(RandomAgent().act(many).tolist())
    assert sorted(given) == legal.tolist()
    assert all(300 < times < 500 for times in given.values())


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nobody", "there is no agent 'nobody'; allowed are random, any_board, .*, and import paths, module:Name"),
        ("no_such_module:Agent", "the agent 'no_such_module:Agent' can't be imported: No module named"),
        ("Planner", r"there is no agent 'Planner' \(did you mean 'planner'\?\); allowed are random"),
        ("long routes", r"there is no agent 'long routes' \(did you mean 'long_routes'\?\); allowed are"),
        (f"{__name__}:Nobody", "can't be found: module 'tests.decisions.test_agents' has no attribute 'Nobody'"),
        ("nobody:3", "the agent 'nobody:3' can't be imported: No module named"),
        ("random:3", r"the agent 'random:3' \(t2r_env.agents:RandomAgent\) takes no argument"),
        (path_of(First, 3), f"the agent '{path_of(First)}:3' \\({path_of(First)}\\) takes no argument"),
        (f"{COUNTING}:3", "takes no argument: it is not a class"),
        (path_of(Told), f"the agent '{path_of(Told)}' needs an argument: write it after a colon"),
        (path_of(RememberingVariously, "/nowhere"), "can't be created: .*No such file or directory"),
    ],
)
def test_the_name_of_no_agent_is_refused(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        find_agent(name)


@pytest.mark.parametrize("word", ["200", "", "a:b", "folder/file.pt"])
def test_text_after_the_name_is_the_agents_argument(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is always a string."""
    monkeypatch.setattr("t2r_env.agents.agent_names", lambda: {"told": path_of(Told)})
    for name in ("told", path_of(Told)):
        agent = find_agent(f"{name}:{word}")
        assert isinstance(agent, Told)
        assert agent.word == word


@pytest.mark.parametrize("error", [RuntimeError("broken"), TypeError("odd"), SystemExit(3)])
def test_an_agent_that_fails_to_say_what_it_plays_is_told_in_one_error(error: BaseException) -> None:
    class Odd(RandomAgent):
        def check(self, configuration: Any) -> None:
            raise error

    with pytest.raises(ValueError, match=r"the agent .*Odd.* can't say whether it plays this game: .*"):
        find_agent(Odd, configure("usa"))


def test_decisions_can_be_split_and_those_of_some_rows_have_arrays_of_their_own() -> None:
    decisions = some_decisions(6)
    alone, taken = list(decisions.split()), decisions.take(np.array([4, 1]))
    assert [len(decision) for decision in alone] == [1] * 6
    for name in PARTS:
        array, own = getattr(decisions, name), getattr(taken, name)
        assert np.array_equal(np.concatenate([getattr(decision, name) for decision in alone]), array)
        assert np.array_equal(own, array[[4, 1]])
        assert not np.shares_memory(own, array)


def test_a_decision_may_be_determinized_many_times_at_once() -> None:
    decisions = some_decisions(3, 40)
    many = decisions.determinize([[1, 2], [3, 4], [2**64 - 1, 5]])
    assert many.shape == (3, 2)
    assert np.array_equal(many[:, 1], decisions.determinize([2, 4, 5]))
    assert not np.array_equal(many[0, 0], many[0, 1])
    assert decisions.take(np.zeros(0, np.int64)).determinize(np.zeros((0, 4), np.uint64)).shape == (0, 4)


def test_decisions_need_seeds_that_fit_and_games_that_have_not_ended() -> None:
    decisions = some_decisions(3)
    shape, number = r"seeds must be of shape \(3,\) or \(3, n\), not ", "a seed must be an integer from 0 to"
    wrong: list[Any] = [[1, 2], 1, [1, 2, -1], [1, 2, 0.5]]
    for given, message in zip(wrong, (rf"{shape}\(2,\)", rf"{shape}\(\)", number, number), strict=True):
        with pytest.raises(ValueError, match=message):
            decisions.determinize(given)
    games = Games("usa", batch=2, autoreset=False, seed=0)
    with pytest.raises(ValueError, match=r"seeds must be uint64 of shape \(2,\), not uint64 of shape \(3,\)"):
        decisions_of(games, np.arange(2), seeds(3))
    games.play_random(5000)
    with pytest.raises(ValueError, match="a game that has ended waits for no decision"):
        decisions_of(games, np.arange(1), seeds(1))


def forge(decisions: Decisions) -> NDArray[np.int64]:
    """Write over all that was given; the answer is an action that was not legal."""
    illegal = np.asarray(decisions.masks.argmin(axis=1), np.int64)
    fill(decisions, 1)
    return illegal


@pytest.mark.parametrize("ask", [choose_actions, opinions])
def test_what_an_agent_writes_into_its_decisions_changes_nothing(ask: Any) -> None:
    decisions, agent = some_decisions(), Thinker()
    vars(agent)["act"] = forge
    before = [getattr(decisions, name).tobytes() for name in PARTS]
    for asked in (decisions, *decisions.split()):
        with pytest.raises(IllegalActionError, match="which is not legal; legal actions"):
            ask(agent, asked)
    assert [getattr(decisions, name).tobytes() for name in PARTS] == before


class Evasive(np.ndarray[Any, Any]):
    """An array that says of itself what it likes."""

    def astype(self, *_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    def __array_ufunc__(self, *_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    def __lt__(self, _: Any) -> Any:
        return False

    __ge__ = __lt__


OWN_KINDS = [np.array([3, 5]).view(Evasive), np.ma.masked_array([3, 5], [True, False])]


@pytest.mark.parametrize(
    "given", [[3, 5], (np.int8(3), 5), np.array([3, 5], ">u2"), np.array([3, 0, 5, 0], np.uint8)[::2], *OWN_KINDS]
)
def test_actions_become_a_plain_array_that_shares_nothing_with_the_agents(given: Any) -> None:
    decisions = some_decisions(2)
    decisions.masks[:] = 1
    actions = act(find_agent(lambda _: given), decisions)
    assert (type(actions), actions.tolist()) == (np.ndarray, [3, 5])
    assert not np.shares_memory(actions, np.asarray(given))
    chosen = choose_actions(find_agent(lambda _: given), decisions)
    assert (type(chosen), chosen.dtype.name, chosen.tolist()) == (np.ndarray, "int64", [3, 5])


class Index:
    """Says that it is an integer."""

    def __index__(self) -> int:
        return 0


OTHER_ARRAYS = [np.array(0), np.broadcast_to(0, (10**15,)), np.zeros((2, 1), np.int64), np.array([True, False])]


@pytest.mark.parametrize("given", [*OTHER_ARRAYS, [Index(), Index()], [2**70, 0], None, "01"])
def test_what_is_not_one_integer_for_each_decision_is_refused(given: Any) -> None:
    with pytest.raises(IllegalActionError, match=r"must return integers of shape \(2,\), not"):
        act(find_agent(lambda _: given), some_decisions(2))


def test_an_opinion_is_the_agents_action_and_how_it_weighs_all_if_it_tells() -> None:
    decisions = some_decisions()
    found, actions = opinions(RandomAgent(), decisions), RandomAgent().act(decisions).tolist()
    assert [opinion.action for opinion in found] == actions
    for opinion, mask in zip(found, decisions.masks, strict=True):
        assert opinion.probabilities is not None
        assert opinion.probabilities.tolist() == (mask / mask.sum()).tolist()
        assert opinion.meaning == "policy probabilities"
    for function in (RandomAgent().act, functools.partial(RandomAgent().act)):
        assert opinions(find_agent(function), decisions) == [Opinion(action) for action in actions]
    nothing: Any = []
    for agent in (RandomAgent(), find_agent(lambda _: nothing)):
        assert opinions(agent, decisions.take(slice(0))) == []


@pytest.mark.parametrize("action", [-1, 10_000, "draw", 0.5])
def test_an_opinion_must_be_a_legal_action(action: Any) -> None:
    with pytest.raises(IllegalActionError, match=r"RandomAgent\.act"):
        opinions(Thinker(action=action), some_decisions())


def test_an_opinion_tells_each_seats_chance_those_of_actions_and_why() -> None:
    """Teammates have the chance of their team."""
    decisions = some_decisions(1)
    action_values = np.where(decisions.masks[0], 0.75, np.nan)
    thinker = Thinker(values=[0.25, 0.75], action_values=action_values, reason="It collects.")
    found: Any = opinions(thinker, decisions)[0]
    assert np.array_equal(found.values, [0.25, 0.75])
    assert np.array_equal(found.action_values, action_values, equal_nan=True)
    assert found.reason == "It collects."
    action_values[:] = 0  # what is given is copied
    assert np.nanmax(found.action_values) == 0.75
    of_teams = decisions_of(Games("team_asia", seed=2), np.arange(1), seeds(1))
    assert opinions(Thinker(values=[0.25, 0.25, 0.75, 0.75]), of_teams)[0].values is not None
    with pytest.raises(ValueError, match="sum to 2"):
        opinions(Thinker(values=[0.25] * 4), of_teams)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        *[("probabilities", wrong) for wrong in (np.nan, -1.0, 0.4, [1.0], "illegal")],
        *[("values", wrong) for wrong in ([0.5, 0.6], [1.5, -0.5], [np.nan, 0.5], [1.0], [0.25, 0.25, 0.5])],
        *itertools.product(["action_values", "action_errors"], (1.5, -0.1, np.inf, "illegal")),
        *itertools.product(["ticket_chances", "card_counts"], (1000.0, -0.1, np.inf, [[0.5]])),
    ],
)
def test_what_an_opinion_tells_must_be_probabilities_chances_and_numbers_of_cards(name: str, wrong: Any) -> None:
    """What is not known is NaN; numbers here stand for all legal actions, or for all tickets and cards."""
    decisions = some_decisions(1)
    mask, state = decisions.masks[0], decisions.configuration.layout.global_state
    known = {
        "probabilities": mask / mask.sum(),
        "values": np.array([0.25, 0.75]),
        "ticket_chances": np.full(state["tickets"].shape, np.nan),
        "card_counts": np.full(state["hand"].shape, np.nan),
    }.get(name, np.where(mask, 0.5, np.nan))
    (opinion,) = opinions(Thinker(**{name: known}), decisions)
    assert np.array_equal(getattr(opinion, name), known, equal_nan=True)
    if wrong == "illegal":
        wrong = np.full(len(mask), 1 / len(mask))
    elif isinstance(wrong, float):
        wrong = np.where(mask if known.ndim == 1 else True, wrong, known)
    with pytest.raises(ValueError, match=rf"^the {name} of Thinker must have the shape"):
        opinions(Thinker(**{name: wrong}), decisions)


def test_one_opinion_is_needed_for_each_decision() -> None:
    class Lazy(RandomAgent):
        def opinions(self, decisions: Decisions) -> list[Opinion]:
            return super().opinions(decisions)[:1]

    with pytest.raises(IllegalActionError, match=r"must return integers of shape \(4,\)"):
        opinions(Lazy(), some_decisions())
