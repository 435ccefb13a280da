"""Making a configuration: the checks of a variant, a number of players and options."""

import inspect
import os
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypedDict, Unpack

from t2r_env.basics.checks import check_integer, did_you_mean, title_of
from t2r_env.basics.sizes import MAX_TURN_LIMIT
from t2r_env.rules.configuration import Configuration
from t2r_env.rules.rulesets import CONFIGURATIONS, RULESETS
from t2r_env.variants import VARIANTS, Variant, load_variant

__all__ = ["Configuration", "Options", "as_configuration", "configure"]


class Options(TypedDict, total=False):
    """The options, as keyword arguments. A game has those that its folder gives it; the rest have defaults."""

    tickets: str
    """The name of a ticket deck (US5)."""
    turn_limit: int
    """The turns of all seats together after which a game is truncated (C19)."""
    advanced_technologies: bool
    """Whether the advanced technologies are played with (UK12)."""


def configure(
    variant: str | os.PathLike[str] | Variant = "usa", num_players: int | None = None, **options: Unpack[Options]
) -> Configuration:
    """Check and prepare a configuration.

    `variant` is the name of a game, the path of a folder (docs/variants.md), or a variant as `load_variant` and
    `generate_map` return it. `num_players` defaults to the fewest that the game allows. The options are those of
    `Options` that the game has.

    Raises VariantError (a ValueError) for an unknown variant or a broken folder, and ValueError or TypeError for a
    number of players or an option that the game does not have. The message says what is allowed.
    """
    return _configure(variant, num_players, options, configure)


def as_configuration(
    variant: str | os.PathLike[str] | Variant | Configuration,
    num_players: int | None,
    options: Mapping[str, Any],
    called: Callable[..., Any],
) -> Configuration:
    """Return the configuration that `configure` makes, or the one that stands in the place of the variant.

    `called` is what the user has called with these options: the error about an unknown one lists its arguments, too.
    Raises what `configure` does, and TypeError for what a Configuration does not leave open.
    """
    if not isinstance(variant, Configuration):
        return _configure(variant, num_players, options, called)
    _check_names(variant.variant, options, called)
    if num_players not in (None, variant.num_players) or options:
        raise TypeError("a Configuration already settles the number of players and the options")
    return variant


def _configure(
    variant: str | os.PathLike[str] | Variant,
    num_players: int | None,
    options: Mapping[str, Any],
    called: Callable[..., Any],
) -> Configuration:
    loaded = _load(variant)
    _check_names(loaded, options, called)
    if num_players is None:
        num_players = loaded.min_players
    num_players = check_integer(f"num_players of {loaded.id}", num_players, loaded.min_players, loaded.max_players)
    if num_players not in loaded.player_numbers:
        allowed = ", ".join(map(str, loaded.player_numbers))
        raise ValueError(f"num_players of {loaded.id} must be one of {allowed}, not {num_players}")
    chosen = _defaults(loaded) | dict(options)
    decks = list(loaded.ticket_decks)
    if not isinstance(chosen["tickets"], str) or chosen["tickets"] not in decks:
        near = did_you_mean(str(chosen["tickets"]), decks)
        raise ValueError(f"{loaded.id} has no tickets {chosen['tickets']!r}{near}; it has: {', '.join(decks)}")
    chosen["turn_limit"] = check_integer(f"turn_limit of {loaded.id}", chosen["turn_limit"], 1, MAX_TURN_LIMIT)
    for name in loaded.switches:
        if not isinstance(chosen[name], bool):
            raise ValueError(f"{name} of {loaded.id} must be True or False, not {chosen[name]!r}")
    if loaded.id in VARIANTS and loaded is load_variant(loaded.id):
        return _shipped(loaded.id, num_players, tuple(chosen.items()))
    return _make(loaded, num_players, chosen)


@lru_cache(maxsize=256)
def _shipped(variant: str, num_players: int, options: tuple[tuple[str, Any], ...]) -> Configuration:
    """Return the one configuration of a shipped game with these choices: what follows from it takes 10 ms to make."""
    return _make(load_variant(variant), num_players, dict(options))


def _make(variant: Variant, num_players: int, options: Mapping[str, Any]) -> Configuration:
    return CONFIGURATIONS[variant.ruleset](variant, RULESETS[variant.ruleset], num_players, options)


def _load(variant: str | os.PathLike[str] | Variant) -> Variant:
    given: object = variant
    if isinstance(given, Variant):
        return given
    if not isinstance(given, str | os.PathLike) or not str(given):
        raise TypeError(f"variant must be the name of a game, the path of a folder or a Variant, not {given!r}")
    return load_variant(given)


def _defaults(variant: Variant) -> dict[str, Any]:
    """Return the options of a variant's games, with the values that they have when none are given."""
    defaults = {"tickets": variant.default_ticket_deck, "turn_limit": variant.turn_limit}
    return defaults | dict.fromkeys(variant.switches, False)


def _check_names(variant: Variant, options: Mapping[str, Any], called: Callable[..., Any]) -> None:
    """Raise TypeError for an option that the variant's games do not have."""
    allowed = _defaults(variant)
    if unknown := sorted(options.keys() - allowed.keys()):
        named = inspect.signature(called).parameters.values()
        others = ", ".join(it.name for it in named if it.kind is not it.VAR_KEYWORD)
        raise TypeError(
            f"{title_of(called)} got an unexpected keyword argument {unknown[0]!r}: {variant.id} has no option"
            f" {unknown[0]!r}; its options are: {', '.join(allowed)}; the other arguments are: {others}"
        )
