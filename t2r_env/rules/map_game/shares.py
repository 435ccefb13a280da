"""Shares of companies (PA4), what they pay at the end (PA5), and the neutral player who holds some (PA8).

A share is a number among those of all companies, one company after the other. Within a company shares go in the order
of their numbers, so the top one is the lowest that is left.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from t2r_env.core import bits
from t2r_env.core.compiled import compiled, count_bits, inlined, lowest_bit, write_bits
from t2r_env.core.game import PHASES, outcomes
from t2r_env.core.layout import Part
from t2r_env.core.randomness import below
from t2r_env.core.records import Array, bitset, int8, int16, int64
from t2r_env.rules import hooks
from t2r_env.rules.check import check_conditions, of_current
from t2r_env.rules.map_game.board import BoardRules, BoardState, TrailScratch, claim_phases, total_of_routes
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.map_game.flow import follow_claim, forget_claim
from t2r_env.rules.module import Limits, Phase, RuleModule, States
from t2r_env.rules.names import BLOCKS, PARTS, SEGMENTS
from t2r_env.rules.observe import seat_after, write_number
from t2r_env.rules.ranking import add_points
from t2r_env.rules.snapshot import Snapshot, members
from t2r_env.rules.state import SharedScratch
from t2r_env.rules.text import Description, Text
from t2r_env.rules.turns import finish_turn
from t2r_env.sizes import MAX_COMPANIES, MAX_HOLDERS, MAX_ROUTES, MAX_SEATS, MAX_SHARE_POINTS, MAX_SHARES
from t2r_env.variants import MapVariant, Route
from t2r_env.variants.declared import Column, Entries, File, Key
from t2r_env.variants.every_game import allow_at_most
from t2r_env.variants.reading import Names, Row, Table, listed

NO_COMPANY = -1
NEUTRAL = MAX_SEATS
"""The holder of shares after the seats: the neutral player (PA8)."""


@dataclass(frozen=True)
class Company:
    """A company; its shares are numbered from 1 (PA4)."""

    id: str
    name: str
    shares: int
    points: tuple[int, ...]
    """What the first place, the second place and so on are paid at the end (PA5)."""


class _Phases(NamedTuple):
    TAKE_SHARE: int
    NEUTRAL_SHARE: int


class _Blocks(NamedTuple):
    TAKE_SHARE: int
    NEUTRAL_SHARE: int


class _Segments(NamedTuple):
    SHARES: int
    SHARE_COUNT: int
    SHARES_LEFT: int


class _Parts(NamedTuple):
    SHARES: int


phases = PHASES.add(_Phases)
blocks = BLOCKS.add(_Blocks)
segments = SEGMENTS.add(_Segments)
parts = PARTS.add(_Parts)
claim_phases |= {phases.TAKE_SHARE: False, phases.NEUTRAL_SHARE: False}


class ShareState(BoardState):
    """Shares: bit i is the share with this number among those of all companies (PA4)."""

    shares: Array = bitset(MAX_HOLDERS)  # of each seat, and of NEUTRAL
    shares_left: np.uint64 = bitset()  # not yet taken
    revealed_shares: np.uint64 = bitset()  # once finished: those of NEUTRAL that count (PA8)
    company: int = int8()  # whose share was taken for the route, or NO_COMPANY


class ShareRules(BoardRules):
    """Companies (PA4, PA5, PA8)."""

    num_companies: int = int64()
    num_shares: int = int64()
    company_shares: Array = bitset(MAX_COMPANIES)
    company_points: Array = int16(MAX_COMPANIES, MAX_HOLDERS)  # of each rank among holders, the first first
    route_shares: Array = bitset(MAX_ROUTES)  # of the companies shown on each route
    neutral_shareholder: int = int8()  # 1: a neutral player holds shares too


class ShareScratch(TrailScratch):
    """What a scoring computes with."""

    holdings: Array = bitset(MAX_HOLDERS)  # the shares that count, by holder; of seats not in the game none


@inlined
def offered_by(state: ShareState, rules: ShareRules, route: int) -> np.uint64:
    """The shares left of the companies shown on a route."""
    return state.shares_left & rules.route_shares[route]


@inlined
def list_companies(state: ShareState, rules: ShareRules, scratch: SharedScratch, first_action: int) -> int:
    """List the companies of the route being claimed that have a share left; return how many there are."""
    offered = offered_by(state, rules, state.route)
    count = 0
    for company in range(rules.num_companies):
        if offered & rules.company_shares[company] != bits.NONE:
            scratch.legal[count] = first_action + company
            count += 1
    return count


@inlined
def take(state: ShareState, rules: ShareRules, holder: int, company: int) -> None:
    """Give a holder (a seat or `NEUTRAL`) the company's top share."""
    share = bits.bit(lowest_bit(state.shares_left & rules.company_shares[company]))
    state.shares_left &= ~share
    state.shares[holder] |= share


@compiled
def reveal_neutral(state: ShareState) -> None:
    """Draw the half, rounded up, of the neutral player's shares that count (PA8)."""
    to_pass = state.shares[NEUTRAL]
    number = count_bits(to_pass)
    to_reveal = (number + 1) // 2
    while to_reveal > 0:
        share = bits.bit(lowest_bit(to_pass))
        to_pass &= ~share
        # of those not yet passed, so many are to be revealed: all choices are equally likely
        if below(state, number) < to_reveal:
            state.revealed_shares |= share
            to_reveal -= 1
        number -= 1


@compiled
def payout(holdings: Array, rules: ShareRules, holder: int, company: int) -> int:
    """What a company pays one of those who hold the shares in `holdings` (a word for each holder) (PA5)."""
    own = holdings[holder] & rules.company_shares[company]
    if own == bits.NONE:
        return 0
    rank = 0
    for other in range(holdings.size):
        if other != holder and _is_before(holdings[other] & rules.company_shares[company], own):
            rank += 1
    return rules.company_points[company, rank]


@inlined
def _is_before(shares: np.uint64, others: np.uint64) -> bool:
    """Whether shares of a company are more than others, or as many with the lowest number among them."""
    number, other_number = count_bits(shares), count_bits(others)
    if number != other_number:
        return number > other_number
    return lowest_bit(shares) < lowest_bit(others)


# Phase `take_share`: which company's share is taken for the route just claimed? (PA4)


@inlined
def enter_take_share(state: ShareState) -> None:
    """Decide whether to take a share, and whose."""
    state.phase = phases.TAKE_SHARE


@inlined
def _follow_claim(state: ShareState, rules: ShareRules) -> bool:
    """It may be taken, if a company shown on the route has a share left."""
    if offered_by(state, rules, state.route) == bits.NONE:
        return False
    enter_take_share(state)
    return True


@inlined
def _list_take(state: ShareState, rules: ShareRules, scratch: SharedScratch) -> int:
    """The top share of any of these companies, or none."""
    first = rules.first_action[blocks.TAKE_SHARE]
    count = list_companies(state, rules, scratch, first)
    scratch.legal[count] = first + rules.num_companies
    return count + 1


@inlined
def _apply_take(state: ShareState, rules: ShareRules, scratch: SharedScratch, action: int) -> None:
    """Take it; who takes one chooses one for the neutral player too (PA8)."""
    company = action - rules.first_action[blocks.TAKE_SHARE]
    if company < rules.num_companies:
        state.company = company
        take(state, rules, state.current, company)
        if rules.neutral_shareholder and offered_by(state, rules, state.route) != bits.NONE:
            enter_neutral_share(state)
            return
    finish_turn(state)


# Phase `neutral_share`: which company's share does the neutral player get? (PA8)


@inlined
def enter_neutral_share(state: ShareState) -> None:
    """Decide whose share the neutral player gets."""
    state.phase = phases.NEUTRAL_SHARE


@inlined
def _list_neutral(state: ShareState, rules: ShareRules, scratch: SharedScratch) -> int:
    """The top share of any company shown on the route; it can't be declined."""
    return list_companies(state, rules, scratch, rules.first_action[blocks.NEUTRAL_SHARE])


@inlined
def _apply_neutral(state: ShareState, rules: ShareRules, scratch: SharedScratch, action: int) -> None:
    """Give it to the neutral player; the claim is complete."""
    take(state, rules, NEUTRAL, action - rules.first_action[blocks.NEUTRAL_SHARE])
    finish_turn(state)


@inlined
def _forget_claim(state: ShareState, rules: ShareRules) -> None:
    state.company = NO_COMPANY


@compiled
def _score_end(state: ShareState, rules: ShareRules, scoring: ShareScratch) -> None:
    """Each company pays its holders; of the neutral player's shares those drawn count (PA5, PA8).

    They are drawn once: a game that is scored again has them already.
    """
    if state.revealed_shares == bits.NONE:
        reveal_neutral(state)
    for seat in range(rules.num_seats):
        scoring.holdings[seat] = state.shares[seat]
    scoring.holdings[NEUTRAL] = state.revealed_shares
    for seat in range(rules.num_seats):
        for company in range(rules.num_companies):
            points = payout(scoring.holdings, rules, seat, company)
            add_points(state, rules.team[seat], parts.SHARES, points)


# Observations


@inlined
def _write_public(state: ShareState, rules: ShareRules, at: Array, viewer: int, vector: Array) -> None:
    seat = viewer
    for distance in range(rules.num_seats):
        _write_shares(state.shares[seat], rules, at, distance, vector)
        seat = seat_after(rules, seat)
    if rules.neutral_shareholder:
        _write_shares(state.shares[NEUTRAL], rules, at, rules.num_seats, vector)
    for company in range(rules.num_companies):
        left = count_bits(state.shares_left & rules.company_shares[company])
        write_number(left, at[segments.SHARES_LEFT] + company, vector)


@inlined
def _write_shares(shares: np.uint64, rules: ShareRules, at: Array, holder: int, vector: Array) -> None:
    write_bits(shares, rules.num_shares, at[segments.SHARES] + holder * rules.num_shares, vector)
    start = at[segments.SHARE_COUNT] + holder * rules.num_companies
    for company in range(rules.num_companies):
        write_number(count_bits(shares & rules.company_shares[company]), start + company, vector)


# What is declared


def _read_companies(rows: Sequence[Row], variant: MapVariant) -> tuple[Company, ...]:
    """The companies of companies.csv."""
    allow_at_most(MAX_COMPANIES, rows, "companies")
    companies: dict[str, Company] = {}
    for row in rows:
        places = row.several("points")
        if not 1 <= len(places) <= MAX_HOLDERS:
            raise row.wrong("points", f"the points of 1 to {MAX_HOLDERS} places with semicolons between them")
        company = Company(
            id=row.identifier("id"),
            name=row.text("name"),
            shares=row.integer("shares", 1, MAX_SHARES),
            points=tuple(place.integer("points", 0, MAX_SHARE_POINTS) for place in places),
        )
        if company.id in companies:
            raise row.wrong("id", "an id that no other company has")
        companies[company.id] = company
    if (shares := sum(company.shares for company in companies.values())) > MAX_SHARES:
        raise rows[-1].error(f"the shares of all companies must be at most {MAX_SHARES}, not {shares}")
    return tuple(companies.values())


def _read_neutral_shareholder(table: Table, variant: MapVariant) -> int:
    """With up to how many players a neutral player holds shares (PA8)."""
    players = table.integer("neutral_shareholder_up_to", 0, MAX_SEATS)
    if players and not variant.companies:
        raise table.wrong("neutral_shareholder_up_to", "0 without a file companies.csv")
    return players


def _read_companies_of_route(row: Row, route: Route, variant: MapVariant) -> tuple[str, ...]:
    """Ids of the companies shown on a route, of which its claimer may take a share."""
    known = [company.id for company in variant.companies]
    described = f"ids of companies.csv with semicolons between ({listed(known)})"
    ids = tuple(
        cell.choice("companies", known, described if known else "empty without a file companies.csv")
        for cell in row.several("companies")
    )
    if len(set(ids)) < len(ids):
        raise row.wrong("companies", "ids that stand only once each")
    return ids


def _check(table: Table, routes: Sequence[Row], variant: MapVariant) -> None:
    """Each company is on a route."""
    for company in variant.companies:
        if not any(company.id in route.companies for route in variant.routes):
            raise routes[-1].error(f"companies must name {company.id!r} of companies.csv in one row at least")


def _is_used(configuration: MapConfiguration) -> bool:
    return bool(configuration.variant.companies)


def _has_neutral(configuration: MapConfiguration) -> bool:
    return bool(configuration.num_players <= configuration.variant.neutral_shareholder_up_to)


def _lay_out_blocks(configuration: MapConfiguration) -> list[Part]:
    companies = len(configuration.variant.companies)
    neutral = "choose a company's top share for the neutral player (PA8)"
    return [
        (blocks.TAKE_SHARE, (companies + 1,), "take the top share of a company; the last action takes none (PA4)"),
        *([(blocks.NEUTRAL_SHARE, (companies,), neutral)] if _has_neutral(configuration) else []),
    ]


def _public_segments(configuration: MapConfiguration) -> list[Part]:
    companies, seats = configuration.variant.companies, configuration.num_players
    holders = seats + _has_neutral(configuration)
    of_each = "of each seat, then of the neutral player" if holders > seats else "of each seat"
    number = sum(company.shares for company in companies)
    return [
        (segments.SHARES, (holders, number), f"shares {of_each}, company by company in the order of their numbers"),
        (segments.SHARE_COUNT, (holders, len(companies)), f"number of shares by company, {of_each}"),
        (segments.SHARES_LEFT, (len(companies),), "shares of each company that are not yet taken"),
    ]


def _write_rules(record: Any, configuration: MapConfiguration) -> None:
    variant = configuration.variant
    record.num_companies = len(variant.companies)
    record.neutral_shareholder = _has_neutral(configuration)
    shares_of: dict[str, np.uint64] = {}
    first = 0
    for number, company in enumerate(variant.companies):
        shares_of[company.id] = np.uint64(((1 << company.shares) - 1) << first)
        record.company_shares[number] = shares_of[company.id]
        record.company_points[number, : len(company.points)] = company.points
        first += company.shares
    record.num_shares = first
    for number, route in enumerate(variant.routes):
        for company_id in route.companies:
            record.route_shares[number] |= shares_of[company_id]


def _write_opening(state: Any, rules: Any) -> None:
    state.shares_left = np.bitwise_or.reduce(rules.company_shares)
    state.company = NO_COMPANY


def _limits(rules: Any) -> Limits:
    return {"company": (NO_COMPANY, int(rules.num_companies) - 1)}


def _find_fault(states: States, rules: Any) -> str:
    everywhere = np.concatenate([states["shares"], states["shares_left"][:, None]], axis=1)
    all_shares = np.bitwise_or.reduce(rules.company_shares)
    is_everywhere_one = np.bitwise_count(everywhere).sum(-1) == rules.num_shares
    holders = np.append(np.arange(MAX_SEATS) < rules.num_seats, rules.neutral_shareholder != 0)
    if np.any(states["shares"][:, ~holders]):
        return "shares must be held by who plays"
    if not np.all(is_everywhere_one & (np.bitwise_or.reduce(everywhere, axis=-1) == all_shares)):
        return "each share must lie in one place"
    is_finished = states["outcome"] == outcomes.FINISHED
    if np.any(states["revealed_shares"] & ~np.where(is_finished, states["shares"][:, NEUTRAL], np.uint64(0))):
        return "revealed_shares must be some of the neutral player's, and none before the end"
    of_neutral = np.bitwise_count(states["shares"][:, NEUTRAL]).astype(np.int64)
    if np.any(is_finished & (np.bitwise_count(states["revealed_shares"]) != (of_neutral + 1) // 2)):
        return "revealed_shares must be half of the neutral player's at the end, rounded up"
    if np.any((states["company"] != NO_COMPANY) & (states["outcome"] != outcomes.RUNNING)):
        return "company must not be set in an ended game"
    return _find_fault_of_holdings(states, rules, of_neutral)


def _find_fault_of_holdings(states: States, rules: Any, of_neutral: Array) -> str:
    """Shares go from the top (PA4): one with each claim at most, and then one to the neutral player (PA8)."""
    for company in rules.company_shares[: rules.num_companies]:
        left, taken = states["shares_left"] & company, company & ~states["shares_left"]
        if np.any((left > 0) & (taken > (left & (~left + np.uint64(1))))):
            return "shares must be taken in the order of their numbers"
    routes = total_of_routes(states["claimed"], rules.route_shares > 0)
    number = np.bitwise_count(states["shares"][:, :MAX_SEATS]).astype(np.int64)
    if np.any(number > routes) or np.any(of_neutral > number.sum(-1)):
        return "shares must be no more than the claims for which they were taken"
    return ""


def _find_fault_of_decision(states: States, rules: Any) -> str:
    phase, is_taken = states["phase"], states["company"] != NO_COMPANY
    if fault := check_conditions(states, {"company": (is_taken, False, phase == phases.NEUTRAL_SHARE)}):
        return fault
    taken = of_current(states, "shares") & rules.company_shares[states["company"]]
    if np.any(is_taken & (taken & rules.route_shares[states["route"]] == 0)):
        return "company must be one of the route's, of which the acting seat has taken a share"
    left = states["shares_left"] & rules.route_shares[states["route"]]
    if np.any((phase == phases.TAKE_SHARE) & (left == 0)):
        return "a share of the route's companies must be there to be taken"
    return ""


def _choose_text(name: str, companies: tuple[Company, ...], number: int) -> Description:
    """Taking a share, or none, or choosing one for the neutral player."""
    if number == len(companies):
        return Description({"action": name, "company": None}, "take no share")
    company = companies[number]
    text = f"take a share of {company.name}" if name == "take_share" else f"give the neutral player {company.name}"
    return Description({"action": name, "company": company.id}, text)


def _describe_take(text: Text, state: Any, action: int, offset: int) -> Description:
    return _choose_text("take_share", _companies(text), offset)


def _describe_neutral(text: Text, state: Any, action: int, offset: int) -> Description:
    return _choose_text("neutral_share", _companies(text), offset)


def _companies(text: Text) -> tuple[Company, ...]:
    configuration = text.configuration
    assert isinstance(configuration, MapConfiguration)
    return configuration.variant.companies


def _snapshot(snapshot: Snapshot) -> dict[str, Any]:
    """Shares that no player holds."""
    state = snapshot.state
    entries: dict[str, Any] = {"companies": _by_company(snapshot, state.shares_left)}
    if snapshot.rules.neutral_shareholder:
        is_finished = state.outcome == outcomes.FINISHED
        entries["neutral_shares"] = _by_company(snapshot, state.shares[NEUTRAL])
        entries["revealed_shares"] = _by_company(snapshot, state.revealed_shares) if is_finished else None
    return entries


def _by_company(snapshot: Snapshot, shares: Any) -> dict[str, list[int]]:
    """The numbers of the shares in a set, by company."""
    numbers = members([shares])
    first = 0
    by_company = {}
    for company in snapshot.configuration.variant.companies:
        own = range(first, first + company.shares)
        by_company[company.id] = [number - first + 1 for number in numbers if number in own]
        first += company.shares
    return by_company


def _possessions(snapshot: Snapshot, seat: int) -> dict[str, Any]:
    return {"shares": _by_company(snapshot, snapshot.state.shares[seat])}


def _pending_before(snapshot: Snapshot) -> list[Any]:
    company = snapshot.state.company
    companies = snapshot.configuration.variant.companies
    return [] if company == NO_COMPANY else [_choose_text("take_share", companies, company)]


SHARES = RuleModule(
    is_used=_is_used,
    entries=Entries(
        keys=[Key("neutral_shareholder_up_to", 0, _read_neutral_shareholder)],
        route_columns=[Column("companies", "", _read_companies_of_route)],
        files=[File("companies.csv", Names(required=("id", "name", "shares", "points")), "companies", _read_companies)],
        checks=[_check],
    ),
    phases=[
        Phase(phases.TAKE_SHARE, _list_take, _apply_take),
        Phase(phases.NEUTRAL_SHARE, _list_neutral, _apply_neutral, _has_neutral),
    ],
    hooks={
        follow_claim: _follow_claim,
        forget_claim: _forget_claim,
        hooks.score_end: _score_end,
        hooks.write_public: _write_public,
    },
    blocks=_lay_out_blocks,
    public_segments=_public_segments,
    parts_at_end=lambda configuration: [parts.SHARES],
    write_rules=_write_rules,
    write_opening=_write_opening,
    state=ShareState,
    limits=_limits,
    find_fault=_find_fault,
    find_fault_of_decision=_find_fault_of_decision,
    describe={blocks.TAKE_SHARE: _describe_take, blocks.NEUTRAL_SHARE: _describe_neutral},
    snapshot=_snapshot,
    possessions=_possessions,
    pending_before=_pending_before,
)
"""Shares of companies."""
