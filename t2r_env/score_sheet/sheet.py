"""A game that was played at a table: what its players have at the end is read, checked, and scored by the core.

The sheet becomes the last state of a game, which `Games.set_states` scores as it scores every other one.
"""

import json
import tomllib
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from os import PathLike
from typing import Any

import numpy as np

from t2r_env.basics.checks import check_integer, did_you_mean
from t2r_env.basics.plain import plain
from t2r_env.basics.reading import check_values, parse_json, read_text, shown
from t2r_env.configuration import Configuration, configure
from t2r_env.games import Games
from t2r_env.rules.map_game.records import NEUTRAL, NO_CITY
from t2r_env.rules.map_game.technologies import MOST_FOR_A_CLAIM
from t2r_env.rules.names import ENDED, outcomes, parts
from t2r_env.rules.snapshot import members
from t2r_env.text.actions import plain_words, route_marks
from t2r_env.variants.variant import Route, Ticket

MAX_SHEET_BYTES = 1 << 16
MAX_NAME = 40
"""The characters of a player's name."""
MAX_TEXT = 200
"""The characters of a route or a ticket."""
_DASHES = "-–—"
_NEAREST = 3
"""The names that an error offers for one that is unknown."""

Words = tuple[str, ...]


class SheetError(ValueError):
    """Something on a score sheet can't be; the message says what, and what is allowed."""


@dataclass(frozen=True)
class Scored:
    """A game from a score sheet, at its end."""

    games: Games
    """One game, finished: its snapshot has the scores, and it can be drawn like any other."""
    names: tuple[str, ...]
    """Those of the players, by seat."""

    @property
    def configuration(self) -> Configuration:
        """The game that was played."""
        return self.games.configuration


def score_sheet(sheet: Mapping[str, Any]) -> Scored:
    """Return the game of a score sheet, scored by the rules.

    `sheet` has the name of the `variant` (or the path of its folder), its options, and `players`, one dictionary for
    each seat; docs/score.md lists their keys, and `template` writes a sheet to be filled in. Raises SheetError, or what
    `configure` raises, in one sentence that says what is allowed.
    """
    configuration = _configuration_of(sheet)
    state = configuration.opening.copy()
    state["outcome"], state["phase"] = outcomes.FINISHED, ENDED
    reader = _Reader(configuration, sheet)
    reader.write(state[0])
    games = Games(configuration, seed=0, autoreset=False, observe=False)
    games.set_states([0], state)
    return Scored(games, tuple(reader.names))


def read_sheet(path: str | PathLike[str]) -> dict[str, Any]:
    """Return the entries of a file: JSON if its name ends so, TOML otherwise. Raises SheetError and OSError."""
    try:
        return parse_sheet(read_text(path, MAX_SHEET_BYTES), is_json=str(path).endswith(".json"))
    except ValueError as error:
        raise SheetError(f"{path}: {error}") from error


def parse_sheet(text: str, *, is_json: bool) -> dict[str, Any]:
    """Return the entries of a sheet, JSON or TOML, which may begin with a byte order mark. Raises ValueError."""
    text = text.removeprefix("\ufeff")
    entries = parse_json(text) if is_json else tomllib.loads(text)
    check_values(entries)
    if not isinstance(entries, dict):
        raise ValueError("a score sheet must be an object with variant and players")
    return entries


def _configuration_of(sheet: Mapping[str, Any]) -> Configuration:
    """Return what was played: variant, options, and as many players as there are entries."""
    players, variant = sheet.get("players"), sheet.get("variant")
    if not isinstance(variant, str):
        raise SheetError(f"variant must be the name of a game, such as 'usa', not {shown(variant)}")
    if not isinstance(players, list) or not all(isinstance(player, dict) for player in players):
        raise SheetError("players must be a list with the entries of each player, [[players]] in TOML")
    options = {name: value for name, value in sheet.items() if name not in ("variant", "players", "neutral_shares")}
    try:
        return configure(variant, len(players), **options)
    except TypeError as error:
        raise SheetError(str(error)) from error


# What is looked up by names


class _Ends:
    """Cities, and groups of them, by what people write: names or ids, without regard to accents and capitals."""

    def __init__(self, configuration: Configuration, ends: Iterable[str]) -> None:
        self._ids: dict[Words, dict[str, None]] = {}
        self._names: dict[str, str] = {}
        for end in ends:
            name = configuration.text.city(end)
            for text in (name, end):
                self._ids.setdefault(plain_words(text), {})[end] = None
            self._names[" ".join(plain_words(name))] = name

    def pairs(self, text: str) -> Iterator[tuple[list[str], list[str]]]:
        """Yield what may be meant by two ends with a dash between them: the ids of either, several if names are alike.

        The second may be several countries with strokes between them (SW8).
        """
        for first, second in _splits(text):
            left, right = self.find(first), self.find(second)
            if left and not right and "/" in second:
                countries = [self.find(part) for part in second.split("/")]
                right = [end for found in countries for end in found] if all(countries) else []
            if left and right:
                yield left, right

    def find(self, text: str) -> list[str]:
        """Return the ids of those with this name or id."""
        return list(self._ids.get(plain_words(text), ()))

    def unknown(self, text: str) -> str:
        """Return what is wrong with two ends of which one is unknown."""
        splits = list(_splits(text))
        if not splits:
            return "two cities with a dash between them are needed, as in 'Aachen - Bonn'"
        spaced = [it for it in splits if it[0].endswith(" ") and it[1].startswith(" ")]
        part = next(it.strip() for it in (spaced or splits)[0] if not self.find(it))
        near = get_close_matches(" ".join(plain_words(part)), self._names, _NEAREST, 0.5)
        return f"there is no city {shown(part)}" + (
            f": the nearest are {_listed(self._names[it] for it in near)}" if near else ""
        )


def _splits(text: str) -> Iterator[tuple[str, str]]:
    """Yield the parts before and after each dash."""
    for place, letter in enumerate(text):
        if letter in _DASHES:
            yield text[:place], text[place + 1 :]


def _marked(text: str) -> Iterator[tuple[str, Words]]:
    """Yield a text without a mark, and again with what its last brackets hold as one."""
    yield text, ()
    before, bracket, mark = text.strip().removesuffix(")").rpartition("(")
    if bracket and text.strip().endswith(")"):
        yield before, plain_words(mark)


def _listed(names: Iterable[Any]) -> str:
    return ", ".join(map(str, names))


# Reading


@dataclass
class _Claim:
    """A route that a player has, as it was written: one of these."""

    seat: int
    text: str
    candidates: list[int] = field(default_factory=list)


class _Reader:
    """The reader of one sheet into a state. All errors name the player."""

    def __init__(self, configuration: Configuration, sheet: Mapping[str, Any]) -> None:
        self.configuration: Any = configuration
        self.variant: Any = configuration.variant
        self.rules = configuration.rules[0]
        self.sheet = sheet
        self.players: Sequence[Mapping[str, Any]] = sheet["players"]
        self.is_map = self.variant.ruleset == "map_game"
        self.names = self._names()

    def write(self, state: Any) -> None:
        """Write everything into a state that is as before the deal."""
        allowed = player_keys(self.configuration)
        for name, player in zip(self.names, self.players, strict=True):
            for key in player:
                if key not in allowed:
                    near = did_you_mean(key, allowed)
                    raise SheetError(f"{name}: there is no {shown(key)}{near}; allowed are {_listed(allowed)}")
        if "neutral_shares" in self.sheet and not self._has_neutral_shares:
            raise SheetError("neutral_shares are only in games where a neutral player has shares (PA8)")
        self._write_tickets(state)
        if self.is_map:
            self._write_routes(state)
            if self.rules.num_stations:
                self._write_stations(state)
            if self.rules.num_technologies:
                self._write_technologies(state)
            if self.rules.num_companies:
                self._write_shares(state)

    def _names(self) -> list[str]:
        names = []
        for number, player in enumerate(self.players, 1):
            name = player.get("name", f"Player {number}")
            if not isinstance(name, str) or not 0 < len(name.strip()) <= MAX_NAME:
                raise SheetError(f"the name of player {number} must have 1 to {MAX_NAME} characters, not {shown(name)}")
            names.append(plain(name.strip()))
        if twice := [name for name, number in Counter(names).items() if number > 1]:
            raise SheetError(f"each player must have another name, and {twice[0]} is there twice")
        return names

    def _texts(self, seat: int, key: str) -> list[str]:
        given = self.players[seat].get(key, [])
        if not isinstance(given, list) or not all(isinstance(it, str) and len(it) <= MAX_TEXT for it in given):
            raise self._error(seat, f"{key} must be a list of texts, each of {MAX_TEXT} characters at most")
        return given

    def _error(self, seat: int, message: str) -> SheetError:
        return SheetError(f"{self.names[seat]}: {message}")

    # Tickets

    def _write_tickets(self, state: Any) -> None:
        """Give each player's tickets to the hand; those of a team's rack count alike (TA12)."""
        ends = [end for it in self.configuration.deck.tickets for end in (it.a, *(to for to, _ in it.destinations))]
        known = _Ends(self.configuration, dict.fromkeys([*(city.id for city in self.variant.cities), *ends]))
        holders: dict[int, int] = {}
        for key, field_name in (("tickets", "tickets"), ("completed", "completed_tickets")):
            for seat in range(len(self.players)):
                for text in self._texts(seat, key):
                    ticket = self._ticket(seat, text, known, holders)
                    holders[ticket] = seat
                    state[field_name][seat, ticket >> 6] |= np.uint64(1 << (ticket & 63))
        state.ticket_count[:] = np.bitwise_count(state.tickets).sum(axis=1)
        for seat in range(len(self.players)):
            held = [ticket for ticket in members(state.tickets[seat]) if ticket >= self.rules.num_regular]
            if len(held) > self.rules.long_offer:
                most = int(self.rules.long_offer)
                raise self._error(seat, f"a player has {most} long ticket at most, not {len(held)}")

    def _ticket(self, seat: int, text: str, known: _Ends, holders: Mapping[int, int]) -> int:
        """Return the number of the ticket that a text names: of equal ones the first that nobody has."""
        is_known = False
        for ends_text, mark in _marked(text):
            for left, right in known.pairs(ends_text):
                is_known = True
                there, back = self._tickets_between(left, right), self._tickets_between(right, left)
                alike = [it for it in back if any(self._points(it) == self._points(other) for other in there)]
                found = [*there, *alike] if there else back
                found = [it for it in found if not mark or mark == self._points(it)]
                if len({self._points(it) for it in found}) > 1:
                    values = _listed(f"({' '.join(self._points(it))})" for it in found)
                    raise self._error(seat, f"several tickets are {shown(text)}: put the points behind it, {values}")
                if found:
                    free = [it for it in found if it not in holders]
                    if not free:
                        holder = self.names[holders[found[-1]]]
                        raise self._error(seat, f"the ticket {shown(text)} is taken: {holder} has it already")
                    return free[0]
        if not is_known:
            raise self._error(seat, f"ticket {shown(text)}: {known.unknown(text)}")
        deck = self.configuration.options["tickets"]
        near = self._near_tickets(text, known)
        raise self._error(seat, f"there is no ticket {shown(text)} in the deck {deck!r}{near}")

    def _tickets_between(self, starts: Sequence[str], ends: Sequence[str]) -> list[int]:
        """Return the tickets from one of the starts to one of the ends, where these are several countries to all."""
        between = [
            (number, {end for end, _ in it.destinations})
            for number, it in enumerate(self.configuration.deck.tickets)
            if it.a in starts
        ]
        return [number for number, to in between if {*ends} <= to] or [it for it, to in between if {*ends} & to]

    def _points(self, ticket: int) -> Words:
        return tuple(str(points) for _, points in self.configuration.deck.tickets[ticket].destinations)

    def _near_tickets(self, text: str, known: _Ends) -> str:
        """Return the tickets of the first city of a text, for an error."""
        [left, _], *_ = (pair for ends_text, _ in _marked(text) for pair in known.pairs(ends_text))
        others = [
            written_ticket(it, self.configuration)
            for it in self.configuration.deck.tickets
            if it.a in left or any(end in left for end, _ in it.destinations)
        ]
        return f"; those of {self.configuration.text.city(left[0])} are {_listed(dict.fromkeys(others)) or 'none'}"

    # Routes

    def _write_routes(self, state: Any) -> None:
        """Give the routes: first those of which only one can be meant."""
        known = _Ends(self.configuration, [city.id for city in self.variant.cities])
        claims = [
            self._claim(seat, text, known) for seat in range(len(self.players)) for text in self._texts(seat, "routes")
        ]
        owners: dict[int, list[int]] = {}
        for claim in sorted(claims, key=lambda it: len(it.candidates)):
            route = self._choose(claim, owners)
            owners.setdefault(route, []).append(claim.seat)
            state.claimed[claim.seat, route >> 6] |= np.uint64(1 << (route & 63))
        for seat in range(len(self.players)):
            trains = sum(int(self.rules.route_trains[it]) for it in members(state.claimed[seat]))
            if trains > self.rules.trains:
                raise self._error(seat, f"the routes take {trains} trains, and a player has {self.rules.trains}")

    def _claim(self, seat: int, text: str, known: _Ends) -> _Claim:
        """Return the routes that a text may mean; those between the same two cities must be of one length."""
        near: list[Route] = []
        left: list[str] = []
        for ends_text, mark in _marked(text):
            for left, right in known.pairs(ends_text):
                found = [
                    number
                    for number, it in enumerate(self.variant.routes)
                    if (it.a in left and it.b in right) or (it.a in right and it.b in left)
                ]
                near = near or [self.variant.routes[it] for it in found]
                found = [it for it in found if {*mark} <= self._mark_words(self.variant.routes[it])]
                exactly = [it for it in found if {*mark} == {*plain_words(route_marks(self.variant.routes[it]))}]
                found = exactly or found
                if len({(self.variant.routes[it].length, self.variant.routes[it].mountain) for it in found}) > 1:
                    raise self._error(seat, f"several routes are {shown(text)}: say which, {self._told(found)}")
                if found:
                    return _Claim(seat, text, found)
        if near:
            told = self._told(self.variant.routes.index(it) for it in near)
            raise self._error(seat, f"there is no route {shown(text)}; between these cities there are {told}")
        if not left:
            raise self._error(seat, f"route {shown(text)}: {known.unknown(text)}")
        name = self.configuration.text.city
        others = {name(it.b if it.a in left else it.a) for it in self.variant.routes if {it.a, it.b} & {*left}}
        raise self._error(
            seat, f"there is no route {shown(text)}; from {name(left[0])} routes lead to {_listed(sorted(others))}"
        )

    def _mark_words(self, route: Route) -> set[str]:
        """Return what may be said to tell a route from others: colour, length, kind, companies, ids of its ends."""
        words = {*plain_words(route_marks(route)), *plain_words(f"{route.a} {route.b}")}
        return words | ({"grey"} if "gray" in words else set()) | ({"pink"} if "purple" in words else set())

    def _told(self, routes: Iterable[int]) -> str:
        """Return routes with their marks, as they may be written."""
        return _listed(repr(written_route(self.variant.routes[it], self.configuration)) for it in routes)

    def _choose(self, claim: _Claim, owners: Mapping[int, Sequence[int]]) -> int:
        """Return the first route of a claim that the player may have."""
        reasons = [self._reason_against(claim.seat, it, owners) for it in claim.candidates]
        free = [it for it, reason in zip(claim.candidates, reasons, strict=True) if not reason]
        if not free:
            raise self._error(claim.seat, f"{shown(claim.text)} can't be: {reasons[-1]}")
        return min(free, key=lambda it: len(owners.get(it, ())))  # before one that others have too (UK9)

    def _reason_against(self, seat: int, route: int, owners: Mapping[int, Sequence[int]]) -> str:
        """Return why a player can't have a route, given who has which (C11, TA9, UK9); nothing if he can."""
        parallel = members(self.rules.parallel[route])
        taken = [it for it in parallel if it in owners]
        own = next((it for it in taken if seat in owners[it]), None)
        if own is not None:
            return "the player has it twice" if len(parallel) == 1 else "nobody may have two parallel routes (C11)"
        if route in owners and not self.configuration.has_effect("right_of_way"):
            return f"{self.names[owners[route][0]]} has this route"
        capacity = int(self.rules.capacity[route])
        if route not in owners and 0 < capacity <= len(taken):
            others = _listed(self.names[it] for it in dict.fromkeys(it for other in taken for it in owners[other]))
            rule = f"with {len(self.players)} players only {capacity} of these {len(parallel)} routes may be claimed"
            return f"{rule}, and {others} claimed"
        return ""

    # What only some games have

    def _write_stations(self, state: Any) -> None:
        """Put up the stations; where they stand matters, in which order does not (EU6, EU7)."""
        known, taken = _Ends(self.configuration, [city.id for city in self.variant.cities]), dict[int, int]()
        numbers = {city.id: number for number, city in enumerate(self.variant.cities)}
        state.stations[:] = NO_CITY
        for seat in range(len(self.players)):
            texts, most = self._texts(seat, "stations"), int(self.rules.num_stations)
            if len(texts) > most:
                raise self._error(seat, f"a player has {most} stations, not {len(texts)}")
            for place, text in enumerate(texts):
                found = known.find(text)
                if not found:
                    raise self._error(seat, f"station: {known.unknown(f'{text}-{text}')}")
                city = numbers[found[0]]
                if city in taken:
                    raise self._error(
                        seat, f"only one station stands in a city (EU6), and {self.names[taken[city]]} has {text}"
                    )
                taken[city] = seat
                state.stations[seat, place] = city

    def _write_technologies(self, state: Any) -> None:
        """Give the technologies, and the points that they have added to those for routes when these were claimed."""
        known = {
            plain_words(text): number
            for number, it in enumerate(self.configuration.technologies)
            for text in (it.id, it.name)
        }
        for seat, player in enumerate(self.players):
            for text in self._texts(seat, "technologies"):
                number = known.get(plain_words(text))
                if number is None:
                    allowed = _listed(it.id for it in self.configuration.technologies)
                    raise self._error(seat, f"there is no technology {shown(text)}; allowed are {allowed}")
                if state.technologies[seat] >> number & 1:
                    raise self._error(seat, f"{shown(text)} is there twice: one of each kind at most (UK8)")
                if not state.technologies_left[number]:
                    raise self._error(
                        seat,
                        f"{shown(text)} is taken: the supply has {int(self.rules.technology_copies[number])} of it",
                    )
                state.technologies[seat] |= 1 << number
                state.technologies_left[number] -= 1
            routes = members(state.claimed[seat])
            try:
                added = check_integer(
                    "technology_points", player.get("technology_points", 0), 0, len(routes) * MOST_FOR_A_CLAIM
                )
            except ValueError as error:
                raise self._error(seat, str(error)) from None
            lengths = self.rules.route_length[routes]
            state.breakdown[seat, parts.ROUTES] = int(self.rules.points[lengths].sum()) + added

    @property
    def _has_neutral_shares(self) -> bool:
        return self.is_map and bool(self.rules.num_companies) and bool(self.rules.neutral_shareholder)

    def _write_shares(self, state: Any) -> None:
        """Give the shares; of the neutral player's those that were revealed, since the others don't count (PA8)."""
        holders: dict[int, str] = {}
        given = [(self.names[seat], seat, player.get("shares", {})) for seat, player in enumerate(self.players)]
        if self._has_neutral_shares:
            given.append(("neutral_shares", NEUTRAL, self.sheet.get("neutral_shares", {})))
        for name, holder, shares in given:
            for share in self._shares(name, shares):
                if share in holders:
                    raise SheetError(f"{name}: {holders[share]} has the same share, and each is there once")
                holders[share] = name
                state.shares[holder] |= np.uint64(1 << share)
                state.shares_left &= ~np.uint64(1 << share)
        state.revealed_shares = state.shares[NEUTRAL]
        passed_over = self._passed_over(holders)
        if len(passed_over) > int(state.shares[NEUTRAL]).bit_count():
            raise SheetError(f"nobody has {', '.join(passed_over)}, and of a company the lowest share goes first (PA4)")

    def _passed_over(self, taken: Container[int]) -> Sequence[str]:
        """Return the shares that nobody has, although a higher one of their company is taken."""
        found, first = [], 0
        for company in self.variant.companies:
            numbers = [it for it in range(company.shares) if first + it in taken]
            found += [f"{company.id} {it + 1}" for it in range(max(numbers, default=0)) if it not in numbers]
            first += company.shares
        return found

    def _shares(self, name: str, shares: Any) -> Iterator[int]:
        """Yield the numbers of shares among those of all companies."""
        if not isinstance(shares, dict):
            raise SheetError(f"{name}: shares must be the numbers of the shares by company, such as prr = [1, 4]")
        firsts, first = dict[Words, tuple[int, int]](), 0
        for company in self.variant.companies:
            for text in (company.id, company.name):
                firsts[plain_words(text)] = first, company.shares
            first += company.shares
        for company, numbers in shares.items():
            if plain_words(company) not in firsts:
                allowed = _listed(it.id for it in self.variant.companies)
                raise SheetError(f"{name}: there is no company {shown(company)}; allowed are {allowed}")
            begin, most = firsts[plain_words(company)]
            if not isinstance(numbers, list):
                raise SheetError(f"{name}: shares of {company} must be a list of their numbers, not {shown(numbers)}")
            for number in numbers:
                try:
                    yield begin + check_integer(f"a share of {company}", number, 1, most) - 1
                except ValueError as error:
                    raise SheetError(f"{name}: {error}") from None


# Writing


def written_route(route: Route, configuration: Configuration) -> str:
    """Return a route as it may be written, with all that tells it from parallel ones."""
    name = configuration.text.city
    return f"{name(route.a)} - {name(route.b)} ({route_marks(route)})"


def written_ticket(ticket: Ticket, configuration: Configuration) -> str:
    """Return a ticket as it may be written."""
    name = configuration.text.city
    return f"{name(ticket.a)} - {'/'.join(name(end) for end, _ in ticket.destinations)}"


def player_keys(configuration: Configuration) -> dict[str, str]:
    """Return the keys that a player's entry may have, each with what it is for."""
    chosen: Any = configuration
    if chosen.variant.ruleset == "card_game":
        return {"name": "", "completed": "the tickets completed, of both scorings", "tickets": "those not completed"}
    keys = {
        "name": "",
        "routes": "two cities with a dash; the colour, or what else tells parallel routes apart, in brackets if needed",
        "tickets": "all that were kept" + (", on the rack too: either mate may have those" if chosen.has_racks else ""),
    }
    if chosen.variant.stations:
        keys["stations"] = "the cities where stations stand"
    if chosen.technologies:
        keys["technologies"] = "only those that bring points in the end matter"
        keys["technology_points"] = (
            "what Boiler Lagging and Steam Turbines have brought, on routes as they were claimed"
        )
    if chosen.variant.companies:
        keys["shares"] = "the numbers of the shares, by company"
    return keys


def template(configuration: Configuration, variant_name: str = "") -> str:
    """Return a score sheet as TOML, filled in with a few routes and tickets as an example: it can be scored.

    `variant_name` is what the sheet says was played: the folder of a map of one's own. The id by default.
    """
    chosen: Any = configuration
    variant, keys = chosen.variant, player_keys(configuration)
    sheet: dict[str, Any] = {"variant": variant_name or variant.id, "tickets": configuration.options["tickets"]}
    sheet |= {name: True for name in variant.switches if configuration.options[name]}
    if "shares" in keys and chosen.has_neutral_shareholder:
        sheet["neutral_shares"] = {variant.companies[-1].id: [1]}
    tickets = [written_ticket(it, configuration) for it in chosen.deck.tickets]
    routes = _example_routes(chosen)
    sheet["players"] = []
    for seat in range(configuration.num_players):
        own = tickets[2 * seat : 2 * seat + 2]
        examples = {
            "name": f"Player {seat + 1}",
            "routes": routes[3 * seat : 3 * seat + 3],
            "completed": own[:1],
            "tickets": own[1:] if "completed" in keys else own,
            "stations": [variant.cities[seat].name],
            "technologies": [],
            "technology_points": 0,
            "shares": {variant.companies[0].id: [seat + 1]} if "shares" in keys else {},
        }
        sheet["players"].append({key: examples[key] for key in keys})
    notes = [f"{variant.name}: what each player has at the end. Replace the examples; t2r score FILE scores it."]
    notes += [f"{key}: {meaning}" for key, meaning in keys.items() if meaning]
    if "neutral_shares" in sheet:
        notes.append("neutral_shares: those of the neutral player that were revealed (PA8)")
    return sheet_text(sheet, notes)


def sheet_text(sheet: Mapping[str, Any], notes: Sequence[str] = ()) -> str:
    """Return a score sheet as TOML, after notes as comments."""
    lines = [f"# {note}" for note in notes] + [""] * bool(notes)
    lines += [f"{key} = {_toml(value)}" for key, value in sheet.items() if key != "players"]
    for player in sheet["players"]:
        lines += ["", "[[players]]", *(f"{key} = {_toml(value)}" for key, value in player.items())]
    return "\n".join(lines) + "\n"


def _example_routes(configuration: Any) -> list[str]:
    """Return three routes for each player, no two between the same cities, as they may be written."""
    if configuration.variant.ruleset == "card_game":
        return []
    single = {frozenset((it.a, it.b)): it for it in reversed(configuration.variant.routes)}
    chosen = list(reversed(single.values()))[: 3 * configuration.num_players]
    return [written_route(it, configuration) for it in chosen]


def _toml(value: Any) -> str:
    """Return a value as TOML; what JSON escapes in texts, TOML's basic strings escape alike."""
    if isinstance(value, dict):
        return f"{{ {_listed(f'{key} = {_toml(entry)}' for key, entry in value.items())} }}"
    if isinstance(value, list):
        return f"[{_listed(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)
