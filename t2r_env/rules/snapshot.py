"""A game as a JSON-able dictionary: the contract for replays, renderers and referees.

The snapshot of a state holds everything. That of a view, a state without what a seat can't know (C20), holds what is
known: other cards are counted as `UNKNOWN`, other tickets are null.
"""

from collections.abc import Mapping
from typing import Any

from t2r_env.rules import ticket_choice, ticket_queue
from t2r_env.rules.cards import CARDS, EMPTY, LOCOMOTIVE
from t2r_env.rules.names import OUTCOMES, PHASES, outcomes, phases
from t2r_env.rules.state import FROM_DECK, NO_TICKET
from t2r_env.rules.text import Text

UNKNOWN = "unknown"
"""The key, among cards by colour, of those of which only the number is known."""


class Snapshot:
    """The writer of the snapshot of one state, or of a view of one. Rulesets extend it."""

    def __init__(self, text: Text, state: Any) -> None:
        self.text: Any = text
        self.configuration: Any = text.configuration
        self.rules = text.rules
        self.state = state
        self.seats = range(self.rules.num_seats)
        self.held = [members(state.tickets[seat]) for seat in self.seats]
        present = (*self.configuration.variant.colours, CARDS[LOCOMOTIVE])
        self._cards = [card for card, name in enumerate(CARDS) if name in present]

    def write(self) -> dict[str, Any]:
        """Return the whole snapshot."""
        state, configuration = self.state, self.configuration
        is_running = state.outcome == outcomes.RUNNING
        return {
            "variant": configuration.variant.id,
            "num_players": len(self.seats),
            "options": dict(configuration.options),
            "outcome": OUTCOMES[state.outcome],
            "phase": PHASES[state.phase] if is_running else "ended",
            "subject": self._subject() if is_running else {},
            "current_player": int(state.current) if is_running else None,
            "pending": [dict(action) for action in self._pending()] if is_running else [],
            "turn": int(state.turn),
            "deck": self.count(state.deck, state.deck_count),
            "discard": self.count(state.discard),
            "face_up": [None if card == EMPTY else CARDS[card] for card in state.face_up],
            "set_aside": {},
            "drawn": None,
            "revealed": {},
            "ticket_deck": self.tickets(ticket_queue.in_order(state)),
            "routes": [],
            "players": [self._player(seat) for seat in self.seats],
            "reshuffled": bool(state.reshuffled),
            "last_turns_left": int(state.last_turns_left) or None,
            "final": [self._final(seat) for seat in self.seats] if state.outcome == outcomes.FINISHED else None,
        }

    def _subject(self) -> dict[str, Any]:
        """Return what the decision is about."""
        raise NotImplementedError

    def _pending(self) -> list[Mapping[str, Any]]:
        """Return the actions of the move under way, and those kept aside that have not yet taken effect (C6)."""
        raise NotImplementedError

    def _completed_and_failed(self, seat: int) -> tuple[list[int], list[int]]:
        """Return the tickets that a seat's team has completed, and those that it has failed, by number."""
        raise NotImplementedError

    def _pending_draws(self) -> list[Mapping[str, Any]]:
        state, pending = self.state, list[Mapping[str, Any]]()
        if state.phase == phases.SECOND_CARD:
            pending.append(self._first_card())
        if state.phase == phases.KEEP_TICKET:
            if state.turn > 0:
                pending.append({"action": "draw_tickets"})
            for seat in self.seats:
                for index in range(ticket_choice.decided_number(state, seat)):
                    if state.offered[seat, index] != NO_TICKET:
                        is_kept = ticket_queue.is_kept(state, seat, index)
                        pending.append(self.text.choose_ticket(is_kept, state.offered[seat, index]))
        return pending

    def _first_card(self) -> Mapping[str, Any]:
        """Return the action that drew this turn's first card."""
        if self.state.drawn_slot == FROM_DECK:
            return {"action": "draw_deck"}
        drawn: Mapping[str, Any] = self.text.draw_face_up(self.state.drawn_slot, self.state.drawn)
        return drawn

    def _player(self, seat: int) -> dict[str, Any]:
        state = self.state
        undecided = range(ticket_choice.decided_number(state, seat), state.offered_count[seat])
        return {
            "hand": self.count(state.hand[seat], state.hand_count[seat]),
            "score": int(state.score[self.rules.team[seat]]),
            "tickets": self.tickets(self.held[seat], state.ticket_count[seat]),
            "offered": self.tickets([state.offered[seat, index] for index in undecided]),
        }

    def _final(self, seat: int) -> dict[str, Any]:
        state, team = self.state, self.rules.team[seat]
        completed, failed = self._completed_and_failed(seat)
        parts = self.configuration.score_parts
        return {
            "score": int(state.score[team]),
            "rank": int(state.rank[team]),
            "breakdown": {name: int(state.breakdown[team, part]) for name, part in parts.items()},
            "completed": self.tickets(completed, state.completed[team]),
            "failed": self.tickets(failed, state.failed[team]),
        }

    def is_in(self, *names: str) -> bool:
        """Whether the game is in one of these phases."""
        return self.state.phase >= 0 and PHASES[self.state.phase] in names

    def count(self, cards: Any, number: int | None = None) -> dict[str, int]:
        """Return cards by colour; if a number is given, those that are missing up to it as unknown."""
        counted = {CARDS[card]: int(cards[card]) for card in self._cards}
        unknown = 0 if number is None else int(number) - sum(counted.values())
        return counted | ({UNKNOWN: unknown} if unknown else {})

    def tickets(self, numbers: list[int], number: int = 0) -> list[list[Any] | None]:
        """Return tickets as the formats have them, with null for each that is missing up to the number."""
        known = [None if ticket == NO_TICKET else self.text.ticket(ticket) for ticket in numbers]
        return known + [None] * (int(number) - len(known))


def members(words: Any) -> list[int]:
    """Return the numbers in a set of bits."""
    bits = sum(int(word) << 64 * index for index, word in enumerate(words))
    return [number for number in range(bits.bit_length()) if bits >> number & 1]
