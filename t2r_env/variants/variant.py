"""The contents of a variant: cities, tickets, train cards, routes or bonus cards, and the numbers of its rules.

Also the names that a folder may use: a new bonus, tie-break or effect begins here, in the table of its names.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from t2r_env.basics.frozen import Frozen

COLOURS = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
LOCOMOTIVE = "locomotive"
GRAY = "gray"
"""The colour of a route that any one colour may pay (C9)."""

RULESETS = ("map_game", "card_game")
"""The rules of `t2r_env.rules` that a game may be played by."""

BONUSES = {
    "longest_path": "the longest continuous path, no route used twice",  # C17
    "globetrotter": "the most completed tickets",  # US5, PA6
    "explorer": "the most cities in one connected network",  # LA6
    "attractions": "each attraction that a route of yours touches",  # NY5
}
"""Points at the end, each with the words for what it is given for."""


class _TieBreaks(NamedTuple):
    """The tie-breaks: what ranks players with equal points (C18, LA7, EU9, CG14)."""

    COMPLETED_TICKETS: int
    LONGEST_PATH: int
    MOUNTAIN_ROUTES: int
    STATIONS_LEFT: int
    BONUS_CARDS: int


class _Effects(NamedTuple):
    """The effects of technologies, in addition to opening routes (UK8, UK9, UK12)."""

    BOOSTER: int
    BOILER_LAGGING: int
    STEAM_TURBINES: int
    DOUBLE_HEADING: int
    RIGHT_OF_WAY: int
    THERMOCOMPRESSOR: int
    WATER_TENDERS: int
    RISKY_CONTRACTS: int
    EQUALISING_BEAM: int
    DIESEL_POWER: int


TIE_BREAKS = tuple(name.lower() for name in _TieBreaks._fields)
EFFECTS = tuple(name.lower() for name in _Effects._fields)
tie_breaks, effects = _TieBreaks(*range(len(TIE_BREAKS))), _Effects(*range(len(EFFECTS)))
"""The numbers of these names in the core."""

MAP_TIE_BREAKS = ("completed_tickets", "longest_path", "mountain_routes", "stations_left")
CARD_TIE_BREAKS = ("completed_tickets", "bonus_cards")

LOCOMOTIVE_ROUTES = ("routes", "ferries", "tunnels")
"""The routes that locomotives can be paid for, by kind; `routes` are all of them (NO5, SW5)."""

REFUSED = UNDER, LEAVE, SHUFFLED = "under", "leave", "shuffled"
"""The ways of refused starting tickets: they go under the ticket deck (C5), leave the game (LA2), or are shuffled back
into the ticket deck (CG2)."""


@dataclass(frozen=True)
class City:
    """A city, and where it is drawn: x and y from 0 to 1, y downwards.

    The cities of one region form the group that a ticket may name (C16).
    """

    id: str
    name: str
    x: float
    y: float
    region: str = ""
    attraction: bool = False
    """Whether it has a tourist attraction (NY5)."""


@dataclass(frozen=True)
class Route:
    """One route of the connection between cities `a` and `b` (ids), whose routes are numbered from 0."""

    a: str
    b: str
    track: int
    length: int
    colour: str
    stays_open: bool = False
    """Whether its connection never closes (TA9)."""
    separate: bool = False
    """Whether it is a connection of its own, though others join the same cities (UK4)."""
    ferry: int = 0
    """Locomotive symbols (C14)."""
    mountain: int = 0
    """X symbols: trains given up besides those placed on it (LA5)."""
    tunnel: int = 0
    """Cards turned up when somebody tries to claim it (EU5, TA10)."""
    companies: tuple[str, ...] = ()
    """Ids of the companies shown on it, of which its claimer may take a share (PA4)."""
    no_technology: bool = False
    """Whether it needs no technology (UK7)."""
    exchange: int = 0
    """Cards that stand for one: for a locomotive, where these can be paid (UK5, NO6), else for a card of the colour
    paid (NO8). 0 if they never do."""

    @property
    def marks(self) -> list[str]:
        """Its colour, its length and its symbols, as texts name them."""
        symbols = {"ferry": self.ferry, "mountain": self.mountain, "tunnel": self.tunnel}
        return [self.colour, str(self.length), *(f"{name} {number}" for name, number in symbols.items() if number)]


@dataclass(frozen=True)
class Company:
    """A company; its shares are numbered from 1 (PA4)."""

    id: str
    name: str
    shares: int
    points: tuple[int, ...]
    """The points for the first rank among holders, the second rank and so on at the end (PA5)."""


@dataclass(frozen=True)
class Technology:
    """A technology that players buy for locomotives (UK8). What it opens, nobody claims without it (UK6)."""

    id: str
    name: str
    price: int
    """In locomotives."""
    copies: int
    advanced: bool
    """Whether only games with the option `advanced_technologies` have it (UK12)."""
    regions: tuple[str, ...]
    """It opens routes with an end in one of these regions,"""
    lengths: tuple[int, ...]
    """routes of these numbers of spaces,"""
    ferries: bool
    """and routes with a locomotive symbol."""
    effect: str
    """One of `EFFECTS`; empty if it does nothing besides."""

    def opens(self, route: Route, ends: Collection[str]) -> bool:
        """Whether a route, whose ends lie in the given regions, takes it (UK6, UK7)."""
        if route.no_technology:
            return False
        in_region = any(region in ends for region in self.regions)
        return in_region or route.length in self.lengths or (self.ferries and bool(route.ferry))


@dataclass(frozen=True)
class Stations:
    """The stations that each player has."""

    prices: tuple[int, ...]
    """Train cards that the first takes, the second and so on (EU6)."""
    points: int
    """For each one left at the end (EU8)."""


@dataclass(frozen=True)
class Ticket(Frozen):
    """A ticket; `a` and `b` are ids of cities or names of regions, which any of their cities meets (C16)."""

    a: str
    b: str
    points: int
    cards: Mapping[str, int] = field(default_factory=dict, hash=False)
    """The train cards that complete it in a card game, by colour: only those it takes (CG10)."""
    others: tuple[tuple[str, int], ...] = ()
    """In addition to `b` and its points the other countries that complete it, and their points (SW8)."""

    @property
    def destinations(self) -> tuple[tuple[str, int], ...]:
        """Each end that completes it with `a`, and its points, in the order of the table."""
        return ((self.b, self.points), *self.others)

    @property
    def failure(self) -> int:
        """The points that it costs when it is not completed: its least value (C16, SW8)."""
        return min(points for _, points in self.destinations)


@dataclass(frozen=True)
class BonusCard:
    """A card for who has the most completed tickets that name its city (CG13)."""

    city: str
    points: int


@dataclass(frozen=True)
class Offer:
    """How many tickets are offered, and how many of them must be kept at least (C5, C12)."""

    count: int
    keep: int


@dataclass(frozen=True)
class TicketDeck(Frozen):
    """A value of the option `tickets`: its tickets, how they are offered, and the bonuses in force."""

    name: str
    regular: tuple[Ticket, ...]
    starting: Offer
    later: Offer
    bonuses: Mapping[str, int] = field(default_factory=dict)
    long: tuple[Ticket, ...] = ()
    """A deck of their own, dealt from at the start alone: what is left of it leaves the game (LA2)."""
    long_offered: int = 0
    """How many of them each player is offered, before the regular ones."""
    starting_refused: str = UNDER
    """The way of starting tickets that are refused: one of `REFUSED`."""
    later_refused: str = UNDER
    """The way of tickets that are refused later: `UNDER` or `LEAVE` (NO2)."""

    @property
    def tickets(self) -> tuple[Ticket, ...]:
        """All tickets in the order of their numbers: the long ones come last."""
        return self.regular + self.long


@dataclass(frozen=True, kw_only=True)
class Variant(Frozen):
    """The contents of every game's variant, read from its folder (docs/variant_tables.md explains each entry)."""

    id: str
    name: str
    environment_version: int
    ruleset: str
    """Which rules the game is played by: one of `RULESETS`."""
    min_players: int
    max_players: int
    team_size: int = 1
    """Players of a team: neighbours, who score together and share racks (TA1, TA2); 1 without teams."""
    colours: Mapping[str, int]
    """How many train cards there are of each colour that the game uses, in the order of `COLOURS` (C1)."""
    locomotives: int
    starting_hand: int
    starting_locomotives: int
    """Given to each player before the hands are dealt (UK1, CG2)."""
    tie_breaks: tuple[str, ...]
    """The criteria that rank players with equal points, the first one first (C18, CG14)."""
    ticket_decks: Mapping[str, TicketDeck]
    default_ticket_deck: str
    turn_limit: int
    """The option's value when none is given (C19)."""
    cities: tuple[City, ...]
    switches: tuple[str, ...] = ()
    """Names of the options that are on or off."""
    digest: str
    """SHA-256 of the values in the folder's files, a part of the rules' identity (`Configuration.rules_identity`)."""

    @property
    def environment_id(self) -> str:
        """The name of the game's environments in Gymnasium and PettingZoo, such as `t2r_env/usa-v0`."""
        return f"t2r_env/{self.id}-v{self.environment_version}"

    @property
    def player_numbers(self) -> range:
        """How many may play: teams are complete."""
        return range(self.min_players, self.max_players + 1, self.team_size)


class Shape(NamedTuple):
    """A path of a map's land, for pictures."""

    kind: str
    """Its class in land.svg."""
    path: str
    """Its path data, in thousandths of the coordinates of cities."""


@dataclass(frozen=True, kw_only=True)
class MapVariant(Variant):
    """The variant of a map game."""

    aspect: float
    trains: int
    """The number of trains of each player."""
    face_up_sweep: bool
    """Whether three locomotives in the row are swept (C4)."""
    free_locomotives: bool
    """Whether a face-up locomotive is taken like any other card (NO4, SW4)."""
    locomotives_pay_for: tuple[str, ...]
    """The routes that locomotives can be paid for: some of `LOCOMOTIVE_ROUTES` (NO5, SW5)."""
    last_round_trains: int
    """This many trains or fewer, of a team together, begin the last round (C15, TA11)."""
    double_routes_closed_up_to: int
    """With up to this many players a claimed route closes its connection's other routes for everybody (C11)."""
    triple_route_claims: int
    """The number of a connection's three routes that may be claimed where connections close (C11, TA9)."""
    points: tuple[int, ...]
    """Points for a route, by its length (C10)."""
    grand_tour: tuple[int, ...]
    """Points for tickets joined by two paths, by their number, from 0; beyond the last as for the last (IN6)."""
    routes: tuple[Route, ...]
    mountain_points: int
    """For each train given up on a mountain route (LA5)."""
    exchange: int
    """The exchange of technologies, and of each route that says nothing else (UK5)."""
    companies: tuple[Company, ...]
    neutral_shareholder_up_to: int
    """With up to this many players a neutral player holds shares (PA8)."""
    all_technologies: tuple[Technology, ...]
    """Advanced ones included (UK8, UK12)."""
    stations: Stations | None
    land: tuple[Shape, ...] = ()
    """The paths that pictures draw under the routes; they are no part of the rules."""

    def takes_locomotives(self, route: Route) -> bool:
        """Whether locomotives can be paid for a route (NO5, SW5)."""
        kinds = {"routes": True, "ferries": route.ferry > 0, "tunnels": route.tunnel > 0}
        return any(kinds[name] for name in self.locomotives_pay_for)

    def regions_of(self, route: Route) -> set[str]:
        """Return the regions of a route's two ends."""
        return {city.region for city in self.cities if city.id in (route.a, route.b)}


@dataclass(frozen=True, kw_only=True)
class CardVariant(Variant):
    """The variant of a card game: no map."""

    second_deck_players: int
    """With this many players or more a second deck is played after the first scoring (CG12)."""
    second_deck_hand: int
    """Cards dealt to each player for it (CG12)."""
    bonus_cards: tuple[BonusCard, ...]
    """They are won at the end (CG13)."""
