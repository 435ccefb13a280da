"""A card game in full as a JSON-able dictionary (t2r_env/rules/snapshot.py: what all games have)."""

from collections.abc import Mapping
from typing import Any

from t2r_env.rules.card_game.describe import Text
from t2r_env.rules.card_game.state import COMPLETE, NO_COLOUR, NUM_COLOURS, PHASES, SET_LOCOMOTIVES
from t2r_env.rules.records import Record
from t2r_env.rules.snapshot import SharedSnapshot, members
from t2r_env.rules.train_cards import CARDS


class Snapshot(SharedSnapshot):
    """Writes the snapshot of one state of the Card Game."""

    phases = PHASES

    def __init__(self, words: Text, state: Record) -> None:
        super().__init__(words, state)
        self.text = words

    def _more(self) -> dict[str, Any]:
        return {"scoring_round": int(self.state.scoring_round)}

    def _subject(self) -> dict[str, Any]:
        state = self.state
        if state.set_colour == NO_COLOUR:
            return {}
        chosen = {"cards": int(state.set_cards)} if state.phase == SET_LOCOMOTIVES else {}
        return {"set": CARDS[state.set_colour], **chosen}

    def _pending(self) -> list[Mapping[str, Any]]:
        state, words = self.state, self.text
        pending = super()._pending()
        if state.set_colour != NO_COLOUR:
            pending.append(words.play_set(state.set_colour))
        if state.phase == SET_LOCOMOTIVES:
            pending.append(words.set_cards(state.set_cards))
        if state.phase == COMPLETE:
            for seat in range(state.current + 1):
                pending += [words.complete(ticket) for ticket in members(state.completing[seat])]
                if seat < state.current:
                    pending.append({"action": "stop"})
        return pending

    def _possessions(self, seat: int) -> dict[str, Any]:
        state = self.state
        yard = {
            CARDS[colour]: {"cards": int(state.yard_cards[colour]), "locomotives": int(state.yard_locomotives[colour])}
            for colour in range(NUM_COLOURS)
            if state.yard_owner[colour] == seat
        }
        completed = self.tickets(members(state.completed_tickets[seat]))
        return {"yard": yard, "on_track": self.count(state.on_track[seat]), "completed": completed}

    def _outcome_of_tickets(self, seat: int) -> tuple[list[int], list[int]]:
        return members(self.state.completed_tickets[seat]), self.held[seat]
