"""Technologies: what they open (UK6), who holds them, their supply (UK8, UK12), and what they are worth (UK10).

How one is bought is in purchases.py. Right of Way and the Thermocompressor have modules of their own.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from t2r_env.core import bits
from t2r_env.core.bits import bitset_of
from t2r_env.core.compiled import compiled, inlined, write_bits
from t2r_env.core.game import outcomes
from t2r_env.core.layout import Part
from t2r_env.core.names import Names
from t2r_env.core.records import Array, bitset, int8, int32, int64
from t2r_env.rules import hooks, train_cards
from t2r_env.rules.check import members as sets_as_rows
from t2r_env.rules.check import numbers_of, of_current
from t2r_env.rules.map_game.board import ROUTE_WORDS, purchases, total_of_routes
from t2r_env.rules.map_game.board import parts as board_parts
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.map_game.ferries import FerryRules
from t2r_env.rules.map_game.flow import score_claim
from t2r_env.rules.map_game.paying import PayingRules, PayingState
from t2r_env.rules.module import Limits, RuleModule, States
from t2r_env.rules.names import BLOCKS, PARTS, SEGMENTS
from t2r_env.rules.observe import seat_after, write_number
from t2r_env.rules.ranking import add_points, has_most
from t2r_env.rules.snapshot import Snapshot, members
from t2r_env.rules.state import ScoringScratch, SharedScratch
from t2r_env.rules.text import Description, Text
from t2r_env.rules.turns import finish_turn
from t2r_env.sizes import MAX_LENGTH, MAX_SEATS, MAX_TECHNOLOGIES, MAX_TECHNOLOGY_PRICE
from t2r_env.variants import MapVariant, Route
from t2r_env.variants.declared import Column, Entries, File, Switch
from t2r_env.variants.every_game import allow_at_most
from t2r_env.variants.reading import Names as Columns
from t2r_env.variants.reading import Row, listed
from t2r_env.variants.variant import map_tie_breaks

NO_TECHNOLOGY = -1

LAGGING_POINTS = 1
TURBINE_POINTS = 2
HEADING_POINTS = 2
CONTRACT_POINTS = 20
BEAM_POINTS = 15
CARDS_OF_WATER_TENDERS = 3


EFFECTS = Names()
"""What a technology may do besides opening routes (UK8, UK9, UK12)."""


class _Effects(NamedTuple):
    BOOSTER: int
    BOILER_LAGGING: int
    STEAM_TURBINES: int
    DOUBLE_HEADING: int
    RIGHT_OF_WAY: int
    THERMOCOMPRESSOR: int
    WATER_TENDERS: int
    RISKY_CONTRACTS: int
    EQUALISING_BEAM: int
    DIESEL_POWER: int


effects = EFFECTS.add(_Effects)


class _Blocks(NamedTuple):
    DRAW_THREE: int


class _Segments(NamedTuple):
    TECHNOLOGIES: int
    TECHNOLOGIES_LEFT: int
    SUBJECT_TECHNOLOGY: int
    BOUGHT: int


class _Parts(NamedTuple):
    TECHNOLOGIES: int


blocks = BLOCKS.add(_Blocks)
segments = SEGMENTS.add(_Segments)
parts = PARTS.add(_Parts)


@dataclass(frozen=True)
class Technology:
    """A technology that players buy for locomotives (UK8). What it opens, nobody claims without it (UK6)."""

    id: str
    name: str
    price: int
    """In locomotives."""
    copies: int
    advanced: bool
    """Whether only games with the option `advanced_technologies` have it (UK12)."""
    regions: tuple[str, ...]
    """It opens routes with an end in one of these regions,"""
    lengths: tuple[int, ...]
    """routes of so many spaces,"""
    ferries: bool
    """and routes with a locomotive symbol."""
    effect: str
    """Of `EFFECTS`; empty if it does nothing besides."""

    def opens(self, route: Route, ends: Collection[str]) -> bool:
        """Whether a route, whose ends lie in the given regions, takes it (UK6, UK7)."""
        if route.no_technology:
            return False
        in_region = any(region in ends for region in self.regions)
        return in_region or route.length in self.lengths or (self.ferries and bool(route.ferry))


purchases["technology"] = NO_TECHNOLOGY


class TechnologyState(PayingState):
    """Technologies: bit i is the technology of number i (UK8)."""

    technologies: Array = int32(MAX_SEATS)
    technologies_left: Array = int8(MAX_TECHNOLOGIES)  # copies in the supply
    technology: int = int64()  # the one that is being paid for, or NO_TECHNOLOGY
    bought: int = int8()  # the one bought this turn, or NO_TECHNOLOGY


class TechnologyRules(PayingRules, FerryRules):
    """The technologies of the game (UK6, UK8)."""

    num_technologies: int = int64()
    technology_price: Array = int64(MAX_TECHNOLOGIES)
    technology_copies: Array = int8(MAX_TECHNOLOGIES)
    technology_with: Array = int64(EFFECTS)  # which one has the effect, or NO_TECHNOLOGY
    takes_technology: Array = bitset(MAX_TECHNOLOGIES, ROUTE_WORDS)  # the routes that nobody claims without each
    reducible: Array = bitset(ROUTE_WORDS)  # routes that Diesel Power makes cheaper (UK12)


@inlined
def holds(state: TechnologyState, seat: int, technology: int) -> bool:
    """Whether a seat has a technology; nobody has one that does not exist."""
    is_there = technology != NO_TECHNOLOGY
    return is_there and (state.technologies[seat] >> technology) & 1 == 1


@inlined
def was_bought(state: TechnologyState, technology: int) -> bool:
    """Whether a technology was bought this turn."""
    return state.bought != NO_TECHNOLOGY and state.bought == technology


@inlined
def permitted(state: TechnologyState, rules: TechnologyRules, seat: int) -> tuple[np.uint64, np.uint64]:
    """The two words of the set of routes for which the seat has every technology that they take (UK6)."""
    low, high = bits.NONE, bits.NONE
    for technology in range(rules.num_technologies):
        if not holds(state, seat, technology):
            low |= rules.takes_technology[technology, 0]
            high |= rules.takes_technology[technology, 1]
    return ~low, ~high


@inlined
def copies_left(state: TechnologyState, rules: TechnologyRules, technology: int) -> int:
    """How many the supply has; some leave it when the train cards are first reshuffled (UK12)."""
    is_limited = (
        technology == rules.technology_with[effects.RISKY_CONTRACTS]
        or technology == rules.technology_with[effects.EQUALISING_BEAM]
    )
    return 0 if is_limited and state.reshuffled else state.technologies_left[technology]


@inlined
def take(state: TechnologyState, seat: int, technology: int) -> None:
    """From the supply to a seat."""
    state.technologies[seat] |= 1 << technology
    state.technologies_left[technology] -= 1


@inlined
def give_back(state: TechnologyState, seat: int, technology: int) -> None:
    """Back into the supply, if the seat has it (UK9, UK12)."""
    if holds(state, seat, technology):
        state.technologies[seat] &= ~(1 << technology)
        state.technologies_left[technology] += 1


# Water Tenders (UK12)


@inlined
def _list_turn_actions(state: TechnologyState, rules: TechnologyRules, scratch: SharedScratch, count: int) -> int:
    """Three cards may be drawn."""
    if state.deck_count > 0 and holds(state, state.current, rules.technology_with[effects.WATER_TENDERS]):
        scratch.legal[count] = rules.first_action[blocks.DRAW_THREE]
        count += 1
    return count


@compiled
def _begin_action(state: TechnologyState, rules: TechnologyRules, action: int) -> bool:
    """Three cards blind, or as many as there are."""
    if action != rules.first_action[blocks.DRAW_THREE]:
        return False
    state.passes = 0
    for _ in range(CARDS_OF_WATER_TENDERS):
        if state.deck_count > 0:
            train_cards.draw_into_hand(state, rules, state.current)
    train_cards.restore(state, rules)
    finish_turn(state)
    return True


@inlined
def _forget_turn(state: TechnologyState, rules: TechnologyRules) -> None:
    state.bought = NO_TECHNOLOGY


# Points


@inlined
def _score_claim(state: TechnologyState, rules: TechnologyRules, seat: int, route: int) -> None:
    """What technologies add to the points for a route that is being claimed (UK8, UK10)."""
    points = 0
    if holds(state, seat, rules.technology_with[effects.BOILER_LAGGING]):
        points += LAGGING_POINTS
    if rules.route_ferry[route] > 0 and holds(state, seat, rules.technology_with[effects.STEAM_TURBINES]):
        points += TURBINE_POINTS
    add_points(state, rules.team[seat], board_parts.ROUTES, points)


@compiled
def _score_end(state: TechnologyState, rules: TechnologyRules, scoring: ScoringScratch) -> None:
    """What technologies bring or cost in the end (UK8, UK12)."""
    for seat in range(rules.num_seats):
        team = rules.team[seat]
        points = 0
        if holds(state, seat, rules.technology_with[effects.DOUBLE_HEADING]):
            points += HEADING_POINTS * state.completed[team]
        if holds(state, seat, rules.technology_with[effects.RISKY_CONTRACTS]):
            has_most_tickets = has_most(rules, scoring.standing[map_tie_breaks.COMPLETED_TICKETS], team)
            points += CONTRACT_POINTS if has_most_tickets else -CONTRACT_POINTS
        if holds(state, seat, rules.technology_with[effects.EQUALISING_BEAM]):
            has_longest_path = has_most(rules, scoring.standing[map_tie_breaks.LONGEST_PATH], team)
            points += BEAM_POINTS if has_longest_path else -BEAM_POINTS
        add_points(state, team, parts.TECHNOLOGIES, points)


@inlined
def _write_public(state: TechnologyState, rules: TechnologyRules, at: Array, viewer: int, vector: Array) -> None:
    seat = viewer
    for distance in range(rules.num_seats):
        start = at[segments.TECHNOLOGIES] + distance * rules.num_technologies
        write_bits(np.uint64(state.technologies[seat]), rules.num_technologies, start, vector)
        seat = seat_after(rules, seat)
    for technology in range(rules.num_technologies):
        write_number(copies_left(state, rules, technology), at[segments.TECHNOLOGIES_LEFT] + technology, vector)
    if state.technology != NO_TECHNOLOGY:
        write_number(1, at[segments.SUBJECT_TECHNOLOGY] + state.technology, vector)
    if state.bought != NO_TECHNOLOGY:
        write_number(1, at[segments.BOUGHT] + state.bought, vector)


# What is declared


TECHNOLOGY_COLUMNS = Columns(
    required=("id", "name", "price", "copies"),
    defaults={"advanced": "", "regions": "", "lengths": "", "ferries": "", "effect": ""},
)


def _read_technologies(rows: Sequence[Row], variant: MapVariant) -> tuple[Technology, ...]:
    """The technologies of technologies.csv (UK8)."""
    allow_at_most(MAX_TECHNOLOGIES, rows, "technologies")
    regions = {city.region for city in variant.cities} - {""}
    technologies: dict[str, Technology] = {}
    for row in rows:
        technology = Technology(
            id=row.identifier("id"),
            name=row.text("name"),
            price=row.integer("price", 1, MAX_TECHNOLOGY_PRICE),
            copies=row.integer("copies", 1, MAX_SEATS),
            advanced=row.mark("advanced"),
            regions=tuple(
                it.choice(
                    "regions", regions, f"regions of cities.csv with semicolons between ({listed(sorted(regions))})"
                )
                for it in row.several("regions")
            ),
            lengths=tuple(it.integer("lengths", 1, MAX_LENGTH) for it in row.several("lengths")),
            ferries=row.mark("ferries"),
            effect=row.choice("effect", ("", *EFFECTS), f"nothing or one of {listed(EFFECTS)}"),
        )
        if technology.id in technologies:
            raise row.wrong("id", "an id that no other technology has")
        if technology.effect and any(it.effect == technology.effect for it in technologies.values()):
            raise row.wrong("effect", "an effect that no other technology has")
        technologies[technology.id] = technology
    return tuple(technologies.values())


def _has_advanced(variant: MapVariant) -> bool:
    """Whether there are some that only games with the option have (UK12)."""
    return any(technology.advanced for technology in variant.all_technologies)


def _is_used(configuration: MapConfiguration) -> bool:
    return bool(configuration.technologies)


def _lay_out_blocks(configuration: MapConfiguration) -> list[Part]:
    if not configuration.has_effect("water_tenders"):
        return []
    return [(blocks.DRAW_THREE, (1,), "draw three train cards from the deck (UK12)")]


def _public_segments(configuration: MapConfiguration) -> list[Part]:
    number = len(configuration.technologies)
    return [
        (segments.TECHNOLOGIES, (configuration.num_players, number), "technologies of each seat"),
        (segments.TECHNOLOGIES_LEFT, (number,), "copies of each technology left in the supply"),
        (segments.SUBJECT_TECHNOLOGY, (number,), "one-hot: the technology that is being paid for"),
        (segments.BOUGHT, (number,), "one-hot: the technology bought this turn"),
    ]


def _write_rules(record: Any, configuration: MapConfiguration) -> None:
    variant = configuration.variant
    record.num_technologies = len(configuration.technologies)
    record.technology_with[:] = NO_TECHNOLOGY
    for number, technology in enumerate(configuration.technologies):
        record.technology_price[number] = technology.price
        record.technology_copies[number] = technology.copies
        if technology.effect:
            record.technology_with[EFFECTS.index(technology.effect)] = number
        routes = enumerate(variant.routes)
        opened = [it for it, route in routes if technology.opens(route, variant.regions_of(route))]
        record.takes_technology[number] = bitset_of(opened, ROUTE_WORDS)
    longer = [it for it, route in enumerate(variant.routes) if route.length > max(1, route.ferry)]
    record.reducible = bitset_of(longer, ROUTE_WORDS)
    if configuration.has_effect("equalising_beam"):
        record.needs_longest_path = True


def _write_opening(state: Any, rules: Any) -> None:
    state.technology = state.bought = NO_TECHNOLOGY
    state.technologies_left = rules.technology_copies


def _limits(rules: Any) -> Limits:
    numbers = (NO_TECHNOLOGY, int(rules.num_technologies) - 1)
    return {"technology": numbers, "bought": numbers, "technologies_left": (0, MAX_SEATS)}


def _find_fault(states: States, rules: Any) -> str:
    held = sets_as_rows(states["technologies"].astype(np.uint64)[..., None])
    if np.any(held[:, int(rules.num_seats) :]):
        return "technologies must be held by who plays"
    number = len(rules.technology_copies)
    copies = held[..., :number].sum(1, dtype=np.int64) + states["technologies_left"]
    if np.any(held[..., number:]) or np.any(copies != rules.technology_copies):
        return "each copy of a technology must lie in one place"
    is_running = states["outcome"] == outcomes.RUNNING
    if np.any(~is_running & ((states["technology"] != NO_TECHNOLOGY) | (states["bought"] != NO_TECHNOLOGY))):
        return "no technology must be bought in an ended game"
    for effect in (effects.RIGHT_OF_WAY, effects.THERMOCOMPRESSOR):
        technology = int(rules.technology_with[effect])
        may_hold = (states["bought"] == technology)[:, None] & (np.arange(MAX_SEATS) == states["current"][:, None])
        if technology != NO_TECHNOLOGY and np.any((held[:, :, technology] > 0) & ~may_hold):
            return "a technology that works once must be held in the turn in which it is bought"
    return _find_fault_of_route_points(states, rules, held)


def _find_fault_of_route_points(states: States, rules: Any, held: Array) -> str:
    """Routes bring their points (C10), and technologies may have added some since they were bought (UK8, UK10)."""
    seats = int(rules.num_seats)
    claimed, by_team = states["claimed"][:, :seats], rules.team[:seats, None] == np.arange(MAX_SEATS)
    points = total_of_routes(claimed, rules.points[rules.route_length]) @ by_team
    added = states["breakdown"][:, :, board_parts.ROUTES] - points
    most = np.zeros_like(added)
    is_even = np.ones(added.shape, bool)
    for effect, number, of_each in (
        (effects.BOILER_LAGGING, numbers_of(claimed), LAGGING_POINTS),
        (effects.STEAM_TURBINES, total_of_routes(claimed, rules.route_ferry > 0), TURBINE_POINTS),
    ):
        if (technology := int(rules.technology_with[effect])) != NO_TECHNOLOGY:
            is_held = held[:, :seats, technology]
            most += (number * is_held * of_each) @ by_team
            if of_each % TURBINE_POINTS:
                is_even &= ~((is_held @ by_team) > 0)
    if np.any((added < 0) | (added > most) | (is_even & (added % TURBINE_POINTS != 0))):
        return "breakdown must have the points of the routes claimed, and of technologies held"
    return ""


def _find_fault_of_decision(states: States, rules: Any) -> str:
    """Who pays for a technology has bought none in this turn, and can have it; who has bought one, holds it (UK8)."""
    is_bought, is_paid_for = states["bought"] != NO_TECHNOLOGY, states["technology"] != NO_TECHNOLOGY
    held = of_current(states, "technologies").astype(np.int64)
    if np.any(is_bought & (is_paid_for | (held >> np.maximum(states["bought"], 0) & 1 == 0))):
        return "bought must be a technology that the acting seat holds"
    number = np.maximum(states["technology"], 0)
    left = states["technologies_left"][np.arange(len(states)), number]
    limited = [int(rules.technology_with[effect]) for effect in (effects.RISKY_CONTRACTS, effects.EQUALISING_BEAM)]
    has_left = np.isin(number, limited) & (states["reshuffled"] > 0)
    if np.any(is_paid_for & ((held >> number & 1 == 1) | (left == 0) | has_left)):
        return "technology must be one that is left and that the acting seat does not hold"
    return ""


def _describe_draw_three(text: Text, state: Any, action: int, offset: int) -> Description:
    return Description({"action": "draw_three"}, "draw three cards from the deck")


def _snapshot(snapshot: Snapshot) -> dict[str, Any]:
    """The supply of technologies."""
    state, rules = snapshot.state, snapshot.rules
    numbered = enumerate(snapshot.configuration.technologies)
    return {"technologies": {it.id: int(copies_left(state, rules, number)) for number, it in numbered}}


def _possessions(snapshot: Snapshot, seat: int) -> dict[str, Any]:
    technologies = snapshot.configuration.technologies
    return {"technologies": [technologies[it].id for it in members([snapshot.state.technologies[seat]])]}


TECHNOLOGIES = RuleModule(
    is_used=_is_used,
    entries=Entries(
        route_columns=[Column("no_technology", "", lambda row, route, variant: row.mark("no_technology"))],  # UK7
        files=[File("technologies.csv", TECHNOLOGY_COLUMNS, "all_technologies", _read_technologies)],
        switches=[Switch("advanced_technologies", _has_advanced)],
    ),
    hooks={
        hooks.list_turn_actions: _list_turn_actions,
        hooks.begin_action: _begin_action,
        hooks.forget_turn: _forget_turn,
        score_claim: _score_claim,
        hooks.score_end: _score_end,
        hooks.write_public: _write_public,
    },
    blocks=_lay_out_blocks,
    public_segments=_public_segments,
    parts_at_end=lambda configuration: [parts.TECHNOLOGIES],
    write_rules=_write_rules,
    write_opening=_write_opening,
    state=TechnologyState,
    limits=_limits,
    find_fault=_find_fault,
    find_fault_of_decision=_find_fault_of_decision,
    describe={blocks.DRAW_THREE: _describe_draw_three},
    snapshot=_snapshot,
    possessions=_possessions,
)
"""Technologies."""
