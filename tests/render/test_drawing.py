"""Games as SVG, from their snapshots."""

import itertools
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from t2r_env import Games
from t2r_env.render.drawing.board import Board, aspect_of, lay_out_for_room, letter_of, sign_of
from t2r_env.render.drawing.companies import HEIGHT
from t2r_env.render.drawing.map_drawing import MapDrawing
from t2r_env.render.drawing.palette import NEW, PAINTS, SEATS
from t2r_env.render.svg import NARROW, WIDE, SnapshotError, render_svg
from t2r_env.render.text import renderer_of
from t2r_env.rules.snapshot import UNKNOWN
from t2r_env.variants import MapVariant
from tests.helpers.example_map import write_example_card_game, write_example_map
from tests.helpers.playing import (
    LOADED_VARIANTS,
    Options,
    decisions_of_every_phase,
    each_kind_once,
    some_configurations,
)
from tests.helpers.situations import Table, situation
from tests.render import pictures
from tests.render.colours import VISIONS, least_difference

SVG = "{http://www.w3.org/2000/svg}"
MAPS = [variant for variant in LOADED_VARIANTS if isinstance(variant, MapVariant)]

every_map = pytest.mark.parametrize("variant", MAPS, ids=[variant.id for variant in MAPS])
every_width = pytest.mark.parametrize("width", [WIDE, NARROW])


def draw(table: Table, **more: Any) -> ET.Element:
    return ET.fromstring(render_svg(table.snapshot, table.games.configuration, **more))


def texts(picture: ET.Element) -> list[str]:
    """The written texts of a picture, in order."""
    return [element.text or "" for element in picture.iter(f"{SVG}text")]


def written(picture: ET.Element) -> str:
    return " ".join(texts(picture))


def group(picture: ET.Element, kind: str, name: str) -> ET.Element:
    """The group of a route ("a b track"), a city, a slot or a pile."""
    (found,) = [it for it in picture.iter(f"{SVG}g") if it.get(f"data-{kind}") == name]
    return found


def title_of(element: ET.Element) -> str:
    title = element.find(f"{SVG}title")
    assert title is not None
    return title.text or ""


# Every game


@some_configurations
def test_every_decision_and_the_end_are_drawn(variant: str, players: int, options: Options) -> None:
    """Whose decision it is and on what, every route, card and player."""
    games = Games(variant, players, seed=3, batch=1, autoreset=False, **options)
    chosen = games.configuration
    states = list(decisions_of_every_phase(variant, players, bool(options), 10))
    games.play_random(10_000)
    states.append(games.states[0])
    for state, width in zip(states, itertools.cycle((WIDE, NARROW))):
        snapshot = chosen.snapshot(state)
        picture = ET.fromstring(render_svg(snapshot, chosen, width=width))
        heading = renderer_of(snapshot, chosen, 10_000).heading()
        assert title_of(picture) == " - ".join([chosen.variant.name, *heading])
        told = written(picture)
        assert all(f"player_{seat}" in told for seat in range(players))
        assert {it.get("data-slot") for it in picture.iter(f"{SVG}g")} >= set("01234")
        for route in snapshot["routes"]:
            group(picture, "route", f"{route['a']} {route['b']} {route['track']}")
        if snapshot["final"]:
            assert all(part.replace("_", " ") in told for part in snapshot["final"][0]["breakdown"])


@pytest.mark.parametrize("name", pictures.FILES)
def test_pictures_and_texts_are_as_they_were(name: str) -> None:
    """Also what only some games have: tunnels, ferries, stations, regions, racks, yards, unknown cards.

    `python -m tests.render.pictures` draws them anew; look at them then.
    """
    assert pictures.FILES[name]() == (pictures.FOLDER / name).read_text(encoding="utf-8")


@each_kind_once
def test_all_pictures_of_a_game_have_one_size(variant: str, players: int) -> None:
    """As the frames of a video must; a broad one is 3:2."""
    games = Games(variant, players, seed=8, autoreset=False)
    sizes = set()
    for _ in range(5):
        for width in (WIDE, NARROW, 900, 899):
            picture = ET.fromstring(render_svg(games.snapshot(), games.configuration, width=width))
            sizes.add((picture.get("width"), picture.get("height")))
        games.play_random(60)
    assert len(sizes) == 4
    assert {("1200", "800"), ("900", "600")} < sizes


# The map


class Shapes(NamedTuple):
    """Rectangles, turned anyhow."""

    middles: NDArray[np.float64]
    halves: NDArray[np.float64]
    """Half their lengths and heights."""
    turns: NDArray[np.float64]


def shapes(rows: Iterable[Sequence[float]]) -> Shapes:
    """Rectangles of a middle, half a length and half a height, and an angle in degrees."""
    columns = np.array(list(rows)).reshape(-1, 5)
    return Shapes(columns[:, :2], columns[:, 2:4], np.radians(columns[:, 4]))


def boxes_of(board: Board) -> Shapes:
    """The names of cities."""
    boxes = (name.box for name in board.names.values())
    return shapes(((a + c) / 2, (b + d) / 2, (c - a) / 2, (d - b) / 2, 0) for a, b, c, d in boxes)


def spaces_of(board: Board) -> Shapes:
    """The spaces of all routes."""
    half = board.thickness / 2
    return shapes((it.x, it.y, it.length / 2, half, it.angle) for line in board.spaces.values() for it in line)


def companies_of(board: Board) -> tuple[Shapes, list[tuple[str, str]]]:
    """The names of companies, and the cities of their routes."""
    names = [(it.place, HEIGHT * it.size / 2) for it in board.companies.values()]
    found = shapes((place.x, place.y, place.length / 2, half, place.angle) for place, half in names)
    return found, [(a, b) for a, b, _ in board.companies]


def discs_of(board: Board, part: float) -> Shapes:
    """The cities, as squares of this size by their own."""
    half = part * board.radius
    return shapes((x, y, half, half, 0) for x, y in board.cities.values())


def corners(them: Shapes) -> NDArray[np.float64]:
    """The corners of rectangles, (k, 4, 2)."""
    along, across = np.array([[-1], [1], [1], [-1]]), np.array([[-1], [-1], [1], [1]])
    ahead, aside = (
        np.column_stack([np.cos(turn), np.sin(turn)])[:, None] for turn in (them.turns, them.turns + np.pi / 2)
    )
    found: NDArray[np.float64] = (
        them.middles[:, None] + along * them.halves[:, :1, None] * ahead + across * them.halves[:, 1:, None] * aside
    )
    return found


def overlaps(one: Shapes, other: Shapes) -> NDArray[np.float64]:
    """How deep rectangles (rows) lie in others (columns), turned anyhow; 0 or less: not at all."""
    found: NDArray[np.float64] = np.minimum(reaches(one, other), reaches(other, one).T)
    return found


def reaches(one: Shapes, other: Shapes) -> NDArray[np.float64]:
    """How deep rectangles (rows) and others (columns) lie in each other, seen along the sides of the former."""
    depths = []
    for side in (0, 1):
        turns = one.turns + side * np.pi / 2
        axes = np.stack([np.cos(turns), np.sin(turns)])
        there = corners(other) @ axes - (one.middles * axes.T).sum(axis=1)  # (others, 4, these)
        half = one.halves[:, side]
        depths.append(np.minimum(half, there.max(axis=1)) - np.maximum(-half, there.min(axis=1)))
    found: NDArray[np.float64] = np.min(depths, axis=0).T
    return found


def distances(them: Shapes, points: Iterable[Sequence[float]]) -> NDArray[np.float64]:
    """How far points (columns) are from upright rectangles (rows); 0 inside."""
    away = np.abs(np.array(list(points)) - them.middles[:, None]) - them.halves[:, None]
    found: NDArray[np.float64] = np.hypot(*np.moveaxis(np.maximum(0, away), -1, 0))
    return found


def clashes(depths: NDArray[np.float64], most: float = 0.0) -> list[list[int]]:
    """The rows and columns of things that lie deeper in each other than allowed."""
    found: list[list[int]] = np.argwhere(depths > most).tolist()
    return found


def boards(variant: MapVariant) -> Iterator[Board]:
    """A map as `render_board_svg` and `render_svg` lay it out: with names of 12 units for a laptop, and in pictures.

    The United Kingdom has no room for names of 12 units on a laptop, but on a larger screen.
    """
    drawing = drawing_of(variant)
    yield drawing.board(WIDE if variant.id == "united_kingdom" else 900)
    for is_wide in (True, False):
        yield drawing.board_in_picture(is_wide=is_wide)


def drawing_of(variant: MapVariant) -> MapDrawing:
    """The drawing of a game that begins."""
    games = Games(variant.id, seed=0)
    return MapDrawing(games.snapshot(), games.configuration, None, "")


@pytest.mark.release
@every_map
def test_no_name_is_nearer_to_another_city_or_on_a_routes_letter_or_another_name(variant: MapVariant) -> None:
    for board in boards(variant):
        assert board.names.keys() == {city.id for city in variant.cities if not city.name.startswith("(unnamed")}
        names, cities = boxes_of(board), list(board.cities)
        own = np.array([cities.index(city) for city in board.names])
        check_names_lie_within(board)
        away = distances(names, board.cities.values())
        nearest = away[np.arange(len(own)), own]
        assert (nearest < 28 + 2 * board.radius).all()
        away[np.arange(len(own)), own] = np.inf
        assert (away > nearest[:, None]).all()
        assert not clashes(np.triu(overlaps(names, names), 1))
        signs = [
            board.spaces[it.a, it.b, it.track][index] for it in variant.routes if (index := sign_of(it)) is not None
        ]
        halves = [letter_of(board.thickness, space) * 0.45 for space in signs]
        letters = shapes((it.x, it.y, half, half, 0) for it, half in zip(signs, halves, strict=True))
        assert not clashes(overlaps(names, letters))


def check_names_lie_within(board: Board) -> None:
    names = boxes_of(board)
    assert (names.middles >= names.halves).all()
    assert (names.middles + names.halves <= (board.width, board.height)).all()


ROOMS = {
    False: ((1120, 720), (720, 640), (560, 320), (400, 240)),
    True: ((880, 880), (480, 720), (480, 320), (240, 400)),
}
"""What the page has for a broad map and for a tall one in windows of 1440x900, 1024x768, 844x390 and 390x844."""


@pytest.mark.parametrize("rank", [0, 3])
@every_map
def test_on_a_page_nothing_lies_on_anything_else(variant: MapVariant, rank: int) -> None:
    """Routes, cities, the rim and the names of cities and companies; 2 units are less than is to be seen."""
    board = lay_out_for_room(variant, *ROOMS[aspect_of(variant) < 1][rank])
    spaces, names = spaces_of(board), boxes_of(board)
    companies, of_company = companies_of(board)
    routes = [key for key, line in board.spaces.items() for _ in line]
    is_other = np.array([[one != other for other in board.spaces] for one in board.spaces])
    number = np.repeat(np.arange(len(board.spaces)), [len(line) for line in board.spaces.values()])
    between_routes = np.triu(overlaps(spaces, spaces)) * is_other[np.ix_(number, number)]
    assert not [(routes[one], routes[other]) for one, other in clashes(between_routes, 2)]
    rim = corners(spaces)
    assert rim.min() > -1
    assert (rim < (board.width + 1, board.height + 1)).all()
    is_end = np.array([[city in key for city in board.cities] for key in routes])
    assert not clashes(np.where(is_end, 0, overlaps(spaces, discs_of(board, 0.7))), 1)
    assert not clashes(overlaps(spaces, names), 2)
    assert not clashes(np.triu(overlaps(names, names), 1))
    check_names_lie_within(board)
    assert (distances(names, board.cities.values()) >= board.radius).all()
    is_beside = np.array([[key[:2] == pair for key in routes] for pair in of_company]).reshape(-1, len(routes))
    assert not clashes(np.where(is_beside, 0, overlaps(companies, spaces)), 2)
    assert not clashes(overlaps(companies, discs_of(board, 0.9)), 2)
    assert not clashes(overlaps(companies, names), 2)
    assert not clashes(np.triu(overlaps(companies, companies), 1), 2)


@every_map
def test_a_map_fills_the_room_of_a_page_unless_it_were_stretched_too_much(variant: MapVariant) -> None:
    width, height = ROOMS[aspect_of(variant) < 1][0]
    board = lay_out_for_room(variant, width, height)
    scale = min(width / board.width, height / board.height)
    stretched = board.width / board.height / aspect_of(variant)
    assert scale * board.width * scale * board.height > 0.85 * width * height or max(stretched, 1 / stretched) > 1.3
    assert scale * min(name.size for name in board.names.values()) > 6


@pytest.mark.release
@every_map
def test_most_names_have_12_units_and_letters_10_on_large_boards(variant: MapVariant) -> None:
    """Names are smaller where they would lie on routes otherwise."""
    board = drawing_of(variant).board(WIDE)
    assert board.width <= WIDE
    assert board.height <= WIDE * 0.75
    sizes = [name.size for name in board.names.values()]
    assert min(sizes) >= 9.6
    assert sum(size < 12 for size in sizes) <= len(sizes) / 3
    letters = [letter_of(board.thickness, space) for line in board.spaces.values() for space in line]
    assert np.median(letters) >= 10


# Colours


@pytest.mark.parametrize("vision", VISIONS)
def test_seats_and_cards_are_told_apart_whatever_colours_one_sees(vision: str) -> None:
    assert least_difference((paint.fill for paint in SEATS), vision) >= 20
    assert least_difference((paint.fill for card, paint in PAINTS.items() if card != UNKNOWN), vision) >= 20


# Routes


@every_map
def test_a_route_has_a_space_for_each_train_between_its_cities_beside_its_parallel_and_through_no_third_city(
    variant: MapVariant,
) -> None:
    board = drawing_of(variant).board_in_picture(is_wide=True)
    for route in variant.routes:
        spaces = board.spaces[route.a, route.b, route.track]
        assert len(spaces) == route.length
        ends = board.cities[route.a], board.cities[route.b]
        first, last = spaces[0], spaces[-1]
        nearest = [min(ends, key=lambda end: np.hypot(end[0] - it.x, end[1] - it.y)) for it in (first, last)]
        assert nearest == list(ends) or route.length == 1
    for (a, b, track), spaces in board.spaces.items():
        for one, other in zip(spaces, board.spaces.get((a, b, track + 1), []), strict=False):
            assert np.hypot(one.x - other.x, one.y - other.y) >= board.thickness
    for (a, b, _), spaces in board.spaces.items():
        for city, (x, y) in board.cities.items():
            if city not in (a, b):
                assert min(np.hypot(x - it.x, y - it.y) for it in spaces) > board.radius, (a, b, city)


def test_sw8_a_ticket_to_several_countries_is_marked_at_all_their_stations_and_two_equal_ones_have_two_numbers() -> (
    None
):
    table = situation(variant="switzerland", routes=[["basel-deutschland_basel"]])
    snapshot = table.snapshot
    ticket = ["france", ["deutschland", "osterreich"], [5, 14]]
    won = ["basel", ["deutschland", "italia"], [2, 9]]
    snapshot["players"][0]["tickets"] = [ticket, ticket, won]
    picture = ET.fromstring(render_svg(snapshot, table.games.configuration))
    marks = {"france_geneve": ["1 2"], "deutschland_st_gallen": ["1 2 3"], "italia_brig": ["3"], "basel": ["3"]}
    assert {city: texts(group(picture, "city", city)) for city in marks} == marks
    assert texts(group(picture, "city", "bern")) == []
    equal = "○ France–Deutschland (5) / Österreich (14)"
    assert f"tickets 1 {equal} 2 {equal} 3 ✓ Basel–Deutschland (2) / Italia (9)" in written(picture)
    bold = {it.text for it in picture.iter(f"{SVG}text") if it.get("font-weight") == "bold"}
    assert "Basel–Deutschland (2)" in bold
    assert not bold & {"Italia (9)", "France–Deutschland (5)", "Österreich (14)"}


# What was done, and what that changed


def outlined(picture: ET.Element) -> int:
    """How many rectangles have an outline that draws the eye."""
    return sum(it.get("stroke") == NEW for it in picture.iter(f"{SVG}rect"))


def test_what_the_last_action_changed_is_highlighted_and_a_new_face_up_card() -> None:
    table = situation(hands=["3 blue"])
    before = table.snapshot
    table.play("claim montreal-new_york")
    plain, told = draw(table), draw(table, before=before, last="player_0: claim it")
    assert "Last: player_0: claim it" in written(told)
    assert "Last:" not in written(plain)
    for change in ("score 4 +4", "trains 42 −3", "cards 0 −3"):
        assert change in written(told)
        assert change not in written(plain)
    assert outlined(told) == 3  # spaces
    assert outlined(plain) == 0
    table = situation(face_up="purple, blue, orange, white, green")
    before = table.snapshot
    table.play("draw_face_up 1")
    assert outlined(draw(table, before=before)) == (table.snapshot["face_up"][1] != "blue")
    before["face_up"][1] = None
    assert outlined(draw(table, before=before)) == 1


# Panels


def test_an_ended_game_says_who_has_won_and_why() -> None:
    games = Games("usa", 2, seed=1, autoreset=False)
    games.play_random(10_000)
    snapshot = games.snapshot()
    anna, ben = snapshot["final"]
    anna |= {"rank": 1, "score": 112, "breakdown": {"routes": 80, "tickets": 22, "longest_path": 10}}
    ben |= {"rank": 2, "score": 97, "breakdown": {"routes": 90, "tickets": 7, "longest_path": 0}}

    def told() -> str:
        return written(ET.fromstring(render_svg(snapshot, games.configuration, names=["Anna", "Ben"])))

    assert "Anna wins 112 : 97 Routes 80 : 90, tickets 22 : 7, longest path 10 : 0" in told()
    ben["score"], ben["completed"], anna["completed"] = 112, [], [["dallas", "denver", 6]]
    assert "Anna wins 112 : 112 The points are equal: completed tickets decide, 1 to 0" in told()
    ben["completed"] = anna["completed"]
    assert "The points are equal: the longest path decides" in told()
    ben["rank"] = 1
    assert "Anna and Ben win 112 : 112" in told()


# Games of one's own


@pytest.mark.parametrize("write", [write_example_map, write_example_card_game])
@every_width
def test_a_game_of_ones_own_is_drawn(write: Any, width: int, tmp_path: Path) -> None:
    games = Games(write(tmp_path), autoreset=False, seed=0)
    for _ in range(4):
        ET.fromstring(render_svg(games.snapshot(), games.configuration, width=width))
        games.play_random(30)


# Errors


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("variant", "mars"), ("num_players", 3), ("phase", None), ("deck", 7), ("ticket_deck", None)),
        *(("players", []), ("players", None), ("routes", []), ("routes", [{}]), ("face_up", ["pink"] * 5)),
        ("final", [{}]),
    ],
)
def test_what_is_not_a_snapshot_is_one_clear_error(name: str, value: Any) -> None:
    games, change = Games("usa", 2, seed=0), {name: value}
    given: Any
    for given in (games.snapshot() | change, change, None, [], "snapshot"):
        with pytest.raises(SnapshotError, match="snapshot of usa, 2 players"):
            render_svg(given, games.configuration)
    with pytest.raises(SnapshotError):
        render_svg(games.snapshot(), games.configuration, before={"variant": "mars"})


@pytest.mark.parametrize("width", [0, -5, 10_001, 600.5, "600", None])
def test_a_width_that_is_not_allowed_is_refused(width: Any) -> None:
    games = Games("usa", 2, seed=0)
    with pytest.raises(ValueError, match="width must be an integer from 1 to 10000"):
        render_svg(games.snapshot(), games.configuration, width=width)
