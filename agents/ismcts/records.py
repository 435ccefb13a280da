"""The records of the tree search.

A record whose first fields are those of another would silently be accepted for it, so no two of them begin alike.
"""

from typing import NamedTuple

from t2r_env.agents import Array
from t2r_env.core.records import REAL, record_dtype
from t2r_env.rules.state import MAX_LEGAL_ACTIONS

MAX_DEPTH = 64
"""Of a path in the tree, in nodes; below it games are played out."""

ROOT = 0
NO_NODE = 0
"""A missing child or sibling: nothing leads to the root."""

NODE = record_dtype(
    [
        ("seat", "i8"),  # who chose the action that leads here
        ("action", "i8"),  # that action
        ("first_child", "i8"),  # the index of one of the nodes below, or NO_NODE
        ("next_sibling", "i8"),  # the index of the next one below the same parent, or NO_NODE
        ("visits", "i8"),
        ("availability", "i8"),  # how often the action was legal when its parent was visited (Cowling et al. 2012)
        ("total_value", REAL),  # the sum of the games' values for `seat`
        ("num_descendants", "i8"),  # of the root only: how many nodes there are besides it
    ]
)
"""A node of the tree, which is an array of nodes; node `ROOT` is the decision that is searched."""

EDGES = record_dtype(
    [
        ("count", "i8"),
        ("legal_action", "i8", (MAX_LEGAL_ACTIONS,)),
        ("prior", REAL, (MAX_LEGAL_ACTIONS,)),  # how promising it looks; 0: never tried; need not sum to 1
        ("child", "i8", (MAX_LEGAL_ACTIONS,)),  # the index of the node to which it leads, or NO_NODE
    ]
)
"""The legal actions of the decision at hand, in the order in which the rules list them."""

PATH = record_dtype(
    [
        ("length", "i8"),
        ("node", "i8", (MAX_DEPTH,)),  # indices, from below the root
    ]
)
"""The nodes that a simulation visits."""

HISTORY = record_dtype(
    [
        ("has_plan", "i8"),  # 1 if the plan was made in this simulation
        ("tickets_held", "i8"),  # when it was made
        ("trains_held", "i8"),  # when it was made
    ]
)
"""What a seat remembers of the plan that it keeps from decision to decision."""


class Buffers(NamedTuple):
    """Memory for one search at a time in games of one configuration. Arrays have length 1 if nothing else is said."""

    scratch: Array
    """The rules' scratch memory."""
    states: Array
    """The state of the simulated game."""
    mask: Array
    """(actions,) int8, of the decision at hand; all zero in between."""
    edges: Array
    path: Array
    values: Array
    """(seats,) float64: what the simulated game was worth to each seat."""
    parameters: Array
    """The planner's, which plays games out."""
    plans: Array
    """(seats,)"""
    workspaces: Array
    """Scratch memory of planning."""
    histories: Array
    """(seats,)"""
