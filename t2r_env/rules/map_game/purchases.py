"""Buying a technology, before the action of a turn (UK8)."""

from typing import Any, NamedTuple

from t2r_env.core.compiled import compiled, inlined
from t2r_env.core.layout import Part
from t2r_env.rules import hooks, train_cards
from t2r_env.rules.cards import LOCOMOTIVE
from t2r_env.rules.map_game import exchange, paying, right_of_way, technologies
from t2r_env.rules.map_game.board import enter_pay
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.map_game.flow import cards_due, complete_purchase, locomotives_due
from t2r_env.rules.map_game.prices import PriceRules, PriceState
from t2r_env.rules.map_game.technologies import NO_TECHNOLOGY, Technology, effects
from t2r_env.rules.module import RuleModule
from t2r_env.rules.names import BLOCKS
from t2r_env.rules.snapshot import Snapshot
from t2r_env.rules.state import SharedScratch
from t2r_env.rules.text import Description, Text
from t2r_env.rules.turns import enter_turn


class _Blocks(NamedTuple):
    BUY: int


blocks = BLOCKS.add(_Blocks)


@compiled
def _list_extra_actions(state: PriceState, rules: PriceRules, scratch: SharedScratch, count: int) -> int:
    """The technologies in the supply that the seat has not and can pay, if it has bought none in this turn."""
    if state.bought != NO_TECHNOLOGY:
        return count
    seat = state.current
    coloured, locomotives = exchange.coloured_cards(state, seat), state.hand[seat, LOCOMOTIVE]
    units = coloured // exchange.rate(state, rules, seat) + locomotives
    for technology in range(rules.num_technologies):
        is_there = technologies.copies_left(state, rules, technology) > 0
        is_payable = rules.technology_price[technology] <= units
        if is_there and is_payable and not technologies.holds(state, seat, technology):
            is_right_of_way = technology == rules.technology_with[effects.RIGHT_OF_WAY]
            if not is_right_of_way or right_of_way.stays_possible(state, rules, seat):
                scratch.legal[count] = rules.first_action[blocks.BUY] + technology
                count += 1
    return count


@inlined
def _begin_action(state: PriceState, rules: PriceRules, action: int) -> bool:
    """How it is paid is the next decision."""
    technology = action - rules.first_action[blocks.BUY]
    if not 0 <= technology < rules.block_size[blocks.BUY]:
        return False
    state.technology = technology
    enter_pay(state)
    return True


@inlined
def buys_right_of_way(state: PriceState, rules: PriceRules) -> bool:
    """Whether the technology being paid for is Right of Way."""
    return state.technology != NO_TECHNOLOGY and state.technology == rules.technology_with[effects.RIGHT_OF_WAY]


@inlined
def _price(state: PriceState, rules: PriceRules, cards: int) -> int:
    """So many locomotives: all of its cards."""
    return cards if state.technology == NO_TECHNOLOGY else rules.technology_price[state.technology]


@inlined
def _complete_purchase(state: PriceState, rules: PriceRules) -> bool:
    """The technology works from now on; what was paid is discarded after it is taken (UK8, UK12)."""
    if state.technology == NO_TECHNOLOGY:
        return False
    technologies.take(state, state.current, state.technology)
    state.bought = state.technology
    state.technology = NO_TECHNOLOGY
    paying.discard_all(state)
    train_cards.restore(state, rules)
    enter_turn(state)
    return True


# What is declared


def _is_used(configuration: MapConfiguration) -> bool:
    return bool(configuration.technologies)


def _lay_out_blocks(configuration: MapConfiguration) -> list[Part]:
    buy = "buy a technology; the payment is the next decision (UK8)"
    return [(blocks.BUY, (len(configuration.technologies),), buy)]


def _technology(snapshot: Snapshot, number: int) -> Technology:
    technology: Technology = snapshot.configuration.technologies[number]
    return technology


def _buy_text(technology: Technology) -> Description:
    """Buying a technology."""
    return Description({"action": "buy", "technology": technology.id}, f"buy {technology.name}")


def _describe(text: Text, state: Any, action: int, offset: int) -> Description:
    configuration = text.configuration
    assert isinstance(configuration, MapConfiguration)
    return _buy_text(configuration.technologies[offset])


def _subject(snapshot: Snapshot) -> dict[str, Any]:
    technology = snapshot.state.technology
    return {} if technology == NO_TECHNOLOGY else {"technology": _technology(snapshot, technology).id}


def _pending_first(snapshot: Snapshot) -> list[Any]:
    bought = [snapshot.state.bought, snapshot.state.technology]
    return [_buy_text(_technology(snapshot, number)) for number in bought if number != NO_TECHNOLOGY]


PURCHASES = RuleModule(
    is_used=_is_used,
    hooks={
        hooks.list_extra_actions: _list_extra_actions,
        hooks.begin_action: _begin_action,
        cards_due: _price,
        locomotives_due: _price,
        complete_purchase: _complete_purchase,
    },
    blocks=_lay_out_blocks,
    prices=lambda configuration: [technology.price for technology in configuration.technologies],
    describe={blocks.BUY: _describe},
    subject=_subject,
    pending_first=_pending_first,
)
"""Purchases of technologies."""
