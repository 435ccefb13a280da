"""Games as SVG, from their snapshots."""

import itertools
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import t2r_env
from t2r_env import Games
from t2r_env.render.drawing.board import Board, aspect_of, lay_out_for_room, letter_of, sign_of
from t2r_env.render.drawing.companies import HEIGHT
from t2r_env.render.drawing.land import ground
from t2r_env.render.drawing.lines import Bending, Connection
from t2r_env.render.drawing.map_drawing import MapDrawing
from t2r_env.render.drawing.palette import ABROAD, DARK, DONE, LAND, NEW, PAINTS, PANELS, SEATS
from t2r_env.render.drawing.shapes import document, width_of
from t2r_env.render.raster import rgb_of
from t2r_env.render.svg import NARROW, WIDE, SnapshotError, render_board_svg, render_svg
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
from tests.helpers.situations import Table, deal, ended, situation
from tests.render import pictures

Array = NDArray[np.float64]

SVG = "{http://www.w3.org/2000/svg}"
MAPS = [variant for variant in LOADED_VARIANTS if isinstance(variant, MapVariant)]

every_map = pytest.mark.parametrize("variant", MAPS, ids=[variant.id for variant in MAPS])
every_width = pytest.mark.parametrize("width", [WIDE, NARROW])


def draw(table: Table, *snapshot: Any, **more: Any) -> ET.Element:
    """The picture of a table, or of another snapshot."""
    (shown,) = snapshot or (table.snapshot,)
    return ET.fromstring(render_svg(shown, table.games.configuration, **more))


def texts(picture: ET.Element) -> list[str]:
    """The written texts of a picture, in order."""
    return [element.text or "" for element in picture.iter(f"{SVG}text")]


def written(picture: ET.Element) -> str:
    return " ".join(texts(picture))


def group(picture: ET.Element, kind: str, name: str) -> ET.Element:
    """The group of a route ("a b track"), a city, a slot or a pile."""
    (found,) = [it for it in picture.iter(f"{SVG}g") if it.get(f"data-{kind}") == name]
    return found


def fills(element: ET.Element) -> set[str]:
    return {it.get("fill", "") for it in element.iter()}


# Every game


def places_of(element: ET.Element, x: float = 0, y: float = 0, scale: float = 1) -> Iterator[tuple[ET.Element, Any]]:
    """The rectangles of panels and the texts of a picture but those of the map, each as left, top, right, bottom."""
    if element.get("data-route") or element.get("data-city"):
        return
    turned = re.fullmatch(r"translate\((\S+) (\S+)\)(?: scale\((\S+)\))?", element.get("transform", ""))
    if turned:
        x, y = x + scale * float(turned[1]), y + scale * float(turned[2])
        scale *= float(turned[3] or 1)
    left, top, width, height = (float(element.get(name, 0)) for name in ("x", "y", "width", "height"))
    is_text = element.tag.endswith("text") and element.get("class") != "place"
    if is_text:
        size = float(element.get("font-size", 0))
        width, height = width_of(element.text or "", size, bold=element.get("font-weight") == "bold"), 0.75 * size
        left, top = left - (width / 2 if element.get("text-anchor") == "middle" else 0), top - height
    if is_text or (element.tag.endswith("rect") and element.get("class") in PANELS):
        yield element, (x + scale * left, y + scale * top, x + scale * (left + width), y + scale * (top + height))
    for child in element:
        yield from places_of(child, x, y, scale)


def check_nothing_leaves_its_panel(picture: ET.Element) -> None:
    _, _, right, bottom = map(float, picture.get("viewBox", "").split())
    places = list(places_of(picture))
    panels = [box for it, box in places if it.get("class") in PANELS]
    assert panels
    for it, box in places:
        inside = [panel for panel in panels if panel[0] <= box[0] <= panel[2] and panel[1] <= box[1] <= panel[3]]
        for left, top, most, low in [(0.0, 0.0, right, bottom), *inside]:
            assert min(box[0] - left, box[1] - top, most - box[2], low - box[3]) >= -1.5, it.text


@some_configurations
def test_every_decision_and_the_end_are_drawn(variant: str, players: int, options: Options) -> None:
    """Whose decision it is and on what, every route, card and player; nothing leaves its panel or the picture."""
    games = Games(variant, players, seed=3, batch=1, autoreset=False, **options)
    chosen = games.configuration
    states = list(decisions_of_every_phase(variant, players, bool(options), 10))
    for decisions in (150, 10_000):
        games.play_random(decisions)
        states += [games.states[0].copy()] * 2  # for both widths
    for state, width in zip(states, itertools.cycle((WIDE, NARROW))):
        snapshot = chosen.snapshot(state)
        picture = ET.fromstring(render_svg(snapshot, chosen, width=width))
        heading = renderer_of(snapshot, chosen, 10_000).heading()
        assert picture.findtext(f"{SVG}title") == " - ".join([chosen.variant.name, *heading])
        check_nothing_leaves_its_panel(picture)
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
def test_all_pictures_of_a_game_have_one_size_with_headings_of_up_to_three_lines(variant: str, players: int) -> None:
    """As the frames of a video must; a broad one is 3:2."""
    games = Games(variant, players, seed=5, autoreset=False)
    sizes, scales, before, last = set(), set(), None, ""
    for _ in range(40):
        snapshot = games.snapshot()
        picture = render_svg(snapshot, games.configuration, before=before, last=last)
        if not (last and snapshot["pending"]):
            scales.add(re.findall(r'<g transform="translate\(12 12\) scale\(([\d.]+)\)"', picture)[0])
        before, action = snapshot, int(np.flatnonzero(games.masks[0])[0])
        last = str(games.describe(action))
        games.step([action])
    for decisions in (1, 100, 10_000):
        games.play_random(decisions)
        for width in (WIDE, NARROW, 900, 899):
            shown = ET.fromstring(render_svg(games.snapshot(), games.configuration, width=width))
            sizes.add((shown.get("width"), shown.get("height")))
    assert len(sizes) == 4
    assert {("1200", "800"), ("900", "600")} < sizes
    assert len(scales) == 1


# The map


def parts_of(board: Board, variant: MapVariant) -> Iterator[Array]:
    """The spaces of routes, the letters of their colours, and the names of cities and of companies, as rectangles.

    These are arrays (k, 5): a middle, half a length and a height, and an angle in degrees.
    """
    thickness = board.thickness
    spaces = [(it.x, it.y, it.length, thickness, it.angle) for line in board.spaces.values() for it in line]
    signs = [(it, sign) for it in variant.routes if (sign := sign_of(it)) is not None]
    coloured = [board.spaces[it.a, it.b, it.track][sign] for it, sign in signs]
    letters = [(it.x, it.y, *[0.9 * letter_of(thickness, it)] * 2, 0) for it in coloured]
    names = [((a + c) / 2, (b + d) / 2, c - a, d - b, 0) for a, b, c, d in (it.box for it in board.names.values())]
    along = [(it.place, HEIGHT * it.size) for it in board.companies.values()]
    companies = [(it.x, it.y, it.length, height, it.angle) for it, height in along]
    for them in (spaces, letters, names, companies):
        yield np.reshape(them, (-1, 5)) * (1, 1, 0.5, 0.5, 1)


def discs_of(board: Board, part: float) -> Array:
    """The cities, as squares of this size by their own."""
    half = part * board.radius
    return np.array([(x, y, half, half, 0) for x, y in board.cities.values()])


def turned(them: Array) -> NDArray[np.complex128]:
    """The directions of the lengths of rectangles, (k, 1)."""
    return np.exp(1j * np.radians(them[:, 4:]))


def corners(them: Array) -> NDArray[np.complex128]:
    """The corners of rectangles, (k, 4)."""
    x, y, along, across = them.T[:4, :, None]
    signs = np.array([-1 - 1j, 1 - 1j, 1 + 1j, -1 + 1j])
    return np.asarray(x + 1j * y + turned(them) * (along * signs.real + 1j * across * signs.imag))


def overlaps(one: Array, other: Array) -> Array:
    """How deep rectangles (rows) lie in others (columns), turned anyhow; 0 or less: not at all."""
    return np.minimum(reaches(one, other), reaches(other, one).T)


def reaches(one: Array, other: Array) -> Array:
    """How deep rectangles (rows) and others (columns) lie in each other, seen along the sides of the former."""
    x, y, along, across = one.T[:4, :, None]
    there = (corners(other) - (x + 1j * y)[..., None]) / turned(one)[..., None]  # (these, others, 4)
    sides = ((along, there.real), (across, there.imag))
    depths = [np.minimum(half, it.max(axis=2)) - np.maximum(-half, it.min(axis=2)) for half, it in sides]
    return np.asarray(np.min(depths, axis=0))


def distances(them: Array, points: Iterable[Sequence[float]]) -> Array:
    """How far points (columns) are from upright rectangles (rows); 0 inside."""
    away = np.abs(np.array(list(points)) - them[:, None, :2]) - them[:, None, 2:4]
    return np.asarray(np.hypot(*np.moveaxis(np.maximum(0, away), -1, 0)))


def drawing_of(variant: MapVariant) -> MapDrawing:
    games = Games(variant.id, seed=0)
    return MapDrawing(games.snapshot(), games.configuration, None, "")


ROOMS = {False: ((1120, 720), (400, 240)), True: ((880, 880), (240, 400))}
"""What the page has for a broad map and for a tall one, in a large window and on a phone."""


def boards(variant: MapVariant) -> Iterator[tuple[Board, float, float]]:
    """A map on pages, in pictures and alone, and how deep spaces may lie in each other, and in names.

    Two units are less than is to be seen. The United Kingdom has no room for its names on a map of 900 units.
    """
    drawing = drawing_of(variant)
    for room in ROOMS[aspect_of(variant) < 1]:
        yield lay_out_for_room(variant, *room), 2, 2
    for is_wide in (True, False):
        yield drawing.board_in_picture(is_wide=is_wide), 2, 8
    yield drawing.board(WIDE if variant.id == "united_kingdom" else 900), 4, 12


@every_map
def test_nothing_lies_on_anything_else_and_no_name_is_nearer_to_another_city(variant: MapVariant) -> None:
    """Routes, cities, the rim, letters, and the names of cities and companies."""
    for board, among_routes, on_routes in boards(variant):
        spaces, letters, names, companies = parts_of(board, variant)
        routes = [key for key, line in board.spaces.items() for _ in line]
        is_other = np.array([[one != other for other in routes] for one in routes])
        assert (overlaps(spaces, spaces)[is_other] <= among_routes).all()
        rim = corners(spaces)
        assert min(rim.real.min(), rim.imag.min()) > -1
        assert max(rim.real.max() - board.width, rim.imag.max() - board.height) < 1
        is_third = np.array([[city not in key for city in board.cities] for key in routes])
        assert (overlaps(spaces, discs_of(board, 0.7))[is_third] <= 1).all()
        assert (overlaps(spaces, names) <= on_routes).all()
        assert (overlaps(names, letters) <= 0).all()
        assert (np.triu(overlaps(names, names), 1) <= 0).all()
        assert (names[:, :2] >= names[:, 2:4]).all()
        assert (names[:, :2] + names[:, 2:4] <= (board.width, board.height)).all()
        is_aside = np.array([[key[:2] != it[:2] for key in routes] for it in board.companies], bool)
        assert (overlaps(companies, spaces)[is_aside.reshape(-1, len(routes))] <= 2).all()
        assert (overlaps(companies, discs_of(board, 0.9)) <= 2).all()
        assert (overlaps(companies, names) <= 2).all()
        assert (np.triu(overlaps(companies, companies), 1) <= 2).all()
        assert board.names.keys() == {city.id for city in variant.cities if not city.name.startswith("(unnamed")}
        away, own = distances(names, board.cities.values()), [list(board.cities).index(city) for city in board.names]
        nearest = away[np.arange(len(own)), own].copy()
        assert (nearest < 28 + 2 * board.radius).all()
        away[np.arange(len(own)), own] = np.inf
        assert (away > nearest[:, None]).all()
        assert (nearest >= board.radius).all() or on_routes > 2


@every_map
def test_a_map_fills_its_room_and_names_and_letters_are_large(variant: MapVariant) -> None:
    """On a page it is not stretched too much. Names are smaller where they would lie on routes otherwise."""
    width, height = ROOMS[aspect_of(variant) < 1][0]
    board = lay_out_for_room(variant, width, height)
    scale = min(width / board.width, height / board.height)
    stretched = board.width / board.height / aspect_of(variant)
    assert scale * board.width * scale * board.height > 0.85 * width * height or max(stretched, 1 / stretched) > 1.3
    assert scale * min(name.size for name in board.names.values()) > 6
    board = drawing_of(variant).board(WIDE)
    assert max(board.width, board.height / 0.75) <= WIDE
    sizes = [name.size for name in board.names.values()]
    assert min(sizes) >= 9.6
    assert sum(size < 12 for size in sizes) <= len(sizes) / 3
    letters = [letter_of(board.thickness, space) for line in board.spaces.values() for space in line]
    assert np.median(letters) >= 10


@every_map
def test_a_route_has_a_space_for_each_train_and_lines_to_cities_that_it_begins_away_from(variant: MapVariant) -> None:
    drawing = drawing_of(variant)
    board = drawing.board(*ROOMS[aspect_of(variant) < 1][0])
    picture = ET.fromstring(f'<svg xmlns="{SVG[1:-1]}">{drawing.map(board)}</svg>')
    for route in variant.routes:
        line = board.spaces[route.a, route.b, route.track]
        assert len(line) == route.length
        ends = [complex(*board.cities[city]) for city in (route.a, route.b)]
        first, last = corners(np.array([(it.x, it.y, it.length / 2, 0, it.angle) for it in (line[0], line[-1])]))
        away = abs(np.array([[first[0] - end, last[1] - end] for end in ends]))
        assert away.argmin(axis=0).tolist() == [0, 1]
        shown = group(picture, "route", f"{route.a} {route.b} {route.track}")
        stems = sum(it.get("d", "").count("M") for it in shown if it.get("class") == "stem")
        assert stems >= (away.diagonal() > board.radius + 0.5 * board.thickness).sum()
        tracks = sum((it.a, it.b) == (route.a, route.b) for it in variant.routes)  # on a bend, the outer begins later
        assert away.diagonal().max() < board.radius + (2 + tracks / 2) * board.thickness


@every_map
def test_cities_lie_on_the_land_or_at_its_coast(variant: MapVariant) -> None:
    board = drawing_of(variant).board_in_picture(is_wide=True)
    size = round(board.width), round(board.height)
    pixels = rgb_of(document(*size, *size, ground(variant, board)))
    is_land = np.any([(pixels == tuple(bytes.fromhex(it[1:]))).all(axis=2) for it in (LAND, ABROAD)], axis=0)
    for city, (x, y) in board.cities.items():
        if (variant.id, city) != ("united_kingdom", "new_york"):  # a space at the rim: it is across the ocean
            assert is_land[int(y) - 6 : int(y) + 7, int(x) - 6 : int(x) + 7].any(), f"land.svg: no land at {city}"


def test_tickets_in_hand_are_marked_at_both_cities_and_whether_they_are_completed() -> None:
    table = situation(routes=[["montreal-toronto", "montreal-new_york"]])
    snapshot = table.snapshot
    snapshot["players"][0]["tickets"] = [["new_york", "toronto", 3], ["dallas", "new_york", 11]]
    picture = draw(table, snapshot)
    marks = {"toronto": ["1"], "new_york": ["1 2"], "dallas": ["2"], "montreal": [], "boston": []}
    assert {city: texts(group(picture, "city", city)) for city in marks} == marks
    assert DONE in fills(group(picture, "city", "toronto"))
    assert DONE not in fills(group(picture, "city", "dallas"))
    assert "tickets 1 ✓ New York–Toronto (3) 2 ○ Dallas–New York (11)" in written(picture)


def test_sw8_a_ticket_to_several_countries_is_marked_at_all_their_stations_and_equal_ones_have_two_numbers() -> None:
    table = situation(variant="switzerland", routes=[["basel-deutschland_basel"]])
    snapshot = table.snapshot
    ticket, won = ["france", ["deutschland", "osterreich"], [5, 14]], ["basel", ["deutschland", "italia"], [2, 9]]
    snapshot["players"][0]["tickets"] = [ticket, ticket, won]
    picture = draw(table, snapshot)
    marks = {"france_geneve": ["1 2"], "deutschland_st_gallen": ["1 2 3"], "italia_brig": ["3"], "basel": ["3"]}
    assert {city: texts(group(picture, "city", city)) for city in [*marks, "bern"]} == marks | {"bern": []}
    equal = "○ France–Deutschland (5) / Österreich (14)"
    assert f"tickets 1 {equal} 2 {equal} 3 ✓ Basel–Deutschland (2) / Italia (9)" in written(picture)


def test_the_legend_tells_what_only_some_routes_take() -> None:
    """NO5, NO6, NO8, SW5."""
    nordic = written(draw(situation(variant="nordic")))
    assert "L pays for ferries and tunnels only" in nordic
    assert "3:1 cards for one on ferries 4:1 cards for one on Lieksa–Murmansk" in nordic
    assert "L pays for tunnels only" in written(draw(situation(variant="switzerland")))
    for variant in ("europe", "united_kingdom"):
        assert not {"pays for", "cards for one"} & {it[2:] for it in texts(draw(situation(variant=variant)))}


# What was done, and what that changed


def outlined(picture: ET.Element) -> int:
    """How many rectangles have an outline that draws the eye."""
    return sum(it.get("stroke") == NEW for it in picture.iter(f"{SVG}rect"))


def test_what_the_last_action_changed_is_highlighted_a_new_face_up_card_and_a_route_that_is_paid_for() -> None:
    table = situation(hands=["3 blue"])
    before = table.snapshot
    table.play("claim montreal-new_york")
    plain, told = draw(table), draw(table, before=before, last="player_0: claim it")
    assert "Last: player_0: claim it" in written(told)
    assert "Last:" not in written(plain)
    for change in ("score 4 +4", "trains 42 −3", "cards 0 −3"):
        assert (change in written(told), change in written(plain)) == (True, False)
    assert (outlined(told), outlined(plain)) == (3, 0)  # spaces
    table = situation(face_up="purple, blue, orange, white, green")
    before = table.snapshot
    table.play("draw_face_up 1")
    assert outlined(draw(table, before=before)) == (table.snapshot["face_up"][1] != "blue")
    before["face_up"][1] = None
    assert outlined(draw(table, before=before)) == 1
    table = situation(hands=["2 blue, 2 red"])
    table.play("claim boston-montreal")
    before = table.snapshot
    assert outlined(draw(table)) == 2
    table.play("pay 2 blue")
    told = draw(table, before=before, last="player_0: pay 2 blue")
    assert "Last: player_0: pay 2 blue (after: claim Boston-Montréal (gray, 2))" in written(told)


@every_width
def test_of_many_actions_the_last_ones_are_told(width: int) -> None:
    """CG10: a scoring is one move with as many actions as tickets are completed."""
    table = deal(variant="card_game")
    text = table.games.configuration.text
    tickets = [text.ticket(number) for number in range(12)]
    scoring = table.snapshot | {"pending": [{"action": "complete", "ticket": ticket} for ticket in tickets]}
    last = draw(table, before=scoring, last="player_0: stop", width=width)
    for picture in (draw(table, scoring, width=width), last):
        heading = written(picture).partition(" deck")[0]
        assert "… complete " in heading
        assert text.city(tickets[-1][1]) in heading
        assert len(heading) < 450


def test_an_ended_game_says_who_has_won_and_why() -> None:
    table = ended()
    snapshot = table.snapshot
    anna, ben = snapshot["final"]
    anna |= {"rank": 1, "score": 112, "breakdown": {"routes": 80, "tickets": 22, "longest_path": 10}}
    ben |= {"rank": 2, "score": 97, "breakdown": {"routes": 90, "tickets": 7, "longest_path": 0}}

    def told() -> str:
        return written(draw(table, snapshot, names=["Anna", "Ben"]))

    assert "Anna wins 112 : 97 Routes 80 : 90, tickets 22 : 7, longest path 10 : 0" in told()
    ben["score"], ben["completed"], anna["completed"] = 112, [], [["dallas", "denver", 6]]
    assert "Anna wins 112 : 112 The points are equal: completed tickets decide, 1 to 0" in told()
    ben["completed"] = anna["completed"]
    assert "The points are equal: the longest path decides" in told()
    ben["rank"] = 1
    assert "Anna and Ben win 112 : 112" in told()


def test_players_may_have_names() -> None:
    table = situation(routes=[["montreal-toronto"]])
    told = draw(table, names=["Anna <&>", "Ben"], last="player_1: something")
    assert "Anna <&>" in written(told)
    assert "Last: Ben: something" in written(told)
    assert "player_" not in ET.tostring(told, encoding="unicode")
    with pytest.raises(ValueError, match="names must be 2, one for each player, not 1"):
        draw(table, names=["Anna"])


def test_a_board_alone_has_halos_that_take_the_pointer_and_routes_that_glow() -> None:
    table = situation(routes=[["montreal-toronto"]])
    lit = [("montreal", "toronto", 0), ("atlanta", "miami", 0)]
    given = table.snapshot, table.games.configuration
    picture = ET.fromstring(render_board_svg(*given, lit=lit))
    paths = list(picture.iter(f"{SVG}path"))
    assert sum(it.get("class") == "glow" for it in paths) == 2
    halos = [it for it in paths if it.get("class") == "halo"]
    assert len(halos) == 100
    assert {it.get("pointer-events") for it in halos} == {"stroke"}
    assert min(float(it.get("stroke-width", 0)) for it in halos) >= 24
    assert "player_0" not in written(picture)
    small, least = (ET.fromstring(render_board_svg(*given, width=it)) for it in (30, 300))
    assert (small.get("width"), small.get("viewBox")) == ("30", least.get("viewBox"))
    with pytest.raises(
        ValueError, match=r"^lit must be routes of usa, as \(a, b, track\), not \('toronto', 'montreal', 0"
    ):
        render_board_svg(*given, lit=[("toronto", "montreal", 0)])
    cards = deal(variant="card_game")
    with pytest.raises(ValueError, match="has no map"):
        render_board_svg(cards.snapshot, cards.games.configuration)


def test_page_css_makes_pictures_as_dark_as_their_own_style() -> None:
    css = (files("t2r_env.render") / "pages" / "page.css").read_text(encoding="utf-8")
    dark = css.partition("/* pictures in the dark")[2].partition("/* end of pictures in the dark */")[0]
    assert dict(re.findall(r"\.t2r \.(\w+) \{ (.*); \}", dark)) == DARK
    used = {it.get("class") for it in draw(situation()).iter()}
    assert used >= {"frame", "land", "water", "lake", "border", "place", "ink", "faint", "sheet", "acting", "pile"}
    assert used - DARK.keys() == {None, "halo", "t2r"}


# Colours


VISIONS: dict[str, Any] = {
    "normal": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}
"""What linear red, green and blue become: Machado, Oliveira and Fernandes, A Physiologically-based Model for Simulation
of Color Vision Deficiency (2009), with severity 1."""

_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
_WHITE = np.array([0.95047, 1.0, 1.08883])


def linear(colour: str) -> Array:
    """A colour #rrggbb as linear light."""
    part = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def lab(light: Array) -> Array:
    """Linear light as CIE L*a*b*, for daylight (D65)."""
    parts = _XYZ @ light.clip(0, 1) / _WHITE
    x, y, z = np.where(parts > 216 / 24389, np.cbrt(parts), (24389 / 27 * parts + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def least_difference(colours: Iterable[str], vision: str) -> float:
    """The least difference (CIE76) between two of some colours, as somebody sees them."""
    seen = [lab(VISIONS[vision] @ linear(colour)) for colour in colours]
    return min(float(np.linalg.norm(one - other)) for one, other in itertools.combinations(seen, 2))


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, as the Web Content Accessibility Guidelines define it."""
    low, high = sorted(float(_XYZ[1] @ linear(it)) for it in (one, other))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("vision", VISIONS)
def test_seats_and_cards_are_told_apart_whatever_colours_one_sees(vision: str) -> None:
    assert least_difference((paint.fill for paint in SEATS), vision) >= 20
    assert least_difference((paint.fill for card, paint in PAINTS.items() if card != UNKNOWN), vision) >= 20


def test_what_is_written_on_colours_is_legible() -> None:
    assert min(contrast(paint.fill, paint.ink) for paint in [*SEATS, *PAINTS.values()]) >= 4.5


# Games of one's own


@pytest.mark.parametrize(
    ("write", "old", "new"),
    [
        (write_example_card_game, "", ""),
        (write_example_map, "", ""),
        (write_example_map, r"(?<=^bern,)[^,]+", "Salt <&> Co'"),  # what XML has its own meaning for
        (write_example_map, r"(?<=^geneva,)[^,]+", "(junction)"),  # not written, but its tickets' numbers are
        (write_example_map, r"(?<=,)[\d.]+(?=,\w*$)", "0.5"),  # all cities lie on one line
    ],
)
@every_width
def test_a_game_of_ones_own_is_drawn(write: Any, old: str, new: str, width: int, tmp_path: Path) -> None:
    write(tmp_path)
    if old:
        text = (tmp_path / "cities.csv").read_text(encoding="utf-8")
        changed = re.sub(old, new, text, flags=re.MULTILINE)
        assert changed != text
        (tmp_path / "cities.csv").write_text(changed, encoding="utf-8")
    games = Games(tmp_path, autoreset=False, seed=0)
    for _ in range(4):
        picture = render_svg(games.snapshot(), games.configuration, width=width)
        assert "nan" not in picture
        assert ("<&>" in written(ET.fromstring(picture))) == ("<&>" in new)
        games.play_random(30)


def test_of_a_map_of_many_crossings_only_some_are_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = [np.array([450 + 400 * np.cos(it), 450 + 400 * np.sin(it)]) for it in np.arange(0, 2 * np.pi, np.pi / 10)]
    places = {chr(ord("a") + number): place for number, place in enumerate(ends)}
    pairs = {(one, other): Connection(1, 6) for one, other in zip("abcdefghij", "klmnopqrst", strict=True)}
    bending = Bending(places, pairs, radius=8, thickness=10, size=np.array([900, 900]))
    settled = []
    monkeypatch.setattr(Bending, "settle", lambda self, *pair: settled.append(pair))
    bending.around([])
    assert 0 < len(settled) < 10 < len(bending.crossing())


def test_what_is_not_a_snapshot_is_one_clear_error() -> None:
    """`tests.fuzz` tries more."""
    table = deal()
    wrong: list[Any] = [table.snapshot | {name: None} for name in ("variant", "phase", "players")]
    for given in (*wrong, table.snapshot | {"num_players": 3}, table.snapshot | {"routes": []}, {}, None, "snapshot"):
        with pytest.raises(SnapshotError, match="snapshot of usa, 2 players"):
            draw(table, given)
    with pytest.raises(SnapshotError):
        draw(table, before={"variant": "mars"})
    for width in (0, 10_001, 600.5, "600"):
        with pytest.raises(ValueError, match="width must be an integer from 1 to 10000"):
            draw(table, width=width)


def test_a_truncated_and_a_forfeited_game_say_so() -> None:
    """C19."""
    games = Games("usa", turn_limit=12, autoreset=False, seed=0)
    games.play_random(10_000)
    assert "The game is over: truncated" in written(draw(Table(games)))
    env = t2r_env.env("usa", render_mode="rgb_array")
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="was not legal"):
        env.step(5)
    told = written(ET.fromstring(env._repr_svg_() or ""))
    assert "The game is over: forfeited" in told
    assert "Last: player_0: 5, which is not legal" in told
