"""A game in full as a JSON-able dictionary: the contract for replays, viewers and referees."""

from collections.abc import Mapping
from typing import Any

from t2r_env.rules import ticket_queue
from t2r_env.rules.map_game import scoring
from t2r_env.rules.map_game.describe import Words
from t2r_env.rules.map_game.phases import keep_ticket
from t2r_env.rules.map_game.state import (
    ENDED,
    FROM_DECK,
    KEEP_TICKET,
    NEUTRAL,
    NEUTRAL_SHARE,
    NO_ANSWER,
    NO_COMPANY,
    NO_LANE,
    PAY,
    PHASES,
    SECOND_CARD,
    TAKE_SHARE,
)
from t2r_env.rules.records import Record
from t2r_env.rules.rewards import FINISHED, OUTCOMES
from t2r_env.rules.train_cards import CARDS, EMPTY, LOCOMOTIVE


class Snapshot:
    """Writes the snapshot of one state."""

    def __init__(self, words: Words, options: Mapping[str, Any], state: Record) -> None:
        self.words = words
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
            "question": {} if ended or state.lane == NO_LANE else {"lane": self.words.lane(state.lane)},
            "current_player": None if ended else int(state.current),
            "decision": [] if ended else self._decision(),
            "turn": int(state.turn),
            "deck": self._count(state.deck),
            "discard": self._count(state.discard),
            "row": [None if card == EMPTY else CARDS[card] for card in state.row],
            "set_aside": {},
            "drawn": None,
            "revealed": {},
            "ticket_deck": [
                self.words.ticket(ticket_queue.ticket_at(state, place)) for place in range(state.queue_count)
            ],
            "lanes": [self._claims(number) for number in range(self.rules.num_lanes)],
            "players": [self._player(seat) for seat in self.seats],
            **self._companies(),
            "reshuffled": bool(state.reshuffled),
            "last_turns_left": int(state.last_turns_left) or None,
            "final": [self._final(seat) for seat in self.seats] if state.outcome == FINISHED else None,
        }

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
        if self.rules.mountains.any():
            parts["mountain_lanes"] = len(set(self.claimed[seat]) & set(_members(self.rules.mountains)))
        return parts

    def _decision(self) -> list[dict[str, Any]]:
        """The answers given that have not yet taken effect, or that belong to the action under way."""
        state = self.state
        if state.phase in (PAY, TAKE_SHARE, NEUTRAL_SHARE):
            return self._claim_answers()
        if state.phase == SECOND_CARD:
            if state.drawn_slot == FROM_DECK:
                return [{"action": "draw_deck"}]
            return [dict(self.words.draw_row(state.drawn_slot, state.drawn))]
        if state.phase == KEEP_TICKET:
            drawn = [] if keep_ticket.is_starting_choice(state) else [{"action": "draw_tickets"}]
            return drawn + [answer for seat in self.seats for answer in self._ticket_answers(seat)]
        return []

    def _claim_answers(self) -> list[dict[str, Any]]:
        """The lane chosen; after it is paid the payment, and after that the share taken."""
        state, words = self.state, self.words
        answers = [words.claim(state.lane)]
        if state.payment != NO_ANSWER:
            answers.append(words.pay(state.lane, state.payment))
        if state.company != NO_COMPANY:
            answers.append(words.choose_share("take_share", state.company))
        return [dict(answer) for answer in answers]

    def _ticket_answers(self, seat: int) -> list[dict[str, Any]]:
        state = self.state
        return [
            dict(self.words.answer_ticket(ticket_queue.is_kept(state, seat, place), state.offered[seat, place]))
            for place in range(keep_ticket.answered_number(state, seat))
        ]

    def _final(self, seat: int) -> dict[str, Any]:
        state, rules = self.state, self.rules
        side = rules.side[seat]
        held = self.held[seat]
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
