"""What a configuration has chosen of a map game's box."""

from dataclasses import dataclass

from t2r_env.boxes.box import MapBox, Technology
from t2r_env.rules.map_game.state import PARTS
from t2r_env.rules.setup import Setup


@dataclass(frozen=True)
class MapSetup(Setup):
    """A map game's box with a number of players and the values of its options."""

    box: MapBox

    @property
    def technologies(self) -> tuple[Technology, ...]:
        """Those in the supply (UK8, UK12)."""
        return self.box.technologies(self.options.get("advanced_technologies", False))

    @property
    def largest_payment(self) -> int:
        """The most cards that a lane or a technology takes."""
        prices = [technology.price for technology in self.technologies]
        return max([self.box.longest_lane, *prices])

    @property
    def most_from_rack(self) -> int:
        """The most cards of a kind that one answer may take from a rack (TA6, TA10)."""
        return max(self.largest_payment, *(lane.tunnel for lane in self.box.lanes))

    @property
    def has_racks(self) -> bool:
        """Whether there are teams, each with its racks (TA2)."""
        return self.box.team_size > 1

    @property
    def has_tunnels(self) -> bool:
        """Whether cards are turned up for some lanes (TA10)."""
        return any(lane.tunnel for lane in self.box.lanes)

    @property
    def has_neutral_shareholder(self) -> bool:
        """Whether a neutral player holds shares (PA8)."""
        return self.num_players <= self.box.neutral_shareholder_up_to

    def has_effect(self, effect: str) -> bool:
        """Whether there is a technology with this effect."""
        return any(technology.effect == effect for technology in self.technologies)

    @property
    def phases(self) -> list[str]:
        """The questions that the game may ask, in the order of their numbers."""
        return [
            "turn",
            "second_card",
            "keep_ticket",
            "pay",
            *["place", "from_rack"] * self.has_racks,
            *["tunnel"] * self.has_tunnels,
            *["share"] * self.has_racks,
            *["second_claim"] * self.has_effect("thermocompressor"),
            *["take_share"] * bool(self.box.companies),
            *["neutral_share"] * self.has_neutral_shareholder,
        ]

    @property
    def parts(self) -> dict[str, int]:
        """The parts of the score that this game has, by name: their numbers in the breakdown."""
        present = {
            "routes": True,
            "tickets": True,
            "mountains": any(lane.mountain for lane in self.box.lanes),
            "shares": bool(self.box.companies),
            "technologies": bool(self.technologies),
        }
        return {name: part for part, name in enumerate(PARTS) if present.get(name, name in self.deck.bonuses)}
