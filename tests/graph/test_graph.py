"""The graph observation holds what the vector observation holds (C20), and what follows from it.

It is made of the vector observation: tests/games/test_information.py finds nothing hidden in that.
"""

import functools
import itertools
import pickle
from typing import Any

import networkx
import numpy as np
import pytest
from numpy.typing import NDArray

from t2r_env import Games, configure
from t2r_env.graph import COLUMNS, INDICES, UNREACHABLE, GraphSize, GraphWriter
from t2r_env.graph.columns import MAP_PHASES
from t2r_env.rules.cards import LOCOMOTIVE
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.variants import COLOURS, Ticket
from tests.games.test_information import GAMES, states_of_play
from tests.helpers.maps import MAP_GAMES, map_configuration
from tests.helpers.playing import MAP_CONFIGURATIONS, Options, fewest_and_most_on_maps, some_map_configurations

every_map_once = pytest.mark.parametrize("variant", MAP_GAMES)


def graph_of(games: Games) -> dict[str, NDArray[Any]]:
    """The graphs of the acting seats."""
    return GraphWriter(games.configuration).observe(games.observations, games.masks, games.current)


def column(graph: dict[str, NDArray[Any]], table: str, name: str) -> NDArray[Any]:
    """A column of a table, (games, rows, *shape)."""
    segment = COLUMNS[table][name]
    values = graph[table][..., segment.slice]
    return values.reshape(*values.shape[:-1], *segment.shape)


def flags(graph: dict[str, NDArray[Any]], table: str, *names: str) -> NDArray[np.bool_]:
    """Whether one of these columns of a table is set, (games, rows)."""
    return np.asarray(np.any([column(graph, table, name)[..., 0] for name in names], axis=0), np.bool_)


def bits(sets: NDArray[np.uint64], number: int) -> NDArray[Any]:
    """Sets of numbers as zeros and ones, (..., number)."""
    return np.unpackbits(sets.view(np.uint8), axis=-1, bitorder="little")[..., :number]


@fewest_and_most_on_maps
def test_every_segment_of_the_vector_is_in_one_table(variant: str, players: int, options: Options) -> None:
    """C20: from the graph the vector can be made again."""
    for games in states_of_play(variant, players, bool(options))[::3]:
        graph = graph_of(games)
        for segment in games.configuration.layout.observation.values():
            tables = [name for name, columns in COLUMNS.items() if segment.name in columns]
            assert len(tables) == 1, f"{segment.name} must be a column of one table of t2r_env/graph/columns.py"
            (table,) = tables
            own = games.observations[:, segment.slice].reshape(GAMES, *segment.shape)
            found = column(graph, table, segment.name)
            if segment.name == "phase":
                found = found[..., [MAP_PHASES.index(name) for name in games.configuration.phases]]
            if table == "table":
                found = found.reshape(GAMES, -1)[:, : segment.size]
            elif table == "players":
                found = found[:, : segment.shape[0]].reshape(GAMES, segment.shape[0], -1)[..., : own[0, 0].size]
            else:
                found = np.swapaxes(found[:, : segment.shape[-1]], 1, 2)[:, : segment.size // segment.shape[-1]]
            assert np.array_equal(found.reshape(GAMES, -1), own.reshape(GAMES, -1)), segment.name


@some_map_configurations
def test_routes_are_open_as_the_rules_say_and_a_claim_is_legal_where_an_open_one_lacks_no_card(
    variant: str, players: int, options: Options
) -> None:
    """C9, C11, C14, NO5, TA9; routes that Right of Way shares (UK12) are claimed, and so not open here.

    A claim is legal at the beginning of a turn, within one's trains; exchanges and technologies say more.
    """
    seen = 0
    for games in states_of_play(variant, players, bool(options)):
        configuration, graph = map_configuration(games.configuration), graph_of(games)
        number = len(configuration.variant.routes)
        is_open = bits(games.states["open"], number)[np.arange(GAMES), games.current]
        claimed = bits(games.states["claimed"], number)[:, : games.num_players]
        assert np.array_equal(flags(graph, "routes", "open"), is_open & ~claimed.any(axis=1))
        teams = games.configuration.rules[0].team
        mates = teams[None, : games.num_players] == teams[games.current][:, None]
        assert np.array_equal(flags(graph, "routes", "own"), (claimed & mates[:, :, None]).any(axis=1))
        block = configuration.layout.actions["claim"]
        is_turn = column(graph, "table", "phase")[:, 0, MAP_PHASES.index("turn")] == 1
        fits = column(graph, "routes", "takes_trains")[..., 0] <= column(graph, "players", "trains")[:, 0]
        claimable = flags(graph, "routes", "open") & ~flags(graph, "routes", "lacking") & fits
        legal, plain = games.masks[:, block.slice] == 1, ~flags(graph, "routes", "exchange")
        if configuration.technologies:
            own = column(graph, "players", "technologies")[:, :1]
            lacks = (column(graph, "routes", "needs_technology") > own).any(axis=-1)  # UK6
            assert not (claimable & ~legal & plain & ~lacks)[is_turn].any()
        else:
            assert not ((legal != claimable) & plain)[is_turn].any()
        seen += is_turn.sum()
    assert seen


@some_map_configurations
def test_cards_that_lack_are_the_fewest_that_complete_a_payment(variant: str, players: int, options: Options) -> None:
    """C9, C14: of all ways to add cards to what is held, of one colour and locomotives."""
    games = states_of_play(variant, players, bool(options))[6]
    configuration, graph = map_configuration(games.configuration), graph_of(games)
    cards = column(graph, "table", "hand")[:, 0].astype(int) + column(graph, "table", "rack")[:, 0]
    lacking, is_open = column(graph, "routes", "lacking")[..., 0], column(graph, "routes", "open")[..., 0]
    for row, (number, route) in itertools.product(range(0, GAMES, 7), enumerate(configuration.variant.routes)):
        if is_open[row, number]:
            colours = range(len(COLOURS)) if route.colour == "gray" else [COLOURS.index(route.colour)]
            takes = configuration.variant.takes_locomotives(route)
            wild = int(cards[row, LOCOMOTIVE]) if takes else 0
            fewest = min(fewest_added(route.length, route.ferry, int(cards[row, it]), wild) for it in colours)
            assert lacking[row, number] == fewest, route
        else:
            assert lacking[row, number] == 0


def fewest_added(length: int, symbols: int, coloured: int, wild: int) -> int:
    """The fewest cards to add, by trying all numbers of both kinds."""
    added = itertools.product(range(length + 1), repeat=2)
    return min(a + b for a, b in added if wild + b >= symbols and coloured + a + wild + b >= length)


@some_map_configurations
def test_tickets_lack_the_spaces_of_the_shortest_way(variant: str, players: int, options: Options) -> None:
    """C16, LA6, SW8: over own routes, which cost nothing, and open ones."""
    seen = 0
    for games in states_of_play(variant, players, bool(options))[2:8:2]:
        configuration, graph = map_configuration(games.configuration), graph_of(games)
        held = flags(graph, "tickets", "tickets", "offered", "kept", "rack_tickets")
        own, is_open = flags(graph, "routes", "own"), flags(graph, "routes", "open")
        lacking = column(graph, "tickets", "lacking")[..., 0]
        assert not lacking[~held].any()
        for row in range(0, GAMES, 6):
            ways = ways_of(configuration, own[row], is_open[row])
            for number in np.flatnonzero(held[row]):
                from_start, from_ends = lengths_of(ways, configuration, configuration.deck.tickets[number])
                lengths = [length + from_ends[city] for city, length in from_start.items() if city in from_ends]
                assert lacking[row, number] == min(lengths, default=UNREACHABLE)
                seen += 1
    assert seen > 50


@some_map_configurations
def test_routes_tell_whose_ways_they_are_on(variant: str, players: int, options: Options) -> None:
    """An open route is on a way if going through it is as short as the shortest way of the ticket."""
    seen = 0
    for games in states_of_play(variant, players, bool(options))[3:8:2]:
        configuration, graph = map_configuration(games.configuration), graph_of(games)
        own, is_open = flags(graph, "routes", "own"), flags(graph, "routes", "open")
        held = flags(graph, "tickets", "tickets", "kept", "rack_tickets")
        lacking = column(graph, "tickets", "lacking")[..., 0]
        counted, points = (column(graph, "routes", it)[..., 0] for it in ("ways", "way_points"))
        for row in range(0, GAMES, 12):
            ways, numbers = ways_of(configuration, own[row], is_open[row]), np.flatnonzero(held[row])
            numbers = numbers[(lacking[row, numbers] > 0) & (lacking[row, numbers] < UNREACHABLE)]
            expected = np.zeros((len(configuration.variant.routes), 2), int)
            for number in numbers:
                ticket = configuration.deck.tickets[number]
                before, after = lengths_of(ways, configuration, ticket)
                for index, route in enumerate(configuration.variant.routes):
                    there = before.get(route.a, 999) + after.get(route.b, 999)
                    back = before.get(route.b, 999) + after.get(route.a, 999)
                    if is_open[row, index] and min(there, back) + route.length == lacking[row, number]:
                        expected[index] += 1, max(points for _, points in ticket.destinations)
                        seen += 1
            assert np.array_equal(counted[row], expected[:, 0])
            wanted = dict.fromkeys([*COLOURS, "gray"], 0)
            for route, (count, _) in zip(configuration.variant.routes, expected, strict=True):
                wanted[route.colour] += route.length * (count > 0)
            assert column(graph, "table", "wanted")[row, 0].tolist() == list(wanted.values())
            assert np.array_equal(points[row], np.minimum(expected[:, 1], 255))
    assert seen > 20


def ways_of(configuration: MapConfiguration, own: NDArray[Any], is_open: NDArray[Any]) -> Any:
    """The cities and the routes that can be had, each with its length, as a graph."""
    ways: Any = networkx.MultiGraph()
    ways.add_nodes_from(city.id for city in configuration.variant.cities)
    for number, route in enumerate(configuration.variant.routes):
        if own[number] or is_open[number]:
            ways.add_edge(route.a, route.b, length=0 if own[number] else route.length)
    return ways


def lengths_of(ways: Any, configuration: MapConfiguration, ticket: Ticket) -> list[dict[str, int]]:
    """How far cities are from the one end of a ticket, and from the nearest of the other ends: those within reach."""
    others = [city for end, _ in ticket.destinations for city in meeting(configuration, end)]
    sides = {*meeting(configuration, ticket.a)}, {*others}
    return [networkx.multi_source_dijkstra_path_length(ways, cities, weight="length") for cities in sides]


def meeting(configuration: MapConfiguration, end: str) -> list[str]:
    """The cities that meet an end of a ticket."""
    return [city.id for city in configuration.variant.cities if end in (city.id, city.region)]


@some_map_configurations
def test_cities_tell_who_is_there_and_whose_tickets_end_there(variant: str, players: int, options: Options) -> None:
    games = states_of_play(variant, players, bool(options))[6]
    configuration, graph = map_configuration(games.configuration), graph_of(games)
    names = [city.id for city in configuration.variant.cities]
    network = column(graph, "cities", "network")
    own = flags(graph, "tickets", "tickets", "kept", "rack_tickets")
    own &= ~flags(graph, "tickets", "completed", "rack_completed")
    for row in range(0, GAMES, 5):
        snapshot, seat = games.snapshot(row), int(games.current[row])
        for name, is_there in zip(names, network[row], strict=False):
            owners = {owner for it in snapshot["routes"] if name in (it["a"], it["b"]) for owner in it["owners"]}
            assert {(int(distance) + seat) % players for distance in np.flatnonzero(is_there)} == owners
        open_tickets, points = (column(graph, "cities", it)[row, :, 0] for it in ("open_tickets", "ticket_points"))
        tickets = [configuration.deck.tickets[number] for number in np.flatnonzero(own[row])]
        for name, number, worth in zip(names, open_tickets, points, strict=False):
            there = [it for it in tickets if name == it.a or name in (end for end, _ in it.destinations)]
            assert number == len(there)
            assert worth == min(255, sum(max(points for _, points in it.destinations) for it in there))


@some_map_configurations
def test_actions_say_what_their_descriptions_say(variant: str, players: int, options: Options) -> None:
    """The kind, the route, city and ticket, the colour and the numbers of each legal action."""
    for games in states_of_play(variant, players, bool(options))[::2]:
        configuration, graph = map_configuration(games.configuration), graph_of(games)
        for row in range(0, GAMES, 6):
            for action in np.flatnonzero(games.masks[row]):
                check_action(configuration, games, graph, row, int(action))


def check_action(
    configuration: MapConfiguration, games: Games, graph: dict[str, NDArray[Any]], row: int, action: int
) -> None:
    described = dict(games.describe(action, row))
    told = {name: column(graph, "actions", name)[row, action] for name in COLUMNS["actions"]}
    route, city, ticket = graph["action_targets"][row, action].tolist()
    blocks = COLUMNS["actions"]["kind"].meaning.removeprefix("one-hot: ").split(", ")
    assert blocks[int(told["kind"].argmax())] == described["action"]
    assert told["kind"].sum() == 1
    routes, cities = configuration.variant.routes, configuration.variant.cities
    if described["action"] == "claim":
        ends = [described[it] for it in ("a", "b", "track")]
        assert [routes[route].a, routes[route].b, routes[route].track] == ends
    if described["action"] == "build":
        assert cities[city].id == described["city"]
    if "ticket" in described:
        text: Any = configuration.text
        assert text.ticket(ticket) == described["ticket"]
    if described["action"] in ("pay", "spend", "from_rack", "pay_more", "withdraw"):
        subject = games.snapshot(row)["subject"].get("route")
        assert route == next((i for i, it in enumerate(routes) if [it.a, it.b, it.track] == subject), -1)
    colours = [*COLOURS, "locomotive"]
    colour = described.get("colour", described.get("card"))
    assert [colours[it] for it in np.flatnonzero(told["colour"])] == ([colour] if colour else [])
    if colour:
        assert told["held"] == column(graph, "table", "hand")[row, 0, colours.index(colour)]
        assert told["wanted"] == column(graph, "table", "wanted")[row, 0, colours.index(colour)]
    if described["action"] in ("pay", "from_rack", "pay_more"):
        assert told["locomotives"][0] == described["locomotives"]
    if described["action"] == "from_rack":
        assert told["cards"][0] == described["cards"]
    for name, known in (("technology", configuration.technologies), ("company", configuration.variant.companies)):
        named = [known[it].id for it in np.flatnonzero(told[name])]
        assert named == ([described[name]] if described.get(name) else [])
    assert bool(told["to_rack"][0]) == (described.get("where") == "rack")


@every_map_once
def test_what_stays_as_it_is_agrees_with_the_tables_of_the_game(variant: str) -> None:
    configuration = map_configuration(configure(variant))
    graph = {name: table[0] for name, table in graph_of(Games(configuration, seed=1)).items()}
    names, routes = [city.id for city in configuration.variant.cities], configuration.variant.routes
    assert [tuple(names[it] for it in ends) for ends in graph["route_ends"]] == [(it.a, it.b) for it in routes]
    lengths = graph["routes"][:, COLUMNS["routes"]["length"].start]
    assert lengths.tolist() == [it.length for it in routes]
    for ticket, ends in zip(configuration.deck.tickets, graph["ticket_ends"], strict=True):
        given = [ticket.a, *(end for end, _ in sorted(ticket.destinations, key=lambda it: -it[1]))]
        for end, row in zip(given, ends, strict=False):
            members = np.flatnonzero(graph["city_regions"][:, 0] == row)
            assert {names[it] for it in members} | {*names[row : row + 1]} == set(meeting(configuration, end))
        assert (ends[len(given) :] == -1).all()


@functools.cache
def largest() -> GraphSize:
    return GraphSize.covering(configure(variant, players) for variant, players, _ in MAP_CONFIGURATIONS)


@every_map_once
def test_games_of_different_maps_stack_by_padding(variant: str) -> None:
    games = Games(variant, batch=3, seed=4)
    games.play_random(30)
    seen = games.observations, games.masks, games.current
    tight = GraphWriter(games.configuration).observe(*seen)
    wide = GraphWriter(games.configuration, largest()).observe(*seen)
    usa = GraphWriter(configure("usa"), largest()).new_arrays(1)
    assert list(tight) == [*COLUMNS, *INDICES, "action_mask"]
    for name, table in tight.items():
        padded = wide[name]
        filler = -1 if name in INDICES else 0
        assert np.array_equal(padded[:, : table.shape[1]], table), name
        assert (padded[:, table.shape[1] :] == filler).all(), name
        assert padded.dtype == table.dtype
        assert padded.shape[1:] == usa[name].shape[1:]


def test_games_without_a_graph_are_refused() -> None:
    """The environments' tests say the rest."""
    with pytest.raises(ValueError, match="only map games have a graph, and card_game is none"):
        Games("card_game", observation="graph")
    with pytest.raises(ValueError, match='observation="graph" needs observe=True'):
        Games("usa", observation="graph", observe=False)
    with pytest.raises(ValueError, match="must be one or more, not none"):
        GraphSize.covering([])
    wrong: Any = ["usa"]
    with pytest.raises(TypeError, match=r"made by t2r_env\.configure, and 'usa' is none"):
        GraphSize.covering(wrong)


def have_their_graphs(games: Games) -> bool:
    assert games.graphs
    return all(np.array_equal(games.graphs[name], table) for name, table in graph_of(games).items())


@every_map_once
def test_games_write_graphs_in_place_after_every_step_and_are_copied_and_pickled_with_them(variant: str) -> None:
    games = Games(variant, batch=5, seed=3, observation="graph")
    kept = dict(games.graphs or {})
    rng = np.random.default_rng(1)
    for _ in range(20):
        assert have_their_graphs(games)
        games.step([rng.choice(np.flatnonzero(mask)) for mask in games.masks])
    games.set_states([0], games.states[[1]])
    games.reset([2])
    copies: list[Any] = [games.clone(), pickle.loads(pickle.dumps(games))]
    for copy in copies:
        copy.step(copy.masks.argmax(axis=1))
        assert have_their_graphs(copy)
        assert not np.shares_memory(copy.graphs["routes"], kept["routes"])
    assert have_their_graphs(games)
    assert all(table is kept[name] for name, table in (games.graphs or {}).items())
