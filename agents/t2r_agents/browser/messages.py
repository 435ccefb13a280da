"""The messages to a page: JSON-able objects, made only from what the seat that it shows knows (C20)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from t2r_agents.browser.advice import plan_routes, reason_of, told_together
from t2r_agents.browser.decision import CardDecision, Decision, dashed, decision_of
from t2r_agents.browser.how_to_play import how_to_play
from t2r_agents.browser.levels import offered_agents
from t2r_agents.browser.reasons import route_notes, why_not
from t2r_agents.browser.reviewing import why_not_judged
from t2r_agents.browser.table import RefusedError, Screen, Table
from t2r_agents.browser.tickets import outlook_of
from t2r_agents.browser.view import view_message
from t2r_agents.browser.watching import additions
from t2r_agents.playing.failures import describe_error
from t2r_agents.playing.ismcts import ISMCTSAgent
from t2r_agents.playing.planner import PlannerAgent
from t2r_agents.playing.policy import PolicyAgent
from t2r_agents.playing.values import find_judge, judge_decisions
from t2r_env.agents import Agent, Decisions, Opinion, opinions
from t2r_env.render.drawing.board import aspect_of
from t2r_env.render.drawing.palette import PAINTS, SEATS
from t2r_env.render.ending import stages
from t2r_env.render.headline import headline
from t2r_env.render.page_review import number_of
from t2r_env.render.signs import SIGNS
from t2r_env.render.svg import render_board_svg
from t2r_env.render.targets import target_of
from t2r_env.rules.cards import CARDS
from t2r_env.rules.text import Description
from t2r_env.variants import LOCOMOTIVE, MapVariant

Message = dict[str, Any]

_SIGNS = {card: {"letter": SIGNS[card], "fill": PAINTS[card].fill, "ink": PAINTS[card].ink} for card in CARDS}

Size = tuple[int, int]
"""The width and height in pixels that a page has for the map."""
SIZE_STEP = 80
"""Sizes are rounded to this, so that pages of about one size share a layout."""
SIZE_LIMITS = ((320, 1920), (160, 1200))
"""The least and the most width and height."""
MOST_ADVISED = 3
"""The most actions that a hint tells."""
_WEIGHTY = ("claim", "build", "buy", "draw_tickets", "withdraw", "pass")
"""The actions that a person confirms, unless that is turned off: they can't be taken back, or cost a turn."""


def size_of(text: str) -> Size:
    """Return the size that a page says it has for the map, such as "1120x720", rounded; a laptop's if it says none."""
    said = re.fullmatch(r"([0-9]{1,5})x([0-9]{1,5})", text)
    width, height = (
        min(most, max(least, SIZE_STEP * round(pixels / SIZE_STEP)))
        for pixels, (least, most) in zip(map(int, said.groups() if said else (1120, 720)), SIZE_LIMITS, strict=True)
    )
    return width, height


def is_tall(table: Table) -> bool:
    """Return whether a table has a map that is higher than broad: pages lay out all else next to it."""
    variant = table.configuration.variant
    return isinstance(variant, MapVariant) and aspect_of(variant) < 1


def table_message(table: Table, screen: Screen, present: Sequence[int]) -> Message:
    """Return what a page shows all the time, and the seats of people whose pages are open."""
    return {
        "kind": "table",
        "name": table.name,
        "title": f"{table.configuration.variant.name}, {table.configuration.num_players} players",
        "players": [
            {"seat": seat, "name": it.shown, "agent": it.agent, "level": it.level, "colour": it.colour}
            for seat, it in enumerate(table.players)
        ],
        "seats": screen.seats,
        "present": present,
        "is_watching": screen.is_watcher,
        "is_practice": table.is_practice,
        "rules": how_to_play(table.configuration),
        "why_not_judged": why_not_judged(table.configuration),
        "is_tall": is_tall(table),
        "agents": offered_agents(),
        "signs": _SIGNS,
        "paints": [{"fill": paint.fill, "ink": paint.ink} for paint in SEATS],
    }


def present_message(present: Sequence[int]) -> Message:
    """Return the message that pages of other people were opened or closed."""
    return {"kind": "present", "present": present}


def cover_message(table: Table, screen: Screen) -> Message:
    """Return the message for a screen that is handed over: it only names who is to look at it."""
    return {"kind": "cover", "seat": table.current, "seats": screen.seats}


def moment_message(table: Table, seat: int | None, rank: int, size: Size, *, whole_log: bool) -> Message:
    """Return what a seat sees at one of its steps; with the decision if the game waits for it at this step."""
    configuration = table.configuration
    with table.lock:
        steps = table.steps[seat]
        step, is_latest = steps[rank], rank == len(steps) - 1
        decision = decision_message(table) if is_latest and table.current == seat and table.people else None
        fault = table.fault if is_latest else ""
        told = enumerate(steps[: rank + 1]) if whole_log else [(rank, step)]
        log = [{"step": number, "text": line} for number, it in told for line in it.lines]
        added = additions(table, seat, is_latest=is_latest)
    snapshot = configuration.snapshot(step.view)
    before = None if step.before is None else configuration.snapshot(step.before)
    names = names_of(table)
    is_over = snapshot["outcome"] != "running"
    outlook = None if seat is None else outlook_of(configuration, step.view, seat, snapshot)
    everything = configuration.snapshot(table.games.states[0]) if is_over else snapshot
    waiting = snapshot["current_player"]
    reader = seat if table.people or waiting not in (None, seat) else None  # who watches is not told "your turn"
    return {
        "kind": "moment",
        "step": rank,
        "number": step.number,
        "seat": seat,
        "board": _board(table, snapshot, before, size),
        "changed": _changed_routes(before, snapshot),
        "view": view_message(everything, configuration, outlook),
        "headline": headline(everything, configuration, reader, names),
        "log": log,
        "is_whole_log": whole_log,
        "waiting": None if waiting in (None, seat) else names[waiting],
        "decision": decision,
        "is_over": is_over,
        "outcome": snapshot["outcome"],
        "stages": stages(everything, configuration, names) if snapshot["outcome"] == "finished" else [],
        "fault": fault,
        **added,
    }


def past_message(table: Table, screen: Screen, wish: Mapping[str, Any]) -> Message:
    """Return what a screen's seat saw at one of its steps: `step` is its index, `size` that of the page's map.

    In a game that is over or that nobody plays, `position`, a number of actions, may stand for the first step after
    these. It has no decision, and the lines of that step alone. Raises RefusedError for a step that there is not.
    """
    rank, size = wish.get("step"), size_of(str(wish.get("size", "")))
    with table.lock:
        if "position" in wish:
            rank = table.rank_at(screen, wish["position"])
        seat, changes = screen.shown, screen.changes
        table.step_at(screen, rank)
    assert isinstance(rank, int)
    message = moment_message(table, seat, rank, size, whole_log=False)
    if screen.changes != changes:  # it is for who has asked
        raise RefusedError("the screen was handed over")
    return message | {"decision": None}


def names_of(table: Table) -> Sequence[str]:
    """Return what people call each seat."""
    return [player.shown for player in table.players]


def _board(table: Table, snapshot: Any, before: Any, size: Size) -> str | None:
    """Return the map, if there is one, with the seats in the colours that the players have chosen."""
    if table.configuration.variant.ruleset != "map_game":
        return None
    width, height = size
    names = names_of(table)
    board = render_board_svg(snapshot, table.configuration, before=before, width=width, height=height, names=names)
    fills = {SEATS[seat].fill: SEATS[player.colour].fill for seat, player in enumerate(table.players)}
    return re.sub("|".join(fills), lambda found: fills[found[0]], board)


def _changed_routes(before: Any, after: Any) -> list[list[Any]]:
    """Return the routes that have been claimed between two snapshots, each as [a, b, track]."""
    if before is None:
        return []
    pairs = zip(before["routes"], after["routes"], strict=True)
    return [[new["a"], new["b"], new["track"]] for old, new in pairs if old["owners"] != new["owners"]]


def decision_message(table: Table) -> Message:
    """Return the decision that the game waits for, as its seat may see it."""
    decision = decision_of(table.decision())
    return {
        "question": decision.question,
        "phase": decision.snapshot["phase"],
        "actions": list(_actions(decision)),
        "hand": _hand(decision),
        "offer": decision.offer(),
        "routes": route_notes(decision, names_of(table)),
    }


def _actions(decision: Decision) -> Iterator[Message]:
    for action, description in decision.actions:
        name, text = description["action"], decision.action_text(action, description)
        yield {
            "action": action,
            "name": name,
            "text": text[:1].upper() + text[1:],
            "heading": decision.heading(action, description),
            "target": target_of(description),
            "plan": _plan(decision, description),
            "cards": _cards(description, decision.snapshot["subject"].get("colour"), decision.units_made),
            "is_weighty": name in _WEIGHTY,
            **decision.gain(action, description),
        }


def _plan(decision: Decision, description: Description) -> Message:
    """Return what a page needs to know of an action that is one of several in a row: sets that are played."""
    match description:
        case {"action": "play_set", "colour": colour} if isinstance(decision, CardDecision):
            return {"colour": colour, "least": decision.least_set(colour)}
        case {"action": "set_cards", "cards": number} | {"action": "set_locomotives", "locomotives": number}:
            return {"number": number}
    return {}


def _cards(description: Description, colour: str | None, units_made: int) -> dict[str, int] | None:
    """Return the player's cards that an action takes, by colour, so that they can be chosen one by one.

    Units that exchanges have made are no cards in the hand: they are paid anyway (UK5, NO6).
    """
    match description:
        case {"action": "pay", "colour": of, "cards": cards, "locomotives": locomotives}:
            return _by_colour(of, cards, locomotives - units_made)
        case {"action": "pay_more" | "from_rack", "cards": cards, "locomotives": locomotives}:
            return _by_colour(colour or LOCOMOTIVE, cards, locomotives)
        case {"action": "spend", "colour": of}:
            return {of: 1}
        case {"action": "play_three", "colours": colours}:
            return dict.fromkeys(colours, 1)
    return None


def _by_colour(colour: str, cards: int, locomotives: int) -> dict[str, int]:
    return {card: number for card, number in ((colour, cards), (LOCOMOTIVE, locomotives)) if number}


def _hand(decision: Decision) -> Mapping[str, Mapping[str, int]]:
    """Return the cards that the seat may pay with: its hand, and its team's rack."""
    piles = {"hand": decision.own["hand"]}
    if teams := decision.snapshot.get("teams"):
        piles["rack"] = teams[decision.seat // decision.configuration.variant.team_size]["rack"]
    return {name: {card: number for card, number in pile.items() if number} for name, pile in piles.items()}


def why_message(table: Table, screen: Screen, target: Any) -> Message:
    """Return why nothing can be done now with the target that a player points at. Raises RefusedError for others."""
    if not isinstance(target, dict) or len(target) != 1:
        raise RefusedError("target must be a route, a city, a slot or a pile of the picture")
    with table.lock:  # so that the decision is still of the seat that the screen shows
        if table.current is None:
            return {"reason": "The game is over."}
        if table.current != screen.shown:
            return {"reason": f"It is the turn of {names_of(table)[table.current]}."}
        given = table.decision()
    try:
        return {"reason": why_not(decision_of(given), target, names_of(table))}
    except ValueError as error:
        raise RefusedError(str(error)) from error


def hint_message(table: Table, screen: Screen, number: Any, agent: Agent) -> Message:
    """Return what an agent would do in place of the acting seat, and how it weighs the actions."""
    with table.lock:
        table.check_decision(screen, number)
        given = table.decision()
    try:
        (opinion,) = opinions(agent, given)
    except BaseException as error:  # whatever the agent does
        raise RefusedError(f"the agent has failed: {describe_error(error)}") from error
    with table.lock:  # what it says is for who has asked
        table.check_decision(screen, number)
    advice: Message = {"reason": opinion.reason}
    if type(agent) is PlannerAgent:
        decision = decision_of(given)
        advice = {"reason": reason_of(decision, opinion.action), **told_together(decision)}
        advice["routes"] = plan_routes(decision)
    weighed = [] if opinion.probabilities is None else enumerate(opinion.probabilities.tolist())
    return {
        "action": opinion.action,
        "text": dashed(table.configuration.text.describe(given.views[0], opinion.action), table.configuration),
        "meaning": opinion.meaning,
        "probabilities": {str(action): round(share, 3) for action, share in weighed if share > 0},
        **_best(given, opinion, isinstance(agent, (PolicyAgent, ISMCTSAgent))),
        **advice,
    }


def _best(given: Decisions, opinion: Opinion, by_network: bool) -> Message:
    """Return an agent's choice and the next best actions, with its weights and the chances to win after them.

    Of an agent that tells no chances, these are judged by the values that come with the library, if there are any. The
    next best are those of the most weight, or else with the best chances. Equal cards face up are one action. `error`
    is as in `Opinion.action_errors`. `measured` tells how sure chances of the values are, `by_network` whether those of
    the agent's are of these.
    """
    configuration, weights, judge = given.configuration, opinion.probabilities, find_judge(given.configuration)
    values, errors = opinion.action_values, opinion.action_errors
    if values is None and judge:
        by_network = True
        without_seed = replace(given, seeds=np.zeros(1, np.uint64))  # so that it tells what the seat knows alone (C20)
        ((_, values, errors),) = judge_decisions(without_seed, np.array([opinion.action]))
    order = values if weights is None else weights
    legal = given.masks[0].nonzero()[0].tolist()
    others = [] if order is None else sorted(legal, key=lambda it: -np.nan_to_num(order[it], nan=-1))
    best: dict[str, Message] = {}
    for action in (opinion.action, *others):
        text = dashed(configuration.text.describe(given.views[0], action), configuration)
        if len(best) < MOST_ADVISED and text not in best:
            share = None if weights is None else round(float(weights[action]), 3)
            value, error = (None if it is None else number_of(it[action]) for it in (values, errors))
            best[text] = {"text": text, "share": share, "value": value, "error": error}
    measured = None
    if judge and by_network and values is not None:
        measured = judge.measured(float(values[opinion.action]), sees_all=True)  # each deal is judged from everything
    return {"best": list(best.values()), "measured": measured}
