"""The text of a map game's actions and routes."""

from typing import Any

from t2r_env.rules.cards import CARDS, LOCOMOTIVE
from t2r_env.rules.map_game import exchange, payments, purchases, racks, shares, sharing, stations, tunnels
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.names import phases
from t2r_env.rules.text import Description, Text, check_decision, count_cards
from t2r_env.variants.variant import Route


class MapText(Text):
    """The text of one configuration of a map game."""

    configuration: MapConfiguration

    def describe_action(self, name: str, state: Any, action: int, offset: int) -> Description:
        """An action of the block of this name, at this offset in the block."""
        variant, rules = self.configuration.variant, self.rules
        match name:
            case "claim":
                return self.claim(offset)
            case "pay":
                is_decided = state.phase == phases.PAY
                check_decision(action, is_decided, "is a payment, but nothing is to be paid for")
                return self.pay(int(payments.price(state, rules)), action)
            case "place":
                return racks.describe_place(offset)
            case "from_rack":
                is_decided = state.phase == phases.FROM_RACK
                check_decision(action, is_decided, "takes cards from the rack, but no payment is to be divided")
                colour = payments.colour_name(rules, state.payment)
                return racks.describe_split(colour, *divmod(offset, rules.rack_width))
            case "pay_more":
                is_decided = state.phase == phases.TUNNEL
                check_decision(action, is_decided, "pays for a tunnel, but no demand is to be paid")
                return tunnels.describe_pay_more(rules, state.payment, int(state.due), offset)
            case "share_ticket":
                return sharing.describe(self, offset)
            case "buy":
                return purchases.describe(self.configuration.technologies[offset])
            case "spend":
                return exchange.describe(offset)
            case "take_share" | "neutral_share":
                return shares.describe(name, variant.companies, offset)
            case "build":
                return stations.describe(self, offset)
        return super().describe_action(name, state, action, offset)

    def route(self, number: int) -> list[Any]:
        """A route as `[a, b, track]`."""
        route = self.configuration.variant.routes[number]
        return [route.a, route.b, route.track]

    def route_text(self, route: Route) -> str:
        """A route as a player would say it: its cities, its colour, its length and its symbols."""
        marks = [route.colour, str(route.length)]
        marks += [f"{name} {getattr(route, name)}" for name in ("ferry", "mountain", "tunnel") if getattr(route, name)]
        return f"{self.city(route.a)}-{self.city(route.b)} ({', '.join(marks)})"

    def claim(self, number: int) -> Description:
        """Claiming a route."""
        route = self.configuration.variant.routes[number]
        entries = {"action": "claim", "a": route.a, "b": route.b, "track": route.track}
        return Description(entries, f"claim {self.route_text(route)}")

    def pay(self, price: int, action: int) -> Description:
        """Paying a price in cards for what has been chosen."""
        colour = payments.colour_name(self.rules, action)
        locomotives = int(payments.locomotives_of(self.rules, action))
        cards = 0 if colour == CARDS[LOCOMOTIVE] else price - locomotives
        if cards < 0 or (cards == 0 and locomotives != price):
            raise ValueError(f"action {action} does not pay the price of {price} cards")
        entries = {"action": "pay", "colour": colour, "cards": cards, "locomotives": locomotives}
        return Description(entries, f"pay {count_cards({colour: cards, CARDS[LOCOMOTIVE]: locomotives})}")
