"""The places where rule modules take part in what all games do: functions that stand for those of all modules together.

A module names what it does at a hook in its declaration (rules/module.py); `combine` makes one function of those of all
modules, in the order of the ruleset's list. A module that a game does not use costs it one comparison.
"""

import inspect
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

from t2r_env.core.compiled import by_record, inlined, written
from t2r_env.core.records import Array
from t2r_env.rules.state import ScoringScratch, SharedRules, SharedScratch, SharedState

Function: TypeAlias = Callable[..., Any]

_CALL = {
    "all": "if rules.uses[{0}]: module_{0}(...)",
    "change": "if rules.uses[{0}]: {1} = module_{0}(...)",
    "any": "if rules.uses[{0}] and module_{0}(...): return True",
}
"""By how functions are combined: the line that calls that of a module, by its number; {1} is the last parameter."""
_END = {"all": "return", "change": "return {1}", "any": "return False"}
_COMBINED: dict[Function, str] = {}


def hook(combine: Literal["all", "change", "any"]) -> Callable[[Any], Any]:
    """Declare a hook: functions of which `all` are called, or until `any` is true, or that `change` the last argument
    one after the other."""

    def declare(declared: Function) -> Any:
        whole = by_record(declared)
        _COMBINED[whole] = combine
        return whole

    return declare


def combined(of: Function, functions: Sequence[tuple[int, Function]]) -> Function:
    """One function that stands for those of several modules, each with its number in the ruleset's list."""
    combine = _COMBINED[of]
    *_, last = inspect.signature(of).parameters
    lines = [*(_CALL[combine].format(number, last) for number, _ in functions), _END[combine].format(None, last)]
    return inlined(written(of, lines, {f"module_{number}": function for number, function in functions}))


def all_hooks() -> list[Function]:
    """All hooks that there are."""
    return list(_COMBINED)


# The turn


@hook("change")
def list_only_actions(state: SharedState, rules: SharedRules, scratch: SharedScratch, count: int) -> Any:
    """List the actions of a turn in which nothing else may be done; return how many there are, 0 in other turns."""


@hook("change")
def list_turn_actions(state: SharedState, rules: SharedRules, scratch: SharedScratch, count: int) -> Any:
    """List what a seat may do in its turn, after `count` other actions; return how many there are in all."""


@hook("change")
def list_extra_actions(state: SharedState, rules: SharedRules, scratch: SharedScratch, count: int) -> Any:
    """The same for what is not an action of C13: it leaves the pass legal."""


@hook("any")
def begin_action(state: SharedState, rules: SharedRules, action: int) -> Any:
    """Begin the chosen action of a turn, if it is the module's."""


@hook("all")
def begin_turn(state: SharedState, rules: SharedRules, seat: int) -> None:
    """What a turn begins with."""


@hook("any")
def extend_turn(state: SharedState, rules: SharedRules) -> Any:
    """Whether a turn that would be over goes on; if so, enter its next phase."""


@hook("all")
def forget_turn(state: SharedState, rules: SharedRules) -> None:
    """Forget what belongs to one turn alone."""


# Tickets


@hook("all")
def settle_tickets(state: SharedState, rules: SharedRules, seat: int) -> None:
    """Before the decisions on tickets drawn in a turn take effect."""


@hook("any")
def follow_tickets(state: SharedState, rules: SharedRules) -> Any:
    """Whether another decision follows the choice of tickets; if so, enter its phase."""


# States from outside


@hook("any")
def is_impossible(state: SharedState, rules: SharedRules, scratch: SharedScratch) -> Any:
    """Whether the rules never lead to the present decision, though it has legal actions."""


# The end


@hook("all")
def score_end(state: SharedState, rules: SharedRules, scoring: ScoringScratch) -> None:
    """What a module adds to the scores at the end; `scoring.standing` has what tie-breaks compare."""


# Observations


@hook("all")
def write_public(state: SharedState, rules: SharedRules, at: Array, viewer: int, vector: Array) -> None:
    """Write what all may see. `at` is a row of `rules.segment`."""


@hook("all")
def write_private(state: SharedState, rules: SharedRules, at: Array, seat: int, row: int, vector: Array) -> None:
    """Write what a seat may see of its own, into a row of its segments."""


@hook("all")
def write_team(state: SharedState, rules: SharedRules, at: Array, team: int, row: int, vector: Array) -> None:
    """Write what a team may see of its own."""


@hook("all")
def write_subject(state: SharedState, rules: SharedRules, at: Array, vector: Array) -> None:
    """Write what only the acting seat may know of its decision."""


@hook("all")
def write_drawn(state: SharedState, rules: SharedRules, at: Array, is_acting: bool, vector: Array) -> None:
    """Write what the acting seat knows of its decision, and others only if they have seen it."""


# What a seat can't know (C20)


@hook("all")
def blank(state: SharedState, rules: SharedRules, seat: int) -> None:
    """Blank what the seat can't know."""


@hook("any")
def lacks_cards(state: SharedState, rules: SharedRules) -> Any:
    """Whether cards are lacking that are counted."""


@hook("all")
def see_cards(state: SharedState, rules: SharedRules) -> None:
    """Take the cards that lie in the module's places out of a deck of unseen ones (`information.see`)."""


@hook("all")
def take_unknown(state: SharedState, rules: SharedRules, seat: int) -> None:
    """Put the cards that the seat can't know back into the deck."""


@hook("all")
def deal_choice(state: SharedState, rules: SharedRules, scratch: SharedScratch, seat: int) -> None:
    """Deal the cards of another seat that must have a choice, so that it has one."""


@hook("all")
def draw_unknown(state: SharedState, rules: SharedRules, seat: int) -> None:
    """Deal as many cards as lack."""


@hook("all")
def see_tickets(state: SharedState, rules: SharedRules, scratch: SharedScratch, seat: int) -> None:
    """Add what the seat sees without holding it to `scratch.open_tickets`; clear the sets of others."""


@hook("all")
def deal_ticket_choice(state: SharedState, rules: SharedRules, scratch: SharedScratch, seat: int) -> None:
    """Deal another seat the tickets without which it would have no choice."""


@hook("all")
def deal_tickets(state: SharedState, rules: SharedRules, seat: int) -> None:
    """Deal as many tickets as lie in the module's places, from the ticket deck."""


@hook("all")
def redraw(state: SharedState, rules: SharedRules, scratch: SharedScratch, seat: int) -> None:
    """Choose at random what other seats have chosen and the seat can't know."""
