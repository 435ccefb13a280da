"""Games written down: JSON files from which the same games can be played again."""

import base64
import json
import os
import re
import reprlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, get_args

from t2r_env.configuration import Configuration, configure
from t2r_env.games import Games, IllegalAction, check_choice, check_seed
from t2r_env.variants import VARIANTS
from t2r_env.version import __version__

Value = TypeVar("Value")


class ReplayError(ValueError):
    """A replay does not describe a game. The message names the file, the entry, and what is allowed."""


@dataclass(frozen=True)
class Replay:
    """A game as it was played: playing it again gives the same game.

    >>> env.replay().save("game.json")
    >>> for games in Replay.load("game.json").games():
    ...     print(games.snapshot()["turn"])
    """

    configuration: Configuration
    start: int | bytes
    """The seed from which the game began; or, if it did not begin from one, its first state (`Games.get_state`)."""
    actions: tuple[int, ...]
    illegal_action: IllegalAction = "raise"
    """With `terminate` the last action may be one that the rules do not allow: it ended the game."""
    version: str = field(default=__version__, compare=False)
    """The library's version with which the game was recorded."""

    @classmethod
    def of(cls, games: Games, row: int = 0, *, ended: bool = False) -> "Replay":
        """The game under way in a row, or with `ended` the row's last ended game. Only for `Games(record=True)`.

        Raises ValueError for games that are not recorded, and if no game of the row has ended.
        """
        start, actions = games.history(row, ended=ended)
        return cls(games.configuration, start, tuple(actions), games.illegal_action)

    def games(self) -> Iterator[Games]:
        """The game before its first action and after each: always the same `Games`, of one row, stepped on.

        Raises ReplayError at an action that is not legal, or that comes after the end.
        """
        games = Games(self.configuration, autoreset=False, illegal_action=self.illegal_action, record=True)
        if isinstance(self.start, int):
            games.reset(seeds=[self.start])
        else:
            try:
                games.set_state(self.start)
            except ValueError as error:
                raise ReplayError(f"state: {error}") from None
        yield games
        for number, action in enumerate(self.actions):
            if games.terminated[0] or games.truncated[0]:
                raise ReplayError(f"actions[{number}] comes after the end of the game")
            try:
                games.step([action])
            except ValueError as error:
                raise ReplayError(f"actions[{number}] is not allowed: {error}") from None
            yield games

    def final(self) -> Games:
        """The game after its last action, as a `Games` of one row."""
        *_, games = self.games()
        return games

    # Files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a JSON file, the actions both as numbers and, for people, in words."""
        Path(path).write_text(self.to_json(), encoding="utf-8")

    def to_json(self) -> str:
        """What `save` writes."""
        if isinstance(self.start, int):
            start = {"seed": str(self.start)}
        else:
            start = {"state": base64.b64encode(self.start).decode()}
        course = {"illegal_action": self.illegal_action, "version": self.version, "actions": self.actions}
        entries = self.configuration.identity | start | course
        lines = [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in entries.items()]
        descriptions = json.dumps(list(self.descriptions()), ensure_ascii=False, indent=0)
        return "{\n" + ",\n".join([*lines, f'"descriptions": {descriptions}']) + "\n}\n"

    def descriptions(self) -> Iterator[str]:
        """What each action means, as a sentence."""
        for games, action in zip(self.games(), self.actions, strict=False):
            is_legal = action in games.masks[0].nonzero()[0]
            words = games.describe(action) if is_legal else f"{action}, which is not allowed"
            yield f"player_{games.current[0]}: {words}"

    @classmethod
    def load(cls, path: str | os.PathLike[str], variant: str | os.PathLike[str] | None = None) -> "Replay":
        """Read a file, and play it through to see that it is whole.

        The file names its variant by id. For a game that does not come with the library, `variant` is the path of its
        folder.

        Raises ReplayError if the file is no JSON or cut off, an entry is missing or wrong, the variant is unknown or
        its tables have changed since, an action is not legal, or the first state is damaged; OSError if it can't be
        read.
        """
        try:
            fields = json.loads(Path(path).read_text(encoding="utf-8"))
        except (ValueError, RecursionError) as error:
            raise ReplayError(f"{path}: this is no JSON, or it has been cut off: {error}") from None
        try:
            replay = cls._from_fields(fields, variant)
            replay.final()
        except (ValueError, TypeError) as error:
            raise ReplayError(f"{path}: {error}") from None
        return replay

    @classmethod
    def _from_fields(cls, fields: Any, variant: str | os.PathLike[str] | None) -> "Replay":
        if not isinstance(fields, dict):
            raise ReplayError(f"a replay must be a JSON object, not {reprlib.repr(fields)}")
        configuration = _configuration(fields, variant)
        actions = _entry(fields, "actions", list, "a list of integers")
        for number, action in enumerate(actions):
            if type(action) is not int:
                raise ReplayError(f"actions[{number}] must be an integer, not {reprlib.repr(action)}")
        illegal_action = check_choice(
            "illegal_action", _entry(fields, "illegal_action", str, "a word"), get_args(IllegalAction)
        )
        version = _entry(fields, "version", str, "the version of a library")
        return cls(configuration, _start(fields), tuple(actions), illegal_action, version)


def _configuration(fields: Mapping[str, Any], variant: str | os.PathLike[str] | None) -> Configuration:
    name = _entry(fields, "variant", str, "the id of a game")
    if variant is None and name not in VARIANTS:
        raise ReplayError(
            f"variant {name!r} does not come with the library ({', '.join(VARIANTS)} do): give the path of its folder,"
            f" Replay.load(path, variant=folder)"
        )
    num_players = _entry(fields, "num_players", int, "an integer")
    options = _entry(fields, "options", dict, "an object")
    if unknown := options.keys() & {"variant", "num_players"}:
        raise ReplayError(f"options must not hold {min(unknown)}")
    configuration = configure(name if variant is None else variant, num_players, **options)
    for key in ("variant", "digest"):
        recorded, present = _entry(fields, key, str, "a string"), configuration.identity[key]
        if recorded != present:
            raise ReplayError(f"the game was recorded with {key} {recorded!r}; that of the tables here is {present!r}")
    return configuration


def _start(fields: Mapping[str, Any]) -> int | bytes:
    if ("seed" in fields) == ("state" in fields):
        raise ReplayError("there must be either a seed or a state")
    if "state" in fields:
        state = _entry(fields, "state", str, "bytes in base64")
        try:
            return base64.b64decode(state, validate=True)
        except ValueError as error:
            raise ReplayError(f"state must be bytes in base64: {error}") from None
    seed = _entry(fields, "seed", str, "a decimal number, as a string")
    if not re.fullmatch("[0-9]{1,20}", seed):
        raise ReplayError(f"seed must be a decimal number, as a string, not {reprlib.repr(seed)}")
    return check_seed(int(seed))


def _entry(fields: Mapping[str, Any], key: str, kind: type[Value], meaning: str) -> Value:
    """An entry of the right type; `True` and `False` are no numbers."""
    if key not in fields:
        raise ReplayError(f"{key} is missing: it must be {meaning}")
    value = fields[key]
    if type(value) is not kind:
        raise ReplayError(f"{key} must be {meaning}, not {reprlib.repr(value)}")
    return value
