"""Opponents by how strong they are: which agent plays easy, medium, strong and strongest in a game."""

from collections.abc import Mapping

from t2r_env.agents import agent_names, find_agent
from t2r_env.configuration import Configuration

LEVELS = ("easy", "medium", "strong", "strongest")
"""From the weakest to the strongest (docs/strength.md)."""

SEARCH = "ismcts:0.5s"
"""The strongest agent where no policy comes with the library."""
_WEAKER = {"map_game": ("one_plan", "long_routes"), "card_game": ("ticket_hungry", "one_plan")}
"""Easy and medium, by ruleset."""


def agents_of_levels(configuration: Configuration) -> Mapping[str, str]:
    """Return the agent of each level for a game, deck and number of players."""
    strongest = "policy" if _has_policy(configuration) else SEARCH
    return dict(zip(LEVELS, (*_WEAKER[configuration.variant.ruleset], "planner", strongest), strict=True))


def _has_policy(configuration: Configuration) -> bool:
    try:
        find_agent("policy", configuration)
    except ValueError:
        return False
    return True


def offered_agents() -> list[str]:
    """Return the names of agents that a page may choose: not those that ask a person, or a server for its price."""
    return [name for name in agent_names() if name not in ("human", "llm")]
