"""What a configuration has chosen of a map game's variant."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from t2r_env.rules.configuration import Configuration
from t2r_env.variants.variant import MapVariant

if TYPE_CHECKING:
    from t2r_env.rules.map_game.technologies import Technology


@dataclass(frozen=True, eq=False, repr=False)
class MapConfiguration(Configuration):
    """A map game's variant with a number of players and the values of its options."""

    variant: MapVariant

    @property
    def technologies(self) -> "tuple[Technology, ...]":
        """Those in the supply (UK8, UK12)."""
        with_advanced = self.options.get("advanced_technologies", False)
        return tuple(it for it in self.variant.all_technologies if with_advanced or not it.advanced)

    @property
    def largest_payment(self) -> int:
        """The most cards that a route takes, or what else can be bought."""
        prices = [price for module in self.modules for price in module.prices(self)]
        return max([self.variant.longest_route, *prices])

    @property
    def most_from_rack(self) -> int:
        """The most cards of a type that one action may take from a rack (TA6, TA10)."""
        return max(self.largest_payment, *(route.tunnel for route in self.variant.routes))

    @property
    def has_racks(self) -> bool:
        """Whether there are teams, each with its racks (TA2)."""
        return self.variant.team_size > 1

    @property
    def has_tunnels(self) -> bool:
        """Whether cards are turned up for some routes (TA10)."""
        return any(route.tunnel for route in self.variant.routes)

    def has_effect(self, effect: str) -> bool:
        """Whether there is a technology with this effect."""
        return any(technology.effect == effect for technology in self.technologies)
