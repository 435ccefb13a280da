"""A game as a JSON-able dictionary: the contract for replays, viewers and referees. What all games have.

Of a state it holds everything. Of a view, a state without what a seat can't know (C20), it holds what is known: cards
and tickets that are not are counted as `UNKNOWN` and null.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from t2r_env.rules import ticket_choice, ticket_queue
from t2r_env.rules.records import Record
from t2r_env.rules.rewards import FINISHED, OUTCOMES, RUNNING
from t2r_env.rules.state import FROM_DECK, KEEP_TICKET, SECOND_CARD
from t2r_env.rules.ticket_queue import NO_TICKET
from t2r_env.rules.train_cards import CARDS, EMPTY, LOCOMOTIVE
from t2r_env.rules.words import SharedWords

UNKNOWN = "unknown"
"""Among cards by colour: those of which only the number is known."""


class SharedSnapshot(ABC):
    """Writes the snapshot of one state, or of a view of one. Each kind of game adds its own."""

    phases: tuple[str, ...]
    """The names of the kind's phases, by number."""

    def __init__(self, words: SharedWords, state: Record) -> None:
        self.shared_words = words
        self.rules = words.rules
        self.state = state
        self.seats = range(self.rules.num_seats)
        self.held = [members(state.tickets[seat]) for seat in self.seats]
        present = (*words.setup.box.colours, CARDS[LOCOMOTIVE])
        self.cards = [card for card, name in enumerate(CARDS) if name in present]

    def write(self) -> dict[str, Any]:
        """The whole snapshot."""
        state, setup = self.state, self.shared_words.setup
        runs = state.outcome == RUNNING
        return {
            "variant": setup.box.id,
            "num_players": len(self.seats),
            "options": dict(setup.options),
            "outcome": OUTCOMES[state.outcome],
            "phase": self.phases[state.phase] if runs else "ended",
            "question": self._question() if runs else {},
            "current_player": int(state.current) if runs else None,
            "decision": [dict(answer) for answer in self._decision()] if runs else [],
            "turn": int(state.turn),
            "deck": self.count(state.deck, state.deck_count),
            "discard": self.count(state.discard),
            "row": [None if card == EMPTY else CARDS[card] for card in state.row],
            "set_aside": {},
            "drawn": None,
            "revealed": {},
            "ticket_deck": self.tickets([ticket_queue.ticket_at(state, place) for place in range(state.queue_count)]),
            "lanes": [],
            "players": [self._player(seat) for seat in self.seats],
            "reshuffled": bool(state.reshuffled),
            "last_turns_left": int(state.last_turns_left) or None,
            "final": [self._final(seat) for seat in self.seats] if state.outcome == FINISHED else None,
        } | self._more()

    @abstractmethod
    def _question(self) -> dict[str, Any]:
        """What the question is about."""

    @abstractmethod
    def _more(self) -> dict[str, Any]:
        """The entries that only this kind of game has, or fills."""

    @abstractmethod
    def _possessions(self, seat: int) -> dict[str, Any]:
        """What only this kind of game gives to a player."""

    @abstractmethod
    def _outcome_of_tickets(self, seat: int) -> tuple[list[int], list[int]]:
        """The tickets that a seat's side has completed, and those it has failed."""

    def _decision(self) -> list[Mapping[str, Any]]:
        """The answers of the action under way, and those kept aside that have not yet taken effect (C6)."""
        state, words = self.state, self.shared_words
        answers: list[Mapping[str, Any]] = []
        if state.phase == SECOND_CARD:
            answers.append(self._first_card())
        if state.phase == KEEP_TICKET:
            if state.turn > 0:
                answers.append({"action": "draw_tickets"})
            for seat in self.seats:
                for place in range(ticket_choice.answered_number(state, seat)):
                    if state.offered[seat, place] != NO_TICKET:
                        is_kept = ticket_queue.is_kept(state, seat, place)
                        answers.append(words.answer_ticket(is_kept, state.offered[seat, place]))
        return answers

    def _first_card(self) -> Mapping[str, Any]:
        """The answer that drew this turn's first card."""
        state = self.state
        if state.drawn_slot == FROM_DECK:
            return {"action": "draw_deck"}
        return self.shared_words.draw_row(state.drawn_slot, state.drawn)

    def _player(self, seat: int) -> dict[str, Any]:
        state = self.state
        unanswered = range(ticket_choice.answered_number(state, seat), state.offered_count[seat])
        return {
            "hand": self.count(state.hand[seat], state.hand_count[seat]),
            "score": int(state.score[self.rules.side[seat]]),
            "tickets": self.tickets(self.held[seat], state.ticket_count[seat]),
            "offered": self.tickets([state.offered[seat, place] for place in unanswered]),
            **self._possessions(seat),
        }

    def _final(self, seat: int) -> dict[str, Any]:
        state, side = self.state, self.rules.side[seat]
        completed, failed = self._outcome_of_tickets(seat)
        parts = self.shared_words.setup.parts
        return {
            "score": int(state.score[side]),
            "rank": int(state.rank[side]),
            "breakdown": {name: int(state.breakdown[side, part]) for name, part in parts.items()},
            "completed": self.tickets(completed, state.completed[side]),
            "failed": self.tickets(failed, state.failed[side]),
        }

    def count(self, cards: Any, number: int | None = None) -> dict[str, int]:
        """Cards by colour; of so many, if a number is given, those that are not among them being unknown."""
        counted = {CARDS[card]: int(cards[card]) for card in self.cards}
        unknown = 0 if number is None else int(number) - sum(counted.values())
        return counted | ({UNKNOWN: unknown} if unknown else {})

    def tickets(self, numbers: list[int], number: int = 0) -> list[list[Any] | None]:
        """Tickets as the formats have them; of so many, those that are not among them being unknown: null."""
        known = [None if ticket == NO_TICKET else self.shared_words.ticket(ticket) for ticket in numbers]
        return known + [None] * (int(number) - len(known))


def members(words: Any) -> list[int]:
    """The numbers in a set of bits."""
    bits = sum(int(word) << 64 * place for place, word in enumerate(words))
    return [number for number in range(bits.bit_length()) if bits >> number & 1]
