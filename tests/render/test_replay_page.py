"""Pages of recorded games: what is in the file, and what is not."""

import html
import itertools
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from t2r_env import Games, Replay
from t2r_env.agents import Decisions, Opinion, RandomAgent, find_agent
from t2r_env.render import replay_steps as steps_module
from t2r_env.render.pieces import without_style
from t2r_env.render.replay_page import content_of, render_replay_html, save_replay_html
from t2r_env.render.replay_steps import MAX_NAME, replay_steps
from t2r_env.render.svg import NARROW, WIDE
from t2r_env.render.words import Words
from t2r_env.rules.text import Description
from tests.helpers.example_map import write_example_map
from tests.helpers.hidden import with_other_secrets
from tests.helpers.playing import each_kind_once
from tests.helpers.recorded import forfeited, game_of, made_up_review
from tests.helpers.situations import Table, situation
from tests.variants.folders import change

SEEN = ("draw_", "pass", "buy", "build", "place", "take_share", "neutral_share", "claim")
"""Actions of others that a seat hears of."""


def picture(content: dict[str, Any], number: int, used: set[int]) -> str:
    """A picture of a page as SVG; notes the pieces that it has."""
    used.add(number)
    piece = content["pieces"][number]
    if isinstance(piece, str):
        return piece
    begin, *inner = piece
    return f"{begin}{''.join(picture(content, it, used) for it in inner)}</{re.findall('[a-zA-Z]+', begin)[0]}>"


def lines_of(replay: Replay, seat: int | None = None, **more: Any) -> list[str]:
    return [line for step in replay_steps(replay, seat, **more) for line in step.lines]


@each_kind_once
def test_c20_a_seats_steps_tell_nothing_hidden(variant: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also whatever the others' hidden actions are, and whether these are told from each other at all."""
    replay = game_of("random", variant, players, actions=120)
    expected = list(replay_steps(replay, 1))
    describe = Games.describe

    def hidden(games: Games, action: int) -> Description:
        described = describe(games, action)
        is_known = games.current[0] == 1 or described["action"].startswith(SEEN)
        return described if is_known else Description({"action": "unseen"}, "do something")

    def redealt(games: Games, seat: int | None) -> Any:
        other = games.clone()
        if not games.terminated[0]:
            other.states[:] = with_other_secrets(games, 1)
        return games.configuration.snapshot(other.views([0], [1])[0])

    monkeypatch.setattr(Games, "describe", hidden)
    monkeypatch.setattr(steps_module, "position_of", redealt)
    assert list(replay_steps(replay, 1)) == expected
    assert len(expected) > 30


def test_a_forfeit_is_told_with_its_reason_and_a_seat_that_is_not_there_is_refused() -> None:
    for seat in (None, 0, 1):
        *_, last = replay_steps(forfeited(), seat)
        (line,) = last.lines
        assert re.fullmatch(r"player_\d forfeits the game: its action is not legal\.", line)
        assert lines_of(forfeited(), seat, reason="took too long")[-1].endswith("forfeits the game: took too long.")
        assert last.snapshot["outcome"] == "forfeited"
    with pytest.raises(ValueError, match="seat must be an integer from 0 to 1, not 2"):
        replay_steps(forfeited(), 2)


@pytest.mark.parametrize("variant", ["new_york", "card_game"])
def test_the_page_of_a_whole_game_holds_all_views_and_is_small(variant: str) -> None:
    replay = game_of("planner", variant, 2)
    page = render_replay_html(replay)
    assert len(page.encode()) < 400_000
    everything, *seats = content_of(page)["views"]
    assert (everything["seat"], [view["seat"] for view in seats]) == (None, [0, 1])
    assert everything["positions"] == list(range(len(replay.actions) + 1))
    final = replay.final().snapshot()["final"]
    assert everything["scores"][-1] == everything["count"][-1]["totals"] == [entry["score"] for entry in final]
    assert everything["completed"][-1] == [len(entry["completed"]) for entry in final]
    assert everything["points"][-1] == [sum(ticket[2] for ticket in entry["completed"]) for entry in final]
    assert [seat["count"] for seat in seats] == [[], []]  # the others' tickets stay unknown to it
    for view in (everything, *seats):
        assert re.fullmatch(r"[Pp]layer_\d wins \d+ : \d+", view["heading"][-1])


@each_kind_once
def test_the_page_of_a_seat_holds_each_picture_of_its_view_and_nothing_else(variant: str, players: int) -> None:
    replay = game_of("random", variant, players, actions=25)
    content = content_of(render_replay_html(replay, seat=1))
    (view,) = content["views"]
    steps = list(replay_steps(replay, 1))
    used: set[int] = set()
    for width, name in ((WIDE, "wide"), (NARROW, "narrow")):
        shown = [without_style(step.svg(replay, width, tells_last=False)) for step in steps]
        assert [f"{picture(content, number, used)}\n" for number in view[name]] == shown
    assert used == set(range(len(content["pieces"])))
    assert view["seat"] == 1
    assert "positions" not in view
    assert view["lines"] == [list(step.lines) for step in steps]


def test_the_same_replay_gives_the_same_page_which_loads_nothing_and_allows_only_its_own_script_and_style() -> None:
    replay = game_of("planner", "usa", 3, actions=20)
    page, again = (render_replay_html(replay, names=("anna", "bert", "cleo")) for _ in range(2))
    assert page == again
    assert "default-src 'none'" in page
    assert not re.search(r'(?:src|href)="(?!data:,")', page)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", page)
    assert not re.search(r"@import|url\(| on\w+=", page.partition('id="content"')[0])


def test_c20_the_page_of_a_seat_is_the_same_byte_for_byte_whatever_it_cannot_know() -> None:
    """Neither another's cards and tickets, nor whether it could choose how to pay: with one colour it pays at once."""
    pages, everything = set(), set()
    for hand, ticket, choices in (
        ("4 blue", "denver-el_paso", []),
        ("2 blue, 2 red", "new_york-seattle", ["pay 2 blue"]),
    ):
        holds = [["calgary-phoenix", ticket], ["boston-miami", "dallas-new_york"]]
        games = Games("usa", 2, autoreset=False, record=True)
        games.set_state(situation(hands=[hand, "3 white"], holds=holds).games.get_state())
        Table(games).play("claim boston-montreal", *choices)
        replay = Replay.of(games)
        assert [len(step.lines) for step in replay_steps(replay, 1)] == [0, 1]
        pages.add(render_replay_html(replay, seat=1))
        everything.add(render_replay_html(replay, each_seat=False))
    assert len(pages) == 1
    assert len(everything) == 2


def test_names_from_outside_are_text(tmp_path: Path) -> None:
    evil = "</script><script>alert(1)</script><b onload=x>&amp;"
    folder = write_example_map(tmp_path / "map")
    change(folder / "cities.csv", "bern,Bern,", f"bern,{evil},")
    change(folder / "variant.toml", "Lakes of the Alps", evil)
    replay = game_of("random", folder, 2, actions=10)
    page = render_replay_html(replay, names=[evil] * 2, agent=RandomAgent(), agent_name=evil)
    assert page.count("<script") == page.count("</script>") == 2
    assert "<b onload" not in page
    assert html.escape(replay.configuration.variant.name) in page
    content = content_of(page)
    assert content["names"] == [f"{evil} (0)", f"{evil} (1)"]
    assert any("&lt;/script&gt;" in str(piece) for piece in content["pieces"])
    assert not any("<script" in str(piece) for piece in content["pieces"])


def test_names_stand_for_players_in_all_that_is_told_and_seats_tell_players_of_one_name_apart() -> None:
    replay = game_of("random", "new_york", 3)
    content = content_of(render_replay_html(replay, names=["anna", "bert", "anna"]))
    assert content["names"] == ["anna (0)", "bert", "anna (2)"]
    for view in content["views"]:
        told = " ".join([*(line for lines in view["lines"] for line in lines), *view["heading"]])
        assert "player_" not in told.lower()
        assert all(name in told.lower() for name in content["names"])
        assert re.fullmatch(r"(anna \(0\)|bert|anna \(2\)) wins −?\d+( : −?\d+){2}", view["heading"][-1].lower())
    content = content_of(render_replay_html(game_of("random", "usa", 2, actions=5), names=["a" * 5000, "b"]))
    assert [len(name) for name in content["names"]] == [MAX_NAME, 1]
    assert lines_of(replay, names=["a", "b", "c"])[0].startswith("a ")
    for call in (replay_steps, render_replay_html):
        with pytest.raises(ValueError, match="there must be 3 names, one for each player, not 1"):
            call(replay, names=["a"])


def test_a_page_links_back_to_a_page_beside_it_and_to_nothing_else() -> None:
    replay = game_of("random", "usa", 2, actions=2)
    for back in ("../report.html", "index.html", "../", "results/report-2.html"):
        assert content_of(render_replay_html(replay, back=back, each_seat=False))["back"] == back
    wrong = ("javascript:alert(1)", "//example.org", "/etc", "https://a.b", "a b", 'x"y', ".", "a/../b", "a#b", "a\n")
    for back in wrong:
        with pytest.raises(ValueError, match="back must be a relative address"):
            render_replay_html(replay, back=back)


def test_progress_ends_with_all_and_an_interruption_leaves_the_file_that_was_there(tmp_path: Path) -> None:
    def interrupt(done: int, total: int) -> None:
        if done > total // 2:
            raise KeyboardInterrupt

    file, replay, told = tmp_path / "game.html", game_of("random", "usa", 2, actions=5), list[tuple[int, int]]()
    file.write_text("before")
    with pytest.raises(KeyboardInterrupt):
        save_replay_html(file, replay, progress=interrupt)
    assert file.read_text() == "before"
    assert list(tmp_path.iterdir()) == [file]
    render_replay_html(replay, agent=RandomAgent(), progress=lambda *numbers: told.append(numbers))
    assert told == sorted(told)
    assert told[-1] == (24, 24)


class Informer(RandomAgent):
    """Notes what it is shown, and prefers the first legal action."""

    def __init__(self) -> None:
        self.decisions: list[Decisions] = []

    def opinions(self, decisions: Decisions) -> list[Opinion]:
        self.decisions.append(decisions)
        actions = decisions.masks.argmax(axis=1)
        return [Opinion(int(it), np.eye(decisions.masks.shape[1])[it], "wishes") for it in actions]


def test_the_page_tells_at_each_decision_what_the_agent_would_do() -> None:
    replay = game_of("planner", "usa", 2, actions=30)
    content = content_of(render_replay_html(replay, agent=Informer(), agent_name="the first"))
    assert content["agents"] == ["the first"]
    everything, *seats = content["views"]
    *opinions, last = everything["opinions"]
    assert (len(opinions), last) == (30, None)
    for (opinion,), action, games in zip(opinions, replay.actions, replay.games(), strict=False):
        liked, played = (str(games.describe(it)) for it in (games.masks[0].argmax(), action))
        assert (opinion["action"]["text"], opinion["agrees"], opinion["meaning"]) == (liked, liked == played, "wishes")
        assert opinion["agrees"] or opinion["played"]["text"] == played
        assert opinion["weights"][opinion["chosen"]] == opinion["action"] | {"share": pytest.approx(1, abs=1e-4)}
    for view in seats:
        own = [current == view["seat"] for current in view["current"][:-1]]
        assert [opinion is not None for opinion in view["opinions"][:-1]] == own
        asked = zip(opinions, everything["current"], strict=False)
        assert [it for it in view["opinions"] if it] == [it for it, seat in asked if seat == view["seat"]]


def test_c20_the_agent_sees_what_the_seat_knows_and_for_the_page_of_a_seat_is_asked_at_its_decisions_alone() -> None:
    replay, agent = game_of("planner", "usa", 2, actions=30), Informer()
    render_replay_html(replay, agent=agent, each_seat=False)
    views = [view for decisions in agent.decisions for view in decisions.views]
    assert all(view == games.views([0])[0] for view, games in zip(views, replay.games(), strict=False))
    assert len(views) == len(replay.actions)
    agent = Informer()
    page = render_replay_html(replay, seat=1, agent=agent)
    assert {int(seat) for decisions in agent.decisions for seat in decisions.views["current"]} == {1}
    assert any(content_of(page)["views"][0]["opinions"])


def test_an_agent_that_only_acts_has_no_weights_and_thinks_with_the_seeds_that_it_has_when_it_plays() -> None:
    """So its opinion of a game that it played is what it did."""
    replay = game_of("planner", "usa", 2, actions=10)
    content = content_of(render_replay_html(replay, agent=find_agent("planner"), each_seat=False))
    opinions = content["views"][0]["opinions"]
    assert all(opinion["agrees"] and "weights" not in opinion for (opinion,) in opinions[:-1])
    replay = game_of("random", "usa", 2, actions=40)
    opinions = content_of(render_replay_html(replay, agent=RandomAgent(), each_seat=False))["views"][0]["opinions"]
    assert all(opinion["agrees"] for (opinion,) in opinions[:-1])
    content = content_of(render_replay_html(forfeited(), agent=RandomAgent(), each_seat=False))
    assert content["views"][0]["opinions"][-2][0]["played"] == {"text": "10000, which is not legal"}


def test_sw8_the_points_of_completed_tickets_are_those_of_the_best_country_joined() -> None:
    replay = game_of("random", "switzerland", 3)
    (view,) = content_of(render_replay_html(replay, each_seat=False))["views"]
    final = replay.final().snapshot()["final"]
    lost = [sum(min([points] if isinstance(points, int) else points) for _, _, points in it["failed"]) for it in final]
    assert any(isinstance(points, list) for it in final for _, _, points in it["completed"])
    assert view["points"][-1] == [it["breakdown"]["tickets"] + less for it, less in zip(final, lost, strict=True)]


def test_a_page_has_the_chances_of_a_review_and_a_seats_view_those_that_it_knew() -> None:
    replay = game_of("planner", "usa", 2, actions=20)
    review = made_up_review(replay)
    everything, *seats = content_of(render_replay_html(replay, review=review))["views"]
    assert everything["chances"] == review.chances.tolist()
    for view in seats:
        steps = list(replay_steps(replay, view["seat"]))
        assert view["chances"] == [review.known[step.position, view["seat"]].tolist() for step in steps]
    told = [it and [opinion["is_mistake"] for opinion in it] for it in everything["opinions"]]
    mistakes = np.flatnonzero(review.reviewers[0].mistakes).tolist()
    assert [step for step, it in enumerate(told) if it and it[0]] == mistakes
    opinion = everything["opinions"][4][0]
    assert (opinion["loss"], opinion["error"]) == (review.reviewers[0].losses[4], review.reviewers[0].errors[4])
    assert opinion["reason"] == "It is the first."


def test_a_page_tells_what_others_probably_hold_and_in_the_view_of_everything_what_they_do_hold() -> None:
    replay = game_of("planner", "usa", 2, actions=20)
    review, text, words = made_up_review(replay), replay.configuration.text, Words(replay.configuration)
    assert review.ticket_chances is not None
    everything, first, _ = content_of(render_replay_html(replay, review=review))["views"]
    for position in (7, 12):
        by, told = everything["current"][position], everything["believed"][position]
        assert (told["by"], [it["seat"] for it in told["of"]]) == (by, [1 - by])
        (tickets,) = (it["tickets"] for it in told["of"])
        chances = review.ticket_chances[position, by, 1 - by]
        (games,) = itertools.islice(replay.games(), position, position + 1)
        held = games.snapshot(0)["players"][1 - by]["tickets"]
        assert {name for name, _, is_held in tickets if is_held} == {words.ticket(it) for it in held}
        assert tickets[0][:2] == [words.ticket(text.ticket(chances.argmax())), chances.max()]
        assert len(tickets) <= 4 + len(held)
    seats = [it for it in first["believed"] if it]
    assert {it["by"] for it in seats} == {0}
    assert {is_held for it in seats for _, _, is_held in it["of"][0]["tickets"]} == {None}


def test_c20_what_a_seats_decisions_cost_is_not_told_in_its_view_if_it_was_judged_by_the_truth() -> None:
    replay = game_of("planner", "usa", 2, actions=20)
    review = replace(made_up_review(replay), sees_truth=True)
    for seat in (1, None):
        view = content_of(render_replay_html(replay, review=review, seat=seat))["views"][-1]
        told = [it for it in view["opinions"] if it]
        assert told
        assert not any({"loss", "error", "is_mistake"} & opinion.keys() for it in told for opinion in it)


def test_a_review_of_another_game_or_beside_an_agent_is_refused() -> None:
    replay = game_of("planner", "usa", 2, actions=20)
    review = made_up_review(replay)
    with pytest.raises(ValueError, match="it is the review of another game"):
        render_replay_html(game_of("planner", "usa", 2, actions=5), review=review)
    with pytest.raises(ValueError, match="an agent or a review"):
        render_replay_html(replay, review=review, agent=RandomAgent())
    with_illegal = replace(forfeited(), actions=(*replay.actions, 10_000), start=replay.start)
    (view,) = content_of(render_replay_html(with_illegal, review=review, each_seat=False))["views"]
    assert view["chances"][-1] is None
