"""A game in full as a JSON-able dictionary: the contract for replays, viewers and referees."""

from collections.abc import Mapping
from typing import Any

from t2r_env.rules import ticket_queue
from t2r_env.rules.map_game import actions, payment, scoring, technologies
from t2r_env.rules.map_game.describe import Words
from t2r_env.rules.map_game.phases import from_rack, keep_ticket
from t2r_env.rules.map_game.state import (
    ENDED,
    FROM_DECK,
    FROM_RACK,
    HAND,
    KEEP_TICKET,
    NEUTRAL,
    NO_ANSWER,
    NO_COMPANY,
    NO_LANE,
    NO_TECHNOLOGY,
    NOWHERE,
    PAY,
    PHASES,
    PLACE,
    RACK,
    SECOND_CARD,
    SHARE,
    TUNNEL,
)
from t2r_env.rules.records import Record
from t2r_env.rules.rewards import FINISHED, OUTCOMES
from t2r_env.rules.ticket_queue import NO_TICKET
from t2r_env.rules.train_cards import CARDS, EMPTY, LOCOMOTIVE


class Snapshot:
    """Writes the snapshot of one state."""

    def __init__(self, words: Words, options: Mapping[str, Any], state: Record) -> None:
        self.words = words
        self.setup = words.setup
        self.rules = words.rules
        self.options = options
        self.state = state
        self.seats = range(self.rules.num_seats)
        self.claimed = [_members(state.claimed[seat]) for seat in self.seats]
        self.held = [_members(state.tickets[seat]) for seat in self.seats]
        self.cards = [card for card, name in enumerate(CARDS) if name in (*words.box.colours, CARDS[LOCOMOTIVE])]

    def write(self) -> dict[str, Any]:
        """The whole snapshot."""
        state = self.state
        ended = state.phase == ENDED
        return {
            "variant": self.words.box.id,
            "num_players": len(self.seats),
            "options": dict(self.options),
            "outcome": OUTCOMES[state.outcome],
            "phase": "ended" if ended else PHASES[state.phase],
            "question": self._question(),
            "current_player": None if ended else int(state.current),
            "decision": [] if ended else self._decision(),
            "turn": int(state.turn),
            "deck": self._count(state.deck),
            "discard": self._count(state.discard),
            "row": [None if card == EMPTY else CARDS[card] for card in state.row],
            "set_aside": self._set_aside(),
            "drawn": None if state.unplaced == EMPTY else CARDS[state.unplaced],
            "revealed": self._count(state.revealed) if self.setup.has_tunnels else {},
            "ticket_deck": [
                self.words.ticket(ticket_queue.ticket_at(state, place)) for place in range(state.queue_count)
            ],
            "lanes": [self._claims(number) for number in range(self.rules.num_lanes)],
            "players": [self._player(seat) for seat in self.seats],
            **self._teams(),
            **self._companies(),
            **self._technologies_left(),
            "reshuffled": bool(state.reshuffled),
            "last_turns_left": int(state.last_turns_left) or None,
            "final": [self._final(seat) for seat in self.seats] if state.outcome == FINISHED else None,
        }

    def _question(self) -> dict[str, Any]:
        """What the question is about."""
        state, words, rules = self.state, self.words, self.rules
        question: dict[str, Any] = {}
        if state.lane != NO_LANE:
            question["lane"] = words.lane(state.lane)
        if state.technology != NO_TECHNOLOGY:
            question["technology"] = self.setup.technologies[state.technology].id
        if state.phase in (FROM_RACK, TUNNEL):
            question["colour"] = CARDS[actions.payment_colour(rules, state.payment)]
        if state.phase == FROM_RACK:
            question["cards"] = int(from_rack.coloured_due(state, rules))
            question["locomotives"] = int(from_rack.locomotives_due(state, rules))
        if state.phase == TUNNEL:
            question["due"] = int(state.due)
        return {} if state.phase == ENDED else question

    def _set_aside(self) -> dict[str, Any]:
        """Cards laid out for the payment under way (C2), where a game has such."""
        from_hand, from_rack_cards = (self._count(cards) for cards in self.state.set_aside)
        if self.setup.has_racks:
            return {"hand": from_hand, "rack": from_rack_cards}
        return from_hand if self.setup.box.exchange or self.setup.has_tunnels else {}

    def _teams(self) -> dict[str, Any]:
        """What the teams have, where there are teams."""
        if not self.setup.has_racks:
            return {}
        teams = [
            {
                "rack": self._count(self.state.rack[side]),
                "tickets": [self.words.ticket(ticket) for ticket in _members(self.state.rack_tickets[side])],
                "score": int(self.state.score[side]),
            }
            for side in range(self.setup.num_sides)
        ]
        return {"teams": teams}

    def _technologies_left(self) -> dict[str, Any]:
        """The supply of technologies, where there are any."""
        if not self.setup.technologies:
            return {}
        left = {
            technology.id: int(technologies.copies_left(self.state, self.rules, number))
            for number, technology in enumerate(self.setup.technologies)
        }
        return {"technologies": left}

    def _count(self, cards: Any) -> dict[str, int]:
        return {CARDS[card]: int(cards[card]) for card in self.cards}

    def _claims(self, number: int) -> dict[str, Any]:
        a, b, lane = self.words.lane(number)
        owners = [seat for seat in self.seats if number in self.claimed[seat]]
        return {"a": a, "b": b, "lane": lane, "owners": owners}

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
        numbers = _members([shares])
        first = 0
        by_company = {}
        for company in self.words.box.companies:
            own = range(first, first + company.shares)
            by_company[company.id] = [number - first + 1 for number in numbers if number in own]
            first += company.shares
        return by_company

    def _player(self, seat: int) -> dict[str, Any]:
        state = self.state
        unanswered = range(keep_ticket.answered_number(state, seat), state.offered_count[seat])
        return {
            "hand": self._count(state.hand[seat]),
            "trains": int(state.trains[seat]),
            "score": int(state.score[self.rules.side[seat]]),
            "tickets": [self.words.ticket(ticket) for ticket in self.held[seat]],
            "offered": [self.words.ticket(state.offered[seat, place]) for place in unanswered],
            **self._possessions(seat),
        }

    def _possessions(self, seat: int) -> dict[str, Any]:
        """What only some games give to players."""
        parts: dict[str, Any] = {}
        if self.rules.num_companies:
            parts["shares"] = self._shares(self.state.shares[seat])
        if self.setup.technologies:
            held = _members([self.state.technologies[seat]])
            parts["technologies"] = [self.setup.technologies[number].id for number in held]
        if self.rules.mountains.any():
            parts["mountain_lanes"] = len(set(self.claimed[seat]) & set(_members(self.rules.mountains)))
        return parts

    def _decision(self) -> list[dict[str, Any]]:
        """The answers of the action under way, and those kept aside that have not yet taken effect (C6)."""
        state, words = self.state, self.words
        answers: list[Mapping[str, Any]] = []
        if state.bought != NO_TECHNOLOGY:
            answers.append(words.buy(state.bought))
        if state.technology != NO_TECHNOLOGY:
            answers.append(words.buy(state.technology))
        if state.lane != NO_LANE:
            answers += self._claim_answers()
        if state.phase == PAY:
            answers += [words.spend(card) for card, number in enumerate(state.set_aside[HAND]) for _ in range(number)]
        if state.phase in (PLACE, SECOND_CARD):
            is_blind = state.drawn_slot == FROM_DECK
            answers.append({"action": "draw_deck"} if is_blind else words.draw_row(state.drawn_slot, state.drawn))
        if state.placed != NOWHERE:
            answers.append(words.place_card(state.placed))
        if state.phase in (KEEP_TICKET, SHARE) and state.turn > 0 and not state.moved:
            answers.append({"action": "draw_tickets"})
        if state.phase == KEEP_TICKET:
            answers += [answer for seat in self.seats for answer in self._ticket_answers(seat)]
        if state.phase == SHARE and state.turn > 0 and not state.moved:
            answers += [words.answer_ticket(True, ticket) for ticket in _members(state.to_share)]
        answers += [words.share_ticket(ticket) for ticket in state.sharing if ticket != NO_TICKET]
        return [dict(answer) for answer in answers]

    def _claim_answers(self) -> list[Mapping[str, Any]]:
        """The lane chosen; then, as far as they have been answered, its payment, the tunnel's demand, the share."""
        state, words = self.state, self.words
        answers: list[Mapping[str, Any]] = [words.claim(state.lane)]
        if state.payment != NO_ANSWER:
            price = payment.price(state, self.rules, state.current, state.lane)
            answers.append(words.pay(int(price), state.payment))
        if state.phase == TUNNEL or state.extra != NO_ANSWER:
            colour = actions.payment_colour(self.rules, state.payment)
            laid_out = state.set_aside[RACK]
            cards = 0 if colour == LOCOMOTIVE else laid_out[colour]
            if self.setup.has_racks:
                answers.append(words.from_rack(CARDS[colour], cards, laid_out[LOCOMOTIVE]))
        if state.extra != NO_ANSWER:
            locomotives = int(from_rack.locomotives_due(state, self.rules))
            answers.append(words.pay_more(state.payment, int(state.due), locomotives))
        if state.company != NO_COMPANY:
            answers.append(words.choose_share("take_share", state.company))
        return answers

    def _ticket_answers(self, seat: int) -> list[dict[str, Any]]:
        state = self.state
        return [
            dict(self.words.answer_ticket(ticket_queue.is_kept(state, seat, place), state.offered[seat, place]))
            for place in range(keep_ticket.answered_number(state, seat))
        ]

    def _final(self, seat: int) -> dict[str, Any]:
        state, rules = self.state, self.rules
        side = rules.side[seat]
        mates = [mate for mate in self.seats if rules.side[mate] == side]
        held = sorted(
            [ticket for mate in mates for ticket in self.held[mate]]
            + (_members(state.rack_tickets[side]) if self.setup.has_racks else [])
        )
        completed = [ticket for ticket in held if scoring.is_completed(state, rules, side, ticket)]
        breakdown = {name: int(state.breakdown[side, part]) for name, part in self.words.parts.items()}
        return {
            "score": int(state.score[side]),
            "rank": int(state.rank[side]),
            "breakdown": breakdown,
            "completed": [self.words.ticket(ticket) for ticket in completed],
            "failed": [self.words.ticket(ticket) for ticket in held if ticket not in completed],
        }


def _members(words: Any) -> list[int]:
    """The numbers in a set of bits."""
    bits = sum(int(word) << 64 * place for place, word in enumerate(words))
    return [number for number in range(bits.bit_length()) if bits >> number & 1]
