"""The configurations that tests play, random play of games and environments, and what it showed."""

import copy
import functools
import pickle
import random
from collections.abc import Callable, Sequence
from typing import Any, get_args

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray

from t2r_env import VARIANTS, Configuration, Games
from t2r_env.envs.aec import AECEnvironment
from t2r_env.games import Reward
from t2r_env.variants import load_variant

LOADED_VARIANTS = [load_variant(variant) for variant in VARIANTS]

COPIES: list[Callable[[Games], Games]] = [Games.clone, copy.deepcopy, lambda games: pickle.loads(pickle.dumps(games))]
every_copy = pytest.mark.parametrize("duplicate", COPIES)

Options = dict[str, Any]

Chosen = tuple[str, int, Options]

CONFIGURATIONS: list[Chosen] = [
    (variant.id, players, options)
    for variant in LOADED_VARIANTS
    for options in ({}, *[{name: True} for name in variant.switches])
    for players in variant.player_numbers
]
"""Each variant with each number of players; where there are advanced technologies, with them and without."""

DECKS = CONFIGURATIONS + [
    (variant.id, variant.min_players, {"tickets": deck})
    for variant in LOADED_VARIANTS
    for deck in variant.ticket_decks
    if deck != variant.default_ticket_deck
]
"""These with the default ticket deck, and each variant's fewest players with each other deck."""


def title_of(variant: str, players: int, options: Options) -> str:
    chosen = (name if value is True else str(value) for name, value in options.items())
    return "_".join([variant, str(players), *chosen])


def _every(configurations: list[Chosen]) -> pytest.MarkDecorator:
    titles = [title_of(*configuration) for configuration in configurations]
    return pytest.mark.parametrize(("variant", "players", "options"), configurations, ids=titles)


every_variant = pytest.mark.parametrize("variant", VARIANTS)
every_variant_once = pytest.mark.parametrize(
    ("variant", "players"), [(variant.id, max(3, variant.min_players)) for variant in LOADED_VARIANTS]
)
every_configuration = _every(CONFIGURATIONS)
MAP_CONFIGURATIONS = [it for it in CONFIGURATIONS if it[0] != "card_game"]
FEWEST_AND_MOST = [
    it for it in CONFIGURATIONS if it[1] in (load_variant(it[0]).min_players, load_variant(it[0]).max_players)
]
"""Each variant with its fewest and its most players: in between there is nothing new."""
fewest_and_most = _every(FEWEST_AND_MOST)
fewest_and_most_on_maps = _every([it for it in FEWEST_AND_MOST if it[0] != "card_game"])
KINDS: list[Chosen] = [
    ("new_york", 2, {}),
    ("united_kingdom", 4, {"advanced_technologies": True}),
    ("team_asia", 6, {}),
    ("card_game", 3, {}),
]
each_kind = _every(KINDS)
"""A small map, one with phases of its own, teams, and cards: for what does not depend on the rules."""
each_kind_once = pytest.mark.parametrize(("variant", "players"), [("usa", 3), ("team_asia", 4), ("card_game", 3)])
SOME_CONFIGURATIONS = [it for it in CONFIGURATIONS if it[1] == max(3, load_variant(it[0]).min_players)]
"""Each variant once; where there are advanced technologies, with them and without."""
some_configurations = _every(SOME_CONFIGURATIONS)
some_map_configurations = _every([it for it in SOME_CONFIGURATIONS if it[0] != "card_game"])
every_deck = _every([it for it in DECKS if it in FEWEST_AND_MOST or "tickets" in it[2]])
every_reward = pytest.mark.parametrize(
    ("variant", "players", "options", "reward"),
    [pytest.param(*it, reward, id=f"{title_of(*it)}-{reward}") for it in KINDS for reward in get_args(Reward)],
)
"""Each kind of game with each reward."""

STYLES = ("any", "hoard", "build", "grow_rich")
"""What players prefer to do; they choose at random among those actions, or among all if none is legal.

"hoard" draws until the deck is empty. "build" claims until the trains run out, or plays sets onto large on-track piles.
"grow_rich" draws while many cards are left and then spends: that gives cards for technologies, exchanges, tunnels and
second claims, and for sets that rob.
"""

DRAWS, BUILDING = ("draw_face_up", "draw_deck", "draw_three"), ("claim", "play_set", "play_three")
SPENDINGS = (*BUILDING, "build", "buy", "spend")


@functools.cache
def actions_of(configuration: Configuration, *names: str) -> NDArray[np.bool_]:
    """A mask of the actions that belong to one of these blocks."""
    is_one = np.zeros(configuration.layout.actions.size, np.bool_)
    for name in names:
        if name in configuration.layout.actions:
            is_one[configuration.layout.actions[name].slice] = True
    return is_one


def choose(games: Games, row: int, style: str, rng: random.Random) -> int:
    """An action of a player of this style."""
    legal = np.flatnonzero(games.masks[row])
    state = games.states[row]
    is_drawing = style == "hoard" or state["deck_count"] + state["discard_count"] > 40
    liked = {"any": (), "build": BUILDING}.get(style, DRAWS if is_drawing else SPENDINGS)
    preferred = legal[actions_of(games.configuration, *liked)[legal]]
    return int(rng.choice(preferred if preferred.size else legal))


TELLING = {
    "map_game": ("turn", "technology", "bought", "extra", "set_aside", "moved"),
    "card_game": ("turn", "completing", "scoring_round", "last_turns_left"),
}
"""The fields that, with the phase, tell kinds of decisions apart: by whether they differ from the game's start."""


@functools.cache
def _decisions_by_kind(variant: str, players: int, advanced: bool) -> list[list[Any]]:
    """Up to 200 states of each kind of decision that the same games meet, in the order in which they meet them."""
    options: Options = {"advanced_technologies": True} if advanced else {}
    games = Games(variant, players, batch=250 if advanced else 60, seed=40, **options)
    rng = random.Random(0)
    opening = games.configuration.opening[0]
    kinds: dict[tuple[bool | int, ...], list[Any]] = {}
    for _ in range(400):
        states = games.states
        told = [states[name] != opening[name] for name in TELLING[games.configuration.variant.ruleset]]
        parts = [states["phase"], *(part.reshape(games.batch, -1).any(axis=1) for part in told)]
        for row, kind in enumerate(zip(*(part.tolist() for part in parts), strict=True)):
            if len(met := kinds.setdefault(kind, [])) < 200:
                met.append(states[row].copy())
        games.step([choose(games, row, "grow_rich", rng) for row in range(games.batch)])
    return list(kinds.values())


def decisions_of_every_phase(variant: str, players: int, advanced: bool, number: int) -> NDArray[Any]:
    """As many states as asked for, at most 200, of every kind of decision: rare kinds as often as common ones.

    The games are played once, however often and for whatever numbers this is called.
    """
    kinds = _decisions_by_kind(variant, players, advanced)
    in_turn = [met[rank] for rank in range(number) for met in kinds if rank < len(met)]
    return np.array(in_turn[:number])


Course = list[tuple[str, list[int], list[int], float, bool, bool, dict[str, Any]]]


def play(env: AECEnvironment, decisions: int | None = None, seed: int = 0) -> Course:
    """Play on at random, for a number of steps or until no agent is left.

    Returns each selected agent with all that `last` returned, the mask once. The same seed makes the same choices.
    """
    rng = np.random.default_rng(seed)
    course: Course = []
    for agent in env.agent_iter(2**63 if decisions is None else decisions):
        seen, reward, terminated, truncated, info = env.last()
        assert seen is not None
        observation, mask = seen["observation"].tolist(), seen["action_mask"].tolist()
        info = {name: value for name, value in info.items() if name != "action_mask"}
        course.append((agent, observation, mask, reward, terminated, truncated, info))
        env.step(None if terminated or truncated else rng.choice(np.flatnonzero(mask)))
    return course


def play_to_the_end(env: AECEnvironment) -> None:
    """Play until the game is over; the agents' last steps are not taken."""
    rng = np.random.default_rng(0)
    while not any(env.terminations.values()) and not any(env.truncations.values()):
        env.step(rng.choice(np.flatnonzero(env.games.masks[0])))


def returns(course: Course) -> dict[str, float]:
    """The sum of the rewards that `last` gave each agent."""
    return {name: sum(reward for agent, _, _, reward, *_ in course if agent == name) for name, *_ in course}


def worth(chosen: Configuration, final: Sequence[dict[str, Any]], seat: int, reward: str) -> float:
    """The reward of a seat for a game with this `final` of the snapshot; ranks are those of the teams (C18, TA1)."""
    team_size = chosen.variant.team_size
    entry = final[seat]
    others = [other["score"] for at, other in enumerate(final) if at // team_size != seat // team_size]
    sharing = [other["rank"] for other in final].count(entry["rank"]) / team_size
    rank = entry["rank"] + (sharing - 1) / 2  # the mean of the ranks that are shared
    return float(
        {
            "rank": 1 - 2 * (rank - 1) / (len(final) / team_size - 1),
            "win": 1 / sharing if entry["rank"] == 1 else 0,
            "score": entry["score"],
            "margin": entry["score"] - max(others),
        }[reward]
    )


def check_same(given: Any, expected: Any) -> None:
    """Assert that both have the same structure, types, shapes and values."""
    assert type(given) is type(expected)
    if isinstance(given, np.ndarray):
        assert (given.dtype, given.shape) == (expected.dtype, expected.shape)
        if given.dtype != object:
            np.testing.assert_array_equal(given, expected)
            return
        given, expected = given.tolist(), expected.tolist()
    if isinstance(given, dict):
        assert given.keys() == expected.keys()
        given, expected = ([it[name] for name in given] for it in (given, expected))
    if isinstance(given, list | tuple):
        for part, other in zip(given, expected, strict=True):
            check_same(part, other)
    else:
        assert given == expected


Steps = list[tuple[dict[str, Any], float, bool, bool, dict[str, Any]]]


def id_of(variant: str) -> str:
    return f"t2r_env/{variant}-v{load_variant(variant).environment_version}"


def play_seat(env: gymnasium.Env[Any, Any], decisions: int | None = None) -> Steps:
    """Choose at random for a seat, for a number of decisions or to the end; return what each step returned."""
    rng = np.random.default_rng(0)
    masks = env.get_wrapper_attr("action_masks")
    steps: Steps = []
    while len(steps) != decisions and (legal := np.flatnonzero(masks())).size:
        observation, reward, terminated, truncated, info = env.step(rng.choice(legal))
        steps.append((observation, float(reward), terminated, truncated, info))
    return steps
