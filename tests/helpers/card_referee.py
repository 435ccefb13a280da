"""A slow and obvious second opinion on the Card Game's rules, from a snapshot and the variant's tables.

It says which actions are legal, and what an action does. Random outcomes (the cards drawn blind or turned up, the order
of a shuffled ticket deck) are taken from the snapshot after the action.
"""

import copy
import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from t2r_env.variants import LOCOMOTIVE, CardVariant
from tests.helpers.situations import action_name

Ticket = Sequence[Any]
"""`[a, b, points, {colour: n}]`."""


def cards_in_play(snapshot: Mapping[str, Any]) -> Counter[str]:
    """All train cards that lie somewhere: in deck and discard, face up, in hands, rail yards and on-track piles."""
    everywhere = Counter(card for card in snapshot["face_up"] if card)
    piles = [snapshot["deck"], snapshot["discard"]]
    for player in snapshot["players"]:
        piles += [player["hand"], player["on_track"], *yard_cards(player)]
    for pile in piles:
        assert all(number >= 0 for number in pile.values())
        everywhere.update(pile)
    return everywhere


def yard_cards(player: Mapping[str, Any]) -> list[dict[str, int]]:
    return [{colour: row["cards"], LOCOMOTIVE: row["locomotives"]} for colour, row in player["yard"].items()]


# Legal actions


def legal_actions(variant: CardVariant, snapshot: Mapping[str, Any]) -> set[str]:
    """The actions that the rules allow, as text."""
    seat = snapshot["current_player"]
    face_up = enumerate(snapshot["face_up"])
    blind = {"draw_deck"} if any(snapshot["deck"].values()) else set()
    match snapshot["phase"]:
        case "turn":
            draws = blind | {f"draw_face_up {slot}" for slot, card in face_up if card}
            tickets = {"draw_tickets"} if snapshot["ticket_deck"] else set()  # CG8
            plays = {f"play_set {colour}" for colour in variant.colours if ways_to_play(snapshot, colour)}
            return draws | tickets | plays | threes(variant, snapshot) or {"pass"}  # CG5
        case "second_card":  # CG6
            return (
                blind | {f"draw_face_up {slot}" for slot, card in face_up if card not in (None, LOCOMOTIVE)} | {"stop"}
            )
        case "set_cards":
            return {f"set_cards {cards}" for cards, _ in ways_to_play(snapshot, snapshot["subject"]["set"])}
        case "set_locomotives":
            ways = ways_to_play(snapshot, snapshot["subject"]["set"])
            return {f"set_locomotives {number}" for cards, number in ways if cards == snapshot["subject"]["cards"]}
        case "keep_ticket":
            return {"keep_ticket", "refuse_ticket"} if may_refuse(variant, snapshot) else {"keep_ticket"}
        case "complete":  # CG10
            chosen = chosen_tickets(snapshot)[seat]
            player = snapshot["players"][seat]
            more = [it for it in player["tickets"] if it not in chosen and suffices(player, [*chosen, it])]
            return {"stop"} | {action_name({"action": "complete", "ticket": ticket}) for ticket in more}
    raise ValueError(f"no decision: {snapshot['phase']}")


def ways_to_play(snapshot: Mapping[str, Any], colour: str) -> set[tuple[int, int]]:
    """The sets of a colour that the current seat may play (CG7): coloured cards and locomotives."""
    seat = snapshot["current_player"]
    hand = snapshot["players"][seat]["hand"]
    if colour in snapshot["players"][seat]["yard"]:
        return set()
    rows = [player["yard"][colour] for player in snapshot["players"] if colour in player["yard"]]
    more_than = max([1, *(row["cards"] + row["locomotives"] for row in rows)])
    numbers = itertools.product(range(1, hand[colour] + 1), range(hand[LOCOMOTIVE] + 1))
    return {(cards, locomotives) for cards, locomotives in numbers if cards + locomotives > more_than}


def threes(variant: CardVariant, snapshot: Mapping[str, Any]) -> set[str]:
    """Three cards of three colours, which lie in no rail yard (CG7): one card never robs."""
    hand = snapshot["players"][snapshot["current_player"]]["hand"]
    lying = {colour for player in snapshot["players"] for colour in player["yard"]}
    free = [colour for colour in variant.colours if hand[colour] and colour not in lying]
    return {f"play_three {', '.join(colours)}" for colours in itertools.combinations(free, 3)}


def may_refuse(variant: CardVariant, snapshot: Mapping[str, Any]) -> bool:
    """Whether the tickets kept and those still to come, without the current one, are enough (CG2, CG8)."""
    if snapshot["turn"] > 0:
        return True
    seat, starting = snapshot["current_player"], variant.ticket_decks[snapshot["options"]["tickets"]].starting
    own = snapshot["pending"][starting.count * seat :]  # those before are other seats' (C6)
    kept = [action["action"] for action in own].count("keep_ticket")
    return bool(kept + len(snapshot["players"][seat]["offered"]) - 1 >= starting.keep)


def suffices(player: Mapping[str, Any], tickets: Iterable[Ticket]) -> bool:
    """Whether a player's pile completes these tickets, each card serving one of them (CG10)."""
    needed: Counter[str] = sum((Counter(cards) for *_, cards in tickets), Counter())
    missing = needed - Counter(player["on_track"])
    return missing.total() <= int(player["on_track"][LOCOMOTIVE])


def chosen_tickets(snapshot: Mapping[str, Any]) -> list[list[Ticket]]:
    """For each seat the tickets that it has chosen to complete (C6)."""
    chosen: list[list[Ticket]] = [[] for _ in snapshot["players"]]
    seat = 0
    for action in snapshot["pending"] if snapshot["phase"] == "complete" else []:
        if action["action"] == "stop":
            seat += 1
        else:
            chosen[seat].append(action["ticket"])
    return chosen


# What actions do


def follow(variant: CardVariant, before: Mapping[str, Any], action: Mapping[str, Any], after: Mapping[str, Any]) -> Any:
    """The snapshot after an action. Decisions with one legal action are taken too, except the decision of a turn."""
    game = _Game(variant, before, after)
    game.act(action)
    while game.now["phase"] not in ("turn", "ended"):
        legal = legal_actions(variant, game.now)
        if len(legal) != 1:
            break
        game.act(_description(legal.pop(), game.now))
    return game.now


def _description(action: str, snapshot: Mapping[str, Any]) -> dict[str, Any]:
    name, _, number = action.partition(" ")
    if name in ("set_cards", "set_locomotives"):
        return {"action": name, name.removeprefix("set_"): int(number)}
    if name == "keep_ticket":
        return {"action": name, "ticket": snapshot["players"][snapshot["current_player"]]["offered"][0]}
    return {"action": name}


class _Game:
    def __init__(self, variant: CardVariant, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
        self.variant = variant
        self.now: dict[str, Any] = copy.deepcopy(dict(before))
        self.after = after
        self.deck = variant.ticket_decks[before["options"]["tickets"]]
        self.players = self.now["players"]

    @property
    def player(self) -> Any:
        return self.players[self.now["current_player"]]

    def act(self, action: Mapping[str, Any]) -> None:
        name = action["action"]
        match self.now["phase"], name:
            case phase, "draw_face_up" | "draw_deck":
                is_last = self._draw(action) or phase == "second_card"
                may_go_on = any(self.now["deck"].values()) or set(self.now["face_up"]) - {None, LOCOMOTIVE}
                if is_last or not may_go_on:
                    self._end_turn()
                else:
                    self._enter("second_card", pending=[dict(action)])
            case "turn", "draw_tickets":  # CG8
                number = min(self.deck.later.count, len(self.now["ticket_deck"]))
                self.player["offered"] = [self.now["ticket_deck"].pop(0) for _ in range(number)]
                self._enter("keep_ticket", pending=[dict(action)])
            case "turn", "play_set":
                self._enter("set_cards", {"set": action["colour"]}, [dict(action)])
            case "set_cards", _:
                chosen = {**self.now["subject"], "cards": action["cards"]}
                self._enter("set_locomotives", chosen, [*self.now["pending"], dict(action)])
            case "set_locomotives", _:
                self._play_row(self.now["subject"]["set"], self.now["subject"]["cards"], action["locomotives"])
                self._end_turn()
            case "turn", "play_three":
                for colour in action["colours"]:
                    self._play_row(colour, 1, 0)
                self._end_turn()
            case "keep_ticket", _:
                self._decide_ticket(action)
            case "complete", "complete":
                self._choose(action)
            case "complete", "stop":
                self.now["pending"].append(dict(action))
                self.now["current_player"] += 1
                if self.now["current_player"] == len(self.players):
                    self._end_scoring()
            case _:
                assert name in ("pass", "stop")
                self._end_turn()

    def _enter(self, phase: str, subject: Mapping[str, Any] | None = None, pending: Sequence[Any] = ()) -> None:
        self.now |= {"phase": phase, "subject": dict(subject or {}), "pending": list(pending)}

    def _draw(self, action: Mapping[str, Any]) -> bool:
        """Draw a card (CG6). Return whether it is a face-up locomotive, which is the turn's only card."""
        if action["action"] == "draw_deck":
            seat = self.now["current_player"]
            (card,) = (Counter(self.after["players"][seat]["hand"]) - Counter(self.player["hand"])).elements()
            self._leaves_deck(card)
            self.player["hand"][card] += 1
            return False
        slot, card = action["slot"], action["card"]
        assert self.now["face_up"][slot] == card
        self.player["hand"][card] += 1
        self.now["face_up"][slot] = None
        self._refill()
        return bool(card == LOCOMOTIVE)

    def _refill(self) -> None:
        """Turn up cards into the empty slots while the deck has any (C8, CG9)."""
        for slot, card in enumerate(self.now["face_up"]):
            if card is None and any(self.now["deck"].values()):
                self.now["face_up"][slot] = self.after["face_up"][slot]
                self._leaves_deck(self.after["face_up"][slot])

    def _leaves_deck(self, card: str) -> None:
        self.now["deck"][card] -= 1
        assert self.now["deck"][card] >= 0

    def _play_row(self, colour: str, cards: int, locomotives: int) -> None:
        """Lay a row in the rail yard; an opponent's row of the colour is discarded (CG7)."""
        for player in self.players:
            if row := player["yard"].pop(colour, None):
                assert player is not self.player
                self._discard({colour: row["cards"], LOCOMOTIVE: row["locomotives"]})
        for card, number in ((colour, cards), (LOCOMOTIVE, locomotives)):
            self.player["hand"][card] -= number
        self.player["yard"][colour] = {"cards": cards, "locomotives": locomotives}

    def _discard(self, cards: Mapping[str, int]) -> None:
        for card, number in cards.items():
            self.now["discard"][card] += number

    def _decide_ticket(self, action: Mapping[str, Any]) -> None:
        """Keep or refuse a ticket. After the last one they go into the hand or under the deck (CG2, CG8)."""
        assert self.player["offered"].pop(0) == action["ticket"]
        self.now["pending"].append(dict(action))
        if self.player["offered"]:
            return
        actions = [it for it in self.now["pending"] if "ticket" in it]
        if self.now["turn"] > 0:
            self._take(self.player, actions)
            self._end_turn()
        elif self.now["current_player"] + 1 < len(self.players):
            self.now["current_player"] += 1
        else:  # C6
            for seat, player in enumerate(self.players):
                self._take(player, actions[self.deck.starting.count * seat :][: self.deck.starting.count])
            assert sorted(self.now["ticket_deck"], key=str) == sorted(self.after["ticket_deck"], key=str)
            self.now["ticket_deck"] = self.after["ticket_deck"]  # shuffled
            self._begin_turn(0)

    def _take(self, player: dict[str, Any], actions: Iterable[Mapping[str, Any]]) -> None:
        for action in actions:
            if action["action"] == "keep_ticket":
                player["tickets"] = self._in_order([*player["tickets"], action["ticket"]])
            else:
                self.now["ticket_deck"].append(action["ticket"])

    def _in_order(self, tickets: Iterable[Ticket]) -> list[Ticket]:
        """Tickets in the order of the variant."""
        index = {(ticket.a, ticket.b): number for number, ticket in enumerate(self.deck.tickets)}
        return sorted(tickets, key=lambda ticket: index[ticket[0], ticket[1]])

    # Turns

    def _begin_turn(self, seat: int) -> None:
        """Phase 1: a card of each row goes on the pile, coloured ones first (CG4). Then the player acts."""
        if self.now["turn"] >= self.now["options"]["turn_limit"]:  # C19
            self._end("truncated")
            return
        self.now["turn"] += 1
        self.now["current_player"] = seat
        for colour, row in [*self.player["yard"].items()]:
            card, part = (colour, "cards") if row["cards"] else (LOCOMOTIVE, "locomotives")
            row[part] -= 1
            self.player["on_track"][card] += 1
            if not any(row.values()):
                del self.player["yard"][colour]
        self._enter("turn")

    def _end_turn(self) -> None:
        """The next seat's turn; after the last one the scoring (CG9)."""
        left = self.now["last_turns_left"]
        if left is not None:
            left -= 1
        elif not any(self.now["deck"].values()):
            left = len(self.players)
        self.now["last_turns_left"] = left or None
        if left == 0:
            self._enter("complete")
            self.now["current_player"] = 0
        else:
            self._begin_turn(self._next_seat)

    @property
    def _next_seat(self) -> int:
        """Turns go round from seat 0 (C7), through both decks (CG12)."""
        return int(self.now["turn"]) % len(self.players)

    # Scorings

    def _choose(self, action: Mapping[str, Any]) -> None:
        """Choose a ticket. A seat's chosen tickets are listed in the variant's order."""
        own = [it["ticket"] for it in self.now["pending"] if it["action"] == "complete"]
        others = [ticket for tickets in chosen_tickets(self.now)[: self.now["current_player"]] for ticket in tickets]
        mine = self._in_order([*own[len(others) :], action["ticket"]])
        kept = len(self.now["pending"]) - len(mine) + 1
        chosen = [{"action": "complete", "ticket": ticket} for ticket in mine]
        self.now["pending"] = [*self.now["pending"][:kept], *chosen]

    def _end_scoring(self) -> None:
        """The choices take effect together (CG10); then the second deck is played, or the game ends (CG11, CG12)."""
        for player, tickets in zip(self.players, chosen_tickets(self.now), strict=True):
            assert suffices(player, tickets)
            for ticket in tickets:
                self._complete(player, ticket)
        if len(self.players) < self.variant.second_deck_players or self.now["scoring_round"] == 2:
            self._end("finished")
        else:
            self._deal_second_deck()

    def _complete(self, player: dict[str, Any], ticket: Ticket) -> None:
        """Cards of the colour are used first, locomotives for what is missing."""
        for colour, number in ticket[3].items():
            coloured = min(number, player["on_track"][colour])
            for card, used in ((colour, coloured), (LOCOMOTIVE, number - coloured)):
                player["on_track"][card] -= used
                self._discard({card: used})
        player["score"] += ticket[2]
        player["tickets"].remove(ticket)
        player["completed"] = self._in_order([*player["completed"], ticket])

    def _deal_second_deck(self) -> None:
        """All cards but those in hands are a new deck; some are dealt, one at a time (CG12)."""
        deck = cards_in_play(self.now)
        for player in self.players:
            deck.subtract(player["hand"])
            player["yard"] = {}
            player["on_track"] = dict.fromkeys(player["on_track"], 0)
        self.now["deck"] = {card: deck[card] for card in self.now["deck"]}
        self.now["discard"] = dict.fromkeys(self.now["discard"], 0)
        first, seats = self._next_seat, len(self.players)
        number = min(self.variant.second_deck_hand * seats, deck.total())
        for ahead in range(seats):
            seat = (first + ahead) % seats
            old, new = self.players[seat]["hand"], self.after["players"][seat]["hand"]
            dealt = [*(Counter(new) - Counter(old)).elements()]
            assert len(dealt) == number // seats + (ahead < number % seats)
            for card in dealt:
                self._leaves_deck(card)
                old[card] += 1
        self.now["face_up"] = [None] * len(self.now["face_up"])
        self._refill()
        is_empty = not any(self.now["deck"].values())
        self.now |= {"reshuffled": True, "scoring_round": 2, "last_turns_left": seats if is_empty else None}
        self._begin_turn(first)

    def _end(self, outcome: str) -> None:
        self._enter("ended")
        self.now |= {"outcome": outcome, "current_player": None}
        if outcome == "finished":
            self.now["final"] = final(self.variant, self.now)
            for player, result in zip(self.players, self.now["final"], strict=True):
                player["score"] = result["score"]


# The end


def completed_points(player: Mapping[str, Any]) -> int:
    """The points of a player's completed tickets (CG10)."""
    return sum(points for _, _, points, _ in player["completed"])


def final(variant: CardVariant, snapshot: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Score, rank, breakdown and completed tickets of each player, as in the snapshot of an ended game (CG13, CG14)."""
    players = snapshot["players"]
    results: list[dict[str, Any]] = []
    cards = [0] * len(players)
    for player in players:
        lost = sum(points for _, _, points, _ in player["tickets"])
        breakdown = {"tickets": completed_points(player) - lost, "big_cities": 0}
        results.append({"breakdown": breakdown, "completed": player["completed"], "failed": player["tickets"]})
    for card in variant.bonus_cards:
        naming = [sum(card.city in ticket[:2] for ticket in player["completed"]) for player in players]
        for seat, number in enumerate(naming):
            if number == max(naming) > 0:
                results[seat]["breakdown"]["big_cities"] += card.points
                cards[seat] += 1
    for result in results:
        result["score"] = sum(result["breakdown"].values())
    standings = [(result["score"], len(result["completed"]), held) for result, held in zip(results, cards, strict=True)]
    for result, standing in zip(results, standings, strict=True):
        result["rank"] = 1 + sum(other > standing for other in standings)
    return results
