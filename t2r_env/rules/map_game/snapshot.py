"""A map game in full as a JSON-able dictionary (t2r_env/rules/snapshot.py: what all games have)."""

from collections.abc import Mapping
from typing import Any

from t2r_env.rules.map_game import actions, payment, scoring, technologies
from t2r_env.rules.map_game.describe import Text
from t2r_env.rules.map_game.phases import from_rack
from t2r_env.rules.map_game.state import (
    FROM_RACK,
    HAND,
    NEUTRAL,
    NO_COMPANY,
    NO_ROUTE,
    NO_TECHNOLOGY,
    NOWHERE,
    PAY,
    PHASES,
    PLACE,
    RACK,
    SHARE,
    TUNNEL,
)
from t2r_env.rules.records import Record
from t2r_env.rules.rewards import FINISHED
from t2r_env.rules.snapshot import SharedSnapshot, members
from t2r_env.rules.state import NO_ACTION
from t2r_env.rules.ticket_queue import NO_TICKET
from t2r_env.rules.train_cards import CARDS, EMPTY, LOCOMOTIVE


class Snapshot(SharedSnapshot):
    """Writes the snapshot of one state of a map game."""

    phases = PHASES

    def __init__(self, words: Text, state: Record) -> None:
        super().__init__(words, state)
        self.text = words
        self.configuration = words.configuration
        self.claimed = [members(state.claimed[seat]) for seat in self.seats]

    def _more(self) -> dict[str, Any]:
        state = self.state
        return {
            "set_aside": self._set_aside(),
            "drawn": None if state.unplaced == EMPTY else CARDS[state.unplaced],
            "revealed": self.count(state.revealed) if self.configuration.has_tunnels else {},
            "routes": [self._claims(number) for number in range(self.rules.num_routes)],
            **self._teams(),
            **self._companies(),
            **self._technologies_left(),
        }

    def _subject(self) -> dict[str, Any]:
        state, words, rules = self.state, self.text, self.rules
        subject: dict[str, Any] = {}
        if state.route != NO_ROUTE:
            subject["route"] = words.route(state.route)
        if state.technology != NO_TECHNOLOGY:
            subject["technology"] = self.configuration.technologies[state.technology].id
        if state.phase in (FROM_RACK, TUNNEL):
            subject["colour"] = CARDS[actions.payment_colour(rules, state.payment)]
        if state.phase == FROM_RACK:
            subject["cards"] = int(from_rack.coloured_due(state, rules))
            subject["locomotives"] = int(from_rack.locomotives_due(state, rules))
        if state.phase == TUNNEL:
            subject["due"] = int(state.due)
        return subject

    def _set_aside(self) -> dict[str, Any]:
        """Cards laid out for the payment under way (C2), where a game has such."""
        from_hand, from_rack_cards = (self.count(cards) for cards in self.state.set_aside)
        if self.configuration.has_racks:
            return {"hand": from_hand, "rack": from_rack_cards}
        return from_hand if self.configuration.variant.exchange or self.configuration.has_tunnels else {}

    def _teams(self) -> dict[str, Any]:
        """What the teams have, where there are teams."""
        if not self.configuration.has_racks:
            return {}
        teams = [
            {
                "rack": self.count(self.state.rack[team], self.state.rack_count[team]),
                "tickets": self.tickets(members(self.state.rack_tickets[team]), self.state.rack_ticket_count[team]),
                "score": int(self.state.score[team]),
            }
            for team in range(self.configuration.num_teams)
        ]
        return {"teams": teams}

    def _technologies_left(self) -> dict[str, Any]:
        """The supply of technologies, where there are any."""
        if not self.configuration.technologies:
            return {}
        left = {
            technology.id: int(technologies.copies_left(self.state, self.rules, number))
            for number, technology in enumerate(self.configuration.technologies)
        }
        return {"technologies": left}

    def _claims(self, number: int) -> dict[str, Any]:
        a, b, route = self.text.route(number)
        owners = [seat for seat in self.seats if number in self.claimed[seat]]
        return {"a": a, "b": b, "track": route, "owners": owners}

    def _companies(self) -> dict[str, Any]:
        """Shares that no player holds, where the game has shares."""
        state = self.state
        parts: dict[str, Any] = {}
        if self.rules.num_companies:
            parts["companies"] = self._shares(state.shares_left)
        if self.rules.neutral_shareholder:
            parts["neutral_shares"] = self._shares(state.shares[NEUTRAL])
            finished = state.outcome == FINISHED
            parts["revealed_shares"] = self._shares(state.revealed_shares) if finished else None
        return parts

    def _shares(self, shares: Any) -> dict[str, list[int]]:
        """The numbers of the shares in a set, by company."""
        numbers = members([shares])
        first = 0
        by_company = {}
        for company in self.text.variant.companies:
            own = range(first, first + company.shares)
            by_company[company.id] = [number - first + 1 for number in numbers if number in own]
            first += company.shares
        return by_company

    def _possessions(self, seat: int) -> dict[str, Any]:
        parts: dict[str, Any] = {"trains": int(self.state.trains[seat])}
        if self.rules.num_companies:
            parts["shares"] = self._shares(self.state.shares[seat])
        if self.configuration.technologies:
            held = members([self.state.technologies[seat]])
            parts["technologies"] = [self.configuration.technologies[number].id for number in held]
        if self.rules.mountains.any():
            parts["mountain_routes"] = len(set(self.claimed[seat]) & set(members(self.rules.mountains)))
        return parts

    def _pending(self) -> list[Mapping[str, Any]]:
        state, words = self.state, self.text
        pending: list[Mapping[str, Any]] = []
        if state.bought != NO_TECHNOLOGY:
            pending.append(words.buy(state.bought))
        if state.technology != NO_TECHNOLOGY:
            pending.append(words.buy(state.technology))
        if state.route != NO_ROUTE:
            pending += self._claim_actions()
        if state.phase == PAY:
            pending += [words.spend(card) for card, number in enumerate(state.set_aside[HAND]) for _ in range(number)]
        if state.phase == PLACE:
            pending.append(self._first_card())
        pending += super()._pending()
        if state.placed != NOWHERE:
            pending.append(words.place_card(state.placed))
        if state.phase == SHARE and state.turn > 0 and not state.moved:
            pending.append({"action": "draw_tickets"})
            pending += [words.action_ticket(True, ticket) for ticket in members(state.to_share)]
        pending += [words.share_ticket(ticket) for ticket in state.sharing if ticket != NO_TICKET]
        return pending

    def _claim_actions(self) -> list[Mapping[str, Any]]:
        """The route chosen; then, as far as they have been answered, its payment, the tunnel's demand, the share."""
        state, words = self.state, self.text
        pending: list[Mapping[str, Any]] = [words.claim(state.route)]
        if state.payment != NO_ACTION:
            price = payment.price(state, self.rules, state.current, state.route)
            pending.append(words.pay(int(price), state.payment))
        if state.phase == TUNNEL or state.extra != NO_ACTION:
            colour = actions.payment_colour(self.rules, state.payment)
            laid_out = state.set_aside[RACK]
            cards = 0 if colour == LOCOMOTIVE else laid_out[colour]
            if self.configuration.has_racks:
                pending.append(words.from_rack(CARDS[colour], cards, laid_out[LOCOMOTIVE]))
        if state.extra != NO_ACTION:
            locomotives = int(from_rack.locomotives_due(state, self.rules))
            pending.append(words.pay_more(state.payment, int(state.due), locomotives))
        if state.company != NO_COMPANY:
            pending.append(words.choose_share("take_share", state.company))
        return pending

    def _outcome_of_tickets(self, seat: int) -> tuple[list[int], list[int]]:
        state, rules = self.state, self.rules
        team = rules.team[seat]
        teammates = [teammate for teammate in self.seats if rules.team[teammate] == team]
        on_rack = members(state.rack_tickets[team]) if self.configuration.has_racks else []
        held = sorted([ticket for teammate in teammates for ticket in self.held[teammate]] + on_rack)
        completed = [ticket for ticket in held if scoring.is_completed(state, rules, team, ticket)]
        return completed, [ticket for ticket in held if ticket not in completed]
