"""Values of positions: each seat's chance to win and its margin, from what a seat knows or from everything.

`find_judge(configuration)` gives a `Judge`, which asks a small network (`network`, `inputs`) and looks one action
ahead; `rollouts` plays positions to their end.
"""

from t2r_agents.playing.values.inputs import ValueInputs
from t2r_agents.playing.values.judge import (
    Judge,
    Judged,
    Outlook,
    Told,
    chances_at_end,
    find_judge,
    first_twins,
    judge_decisions,
    take_actions,
)
from t2r_agents.playing.values.network import Values
from t2r_agents.playing.values.rollouts import play_out, with_new_chance

__all__ = [
    "Judge",
    "Judged",
    "Outlook",
    "Told",
    "ValueInputs",
    "Values",
    "chances_at_end",
    "find_judge",
    "first_twins",
    "judge_decisions",
    "play_out",
    "take_actions",
    "with_new_chance",
]
