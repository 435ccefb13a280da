"""A map game as a JSON-able dictionary."""

from collections.abc import Mapping
from typing import Any

from t2r_env.rules.cards import CARDS, EMPTY, LOCOMOTIVE
from t2r_env.rules.map_game import payments, records, routes, technologies
from t2r_env.rules.map_game.locomotives import pay_for_route
from t2r_env.rules.names import NO_ACTION, outcomes
from t2r_env.rules.snapshot import Snapshot, members
from t2r_env.rules.state import NO_TICKET


class MapSnapshot(Snapshot):
    """The writer of the snapshot of one state of a map game, or of a view of one."""

    def write(self) -> dict[str, Any]:
        """Return the whole snapshot."""
        state, rules = self.state, self.rules
        snapshot = super().write()
        claimed = [members(state.claimed[seat]) for seat in self.seats]
        snapshot["routes"] = [
            {
                "a": it.a,
                "b": it.b,
                "track": it.track,
                "owners": [seat for seat in self.seats if number in claimed[seat]],
            }
            for number, it in enumerate(self.configuration.variant.routes)
        ]
        from_hand, from_rack = (self.count(cards) for cards in state.set_aside)
        if rules.num_racks:
            snapshot["set_aside"] = {"hand": from_hand, "rack": from_rack}
            snapshot["drawn"] = None if state.unplaced == EMPTY else CARDS[state.unplaced]
            snapshot["teams"] = [self._team(team) for team in range(rules.num_teams)]
        elif rules.lays_out:
            snapshot["set_aside"] = from_hand
        if rules.has_tunnels:
            snapshot["revealed"] = self.count(state.revealed)
        if rules.num_technologies:
            numbered = enumerate(self.configuration.technologies)
            left = {it.id: int(technologies.copies_left(state, rules, number)) for number, it in numbered}
            snapshot["technologies"] = left
        if rules.num_companies:
            snapshot["companies"] = self._by_company(state.shares_left)
            if rules.neutral_shareholder:
                is_finished = state.outcome == outcomes.FINISHED
                snapshot["neutral_shares"] = self._by_company(state.shares[records.NEUTRAL])
                snapshot["revealed_shares"] = self._by_company(state.revealed_shares) if is_finished else None
        return snapshot

    def _team(self, team: int) -> dict[str, Any]:
        state = self.state
        return {
            "rack": self.count(state.rack[team], state.rack_count[team]),
            "tickets": self.tickets(members(state.rack_tickets[team]), state.rack_ticket_count[team]),
            "score": int(state.score[team]),
        }

    def _by_company(self, held: Any) -> dict[str, list[int]]:
        """Return the numbers of the shares in a set, by company."""
        numbers = members([held])
        first = 0
        by_company = {}
        for company in self.configuration.variant.companies:
            own = range(first, first + company.shares)
            by_company[company.id] = [number - first + 1 for number in numbers if number in own]
            first += company.shares
        return by_company

    def _player(self, seat: int) -> dict[str, Any]:
        state, rules = self.state, self.rules
        player = super()._player(seat) | {"trains": int(state.trains[seat])}
        if rules.has_mountains:
            player["mountain_routes"] = len({*members(state.claimed[seat])} & {*members(rules.mountains)})
        if rules.num_technologies:
            bought = members([state.technologies[seat]])
            player["technologies"] = [self.configuration.technologies[it].id for it in bought]
        if rules.num_companies:
            player["shares"] = self._by_company(state.shares[seat])
        if rules.num_stations:
            player["stations"] = [self._city(city) for city in self._stations(seat)]
        return player

    def _stations(self, seat: int) -> list[int]:
        return [int(city) for city in self.state.stations[seat] if city != records.NO_CITY]

    def _city(self, number: int) -> str:
        city: str = self.configuration.variant.cities[number].id
        return city

    def _final(self, seat: int) -> dict[str, Any]:
        """Return the result of a seat; for stations, the route that each uses, in the order built, or null."""
        result = super()._final(seat)
        if self.rules.num_stations:
            result["station_routes"] = [
                [self._city(city), None if route == records.NO_ROUTE else self.text.route(route)]
                for city, route in zip(self._stations(seat), self.state.station_routes[seat], strict=False)
            ]
        return result

    def _completed_and_failed(self, seat: int) -> tuple[list[int], list[int]]:
        state, rules = self.state, self.rules
        team = rules.team[seat]
        teammates = [mate for mate in self.seats if rules.team[mate] == team]
        on_rack = members(state.rack_tickets[team]) if rules.num_racks else []
        held = sorted([ticket for mate in teammates for ticket in self.held[mate]] + on_rack)
        completed = [ticket for ticket in held if routes.is_completed(state, rules, team, ticket)]
        return completed, [ticket for ticket in held if ticket not in completed]

    def _subject(self) -> dict[str, Any]:
        state, rules, subject = self.state, self.rules, dict[str, Any]()
        if state.route != records.NO_ROUTE:
            subject["route"] = self.text.route(state.route)
        if self.is_in("from_rack"):
            cards, locomotives = payments.coloured_due(state, rules), payments.locomotives_due(state, rules)
            subject |= {"cards": int(cards), "locomotives": int(locomotives)}
        if self.is_in("from_rack", "tunnel"):
            subject["colour"] = CARDS[payments.colour_of(rules, state.payment)]
        if self.is_in("tunnel"):
            subject["due"] = int(state.due)
        if state.technology != records.NO_TECHNOLOGY:
            subject["technology"] = self.configuration.technologies[state.technology].id
        if state.city != records.NO_CITY:
            subject["city"] = self._city(state.city)
        return subject

    def _pending(self) -> list[Mapping[str, Any]]:
        """Purchase, claim, payment, draws and tickets, in the order in which they were chosen."""
        state, text, pending = self.state, self.text, list[Mapping[str, Any]]()
        bought = [number for number in (state.bought, state.technology) if number != records.NO_TECHNOLOGY]
        pending += [text.describe_offset("buy", number) for number in bought]
        pending += self._pending_claim()
        if self.is_in("place"):
            pending.append(self._first_card())
        if self.is_in("pay"):
            spent = enumerate(state.set_aside[records.HAND])
            pending += [text.describe_offset("spend", card) for card, number in spent for _ in range(number)]
        pending += self._pending_draws()
        if state.placed != records.NOWHERE:
            pending.append(text.describe_offset("place", state.placed))
        if self.is_in("share") and state.turn > 0 and not state.moved:
            pending.append({"action": "draw_tickets"})
            pending += [text.choose_ticket(True, ticket) for ticket in members(state.to_share)]
        return pending + [
            text.describe_offset("share_ticket", ticket) for ticket in state.sharing if ticket != NO_TICKET
        ]

    def _pending_claim(self) -> list[Mapping[str, Any]]:
        """Return the route or station chosen, how it is paid, and the share taken for it."""
        state, rules, text, pending = self.state, self.rules, self.text, list[Mapping[str, Any]]()
        if state.route != records.NO_ROUTE:
            pending.append(text.describe_offset("claim", state.route))
            if state.payment != NO_ACTION:
                price = payments.route_price(state, rules, state.current, state.route)
                takes_locomotives = bool(pay_for_route(rules, state.route))
                pending.append(text.pay(int(price), state.payment, takes_locomotives))
        if self.is_in("tunnel") or state.extra != NO_ACTION:
            colour = payments.colour_of(rules, state.payment)
            if rules.num_racks:
                laid_out = state.set_aside[records.RACK]
                cards = 0 if colour == LOCOMOTIVE else laid_out[colour]
                pending.append(text.split(colour, cards, laid_out[LOCOMOTIVE]))
            if state.extra != NO_ACTION:
                more = int(payments.locomotives_due(state, rules))
                pending.append(text.pay_more(state.payment, int(state.due), more))
        if state.company != records.NO_COMPANY:
            pending.append(text.describe_offset("take_share", state.company))
        if state.city != records.NO_CITY:
            pending.append(text.describe_offset("build", state.city))
        return pending
