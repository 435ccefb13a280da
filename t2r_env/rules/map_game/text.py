"""The text of routes and payments."""

from typing import Any

from t2r_env.rules.cards import CARDS, LOCOMOTIVE
from t2r_env.rules.map_game import paying
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.text import Description, Text, count_cards
from t2r_env.variants.variant import Route


class MapText(Text):
    """The text of one configuration of a map game."""

    configuration: MapConfiguration

    def route(self, number: int) -> list[Any]:
        """A route as `[a, b, track]`."""
        route = self.configuration.variant.routes[number]
        return [route.a, route.b, route.track]

    def route_text(self, route: Route) -> str:
        """A route as a player would say it: its cities, its colour, its length and its symbols."""
        marks = [route.colour, str(route.length)]
        for mark in ("ferry", "mountain", "tunnel"):
            if number := getattr(route, mark):
                marks.append(f"{mark} {number}")
        return f"{self.city(route.a)}-{self.city(route.b)} ({', '.join(marks)})"

    def claim(self, number: int) -> Description:
        """Claiming a route."""
        route = self.configuration.variant.routes[number]
        entries = {"action": "claim", "a": route.a, "b": route.b, "track": route.track}
        return Description(entries, f"claim {self.route_text(route)}")

    def pay(self, price: int, action: int) -> Description:
        """Paying for a route or a technology, in so many cards."""
        colour = paying.colour_name(self.rules, action)
        locomotives = int(paying.locomotives_of(self.rules, action))
        cards = 0 if colour == CARDS[LOCOMOTIVE] else price - locomotives
        if cards < 0 or (cards == 0 and locomotives != price):
            raise ValueError(f"action {action} does not pay the price of {price} cards")
        entries = {"action": "pay", "colour": colour, "cards": cards, "locomotives": locomotives}
        return Description(entries, f"pay {count_cards({colour: cards, CARDS[LOCOMOTIVE]: locomotives})}")
