"""The records of the tree search.

A record whose first fields are those of another would silently be accepted for it, so no two of them begin alike.
"""

from typing import NamedTuple

from t2r_env.core.records import Array, Record, dtype_of, float64, int64
from t2r_env.rules.state import MAX_LEGAL_ACTIONS

MAX_DEPTH = 64
"""The most nodes of a path in the tree; below it games are played out."""

ROOT = 0
NO_NODE = 0
"""A missing child or sibling: nothing leads to the root."""


class Node(Record):
    """A node of the tree, which is an array of nodes; node `ROOT` is the decision that is searched."""

    seat: int = int64()  # who chose the action that leads here
    action: int = int64()  # that action
    first_child: int = int64()  # the index of one of the nodes below, or NO_NODE
    next_sibling: int = int64()  # the index of the next one below the same parent, or NO_NODE
    visits: int = int64()
    availability: int = int64()  # how often the action was legal when its parent was visited (Cowling et al. 2012)
    total_value: float = float64()  # the sum of the games' values for `seat`
    num_descendants: int = int64()  # of the root only: how many nodes there are besides it


class Edges(Record):
    """The legal actions of the decision at hand, in the order in which the rules list them."""

    count: int = int64()
    legal_action: Array = int64(MAX_LEGAL_ACTIONS)
    prior: Array = float64(MAX_LEGAL_ACTIONS)  # how promising it looks; 0: never tried; need not sum to 1
    child: Array = int64(MAX_LEGAL_ACTIONS)  # the index of the node to which it leads, or NO_NODE


class Path(Record):
    """The nodes that a simulation visits."""

    length: int = int64()
    is_in_tree: int = int64()  # 0 once it has left the tree
    node: Array = int64(MAX_DEPTH)  # indices, from below the root


class History(Record):
    """A seat's memory of the plan that it keeps from decision to decision."""

    has_plan: int = int64()  # 1 if the plan was made in this simulation
    tickets_held: int = int64()  # when it was made
    trains_held: int = int64()  # when it was made


NODE, EDGES, PATH, HISTORY = dtype_of(Node), dtype_of(Edges), dtype_of(Path), dtype_of(History)


class Buffers(NamedTuple):
    """Memory for one search at a time in games of one configuration. Arrays have length 1 if nothing else is said."""

    scratch: Array  # of the rules
    scoring: Array  # scratch memory of the scoring
    states: Array  # of the simulated game
    mask: Array  # (actions,) int8: the legal actions of the decision at hand; all zero in between
    edges: Array
    path: Array
    values: Array  # (seats,) float64: the value of the simulated game to each seat
    parameters: Array  # of the planner, which plays games out
    plans: Array  # (seats,)
    histories: Array  # (seats,)
