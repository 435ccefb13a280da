"""Coloured cards that stand for a locomotive, some for one, wherever locomotives are paid (UK5).

A *unit* is a locomotive paid, be it a card or an exchange. Cards spent towards exchanges lie apart; whole exchanges
among them are units made, the rest is one that is half made. A price is paid by some cards of one colour and units for
all the rest, at least as many as there are symbols; a technology is all symbols.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined
from t2r_env.core.layout import Part
from t2r_env.core.records import int64
from t2r_env.rules.cards import CARDS, LOCOMOTIVE
from t2r_env.rules.map_game import technologies
from t2r_env.rules.map_game.board import GRAY
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.map_game.paying import HAND
from t2r_env.rules.map_game.technologies import TechnologyRules, TechnologyState, effects
from t2r_env.rules.module import RuleModule
from t2r_env.rules.names import BLOCKS
from t2r_env.rules.snapshot import Snapshot
from t2r_env.rules.state import SharedScratch
from t2r_env.rules.text import Description, Text
from t2r_env.sizes import MAX_EXCHANGE, MAX_LENGTH
from t2r_env.variants import MapVariant
from t2r_env.variants.declared import Entries, Key
from t2r_env.variants.reading import Row, Table


class _Blocks(NamedTuple):
    SPEND: int


blocks = BLOCKS.add(_Blocks)


class ExchangeRules(TechnologyRules):
    """How many cards an exchange takes."""

    exchange: int = int64()  # coloured cards that stand for a locomotive; 0 if they never do


@inlined
def rate(state: TechnologyState, rules: ExchangeRules, seat: int) -> int:
    """How many cards stand for a locomotive."""
    return (
        rules.exchange - 1
        if technologies.holds(state, seat, rules.technology_with[effects.BOOSTER])
        else rules.exchange
    )


@inlined
def coloured_cards(state: TechnologyState, seat: int) -> int:
    """How many coloured cards a hand has."""
    return state.hand_count[seat] - state.hand[seat, LOCOMOTIVE]


@inlined
def most_of_a_colour(state: TechnologyState, seat: int, colour: int) -> int:
    """How many cards of a route's colour a hand has; for a gray route, of the colour of which it has most."""
    if colour != GRAY:
        return state.hand[seat, colour]
    most = 0
    for other in range(GRAY):
        most = max(most, state.hand[seat, other])
    return most


@inlined
def reach(of_colour: int, coloured: int, locomotives: int, symbols: int, exchanges: int, for_one: int) -> int:
    """The greatest price that can be paid: with cards of one colour, `coloured` cards in all and locomotives.

    `exchanges` is how many locomotives the cards of other colours stand for.
    """
    if locomotives + exchanges >= symbols:
        return of_colour + locomotives + exchanges
    # cards of the colour are exchanged too, since there must be a unit for each symbol
    kept = coloured - (symbols - locomotives) * for_one
    return kept + symbols if kept >= 0 else 0


@compiled
def payable(state: TechnologyState, rules: ExchangeRules, seat: int) -> tuple[np.uint64, np.uint64]:
    """The two words of the set of routes for which the seat's cards are enough."""
    low, high = bits.NONE, bits.NONE
    for_one = rate(state, rules, seat)
    coloured, locomotives = coloured_cards(state, seat), state.hand[seat, LOCOMOTIVE]
    is_cheaper = technologies.holds(state, seat, rules.technology_with[effects.DIESEL_POWER])
    most = 0
    for colour in range(GRAY + 1):
        of_colour = most
        if colour != GRAY:
            of_colour = state.hand[seat, colour]
            most = max(most, of_colour)
        exchanges = (coloured - of_colour) // for_one
        for symbols in range(rules.max_symbols + 1):
            price = min(reach(of_colour, coloured, locomotives, symbols, exchanges, for_one), MAX_LENGTH)
            low |= rules.up_to_length[colour, price, 0] & rules.with_symbols[symbols, 0]
            high |= rules.up_to_length[colour, price, 1] & rules.with_symbols[symbols, 1]
            if is_cheaper and price > 0:
                longer = min(price + 1, MAX_LENGTH)
                low |= rules.up_to_length[colour, longer, 0] & rules.with_symbols[symbols, 0] & rules.reducible[0]
                high |= rules.up_to_length[colour, longer, 1] & rules.with_symbols[symbols, 1] & rules.reducible[1]
    return low, high


@inlined
def spent(state: TechnologyState) -> int:
    """How many cards have been spent towards exchanges."""
    number = 0
    for colour in range(LOCOMOTIVE):
        number += state.set_aside[HAND, colour]
    return number


@inlined
def can_finish(
    of_colour: int, coloured: int, locomotives: int, spent_so_far: int, price: int, symbols: int, for_one: int
) -> bool:
    """Whether a payment can be completed, exactly, from the cards held and those spent so far."""
    begun = (spent_so_far + for_one - 1) // for_one
    kept = min(of_colour, price - max(symbols, begun))
    if kept < 0:
        return False
    # no more cards of the colour than spare an exchange: they too may complete the one that is half made
    kept = min(kept, max(0, price - locomotives - begun))
    exchanges = max(begun, price - kept - locomotives)
    return coloured - kept >= for_one * exchanges - spent_so_far


@compiled
def list_spends(
    state: TechnologyState,
    rules: ExchangeRules,
    scratch: SharedScratch,
    seat: int,
    price: int,
    symbols: int,
    colour: int,
    count: int,
) -> int:
    """List, after `count` other actions, the cards after whose spending the payment can still be completed."""
    for_one = rate(state, rules, seat)
    coloured, locomotives = coloured_cards(state, seat) - 1, state.hand[seat, LOCOMOTIVE]
    number = spent(state) + 1
    of_colour = most_of_a_colour(state, seat, colour)
    # spending a card of the payment's colour, or of the only colour of which there are most, leaves one less of it
    fits = can_finish(of_colour, coloured, locomotives, number, price, symbols, for_one)
    fits_with_less = can_finish(of_colour - 1, coloured, locomotives, number, price, symbols, for_one)
    colours_with_most = 0
    for other in range(GRAY):
        colours_with_most += state.hand[seat, other] == of_colour
    for other in range(GRAY):
        held = state.hand[seat, other]
        is_less = other == colour or (colour == GRAY and held == of_colour and colours_with_most == 1)
        if held > 0 and (fits_with_less if is_less else fits):
            scratch.legal[count] = rules.first_action[blocks.SPEND] + other
            count += 1
    return count


# What is declared


def _read_exchange(table: Table, variant: MapVariant) -> int:
    """How many coloured cards stand for a locomotive; 0 if they never do."""
    return table.integer("exchange", 0, MAX_EXCHANGE)


def _check(table: Table, routes: Sequence[Row], variant: MapVariant) -> None:
    """Technologies are paid by exchanges, which the Booster makes cheaper; no rule has exchanges in a game of teams."""
    least = 2 if any(technology.effect == "booster" for technology in variant.all_technologies) else 1
    if variant.all_technologies and variant.exchange < least:
        raise table.wrong("exchange", f"{least} to {MAX_EXCHANGE} with the technologies of technologies.csv")
    if variant.exchange and variant.team_size > 1:
        raise table.wrong("exchange", "0 in a game of teams")


def _is_used(configuration: MapConfiguration) -> bool:
    return bool(configuration.variant.exchange)


def _lay_out_blocks(configuration: MapConfiguration) -> list[Part]:
    return [(blocks.SPEND, (LOCOMOTIVE,), "lay out a card of this colour towards an exchange for a locomotive (UK5)")]


def _write_rules(record: Any, configuration: MapConfiguration) -> None:
    record.exchange = configuration.variant.exchange


def _spend_text(card: int) -> Description:
    """Laying a card out towards an exchange."""
    return Description({"action": "spend", "colour": CARDS[card]}, f"spend 1 {CARDS[card]} towards a locomotive")


def _describe(text: Text, state: Any, action: int, offset: int) -> Description:
    return _spend_text(offset)


def _pending_before(snapshot: Snapshot) -> list[Any]:
    spent_cards = enumerate(snapshot.state.set_aside[HAND]) if snapshot.is_in("pay") else ()
    return [_spend_text(card) for card, number in spent_cards for _ in range(number)]


EXCHANGE = RuleModule(
    is_used=_is_used,
    entries=Entries(keys=[Key("exchange", 0, _read_exchange)], checks=[_check]),  # UK5
    blocks=_lay_out_blocks,
    write_rules=_write_rules,
    describe={blocks.SPEND: _describe},
    pending_before=_pending_before,
)
"""Exchanges."""
