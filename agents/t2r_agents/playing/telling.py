"""The opinions of agents on decisions, but for their choice: chances to win, and what others probably hold."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_agents.playing.beliefs import find_beliefs
from t2r_agents.playing.values import judge_decisions
from t2r_env.agents import Decisions


def tell(decisions: Decisions, actions: NDArray[np.int64]) -> list[dict[str, Any]]:
    """Return fields of `t2r_env.agents.Opinion` for k decisions, at which legal actions (k,) are chosen.

    They are those that networks of values and of beliefs tell, as far as such networks come with the library.
    """
    told = [judged._asdict() for judged in judge_decisions(decisions, actions)]
    beliefs = find_beliefs(decisions.configuration)
    if beliefs is not None and len(decisions):
        believed = beliefs.of(decisions).by_seat(decisions.views["current"])
        for fields, tickets, cards in zip(told, *believed, strict=True):
            fields |= {"ticket_chances": tickets, "card_counts": cards}
    return told
