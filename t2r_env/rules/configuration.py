"""Configurations: a variant, a number of players and options, and all that follows from them."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from t2r_env.basics.caching import cached_property
from t2r_env.basics.frozen import Frozen
from t2r_env.core.layout import Layout
from t2r_env.rules.names import PARTS
from t2r_env.rules.ruleset import Ruleset
from t2r_env.variants.variant import TicketDeck, Variant

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False, repr=False)
class Configuration(Frozen):
    """A variant with a number of players and the values of its options, all checked (`t2r_env.configure` makes them).

    It never changes, so copies share it. Each ruleset has a class of its own.
    """

    variant: Variant
    ruleset: Ruleset
    num_players: int
    options: Mapping[str, Any]
    """The values of all options."""

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.variant, self.ruleset, self.num_players, self.options)  # the rest follows from them

    def __deepcopy__(self, memo: dict[int, Any]) -> "Configuration":
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Configuration) and self.identity == other.identity

    def __hash__(self) -> int:
        return hash((self.rules_identity, self.num_players))

    def __str__(self) -> str:
        return f"{self.variant.id}, {self.num_players} players"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.title}>"

    # The choices

    @property
    def title(self) -> str:
        """The choices in words."""
        options = ", ".join(f"{name} {value}" for name, value in self.options.items())
        return f"{self}, {options}"

    @property
    def agents(self) -> list[str]:
        """The names of the seats, `player_0` first."""
        return [f"player_{seat}" for seat in range(self.num_players)]

    @property
    def deck(self) -> TicketDeck:
        """The ticket deck that is played with."""
        return self.variant.ticket_decks[self.options["tickets"]]

    @property
    def turn_limit(self) -> int:
        """The number of turns of all seats together after which the game is truncated (C19)."""
        limit: int = self.options["turn_limit"]
        return limit

    @property
    def num_tickets(self) -> int:
        """The number of tickets in the ticket deck, long ones included."""
        return len(self.deck.tickets)

    @property
    def num_teams(self) -> int:
        """The number of teams that score; where there are no teams, each player is one."""
        return self.num_players // self.variant.team_size

    @property
    def phases(self) -> Sequence[str]:
        """The phases that the game may have, by name."""
        raise NotImplementedError

    @property
    def parts(self) -> Sequence[int]:
        """The numbers of the parts of the score that the game has."""
        raise NotImplementedError

    @property
    def score_parts(self) -> Mapping[str, int]:
        """The parts of the score that this game has, by name: their index in the field `breakdown`."""
        return {PARTS[part]: part for part in self.parts}

    # For the core

    @cached_property
    def layout(self) -> Layout:
        """The layout of observations, global states and actions."""
        return self.ruleset.lay_out(self)

    @cached_property
    def rules(self) -> Array:
        """The core's Rules record, in an array of shape (1,) that can't be written to."""
        return self.ruleset.make_rules(self)

    @cached_property
    def opening(self) -> Array:
        """The State before the deal, in an array of shape (1,) that can't be written to."""
        return self.ruleset.make_opening(self.rules)

    @cached_property
    def text(self) -> Any:
        """The text of actions, routes and tickets: a `Text` of the ruleset."""
        return self.ruleset.text(self)

    def snapshot(self, state: Any) -> dict[str, Any]:
        """Return a state, or a view (what a seat knows of one), as a JSON-able dictionary (docs/snapshots.md)."""
        snapshot: dict[str, Any] = self.ruleset.snapshot(self.text, state).write()
        return snapshot

    @cached_property
    def rules_identity(self) -> str:
        """A hash of the variant's tables and of the numbering of the actions; observations have no part in it."""
        blocks = list(self.layout.actions.shapes.items())
        return hashlib.sha256(f"{self.variant.digest} {blocks}".encode()).hexdigest()[:16]

    @property
    def identity(self) -> dict[str, Any]:
        """The values that must agree for recorded games and policies to fit."""
        return {
            "variant": self.variant.id,
            "num_players": self.num_players,
            "options": dict(self.options),
            "rules": self.rules_identity,
        }
