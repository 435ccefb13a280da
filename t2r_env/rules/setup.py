"""What a configuration has chosen of a box: the layouts and the Rules record are made from it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from t2r_env.boxes.box import Box, TicketDeck


@dataclass(frozen=True)
class Setup(ABC):
    """A box with a number of players and the values of its options, all checked. Each kind of game adds its own."""

    box: Box
    num_players: int
    options: Mapping[str, Any]

    @property
    def deck(self) -> TicketDeck:
        """The ticket deck that is played with."""
        return self.box.ticket_decks[self.options["tickets"]]

    @property
    def turn_limit(self) -> int:
        """Turns of all seats together after which the game is truncated (C19)."""
        limit: int = self.options["turn_limit"]
        return limit

    @property
    def num_tickets(self) -> int:
        """Of the ticket deck, long ones included."""
        return len(self.deck.tickets)

    @property
    def num_sides(self) -> int:
        """Who scores together: players, or teams."""
        return self.num_players // self.box.team_size

    @property
    @abstractmethod
    def phases(self) -> Sequence[str]:
        """The questions that the game may ask, in the order of their numbers."""

    @property
    @abstractmethod
    def parts(self) -> Mapping[str, int]:
        """The parts of the score that this game has, by name: their numbers in the breakdown."""
