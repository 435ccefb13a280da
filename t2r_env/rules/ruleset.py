"""What a ruleset is: a list of rule modules, put together to all that the rest of the library needs of the rules."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from t2r_env.core import game
from t2r_env.core.compiled import compiled, implement, inlined, written
from t2r_env.core.game import PHASES, Scratch
from t2r_env.core.layout import Layout, Segments
from t2r_env.core.records import Array, Record, dtype_of, frozen_copy
from t2r_env.rules import deal, hooks, information, observe, rewards, ticket_choice, turns
from t2r_env.rules.cards import EMPTY
from t2r_env.rules.configuration import Configuration
from t2r_env.rules.module import Function, Phase, RuleModule
from t2r_env.rules.names import BLOCKS, SEGMENTS, phases
from t2r_env.rules.ranking import NO_TIE_BREAK
from t2r_env.rules.snapshot import Snapshot
from t2r_env.rules.state import GLOBAL_STATE, OBSERVATION, ScoringScratch, SharedRules, SharedState
from t2r_env.rules.text import Text
from t2r_env.rules.ticket_queue import NO_TICKET
from t2r_env.sizes import MAX_MODULES, MAX_SEATS
from t2r_env.variants.declared import declare
from t2r_env.variants.variant import COLOURS, REFUSED, TIE_BREAKS

EndTurn: TypeAlias = Callable[[Any, Any, Any], None]

_BY_NAME: dict[str, "Ruleset"] = {}


def ruleset_named(name: str) -> "Ruleset":
    """The ruleset of this name. Raises KeyError if there is none."""
    return _BY_NAME[name]


@dataclass(frozen=True, kw_only=True)
class Ruleset:
    """Map games or card games. What is declared here is put together when the ruleset is made."""

    name: str
    """As variant.toml has it."""
    configuration: Callable[..., Configuration]
    modules: Sequence[RuleModule]
    """The rules in their order: that of actions, segments, and whatever else is listed."""
    state_record: type[SharedState]
    rules_record: type[SharedRules]
    scratch_record: type[Record]
    scoring_record: type[ScoringScratch]
    deal: Callable[[Any, Any], None] = deal.deal
    """Compiled: shuffle and deal, up to the first decision."""
    end_turn: EndTurn
    """Compiled: what follows a turn, another one or whatever the rules say."""
    seat_of_next_turn: Callable[[Any, Any], int]
    """Compiled."""
    score_game: Function
    """Compiled: score a game that the rules have ended (`core.game.score_game`)."""
    frequent_phases: Sequence[int]
    """Those whose functions become part of the loop over decisions."""
    derive: Function
    """Compiled: what follows from the rest of a state from outside (`core.game.derive`)."""
    outcome_of_tickets: Callable[[Snapshot, int], tuple[list[int], list[int]]]
    """The tickets that a seat's team has completed, and those that it has failed."""
    text: type[Text]
    functions: Sequence[tuple[Function, Function]] = ()
    """What else functions made by `by_record` are for this ruleset: each with its implementation."""

    state: np.dtype[Any] = field(init=False)
    """Of its State records."""
    rules: np.dtype[Any] = field(init=False)
    scratch: np.dtype[Any] = field(init=False)
    scoring: np.dtype[Any] = field(init=False)

    def __post_init__(self) -> None:
        assert len(self.modules) <= MAX_MODULES
        for name in ("state", "rules", "scratch", "scoring"):
            object.__setattr__(self, name, dtype_of(getattr(self, f"{name}_record")))
        self._implement()
        declare(self.name, [module.entries for module in self.modules])
        _BY_NAME[self.name] = self

    def __reduce__(self) -> tuple[Any, ...]:
        return ruleset_named, (self.name,)  # compiled functions stay where they are

    def _implement(self) -> None:
        """Say what the functions of the core and the hooks are for this ruleset's records."""
        all_phases = [phase for module in self.modules for phase in module.phases]
        apply = {phase.number: phase.apply for phase in all_phases}
        list_legal = {phase.number: phase.list_legal for phase in all_phases}
        functions: list[tuple[Function, Function]] = [
            (game.deal, self.deal),
            (game.apply, self._by_phase(game.apply, apply, "return")),
            (game.list_legal, self._by_phase(game.list_legal, list_legal, "return 0")),
            (game.end_turn, self.end_turn),
            (game.score_game, self.score_game),
            (game.observe, observe.observe),
            (game.write_global_state, observe.write_global_state),
            (game.reduce_to_view, information.reduce_to_view),
            (game.determinize, information.determinize),
            (game.derive, self.derive),
            (game.note_scores, rewards.note_scores),
            (game.reward, rewards.reward),
            (turns.seat_of_next_turn, self.seat_of_next_turn),
            *self.functions,
        ]
        for hook in hooks.all_hooks():
            given = [(number, it.hooks[hook]) for number, it in enumerate(self.modules) if hook in it.hooks]
            functions.append((hook, hooks.combined(hook, given)))
        for declared, function in functions:
            implement(declared, self.state, function)

    def _by_phase(self, declared: Function, functions: Mapping[int, Function], end: str) -> Function:
        """What calls that of these functions which is for the state's phase. Those for phases that only some games have
        are called by a function of their own."""
        rare = [number for number in functions if number not in self.frequent_phases]
        others = compiled(_choose(declared, {number: functions[number] for number in rare}, end))
        frequent = {number: functions[number] for number in self.frequent_phases}
        return inlined(_choose(declared, frequent, "return others(...)", others=others))

    # Of a configuration

    def modules_of(self, configuration: Configuration) -> list[RuleModule]:
        """The rule modules that a configuration uses."""
        return [module for module in self.modules if module.is_used(configuration)]

    def phases_of(self, configuration: Configuration) -> list[str]:
        """The names of the phases that a configuration may have, in the order of their modules."""
        all_phases = [phase for module in configuration.modules for phase in module.phases]
        return [PHASES[phase.number] for phase in all_phases if phase.is_used(configuration)]

    def lay_out(self, configuration: Configuration) -> Layout:
        """Where observations, global states and actions lie."""
        modules = configuration.modules
        return Layout(
            observe.lay_out(configuration, modules, OBSERVATION),
            observe.lay_out(configuration, modules, GLOBAL_STATE),
            Segments(BLOCKS, [part for module in modules for part in module.blocks(configuration)]),
        )

    def make_rules(self, configuration: Configuration) -> Array:
        """The Rules record, in an array of shape (1,) that can't be written to: the core reads this very array."""
        rules = np.zeros(1, self.rules)
        record = rules[0]
        record.uses[: len(self.modules)] = [module in configuration.modules for module in self.modules]
        _write_shared_rules(record, configuration)
        _write_layout(record, configuration)
        for module in self.modules:
            module.write_rules(record, configuration)
        return frozen_copy(rules)

    def opening(self, rules: Array) -> Array:
        """The State before anything is shuffled or dealt, in an array of shape (1,): every game begins as a copy."""
        states = np.zeros(1, self.state)
        state, record = states[0], rules[0]
        state.deck = record.deck
        state.deck_count = record.deck.sum()
        state.face_up[:] = EMPTY
        state.drawn = state.drawn_slot = EMPTY
        state.ticket_queue[:] = NO_TICKET
        state.offered[:] = NO_TICKET
        for module in self.modules:
            module.write_opening(state, record)
        return frozen_copy(states)

    def snapshot(self, text: Text, state: Any) -> dict[str, Any]:
        """A state, or a view of one, as a JSON-able dictionary."""
        return Snapshot(text, state).write()

    # Records

    def new_states(self, number: int) -> Array:
        """Blank states, one row for each game."""
        return np.zeros(number, self.state)

    def new_scratch(self) -> Scratch:
        """Room for one thread to compute in."""
        return Scratch(np.zeros(1, self.scratch), np.zeros(1, self.scoring))


KEEP_TICKET = Phase(phases.KEEP_TICKET, ticket_choice.list_legal, ticket_choice.apply)
"""The phase that all games have alike."""


def _choose(declared: Function, functions: Mapping[int, Function], end: str, **called: Function) -> Function:
    """A declared function that calls one of those by the numbers of phases, or does what the line `end` says."""
    lines = [f"if state.phase == {number}: return phase_{number}(...)" for number in functions]
    by_name = {f"phase_{number}": function for number, function in functions.items()}
    return written(declared, [*lines, end], by_name | called)


def _write_shared_rules(record: Any, configuration: Configuration) -> None:
    """Fill the fields that all games have."""
    variant, deck = configuration.variant, configuration.deck
    record.num_seats = configuration.num_players
    record.num_teams = configuration.num_teams
    record.team = [seat // variant.team_size for seat in range(MAX_SEATS)]
    record.deck = [*(variant.colours.get(colour, 0) for colour in COLOURS), variant.locomotives]
    record.starting_hand = variant.starting_hand
    record.starting_locomotives = variant.starting_locomotives
    record.num_tickets = configuration.num_tickets
    record.num_regular = len(deck.regular)
    record.long_offer = deck.long_offered
    record.ticket_points[: configuration.num_tickets] = [ticket.points for ticket in deck.tickets]
    record.starting_offer, record.starting_keep = deck.starting.count, deck.starting.keep
    record.starting_refused = REFUSED.index(deck.starting_refused)
    record.later_offer, record.later_keep = deck.later.count, deck.later.keep
    record.turn_limit = configuration.turn_limit
    record.tie_break[:] = NO_TIE_BREAK
    record.tie_break[: len(variant.tie_breaks)] = [TIE_BREAKS.index(name) for name in variant.tie_breaks]


def _write_layout(record: Any, configuration: Configuration) -> None:
    """Fill the fields that say where things lie. The record has room for the names known when it was made: at least
    those of its own ruleset."""
    layout, used = configuration.layout, list(configuration.phases)
    blocks, segments = BLOCKS[: len(record.first_action)], SEGMENTS[: record.segment.shape[1]]
    record.num_actions = layout.actions.size
    record.first_action = [_start(layout.actions, name) for name in blocks]
    record.block_size = [layout.actions[name].size if name in layout.actions else 0 for name in blocks]
    for number, vector in enumerate((layout.observation, layout.global_state)):
        record.segment[number] = [_start(vector, name) for name in segments]
    names = PHASES[: len(record.phase_slot)]
    record.phase_slot = [used.index(name) if name in used else -1 for name in names]


def _start(segments: Segments, name: str) -> int:
    """Where a segment begins; -1 if there is none of this name."""
    return segments[name].start if name in segments else -1
