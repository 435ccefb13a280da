"""The configuration of a card game."""

from collections.abc import Sequence
from dataclasses import dataclass

from t2r_env.rules.configuration import Configuration
from t2r_env.rules.names import PHASES, parts, phases
from t2r_env.variants.variant import CardVariant


@dataclass(frozen=True, eq=False, repr=False)
class CardConfiguration(Configuration):
    """A card game's variant with a number of players and the values of its options."""

    variant: CardVariant

    @property
    def phases(self) -> Sequence[str]:
        """The phases that the game may have, by name."""
        own = (phases.SET_CARDS, phases.SET_LOCOMOTIVES, phases.COMPLETE)
        return [PHASES[phase] for phase in (phases.TURN, phases.SECOND_CARD, phases.KEEP_TICKET, *own)]

    @property
    def parts(self) -> Sequence[int]:
        """The numbers of the parts of the score that the game has."""
        return [parts.TICKETS, parts.BIG_CITIES]

    @property
    def scorings(self) -> int:
        """The number of decks that are played, each with a scoring at its end (CG11, CG12)."""
        return 2 if self.num_players >= self.variant.second_deck_players else 1
