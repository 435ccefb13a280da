"""What a rule declares of itself: a rule module.

A ruleset is a list of rule modules, and what belongs together of a rule that only some games have lies in one of them.
The rest of the library puts together what they declare: records, phases, actions, observations, snapshots, checks.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from t2r_env.core.layout import Part
from t2r_env.core.records import Record
from t2r_env.variants.declared import NOTHING, Entries

if TYPE_CHECKING:
    from t2r_env.rules.snapshot import Snapshot
    from t2r_env.rules.text import Description, Text

Function: TypeAlias = Callable[..., Any]
States: TypeAlias = np.ndarray[Any, Any]
Limits: TypeAlias = dict[str, tuple[int, int]]
"""The least and the greatest value of fields."""


def always(configuration: Any) -> bool:
    """Used by every game of the ruleset."""
    return True


def _nothing(*given: Any) -> list[Any]:
    return []


def _none(*given: Any) -> dict[str, Any]:
    return {}


def _write_nothing(*given: Any) -> None:
    pass


def _no_fault(*given: Any) -> str:
    return ""


@dataclass(frozen=True)
class Phase:
    """A kind of decision."""

    number: int
    list_legal: Function
    """Compiled, (state, rules, scratch) -> int: list the legal actions in `scratch.legal`, return their number."""
    apply: Function
    """Compiled, (state, rules, scratch, action): what an action does."""
    is_used: Callable[[Any], bool] = always
    """Whether a configuration that uses the module has the phase."""


@dataclass(frozen=True, kw_only=True)
class RuleModule:
    """One rule, or what all games of a ruleset have in common.

    Functions of a configuration, of records and of a writer are plain Python; the values of `hooks` are compiled.
    """

    is_used: Callable[[Any], bool] = always
    """Whether a configuration has the rule."""
    entries: Entries = NOTHING
    """What it adds to the variant's folder: keys, columns and files."""
    phases: Sequence[Phase] = ()
    hooks: Mapping[Function, Function] = field(default_factory=dict)
    """What it does at the hooks of rules/hooks.py."""

    # Where things lie
    blocks: Callable[[Any], Sequence[Part]] = _nothing
    """Of a configuration: blocks of actions as (number, shape, meaning)."""
    prices: Callable[[Any], Sequence[int]] = _nothing
    """Of a configuration: what can be bought besides routes, in train cards."""
    public_segments: Callable[[Any], Sequence[Part]] = _nothing
    """Of a configuration: segments that all may see."""
    private_segments: Callable[[Any, int, int], Sequence[Part]] = _nothing
    """Of a configuration, and numbers of seats and teams: segments of which each of them has a row. In an observation
    it is one, in a global state all."""
    parts_in_play: Callable[[Any], Sequence[int]] = _nothing
    """Of a configuration: parts of the score that grow during the game."""
    parts_at_end: Callable[[Any], Sequence[int]] = _nothing

    # Records
    write_rules: Callable[[Any, Any], None] = _write_nothing
    """Fill the module's fields of a Rules record, for a configuration."""
    write_opening: Callable[[Any, Any], None] = _write_nothing
    """Fill the module's fields of a State before the deal that are not zero, for a Rules record."""

    # States from outside
    state: type[Record] | None = None
    """Its part of the State record: a game that does not use the module leaves these fields as they are at first."""
    starting: Sequence[str] = ()
    """Fields that are written before the first turn."""
    limits: Callable[[Any], Limits] = _none
    """Of a Rules record: the least and the greatest value of the module's state fields."""
    sets: Callable[[Any], Mapping[str, int]] = _none
    """Of a Rules record: fields that are sets of bits, with how many there are of what they name."""
    tickets: Sequence[str] = ()
    """Fields that are sets of tickets, in which a ticket may lie: of each seat, or of each team that has racks."""
    cards: Callable[[States], Sequence[Any]] = _nothing
    """Of states: the train cards that lie in the module's places, as arrays of numbers (states, ..., types)."""
    derived: Sequence[str] = ()
    """Fields that follow from others, written anew by the ruleset's `derive`."""
    find_fault: Callable[[States, Any], str] = _no_fault
    """What is wrong with states, for a Rules record; empty if nothing is."""
    find_fault_of_decision: Callable[[States, Any], str] = _no_fault
    """The same for states of running games, whose phases are phases of the game."""

    # Snapshots and text
    describe: "Mapping[int, Callable[[Text, Any, int, int], Description]]" = field(default_factory=dict)
    """By block: the description of an action, of the text of a configuration, a state, an action and its offset."""
    snapshot: "Callable[[Snapshot], Mapping[str, Any]]" = _none
    """Entries of the snapshot."""
    possessions: "Callable[[Snapshot, int], Mapping[str, Any]]" = _none
    """Entries of a player, of its seat."""
    results: "Callable[[Snapshot, int], Mapping[str, Any]]" = _none
    """Entries of a player's result, of its seat, once the game is finished."""
    subject: "Callable[[Snapshot], Mapping[str, Any]]" = _none
    """Entries of the decision's subject."""
    marks: Callable[[Any], Sequence[str]] = _nothing
    """Of a route: what a player reads of the rule on it."""
    pending_first: "Callable[[Snapshot], Sequence[Mapping[str, Any]]]" = _nothing
    """Actions of the move under way that come first."""
    pending_before: "Callable[[Snapshot], Sequence[Mapping[str, Any]]]" = _nothing
    """Those that come before what all games have (draws and tickets)."""
    pending_after: "Callable[[Snapshot], Sequence[Mapping[str, Any]]]" = _nothing
    """Those after it."""
