"""A card game as a JSON-able dictionary."""

from collections.abc import Mapping
from typing import Any

from t2r_env.rules.card_game.records import NO_COLOUR, NUM_COLOURS
from t2r_env.rules.cards import CARDS
from t2r_env.rules.snapshot import Snapshot, members


class CardSnapshot(Snapshot):
    """The writer of the snapshot of one state of a card game, or of a view of one."""

    def write(self) -> dict[str, Any]:
        """Return the whole snapshot."""
        return super().write() | {"scoring_round": int(self.state.scoring_round)}

    def _player(self, seat: int) -> dict[str, Any]:
        state = self.state
        yard = {
            CARDS[colour]: {"cards": int(state.yard_cards[colour]), "locomotives": int(state.yard_locomotives[colour])}
            for colour in range(NUM_COLOURS)
            if state.yard_owner[colour] == seat
        }
        return super()._player(seat) | {
            "yard": yard,
            "on_track": self.count(state.on_track[seat]),
            "completed": self.tickets(members(state.completed_tickets[seat])),
        }

    def _completed_and_failed(self, seat: int) -> tuple[list[int], list[int]]:
        return members(self.state.completed_tickets[seat]), self.held[seat]

    def _subject(self) -> dict[str, Any]:
        state = self.state
        if state.set_colour == NO_COLOUR:
            return {}
        chosen = {"cards": int(state.set_cards)} if self.is_in("set_locomotives") else {}
        return {"set": CARDS[state.set_colour], **chosen}

    def _pending(self) -> list[Mapping[str, Any]]:
        state, pending = self.state, self._pending_draws()
        if state.set_colour != NO_COLOUR:
            pending.append(self.text.describe_offset("play_set", state.set_colour))
        if self.is_in("set_locomotives"):
            pending.append(self.text.describe_offset("set_cards", int(state.set_cards) - 1))
        if self.is_in("complete"):
            for seat in range(state.current + 1):
                pending += [self.text.describe_offset("complete", ticket) for ticket in members(state.completing[seat])]
                if seat < state.current:
                    pending.append({"action": "stop"})
        return pending
