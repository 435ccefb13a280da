"""The number of rows of each table of the graph observation."""

from collections.abc import Iterable
from dataclasses import astuple, dataclass

from t2r_env.configuration import Configuration
from t2r_env.rules.map_game.configuration import MapConfiguration


@dataclass(frozen=True)
class GraphSize:
    """The rows of the tables: as many as a configuration has, or more, so that games of different maps stack."""

    cities: int
    """Cities, then regions that tickets name."""
    routes: int
    tickets: int
    players: int
    """Seats, then the neutral player if there is one."""
    actions: int

    @classmethod
    def of(cls, configuration: Configuration) -> "GraphSize":
        """Return the size of a configuration. Raises ValueError unless it is a map game, TypeError if it is none."""
        if not isinstance(configuration, Configuration):
            raise TypeError(f"a configuration is made by t2r_env.configure, and {configuration!r} is none")
        if not isinstance(configuration, MapConfiguration):
            raise ValueError(f"only map games have a graph, and {configuration.variant.id} is none")
        return cls(
            len(configuration.variant.cities) + len(regions_of(configuration)),
            len(configuration.variant.routes),
            configuration.num_tickets,
            configuration.num_players + configuration.has_neutral_shareholder,
            configuration.layout.actions.size,
        )

    @classmethod
    def covering(cls, configurations: Iterable[Configuration]) -> "GraphSize":
        """Return the least size that has room for each of these configurations.

        Raises ValueError if there are none, and what `of` raises.
        """
        sizes = [astuple(cls.of(it)) for it in configurations]
        if not sizes:
            raise ValueError("the configurations to cover must be one or more, not none")
        return cls(*map(max, zip(*sizes, strict=True)))

    def check(self, configuration: Configuration) -> None:
        """Raise ValueError unless the configuration fits."""
        needed = GraphSize.of(configuration)
        if any(own < least for own, least in zip(astuple(self), astuple(needed), strict=True)):
            raise ValueError(f"the graph of {configuration} needs at least {needed}, not {self}")


def regions_of(configuration: MapConfiguration) -> list[str]:
    """Return the regions that tickets of the deck name, in the order of the tickets."""
    cities = {city.id for city in configuration.variant.cities}
    ends = (end for it in configuration.deck.tickets for end in (it.a, *(name for name, _ in it.destinations)))
    return list(dict.fromkeys(end for end in ends if end not in cities))
