"""A decision of the Card Game: what its tickets still take."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from t2r_agents.human.decision import Decision
from t2r_agents.human.layout import missing_text
from t2r_env.render.shared_text import wrapped
from t2r_env.render.signs import count_signs
from t2r_env.variants import LOCOMOTIVE


class CardDecision(Decision):
    """A decision of the Card Game. Tickets are completed with cards on track (CG10)."""

    def ticket_states(self) -> list[tuple[str, str, str]]:
        """The cards that each takes, and those that are missing on track."""
        pile = self.own["on_track"]
        missing = [_missing(ticket, pile) for _, ticket in self.tickets]
        return [
            (where, f"{'·' if cards else '✓'} {self._ticket_text(ticket)}", missing_text(cards) if cards else "")
            for (where, ticket), cards in zip(self.tickets, missing)
        ]

    def _ticket_text(self, ticket: Sequence[Any]) -> str:
        a, b, points, cards = ticket
        text = self.configuration.text
        return f"{text.city(a)}-{text.city(b)} ({points}: {count_signs(cards)})"

    def ticket_details(self) -> Iterator[str]:
        """What is missing on track, and what of that neither the rail yard nor the hand has."""
        rows = self.own["yard"]
        yard = {colour: row["cards"] for colour, row in rows.items()}
        yard[LOCOMOTIVE] = sum(row["locomotives"] for row in rows.values())
        on_track = self.own["on_track"]
        for (where, text, _), (_, ticket) in zip(self.ticket_states(), self.tickets):
            yield f"{where}{text}"
            if missing := _missing(ticket, on_track):
                with_yard = _sum(on_track, yard)
                others = [_missing(ticket, pile) for pile in (with_yard, _sum(with_yard, self.own["hand"]))]
                signs = [count_signs(cards) or "nothing" for cards in (missing, *others)]
                labels = "missing on track", "with your rail yard", "and your hand"
                yield from wrapped("    ", [f"{label}: {it}" for label, it in zip(labels, signs)], self.width)
        yield "✓: your cards on track suffice for this ticket alone; locomotives stand for any."

    def map(self, place: str) -> str:
        """There is none."""
        raise ValueError("The Card Game has no map: tickets shows the cards that your tickets take.")

    def path(self, places: str) -> str:
        """There is none."""
        raise ValueError("The Card Game has no routes: tickets shows the cards that your tickets take.")


def _sum(pile: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {card: pile.get(card, 0) + other.get(card, 0) for card in {**pile, **other}}


def _missing(ticket: Sequence[Any], pile: Mapping[str, int]) -> dict[str, int]:
    """The cards that a pile lacks for a ticket; its locomotives are taken for the colours of which most is missing."""
    missing = {colour: max(0, number - pile.get(colour, 0)) for colour, number in ticket[3].items()}
    for _ in range(pile.get(LOCOMOTIVE, 0)):
        most = max(missing, key=lambda colour: missing[colour])
        missing[most] -= missing[most] > 0
    return {colour: number for colour, number in missing.items() if number}
