"""What can be typed at the prompt besides an action."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from t2r_agents.human.decision import Decision
from t2r_agents.human.layout import in_columns
from t2r_env.agents import choose_actions, find_agent
from t2r_env.render.signs import SIGNS

HINTING_AGENT = "planner"


class Command(NamedTuple):
    """A command; its function takes the decision and what is typed after its name, and may raise ValueError."""

    usage: str
    explanation: str
    run: Callable[[Decision, str], str]


def _list(decision: Decision, argument: str) -> str:
    return decision.position(True) + decision.text()


def _tickets(decision: Decision, argument: str) -> str:
    return "".join(f"{line}\n" for line in decision.ticket_details()) if decision.tickets else "You have no tickets.\n"


def _hint(decision: Decision, argument: str) -> str:
    name = argument or HINTING_AGENT
    agent = find_agent(name, decision.configuration)
    if getattr(agent, "asks_person", False):
        raise ValueError(f"{name} would ask you: name another agent.")
    try:
        (action,) = choose_actions(agent, decision.given).tolist()
    except Exception as error:  # whatever the agent does
        raise ValueError(f"{name} has failed: {error}") from error
    number = decision.number_of(action)
    return f"{name} would choose {number}: {decision.actions[number - 1][1]}\n"


def _help(decision: Decision, argument: str) -> str:
    longest = max(len(command.usage) for command in COMMANDS.values())
    lines = [f"  {command.usage:<{longest}}  {command.explanation}" for command in COMMANDS.values()]
    signs = [f"{sign.letter} {name}" for name, sign in SIGNS.items() if sign.style]
    return (
        "\n".join(
            [
                "Type the number of an action, or a part of its text that no other has. Or:",
                *lines,
                "Signs of colours (A: any one colour, as gray routes take):",
                *in_columns([f"  {it}" for it in signs], decision.width),
                "1/2: first of two parallel routes; *: on a shortest way for your tickets.",
            ]
        )
        + "\n"
    )


COMMANDS: Mapping[str, Command] = {
    "list": Command("list", "the position and the actions again", _list),
    "board": Command("board", "all that you know of the game", lambda decision, _: decision.board()),
    "map": Command(
        "map, map CITY", "the routes of each city: lengths, colours, owners", lambda it, place: it.map(place)
    ),
    "tickets": Command("tickets", "what your tickets still take, and their shortest ways", _tickets),
    "path": Command("path CITY CITY", "your shortest way, its cost", lambda decision, places: decision.path(places)),
    "hint": Command("hint, hint AGENT", f"what an agent ({HINTING_AGENT}) would do here", _hint),
    "history": Command("history, history all", "what happened since your last turn, or so far", lambda *_: ""),
    "help": Command("help, ?", "this list", _help),
    "q": Command("q", "quit the game", lambda *_: ""),
}
"""By name. `HumanAgent` itself carries out `history` and `q`, which are about the whole game."""
ALIASES = {"?": "help", "quit": "q"}
