"""The rules of a game as text, from the facts of its configuration."""

import textwrap
from collections.abc import Iterator
from typing import Any

from t2r_env.configuration import Configuration
from t2r_env.render.shared_text import WIDTH
from t2r_env.rules.card_game.configuration import CardConfiguration
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.text import count_cards
from t2r_env.variants import BONUSES, LOCOMOTIVE
from t2r_env.variants.variant import LEAVE, SHUFFLED, UNDER

GRAMMAR = {
    "draw_face_up": "draw red: take a face-up card of this colour, or draw locomotive",
    "draw_deck": "draw deck: draw a card from the deck",
    "draw_three": "draw three: draw three cards from the deck",
    "draw_tickets": "draw tickets: be offered tickets",
    "claim": "claim Dallas-Houston: claim a route; where parallel routes differ, with its details in brackets",
    "pay": "pay 2 red 1 locomotive: pay with these cards",
    "spend": "spend red: lay a card aside for an exchange",
    "from_rack": "rack 1 coloured 1 locomotive, or rack nothing: cards of the payment that come from the rack",
    "pay_more": "pay more 1 coloured 1 locomotive: pay what a tunnel demands",
    "withdraw": "withdraw: give up the tunnel and take the payment back",
    "place": "place hand, or place rack: where the drawn card goes",
    "keep_ticket": "keep Denver-El Paso: keep the ticket on offer",
    "refuse_ticket": "refuse Denver-El Paso: refuse it",
    "share_ticket": "share Denver-El Paso: put a ticket on the rack of the team",
    "build": "build Denver: build a station",
    "buy": "buy propellers: buy a technology",
    "take_share": "take share prr, or take share none: take a share of a company",
    "neutral_share": "neutral share prr: choose the share of the neutral player",
    "play_set": "play set red: play a set; then with 3 coloured and with 1 locomotive say how many cards",
    "set_cards": "with 3 coloured: the cards of the set's colour",
    "set_locomotives": "with 1 locomotive: the locomotives of the set",
    "play_three": "play red blue green: play three cards of three colours",
    "complete": "complete Denver-El Paso: complete a ticket",
    "stop": "stop: do no more of what may be done again",
    "pass": "pass: only if nothing else is possible",
}
"""A line for each block of actions."""


def rules_text(configuration: Configuration) -> str:
    """Return the rules of a game, its routes and the grammar of its actions, in lines of at most 120 characters."""
    lines = [f"{configuration.variant.name}, {configuration.num_players} players", ""]
    for sentence in rule_sentences(configuration):
        lines += textwrap.wrap(f"- {sentence}", WIDTH, subsequent_indent="  ")
    if isinstance(configuration, MapConfiguration):
        lines += ["", "Routes: cities, colour, length"]
        lines += [configuration.text.route_text(it) for it in configuration.variant.routes]
    lines += ["", "Actions"]
    lines += [GRAMMAR[name] for name in configuration.layout.actions.shapes]
    return "\n".join(lines) + "\n"


def rule_sentences(configuration: Configuration) -> list[str]:
    """Return the rules of a game, each in one or a few sentences."""
    sentences = list(_shared(configuration))
    if isinstance(configuration, MapConfiguration):
        sentences += _map_game(configuration)
    elif isinstance(configuration, CardConfiguration):
        sentences += _card_game(configuration)
    return sentences


def _shared(configuration: Configuration) -> Iterator[str]:
    variant, deck = configuration.variant, configuration.deck
    colours = ", ".join(f"{number} {colour}" for colour, number in variant.colours.items())
    yield f"Train cards: {colours}, {variant.locomotives} locomotives."
    hand = variant.starting_hand + variant.starting_locomotives
    yield f"Each player begins with {hand} cards; five cards lie face up."
    long = f" and {deck.long_offered} long ones" if deck.long_offered else ""
    yield f"Tickets at the start: {deck.starting.count}{long} are offered, at least {deck.starting.keep} must be kept."
    yield f"Tickets drawn later: {deck.later.count} are offered, at least {deck.later.keep} must be kept."
    ways = {
        UNDER: "go under the ticket deck",
        LEAVE: "leave the game",
        SHUFFLED: "are shuffled back into the ticket deck",
    }
    yield f"Refused tickets {ways[deck.starting_refused]} at the start; later they {ways[deck.later_refused]}."
    yield "A completed ticket adds its points at the end; any other subtracts them."
    yield f"After {configuration.turn_limit} turns of all players together the game is broken off."


def _map_game(configuration: MapConfiguration) -> Iterator[str]:
    variant: Any = configuration.variant
    players = configuration.num_players
    yield f"Each player has {variant.trains} trains. Points for a route, at once: " + ", ".join(
        f"{points} for {length}" for length, points in enumerate(variant.points) if points
    )
    yield "A turn is one of these: draw two cards, claim a free route, or draw tickets. Pass only if none is possible."
    if variant.free_locomotives:
        yield "A face-up locomotive is drawn like any other card."
    else:
        yield "A face-up locomotive can only be the first card drawn, and no second card follows it."
    if variant.face_up_sweep:
        yield "Three face-up locomotives: all five cards are replaced."
    yield "A route costs a card for each of its spaces, all of its colour; a gray one takes any one colour."
    if "routes" in variant.locomotives_pay_for:
        yield "Locomotives stand in for any of them. A route takes a train for each space."
    else:
        yield "A route takes a train for each space."
        yield f"Locomotives pay for {' and '.join(variant.locomotives_pay_for)} only."
    yield "No player may claim two parallel routes."
    if players <= variant.double_routes_closed_up_to:
        yield "With this number of players a claimed route closes the parallel ones for everybody."
        for it in variant.routes:
            if it.stays_open and it.track == 0:
                yield f"But both routes {configuration.text.city(it.a)}-{configuration.text.city(it.b)} stay open."
        if any(it.track == 2 for it in variant.routes):
            yield f"Of three parallel routes {variant.triple_route_claims} may be claimed."
    yield from _special_routes(configuration)
    yield from _special_actions(configuration)
    whose = "a team has" if configuration.has_racks else "a player has"
    least = variant.last_round_trains
    yield f"The first time that {whose} {least} trains or fewer after a turn, every player has one more turn."
    for bonus, points in configuration.deck.bonuses.items():
        yield f"At the end {points} points for {BONUSES[bonus]}."
    if variant.grand_tour:
        yield (
            "Completed tickets whose ends are joined by two paths without a common route add, by their number: "
            + ", ".join(map(str, variant.grand_tour))
            + " (from none on)."
        )
    yield f"Most points win; ties are decided by {', '.join(it.replace('_', ' ') for it in variant.tie_breaks)}."


def _special_routes(configuration: MapConfiguration) -> Iterator[str]:
    variant: Any = configuration.variant
    if any(it.ferry for it in variant.routes):
        yield "A ferry takes at least as many locomotives as stand after the word ferry."
    if configuration.has_tunnels:
        yield (
            "A tunnel: after the payment as many cards are turned up as stand after the word tunnel. Each of the colour"
            " paid, and each locomotive, demands one more such card or locomotive; or you withdraw, and the turn ends."
        )
    if any(it.mountain for it in variant.routes):
        yield (
            "A mountain route takes as many more trains as stand after the word mountain; each gives"
            f" {variant.mountain_points} points."
        )
    for number in sorted({it.exchange for it in variant.routes if it.exchange}):
        yield (
            f"Where exchanges are legal, {number} cards laid aside with spend stand for a locomotive, or for a card of"
            " the colour where locomotives can't be paid."
        )


def _special_actions(configuration: MapConfiguration) -> Iterator[str]:
    variant: Any = configuration.variant
    if configuration.has_racks:
        yield (
            f"Teams of {variant.team_size} neighbours score together and share a rack of cards and one of tickets. Of"
            " two cards drawn one goes to the hand and one to the rack. Payments mix hand and rack. A kept ticket goes"
            " to the rack of tickets; a turn can also move one or two tickets there."
        )
    if variant.stations:
        prices = ", ".join(map(str, variant.stations.prices))
        yield (
            f"A turn can also build a station in a city without one, for {prices} cards of one colour. At the end it"
            " lets its owner use one route of another player there for tickets. Each one left gives"
            f" {variant.stations.points} points."
        )
    if variant.companies:
        yield "Who claims a route may take a share of a company of the route. At the end shareholders are ranked:"
        for it in variant.companies:
            yield f"{it.id}, {it.name}: {it.shares} shares; points by rank {', '.join(map(str, it.points))}"
        if configuration.has_neutral_shareholder:
            yield (
                "With each share you also give one to a neutral player; half of these, drawn at random and rounded up,"
                " take part in the ranking at the end."
            )
    if configuration.technologies:
        yield "Before the action of a turn you may buy one technology, for locomotives. Routes need what opens them:"
        for technology in configuration.technologies:
            opens = [*technology.regions, *(f"routes of {length} spaces" for length in technology.lengths)]
            opens += ["ferries"] if technology.ferries else []
            does = f"opens {', '.join(opens)}" if opens else _EFFECTS[technology.effect]
            price = count_cards({LOCOMOTIVE: technology.price})
            copies = "1 copy" if technology.copies == 1 else f"{technology.copies} copies"
            yield f"{technology.name}: {price}, {copies}; {does}"
        yield "A route needs the technologies of both its cities, of its length, and of its ferry."
        for region in dict.fromkeys(it for technology in configuration.technologies for it in technology.regions):
            cities = (it.name for it in variant.cities if it.region == region)
            yield f"Cities of {region}: {', '.join(cities)}"
        for it in variant.routes:
            if it.no_technology:
                yield f"{configuration.text.route_text(it)} needs no technology."


_EFFECTS = {
    "booster": "exchanges take one card less",
    "boiler_lagging": "1 more point for each route claimed from now on",
    "steam_turbines": "2 more points for each ferry claimed from now on",
    "double_heading": "2 points for each completed ticket at the end",
    "right_of_way": "claim at once a route that another player has; both own it",
    "thermocompressor": "a second claim may follow the claim of this turn",
    "water_tenders": "a turn can draw three cards from the deck",
    "risky_contracts": "at the end 20 points for the most completed tickets, else minus 20",
    "equalising_beam": "at the end 15 points for the longest path, else minus 15",
    "diesel_power": "each claim takes one card less, but no locomotive less than a ferry needs, and at least one card",
}


def _card_game(configuration: CardConfiguration) -> Iterator[str]:
    variant = configuration.variant
    yield "A turn begins with one card of each row of your rail yard going to your on-track pile."
    yield (
        "Then do one of these: draw up to two cards, play cards into the rail yard, or draw tickets. A face-up"
        " locomotive can only be the first card drawn, and no second card follows it."
    )
    yield (
        "Play a set of two or more cards of one colour, locomotives among them allowed, or three cards of three"
        " colours. You can't play a colour that you have in your yard. If another player has it there, you need more"
        " cards than that row has, and the row is discarded."
    )
    yield "When the deck is empty, every player has one last turn. Then complete tickets with the cards of your pile."
    if configuration.scorings > 1:
        yield f"After the first scoring a second deck is played; each player gets {variant.second_deck_hand} cards."
    for card in variant.bonus_cards:
        name = configuration.text.city(card.city)
        yield f"At the end {card.points} points for the most completed tickets that name {name}."
    yield f"Most points win; ties are decided by {', '.join(it.replace('_', ' ') for it in variant.tie_breaks)}."
