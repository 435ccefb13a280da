"""A map game as text: lanes, the tickets they complete, and what only some map games have."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from t2r_env.boxes import LOCOMOTIVE, MapBox
from t2r_env.rules.map_game.describe import Words
from t2r_env.rules.words import count_cards
from t2r_env.view.page import Page, Ticket, wrapped


class MapPage(Page):
    """The lines of one snapshot of a map game."""

    box: MapBox
    words: Words
    columns = ("trains", "score")

    # What is asked

    def _asked_about(self) -> str:
        if self.snapshot["phase"] == "place":
            return self.snapshot["drawn"] or ""
        match self.snapshot["question"]:
            case {"technology": technology}:
                return self._technology(technology)
            case {"lane": lane, "due": due, "colour": colour}:
                kinds = LOCOMOTIVE if colour == LOCOMOTIVE else f"{colour} or {LOCOMOTIVE}"
                return f"{self._lane(*lane)}, {due} more due: {kinds}"
            case {"lane": lane, "cards": cards, "colour": colour, "locomotives": locomotives}:
                return f"{self._lane(*lane)}, {count_cards({colour: cards, LOCOMOTIVE: locomotives})}"
            case {"lane": lane}:
                return self._lane(*lane)
        return super()._asked_about()

    def _answered(self, answer: Mapping[str, Any]) -> str:
        match answer:
            case {"a": a, "b": b, "lane": lane}:
                return self._lane(a, b, lane)
            case {"cards": cards, "colour": colour, "locomotives": locomotives}:
                return count_cards({colour: cards, LOCOMOTIVE: locomotives})
            case {"cards": cards, "locomotives": locomotives}:
                return f"{cards} cards and {locomotives} locomotives"
            case {"technology": technology}:
                return self._technology(technology)
            case {"company": answered} | {"where": answered} | {"colour": answered}:
                return str(answered)
        return super()._answered(answer)

    # Cards

    def _supplies(self) -> Iterator[str]:
        snapshot = self.snapshot
        if "technologies" in snapshot:
            left = [f"{self._technology(it)} {number}" for it, number in snapshot["technologies"].items() if number]
            yield from wrapped("Technologies left: ", left)
        if "companies" in snapshot:
            yield from wrapped("Shares left: ", _shares(snapshot["companies"]))
        if "neutral_shares" in snapshot:
            yield from wrapped("Shares of the neutral player: ", _shares(snapshot["neutral_shares"]))
        if snapshot.get("revealed_shares"):
            yield from wrapped("Those that count: ", _shares(snapshot["revealed_shares"]))

    def _piles(self) -> dict[str, Mapping[str, int]]:
        racks = {f"rack of team {team}": parts["rack"] for team, parts in enumerate(self.snapshot.get("teams", ()))}
        apart = {pile: cards for pile, cards in self._cards_apart().items() if any(cards.values())}
        return racks | super()._piles() | apart

    def _cards_apart(self) -> dict[str, Mapping[str, int]]:
        """Cards that lie in no hand, rack, deck or discard."""
        snapshot, kinds = self.snapshot, self.snapshot["deck"]
        set_aside = snapshot["set_aside"]
        drawn = dict.fromkeys(kinds, 0) | ({snapshot["drawn"]: 1} if snapshot["drawn"] else {})
        piles = {"drawn": drawn, "turned up": snapshot["revealed"]}
        if "hand" in set_aside:
            return piles | {"laid out from hand": set_aside["hand"], "laid out from rack": set_aside["rack"]}
        return piles | {"laid out": set_aside}

    # Players

    def _possessions(self, seat: int, player: Mapping[str, Any]) -> Iterator[str]:
        lanes = [(lane["a"], lane["b"], lane["lane"]) for lane in self.snapshot["lanes"] if seat in lane["owners"]]
        yield from wrapped(f"  lanes ({len(lanes)}): ", [self._lane(*lane) for lane in lanes])
        yield from self._marked_tickets("tickets", seat, player["tickets"])
        if "teams" in self.snapshot and seat % self.box.team_size == 0:
            open_tickets = self.snapshot["teams"][seat // self.box.team_size]["tickets"]
            yield from self._marked_tickets("tickets on the team's rack", seat, open_tickets)
        if "technologies" in player:
            yield from wrapped("  technologies: ", map(self._technology, player["technologies"]))
        if "shares" in player:
            yield from wrapped("  shares: ", _shares(player["shares"]))
        if "mountain_lanes" in player:
            yield f"  mountain lanes: {player['mountain_lanes']}"

    def _technology(self, technology: str) -> str:
        return next(it.name for it in self.box.all_technologies if it.id == technology)

    def _lane(self, a: str, b: str, number: int) -> str:
        return self.words.lane_text(next(it for it in self.box.lanes if (it.a, it.b, it.lane) == (a, b, number)))

    def _is_marked(self, seat: int, ticket: Ticket) -> bool:
        """Whether the ticket's ends are joined; a group is met by any of its cities (C16)."""
        network = self._network(seat)
        starts, ends = ([city.id for city in self.box.cities if end in (city.id, city.region)] for end in ticket[:2])
        return any(end in network.get(start, ()) for start in starts for end in ends)

    def _network(self, seat: int) -> dict[str, set[str]]:
        """Each city on the lanes of a seat and its mates, with all cities that they join to it."""
        size = self.box.team_size
        joined: dict[str, set[str]] = {}
        for lane in self.snapshot["lanes"]:
            if any(owner // size == seat // size for owner in lane["owners"]):
                together = joined.get(lane["a"], {lane["a"]}) | joined.get(lane["b"], {lane["b"]})
                joined.update(dict.fromkeys(together, together))
        return joined


def _shares(shares: Mapping[str, Sequence[int]]) -> list[str]:
    """The numbers of shares by company, those of which there are none left out."""
    return [f"{company} {' '.join(map(str, numbers))}" for company, numbers in shares.items() if numbers]
