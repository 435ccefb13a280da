"""The lobby's dialog that scores a game played at a table: what can be entered, and what comes out."""

from collections.abc import Mapping
from typing import Any

from t2r_agents.browser.messages import Message
from t2r_agents.browser.table import RefusedError
from t2r_env import VARIANTS, Configuration, configure
from t2r_env.basics.reading import shown
from t2r_env.render.score import score_report
from t2r_env.score_sheet import player_keys, score_sheet, written_route, written_ticket


def form_message(wish: Any) -> Message:
    """Return what the players of a game may have: a list for each key of a player's entry, and keys of the sheet.

    `wish` has `variant`, `num_players` and `options`. Raises RefusedError.
    """
    configuration: Any = _configuration(wish)
    variant = configuration.variant
    tickets = list(dict.fromkeys(written_ticket(it, configuration) for it in configuration.deck.tickets))
    choices: dict[str, list[str]] = {"tickets": tickets, "completed": tickets}
    if variant.ruleset == "map_game":
        shares = [f"{it.id} {number}" for it in variant.companies for number in range(1, it.shares + 1)]
        choices |= {
            "routes": list(dict.fromkeys(written_route(route, configuration) for route in variant.routes)),
            "stations": [city.name for city in variant.cities],
            "technologies": [it.name for it in configuration.technologies],
            "shares": shares,
        }
    keys = {
        key: {"meaning": meaning, "choices": choices.get(key)} for key, meaning in player_keys(configuration).items()
    }
    return {
        "keys": keys,
        "neutral_shares": "shares" in keys and configuration.has_neutral_shareholder,
    }


def score_message(wish: Any) -> Message:
    """Return the score of a sheet. Raises RefusedError for what can't be on it."""
    _check_variant(wish)
    try:
        return score_report(score_sheet(wish))
    except (TypeError, ValueError) as error:
        raise RefusedError(str(error)) from error


def _configuration(wish: Any) -> Configuration:
    _check_variant(wish)
    options = wish.get("options", {})
    if not isinstance(options, dict):
        raise RefusedError("options must be an object")
    try:
        return configure(wish["variant"], wish.get("num_players"), **options)
    except (TypeError, ValueError) as error:
        raise RefusedError(str(error)) from error


def _check_variant(wish: Any) -> None:
    """Refuse what names no game of the library: folders of the server's machine are not opened."""
    if not isinstance(wish, Mapping) or wish.get("variant") not in VARIANTS:
        given = wish.get("variant") if isinstance(wish, Mapping) else wish
        raise RefusedError(f"variant must be one of {', '.join(VARIANTS)}, not {shown(given)}")
