"""Replays: JSON files of games, from which the same games can be played again."""

import base64
import json
import os
import re
import reprlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, SupportsIndex, TypeVar, get_args

from t2r_env.basics.checks import as_integer, check_choice, check_integer, check_seed
from t2r_env.basics.packages import __version__
from t2r_env.basics.reading import parse_json, read_text
from t2r_env.basics.writing import replacing
from t2r_env.configuration import Configuration, configure
from t2r_env.games import Games, IllegalAction
from t2r_env.history.information_state import information_state
from t2r_env.rules.names import outcomes
from t2r_env.variants import VARIANTS, Variant

Value = TypeVar("Value")

MAX_FILE_BYTES = 1 << 22
"""Random whole games have up to 28 KB. As JSON this many bytes of the costliest values take 165 MB of memory."""
MAX_ACTIONS = 200_000
MAX_NAME = 80


class ReplayError(ValueError):
    """A replay can't be played. The message names the file and the entry, and says what is allowed."""


@dataclass(frozen=True)
class Replay:
    """A recorded game. Playing it again gives the same game.

    >>> env.replay().save("game.json")
    >>> for games in Replay.load("game.json").games():
    ...     print(games.snapshot()["turn"])
    """

    configuration: Configuration
    start: int | bytes
    """The game's seed; or, if it did not begin from a seed, its first state as from `Games.get_state`."""
    actions: tuple[int, ...]
    illegal_action: IllegalAction = "raise"
    """With `terminate` the last action may be illegal: it ended the game."""
    version: str = field(default=__version__, compare=False)
    """The version of the library that recorded the game."""
    name: str = field(default="", compare=False)
    """The name of the position that the game stops at, if somebody has named it: up to MAX_NAME printable letters."""

    def __post_init__(self) -> None:
        """Take integers of NumPy, too. Raises ReplayError for actions that are none, and ValueError for other seeds."""
        actions = []
        for number, action in enumerate(self.actions):
            if (integer := as_integer(action)) is None:
                raise ReplayError(f"actions[{number}] must be an integer, not {reprlib.repr(action)}")
            actions.append(integer)
        object.__setattr__(self, "actions", tuple(actions))
        if not isinstance(self.start, bytes):
            object.__setattr__(self, "start", check_seed(self.start))

    @classmethod
    def of(cls, games: Games, row: int = 0, *, ended: bool = False) -> "Replay":
        """Return the game under way in a row, or with `ended` the row's last ended game.

        Raises ValueError without `Games(record=True)`, and if no game of the row has ended.
        """
        start, actions = games.history(row, ended=ended)
        return cls(games.configuration, start, tuple(actions), games.illegal_action)

    def games(self) -> Iterator[Games]:
        """Yield the game before its first action and after each action: always the same `Games` of one row.

        Raises ReplayError at an action that is not legal or that comes after the end.
        """
        games = Games(self.configuration, autoreset=False, illegal_action=self.illegal_action, record=True, seed=0)
        if isinstance(self.start, int):
            games.reset(seeds=[self.start])
        else:
            try:
                games.set_state(self.start)
            except ValueError as error:
                raise ReplayError(f"state: {error}") from None
        yield games
        for number, action in enumerate(self.actions):
            if games.states["outcome"][0] == outcomes.FORFEITED:
                raise ReplayError(f"actions[{number - 1}] is not legal and so ended the game: only the last one may be")
            if games.terminated[0] or games.truncated[0]:
                raise ReplayError(f"actions[{number}] comes after the end of the game")
            try:
                games.step([action])
            except ValueError as error:
                raise ReplayError(f"actions[{number}] is not allowed: {error}") from None
            yield games

    def until(self, position: SupportsIndex, name: str = "") -> "Replay":
        """Return the game up to a position, the number of actions before it: a game that can be played on from there.

        `name` is that of the position, for files (`save`) that are to be studied. Raises ValueError for a position that
        the game has not, and for a name that is not printable or longer than MAX_NAME.
        """
        number = check_integer("position", position, 0, len(self.actions))
        illegal_action = self.illegal_action if number == len(self.actions) else "raise"  # only the last may be illegal
        return replace(self, actions=self.actions[:number], illegal_action=illegal_action, name=_check_name(name))

    def final(self) -> Games:
        """Return the game after its last action, as a `Games` of one row."""
        *_, games = self.games()
        return games

    def information_state(self, seat: SupportsIndex) -> str:
        """Return a key of all that a seat has seen and done in this game so far, in its order: 32 hexadecimal digits.

        It has perfect recall in the field's sense: with each of its own decisions the seat knows its view
        (`Games.views`) and its action, with others' turns, second cards and claims the same and their choice, and which
        cards have been paid since. It does not depend on anything that the seat can't know, whether others had a choice
        included. So between the decisions of another seat's move it says nothing new. What was laid out for a tunnel
        and taken back (TA10) counts as far as views show it, as known cards.

        Keys are for tables, such as those of counterfactual regret. They are equal for equal histories, which all begin
        alike: from any seed, or from a state (`Games.set_state`) of which the seat has the same view. The game is
        played again for each key. Raises ValueError for a seat that there is not, and ReplayError as `games` does.
        """
        number = check_integer("seat", seat, 0, self.configuration.num_players - 1)
        return information_state(self.games(), self.actions, number)

    # Files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a JSON file with the actions as numbers and, for people, as sentences.

        If that fails or is interrupted, the file that was there before stays. Raises OSError if it can't be written,
        and ReplayError for a game that is too long for a file (MAX_ACTIONS, MAX_FILE_BYTES).
        """
        text = self.to_json()
        with replacing(path) as new:
            new.write_text(text, encoding="utf-8")

    def to_json(self, *, described: bool = True) -> str:
        """Return the text that `save` writes, or a short one without sentences. Raises ReplayError as `save` does."""
        _check_length(self.actions)
        if isinstance(self.start, int):
            start = {"seed": str(self.start)}
        else:
            start = {"state": base64.b64encode(self.start).decode()}
        game = {"illegal_action": self.illegal_action, "version": self.version, "actions": self.actions}
        named = {"name": self.name} if self.name else {}
        entries = named | self.configuration.identity | start | game
        lines = [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in entries.items()]
        if described:
            lines += [f'"descriptions": {json.dumps(list(self.descriptions()), ensure_ascii=False, indent=0)}']
        text = "{\n" + ",\n".join(lines) + "\n}\n"
        if (size := len(text.encode())) > MAX_FILE_BYTES:
            raise ReplayError(f"the file of a replay must have at most {MAX_FILE_BYTES:,} bytes, not {size:,}")
        return text

    def descriptions(self) -> Iterator[str]:
        """Yield each action as a sentence."""
        for games, action in zip(self.games(), self.actions, strict=False):
            is_legal = action in games.masks[0].nonzero()[0]
            text = games.describe(action) if is_legal else f"{action}, which is not legal"
            yield f"player_{games.current[0]}: {text}"

    @classmethod
    def load(cls, path: str | os.PathLike[str], variant: str | os.PathLike[str] | Variant | None = None) -> "Replay":
        """Read a file and check it by playing the game.

        The file names its variant by id. If that is a folder of your own, `variant` is the folder's path; a generated
        map may be given itself.

        Raises ReplayError if the file is too large, not JSON or cut off, an entry is missing or wrong, the variant is
        unknown or its tables have changed, an action is not legal, or the first state is damaged; OSError if the file
        can't be read.
        """
        try:
            fields = parse_json(read_text(path, MAX_FILE_BYTES))
        except ValueError as error:
            raise ReplayError(f"{path}: a replay must be JSON, and this is not, or it is cut off: {error}") from None
        try:
            replay = cls._from_fields(fields, variant)
            replay.final()
        except (ValueError, TypeError) as error:
            raise ReplayError(f"{path}: {error}") from None
        return replay

    @classmethod
    def _from_fields(cls, fields: Any, variant: str | os.PathLike[str] | Variant | None) -> "Replay":
        if not isinstance(fields, dict):
            raise ReplayError(f"a replay must be a JSON object, not {reprlib.repr(fields)}")
        configuration = _configuration(fields, variant)
        actions = _entry(fields, "actions", list, "a list of integers")
        _check_length(actions)
        illegal_action = check_choice(
            "illegal_action", _entry(fields, "illegal_action", str, "a string"), get_args(IllegalAction)
        )
        version = _entry(fields, "version", str, "a string")
        name = _check_name(_entry(fields, "name", str, "a string")) if "name" in fields else ""
        return cls(configuration, _start(fields), tuple(actions), illegal_action, version, name)


def _configuration(fields: Mapping[str, Any], variant: str | os.PathLike[str] | Variant | None) -> Configuration:
    name = _entry(fields, "variant", str, "the id of a variant")
    if variant is None and name not in VARIANTS:
        raise ReplayError(
            f"variant must be one of {', '.join(VARIANTS)}, not {name!r}; for a folder of your own give its path,"
            f" Replay.load(path, variant=folder)"
        )
    num_players = _entry(fields, "num_players", int, "an integer")
    options = _entry(fields, "options", dict, "an object")
    if unknown := options.keys() & {"variant", "num_players"}:
        raise ReplayError(f"options must not contain {min(unknown)}")
    tables = configure(name if variant is None else variant).variant
    if name != tables.id:  # its players and options may not fit the file either, which would tell less
        raise ReplayError(f"variant must be {tables.id!r} as in the tables here, not {name!r}")
    configuration = configure(tables, num_players, **options)
    recorded, present = _entry(fields, "rules", str, "a string"), configuration.rules_identity
    if recorded != present:
        raise ReplayError(f"rules must be {present!r} as in the tables here, not {recorded!r}")
    return configuration


def _check_name(name: str) -> str:
    if len(name) > MAX_NAME or not name.isprintable():
        raise ReplayError(f"name must be at most {MAX_NAME} printable characters, not {reprlib.repr(name)}")
    return name


def _check_length(actions: Sequence[Any]) -> None:
    if len(actions) > MAX_ACTIONS:
        raise ReplayError(f"a replay must have at most {MAX_ACTIONS:,} actions, not {len(actions):,}")


def _start(fields: Mapping[str, Any]) -> int | bytes:
    if ("seed" in fields) == ("state" in fields):
        raise ReplayError("a replay must have either a seed or a state")
    if "state" in fields:
        state = _entry(fields, "state", str, "bytes in base64")
        try:
            return base64.b64decode(state, validate=True)
        except ValueError as error:
            raise ReplayError(f"state must be bytes in base64: {error}") from None
    seed = _entry(fields, "seed", str, "a decimal number in a string")
    if not re.fullmatch("[0-9]{1,20}", seed):
        raise ReplayError(f"seed must be a decimal number in a string, not {reprlib.repr(seed)}")
    return check_seed(int(seed))


def _entry(fields: Mapping[str, Any], key: str, kind: type[Value], meaning: str) -> Value:
    """Return an entry, which must have the right type."""
    if key not in fields:
        raise ReplayError(f"{key} is missing: it must be {meaning}")
    value: Value = fields[key]
    fits = as_integer(value) is not None if kind is int else isinstance(value, kind)
    if not fits:
        raise ReplayError(f"{key} must be {meaning}, not {reprlib.repr(value)}")
    return value
