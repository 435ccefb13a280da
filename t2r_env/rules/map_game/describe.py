"""Cards, lanes, tickets and actions in the game's words."""

from typing import Any

from t2r_env.boxes.box import Box, Lane, TicketDeck
from t2r_env.rules.layout import Layout
from t2r_env.rules.map_game import actions
from t2r_env.rules.map_game.state import KEEP_TICKET, PARTS, PAY
from t2r_env.rules.records import Record
from t2r_env.rules.train_cards import CARDS, EMPTY, LOCOMOTIVE
from t2r_env.rules.words import Description, count_cards


class Words:
    """How one configuration speaks: numbers of the core become ids and sentences."""

    def __init__(self, box: Box, deck: TicketDeck, layout: Layout, rules: Record) -> None:
        self.box = box
        self.deck = deck
        self.layout = layout
        self.rules = rules
        self._city_names = {city.id: city.name for city in box.cities}

    def ticket(self, number: int) -> list[Any]:
        """A ticket as `[a, b, points]`."""
        ticket = self.deck.tickets[number]
        return [ticket.a, ticket.b, ticket.points]

    @property
    def parts(self) -> dict[str, int]:
        """The parts of the score that this game has, by name: their numbers in the breakdown."""
        rules = self.rules
        present = {"routes": True, "tickets": True}
        present |= {"mountains": rules.mountains.any(), "shares": rules.num_companies > 0}
        return {name: part for part, name in enumerate(PARTS) if present.get(name, rules.bonus[part] != 0)}

    def lane(self, number: int) -> list[Any]:
        """A lane as `[a, b, lane]`."""
        lane = self.box.lanes[number]
        return [lane.a, lane.b, lane.lane]

    def place(self, place: str) -> str:
        """What a player calls a city or a group of cities."""
        return self._city_names.get(place, place.replace("_", " ").title())

    def lane_text(self, lane: Lane) -> str:
        """A lane as a player would say it: its cities, its colour, its length and its symbols."""
        marks = [lane.colour, str(lane.length)]
        if lane.ferry:
            marks.append(f"ferry {lane.ferry}")
        if lane.mountain:
            marks.append(f"mountain {lane.mountain}")
        return f"{self.place(lane.a)}-{self.place(lane.b)} ({', '.join(marks)})"

    def ticket_text(self, a: str, b: str, points: int) -> str:
        """A ticket as a player would say it."""
        return f"{self.place(a)}-{self.place(b)} ({points})"

    def describe(self, state: Record, action: int) -> Description:
        """An action as it stands at this question.

        Raises ValueError for a number that is no action, and for an answer (a payment, keeping or refusing a ticket)
        whose question is not being asked.
        """
        name = self.layout.actions.name_of(action)
        offset = action - self.layout.actions[name].start
        if name == "draw_row":
            return self.draw_row(offset, state.row[offset])
        if name == "claim":
            return self.claim(offset)
        if name == "pay":
            if state.phase != PAY:
                raise ValueError(f"action {action} is a payment, but no lane is being paid for")
            return self.pay(state.lane, action)
        if name in ("keep_ticket", "refuse_ticket"):
            if state.phase != KEEP_TICKET:
                raise ValueError(f"action {action} is about a ticket on offer, but none is in question")
            return self.answer_ticket(name == "keep_ticket", state.offered[state.current, state.asked])
        if name in ("take_share", "neutral_share"):
            return self.choose_share(name, offset)
        texts = {"draw_deck": "draw a card from the deck", "draw_tickets": "draw tickets", "pass": "pass"}
        return Description({"action": name}, texts[name])

    def draw_row(self, slot: int, card: int) -> Description:
        """Taking a card of the row."""
        name = None if card == EMPTY else CARDS[card]
        text = f"take the {name} card" if name else f"take a card from slot {slot}, which is empty"
        return Description({"action": "draw_row", "slot": int(slot), "card": name}, text)

    def claim(self, number: int) -> Description:
        """Claiming a lane."""
        lane = self.box.lanes[number]
        entries = {"action": "claim", "a": lane.a, "b": lane.b, "lane": lane.lane}
        return Description(entries, f"claim {self.lane_text(lane)}")

    def answer_ticket(self, keep: bool, number: int) -> Description:
        """Keeping or refusing a ticket."""
        ticket = self.ticket(number)
        entries = {"action": "keep_ticket" if keep else "refuse_ticket", "ticket": ticket}
        return Description(entries, f"{'keep' if keep else 'refuse'} {self.ticket_text(*ticket)}")

    def choose_share(self, name: str, number: int) -> Description:
        """Taking a share, or none, or choosing one for the neutral player."""
        if number == len(self.box.companies):
            return Description({"action": name, "company": None}, "take no share")
        company = self.box.companies[number]
        text = f"take a share of {company.name}" if name == "take_share" else f"give the neutral player {company.name}"
        return Description({"action": name, "company": company.id}, text)

    def pay(self, lane: int, action: int) -> Description:
        """Paying for a lane."""
        price = int(self.rules.lane_length[lane])
        colour = CARDS[actions.payment_colour(self.rules, action)]
        locomotives = int(actions.payment_locomotives(self.rules, action))
        cards = 0 if colour == CARDS[LOCOMOTIVE] else price - locomotives
        if cards < 0 or (cards == 0 and locomotives != price):
            raise ValueError(f"action {action} does not pay for {price} spaces")
        entries = {"action": "pay", "colour": colour, "cards": cards, "locomotives": locomotives}
        return Description(entries, f"pay {count_cards({colour: cards, CARDS[LOCOMOTIVE]: locomotives})}")
