"""The class of decisions of each ruleset."""

from collections.abc import Mapping

from t2r_agents.human.card_decision import CardDecision
from t2r_agents.human.decision import Decision
from t2r_agents.human.map_decision import MapDecision
from t2r_env.agents import Decisions

_CLASSES: Mapping[str, type[Decision]] = {"map_game": MapDecision, "card_game": CardDecision}


def decision_of(given: Decisions, width: int) -> Decision:
    """The only one of these decisions, for lines of this width."""
    return _CLASSES[given.configuration.variant.ruleset](given, width)
