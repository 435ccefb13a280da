"""What the environments of all libraries do alike."""

import copy
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

from t2r_env import IllegalActionError, OpponentPool, configure
from t2r_env.core.randomness import next_seed
from t2r_env.envs.stable_baselines import SeatVecEnv
from t2r_env.graph import GraphSize
from tests.helpers.environments import (
    MAKERS,
    Env,
    Make,
    by_pickle,
    each_environment,
    each_with_one_game,
    games_of,
    played,
    seeds_of,
)
from tests.helpers.odd_agents import First
from tests.helpers.playing import check_same


def begun(make: Make, *arguments: Any, seed: int = 0, **options: Any) -> Env:
    env = make(*arguments, **options)
    reset(env, seed)
    return env


def reset(env: Env, seed: Any = None) -> Any:
    """Begin new games from this seed, or from those that follow."""
    if not isinstance(env, SeatVecEnv):
        return env.reset(seed=seed)
    if seed is not None:
        env.seed(seed)
    return env.reset()


@each_environment
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        *[({"seat": it}, f"seat must be .* from 0 to 1, or 'random', not {it!r}") for it in (2, -1, True, "first")],
        *[({"opponents": it}, "there is no agent 'nobody'; allowed are random") for it in ("nobody", ["nobody"])],
        ({"opponents": {"a": "random"}}, r"an agent must have a method act\(decisions\), and"),
        ({"opponents": ["random"] * 2}, "must be of length 1, one for each other seat, not 2; .* use an OpponentPool"),
        ({"variant": "mars"}, "unknown variant 'mars'"),
        ({"num_players": 6}, "num_players of usa must be an integer from 2 to 5, not 6"),
        ({"variant": configure("usa", 2), "num_players": 3}, "a Configuration already settles"),
        ({"variant": configure("usa", 2), "turn_limit": 9}, "a Configuration already settles"),
        ({"variant": configure("usa"), "colour": "red"}, "usa has no option 'colour'"),
        ({"reward": "money"}, "reward must be one of rank, win, score, margin, not 'money'"),
        ({"illegal_action": "forgive"}, "illegal_action must be one of raise, terminate, not 'forgive'"),
        ({"variant": "card_game", "observation": "graph"}, "only map games have a graph, and card_game is none"),
        ({"observation": "graph", "features": "plan"}, "features follow the vector"),
        ({"observation": "graphs"}, "observation must be one of dict, vector, graph, not 'graphs'"),
        ({"observation": GraphSize(1, 1, 1, 1, 1)}, "the graph of usa, 2 players needs at least"),
        *[({"num_envs": it}, f"num_envs must be an integer, at least 1, not {it}") for it in (0, 1.5)],
        ({"threads": 0}, "threads must be an integer, at least 1, not 0"),
        ({"autoreset_mode": "Never"}, "autoreset_mode must be one of NextStep, SameStep, Disabled, not 'Never'"),
    ],
)
def test_an_argument_that_is_not_allowed_is_named_with_what_is_allowed(
    make: Make, arguments: dict[str, Any], message: str
) -> None:
    taken = inspect.signature(type(make())).parameters
    if unknown := arguments.keys() - {*taken, "turn_limit"}:  # as `seat` where all seats are played from outside
        message = rf"got an unexpected keyword argument '{unknown.pop()}'"
    with pytest.raises((ValueError, TypeError), match=message):
        make(**arguments)


@each_environment
def test_an_unknown_argument_is_named_with_all_that_are_allowed(make: Make) -> None:
    """Among them arguments of `Games`, `gymnasium.make` and other environments."""
    made = type(make())
    *taken, _ = inspect.signature(made).parameters  # without the options
    others = {"batch", "num_envs", "observe", "seed", "threads", "autoreset", "record", "max_episode_steps", "colour"}
    got = rf"{made.__name__}.__init__\(\) got an unexpected keyword argument"
    allowed = rf"its options are: tickets, turn_limit; the other arguments are: {', '.join(taken)}$"
    for name in others - {*taken}:
        with pytest.raises(TypeError, match=f"{got} '{name}': usa has no option '{name}'; {allowed}"):
            make(**{name: 1})
    if "render_mode" in taken:
        message = rf"{got} 'render_mode': render_mode must be one of human, ansi, rgb_array, not 'ascii'"
        with pytest.raises(TypeError, match=message):
            make(render_mode="ascii")


@each_environment
def test_options_come_by_name_and_a_configuration_may_stand_for_the_variant(make: Make) -> None:
    chosen = make("usa", 4, tickets="classic", turn_limit=50).configuration
    assert chosen == configure("usa", 4, tickets="classic", turn_limit=50)
    assert chosen.options == {"tickets": "classic", "turn_limit": 50}
    assert make(chosen).configuration is chosen


def test_what_it_is_and_where_the_games_are_can_be_printed() -> None:
    game = "usa, 3 players, tickets classic, turn_limit 9"
    assert repr(configure("usa", 3, tickets="classic", turn_limit=9)) == f"<MapConfiguration {game}>"
    standings = {
        "aec": ("", "call reset() first", "turn 0, player_0 to act (keep_ticket)", "over (truncated)"),
        "single": (", seat 0", "1 to begin, call reset() first", "turn 0, player_0 to act (keep_ticket)", "over"),
        "vector": (", seat 0", "2 to begin, call reset() first", "2 games, 0 of them over", "2 games, 2 of them over"),
        "stable_baselines": (", seat 0", "2 to begin, call reset() first", "2 games, 0 of them over", "2 games"),
    }
    for name, (seat, before, begun_, ended) in standings.items():
        arguments = {"autoreset_mode": "Disabled"} if name == "vector" else {}
        env = MAKERS[name]("usa", 3, tickets="classic", turn_limit=9, **arguments)
        title = f"<{type(env).__name__} {game}{seat}, reward rank: "
        assert repr(env) == f"{title}{before}>"
        reset(env, 1)
        assert repr(env) == f"{title}{begun_}>"
        played(env)
        assert repr(env).startswith(f"{title}{ended}")


@pytest.mark.parametrize(
    ("name", "uses"),
    [
        ("aec", {"observe": "player_0", "state": None, "snapshot": None, "describe": 0, "replay": None, "step": 0}),
        ("aec", {"render": None, "get_state": None}),
        ("single", {"step": 0, "action_masks": None, "render": None, "snapshot": None, "describe": 0}),
        ("vector", {"step": [0, 0], "action_masks": None, "render": None}),
        ("stable_baselines", {"step": [0, 0], "action_masks": None}),
    ],
)
def test_before_the_first_reset_every_use_says_that_a_reset_is_needed(name: str, uses: dict[str, Any]) -> None:
    env = MAKERS[name](**{} if name == "stable_baselines" else {"render_mode": "ansi"})
    for method, argument in uses.items():
        with pytest.raises(ResetNeeded, match=r"call reset\(\) first"):
            getattr(env, method)(*([] if argument is None else [argument]))
    for attribute in {"aec": ("games",), "single": ("games", "seat")}.get(name, ()):
        with pytest.raises(ResetNeeded, match=r"call reset\(\) first"):
            getattr(env, attribute)
    env.close()


@each_environment
def test_without_a_seed_the_first_game_is_a_random_one_and_each_game_follows_from_the_last(make: Make) -> None:
    envs = [make() for _ in range(3)]
    envs.append(copy.deepcopy(envs[0]))  # as in a process of its own
    for env in envs:
        env.reset()
    seeds = [seed for env in envs for seed in seeds_of(env)]
    assert len(set(seeds)) == len(seeds) >= 4
    assert 2**60 < max(seeds) < 2**63  # 63 bits: int64 holds them
    env, (seeded, *_) = envs[0], seeds
    for given in (None, None, 7, None, None):
        expected = [int(next_seed(np.uint64(seed))) for seed in seeds_of(env)]
        assert getattr(env, "np_random_seed", seeded) == seeded  # as Gymnasium has it
        reset(env, given)
        seeded = seeded if given is None else given
        assert seeds_of(env) == (expected if given is None else [7, 8][: len(expected)])
        assert max(seeds_of(env)) < 2**63


@each_with_one_game
def test_a_game_follows_from_its_seed_whether_it_was_given_or_drawn(make: Make) -> None:
    """Also the learner's seat, the opponents and their chance."""
    opponents = OpponentPool(["random", First, lambda decisions: decisions.masks.argmax(axis=1)])
    seated = {"opponents": opponents, "seat": "random"} if make is MAKERS["single"] else {}
    env, other = (make("usa", 4, **seated) for _ in range(2))
    reset(env)
    reset(other, seeds_of(env)[0])
    for _ in range(6):
        check_same(played(env), played(other))
        check_same(reset(env), reset(other))


@each_environment
@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, "1", True])
def test_a_seed_that_is_none_changes_nothing(make: Make, seed: Any) -> None:
    env, other = begun(make), begun(make)
    with pytest.raises(ValueError, match=r"seed must be (an integer from 0 to 2\^64 - 1|one integer, or a list)"):
        reset(env, seed)
    if hasattr(env, "np_random"):
        assert env.np_random.random() == other.np_random.random()
    check_same(played(env, 20), played(other, 20))


@each_with_one_game
@pytest.mark.parametrize(
    ("action", "illegal_action", "message"),
    [
        *((it, "terminate", "must be an integer from 0 to 163") for it in (None, 1.0, [1], True, 10**30)),
        (None, "raise", "must be an integer from 0 to 163"),
        *((it, "raise", "is not legal .* legal actions: ") for it in (-1, 10_000, "illegal")),
    ],
)
def test_an_action_that_is_no_integer_always_raises_and_an_illegal_one_may_and_nothing_changes(
    make: Make, action: Any, illegal_action: str, message: str
) -> None:
    env, other = (begun(make, "usa", 3, illegal_action=illegal_action, reward="score") for _ in range(2))
    for it in (env, other):
        played(it, 20)
    chosen = np.int64(games_of(env).masks[0].argmin()) if action == "illegal" else action
    with pytest.raises(IllegalActionError, match=rf"action .*of player_\d {message}"):
        env.step(chosen)
    check_same(played(env), played(other))


@pytest.mark.parametrize("duplicate", [copy.deepcopy, by_pickle])
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("single", {}),
        ("single", {"variant": "card_game"}),
        *(("vector", {"autoreset_mode": mode}) for mode in AutoresetMode),
        ("stable_baselines", {"variant": "new_york"}),
    ],
)
def test_a_copy_goes_on_as_the_original_does(
    name: str, arguments: dict[str, Any], duplicate: Callable[[Env], Env]
) -> None:
    """With its opponents; playing the copy leaves the original as it is."""
    pool = OpponentPool(["random", First], weights=[1, 2])
    env = begun(MAKERS[name], num_players=3, opponents=pool, seat="random", reward="score", turn_limit=40, **arguments)
    for steps in (0, 5, 15):
        played(env, steps)
        other, before = duplicate(env), games_of(env).states.copy()
        check_same(played(duplicate(env)), played(other))
        if name == "single":
            check_same(played(env.clone()), played(duplicate(env)))
        assert np.array_equal(games_of(env).states, before)
        check_same(reset(duplicate(env)), reset(duplicate(env)))
    check_same(played(duplicate(env)), played(env))
    check_same(reset(duplicate(env)), reset(env))
    with pytest.raises(ResetNeeded):
        duplicate(MAKERS[name]()).action_masks()
