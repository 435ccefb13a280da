"""How a game is played, for people who learn it: its rules in sentences, its points as a table, and the numbered rules.

The numbered rules are the pages of `docs/rules`, which the installed library holds, too.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import t2r_env
from t2r_env import Configuration
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.text.game_rules import rule_sentences
from t2r_env.variants import BONUSES

Message = dict[str, Any]

COMMON = "common"
_RULE = re.compile(r"- \*\*([A-Z]+[0-9]+)")
_AIMS = {
    "map_game": "Collect cards, claim routes on the map with them, and join the places that your secret tickets name."
    " Claimed routes bring points at once, tickets at the end.",
    "card_game": "Collect cards and play them into your rail yard. In each turn one card of every row comes to your"
    " track; at the end the cards on your track complete your secret tickets.",
}
"""The aim of each ruleset's games, in words."""


_MAP_LESSONS = {
    "keep_ticket": "A ticket names two places. Join them by routes of your own until the end, and it brings its points;"
    " else it costs them. Tickets that lie near each other share routes.",
    "turn": "Do one thing in a turn: draw two cards, claim a route with cards of its colour, or draw more tickets."
    " Long routes bring the most points.",
    "tunnel": "The cards turned up make the tunnel dearer. Pay, or take your cards back and lose the turn.",
    "place": "Cards on the rack are your partner’s as well as yours.",
}
_CARD_LESSONS = {
    "keep_ticket": "A ticket is completed with cards of the colours that stand next to it, from your track at the end;"
    " then it brings its points, else it costs them. Tickets of the same colours take more cards.",
    "turn": "Do one thing in a turn: draw two cards, play cards of your hand into your rail yard, or draw more tickets."
    " Before that, one card of each of your rows comes to your track.",
    "set_cards": "A larger row is harder to rob, but comes to the track more slowly.",
    "complete": "The cards on your track complete tickets; each card serves one of them.",
}
"""The words for what a decision is about, by phase."""


def how_to_play(configuration: Configuration) -> Message:
    """Return the aim and the rules of a game in sentences, its points as a table, and the pages of numbered rules."""
    own = configuration.variant.id
    return {
        "aim": _AIMS[configuration.variant.ruleset],
        "sentences": rule_sentences(configuration),
        "points": [[thing, points] for thing, points in _points(configuration)],
        "lessons": _lessons(configuration),
        "pages": [COMMON, *([own] if own in numbered_rules() else [])],
    }


def _lessons(configuration: Configuration) -> dict[str, str]:
    """Return what a decision is about, by its phase, for those who decide for the first time."""
    variant: Any = configuration.variant
    second = "The second of two cards."
    if isinstance(configuration, MapConfiguration):
        if not variant.free_locomotives:
            second += " A locomotive that lies face up would have counted as both."
        return _MAP_LESSONS | {"second_card": second, "pay": f"{locomotives_use(variant)} Keep them where you can."}
    return _CARD_LESSONS | {"second_card": f"{second} A locomotive that lies face up would have counted as both."}


def locomotives_use(variant: Any) -> str:
    """Return in a sentence what locomotives pay for on a map."""
    if "routes" in variant.locomotives_pay_for:
        return "Locomotives stand in for any colour."
    return f"Locomotives pay for {' and '.join(variant.locomotives_pay_for)} only."


def _points(configuration: Configuration) -> Iterator[tuple[str, str]]:
    """Yield what brings points, and how many."""
    variant: Any = configuration.variant
    if isinstance(configuration, MapConfiguration):
        lengths = {route.length for route in variant.routes}
        for length in sorted(lengths):
            yield f"a route of {length}", str(variant.points[length])
        if any(route.mountain for route in variant.routes):
            yield "each mountain of a route", str(variant.mountain_points)
    yield "a completed ticket", "its number"
    yield "any other ticket", "minus its number"
    for bonus, points in configuration.deck.bonuses.items():
        yield BONUSES[bonus], str(points)
    if getattr(variant, "stations", None):
        yield "each station that you have left", str(variant.stations.points)
    for company in getattr(variant, "companies", ()):
        yield f"shares of {company.name}, by rank", " / ".join(map(str, company.points))
    for card in getattr(variant, "bonus_cards", ()):
        yield f"the most tickets to {configuration.text.city(card.city)}", str(card.points)


@cache
def numbered_rules() -> dict[str, dict[str, str]]:
    """Return the text of each numbered rule, by page and number."""
    pages = {page.name.removesuffix(".md"): page.read_text(encoding="utf-8") for page in _folder().iterdir()}
    return {name: rules for name, page in sorted(pages.items()) if (rules := dict(_rules_of(page)))}


def _folder() -> Any:
    installed = files(t2r_env) / "rule_pages"
    return installed if installed.is_dir() else Path(t2r_env.__file__).parents[1] / "docs" / "rules"


def _rules_of(page: str) -> Iterator[tuple[str, str]]:
    """Yield the numbered rules of a page as plain text, with a line for each row of their tables."""
    for part in re.split(r"\n(?=- \*\*|#)", page):
        if found := _RULE.match(part):
            plain = re.sub(r"\*\*|`|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)", "", part).removeprefix(f"- {found[1]}")
            yield found[1], " ".join(filter(None, map(_plain_line, plain.splitlines()))).strip()


def _plain_line(line: str) -> str:
    """Return a line without its indent; the row of a table as a line of its own, without its rules."""
    if not line.startswith("|"):
        return line.strip()
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    return "" if set(line) <= set("|- ") else f"\n{' · '.join(cells)}"
