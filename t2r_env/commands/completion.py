"""Print a script that completes `t2r` in a shell.

For example, in bash: eval "$(t2r completion bash)"
"""

import argparse
from collections.abc import Iterable
from pathlib import Path

from t2r_env.agents import agent_names
from t2r_env.basics.packages import needs
from t2r_env.commands import find_commands, make_parser
from t2r_env.variants import VARIANTS, load_variant

SHELLS = ("bash", "zsh", "tcsh")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments the subcommand takes."""
    parser.add_argument("shell", choices=SHELLS, help="which shell")


def run(arguments: argparse.Namespace) -> int:
    """Print the script."""
    with needs("completion"):
        import shtab
    decks = dict.fromkeys(deck for variant in VARIANTS for deck in load_variant(variant).ticket_decks)
    names: dict[str, Iterable[str]] = {"variant": VARIANTS, "tickets": decks}
    names |= dict.fromkeys(("agent", "agents", "opponents", "against"), agent_names())
    parser = make_parser(find_commands())
    for action in _actions(parser):
        if action.type is Path:
            action.complete = shtab.FILE  # type: ignore[attr-defined]  # where shtab looks for it
        elif action.dest in names:
            action.choices = list(names[action.dest])  # to be offered; other values are allowed too
    print(shtab.complete(parser, arguments.shell))
    return 0


def _actions(parser: argparse.ArgumentParser) -> Iterable[argparse.Action]:
    """Yield all arguments, those of subcommands too."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for subparser in action.choices.values():
                yield from _actions(subparser)
