"""What a game is played with: a variant, a number of players and options, checked and prepared for the core."""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from t2r_env.boxes import Box, load_box
from t2r_env.boxes.box import MAX_TURN_LIMIT
from t2r_env.rules.kind import Kind
from t2r_env.rules.kinds import KINDS
from t2r_env.rules.layout import Layout
from t2r_env.rules.records import Record
from t2r_env.rules.setup import Setup
from t2r_env.rules.words import SharedWords

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class Configuration:
    """A variant for a number of players with options. It never changes, so copies share it.

    `rules` and `opening` are the core's Rules record and the State before the deal, each in an array of shape (1,).
    """

    setup: Setup
    layout: Layout
    rules: Array
    opening: Array

    def __deepcopy__(self, memo: dict[int, Any]) -> "Configuration":
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Configuration) and self.identity == other.identity

    def __hash__(self) -> int:
        return hash((self.digest, self.num_players))

    def __str__(self) -> str:
        return f"{self.box.id}, {self.num_players} players"

    @cached_property
    def words(self) -> SharedWords:
        """How this configuration speaks of actions and tickets."""
        return self.kind.words(self.setup, self.layout, self.rules[0])

    def snapshot(self, state: Record) -> dict[str, Any]:
        """A state, or a view (what a seat knows of one), as a JSON-able dictionary (docs/formats.md)."""
        return self.kind.snapshot(self.words, state).write()

    @property
    def box(self) -> Box:
        """What the game's box contains."""
        return self.setup.box

    @property
    def kind(self) -> Kind:
        """By which kind of rules it is played."""
        return KINDS[self.box.rules]

    @property
    def options(self) -> Mapping[str, Any]:
        """The values of all options."""
        return self.setup.options

    @property
    def num_players(self) -> int:
        """How many play."""
        return self.setup.num_players

    @property
    def agents(self) -> list[str]:
        """The names of the seats, `player_0` first."""
        return [f"player_{seat}" for seat in range(self.num_players)]

    @cached_property
    def digest(self) -> str:
        """A hash of the variant's tables and of where observations and actions lie."""
        return hashlib.sha256(f"{self.box.digest} {self.layout}".encode()).hexdigest()

    @property
    def identity(self) -> dict[str, Any]:
        """What must agree for a saved game to fit: variant, digest, number of players and options."""
        return {
            "variant": self.box.id,
            "digest": self.digest,
            "num_players": self.num_players,
            "options": dict(self.options),
        }


def configure(variant: str | os.PathLike[str] = "usa", num_players: int | None = None, **options: Any) -> Configuration:
    """Check and prepare a configuration.

    `variant` is the name of a game or the path of a folder (docs/boxes.md); `num_players` defaults to the fewest that
    the game allows. Options: `tickets`, the name of a ticket deck (US5), `turn_limit`, the turns of all seats together
    after which a game is truncated (C19), and where there are such, `advanced_technologies` (UK12).

    Raises BoxError (a ValueError) for an unknown variant or a broken folder, ValueError or TypeError for a number of
    players or an option that the game does not have; the message says what is allowed.
    """
    given: object = variant
    if not isinstance(given, str | os.PathLike) or not str(given):
        raise TypeError(f"variant must be the name of a game or the path of a folder, not {given!r}")
    box = load_box(variant)
    if num_players is None:
        num_players = box.min_players
    num_players = _whole_number("num_players", num_players, box.min_players, box.max_players, box)
    if num_players not in box.player_numbers:
        allowed = ", ".join(map(str, box.player_numbers))
        raise ValueError(f"num_players of {box.id} must be one of {allowed}, not {num_players}")
    defaults: dict[str, Any] = {"tickets": box.default_ticket_deck, "turn_limit": box.turn_limit}
    if box.has_advanced_technologies:
        defaults["advanced_technologies"] = False
    if unknown := sorted(options.keys() - defaults.keys()):
        raise TypeError(f"{box.id} has no option {unknown[0]!r}; its options are: {', '.join(defaults)}")
    chosen = defaults | options
    decks = list(box.ticket_decks)
    if not isinstance(chosen["tickets"], str) or chosen["tickets"] not in decks:
        raise ValueError(f"{box.id} has no tickets {chosen['tickets']!r}; it has: {', '.join(decks)}")
    chosen["turn_limit"] = _whole_number("turn_limit", chosen["turn_limit"], 1, MAX_TURN_LIMIT, box)
    advanced = chosen.get("advanced_technologies", False)
    if not isinstance(advanced, bool):
        raise ValueError(f"advanced_technologies of {box.id} must be True or False, not {advanced!r}")
    kind = KINDS[box.rules]
    setup = kind.setup(box, num_players, chosen)
    layout = kind.lay_out(setup)
    rules = kind.make_rules(setup, layout)
    return Configuration(setup, layout, rules, kind.opening(rules))


def as_configuration(
    variant: str | os.PathLike[str] | Configuration, num_players: int | None, options: dict[str, Any]
) -> Configuration:
    """What `configure` makes of these, or the Configuration that stands in the place of the variant.

    Raises what `configure` does, and TypeError for what a Configuration does not leave open.
    """
    if not isinstance(variant, Configuration):
        return configure(variant, num_players, **options)
    if num_players not in (None, variant.num_players) or options:
        raise TypeError("a Configuration already settles the number of players and the options")
    return variant


def _whole_number(name: str, value: Any, least: int, most: int, box: Box) -> int:
    is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not is_whole or not least <= value <= most:
        raise ValueError(f"{name} of {box.id} must be a whole number from {least} to {most}, not {value!r}")
    return int(value)
