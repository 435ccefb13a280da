"""A game in words, as people at the table would tell it, as far as a seat may know it (C20)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from t2r_env.configuration import Configuration
from t2r_env.render.headline import headline as headline
from t2r_env.render.headline import result_line
from t2r_env.render.words import Words, card_text, counted, listed, sentence
from t2r_env.rules.snapshot import UNKNOWN
from t2r_env.rules.text import count_cards
from t2r_env.variants import COLOURS, LOCOMOTIVE

Snapshot = Mapping[str, Any]


class Narrator:
    """Says what happens, from what one seat knows before and after each action, and calls the seat `You`.

    Effects are told, not decisions: whether a seat has a decision (as how it pays) depends on its cards.
    """

    _calls_you = True

    def __init__(self, configuration: Configuration, seat: int | None, names: Sequence[str] = ()) -> None:
        """`seat`: whose views the snapshots are; None if they show everything.

        `names`: a name for each seat; without them a seat is `player_0` and so on. Raises ValueError for others.
        """
        self._seat = seat
        self._words = Words(configuration, seat if self._calls_you else None, names)

    def narrate(self, before: Snapshot, after: Snapshot, action: Mapping[str, Any]) -> Iterator[str]:
        """Yield the effects of an action of the player who was to act `before`; both snapshots are of views.

        Of actions of others only what all see is read.
        """
        move = _Move(self._words, before, after, action)
        yield from self._told(move)
        yield from _consequences(move)

    def forfeit(self, before: Snapshot, reason: str) -> str:
        """Return the sentence for a player who was to act `before` and has forfeited the game."""
        return self._words.does(before["current_player"], f"forfeit the game: {reason}")

    def _told(self, move: "_Move") -> Iterator[str]:
        """Yield what the acting seat did."""
        return _effects(move, self._knows(move.actor))

    def _knows(self, actor: int) -> bool:
        return self._seat in (None, actor)


def turned_up(before: Snapshot, after: Snapshot) -> list[str]:
    """Return a sentence that names the cards that have come face up between two snapshots; none if there are none."""
    cards = [now for was, now in zip(before["face_up"], after["face_up"], strict=True) if now and was != now]
    return [f"Face up {'come' if len(cards) > 1 else 'comes'} {', '.join(cards)}."] if cards else []


class Chronicler(Narrator):
    """Writes the log of a game, in which all seats have their names: what one seat knew, or with seat None everything.

    It tells decisions that the seat knows, too, if they have no effect yet.
    """

    _calls_you = False

    def _told(self, move: "_Move") -> Iterator[str]:
        lines = list(super()._told(move))
        if not lines and self._knows(move.actor):
            lines = [move.words.does(move.actor, _choice(move))]
        yield from lines


class _Move:
    """An action, and what it has changed."""

    def __init__(self, words: Words, before: Snapshot, after: Snapshot, action: Mapping[str, Any]) -> None:
        self.words = words
        self.before = before
        self.after = after
        self.action = action
        self.name: str = action["action"]
        self.actor: int = before["current_player"]
        self.was, self.now = (snapshot["players"][self.actor] for snapshot in (before, after))
        self.is_reshuffled = _is_reshuffled(before, after)
        self.ends_scoring = "scoring_round" in before and (
            before["scoring_round"] != after["scoring_round"] or after["outcome"] == "finished"
        )

    def does(self, action: str) -> str:
        """Return the sentence for what the acting seat does."""
        return self.words.does(self.actor, action)

    @property
    def discarded(self) -> Counter[str] | None:
        """The cards that have come to the discard; None if a reshuffle has taken them away."""
        if not self.is_reshuffled:
            return Counter(self.after["discard"]) - Counter(self.before["discard"])
        # the deck has run out while cards were turned up for a tunnel: what was discarded then lies there
        return +Counter(self.after["discard"]) if sum(self.before["deck"].values()) else None

    # Cards of the acting seat: those in its hand, on its team's rack, and laid out for a payment (C2)

    def held(self, snapshot: Snapshot) -> Counter[str]:
        """Return the cards that the seat holds, as far as they are known; others as `UNKNOWN`."""
        return Counter(snapshot["players"][self.actor]["hand"]) + Counter(self._rack(snapshot))

    def _rack(self, snapshot: Snapshot) -> Mapping[str, int]:
        teams = snapshot.get("teams")
        rack: Mapping[str, int] = teams[self.words.team(self.actor)]["rack"] if teams else {}
        return rack

    def drawn(self) -> str | None:
        """Return the card that the seat has got, if it is known and the only one."""
        got = self.held(self.after) - self.held(self.before)
        if self.after["drawn"]:
            return str(self.after["drawn"])
        return next(iter(got)) if sum(got.values()) == 1 and UNKNOWN not in got else None

    @property
    def place(self) -> str:
        """The place where a card drawn has gone, in team games; else nothing."""
        if "teams" not in self.before:
            return ""
        if sum(self._rack(self.after).values()) > sum(self._rack(self.before).values()):
            return " onto the rack"
        return " into the hand" if sum(self.now["hand"].values()) > sum(self.was["hand"].values()) else ""

    @property
    def paid(self) -> Counter[str]:
        """The cards paid, as far as they can be told from the cards held; else as `UNKNOWN`."""
        laid_out = Counter[str]()
        for cards in _piles_aside(self.before):
            laid_out += Counter(cards)
        held, left = self.held(self.before), self.held(self.after)
        if UNKNOWN in held or UNKNOWN in left:
            return Counter({UNKNOWN: laid_out.total() + held.total() - left.total()})
        return laid_out + (held - left)

    @property
    def paid_from_rack(self) -> int:
        """How many of the cards paid lay on the team's rack."""
        if "teams" not in self.before:
            return 0
        laid_out = sum(self.before["set_aside"]["rack"].values())
        return int(laid_out + sum(self._rack(self.before).values()) - sum(self._rack(self.after).values()))


def _is_reshuffled(before: Snapshot, after: Snapshot) -> bool:
    """Whether the discard has become the deck: nothing else takes cards from it, or brings cards to the deck (C2)."""
    if before.get("scoring_round") != after.get("scoring_round"):
        return False
    had, has = (sum(snapshot["deck"].values()) for snapshot in (before, after))
    is_refilled = not had and before["face_up"].count(None) > after["face_up"].count(None)
    taken: Counter[str] = Counter(before["discard"]) - Counter(after["discard"])
    return bool(has > had or taken or is_refilled)


def _piles_aside(snapshot: Snapshot) -> list[Mapping[str, int]]:
    aside = snapshot["set_aside"]
    return [aside["hand"], aside["rack"]] if "hand" in aside else [aside]


# What the acting seat did


def _effects(move: _Move, is_known: bool) -> Iterator[str]:
    """Yield the effects of an action; `is_known` if the acting seat's cards are."""
    yield from _draws(move)
    if "technologies" in move.was:
        yield from _technologies(move)
    if "stations" in move.was and len(move.now["stations"]) > len(move.was["stations"]):
        yield move.does(f"build a station in {move.words.city(move.now['stations'][-1])}{_price(move.paid, move)}")
    yield from _claims(move, is_known)
    yield from _shares(move)
    yield from _kept_tickets(move)
    yield from _rack_tickets(move)
    if "yard" in move.was:
        yield from _sets(move)
        yield from _completions(move)


def _draws(move: _Move) -> Iterator[str]:
    """Yield what all see of an action that needs no effect to be told."""
    match move.action:
        case {"action": "draw_face_up", "card": card}:
            yield move.does(f"take {card_text(card, 'the')}{move.place}")
        case {"action": "draw_deck"}:
            card = move.drawn()
            yield move.does(f"draw {card_text(card)} from the deck{move.place}")
        case {"action": "draw_three"}:
            got = move.held(move.after) - move.held(move.before)
            yield move.does(f"draw {_some_cards(got)} from the deck")
        case {"action": "place"}:
            card = move.drawn()
            yield move.does(f"put {card_text(card, 'the')}{move.place}")
        case {"action": "draw_tickets"}:
            number = len(move.now["offered"]) or _number_kept(move)
            yield move.does(f"draw {counted(number, 'ticket')}")
        case {"action": "pass"}:
            yield move.does("can do nothing and pass" if move.actor == move.words.reader else "pass")
        case {"action": "take_share", "company": None}:
            yield move.does("take no share")
        case {"action": name} if move.before["phase"] == "second_card" and not name.startswith("draw"):
            yield move.does("take no second card")


# Payments


def _price(paid: Counter[str], move: _Move) -> str:
    """Return what was paid as text; of cards that are not known from the hand, what has come to the discard."""
    known = _from_discard(paid, move.discarded)
    return _price_text(known, move.paid_from_rack)


def _price_text(paid: Counter[str], from_rack: int = 0) -> str:
    if not paid.total():
        return ""
    cards = _some_cards(paid)
    if from_rack:
        cards += " from the rack" if from_rack == paid.total() else f", {from_rack} of them from the rack"
    return f" ({cards})"


def _some_cards(cards: Counter[str]) -> str:
    """Return cards in the order of the colours, or how many they are if some are not known."""
    if UNKNOWN in cards:
        return counted(cards.total(), "card")
    return count_cards({card: cards[card] for card in (*COLOURS, LOCOMOTIVE)})


def _from_discard(paid: Counter[str], discarded: Counter[str] | None) -> Counter[str]:
    """Return the cards paid by colour, if their number is that of the cards discarded."""
    if UNKNOWN in paid and discarded is not None and discarded.total() == paid.total():
        return discarded
    return paid


# Routes


def _claims(move: _Move, is_known: bool) -> Iterator[str]:
    """Yield a route that is claimed and paid, or not claimed since its tunnel is too expensive (TA10, EU5)."""
    match move.action:
        case {"action": "claim", "a": a, "b": b, "track": track}:
            route: Sequence[Any] | None = [a, b, track]
        case _:
            route = move.before["subject"].get("route")
    if route is None or _owns(move.before, route, move.actor):
        return
    if move.after["phase"] == "tunnel" and move.before["phase"] != "tunnel":
        if is_known:
            yield from _demand(move, route)
    elif _owns(move.after, route, move.actor):
        yield from _claimed(move, route, is_known)
    elif move.after["subject"].get("route") != route:
        turned_up = _turned_up_before(move) if move.before["phase"] == "tunnel" else move.discarded
        if turned_up and not (is_known and move.before["phase"] == "tunnel"):
            yield _turned_up_text(move, route, turned_up)
        yield move.does(f"withdraw from the tunnel {move.words.route(route)}")


def _owns(snapshot: Snapshot, route: Sequence[Any], seat: int) -> bool:
    return any(seat in it["owners"] for it in snapshot["routes"] if [it["a"], it["b"], it["track"]] == list(route))


def _demand(move: _Move, route: Sequence[Any]) -> Iterator[str]:
    """Yield the cards turned up for a tunnel that demand more; all of this lies on the table."""
    paid = sum((Counter(cards) for cards in _piles_aside(move.after)), Counter[str]())
    yield move.does(f"lay out {_some_cards(paid)} for the tunnel {move.words.route(route)}")
    due = move.after["subject"]["due"]
    yield _turned_up_text(move, route, Counter(move.after["revealed"]), due)


def _turned_up_text(move: _Move, route: Sequence[Any], cards: Counter[str], due: int | None = None) -> str:
    """Return what lies turned up for a tunnel, and how many cards more are due, if that is known to all."""
    text = f"Turned up for the tunnel {move.words.route(route)}: {_some_cards(cards)}."
    if due is None:
        return text
    return f"{text} {due or 'Nothing'} more {'are' if due > 1 else 'is'} due."


def _turned_up_before(move: _Move) -> Counter[str]:
    """Return the cards that lay turned up before the action."""
    return +Counter(move.before["revealed"])


def _claimed(move: _Move, route: Sequence[Any], is_known: bool) -> Iterator[str]:
    it = move.words.route_of(route)
    paid, discarded = move.paid, move.discarded
    if it.tunnel and _turned_up_before(move):  # it was decided to pay more
        turned_up = _turned_up_before(move)
        if not is_known:
            yield _turned_up_text(move, route, turned_up, _due_before(move))
        paid = _from_discard(paid, None if discarded is None else discarded - turned_up)
    elif it.tunnel and discarded is not None and discarded.total() > paid.total():
        paid = _paid_for_tunnel(move, paid, discarded, it.colour)
        if UNKNOWN in paid:
            cards = _some_cards(discarded)
            yield f"Paid and turned up for the tunnel {move.words.route(route)}: {cards}. Nothing more is due."
        else:
            yield _turned_up_text(move, route, discarded - paid, 0)
    else:
        paid = _from_discard(paid, discarded)
    points = move.now["score"] - move.was["score"] if not move.after["final"] else 0
    worth = f" for {points} point{'' if points == 1 else 's'}" if points else ""
    yield move.does(f"claim {move.words.route(route)}{_price_text(paid, move.paid_from_rack)}{worth}")


def _due_before(move: _Move) -> int:
    """Return what the tunnel demanded: the cards turned up that have the colour of the payment, and locomotives."""
    turned_up = move.before["revealed"]
    return sum(turned_up[card] for card in {move.before["subject"]["colour"], LOCOMOTIVE})


def _paid_for_tunnel(move: _Move, paid: Counter[str], discarded: Counter[str], colour: str) -> Counter[str]:
    """Return the cards paid by colour, if what was turned up can be told from them. Nothing more was due.

    So neither the colour paid nor locomotives were turned up. Cards known to be in a hand are paid first (C20).
    """
    if UNKNOWN not in paid:
        return paid
    locomotives = discarded[LOCOMOTIVE]
    rest = paid.total() - locomotives
    if rest == 0:
        return Counter({LOCOMOTIVE: locomotives})
    colours = [it for it in discarded if it != LOCOMOTIVE and discarded[it] == rest and colour in (it, "gray")]
    seen = move.held(move.before) - move.held(move.after)
    colours = [it for it in colours if seen[it]] or colours
    return Counter({colours[0]: rest, LOCOMOTIVE: locomotives}) if len(colours) == 1 else paid


# What only some map games have


def _technologies(move: _Move) -> Iterator[str]:
    for technology in move.now["technologies"]:
        if technology not in move.was["technologies"]:
            yield move.does(f"buy {move.words.technology(technology)}{_price(move.paid, move)}")


def _shares(move: _Move) -> Iterator[str]:
    """Yield shares taken, and those that the neutral player gets (PA4, PA8)."""
    for company, numbers in move.now.get("shares", {}).items():
        for number in sorted(set(numbers) - set(move.was["shares"][company])):
            yield move.does(f"take share {number} of {move.words.company(company)}")
    for company, numbers in move.after.get("neutral_shares", {}).items():
        for number in sorted(set(numbers) - set(move.before["neutral_shares"][company])):
            yield sentence(f"The neutral player gets share {number} of {move.words.company(company)}")


# Tickets


def _kept_tickets(move: _Move) -> Iterator[str]:
    """Yield what each seat keeps whose choice is complete: after a draw one seat's, at the start all seats' (C6)."""
    if move.after["phase"] == "keep_ticket" or not (
        move.before["phase"] == "keep_ticket" or move.name == "draw_tickets"
    ):
        return
    for seat, (was, now) in enumerate(zip(move.before["players"], move.after["players"], strict=True)):
        if move.before["turn"] and seat != move.actor:
            continue
        kept = _added(was["tickets"], now["tickets"])
        number = len(now["tickets"]) - len(was["tickets"])
        if seat == move.actor and move.before["turn"]:
            number = _number_kept(move)
            kept += _rack_added(move, move.words.team(seat))
        tickets = listed(map(move.words.ticket, kept)) if len(kept) == number > 0 else counted(number, "ticket")
        yield move.words.does(seat, f"keep {tickets}")


def _number_kept(move: _Move) -> int:
    """Return how many tickets the acting seat has kept, one of which may have gone to the rack at once (TA7)."""
    number = len(move.now["tickets"]) - len(move.was["tickets"])
    if "teams" in move.before:
        team = move.words.team(move.actor)
        number += len(move.after["teams"][team]["tickets"]) - len(move.before["teams"][team]["tickets"])
    return number


def _rack_tickets(move: _Move) -> Iterator[str]:
    """Yield tickets put on a team's rack: at the start those of all, which take effect together (TA4)."""
    for team, (was, now) in enumerate(zip(move.before.get("teams", ()), move.after.get("teams", ()), strict=True)):
        number = len(now["tickets"]) - len(was["tickets"])
        if number > 0:
            known = _rack_added(move, team)
            tickets = listed(map(move.words.ticket, known)) if known else counted(number, "ticket")
            seats = [move.actor] if move.before["turn"] else move.words.teams()[team]
            yield move.words.do(seats, f"put {tickets} on the team’s rack")


def _rack_added(move: _Move, team: int) -> list[Sequence[Any]]:
    teams = (snapshot.get("teams") for snapshot in (move.before, move.after))
    return _added(*(racks[team]["tickets"] if racks else () for racks in teams))


def _added(before: Iterable[Any], after: Iterable[Any]) -> list[Sequence[Any]]:
    """Return the known tickets that have been added; a ticket may be there twice."""
    left = list(before)
    added = []
    for ticket in after:
        if ticket in left:
            left.remove(ticket)
        elif ticket:
            added.append(ticket)
    return added


# The Card Game


def _sets(move: _Move) -> Iterator[str]:
    """Yield cards played to the rail yard, and the rows of rail yards that they rob (CG7)."""
    if move.before["scoring_round"] != move.after["scoring_round"]:
        return
    played = Counter[str]()
    new = [colour for colour in move.now["yard"] if colour not in move.was["yard"]]
    for colour in new:
        played += _row(colour, move.now["yard"])
    if played:
        yield move.does(f"play {_some_cards(played)}")
    for seat, player in enumerate(move.before["players"]):
        for colour in player["yard"]:
            if colour in new:
                yield move.words.does(seat, f"lose {_some_cards(_row(colour, player['yard']))} from the rail yard")


def _row(colour: str, yard: Mapping[str, Mapping[str, int]]) -> Counter[str]:
    """Return the cards of a row of a rail yard."""
    return Counter({colour: yard[colour]["cards"], LOCOMOTIVE: yard[colour]["locomotives"]})


def _completions(move: _Move) -> Iterator[str]:
    """Yield the tickets of a scoring; all choices take effect together (C6, CG10)."""
    if not move.ends_scoring:
        return
    for seat, (was, now) in enumerate(zip(move.before["players"], move.after["players"], strict=True)):
        completed = _added(was["completed"], now["completed"])
        tickets = listed(map(move.words.ticket, completed)) if completed else "no ticket"
        yield move.words.does(seat, f"complete {tickets}")


# Decisions that have no effect yet


def _choice(move: _Move) -> str:
    """Return a decision; it begins with a verb."""
    words = move.words
    match move.action:
        case {"action": "claim", "a": a, "b": b, "track": track}:
            return f"choose the route {words.route([a, b, track])}"
        case {"action": "buy", "technology": technology}:
            return f"choose {words.technology(technology)}"
        case {"action": "build", "city": city}:
            return f"choose {words.city(city)} for a station"
        case {"action": "keep_ticket" | "refuse_ticket" | "complete" as name, "ticket": ticket}:
            return f"choose to {name.removesuffix('_ticket')} {words.ticket(ticket)}"
        case {"action": "share_ticket", "ticket": ticket}:
            return f"choose {words.ticket(ticket)} for the team’s rack"
        case {"action": "set_cards", "cards": number}:
            return f"choose {counted(number, 'card')} of the colour"
        case {"action": "set_locomotives", "locomotives": number}:
            return f"choose {counted(number, 'locomotive')}"
        case {"action": "play_set", "colour": colour}:
            return f"choose {colour} for a set"
    return str(move.action)


# What follows


def _consequences(move: _Move) -> Iterator[str]:
    """Yield what happens by itself after an action."""
    if move.is_reshuffled:
        yield "The deck is used up: the discard is shuffled into a new deck."
    yield from _sweeps(move)
    if move.ends_scoring and move.after["outcome"] == "running":
        yield from _second_deck(move)
    yield from _moves_to_track(move)
    if move.after["last_turns_left"] and not move.before["last_turns_left"]:
        yield _last_round(move)
    if move.after["current_player"] is None:
        if move.after["outcome"] == "finished" and not (move.before["last_turns_left"] or "yard" in move.was):
            yield "Nobody can do anything any more: the game ends."
        yield sentence(result_line(move.after, move.words))


def _sweeps(move: _Move) -> Iterator[str]:
    """Yield a sweep of the face-up cards (C4): all of them change, though at most one was taken."""
    if not getattr(move.words.variant, "face_up_sweep", False):
        return
    discarded = Counter[str]() if move.discarded is None else move.discarded
    times = 0
    if move.is_reshuffled:
        faces = enumerate(zip(move.before["face_up"], move.after["face_up"], strict=True))
        taken = move.action.get("slot")
        times = int(any(was and was != now and slot != taken for slot, (was, now) in faces))
    elif move.name in ("draw_face_up", "draw_deck", "draw_three", "place"):
        times = discarded.total() // len(move.after["face_up"])
    if times:
        yield "Three locomotives lie face up: all five cards are replaced."
    for _ in range(1, times):
        yield "Again three locomotives lie face up: all five cards are replaced."


def _second_deck(move: _Move) -> Iterator[str]:
    """Yield the deal of the second deck (CG12)."""
    yield "The second deck begins: all cards but those in hands are shuffled, and each player is dealt some."
    for seat, (was, now) in enumerate(zip(move.before["players"], move.after["players"], strict=True)):
        got = Counter(now["hand"]) - Counter(was["hand"])
        if got and UNKNOWN not in got:
            yield move.words.does(seat, f"get {_some_cards(got)}")


def _moves_to_track(move: _Move) -> Iterator[str]:
    """Yield the cards that go on track as a turn begins (CG4)."""
    for seat, (was, now) in enumerate(zip(move.before["players"], move.after["players"], strict=True)):
        if moved := Counter(now.get("on_track", {})) - Counter(was.get("on_track", {})):
            yield move.words.does(seat, f"move {_some_cards(moved)} onto the track")


def _last_round(move: _Move) -> str:
    """Return what begins the last round (C15, TA11, CG9)."""
    turns = f"the last round begins, {counted(move.after['last_turns_left'], 'turn')} left"
    if "yard" in move.was:
        return sentence(f"The deck is used up: {turns}")
    mates = move.words.mates(move.actor)
    trains = sum(move.after["players"][seat]["trains"] for seat in mates)
    return move.words.do(mates, f"have {counted(trains, 'train')} left: {turns}")
