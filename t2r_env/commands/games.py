"""List the games that can be played, or describe one of them."""

import argparse
from collections.abc import Iterator, Sequence

from t2r_env.commands import usage_errors
from t2r_env.configuration import configure
from t2r_env.variants import VARIANTS, MapVariant, Variant, load_variant


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments the subcommand takes."""
    parser.add_argument("variant", nargs="?", help="describe this one: a name, or the path of a folder (default: all)")


def run(arguments: argparse.Namespace) -> int:
    """Print a table of all games, or what one of them has."""
    if arguments.variant is None:
        rows = [["variant", "name", "players", "id in Gymnasium and PettingZoo"]]
        for variant in map(load_variant, VARIANTS):
            rows.append([variant.id, variant.name, _players(variant), variant.environment_id])
        print("\n".join(table(rows)))
        print("\n`t2r games VARIANT` says more of one of them.")
        return 0
    with usage_errors():
        configuration = configure(arguments.variant)
    print("\n".join(_describe(arguments.variant, configuration.variant)))
    return 0


def _describe(source: str, variant: Variant) -> Iterator[str]:
    """Yield lines that describe a variant; `source` is its name or the path of its folder."""
    yield f"{variant.name} ({variant.id}), for {_players(variant)} players"
    if source in VARIANTS:
        yield f"id in Gymnasium and PettingZoo: {variant.environment_id}"
    routes = f", {len(variant.routes)} routes, {variant.trains} trains" if isinstance(variant, MapVariant) else ""
    yield f"{len(variant.cities)} cities{routes}"
    yield ""
    yield "ticket decks (--tickets, in Python tickets=)"
    rows = [
        [f"  {name}", f"{len(deck.tickets)} tickets", "the default" if name == variant.default_ticket_deck else ""]
        for name, deck in variant.ticket_decks.items()
    ]
    yield from table(rows)
    yield ""
    yield "other options"
    switches = [[f"  --{name.replace('_', '-')}", f"{name}=True", "off by default"] for name in variant.switches]
    yield from table([["  --turn-limit TURNS", "turn_limit=", f"{variant.turn_limit} by default"], *switches])
    yield ""
    rows = [["players", "observation (uint8)", "actions"]]
    for num_players in variant.player_numbers:
        layout = configure(source, num_players).layout
        rows.append([str(num_players), str(layout.observation.size), str(layout.actions.size)])
    yield from table(rows)


def _players(variant: Variant) -> str:
    return ", ".join(map(str, variant.player_numbers))


def table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield rows as lines of text, in columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
