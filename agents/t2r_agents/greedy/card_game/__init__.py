"""How the greedy agent plays the Card Game.

At each decision it makes a new plan from its view. It foresees the pile that it may have at the end: what is on track,
the rows of its rail yard as far as they arrive in time, its hand, and the cards that it may yet draw and play. The plan
is the best set of its tickets for that pile (`best_set.py`).

It values what it can do by the cards that come nearer to its pile, those that the plan lacks most, and does the best:
it plays a set or three colours, robs, draws cards, or draws tickets. Tickets to be drawn are valued by what the unseen
ones would bring for the cards that the plan leaves. At a scoring it completes the best set of tickets.

All values are in tenths of a point. Functions take their arguments in the order of `t2r_agents.route_plan`: what they
read, what they write (`plan`), scratch memory (`workspace`), and what the call is about. Agents with other parameters
(`records.PARAMETERS`) play by the same functions.
"""

from t2r_agents.greedy.card_game.decisions import act, decide
from t2r_agents.greedy.card_game.records import new_records

__all__ = ["act", "decide", "new_records"]
