"""The configuration of a map game."""

from collections.abc import Sequence
from dataclasses import dataclass

from t2r_env.basics.caching import cached_property
from t2r_env.rules.configuration import Configuration
from t2r_env.rules.names import PARTS, PHASES, parts, phases
from t2r_env.variants.variant import MapVariant, Technology


@dataclass(frozen=True, eq=False, repr=False)
class MapConfiguration(Configuration):
    """A map game's variant with a number of players and the values of its options."""

    variant: MapVariant

    @property
    def phases(self) -> Sequence[str]:
        """The phases that the game may have, by name."""
        has_shares = bool(self.variant.companies)
        is_used = {
            phases.TURN: True,
            phases.SECOND_CARD: True,
            phases.KEEP_TICKET: True,
            phases.PAY: True,
            phases.PLACE: self.has_racks,
            phases.FROM_RACK: self.has_racks,
            phases.TUNNEL: self.has_tunnels,
            phases.SHARE: self.has_racks,
            phases.SECOND_CLAIM: self.has_effect("thermocompressor"),
            phases.TAKE_SHARE: has_shares,
            phases.NEUTRAL_SHARE: has_shares and self.has_neutral_shareholder,
        }
        return [PHASES[phase] for phase, has_it in is_used.items() if has_it]

    @property
    def parts(self) -> Sequence[int]:
        """The numbers of the parts of the score that the game has: those of its rules, and its bonuses."""
        is_used = {
            parts.ROUTES: True,
            parts.MOUNTAINS: any(route.mountain for route in self.variant.routes),
            parts.TICKETS: True,
            parts.GRAND_TOUR: bool(self.variant.grand_tour),
            parts.TECHNOLOGIES: bool(self.technologies),
            parts.SHARES: bool(self.variant.companies),
            parts.STATIONS: self.variant.stations is not None,
        }
        return [part for part, name in enumerate(PARTS) if is_used.get(part) or name in self.deck.bonuses]

    @property
    def technologies(self) -> tuple[Technology, ...]:
        """The technologies in the supply (UK8, UK12)."""
        with_advanced = self.options.get("advanced_technologies", False)
        return tuple(it for it in self.variant.all_technologies if with_advanced or not it.advanced)

    @property
    def largest_payment(self) -> int:
        """The most cards that a route takes, or what else can be bought."""
        stations = self.variant.stations.prices if self.variant.stations else ()
        routes = (route.length for route in self.variant.routes)
        return max([*routes, *(it.price for it in self.technologies), *stations])

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

    @property
    def lays_out(self) -> bool:
        """Whether payments may take more than one decision, and lie apart meanwhile (C2)."""
        return self.has_racks or self.has_tunnels or self.has_exchanges

    @property
    def has_exchanges(self) -> bool:
        """Whether cards can stand for another somewhere (UK5, NO6, NO8)."""
        return any(route.exchange for route in self.variant.routes)

    @cached_property
    def exchanges_locomotives(self) -> bool:
        """Whether locomotives can be exchanged too: where they can't be paid (NO8)."""
        return any(route.exchange and not self.variant.takes_locomotives(route) for route in self.variant.routes)

    @property
    def has_neutral_shareholder(self) -> bool:
        """Whether a neutral player holds shares (PA8)."""
        return self.num_players <= self.variant.neutral_shareholder_up_to

    def has_effect(self, effect: str) -> bool:
        """Whether there is a technology with this effect."""
        return any(technology.effect == effect for technology in self.technologies)
