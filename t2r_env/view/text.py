"""A game as text for people, with everything in it that players hide."""

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from t2r_env.boxes import COLOURS, LOCOMOTIVE
from t2r_env.configuration import Configuration
from t2r_env.rules.words import count_cards

WIDTH = 120
_HELD = "\0"
"""Stands for a space at which no line is broken."""


def render_text(snapshot: Mapping[str, Any], configuration: Configuration) -> str:
    """A snapshot as text: what is asked, the cards, each player's lanes and tickets, at the end the result."""
    return "\n".join(_Page(snapshot, configuration).lines()) + "\n"


class _Page:
    """The lines of one snapshot."""

    def __init__(self, snapshot: Mapping[str, Any], configuration: Configuration) -> None:
        self.snapshot = snapshot
        self.box = configuration.box
        self.words = configuration.words
        self.players = list(enumerate(snapshot["players"]))

    def lines(self) -> Iterator[str]:
        yield from self._heading()
        yield ""
        yield from self._cards()
        for seat, player in self.players:
            yield ""
            yield from self._player(seat, player)
        if self.snapshot["final"]:
            yield ""
            yield from self._result(self.snapshot["final"])

    # What is asked

    def _heading(self) -> Iterator[str]:
        snapshot = self.snapshot
        options = ", ".join(f"{name} {value}" for name, value in snapshot["options"].items())
        yield f"{self.box.name} ({snapshot['variant']}), {snapshot['num_players']} players, {options}"
        if snapshot["current_player"] is None:
            yield f"Turn {snapshot['turn']}. The game is over: {snapshot['outcome']}"
            return
        asked = f"Turn {snapshot['turn']}. player_{snapshot['current_player']} is asked: {self._question()}"
        yield from textwrap.wrap(asked, WIDTH, subsequent_indent="    ", break_on_hyphens=False)
        if snapshot["decision"]:
            yield from _wrapped("Answered so far: ", map(self._answer, snapshot["decision"]))
        if snapshot["last_turns_left"]:
            yield f"Turns left, this one included: {snapshot['last_turns_left']}"

    def _question(self) -> str:
        snapshot = self.snapshot
        words = str(snapshot["phase"]).replace("_", " ")
        match snapshot["question"]:
            case {"technology": technology}:
                return f"{words} {self._technology(technology)}"
            case {"lane": lane, "due": due, "colour": colour}:
                kinds = LOCOMOTIVE if colour == LOCOMOTIVE else f"{colour} or {LOCOMOTIVE}"
                return f"{words} {self._lane(*lane)}, {due} more due: {kinds}"
            case {"lane": lane, "cards": cards, "colour": colour, "locomotives": locomotives}:
                return f"{words} {self._lane(*lane)}, {count_cards({colour: cards, LOCOMOTIVE: locomotives})}"
            case {"lane": lane}:
                return f"{words} {self._lane(*lane)}"
        if offered := snapshot["players"][snapshot["current_player"]]["offered"]:
            return f"{words} {self.words.ticket_text(*offered[0])}"
        return words

    def _answer(self, answer: Mapping[str, Any]) -> str:
        words = str(answer["action"]).replace("_", " ")
        match answer:
            case {"ticket": ticket}:
                return f"{words} {self.words.ticket_text(*ticket)}"
            case {"a": a, "b": b, "lane": lane}:
                return f"{words} {self._lane(a, b, lane)}"
            case {"card": card}:
                return f"{words} {card}"
            case {"cards": cards, "colour": colour, "locomotives": locomotives}:
                return f"{words} {count_cards({colour: cards, LOCOMOTIVE: locomotives})}"
            case {"cards": cards, "locomotives": locomotives}:
                return f"{words} {cards} cards and {locomotives} locomotives"
            case {"technology": technology}:
                return f"{words} {self._technology(technology)}"
            case {"company": answered} | {"where": answered} | {"colour": answered}:
                return f"{words} {answered}"
        return words

    # Cards

    def _cards(self) -> Iterator[str]:
        snapshot = self.snapshot
        yield "Row: " + ", ".join(card or "-" for card in snapshot["row"])
        yield f"Ticket deck: {len(snapshot['ticket_deck'])} tickets"
        if "technologies" in snapshot:
            left = [f"{self._technology(it)} {number}" for it, number in snapshot["technologies"].items() if number]
            yield from _wrapped("Technologies left: ", left)
        if "companies" in snapshot:
            yield from _wrapped("Shares left: ", _shares(snapshot["companies"]))
        if "neutral_shares" in snapshot:
            yield from _wrapped("Shares of the neutral player: ", _shares(snapshot["neutral_shares"]))
        if snapshot.get("revealed_shares"):
            yield from _wrapped("Those that count: ", _shares(snapshot["revealed_shares"]))
        yield ""
        kinds = [card for card in (*COLOURS, LOCOMOTIVE) if card in snapshot["deck"]]
        table: list[list[Any]] = [["", "trains", "score", "cards", *kinds]]
        for seat, player in self.players:
            mark = "> " if seat == snapshot["current_player"] else "  "
            table.append([f"{mark}player_{seat}", player["trains"], player["score"], *_counts(player["hand"], kinds)])
        for team, parts in enumerate(snapshot.get("teams", ())):
            table.append([f"  rack of team {team}", "", "", *_counts(parts["rack"], kinds)])
        for pile in ("deck", "discard"):
            table.append([f"  {pile}", "", "", *_counts(snapshot[pile], kinds)])
        for pile, cards in self._cards_apart().items():
            table.append([f"  {pile}", "", "", *_counts(cards, kinds)])
        yield from _table(table)

    def _cards_apart(self) -> dict[str, Mapping[str, int]]:
        """Cards that lie in no hand, rack, deck or discard, if there are any."""
        snapshot, kinds = self.snapshot, self.snapshot["deck"]
        set_aside = snapshot["set_aside"]
        drawn = dict.fromkeys(kinds, 0) | ({snapshot["drawn"]: 1} if snapshot["drawn"] else {})
        piles = {"drawn": drawn, "turned up": snapshot["revealed"]}
        if "hand" in set_aside:
            piles |= {"laid out from hand": set_aside["hand"], "laid out from rack": set_aside["rack"]}
        else:
            piles["laid out"] = set_aside
        return {pile: cards for pile, cards in piles.items() if any(cards.values())}

    # Players

    def _player(self, seat: int, player: Mapping[str, Any]) -> Iterator[str]:
        lanes = [(lane["a"], lane["b"], lane["lane"]) for lane in self.snapshot["lanes"] if seat in lane["owners"]]
        yield f"player_{seat}"
        yield from _wrapped(f"  lanes ({len(lanes)}): ", [self._lane(*lane) for lane in lanes])
        yield from _wrapped(f"  tickets ({len(player['tickets'])}): ", self._marked_tickets(seat, player["tickets"]))
        if "teams" in self.snapshot and seat % self.box.team_size == 0:
            open_tickets = self.snapshot["teams"][seat // self.box.team_size]["tickets"]
            label = f"  tickets on the team's rack ({len(open_tickets)}): "
            yield from _wrapped(label, self._marked_tickets(seat, open_tickets))
        if "technologies" in player:
            yield from _wrapped("  technologies: ", map(self._technology, player["technologies"]))
        if "shares" in player:
            yield from _wrapped("  shares: ", _shares(player["shares"]))
        if "mountain_lanes" in player:
            yield f"  mountain lanes: {player['mountain_lanes']}"
        if player["offered"]:
            offered = [self.words.ticket_text(*ticket) for ticket in player["offered"]]
            yield from _wrapped(f"  on offer ({len(offered)}): ", offered)

    def _technology(self, technology: str) -> str:
        return next(it.name for it in self.box.all_technologies if it.id == technology)

    def _lane(self, a: str, b: str, number: int) -> str:
        return self.words.lane_text(next(it for it in self.box.lanes if (it.a, it.b, it.lane) == (a, b, number)))

    def _marked_tickets(self, seat: int, tickets: Sequence[Sequence[Any]]) -> list[str]:
        """Tickets, each marked as completed or not."""
        network = self._network(seat)
        marks = ["✓" if self._is_completed(ticket, network) else "·" for ticket in tickets]
        return [f"{mark} {self.words.ticket_text(*ticket)}" for mark, ticket in zip(marks, tickets, strict=True)]

    def _network(self, seat: int) -> dict[str, set[str]]:
        """Each city on the lanes of a seat and its mates, with all cities that they join to it."""
        size = self.box.team_size
        joined: dict[str, set[str]] = {}
        for lane in self.snapshot["lanes"]:
            if any(owner // size == seat // size for owner in lane["owners"]):
                together = joined.get(lane["a"], {lane["a"]}) | joined.get(lane["b"], {lane["b"]})
                joined.update(dict.fromkeys(together, together))
        return joined

    def _is_completed(self, ticket: Sequence[Any], network: Mapping[str, set[str]]) -> bool:
        """Whether the ticket's ends are joined; a group is met by any of its cities (C16)."""
        starts, ends = ([city.id for city in self.box.cities if end in (city.id, city.region)] for end in ticket[:2])
        return any(end in network.get(start, ()) for start in starts for end in ends)

    # The result

    def _result(self, final: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        parts = list(final[0]["breakdown"])
        table = [["Result", "rank", "score", *(part.replace("_", " ") for part in parts), "completed", "failed"]]
        for seat in sorted(range(len(final)), key=lambda seat: final[seat]["rank"]):
            entry = final[seat]
            points = [entry["breakdown"][part] for part in parts]
            tickets = [len(entry["completed"]), len(entry["failed"])]
            table.append([f"  player_{seat}", entry["rank"], entry["score"], *points, *tickets])
        yield from _table(table)


def _shares(shares: Mapping[str, Sequence[int]]) -> list[str]:
    """The numbers of shares by company, those of which there are none left out."""
    return [f"{company} {' '.join(map(str, numbers))}" for company, numbers in shares.items() if numbers]


def _counts(cards: Mapping[str, int], kinds: Sequence[str]) -> list[Any]:
    """How many cards there are in all and of each kind, none being a dot."""
    return [sum(cards.values()), *(cards[kind] or "·" for kind in kinds)]


def _table(rows: Sequence[Sequence[Any]]) -> Iterator[str]:
    """Rows as lines, the first column left-aligned, the others to the right."""
    widths = [max(len(str(cell)) for cell in column) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = [f"{cell!s:>{width}}" for cell, width in zip(others, widths[1:], strict=True)]
        yield "  ".join([f"{first:<{widths[0]}}", *cells])


def _wrapped(label: str, items: Iterable[str]) -> list[str]:
    """A label and a list on lines of at most `WIDTH` characters, no item being broken."""
    unbroken = ", ".join(item.replace(" ", _HELD) for item in items) or "none"
    lines = textwrap.wrap(label + unbroken, WIDTH, subsequent_indent="    ", break_on_hyphens=False)
    return [line.replace(_HELD, " ") for line in lines]
