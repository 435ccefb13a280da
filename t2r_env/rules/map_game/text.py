"""The text of a map game's actions and routes."""

from typing import Any

from t2r_env.rules.cards import CARDS, LOCOMOTIVE
from t2r_env.rules.map_game import payments
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.map_game.locomotives import pay_now
from t2r_env.rules.map_game.records import RACK
from t2r_env.rules.names import phases
from t2r_env.rules.text import Description, Text, check_decision, count_cards
from t2r_env.variants.variant import Route


class MapText(Text):
    """The text of one configuration of a map game."""

    configuration: MapConfiguration

    def describe_action(self, name: str, state: Any, action: int, offset: int) -> Description:
        """Return the description of the action at this offset in the block of this name, at a decision."""
        rules = self.rules
        match name:
            case "pay":
                is_decided = state.phase == phases.PAY
                check_decision(action, is_decided, "is a payment, but nothing is to be paid for")
                return self.pay(int(payments.price(state, rules)[0]), action, bool(pay_now(state, rules)))
            case "from_rack":
                is_decided = state.phase == phases.FROM_RACK
                check_decision(action, is_decided, "takes cards from the rack, but no payment is to be divided")
                colour = payments.colour_of(rules, state.payment)
                return self.split(colour, *divmod(offset, rules.rack_width))
            case "pay_more":
                is_decided = state.phase == phases.TUNNEL
                check_decision(action, is_decided, "pays for a tunnel, but no demand is to be paid")
                return self.pay_more(state.payment, int(state.due), offset)
        return super().describe_action(name, state, action, offset)

    def describe_offset(self, name: str, offset: int) -> Description:
        """Return the description of an action that means the same at each decision."""
        variant = self.configuration.variant
        entries: dict[str, Any]
        match name:
            case "claim":
                route = variant.routes[offset]
                entries = {"a": route.a, "b": route.b, "track": route.track}
                text = f"claim {self.route_text(route)}"
            case "spend":
                made = "an exchange" if self.configuration.exchanges_locomotives else "a locomotive"
                entries, text = {"colour": CARDS[offset]}, f"spend 1 {CARDS[offset]} towards {made}"
            case "place":
                entries = {"where": "rack" if offset == RACK else "hand"}
                text = "put the card on the rack" if offset == RACK else "take the card into the hand"
            case "share_ticket":
                ticket = self.ticket(offset)
                entries, text = {"ticket": ticket}, f"share {self.ticket_text(*ticket)}"
            case "buy":
                technology = self.configuration.technologies[offset]
                entries, text = {"technology": technology.id}, f"buy {technology.name}"
            case "take_share" if offset == len(variant.companies):
                entries, text = {"company": None}, "take no share"
            case "take_share":
                company = variant.companies[offset]
                entries, text = {"company": company.id}, f"take a share of {company.name}"
            case "neutral_share":
                company = variant.companies[offset]
                entries, text = {"company": company.id}, f"give the neutral player {company.name}"
            case "build":
                city = variant.cities[offset].id
                entries, text = {"city": city}, f"build a station in {self.city(city)}"
            case _:
                return super().describe_offset(name, offset)
        return Description({"action": name} | entries, text)

    def route(self, number: int) -> list[Any]:
        """Return a route as `[a, b, track]`."""
        route = self.configuration.variant.routes[number]
        return [route.a, route.b, route.track]

    def route_text(self, route: Route) -> str:
        """Return a route as a player would say it: its cities, its colour, its length and its symbols."""
        return f"{self.city(route.a)}-{self.city(route.b)} ({', '.join(route.marks)})"

    def pay(self, price: int, action: int, takes_locomotives: bool) -> Description:
        """Return the description of paying a price in cards; exchanges count as the locomotives that they stand for.

        Where locomotives can't be paid, exchanges stand for cards of the colour (NO8).
        """
        colour = CARDS[payments.colour_of(self.rules, action)]
        locomotives = int(payments.locomotives_of(self.rules, action))
        cards = 0 if colour == CARDS[LOCOMOTIVE] else price - locomotives
        if cards < 0 or (cards == 0 and locomotives != price):
            raise ValueError(f"action {action} does not pay the price of {price} cards")
        entries = {"action": "pay", "colour": colour, "cards": cards, "locomotives": locomotives}
        units = CARDS[LOCOMOTIVE] if takes_locomotives else "exchanged"
        return Description(entries, f"pay {count_cards({colour: cards, units: locomotives})}")

    def pay_more(self, payment: int, due: int, locomotives: int) -> Description:
        """Return the description of paying what a tunnel demands."""
        cards = due - locomotives
        if cards < 0:
            raise ValueError(f"{locomotives} locomotives are more than the {due} cards that are due")
        colour = CARDS[payments.colour_of(self.rules, payment)]
        entries = {"action": "pay_more", "cards": cards, "locomotives": locomotives}
        return Description(entries, f"pay {count_cards({colour: cards, CARDS[LOCOMOTIVE]: locomotives})} more")

    def split(self, colour: int, cards: int, locomotives: int) -> Description:
        """Return the description of taking cards of a payment from the rack."""
        entries = {"action": "from_rack", "cards": int(cards), "locomotives": int(locomotives)}
        counted = count_cards({CARDS[colour]: cards, CARDS[LOCOMOTIVE]: locomotives})
        return Description(entries, f"take {counted or 'nothing'} from the rack")
