"""Positions of a map game, set up in a few lines and played on in text.

Cards are written as in `"3 blue, 1 locomotive"`, in the order of the colours. Cities are written as their ids, a route
as `"boston-montreal"`, the one parallel to it as `"boston-montreal 1"`, tickets like routes, shares as `"prr 1"`. A
ticket to several countries (SW8) has their ids in the order of the table: `"chur-deutschland;france;italia;osterreich"`
or `"france-deutschland;italia;osterreich"`.
Actions: `draw_face_up 2`, `draw_deck`, `draw_tickets`, `claim montreal-toronto`, `pay 2 blue, 1 locomotive`,
`keep_ticket`, `refuse_ticket`, `build paris`, `take_share prr`, `take_share none`, `neutral_share bo`, `buy booster`,
`spend blue`, `spend locomotive`, `draw_three`, `place hand`, `place rack`, `from_rack 2 cards, 1 locomotive`,
`from_rack nothing`, `pay_more 1 cards, 1 locomotive`, `withdraw`, `share_ticket boston-miami`, `stop`, `pass`; in the
Card Game also
`play_set blue`, `set_cards 2`, `set_locomotives 1`, `play_three blue, white, red`, `complete chicago-miami`.
"""

import functools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_env import Configuration, Games, configure
from t2r_env.rules.batch import RESUME, run
from t2r_env.rules.map_game.records import NEUTRAL
from t2r_env.rules.names import PHASES, parts
from t2r_env.variants import COLOURS, GRAY, LOCOMOTIVE, MapVariant
from t2r_env.variants import loader as variants
from t2r_env.variants.variant import Ticket
from tests.helpers.maps import map_configuration, map_variant

CARDS = (*COLOURS, LOCOMOTIVE)
NOTHING = -1
"""An empty face-up slot, or an entry of the ticket deck without a ticket."""

configuration = functools.cache(configure)
"""As `configure`, but cached: the same arguments give the same object."""


NAMED_BY = {"draw_face_up": "slot", "build": "city", "buy": "technology", "spend": "colour", "place": "where"}
NAMED_BY |= {"play_set": "colour", "set_cards": "cards", "set_locomotives": "locomotives"}
"""The actions whose names have one part of their descriptions: which."""


def count(cards: str) -> NDArray[np.int64]:
    """The number of cards of each colour, locomotives last: "3 blue, 1 locomotive" as an array, (9,)."""
    numbers = np.zeros(len(CARDS), np.int64)
    for part in filter(None, cards.split(", ")):
        number, card = part.split(" ")
        numbers[CARDS.index(card)] += int(number)
    return numbers


def cards_text(cards: Mapping[str, int]) -> str:
    return ", ".join(f"{cards[card]} {card}" for card in CARDS if cards.get(card))


def action_name(description: Mapping[str, Any]) -> str:
    """An action as the tests write it."""
    match description:
        case {"action": "claim", "a": a, "b": b, "track": track}:
            return f"claim {route_name(a, b, track)}"
        case {"action": "pay", "colour": colour, "cards": cards, "locomotives": locomotives}:
            return f"pay {cards_text({colour: cards, LOCOMOTIVE: locomotives})}"
        case {"action": "from_rack" | "pay_more" as name, "cards": cards, "locomotives": locomotives}:
            counts = {"cards": cards, LOCOMOTIVE: locomotives}
            return f"{name} {', '.join(f'{n} {card}' for card, n in counts.items() if n) or 'nothing'}"
        case {"action": "play_three", "colours": colours}:
            return f"play_three {', '.join(colours)}"
        case {"action": "share_ticket" | "complete" as name, "ticket": [a, b, *_]}:
            return f"{name} {route_name(a, b)}"
        case {"action": name, "company": company}:
            return f"{name} {company or 'none'}"
        case {"action": name}:
            return f"{name} {description[NAMED_BY[name]]}" if name in NAMED_BY else str(name)
    raise ValueError(f"no action: {description}")


def route_name(a: str, b: str, track: int = 0) -> str:
    """A route as the tests write it; track 0 is left out."""
    return f"{a}-{b} {track}" if track else f"{a}-{b}"


def ticket_name(ticket: Sequence[Any]) -> str:
    """A ticket of a snapshot as the tests write it."""
    a, b, *_ = ticket
    return route_name(a, countries_text(b))


def in_snapshots(ticket: Ticket) -> list[Any]:
    """A ticket of a variant's table as snapshots have it."""
    ends, points = zip(*ticket.destinations, strict=True)
    return [ticket.a, [*ends], [*points]] if len(ends) > 1 else [ticket.a, *ends, *points]


def countries_text(end: Any) -> str:
    """The end of a ticket as the tests write it: the id of a city or group, or those of several countries (SW8)."""
    return end if isinstance(end, str) else ";".join(end)


def share_names(shares: Mapping[str, Sequence[int]]) -> set[str]:
    return {f"{company} {number}" for company, numbers in shares.items() for number in numbers}


class Table:
    """One game, read and played as text."""

    def __init__(self, games: Games) -> None:
        self.games = games

    # Reading

    @property
    def snapshot(self) -> dict[str, Any]:
        return self.games.snapshot()

    @property
    def phase(self) -> str:
        """The phase, which says what is decided; "ended" after the game."""
        if not self.games.masks.any():
            return "ended"
        return PHASES[int(self.games.states["phase"][0])]  # a snapshot takes long to write

    @property
    def outcome(self) -> str:
        """running, finished or truncated."""
        return str(self.snapshot["outcome"])

    @property
    def to_move(self) -> int:
        return int(self.games.current[0])

    @property
    def face_up(self) -> str:
        """The face-up cards by slot; an empty slot is `-`."""
        return ", ".join(card or "-" for card in self.snapshot["face_up"])

    @property
    def face_up_cards(self) -> str:
        """The face-up cards, whatever their slots."""
        return cards_text(Counter(card for card in self.snapshot["face_up"] if card))

    @property
    def deck(self) -> str:
        return cards_text(self.snapshot["deck"])

    @property
    def discard(self) -> str:
        return cards_text(self.snapshot["discard"])

    @property
    def ticket_deck(self) -> list[str]:
        return list(map(ticket_name, self.snapshot["ticket_deck"]))

    def hand(self, seat: int) -> str:
        return cards_text(self.snapshot["players"][seat]["hand"])

    def trains(self, seat: int) -> int:
        return int(self.snapshot["players"][seat]["trains"])

    def score(self, seat: int) -> int:
        return int(self.snapshot["players"][seat]["score"])

    def routes(self, seat: int) -> set[str]:
        routes = self.snapshot["routes"]
        return {route_name(it["a"], it["b"], it["track"]) for it in routes if seat in it["owners"]}

    def stations(self, seat: int) -> list[str]:
        """The cities of a seat's stations, in the order built."""
        return list(self.snapshot["players"][seat]["stations"])

    def rack(self, team: int) -> str:
        return cards_text(self.snapshot["teams"][team]["rack"])

    def rack_tickets(self, team: int) -> set[str]:
        return set(map(ticket_name, self.snapshot["teams"][team]["tickets"]))

    @property
    def revealed(self) -> str:
        return cards_text(self.snapshot["revealed"])

    @property
    def laid_out(self) -> str:
        """The cards laid out from the hand for a payment."""
        return cards_text(self.snapshot["set_aside"])

    def technologies(self, seat: int) -> set[str]:
        return set(self.snapshot["players"][seat]["technologies"])

    def copies_left(self, technology: str) -> int:
        """How many copies of a technology the supply has."""
        return int(self.snapshot["technologies"][technology])

    def shares(self, seat: int) -> set[str]:
        return share_names(self.snapshot["players"][seat]["shares"])

    @property
    def neutral_shares(self) -> set[str]:
        return share_names(self.snapshot["neutral_shares"])

    @property
    def revealed_shares(self) -> set[str]:
        """The neutral player's shares that counted in the ended game."""
        return share_names(self.snapshot["revealed_shares"])

    def tickets(self, seat: int) -> set[str]:
        return set(map(ticket_name, self.snapshot["players"][seat]["tickets"]))

    def every_ticket(self, seat: int) -> list[str]:
        """The same, sorted, equal tickets as often as the seat holds them."""
        return sorted(map(ticket_name, self.snapshot["players"][seat]["tickets"]))

    def offered(self, seat: int) -> list[str]:
        """The tickets offered to a seat that it has not decided on yet, the current one first."""
        return list(map(ticket_name, self.snapshot["players"][seat]["offered"]))

    def final(self, seat: int) -> dict[str, Any]:
        result: dict[str, Any] = self.snapshot["final"][seat]
        return result

    def parts(self, name: str) -> list[int]:
        """A part of every seat's score in the ended game."""
        return [final["breakdown"][name] for final in self.snapshot["final"]]

    @property
    def ranks(self) -> list[int]:
        return [final["rank"] for final in self.snapshot["final"]]

    @property
    def scores(self) -> list[int]:
        return [final["score"] for final in self.snapshot["final"]]

    def sees(self, segment: str, seat: int) -> NDArray[np.uint8]:
        part = self.games.layout.observation[segment]
        seen: NDArray[np.uint8] = self.games.observe([0], [seat])[0, part.slice].reshape(part.shape)
        return seen

    @property
    def next_turn_seen(self) -> list[int]:
        """The seat that takes the next turn, as each seat sees it."""
        seats = range(self.games.num_players)
        return [(seat + int(self.sees("next_turn", seat).argmax())) % len(seats) for seat in seats]

    def known(self, observer: int, seat: int) -> str:
        """The cards that the observer knows to be in the hand of the seat."""
        ahead = (seat - observer) % self.games.num_players
        return cards_text(dict(zip(CARDS, map(int, self.sees("known", observer)[ahead]), strict=True)))

    # Playing

    @property
    def legal(self) -> set[str]:
        return {action for action, _ in self._actions()}

    @property
    def claims(self) -> set[str]:
        return {action.removeprefix("claim ") for action in self.legal if action.startswith("claim")}

    def play(self, *actions: str) -> None:
        for choice in actions:
            action = next((action for text, action in self._actions() if text == choice), None)
            assert action is not None, f"{choice!r} is not legal; legal actions: {sorted(self.legal)}"
            self.games.step(np.array([action]))

    def play_all(self, action: str) -> None:
        while action in self.legal:
            self.play(action)

    def _actions(self) -> Iterator[tuple[str, int]]:
        for action in map(int, np.flatnonzero(self.games.masks[0])):
            yield action_name(self.games.describe(action)), action


def deal(
    players: int = 2, *, seed: int = 0, variant: str | Path = "usa", reward: str = "rank", **options: Any
) -> Table:
    """A game just dealt: the first seat decides on its starting tickets."""
    chosen = configuration(variant, players, **options)
    return Table(Games(chosen, seed=seed, autoreset=False, reward=reward))  # type: ignore[arg-type]  # a literal


def situation(
    players: int = 2,
    *,
    hands: Sequence[str] = (),
    face_up: str = "",
    deck: str | None = None,
    discard: str = "",
    routes: Sequence[Sequence[str]] = (),
    stations: Sequence[Sequence[str]] = (),
    trains: Sequence[int] = (),
    points: Sequence[int] = (),
    holds: Sequence[Sequence[str]] = (),
    ticket_deck: Sequence[str] | None = None,
    shares: Sequence[Sequence[str]] = (),
    neutral_shares: Sequence[str] = (),
    racks: Sequence[str] = (),
    rack_tickets: Sequence[Sequence[str]] = (),
    technologies: Sequence[Sequence[str]] = (),
    to_move: int = 0,
    turn: int = 1,
    last_turns_left: int = 0,
    seed: int = 0,
    variant: str | Path = "usa",
    reward: str = "rank",
    **options: Any,
) -> Table:
    """A game at the beginning of a turn of the seat `to_move`.

    `hands`, `routes`, `stations`, `trains`, `points`, `holds` (tickets), `technologies` and `shares` are lists by seat,
    `racks` (cards) and `rack_tickets` lists by team; a team's points are those given for its first seat. What is left
    out is empty: no cards, no routes, no tickets. Trains and points follow from the routes. The face-up cards are by
    default the variant's first five colours, again from the first one if it has fewer. By default the deck holds the
    cards that lie nowhere else, and the ticket deck the tickets that nobody holds, in the variant's order. A given
    `deck`, `ticket_deck`, `trains` or `points` is taken as it is, even if cards, tickets or trains are then missing.
    """
    table = Table(_first_turn(players, seed, variant, reward, **options).clone())
    state = table.games.states[0]
    chosen = table.games.configuration
    openers = [it.id for it in map_configuration(chosen).technologies if not it.effect]
    _put_technologies(state, chosen, [openers] * players)  # for the claims only, like the locomotives
    for seat, own in enumerate(routes):
        for route in own:
            _claim(table, seat, route)
    for seat, cities in enumerate(stations):
        for city in cities:
            _take(table, seat, "build", [it.id for it in map_variant(chosen).cities].index(city))
    loaded = map_variant(chosen)
    put_hands_and_face_up(state, hands, face_up or ", ".join(([*loaded.colours] * 5)[:5]))
    state.rack[:] = state.rack_known[:] = 0
    for team, rack in enumerate(racks):
        state.rack[team] = count(rack)
    state.rack_count[:] = state.rack.sum(axis=1)
    state.discard[:] = count(discard)
    lying = (state.rack.sum(axis=0), state.discard)
    state.deck[:] = cards_left(state, chosen, *lying) if deck is None else count(deck)
    state.deck_count, state.discard_count = state.deck.sum(), state.discard.sum()
    put_tickets(state, chosen, ticket_deck, tickets=holds, rack_tickets=rack_tickets)
    state.rack_ticket_count[:] = np.bitwise_count(state.rack_tickets).sum(axis=1)
    _put_technologies(state, chosen, technologies)
    _put_shares(state, loaded, [*shares, *[[]] * (NEUTRAL - len(shares)), neutral_shares])
    state.trains[: len(trains)] = trains
    for seat, number in enumerate(points):
        if seat % loaded.team_size == 0:
            team = seat // loaded.team_size
            state.score[team] = state.breakdown[team, parts.ROUTES] = number
    state.current = to_move
    state.turn = turn
    state.last_turns_left = last_turns_left
    state.reshuffled = 0
    put(table.games)
    return table


@functools.cache
def _first_turn(players: int, seed: int, variant: str | Path, reward: str, **options: Any) -> Games:
    """A game whose starting choices are made. It is cloned, not played."""
    table = deal(players, seed=seed, variant=variant, reward=reward, **options)
    table.play_all("keep_ticket")
    while table.phase == "share":
        table.play(min(table.legal))
    return table.games


def put(games: Games, states: NDArray[Any] | None = None) -> None:
    """Play on from states, or from those that are there, unchecked: positions of tests need not add up to a game."""
    if states is not None:
        games.states[:] = states
    run(RESUME, games.core_batch, games.configuration.ruleset.new_scratch(), np.arange(games.batch))


def end(table: Table) -> Table:
    """Draw cards until the game is over."""
    while table.games.masks.any():
        table.play("place hand" if table.phase == "place" else "draw_deck")
    return table


def ended(players: int = 2, **more: Any) -> Table:
    """A game that has just ended, with a turn in which cards were drawn."""
    return end(situation(players, last_turns_left=1, **more))


def _claim(table: Table, seat: int, route: str) -> None:
    routes = map_variant(table.games.configuration).routes
    _take(table, seat, "claim", [route_name(it.a, it.b, it.track) for it in routes].index(route))
    if table.phase == "take_share":
        table.play("take_share none")


def _take(table: Table, seat: int, block: str, number: int) -> None:
    """Let a seat take an action by the game's own rules, with locomotives put into its hand to pay for it."""
    chosen, state = table.games.configuration, table.games.states[0]
    state.current = seat
    state.turn = state.last_turns_left = 0  # so that neither the turn limit nor the last round ends the game
    _put_hand(state, seat, "15 locomotive")
    state.rack[:] = state.rack_known[:] = state.rack_count[:] = 0
    state.revealed[:] = 0
    if map_configuration(chosen).has_tunnels:  # with an empty deck no card is turned up
        state.deck[:] = state.deck_count = 0
        state.face_up[:] = NOTHING
    state.discard[:] = state.discard_count = 0
    put(table.games)
    action = table.games.layout.actions[block].start + number
    if block == "claim" and not table.games.masks[0, action]:  # locomotives can't pay for it (NO5, SW5)
        route = map_variant(chosen).routes[number]
        colour = COLOURS[0] if route.colour == GRAY else route.colour
        _put_hand(state, seat, f"{route.length - route.ferry} {colour}, {route.ferry} locomotive")
        put(table.games)
    table.games.step(np.array([action]))


def _put_hand(state: Any, seat: int, hand: str) -> None:
    state.hand[seat] = count(hand)
    state.hand_count[seat] = state.hand[seat].sum()


def differing_fields(states: NDArray[Any], others: NDArray[Any]) -> list[str]:
    return [name for name in states.dtype.names or () if not np.array_equal(states[name], others[name])]


def assert_seen_alike(one: Table, other: Table, seats: Iterable[int]) -> None:
    """Check that each of these seats has the same observation and the same view in both games."""
    for seat in seats:
        assert one.games.observe([0], [seat]).tolist() == other.games.observe([0], [seat]).tolist()
        assert differing_fields(one.games.views([0], [seat]), other.games.views([0], [seat])) == []


def knowing(cards: str, table: Table, where: str = "hand") -> Table:
    """The game, in which all know these cards to be in the first hand or on the first rack."""
    state = table.games.states[0]
    (state.known if where == "hand" else state.rack_known)[0] = count(cards)
    put(table.games)
    return table


def put_hands_and_face_up(state: Any, hands: Sequence[str], face_up: str) -> None:
    """Put train cards into the hands, none of them known to others, and turn up the face-up cards."""
    state.hand[:] = state.known[:] = 0
    for seat, hand in enumerate(hands):
        state.hand[seat] = count(hand)
    state.hand_count[:] = state.hand.sum(axis=1)
    state.face_up[:] = [NOTHING if card == "-" else CARDS.index(card) for card in face_up.split(", ")]


def cards_left(state: Any, chosen: Configuration, *elsewhere: NDArray[Any]) -> NDArray[np.int64]:
    """The variant's train cards that are neither in a hand, nor face up, nor elsewhere."""
    face_up = np.bincount(state.face_up[state.face_up != NOTHING], minlength=len(CARDS))
    left: NDArray[np.int64] = chosen.rules[0].deck - face_up - state.hand.sum(axis=0) - sum(elsewhere)
    assert np.all(left >= 0), "the variant has fewer cards"
    return left


def put_tickets(
    state: Any, chosen: Configuration, ticket_deck: Sequence[str] | None, **holds: Sequence[Sequence[str]]
) -> None:
    """Put tickets into the state's sets, by owner; by default the ticket deck is what nobody holds.

    Where two tickets are equal, the first one named is the first of the table.
    """
    names = [ticket_name(in_snapshots(ticket)) for ticket in chosen.deck.tickets]
    equal: dict[str, list[int]] = {}
    for number, name in enumerate(names):
        equal.setdefault(name, []).append(number)
    named: Counter[str] = Counter()

    def number_of(name: str) -> int:
        """The number of a ticket: of equal ones the next, or the first again if all have been named."""
        named[name] += 1
        return equal[name][(named[name] - 1) % len(equal[name])]

    held: set[int] = set()
    for field, owners in holds.items():
        sets = state[field]
        sets[:] = 0
        for owner, own in enumerate(owners):
            for name in own:
                held.add(number := number_of(name))
                sets[owner, number >> 6] |= np.uint64(1 << (number & 63))
    state.ticket_count[:] = np.bitwise_count(state.tickets).sum(axis=1)
    if ticket_deck is None:
        queue = [number for number in range(len(chosen.deck.regular)) if number not in held]
    else:
        queue = [*map(number_of, ticket_deck)]
    state.ticket_queue[:] = NOTHING
    state.ticket_queue[: len(queue)] = queue
    state.queue_head = 0
    state.queue_count = len(queue)


def _put_technologies(state: Any, chosen: Configuration, holds: Sequence[Sequence[str]]) -> None:
    ids = [technology.id for technology in map_configuration(chosen).technologies]
    state.technologies[:] = 0
    state.technologies_left[:] = chosen.rules[0].technology_copies
    for seat, own in enumerate(holds):
        for name in own:
            state.technologies[seat] |= 1 << ids.index(name)
            state.technologies_left[ids.index(name)] -= 1


def _put_shares(state: Any, variant: MapVariant, holdings: Sequence[Sequence[str]]) -> None:
    numbers = [f"{company.id} {number + 1}" for company in variant.companies for number in range(company.shares)]
    left = (1 << len(numbers)) - 1
    for holder, shares in enumerate(holdings):
        held = sum(1 << numbers.index(share) for share in shares)
        state.shares[holder] = np.uint64(held)
        left &= ~held
    state.shares_left = np.uint64(left)


def changed_variant(folder: Path, changes: Mapping[str, tuple[str, str]]) -> Path:
    """Copy the usa variant into a folder, and replace one text by another in each file named."""
    for file in (Path(variants.__file__).parent / "usa").iterdir():
        text = file.read_text(encoding="utf-8")
        old, new = changes.get(file.name, ("", ""))
        assert old in text, f"{file.name} has no {old!r}"
        (folder / file.name).write_text(text.replace(old, new, 1), encoding="utf-8")
    return folder
