"""Games from score sheets: each is scored as the game that was played, and what can't be is told in one sentence."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from t2r_env import VARIANTS, Configuration, Games, configure
from t2r_env.commands import main
from t2r_env.generating import write_map
from t2r_env.render.score import score_report, score_text
from t2r_env.rules.map_game.records import MapRules
from t2r_env.rules.text import destinations
from t2r_env.score_sheet import SheetError, parse_sheet, player_keys, read_sheet, score_sheet, template
from t2r_env.score_sheet.board_game_arena import sheet_of_log
from t2r_env.text import action_text
from tests.helpers.maps import load_map
from tests.helpers.playing import every_deck
from tests.helpers.refusing import refusal


def sheet_of(games: Games, row: int) -> dict[str, Any]:
    """What people would write of an ended game that they see."""
    configuration: Any = games.configuration
    snapshot = games.snapshot(row)
    keys = player_keys(configuration)
    players: list[dict[str, Any]] = [{"routes": [], "tickets": []} for _ in range(games.num_players)]
    for it in snapshot["routes"]:
        claim = action_text({"action": "claim", **{key: it[key] for key in ("a", "b", "track")}}, configuration)
        for seat in it["owners"]:
            players[seat]["routes"].append(claim.removeprefix("claim "))
    for seat, (player, seen) in enumerate(zip(players, snapshot["players"], strict=True)):
        for key in ("tickets", "completed"):
            player[key] = [ticket_text(ticket, configuration) for ticket in seen.get(key, ())]
        player |= {key: seen[key] for key in ("technologies", "stations", "shares") if key in keys}
        if "technology_points" in keys:
            rules: MapRules = configuration.rules[0]
            claimed = [number for number, it in enumerate(snapshot["routes"]) if seat in it["owners"]]
            without = int(rules.points[rules.route_length[claimed]].sum())
            player["technology_points"] = snapshot["final"][seat]["breakdown"]["routes"] - without
    for team, rack in enumerate(snapshot.get("teams", ())):
        players[2 * team]["tickets"] += [ticket_text(ticket, configuration) for ticket in rack["tickets"]]
    sheet = {"variant": configuration.variant.id, **configuration.options}
    if snapshot.get("revealed_shares"):
        sheet["neutral_shares"] = snapshot["revealed_shares"]
    return sheet | {"players": [{key: value for key, value in it.items() if key in keys} for it in players]}


def ticket_text(ticket: Sequence[Any], configuration: Configuration) -> str:
    """A ticket with its points, the other way round than in the table if it has one value."""
    a, name, ends = ticket[0], configuration.text.city, list(destinations(ticket))
    points = " ".join(str(value) for _, value in ends)
    if len(ends) == 1:
        return f"{name(ends[0][0])}-{name(a)} ({points})"
    return f"{name(a)}-{'/'.join(name(end) for end, _ in ends)} ({points})"


@every_deck
def test_the_sheet_of_a_game_that_was_played_has_its_scores_ranks_and_parts(
    variant: str, players: int, options: dict[str, Any]
) -> None:
    games = Games(variant, players, batch=2, seed=20, autoreset=False, observe=False, **options)
    while games.masks.any():
        games.play_random(100)
    for row in range(games.batch):
        results = score_sheet(sheet_of(games, row)).games.results
        for seat in range(players):
            assert results.of(0, seat) == games.results.of(row, seat)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_template_of_a_game_is_a_sheet_that_can_be_scored(variant: str) -> None:
    configuration = configure(variant, configure(variant).variant.max_players)
    text = template(configuration)
    report = score_report(score_sheet(parse_sheet(text, is_json=False)))
    assert (report["variant"], report["num_players"]) == (variant, configuration.num_players)
    for key in player_keys(configuration):
        assert text.count(f"\n{key} = ") == configuration.num_players + (key == "tickets")
    for team in report["teams"]:
        assert sum(team["breakdown"].values()) == team["score"]
    assert report["verdict"] in score_text(report)


def test_the_sheet_of_the_documentation_has_the_score_that_is_shown() -> None:
    page = (Path(__file__).parents[2] / "docs" / "score.md").read_text(encoding="utf-8")
    sheet, shown = re.findall(r"```(?:toml|text)\n(.*?)```", page, re.DOTALL)
    assert score_text(score_report(score_sheet(parse_sheet(sheet, is_json=False)))) == shown


LONG = [f"{it.a} - {it.b}" for it in configure("legendary_asia").deck.long[:2]]
SINGLE = [f"{it.a} - {it.b}" for it in load_map("new_york").routes if not it.track]
WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("usa", {"routes": ["Bostn - Montréal"]}, "there is no city 'Bostn': the nearest are Boston"),
    ("usa", {"routes": ["Boston - Miami"]}, "no route 'Boston - Miami'; from Boston routes lead to Montréal, New York"),
    ("usa", {"routes": ["Boston - New York (blue)"]}, "there are 'Boston - New York .yellow 2.', 'Boston - New York"),
    ("usa", {"routes": ["Boston"]}, "two cities with a dash between them"),
    ("usa", {"routes": ["Boston - New York"] * 2}, r"nobody may have two parallel routes \(C11\)"),
    ("usa", {"routes": "Boston - New York"}, "Ann: routes must be a list of texts, each of 200 characters at most"),
    ("usa", {"tickets": ["Boston - Denver"]}, "in the deck 'anniversary'; those of Boston are Boston - Chicago, "),
    ("usa", {"stations": ["Boston"]}, "Ann: there is no 'stations'; allowed are name, routes, tickets"),
    ("nordic", {"routes": ["Kristiansand - Stavanger"]}, "several routes are .* say which, .*tunnel"),
    ("legendary_asia", {"tickets": LONG}, "Ann: a player has 1 long ticket at most, not 2"),
    ("united_kingdom", {"technologies": ["boosters"]}, "no technology 'boosters'; allowed are wales_concession"),
    ("united_kingdom", {"technology_points": 4}, "Ann: technology_points must be an integer from 0 to 0, not 4"),
    ("pennsylvania", {"shares": {"prr": [99]}}, "a share of prr must be an integer from 1 to "),
    ("new_york", {"routes": SINGLE}, r"Ann: the routes take \d+ trains, and a player has 15"),
]
OF_BOTH: list[tuple[str, str, Any, Any, str]] = [
    ("usa", "routes", ["Miami - Atlanta"], ["atlanta–miami"], "Ben: 'atlanta.*miami' can't be: Ann has this route"),
    ("usa", "routes", ["Boston - New York"], ["Boston - New York"], "only 1 of these 2 routes may be claimed, and Ann"),
    ("usa", "tickets", ["Boston - Miami"], ["Boston - Miami"], "'Boston - Miami' is taken: Ann has it already"),
    ("europe", "stations", ["Zürich"], ["Zurich"], r"only one station stands in a city \(EU6\), and Ann has Zurich"),
    ("pennsylvania", "shares", {"prr": [1]}, {"prr": [1]}, "Ben: Ann has the same share"),
    ("pennsylvania", "shares", {"prr": [1]}, {"prr": [3]}, r"nobody has prr 2, and .* lowest share goes first \(PA4"),
]


@pytest.mark.parametrize(
    ("variant", "ann", "ben", "message"),
    [(variant, ann, {}, message) for variant, ann, message in WRONG]
    + [(variant, {key: ann}, {key: ben}, message) for variant, key, ann, ben, message in OF_BOTH],
)
def test_what_can_not_be_is_told_with_what_is_allowed(
    variant: str, ann: dict[str, Any], ben: dict[str, Any], message: str
) -> None:
    with pytest.raises(SheetError, match=message):
        score_sheet({"variant": variant, "players": [{"name": "Ann"} | ann, {"name": "Ben"} | ben]})


def test_as_many_shares_as_the_neutral_player_reveals_may_lie_hidden() -> None:
    """PA8: half of them are revealed, rounded up, and the numbers of the others are known to nobody."""
    players = [{"shares": {"prr": [1, 4]}}, {}]
    sheet = {"variant": "pennsylvania", "players": players, "neutral_shares": {"erl": [1, 2]}}
    assert score_sheet(sheet).games.snapshot()["players"][0]["shares"]["prr"] == [1, 4]
    with pytest.raises(SheetError, match="nobody has prr 2, prr 3, and of a company"):
        score_sheet(sheet | {"neutral_shares": {"erl": [1]}})


def test_of_parallel_routes_each_player_has_one_and_what_is_named_exactly_comes_first() -> None:
    """With Right of Way (UK9) two players may have a route."""
    for variant, either, exact in (("usa", "Boston - New York", "yellow"), ("united_kingdom", "Dublin - Dundalk", "")):
        players = [{"routes": [either]}, {"routes": [f"{either} ({exact})" if exact else either]}, {}, {}]
        one, other = score_sheet({"variant": variant, "players": players}).games.states["claimed"][0, :2]
        assert one.any()
        assert other.any()
        assert not (one & other).any()
    players = [{"routes": ["London - Southampton"]}] * 2
    assert list(score_sheet({"variant": "united_kingdom", "players": players}).games.results.scores[0]) == [2, 2]


def test_of_two_tickets_that_differ_in_their_direction_alone_each_player_may_have_one() -> None:
    """In the Card Game Chicago-New York and New York-Chicago have other cards, and the same points."""
    sheet = {"variant": "card_game", "players": [{"completed": ["Chicago - New York"]}] * 2}
    assert score_sheet(sheet).games.results.scores[0].tolist() == [5 + 15 + 12] * 2
    with pytest.raises(SheetError, match="'Chicago - New York' is taken: "):
        score_sheet(sheet | {"players": [{"tickets": ["Chicago - New York"]}] * 3})


def test_a_sheet_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    """Editors of Windows write one."""
    for name, text in (("a.toml", 'variant = "usa"\nplayers = [{}, {}]'), ("a.json", '{"variant": "usa"}')):
        (tmp_path / name).write_text(text, encoding="utf-8-sig")
        assert read_sheet(tmp_path / name)["variant"] == "usa"


def test_a_template_in_a_file_can_be_scored_whatever_the_output_is_encoded_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also that of a map of one's own, where names have quotes."""
    folder, sheet = tmp_path / "lakes", tmp_path / "evening.toml"
    write_map(folder, 5, 20)
    cities = (folder / "cities.csv").read_text(encoding="utf-8")
    (folder / "cities.csv").write_text(cities.replace(",Balamore,", ',"The ""Bay""",'), encoding="utf-8")
    for variant, city in (("usa", "Montréal"), (str(folder), r"The \"Bay\"")):
        with sheet.open("w", encoding="cp1252") as file, monkeypatch.context() as patched:
            patched.setattr("sys.stdout", file)
            assert main(["score", "--variant", variant, "--template"]) == 0
        assert city in sheet.read_text(encoding="utf-8")
        assert main(["score", str(sheet)]) == 0


def test_a_sheet_is_scored_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "--variant", "new_york", "--num-players", "3", "--template"]) == 0
    sheet, as_json = tmp_path / "evening.toml", tmp_path / "evening.json"
    sheet.write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["score", str(sheet), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    as_json.write_text(json.dumps(read_sheet(sheet)), encoding="utf-8")
    for file in (sheet, as_json):
        assert main(["score", str(file)]) == 0
        assert capsys.readouterr().out == score_text(report)
    broken, crowded = tmp_path / "broken.toml", tmp_path / "crowded.json"
    broken.write_text("variant = usa", encoding="utf-8")
    crowded.write_text(json.dumps({"variant": "usa", "players": [{}] * 6}), encoding="utf-8")
    for arguments, message in (
        ([crowded], "num_players of usa must be an integer from 2 to 5, not 6"),
        ([], "name the file of a score sheet, or print one"),
        ([sheet, "--variant", "usa"], "the score sheet itself says what was played"),
        ([broken], f"{broken}: "),
    ):
        error = refusal(capsys, main, "score", *arguments)
        assert error.count("\n") == 1
        assert message in error


def packet(number: int, kind: str, channel: str = "/table/t1", **told: Any) -> dict[str, Any]:
    """A packet as Board Game Arena's history has it."""
    return {"channel": channel, "move_id": str(number), "data": [{"uid": f"u{number}", "type": kind, "args": told}]}


PARIS = {"from": "Paris", "to": "Zürich"}
LOG = [
    packet(1, "destinationsPicked", player_name="A. Person", count=2),
    packet(2, "trainCarPicked", player_name="B. Person", count=2),
    packet(2, "trainCarPicked", channel="/player/p9", colors=[2, 3]),
    *[packet(3, "claimedRoute", player_name="B. Person", points=2, route={"color": 0, "number": 3}, **PARIS)] * 2,
    packet(4, "claimedRoute", player_name="A. Person", points=1, **{"from": "Zürich", "to": "München"}),
    packet(5, "builtStation", player_name="B. Person", city_name="München"),
    packet(6, "scoreDestination", player_name="B. Person", **{"from": "Paris", "to": "Wien"}),
    packet(7, "scoreDestination", player_name="A. Person", **{"from": "Berlin", "to": "Roma"}),
]


def test_a_log_of_board_game_arena_becomes_a_sheet_without_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log.json"
    log.write_text(json.dumps({"status": 1, "data": {"valid": 1, "data": LOG}}), encoding="utf-8")
    assert main(["score", str(log), "--bga", "--variant", "europe"]) == 0
    text = capsys.readouterr().out
    assert "Person" not in text
    one, two = parse_sheet(text, is_json=False)["players"]
    assert one == {"name": "Player 1", "routes": ["Zürich - München"], "tickets": ["Berlin - Roma"], "stations": []}
    assert (two["routes"], two["stations"]) == (["Paris - Zürich (gray 3)"], ["München"])
    assert score_report(score_sheet(parse_sheet(text, is_json=False)))["verdict"].startswith("Player 2 wins")


@pytest.mark.parametrize(
    ("log", "variant", "options", "message"),
    [
        (LOG[:-2], "europe", {}, "must be that of a finished game"),
        ([packet(1, "claimedRoute", **PARIS)], "europe", {}, "player_name in the log"),
        ({"data": 1}, "europe", {}, "a list of packets"),
        ([1], "europe", {}, "each packet"),
        (LOG, "pennsylvania", {}, "shares, technologies and racks are not known"),
        (LOG, "europe", {"tickets": "mini"}, "europe has no tickets 'mini'; it has: "),
    ],
)
def test_what_is_no_log_of_a_finished_game_is_refused(log: Any, variant: str, options: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sheet_of_log(log, variant, **options)
