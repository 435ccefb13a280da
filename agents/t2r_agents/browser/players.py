"""Who sits at a table: the names that people read, colours, and the agents."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, count
from typing import Any

from t2r_agents.browser.levels import LEVELS
from t2r_env.basics.plain import plain
from t2r_env.basics.reading import shown
from t2r_env.render.drawing.palette import SEATS

MAX_NAME = 20
"""The most characters of a name."""


@dataclass(frozen=True)
class Player:
    """A person or an agent at a seat."""

    name: str
    colour: int
    """An index of `palette.SEATS`."""
    agent: str | None = None
    """The name of the agent; None stands for a person."""
    level: str | None = None
    """The level by which the agent was chosen, one of `LEVELS`."""

    @property
    def shown(self) -> str:
        """Return the name as people see it: nothing in it is hidden or looks like another."""
        return plain(self.name)

    @property
    def title(self) -> str:
        """Return the name that is shown, with the agent if the name does not say it."""
        return self.shown if self.agent in (None, self.name) else f"{self.shown} ({plain(str(self.agent))})"


@dataclass(frozen=True)
class Wish:
    """A player as somebody asks for it: what is None is chosen."""

    agent: str | None = None
    level: str | None = None
    name: str | None = None
    colour: int | None = None


def read_wish(value: Any) -> Wish:
    """Return the wish of a page: null for a person, the name of an agent, or an object. Raises ValueError."""
    if value is None or isinstance(value, str):
        return Wish(value)
    if not isinstance(value, dict) or value.keys() - {"agent", "level", "name", "colour"}:
        raise ValueError("a player must be null, the name of an agent, or an object with agent, level, name and colour")
    wish = Wish(**value)
    if not isinstance(wish.agent, str | None):
        raise ValueError("agent must be the name of an agent, or null for a person")
    if wish.level not in (None, *LEVELS):
        raise ValueError(f"level must be one of {', '.join(LEVELS)}, not {shown(wish.level)}")
    if wish.name is not None:
        check_name(wish.name)
    if wish.colour is not None:
        check_colour(wish.colour)
    return wish


def check_name(name: Any) -> None:
    """Raise ValueError unless a name can be shown in a line."""
    if not isinstance(name, str) or not 1 <= len(name) <= MAX_NAME or not name.isprintable() or name != name.strip():
        raise ValueError(f"a name must be 1 to {MAX_NAME} printable characters, not {shown(name)}")


def check_colour(colour: Any) -> None:
    """Raise ValueError unless a colour is an index of `palette.SEATS`."""
    if type(colour) is not int or not 0 <= colour < len(SEATS):
        raise ValueError(f"a colour must be a number from 0 to {len(SEATS) - 1}, not {shown(colour)}")


def seat_players(wishes: Sequence[Wish]) -> list[Player]:
    """Return the players, each with a name and a colour of its own. Raises ValueError for one that is wished twice."""
    names = list(_choose_names(wishes))
    wished = [wish.colour for wish in wishes if wish.colour is not None]
    check_distinct(names, wished)
    free = (colour for colour in range(len(SEATS)) if colour not in wished)
    return [
        Player(name, next(free) if wish.colour is None else wish.colour, wish.agent, wish.level)
        for name, wish in zip(names, wishes, strict=True)
    ]


def check_distinct(names: Sequence[str], colours: Sequence[int]) -> None:
    """Raise ValueError if two players have one name or one colour."""
    if len({name.casefold() for name in names}) < len(names):
        raise ValueError(f"each player must have another name, not {', '.join(names)}")
    if len(set(colours)) < len(colours):
        raise ValueError("each player must have another colour")


def _choose_names(wishes: Sequence[Wish]) -> Iterator[str]:
    """Yield the names: of people `Player 1`, of agents their levels or names, numbered if there are several."""
    taken = {wish.name.casefold() for wish in wishes if wish.name is not None}
    for seat, wish in enumerate(wishes):
        name = wish.name
        if name is None:
            usual = _usual_name(seat, wish)
            numbered = chain([usual], (f"{usual} {number}" for number in count(2)))
            name = next(it for it in numbered if it.casefold() not in taken)
            taken.add(name.casefold())
        yield name


def _usual_name(seat: int, wish: Wish) -> str:
    if wish.agent is None:
        return f"Player {seat + 1}"
    if wish.level is not None:
        return wish.level.capitalize()
    return wish.agent if len(wish.agent) <= MAX_NAME - 4 and wish.agent.isprintable() else "Agent"


def write_player(player: Player) -> dict[str, Any]:
    """Return the entry of a player in the file of seats."""
    return asdict(player)


def read_player(entry: Any) -> Player:
    """Return the player of an entry of the file of seats. Raises ValueError."""
    wish = read_wish(entry if isinstance(entry, dict) else {"agent": 0})
    if wish.name is None or wish.colour is None:
        raise ValueError("a player must have a name and a colour")
    return Player(wish.name, wish.colour, wish.agent, wish.level)
