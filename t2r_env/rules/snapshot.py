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
from t2r_env.rules.text import SharedText
from t2r_env.rules.ticket_queue import NO_TICKET
from t2r_env.rules.train_cards import CARDS, EMPTY, LOCOMOTIVE

UNKNOWN = "unknown"
"""Among cards by colour: those of which only the number is known."""


class SharedSnapshot(ABC):
    """Writes the snapshot of one state, or of a view of one. Each kind of game adds its own."""

    phases: tuple[str, ...]
    """The names of the kind's phases, by number."""

    def __init__(self, words: SharedText, state: Record) -> None:
        self.shared_text = words
        self.rules = words.rules
        self.state = state
        self.seats = range(self.rules.num_seats)
        self.held = [members(state.tickets[seat]) for seat in self.seats]
        present = (*words.configuration.variant.colours, CARDS[LOCOMOTIVE])
        self.cards = [card for card, name in enumerate(CARDS) if name in present]

    def write(self) -> dict[str, Any]:
        """The whole snapshot."""
        state, configuration = self.state, self.shared_text.configuration
        runs = state.outcome == RUNNING
        return {
            "variant": configuration.variant.id,
            "num_players": len(self.seats),
            "options": dict(configuration.options),
            "outcome": OUTCOMES[state.outcome],
            "phase": self.phases[state.phase] if runs else "ended",
            "subject": self._subject() if runs else {},
            "current_player": int(state.current) if runs else None,
            "pending": [dict(action) for action in self._pending()] if runs else [],
            "turn": int(state.turn),
            "deck": self.count(state.deck, state.deck_count),
            "discard": self.count(state.discard),
            "face_up": [None if card == EMPTY else CARDS[card] for card in state.face_up],
            "set_aside": {},
            "drawn": None,
            "revealed": {},
            "ticket_deck": self.tickets([ticket_queue.ticket_at(state, place) for place in range(state.queue_count)]),
            "routes": [],
            "players": [self._player(seat) for seat in self.seats],
            "reshuffled": bool(state.reshuffled),
            "last_turns_left": int(state.last_turns_left) or None,
            "final": [self._final(seat) for seat in self.seats] if state.outcome == FINISHED else None,
        } | self._more()

    @abstractmethod
    def _subject(self) -> dict[str, Any]:
        """What the subject is about."""

    @abstractmethod
    def _more(self) -> dict[str, Any]:
        """The entries that only this kind of game has, or fills."""

    @abstractmethod
    def _possessions(self, seat: int) -> dict[str, Any]:
        """What only this kind of game gives to a player."""

    @abstractmethod
    def _outcome_of_tickets(self, seat: int) -> tuple[list[int], list[int]]:
        """The tickets that a seat's side has completed, and those it has failed."""

    def _pending(self) -> list[Mapping[str, Any]]:
        """The pending of the action under way, and those kept aside that have not yet taken effect (C6)."""
        state, words = self.state, self.shared_text
        pending: list[Mapping[str, Any]] = []
        if state.phase == SECOND_CARD:
            pending.append(self._first_card())
        if state.phase == KEEP_TICKET:
            if state.turn > 0:
                pending.append({"action": "draw_tickets"})
            for seat in self.seats:
                for place in range(ticket_choice.decided_number(state, seat)):
                    if state.offered[seat, place] != NO_TICKET:
                        is_kept = ticket_queue.is_kept(state, seat, place)
                        pending.append(words.action_ticket(is_kept, state.offered[seat, place]))
        return pending

    def _first_card(self) -> Mapping[str, Any]:
        """The answer that drew this turn's first card."""
        state = self.state
        if state.drawn_slot == FROM_DECK:
            return {"action": "draw_deck"}
        return self.shared_text.draw_face_up(state.drawn_slot, state.drawn)

    def _player(self, seat: int) -> dict[str, Any]:
        state = self.state
        undecided = range(ticket_choice.decided_number(state, seat), state.offered_count[seat])
        return {
            "hand": self.count(state.hand[seat], state.hand_count[seat]),
            "score": int(state.score[self.rules.team[seat]]),
            "tickets": self.tickets(self.held[seat], state.ticket_count[seat]),
            "offered": self.tickets([state.offered[seat, place] for place in undecided]),
            **self._possessions(seat),
        }

    def _final(self, seat: int) -> dict[str, Any]:
        state, team = self.state, self.rules.team[seat]
        completed, failed = self._outcome_of_tickets(seat)
        parts = self.shared_text.configuration.score_parts
        return {
            "score": int(state.score[team]),
            "rank": int(state.rank[team]),
            "breakdown": {name: int(state.breakdown[team, part]) for name, part in parts.items()},
            "completed": self.tickets(completed, state.completed[team]),
            "failed": self.tickets(failed, state.failed[team]),
        }

    def count(self, cards: Any, number: int | None = None) -> dict[str, int]:
        """Cards by colour; of so many, if a number is given, those that are not among them being unknown."""
        counted = {CARDS[card]: int(cards[card]) for card in self.cards}
        unknown = 0 if number is None else int(number) - sum(counted.values())
        return counted | ({UNKNOWN: unknown} if unknown else {})

    def tickets(self, numbers: list[int], number: int = 0) -> list[list[Any] | None]:
        """Tickets as the formats have them; of so many, those that are not among them being unknown: null."""
        known = [None if ticket == NO_TICKET else self.shared_text.ticket(ticket) for ticket in numbers]
        return known + [None] * (int(number) - len(known))


def members(words: Any) -> list[int]:
    """The numbers in a set of bits."""
    bits = sum(int(word) << 64 * place for place, word in enumerate(words))
    return [number for number in range(bits.bit_length()) if bits >> number & 1]
