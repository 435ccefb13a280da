"""What a configuration has chosen of a card game's variant."""

from dataclasses import dataclass

from t2r_env.rules.configuration import Configuration
from t2r_env.variants.variant import CardVariant


@dataclass(frozen=True, eq=False, repr=False)
class CardConfiguration(Configuration):
    """A card game's variant with a number of players and the values of its options."""

    variant: CardVariant

    @property
    def scorings(self) -> int:
        """How many decks are played, each with a scoring at its end (CG11, CG12)."""
        return 2 if self.num_players >= self.variant.second_deck_players else 1

    @property
    def largest_set(self) -> int:
        """The most cards of one colour."""
        return max(self.variant.colours.values())
