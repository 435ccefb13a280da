"""Playing into the rail yard: sets, and three cards of three colours (CG7)."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from t2r_env.core.compiled import compiled, inlined
from t2r_env.core.game import PHASES, list_legal, outcomes
from t2r_env.core.layout import Part
from t2r_env.core.randomness import below
from t2r_env.core.records import Array, int64
from t2r_env.rules import hooks, train_cards
from t2r_env.rules.card_game.configuration import CardConfiguration
from t2r_env.rules.card_game.yard import NOBODY, NUM_COLOURS, YardState, lay_row, least_set
from t2r_env.rules.cards import CARDS, LOCOMOTIVE
from t2r_env.rules.check import CARDS_LIMIT
from t2r_env.rules.information import draw_unknown, take_unknown
from t2r_env.rules.module import Limits, Phase, RuleModule, States
from t2r_env.rules.names import BLOCKS, SEGMENTS
from t2r_env.rules.observe import write_number
from t2r_env.rules.snapshot import Snapshot
from t2r_env.rules.state import SharedRules, SharedScratch
from t2r_env.rules.text import Description, Text, count_cards
from t2r_env.rules.turns import finish_turn

NO_COLOUR = -1
THREES = tuple(sorted(combinations(range(NUM_COLOURS), 3), key=lambda colours: colours[::-1]))
"""Every three colours, by number: ordered by their last colour, then by the one before it."""


class _Phases(NamedTuple):
    SET_CARDS: int
    SET_LOCOMOTIVES: int


class _Blocks(NamedTuple):
    PLAY_SET: int
    PLAY_THREE: int
    SET_CARDS: int
    SET_LOCOMOTIVES: int


class _Segments(NamedTuple):
    SUBJECT_SET: int
    SUBJECT_CARDS: int


phases = PHASES.add(_Phases)
blocks = BLOCKS.add(_Blocks)
segments = SEGMENTS.add(_Segments)


class SetState(YardState):
    """The set that is being played."""

    set_colour: int = int64()  # or NO_COLOUR
    set_cards: int = int64()  # its coloured cards, once they are chosen


class SetRules(SharedRules):
    """What the actions of block `play_three` mean."""

    threes: Array = int64(len(THREES), 3)  # the colours of each


# In a turn


@inlined
def _list_turn_actions(state: SetState, rules: SetRules, scratch: SharedScratch, count: int) -> int:
    """Sets, and three cards of three colours."""
    seat = state.current
    locomotives = state.hand[seat, LOCOMOTIVE]
    for colour in range(NUM_COLOURS):
        cards = state.hand[seat, colour]
        if cards > 0 and cards + locomotives >= least_set(state, seat, colour):
            scratch.legal[count] = rules.first_action[blocks.PLAY_SET] + colour
            count += 1
    return _list_threes(state, rules, scratch, seat, count)


@inlined
def _list_threes(state: SetState, rules: SetRules, scratch: SharedScratch, seat: int, count: int) -> int:
    """List, after `count` other actions, every three colours that lie in no rail yard: one card robs nobody."""
    for third in range(2, NUM_COLOURS):
        if _has_free(state, seat, third):
            for second in range(1, third):
                if _has_free(state, seat, second):
                    for first in range(second):
                        if _has_free(state, seat, first):
                            number = _number_of_three(first, second, third)
                            scratch.legal[count] = rules.first_action[blocks.PLAY_THREE] + number
                            count += 1
    return count


@inlined
def _has_free(state: SetState, seat: int, colour: int) -> bool:
    """Whether the seat has a card of a colour that lies in no rail yard."""
    return state.hand[seat, colour] > 0 and state.yard_owner[colour] == NOBODY


@inlined
def _number_of_three(first: int, second: int, third: int) -> int:
    """The number of three colours, which must ascend, among `THREES`."""
    return first + second * (second - 1) // 2 + third * (third - 1) * (third - 2) // 6


@inlined
def _begin_action(state: SetState, rules: SetRules, action: int) -> bool:
    """Begin a set, or lay three rows of one card."""
    colour = action - rules.first_action[blocks.PLAY_SET]
    if 0 <= colour < NUM_COLOURS:
        _enter_set_cards(state, colour)
    else:
        three = action - rules.first_action[blocks.PLAY_THREE]
        for index in range(3):
            lay_row(state, state.current, rules.threes[three, index], 1, 0)
        finish_turn(state)
    return True


# Phase `set_cards`: how many coloured cards are played in the set?


@inlined
def _enter_set_cards(state: SetState, colour: int) -> None:
    state.set_colour = colour
    state.phase = phases.SET_CARDS


@inlined
def _list_cards(state: SetState, rules: SetRules, scratch: SharedScratch) -> int:
    """At least one, and so many that with all locomotives they are enough."""
    seat, colour = state.current, state.set_colour
    least = max(1, least_set(state, seat, colour) - state.hand[seat, LOCOMOTIVE])
    count = 0
    for cards in range(least, state.hand[seat, colour] + 1):
        scratch.legal[count] = rules.first_action[blocks.SET_CARDS] + cards - 1
        count += 1
    return count


@inlined
def _apply_cards(state: SetState, rules: SetRules, scratch: SharedScratch, action: int) -> None:
    """Note the number; how many locomotives is the next decision."""
    _enter_set_locomotives(state, action - rules.first_action[blocks.SET_CARDS] + 1)


# Phase `set_locomotives`: how many locomotives are played in the set?


@inlined
def _enter_set_locomotives(state: SetState, cards: int) -> None:
    state.set_cards = cards
    state.phase = phases.SET_LOCOMOTIVES


@inlined
def _list_locomotives(state: SetState, rules: SetRules, scratch: SharedScratch) -> int:
    """As many as make the set large enough, up to all."""
    seat = state.current
    least = max(0, least_set(state, seat, state.set_colour) - state.set_cards)
    count = 0
    for locomotives in range(least, state.hand[seat, LOCOMOTIVE] + 1):
        scratch.legal[count] = rules.first_action[blocks.SET_LOCOMOTIVES] + locomotives
        count += 1
    return count


@inlined
def _apply_locomotives(state: SetState, rules: SetRules, scratch: SharedScratch, action: int) -> None:
    """Lay the row. The turn is over."""
    locomotives = action - rules.first_action[blocks.SET_LOCOMOTIVES]
    lay_row(state, state.current, state.set_colour, state.set_cards, locomotives)
    state.set_colour = NO_COLOUR
    state.set_cards = 0
    finish_turn(state)


@inlined
def _write_public(state: SetState, rules: SetRules, at: Array, viewer: int, vector: Array) -> None:
    if state.set_colour != NO_COLOUR:
        write_number(1, at[segments.SUBJECT_SET] + state.set_colour, vector)
    write_number(state.set_cards, at[segments.SUBJECT_CARDS], vector)


@compiled
def _deal_choice(state: SetState, rules: SetRules, scratch: SharedScratch, seat: int) -> None:
    """Deal the cards of the seat that decides on a set, so that it has a choice: few hands would do otherwise."""
    if state.phase != phases.SET_CARDS and state.phase != phases.SET_LOCOMOTIVES:
        return
    acting, colour = state.current, state.set_colour
    while list_legal(state, rules, scratch) < 2 or state.hand[acting, colour] < state.set_cards:
        take_unknown(state, state.hand[acting], state.known[acting])
        locomotives = int(below(state, rules.deck[LOCOMOTIVE] + 1))
        if state.phase == phases.SET_CARDS:
            _draw_lacking(state, acting, colour, max(1, least_set(state, acting, colour) - locomotives) + 1)
        else:
            _draw_lacking(state, acting, colour, state.set_cards)
        _draw_lacking(state, acting, LOCOMOTIVE, locomotives)
        draw_unknown(state, state.hand[acting], state.hand_count[acting])


@compiled
def _draw_lacking(state: SetState, seat: int, card: int, number: int) -> None:
    """Draw the cards of one type that a hand lacks, as far as deck and hand allow."""
    lacking = min(number - state.hand[seat, card], state.hand_count[seat] - train_cards.count(state.hand[seat]))
    drawn = max(0, min(lacking, state.deck[card]))
    state.hand[seat, card] += drawn
    state.deck[card] -= drawn
    state.deck_count -= drawn


# What is declared


def lay_out_plays(configuration: CardConfiguration) -> list[Part]:
    """The blocks of a turn."""
    return [
        (blocks.PLAY_SET, (NUM_COLOURS,), "play a set of a colour; how many cards are the next decisions (CG7)"),
        (blocks.PLAY_THREE, (len(THREES),), "play three cards of three colours (CG7)"),
    ]


def lay_out_sizes(configuration: CardConfiguration) -> list[Part]:
    """The blocks of a set."""
    cards, locomotives = configuration.largest_set, configuration.variant.locomotives + 1
    return [
        (blocks.SET_CARDS, (cards,), "play this many coloured cards in the set, from 1 (CG7)"),
        (blocks.SET_LOCOMOTIVES, (locomotives,), "play this many locomotives in the set, from 0 (CG7)"),
    ]


def _public_segments(configuration: CardConfiguration) -> list[Part]:
    return [
        (segments.SUBJECT_SET, (NUM_COLOURS,), "one-hot: the colour of the set that is being played (CG7)"),
        (segments.SUBJECT_CARDS, (1,), "coloured cards in the set, once chosen"),
    ]


def _write_rules(record: Any, configuration: CardConfiguration) -> None:
    record.threes = THREES


def _write_opening(state: Any, rules: Any) -> None:
    state.set_colour = NO_COLOUR


def _limits(rules: Any) -> Limits:
    return {"set_cards": CARDS_LIMIT, "set_colour": (NO_COLOUR, NUM_COLOURS - 1)}


def _find_fault(states: States, rules: Any) -> str:
    is_set = (states["set_colour"] != NO_COLOUR) | (states["set_cards"] != 0)
    if np.any(is_set & (states["outcome"] != outcomes.RUNNING)):
        return "no set must be played in an ended game"
    return ""


def _find_fault_of_decision(states: States, rules: Any) -> str:
    """A set must be there if the decision is about it, and only then."""
    phase, cards = states["phase"], states["set_cards"]
    is_about_it = (phase == phases.SET_CARDS) | (phase == phases.SET_LOCOMOTIVES)
    if np.any((states["set_colour"] != NO_COLOUR) != is_about_it):
        return "set_colour must be set if the decision is about it, and only then"
    held = states["hand"][np.arange(len(states)), states["current"], np.maximum(states["set_colour"], 0)]
    if np.any((cards > 0) != (phase == phases.SET_LOCOMOTIVES)) or np.any((cards > 0) & (cards > held)):
        return "set_cards must be coloured cards of the hand in phase set_locomotives, and none otherwise"
    return ""


def _set_text(colour: int) -> Description:
    return Description({"action": "play_set", "colour": CARDS[colour]}, f"play a set of {CARDS[colour]} cards")


def _three_text(colours: Sequence[int]) -> Description:
    names = [CARDS[colour] for colour in colours]
    return Description({"action": "play_three", "colours": names}, f"play {count_cards(dict.fromkeys(names, 1))}")


def _cards_text(number: int) -> Description:
    return Description({"action": "set_cards", "cards": number}, _with_number(number, "coloured card"))


def _with_number(number: int, thing: str) -> str:
    return f"with {number} {thing}{'' if number == 1 else 's'}"


def _describe_set(text: Text, state: Any, action: int, offset: int) -> Description:
    return _set_text(offset)


def _describe_three(text: Text, state: Any, action: int, offset: int) -> Description:
    return _three_text(THREES[offset])


def _describe_cards(text: Text, state: Any, action: int, offset: int) -> Description:
    return _cards_text(offset + 1)


def _describe_locomotives(text: Text, state: Any, action: int, offset: int) -> Description:
    return Description({"action": "set_locomotives", "locomotives": offset}, _with_number(offset, "locomotive"))


def _subject(snapshot: Snapshot) -> dict[str, Any]:
    state = snapshot.state
    if state.set_colour == NO_COLOUR:
        return {}
    chosen = {"cards": int(state.set_cards)} if snapshot.is_in("set_locomotives") else {}
    return {"set": CARDS[state.set_colour], **chosen}


def _pending_after(snapshot: Snapshot) -> list[Any]:
    state = snapshot.state
    pending = [] if state.set_colour == NO_COLOUR else [_set_text(state.set_colour)]
    return pending + ([_cards_text(int(state.set_cards))] if snapshot.is_in("set_locomotives") else [])


SETS = RuleModule(
    phases=[
        Phase(phases.SET_CARDS, _list_cards, _apply_cards),
        Phase(phases.SET_LOCOMOTIVES, _list_locomotives, _apply_locomotives),
    ],
    hooks={
        hooks.list_turn_actions: _list_turn_actions,
        hooks.begin_action: _begin_action,
        hooks.write_public: _write_public,
        hooks.deal_choice: _deal_choice,
    },
    public_segments=_public_segments,
    write_rules=_write_rules,
    write_opening=_write_opening,
    limits=_limits,
    find_fault=_find_fault,
    find_fault_of_decision=_find_fault_of_decision,
    describe={
        blocks.PLAY_SET: _describe_set,
        blocks.PLAY_THREE: _describe_three,
        blocks.SET_CARDS: _describe_cards,
        blocks.SET_LOCOMOTIVES: _describe_locomotives,
    },
    subject=_subject,
    pending_after=_pending_after,
)
"""Sets and threes."""
