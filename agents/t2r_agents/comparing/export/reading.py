"""The recorded games of an export, read again."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from t2r_env.basics.packages import needs

with needs("data"):
    import pyarrow.compute as pc

from t2r_agents.comparing.export.folder import ExportError, Folder
from t2r_agents.comparing.export.sources import Game
from t2r_env import Configuration, Replay, configure
from t2r_env.basics.checks import LARGEST_INTEGER
from t2r_env.basics.reading import shown

_COLUMNS = ["game", "deal", "seed", "state", "agents", "actions", "illegal_action"]


def read_replay(path: str | os.PathLike[str], game: int, variant: str | None = None) -> Replay:
    """Return a game of the export in a folder. It plays the same game as the one that was exported.

    `variant` is the folder of the variant, if it is your own and no longer where it was. Raises ExportError if there is
    no such export or game, or a file is damaged.
    """
    folder = Folder(Path(path))
    configuration = read_configuration(folder, variant)
    for number in folder.numbers() if 0 <= game <= LARGEST_INTEGER else ():
        table = folder.games(number, _COLUMNS)
        for row in table.filter(pc.equal(table["game"], game)).to_pylist():
            return _game(row, configuration).replay
    raise ExportError(f"{path} has no game {game}")


def read_games(folder: Folder, configuration: Configuration) -> Iterator[Game]:
    """Yield the games of an export, in order. Raises ExportError if a file is damaged."""
    for number in folder.numbers():
        for row in folder.games(number, _COLUMNS).to_pylist():
            yield _game(row, configuration)


def read_configuration(folder: Folder, variant: str | None = None) -> Configuration:
    """Return variant, players and options of an export. Raises ExportError if it has none that is known here.

    `variant` is as for `read_replay`.
    """
    content = folder.content()
    try:
        source, identity = content["settings"]["source"], content["identity"]
        configuration = configure(variant or source["variant"], source["num_players"], **source["options"])
    except (ValueError, TypeError, KeyError) as error:
        raise ExportError(f"{folder.path} is of a game that can't be played here: {error!r}") from None
    if configuration.identity != identity:
        raise ExportError(f"{folder.path} is of other tables of {shown(source['variant'])}")
    return configuration


def _game(row: dict[str, Any], configuration: Configuration) -> Game:
    start = row["state"] if row["seed"] is None else row["seed"]
    replay = Replay(configuration, start, tuple(row["actions"]), row["illegal_action"])
    return Game(row["game"], replay, row["deal"], None if row["agents"] is None else tuple(row["agents"]))
