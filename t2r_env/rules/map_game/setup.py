"""What a configuration has chosen of a box: the layouts and the Rules record are made from it."""

from dataclasses import dataclass

from t2r_env.boxes.box import MapBox, Technology, TicketDeck


@dataclass(frozen=True)
class Setup:
    """A box with a number of players and the values of its options, all checked."""

    box: MapBox
    num_players: int
    deck: TicketDeck
    advanced_technologies: bool
    turn_limit: int

    @property
    def technologies(self) -> tuple[Technology, ...]:
        """Those in the supply (UK8, UK12)."""
        return self.box.technologies(self.advanced_technologies)

    @property
    def num_tickets(self) -> int:
        """Of the ticket deck, long ones included."""
        return len(self.deck.tickets)

    @property
    def num_sides(self) -> int:
        """Who scores together: players, or teams."""
        return self.num_players // self.box.team_size

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
            "pay",
            "keep_ticket",
            *["place", "from_rack"] * self.has_racks,
            *["tunnel"] * self.has_tunnels,
            *["share"] * self.has_racks,
            *["second_claim"] * self.has_effect("thermocompressor"),
            *["take_share"] * bool(self.box.companies),
            *["neutral_share"] * self.has_neutral_shareholder,
        ]
