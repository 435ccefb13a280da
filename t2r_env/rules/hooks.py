"""The places where rule modules take part in what all games do: functions that stand for those of all modules together.

A module names what it does at a hook in its declaration (rules/module.py); `combine` makes one function of those of all
modules, in the order of the ruleset's list. A module that a game does not use costs it one comparison.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

from t2r_env.core.compiled import by_record, inlined
from t2r_env.core.records import Array
from t2r_env.rules.state import ScoringScratch, SharedRules, SharedScratch, SharedState

Function: TypeAlias = Callable[..., Any]

_COMBINED_BY: dict[Function, Callable[[int, Function, Function], Function]] = {}
_NOTHING: dict[Function, Function] = {}


def hook(combine: Literal["all", "count", "change", "any"]) -> Callable[[Any], Any]:
    """Declare a hook: functions of which `all` are called, or until `any` is true, or that `count` on and on, or that
    `change` a value one after the other."""

    def declare(declared: Function) -> Any:
        whole = by_record(declared)
        ways: dict[str, Callable[[int, Function, Function], Function]]
        ways = {"all": _and_then, "count": _and_count, "change": _and_change, "any": _or_else}
        _COMBINED_BY[whole] = ways[combine]
        nothing: dict[str, Function] = {"all": _nothing, "count": _none_more, "change": _unchanged, "any": _no}
        _NOTHING[whole] = nothing[combine]
        return whole

    return declare


def combined(of: Function, functions: Sequence[tuple[int, Function]]) -> Function:
    """One function that stands for those of several modules, each with its number in the ruleset's list."""
    whole = _NOTHING[of]
    for number, function in reversed(functions):
        whole = _COMBINED_BY[of](number, function, whole)
    return whole


def all_hooks() -> list[Function]:
    """All hooks that there are."""
    return list(_COMBINED_BY)


def _and_then(number: int, function: Function, rest: Function) -> Function:
    @inlined
    def both(state: Any, rules: Any, *arguments: Any) -> None:
        if rules.uses[number]:
            function(state, rules, *arguments)
        rest(state, rules, *arguments)

    return both


@inlined
def _nothing(state: Any, rules: Any, *arguments: Any) -> None:
    pass


def _and_count(number: int, function: Function, rest: Function) -> Function:
    @inlined
    def both(state: Any, rules: Any, scratch: Any, count: int) -> int:
        if rules.uses[number]:
            count = function(state, rules, scratch, count)
        return rest(state, rules, scratch, count)

    return both


@inlined
def _none_more(state: Any, rules: Any, scratch: Any, count: int) -> int:
    return count


def _and_change(number: int, function: Function, rest: Function) -> Function:
    @inlined
    def both(state: Any, rules: Any, value: int) -> int:
        if rules.uses[number]:
            value = function(state, rules, value)
        return rest(state, rules, value)

    return both


@inlined
def _unchanged(state: Any, rules: Any, value: int) -> int:
    return value


def _or_else(number: int, function: Function, rest: Function) -> Function:
    @inlined
    def either(state: Any, rules: Any, *arguments: Any) -> bool:
        if rules.uses[number]:
            if function(state, rules, *arguments):
                return True
        return rest(state, rules, *arguments)

    return either


@inlined
def _no(state: Any, rules: Any, *arguments: Any) -> bool:
    return False


# The turn


@hook("count")
def list_only_actions(state: SharedState, rules: SharedRules, scratch: SharedScratch, count: int) -> Any:
    """List the actions of a turn in which nothing else may be done; return how many there are, 0 in other turns."""


@hook("count")
def list_turn_actions(state: SharedState, rules: SharedRules, scratch: SharedScratch, count: int) -> Any:
    """List what a seat may do in its turn, after `count` other actions; return how many there are in all."""


@hook("count")
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
