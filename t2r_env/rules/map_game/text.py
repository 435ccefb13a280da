"""The text of a map game's actions and routes."""

from typing import Any

from t2r_env.rules.cards import CARDS, LOCOMOTIVE
from t2r_env.rules.map_game import payments
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.map_game.records import RACK
from t2r_env.rules.names import phases
from t2r_env.rules.text import Description, Text, check_decision, count_cards
from t2r_env.variants.variant import Route


class MapText(Text):
    """The text of one configuration of a map game."""

    configuration: MapConfiguration

    def describe_action(self, name: str, state: Any, action: int, offset: int) -> Description:
        """Return the description of the action at this offset in the block of this name."""
        rules = self.rules
        match name:
            case "claim":
                return self.claim(offset)
            case "pay":
                is_decided = state.phase == phases.PAY
                check_decision(action, is_decided, "is a payment, but nothing is to be paid for")
                return self.pay(int(payments.price(state, rules)[0]), action)
            case "place":
                return self.place(offset)
            case "from_rack":
                is_decided = state.phase == phases.FROM_RACK
                check_decision(action, is_decided, "takes cards from the rack, but no payment is to be divided")
                colour = payments.colour_of(rules, state.payment)
                return self.split(colour, *divmod(offset, rules.rack_width))
            case "pay_more":
                is_decided = state.phase == phases.TUNNEL
                check_decision(action, is_decided, "pays for a tunnel, but no demand is to be paid")
                return self.pay_more(state.payment, int(state.due), offset)
            case "share_ticket":
                return self.share(offset)
            case "buy":
                return self.buy(offset)
            case "spend":
                return self.spend(offset)
            case "take_share" | "neutral_share":
                return self.take_share(name, offset)
            case "build":
                return self.build(offset)
        return super().describe_action(name, state, action, offset)

    def route(self, number: int) -> list[Any]:
        """Return a route as `[a, b, track]`."""
        route = self.configuration.variant.routes[number]
        return [route.a, route.b, route.track]

    def route_text(self, route: Route) -> str:
        """Return a route as a player would say it: its cities, its colour, its length and its symbols."""
        marks = [route.colour, str(route.length)]
        marks += [f"{name} {getattr(route, name)}" for name in ("ferry", "mountain", "tunnel") if getattr(route, name)]
        return f"{self.city(route.a)}-{self.city(route.b)} ({', '.join(marks)})"

    def claim(self, number: int) -> Description:
        """Return the description of claiming a route."""
        route = self.configuration.variant.routes[number]
        entries = {"action": "claim", "a": route.a, "b": route.b, "track": route.track}
        return Description(entries, f"claim {self.route_text(route)}")

    def pay(self, price: int, action: int) -> Description:
        """Return the description of paying a price in cards."""
        colour = CARDS[payments.colour_of(self.rules, action)]
        locomotives = int(payments.locomotives_of(self.rules, action))
        cards = 0 if colour == CARDS[LOCOMOTIVE] else price - locomotives
        if cards < 0 or (cards == 0 and locomotives != price):
            raise ValueError(f"action {action} does not pay the price of {price} cards")
        entries = {"action": "pay", "colour": colour, "cards": cards, "locomotives": locomotives}
        return Description(entries, f"pay {count_cards({colour: cards, CARDS[LOCOMOTIVE]: locomotives})}")

    def pay_more(self, payment: int, due: int, locomotives: int) -> Description:
        """Return the description of paying what a tunnel demands."""
        cards = due - locomotives
        if cards < 0:
            raise ValueError(f"{locomotives} locomotives are more than the {due} cards that are due")
        colour = CARDS[payments.colour_of(self.rules, payment)]
        entries = {"action": "pay_more", "cards": cards, "locomotives": locomotives}
        return Description(entries, f"pay {count_cards({colour: cards, CARDS[LOCOMOTIVE]: locomotives})} more")

    def spend(self, card: int) -> Description:
        """Return the description of laying out a card towards an exchange."""
        return Description({"action": "spend", "colour": CARDS[card]}, f"spend 1 {CARDS[card]} towards a locomotive")

    def place(self, where: int) -> Description:
        """Return the description of placing the first card drawn."""
        text = "put the card on the rack" if where == RACK else "take the card into the hand"
        return Description({"action": "place", "where": "rack" if where == RACK else "hand"}, text)

    def split(self, colour: int, cards: int, locomotives: int) -> Description:
        """Return the description of taking cards of a payment from the rack."""
        entries = {"action": "from_rack", "cards": int(cards), "locomotives": int(locomotives)}
        counted = count_cards({CARDS[colour]: cards, CARDS[LOCOMOTIVE]: locomotives})
        return Description(entries, f"take {counted or 'nothing'} from the rack")

    def share(self, number: int) -> Description:
        """Return the description of putting a ticket on the team's rack."""
        ticket = self.ticket(number)
        return Description({"action": "share_ticket", "ticket": ticket}, f"share {self.ticket_text(*ticket)}")

    def buy(self, number: int) -> Description:
        """Return the description of buying a technology."""
        technology = self.configuration.technologies[number]
        return Description({"action": "buy", "technology": technology.id}, f"buy {technology.name}")

    def take_share(self, name: str, number: int) -> Description:
        """Return the description of taking a share, or none, or of choosing one for the neutral player."""
        companies = self.configuration.variant.companies
        if number == len(companies):
            return Description({"action": name, "company": None}, "take no share")
        company = companies[number]
        text = f"take a share of {company.name}" if name == "take_share" else f"give the neutral player {company.name}"
        return Description({"action": name, "company": company.id}, text)

    def build(self, city: int) -> Description:
        """Return the description of building a station."""
        name = self.configuration.variant.cities[city].id
        return Description({"action": "build", "city": name}, f"build a station in {self.city(name)}")
