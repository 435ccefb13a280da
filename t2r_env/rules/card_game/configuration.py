"""What a configuration has chosen of a card game's variant."""

from dataclasses import dataclass

from t2r_env.rules.card_game.state import PARTS, PHASES
from t2r_env.rules.configuration import Configuration
from t2r_env.variants.variant import CardVariant


@dataclass(frozen=True, eq=False)
class CardConfiguration(Configuration):
    """A card game's variant with a number of players and the values of its options."""

    variant: CardVariant

    @property
    def phases(self) -> tuple[str, ...]:
        """The decisions that the game may ask, in the order of their numbers."""
        return PHASES

    @property
    def score_parts(self) -> dict[str, int]:
        """The parts of the score, by name: their numbers in the breakdown."""
        return {name: part for part, name in enumerate(PARTS)}

    @property
    def scorings(self) -> int:
        """How many decks are played, each with a scoring at its end (CG11, CG12)."""
        return 2 if self.num_players >= self.variant.second_deck_players else 1

    @property
    def largest_set(self) -> int:
        """The most cards of one colour."""
        return max(self.variant.colours.values())
