"""Arguments that several subcommands have."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from t2r_env.agents import agent_names
from t2r_env.variants import VARIANTS

OPTIONS = ("tickets", "advanced_technologies", "turn_limit")
"""The options of variants (`t2r_env.configure`), each with an argument of its name."""


def add_configuration(parser: argparse.ArgumentParser, default: str = "", *, several_players: bool = False) -> None:
    """Add arguments for variant, number of players and options. All are None unless they are given.

    `default` says in the help what they are then, if it is not what `t2r_env.configure` chooses. With
    `several_players` the number of players may be several numbers, as a list.
    """
    group = parser.add_argument_group("the game", "`t2r games` lists what can be played.")

    def add(flag: str, text: str, usual: str, **keywords: Any) -> None:
        group.add_argument(flag, help=f"{text} (default: {default or usual})", **keywords)

    add("--variant", "name of a variant, or path of its folder", "usa")
    several: dict[str, Any] = {"nargs": "+"} if several_players else {}
    players = "number of players" + (", or several numbers" if several_players else "")
    add("--num-players", players, "the fewest that the variant allows", type=int, metavar="NUMBER", **several)
    add("--tickets", "name of the ticket deck", "by variant", metavar="DECK")
    add(
        "--advanced-technologies",
        "play with the advanced technologies of the United Kingdom, UK12",
        "without",
        action="store_const",
        const=True,
    )
    add(
        "--turn-limit",
        "turns of all seats together after which a game is truncated, C19",
        "by variant",
        type=int,
        metavar="TURNS",
    )


def options_given(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the options of the variant that are given, by name."""
    return {name: value for name in OPTIONS if (value := getattr(arguments, name)) is not None}


def count(text: str) -> int:
    """Return a number of things, for an argument's `type`: an integer, which may be written as 1e6 or 1_000_000."""
    try:
        return int(text)
    except ValueError:
        number = float(text)  # raises ValueError, of which argparse makes its message
    if not number.is_integer():
        raise ValueError(text)
    return int(number)


def absolute_variant(variant: str) -> str:
    """Return a variant's name, or the absolute path of its folder, which holds in other folders too."""
    return str(Path(variant).resolve()) if variant not in VARIANTS and Path(variant).is_dir() else variant


def agents_help() -> str:
    """Return the help for an argument that takes agents."""
    return (
        f"names ({', '.join(agent_names())}), import paths module:Name, each with :ARGUMENT if it takes one, or files"
        " of policies"
    )


def describe_options(options: Mapping[str, Any]) -> list[str]:
    """Return these options as arguments, such as `--tickets classic`."""
    given = {f"--{name.replace('_', '-')}": value for name, value in options.items() if value is not False}
    return [part for flag, value in given.items() for part in ([flag] if value is True else [flag, str(value)])]
