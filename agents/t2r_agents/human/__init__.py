"""A person who plays on the terminal or through a pipe.

Only what the acting seat may know (C20) is shown: everything is made from `Decisions.views`. `agent` reads and writes,
`screen` is the terminal, `decision` the actions of one decision as text, `commands` what can be typed besides.
"""

from t2r_agents.human.agent import PROMPT, HumanAgent

__all__ = ["PROMPT", "HumanAgent"]
