"""Routes, tickets and actions in the words of the map games."""

from typing import Any

from t2r_env.rules.map_game import actions
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.map_game.phases import pay
from t2r_env.rules.map_game.state import FROM_RACK, PAY, RACK, TUNNEL
from t2r_env.rules.records import Record
from t2r_env.rules.text import Description, SharedText, count_cards
from t2r_env.rules.train_cards import CARDS, LOCOMOTIVE
from t2r_env.variants.variant import MapVariant, Route

_SENTENCES = {"draw_three": "draw three cards from the deck", "withdraw": "withdraw"}


class Text(SharedText):
    """How one configuration of a map game speaks."""

    configuration: MapConfiguration

    @property
    def variant(self) -> MapVariant:
        """The game's variant."""
        return self.configuration.variant

    def route(self, number: int) -> list[Any]:
        """A route as `[a, b, route]`."""
        route = self.variant.routes[number]
        return [route.a, route.b, route.track]

    def route_text(self, route: Route) -> str:
        """A route as a player would say it: its cities, its colour, its length and its symbols."""
        marks = [route.colour, str(route.length)]
        if route.ferry:
            marks.append(f"ferry {route.ferry}")
        if route.mountain:
            marks.append(f"mountain {route.mountain}")
        if route.tunnel:
            marks.append(f"tunnel {route.tunnel}")
        return f"{self.place(route.a)}-{self.place(route.b)} ({', '.join(marks)})"

    def _describe(self, state: Record, action: int, name: str, offset: int) -> Description:
        match name:
            case "claim":
                return self.claim(offset)
            case "pay":
                self._check_asked(action, state.phase == PAY, "is a payment, but nothing is being paid for")
                return self.pay(int(pay.cards_due(state, self.rules)), action)
            case "buy":
                return self.buy(offset)
            case "spend":
                return self.spend(offset)
            case "place":
                return self.place_card(offset)
            case "from_rack":
                asked = state.phase == FROM_RACK
                self._check_asked(action, asked, "takes cards from the rack, but no payment is in decision")
                colour = CARDS[actions.payment_colour(self.rules, state.payment)]
                return self.from_rack(colour, *divmod(offset, self.rules.rack_width))
            case "pay_more":
                self._check_asked(action, state.phase == TUNNEL, "pays for a tunnel, but none is in decision")
                return self.pay_more(state.payment, int(state.due), offset)
            case "share_ticket":
                return self.share_ticket(offset)
            case "take_share" | "neutral_share":
                return self.choose_share(name, offset)
            case "draw_three" | "withdraw":
                return Description({"action": name}, _SENTENCES[name])
        return super()._describe(state, action, name, offset)

    def claim(self, number: int) -> Description:
        """Claiming a route."""
        route = self.variant.routes[number]
        entries = {"action": "claim", "a": route.a, "b": route.b, "track": route.track}
        return Description(entries, f"claim {self.route_text(route)}")

    def choose_share(self, name: str, number: int) -> Description:
        """Taking a share, or none, or choosing one for the neutral player."""
        if number == len(self.variant.companies):
            return Description({"action": name, "company": None}, "take no share")
        company = self.variant.companies[number]
        text = f"take a share of {company.name}" if name == "take_share" else f"give the neutral player {company.name}"
        return Description({"action": name, "company": company.id}, text)

    def buy(self, number: int) -> Description:
        """Buying a technology."""
        technology = self.configuration.technologies[number]
        return Description({"action": "buy", "technology": technology.id}, f"buy {technology.name}")

    def spend(self, card: int) -> Description:
        """Laying a card out towards an exchange."""
        return Description({"action": "spend", "colour": CARDS[card]}, f"spend 1 {CARDS[card]} towards a locomotive")

    def place_card(self, where: int) -> Description:
        """Where the first card drawn goes."""
        text = "put the card on the rack" if where == RACK else "take the card into the hand"
        return Description({"action": "place", "where": "rack" if where == RACK else "hand"}, text)

    def from_rack(self, colour: str, cards: int, locomotives: int) -> Description:
        """Which cards of a payment come from the rack."""
        entries = {"action": "from_rack", "cards": int(cards), "locomotives": int(locomotives)}
        counted = count_cards({colour: cards, CARDS[LOCOMOTIVE]: locomotives})
        return Description(entries, f"take {counted or 'nothing'} from the rack")

    def pay_more(self, payment: int, due: int, locomotives: int) -> Description:
        """Paying what a tunnel demands."""
        cards = due - locomotives
        if cards < 0:
            raise ValueError(f"{locomotives} locomotives are more than the {due} cards that are due")
        colour = CARDS[actions.payment_colour(self.rules, payment)]
        entries = {"action": "pay_more", "cards": cards, "locomotives": locomotives}
        counted = count_cards({colour: cards, CARDS[LOCOMOTIVE]: locomotives})
        return Description(entries, f"pay {counted} more")

    def share_ticket(self, number: int) -> Description:
        """Putting a ticket on the team's rack."""
        ticket = self.ticket(number)
        return Description({"action": "share_ticket", "ticket": ticket}, f"share {self.ticket_text(*ticket)}")

    def pay(self, price: int, action: int) -> Description:
        """Paying for a route or a technology, in so many cards."""
        colour = CARDS[actions.payment_colour(self.rules, action)]
        locomotives = int(actions.payment_locomotives(self.rules, action))
        cards = 0 if colour == CARDS[LOCOMOTIVE] else price - locomotives
        if cards < 0 or (cards == 0 and locomotives != price):
            raise ValueError(f"action {action} does not pay the price of {price} cards")
        entries = {"action": "pay", "colour": colour, "cards": cards, "locomotives": locomotives}
        return Description(entries, f"pay {count_cards({colour: cards, CARDS[LOCOMOTIVE]: locomotives})}")
