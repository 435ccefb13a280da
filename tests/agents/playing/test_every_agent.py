"""What must hold for every agent in every game."""

import numpy as np
import pytest
from numpy.typing import NDArray

from t2r_env import Games
from t2r_env.agents import agent_names, decisions_of, find_agent, opinions
from tests.helpers.acting import blind_actions, decisions_in, play_out
from tests.helpers.playing import LOADED_VARIANTS, Options, title_of

SMALL = {"ismcts": "ismcts:1"}
"""Budgets small enough for tests."""
AGENTS = [SMALL.get(name, name) for name in agent_names() if name not in ("human", "policy", "llm", "any_board")]
"""All agents that play every game without a person, a file or a server; `any_board` has tests of its own."""

FEWEST: list[tuple[str, int, Options]] = [(variant.id, variant.min_players, {}) for variant in LOADED_VARIANTS]
"""Each variant once, for agents that take long."""
ENDS = [*FEWEST, ("usa", 5, {}), ("team_asia", 6, {}), ("card_game", 4, {})]
"""Each variant with its fewest and its most players."""

every_agent_everywhere = pytest.mark.parametrize(
    ("name", "variant", "players", "options"),
    [
        pytest.param(name, *configuration, id=f"{name}-{title_of(*configuration)}")
        for name in AGENTS
        for configuration in (FEWEST if name in SMALL.values() else ENDS)
    ],
)


@every_agent_everywhere
def test_it_acts_legally_in_whole_games(name: str, variant: str, players: int, options: Options) -> None:
    games = Games(variant, players, batch=2, autoreset=False, seed=0, **options)
    agent, rng = find_agent(name), np.random.default_rng(3)

    def act(running: NDArray[np.int64]) -> NDArray[np.int64]:
        seeds = rng.integers(2**64, size=running.size, dtype=np.uint64)
        return agent.act(decisions_of(games, running, seeds))

    play_out(games, act)
    assert games.terminated.all()


@every_agent_everywhere
def test_its_action_is_legal_and_does_not_depend_on_what_its_seat_cannot_know(
    name: str, variant: str, players: int, options: Options
) -> None:
    """C20: in positions that random play leads to."""
    games = Games(variant, players, batch=20, seed=5, **options)
    agent = find_agent(name)
    for seed in range(2):
        games.play_random(40, seed)
        blind_actions(agent, games)


@pytest.mark.parametrize("name", AGENTS)
def test_an_action_is_that_of_its_opinion_and_does_not_depend_on_the_batch(name: str) -> None:
    for variant in ("usa", "card_game"):
        games = Games(variant, 2, batch=40, seed=1)
        games.play_random(60)
        decisions = decisions_in(games)
        together = find_agent(name).act(decisions).tolist()
        alone = [find_agent(name).act(decision)[0] for decision in reversed([*decisions.split()])]
        assert alone[::-1] == together
        assert [opinion.action for opinion in opinions(find_agent(name), decisions)] == together
