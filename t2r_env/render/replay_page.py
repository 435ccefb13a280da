"""A recorded game as one HTML file that opens without a network: pictures, log, curves, and what agents would do."""

import base64
import hashlib
import html
import json
import os
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from string import Template
from typing import Any

import numpy as np

from t2r_env.agents import Agent, Decisions, Opinion, decisions_of, opinions
from t2r_env.basics.packages import __version__
from t2r_env.basics.plain import plain
from t2r_env.basics.writing import replacing
from t2r_env.configuration import Configuration
from t2r_env.render.drawing.palette import SEATS
from t2r_env.render.ending import Stage, stages
from t2r_env.render.headline import headline
from t2r_env.render.narration import Snapshot, turned_up
from t2r_env.render.page_review import PageReview, number_of
from t2r_env.render.pieces import Pieces
from t2r_env.render.replay_steps import MAX_NAME, Progress, Step, called, replay_steps
from t2r_env.render.shared_text import TextRenderer
from t2r_env.render.svg import NARROW, WIDE
from t2r_env.render.targets import target_of
from t2r_env.render.text import renderer_of
from t2r_env.render.words import Words
from t2r_env.replay import Replay
from t2r_env.rules.names import outcomes
from t2r_env.seeding import agent_keys, decision_seeds

MOST_WEIGHED = 8
"""Actions that an opinion names with their probabilities."""
LEAST_WEIGHED = 0.005
"""The least probability that is named."""
MOST_BELIEVED, LEAST_BELIEVED = 4, 0.1
"""The most tickets that are told of those that a seat may think another holds, and the least chance of them."""
RELATIVE = re.compile(r"(\.\./)*([\w-][\w.-]*/)*([\w-][\w.-]*)?", re.ASCII)
"""The addresses of pages next to a page, or in folders around it."""


def render_replay_html(
    replay: Replay,
    *,
    names: Sequence[str] = (),
    seat: int | None = None,
    each_seat: bool = True,
    agent: Agent | None = None,
    agent_name: str = "",
    review: PageReview | None = None,
    reason: str = "",
    back: str = "",
    play_on: str = "",
    progress: Progress | None = None,
) -> str:
    """Return a page of a recorded game, as one HTML document that loads nothing. The same arguments give the same text.

    It shows each position, what led to it and how the game ended, from everybody's view and from each seat's. It holds
    all of that, also what its reader does not look at.

    Parameters
    ----------
    names
        The names of the players, as those of their agents: none, or one for each seat. Where several have the same,
        their seats are added.
    seat
        Make a page with the view of this seat alone (C20); nothing else of the game is in it.
    each_seat
        In addition to everything, show the view of each seat. Without, the page is made and loaded faster.
    agent, agent_name
        An agent, and what it is called. The page shows with each decision what it would do in the seat's place, and
        how it weighs the actions if it tells (`t2r_env.agents.opinions`). It sees what the seat knows (C20). Its seeds
        are those that agents have in `t2r play`.
    review
        A review of the game (`t2r_agents.comparing.review.page.page_review`) in place of an agent: chances over the
        game, mistakes, and the opinions of its agents. A seat's view has the chances by what the seat knew, and
        opinions on its own decisions alone.
    reason
        Why the last player forfeited the game, if it did.
    back
        The address of the page that this one is reached from, relative to this one, as `../report.html`: the page
        links to it.
    play_on
        The address of a page on which steps can be played on, in the same way. The page links to it with the number of
        actions before its step, as `../#position=41`.
    progress
        Is called with the number of pictures and opinions made, and that of all.

    Raises ValueError for names, seats, addresses and reviews that do not fit and for an agent that fails, and
    ReplayError for a replay that can't be played.
    """
    configuration = replay.configuration
    shown = called(names, configuration.num_players)
    for name, address in (("back", back), ("play_on", play_on)):
        if not RELATIVE.fullmatch(address):
            raise ValueError(f"{name} must be a relative address such as ../report.html, not {address!r}")
    if review is not None:
        review.check(replay)
        if agent is not None:
            raise ValueError("a page has an agent or a review: let the agent review, too")
    seats = [seat] if seat is not None or not each_seat else [None, *range(configuration.num_players)]
    positions = len(replay.actions) + 1
    total, done = positions * (len(seats) + (agent is not None)), 0

    def advance(number: int) -> None:
        nonlocal done
        done += number
        if progress:
            progress(done, total)

    thinkers: list[str] = []
    thoughts: dict[int, list[Any]] = {}
    if agent is not None:
        thinkers = [_title(agent_name or type(agent).__name__)]
        thoughts = _opinions(replay, _asking(agent, thinkers[0]), seat, advance)
        advance(positions - len(thoughts))
    elif review is not None:
        thinkers = [_title(it.name) for it in review.reviewers]
        thoughts = _opinions(replay, _reading(review), seat, lambda number: None)
    pieces = Pieces()
    tells_positions = seat is None
    views = [_view(replay, it, shown, reason, pieces, thoughts, review, advance, tells_positions) for it in seats]
    title = f"{configuration.variant.name}, {configuration.num_players} players"
    content = {
        "title": title,
        "names": shown,
        "colours": [[paint.fill, paint.ink] for paint in SEATS[: configuration.num_players]],
        "teams": [it // configuration.variant.team_size for it in range(configuration.num_players)],
        "agents": thinkers,
        "review": None if review is None else review.describe(seats),
        "back": back,
        "play_on": play_on,
        "views": views,
        "pieces": pieces.table,
    }
    return _page(title, content)


def save_replay_html(path: str | os.PathLike[str], replay: Replay, **arguments: Any) -> None:
    """Write the page of `render_replay_html`, which takes the arguments, to a file.

    If that fails or is interrupted, the file that was there before stays. Raises OSError, too.
    """
    page = render_replay_html(replay, **arguments)
    with replacing(path) as new:
        new.write_text(page, encoding="utf-8")


# The views


def _view(
    replay: Replay,
    seat: int | None,
    names: Sequence[str],
    reason: str,
    pieces: Pieces,
    thoughts: Mapping[int, list[Any]],
    review: PageReview | None,
    advance: Callable[[int], None],
    tells_positions: bool,
) -> dict[str, Any]:
    """Return the steps of a view by columns: an entry of each list for each step."""
    found, steps, words = list(replay_steps(replay, seat, reason, names)), [], Words(replay.configuration)
    for step in found:
        snapshot = step.snapshot
        renderer = renderer_of(snapshot, replay.configuration)
        tickets = [_completed(snapshot, it, renderer) for it in range(len(snapshot["players"]))]
        told = thoughts.get(step.position) if seat in (None, snapshot["current_player"]) else None
        if told and seat is not None and review is not None and review.sees_truth:
            told = [{name: it[name] for name in it if name not in ("loss", "error", "is_mistake")} for it in told]
        steps.append(
            {
                "wide": pieces.add(step.svg(replay, WIDE, tells_last=False)),
                "narrow": pieces.add(step.svg(replay, NARROW, tells_last=False)),
                "turns": snapshot["turn"],
                "current": snapshot["current_player"],
                "heading": headline(snapshot, replay.configuration, names=names),
                "lines": list(step.lines),
                "scores": [player["score"] for player in snapshot["players"]],
                "completed": [None if it is None else len(it) for it in tickets],
                "points": [
                    None if it is None or None in it else sum(renderer.points_of(holder, ticket) for ticket in it)
                    for holder, it in enumerate(tickets)
                ],
                "opinions": told,
            }
            | ({"positions": step.position} if tells_positions else {})
            | (
                {
                    "chances": review.chances_at(step.position, seat),
                    "believed": _believed(review, step, seat, words),
                }
                if review
                else {}
            )
        )
    advance(len(replay.actions) + 1)
    columns = {name: [it[name] for it in steps] for name in steps[0]}
    count = _count(snapshot, replay.configuration, names)
    return {"seat": seat} | columns | {"count": count} | ({"sum": _sum(review, seat, found)} if review else {})


def _sum(review: PageReview, seat: int | None, steps: Sequence[Step]) -> dict[str, Any]:
    """Return the sum of a review in a view: parts, and the steps of decisions and of luck, which a sentence tells."""
    told, number = review.summarise(seat), {step.position: index for index, step in enumerate(steps)}
    luckiest = []
    for moment in told["luckiest"]:
        index = number[moment.pop("position")]
        before, after = steps[index : index + 2]
        lines = [*after.lines, *turned_up(before.snapshot, after.snapshot)]
        luckiest.append({"step": index + 1, "text": " ".join(lines)} | moment)
    return told | {"costliest": [number[position] for position in told["costliest"]], "luckiest": luckiest}


def _believed(review: PageReview, step: Step, seat: int | None, words: Words) -> dict[str, Any] | None:
    """Return what a seat, in the view of everything the one to act, may think that others hold: tickets and chances.

    In that view it is told of each ticket whether it is held, and all that are held are told.
    """
    snapshot = step.snapshot
    by = snapshot["current_player"] if seat is None else seat
    if by is None or snapshot["final"] or review.ticket_chances is None:
        return None
    told = []
    for of, player in enumerate(snapshot["players"]):
        tickets: list[Any] = []
        for number, chance in review.believed_at(step.position, by, of).items() if of != by else ():
            ticket = words.configuration.text.ticket(number)
            is_held = None if seat is not None else ticket in player["tickets"]
            if is_held or (len(tickets) < MOST_BELIEVED and chance >= LEAST_BELIEVED):
                tickets.append([words.ticket(ticket), round(chance, 2), is_held])
        if tickets:
            told.append({"seat": of, "tickets": tickets})
    return {"by": by, "of": told}


def _completed(snapshot: Snapshot, seat: int, renderer: TextRenderer) -> list[Any] | None:
    """Return the tickets that a seat has completed so far, those of its team included; None if that can't be known."""
    player = snapshot["players"][seat]
    if snapshot["final"]:
        return list(snapshot["final"][seat]["completed"])
    if "completed" in player:
        return list(player["completed"])
    teams = snapshot.get("teams", ())
    tickets = [*player["tickets"], *(teams[seat * len(teams) // len(snapshot["players"])]["tickets"] if teams else ())]
    return None if None in tickets else [ticket for ticket in tickets if renderer.is_marked(seat, ticket)]


def _count(snapshot: Snapshot, configuration: Configuration, names: Sequence[str]) -> list[Stage]:
    """Return the stages of the count of a finished game, if all tickets are open."""
    final = snapshot["final"] or [{"completed": [None], "failed": []}]
    is_open = all(None not in [*it["completed"], *it["failed"]] for it in final)
    return stages(snapshot, configuration, names) if is_open else []


# Opinions


Thinking = Callable[[int, Decisions], Sequence[tuple[Opinion, dict[str, Any]]]]
"""Returns the opinions of agents on the decision after a number of actions, with what else is to be told of each."""


def _title(name: str) -> str:
    return plain(name)[:MAX_NAME]


def _asking(agent: Agent, name: str) -> Thinking:
    """Return what asks one agent."""

    def think(position: int, decisions: Decisions) -> list[tuple[Opinion, dict[str, Any]]]:
        try:
            return [(opinion, {}) for opinion in opinions(agent, decisions)]
        except Exception as error:  # an agent may raise anything
            raise ValueError(f"{name} has failed: {error}") from error

    return think


def _reading(review: PageReview) -> Thinking:
    """Return what reads the opinions of a review. There are none on an action at the end that was not legal."""

    def think(position: int, decisions: Decisions) -> list[tuple[Opinion, dict[str, Any]]]:
        told = review.reviewers if position < len(review.chances) - 1 else ()
        return [(it.opinions[position], it.judgement(position)) for it in told]

    return think


def _opinions(
    replay: Replay, think: Thinking, seat: int | None, advance: Callable[[int], None]
) -> dict[int, list[dict[str, Any]]]:
    """Return opinions on each decision, or each of one seat, by the number of actions before it."""
    found, row = {}, np.zeros(1, np.int64)
    for position, games in enumerate(replay.games()):
        is_running = games.states["outcome"][0] == outcomes.RUNNING
        if position < len(replay.actions) and is_running and seat in (None, games.current[0]):
            decisions = decisions_of(games, row, decision_seeds(games, row, agent_keys(games.seeds)))
            thoughts = think(position, decisions)
            played = replay.actions[position]
            found[position] = [_written(decisions, opinion, played) | more for opinion, more in thoughts]
            advance(1)
    return found


def _written(decisions: Decisions, opinion: Opinion, played: int) -> dict[str, Any]:
    """Return an opinion on one decision in words: the action chosen, the one played, and the weights of actions."""
    text, view = decisions.configuration.text, decisions.views[0]
    legal = set(decisions.masks[0].nonzero()[0].tolist())

    def describe(action: int) -> dict[str, Any]:
        if action not in legal:
            return {"text": f"{action}, which is not legal"}
        description = text.describe(view, action)
        target = target_of(description)
        return {"text": str(description)} | ({"target": target} if target else {})

    entry: dict[str, Any] = {"action": describe(opinion.action)}
    entry["agrees"] = entry["action"]["text"] == describe(played)["text"]  # equal cards face up are the same to it
    if not entry["agrees"]:
        entry["played"] = describe(played)
    if opinion.reason:
        entry["reason"] = opinion.reason
    weights, values, errors = opinion.probabilities, opinion.action_values, opinion.action_errors
    if weights is not None:
        best = np.argsort(-weights, kind="stable")[:MOST_WEIGHED].tolist()
        named = [it for it in best if weights[it] >= LEAST_WEIGHED]
        named += [it for it in (opinion.action, played) if it not in named and 0 <= it < len(weights) and weights[it]]
        named = list(dict.fromkeys(named))
        entry["meaning"] = opinion.meaning
        entry["weights"] = [describe(it) | {"share": round(float(weights[it]), 4)} for it in named]
        for name, known in (("value", values), ("error", errors)):
            if known is not None:
                for action, weighed in zip(named, entry["weights"], strict=True):
                    weighed[name] = number_of(known[action])
        entry["chosen"] = named.index(opinion.action) if opinion.action in named else None
    return entry


# The file


def _page(title: str, content: Mapping[str, Any]) -> str:
    """Return the document. It allows only the script and the style named by their hashes, and no network."""
    folder = files("t2r_env.render") / "pages"
    style, script = (
        "".join((folder / name).read_text(encoding="utf-8") for name in parts)
        for parts in (("page.css", "replay.css"), ("chances.js", "replay.js"))
    )
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return Template((folder / "replay.html").read_text(encoding="utf-8")).substitute(
        title=html.escape(title),
        version=html.escape(__version__),
        style=style,
        script=script,
        style_hash=hash_of(style),
        script_hash=hash_of(script),
        content=base64.b64encode(zlib.compress(text.encode(), 9)).decode(),
    )


def hash_of(text: str) -> str:
    """Return the source of a Content-Security-Policy that allows this inline text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def content_of(page: str) -> dict[str, Any]:
    """Return the content of a page as JSON: for programs, and for tests of what it tells."""
    data = page.partition('id="content">')[2].partition("<")[0]
    content: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(data)))
    return content
