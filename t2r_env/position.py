"""A decision as an object to be read: what the acting seat knows (C20), in the words of the game."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_env.configuration import Configuration
from t2r_env.core.compiled import cached
from t2r_env.core.records import Array
from t2r_env.rules.cards import CARDS, EMPTY
from t2r_env.rules.map_game import flow, payments
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.map_game.records import NO_CITY, NO_TECHNOLOGY
from t2r_env.rules.names import NO_ACTION, PHASES, phases
from t2r_env.rules.snapshot import members
from t2r_env.rules.text import Description
from t2r_env.variants.variant import MapVariant, Route, Ticket


@dataclass(frozen=True)
class RouteOnBoard:
    """A route, what a claim of it costs and gives, and who has claimed it."""

    number: int
    """Its row in `configuration.variant.routes`, from 0."""
    claim: int
    """The action that claims it, legal or not: the route's number in the block `claim`."""
    a: str
    """The ids of its cities."""
    b: str
    colour: str
    """The colour of the cards that pay for it; `gray`: any one colour."""
    length: int
    """The train cards that it takes. In the United Kingdom a technology makes some routes cheaper (UK12)."""
    locomotives: int
    """How many of them must be locomotives, or what stands for one (C14)."""
    trains: int
    """The trains that it takes: its length, and those given up in mountains (LA5)."""
    points: int
    """The points that it brings at once (C10, LA5), without those that technologies add (UK12)."""
    owners: tuple[int, ...]
    """The seats that have claimed it. Several only where technologies let them (UK9)."""
    is_own: bool
    """Whether the acting seat has claimed it, or a teammate."""
    is_open: bool
    """Whether the acting seat may claim it, as far as claims go: nobody has it, and no parallel claim has closed it.
    Whether it can be paid for now is another question: then `claim` is among the position's actions."""
    route: Route
    """Its row of the table, with what only some maps have: tunnels, companies and so on."""


@dataclass(frozen=True)
class Position:
    """One decision of the acting seat (`Decisions.position`). What it can't know is not in it.

    Colours, cities and tickets are named as in snapshots. As text, `t2r_env.text.view_text` shows the `view`.
    """

    configuration: Configuration
    view: Any
    """The record that all this is read from: a row of `Decisions.views`."""
    seat: int
    """The acting seat."""
    phase: str
    """The kind of decision: `turn`, `second_card`, `pay`, `keep_ticket` and so on (docs/actions.md)."""
    actions: Mapping[int, Description]
    """The legal actions, and what each means: a dictionary, whose `str` reads as a sentence."""
    hand: Mapping[str, int]
    """The acting seat's train cards by colour, `locomotive` last; all colours of the game."""
    face_up: tuple[str | None, ...]
    """The card in each slot, None in an empty one."""
    trains: tuple[int, ...]
    """The trains left to each seat; none in the Card Game."""
    tickets: tuple[Ticket, ...]
    """The acting seat's tickets, with those that it has just decided to keep, and those on its team's rack."""
    open_tickets: tuple[Ticket, ...]
    """Those of them that its routes do not complete yet. In the Card Game all: cards complete them in scoring."""
    offered: tuple[Ticket, ...]
    """The tickets that it has still to decide on, the one that is asked for first."""
    routes: tuple[RouteOnBoard, ...]
    """All routes in the order of their numbers; none in the Card Game."""

    def payments(self, route: RouteOnBoard) -> list[Description]:
        """Return the ways in which the hand, and a team's rack, could pay for a route now; none if it can't.

        They are what the phase `pay` would offer: `{"action": "pay", "colour": ..., "cards": ..., "locomotives": ...}`,
        and where cards can be exchanged also `{"action": "spend", "colour": ...}` (UK5, NO6). A tunnel may demand more.
        """
        views = np.array([self.view], self.configuration.ruleset.state)
        scratch = self.configuration.ruleset.new_scratch().deciding
        number = _list_payments(views, self.configuration.rules, scratch, route.number)
        text = self.configuration.text
        return [text.describe(views[0], int(action)) for action in scratch["legal"][0, :number]]

    def cities(self, end: str) -> list[str]:
        """Return the ids of the cities that meet a ticket's end: its own, or those of a region (C16)."""
        return [city.id for city in self.configuration.variant.cities if end in (city.id, city.region)]

    def snapshot(self) -> dict[str, Any]:
        """Return all that the seat knows, the other players included, as a JSON-able dictionary (docs/snapshots.md)."""
        return self.configuration.snapshot(self.view)


def position_of(configuration: Configuration, view: Any, mask: NDArray[np.int8]) -> Position:
    """Return the position of a view and its mask, (actions,)."""
    seat, variant = int(view.current), configuration.variant
    offered, decided = view.offered[seat, : view.offered_count[seat]].tolist(), int(view.offer_index)
    held = members(view.tickets[seat])
    held += [ticket for index, ticket in enumerate(offered[:decided]) if view.kept[seat] >> index & 1]
    if variant.team_size > 1:
        held += members(view.rack_tickets[configuration.rules[0].team[seat]])
    completed = [ticket for ticket in held if _is_completed(configuration, view, ticket)]
    return Position(
        configuration=configuration,
        view=view,
        seat=seat,
        phase=PHASES[view.phase],
        actions={action: configuration.text.describe(view, action) for action in np.flatnonzero(mask).tolist()},
        hand={name: int(view.hand[seat, CARDS.index(name)]) for name in (*variant.colours, CARDS[-1])},
        face_up=tuple(None if card == EMPTY else CARDS[card] for card in view.face_up),
        trains=tuple(view.trains[: configuration.num_players].tolist()) if isinstance(variant, MapVariant) else (),
        tickets=_tickets(configuration, held),
        open_tickets=_tickets(configuration, [ticket for ticket in held if ticket not in completed]),
        offered=_tickets(configuration, offered[decided:]),
        routes=tuple(_routes(configuration, view)) if isinstance(configuration, MapConfiguration) else (),
    )


def _tickets(configuration: Configuration, numbers: Iterable[int]) -> tuple[Ticket, ...]:
    return tuple(configuration.deck.tickets[number] for number in numbers)


def _is_completed(configuration: Configuration, view: Any, ticket: int) -> bool:
    if not isinstance(configuration, MapConfiguration):
        return False
    rules = configuration.rules[0]
    labels = view.component[rules.team[view.current]]
    ends = (rules.ticket_a[ticket], rules.ticket_b[ticket])
    joined_a, joined_b = ({int(labels[city]) for city in members([cities])} for cities in ends)
    return not joined_a.isdisjoint(joined_b)


def _routes(configuration: MapConfiguration, view: Any) -> Iterable[RouteOnBoard]:
    """Yield the routes of a map game as they stand."""
    variant, team = configuration.variant, configuration.rules[0].team
    first, seat = configuration.layout.actions["claim"].start, int(view.current)
    claimed = [{*members(view.claimed[other])} for other in range(configuration.num_players)]
    is_open = {*members(view.open[seat])}
    for number, route in enumerate(variant.routes):
        owners = tuple(other for other, own in enumerate(claimed) if number in own)
        yield RouteOnBoard(
            number=number,
            claim=first + number,
            a=route.a,
            b=route.b,
            colour=route.colour,
            length=route.length,
            locomotives=route.ferry,
            trains=route.length + route.mountain,
            points=variant.points[route.length] + variant.mountain_points * route.mountain,
            owners=owners,
            is_own=any(team[owner] == team[seat] for owner in owners),
            is_open=number in is_open,
            route=route,
        )


@cached
def _list_payments(views: Array, rules: Array, scratch: Array, route: int) -> int:
    """List in `scratch.legal` the ways to pay for a route as the acting seat's next decision; return their number."""
    state = views[0]
    state.phase = phases.PAY
    state.route = route
    state.technology = NO_TECHNOLOGY
    state.city = NO_CITY
    state.payment = NO_ACTION
    state.extra = NO_ACTION
    state.set_aside[:] = 0
    if rules[0].num_exchanges == 0:
        return payments.list_payments(state, rules[0], scratch[0], 0)
    return flow.list_payments_and_spends(state, rules[0], scratch[0])
