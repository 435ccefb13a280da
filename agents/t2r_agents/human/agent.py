"""The agent `human`: it shows a decision, reads what is typed, and carries out commands until an action is chosen."""

from typing import TextIO

import numpy as np
from numpy.typing import NDArray

from t2r_agents.human.commands import ALIASES, COMMANDS
from t2r_agents.human.decision import Decision
from t2r_agents.human.decisions import decision_of
from t2r_agents.human.screen import Screen
from t2r_agents.human.ways import find_payments, find_ways
from t2r_env import Configuration, Games
from t2r_env.agents import Decisions
from t2r_env.variants import MapVariant

PROMPT = "Your choice (? for help, q quits): "


class HumanAgent:
    """Lets a person choose, one game after the other.

    `keyboard` and `screen` default to the standard input and output. The position is shown at a seat's first decision
    of a turn. Legal actions are picked by number or by part of their text; `?` lists the commands that can be typed
    instead. Input that fits no action, or several, can be repeated. `q` and the end of the input raise
    KeyboardInterrupt.
    """

    asks_person = True
    """A tournament plays in one process and shows no progress, so that a person can use the terminal."""

    def __init__(self, *, keyboard: TextIO | None = None, screen: TextIO | None = None) -> None:
        self._screen = Screen(keyboard, screen)
        self._shown: tuple[int, int] | None = None  # the turn and the seat of the last position shown
        self._history: list[tuple[tuple[int, int], list[str]]] = []  # by that: what was told since then
        self._is_told = False

    def compile(self, configuration: Configuration) -> None:
        """Have compiled what a decision shows, without asking anybody (`t2r compile`)."""
        if isinstance(configuration.variant, MapVariant):
            views, cities = Games(configuration).views(), configuration.variant.cities
            find_ways(configuration, views, [(cities[0].id, cities[1].id)])
            find_payments(configuration, views)

    @property
    def width(self) -> int:
        """The longest line of its screen, in characters."""
        return self._screen.width

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """The person's action for each decision, shape (k,)."""
        actions = np.zeros(len(decisions), np.int64)
        for row, decision in enumerate(decisions.split()):
            if len(decisions) > 1:
                self._shown = None
                self.say(f"\nGame {row + 1} of {len(decisions)}\n")
            actions[row] = self._choose(decision)
        return actions

    def say(self, text: str) -> str:
        """Show text at once; return what is typed at the end of a page to end it, `q` at the end of the input."""
        try:
            return self._screen.show(text)
        except EOFError:
            return "q"

    def say_all(self, text: str) -> None:
        """Show text; whoever ends it early still sees its last paragraph."""
        if self.say(text):
            self.say(text.rstrip().rpartition("\n\n")[2])

    def tell(self, line: str) -> None:
        """Show a line about what has happened, and remember it for `history`.

        Raises KeyboardInterrupt if the person quits at the end of a page.
        """
        self._is_told = True
        if not self._history:
            self._history.append(((0, 0), []))
        self._history[-1][1].append(line)
        if self.say(f"{line}\n") == "q":
            raise KeyboardInterrupt("the person has quit")

    def _choose(self, given: Decisions) -> int:
        decision = decision_of(given, self.width)
        is_first = self._shown != decision.moment
        self._shown = decision.moment
        if is_first:
            self._history.append((decision.moment, []))
        text = "\n" + decision.position(is_first) + decision.text()
        while True:
            typed = self._show_and_read(text, decision)
            name, _, argument = typed.partition(" ")
            name = ALIASES.get(name.casefold(), name.casefold())
            try:
                if name not in COMMANDS:
                    return decision.find_action(typed)
                if name == "q":
                    raise KeyboardInterrupt(f"{decision.player} has quit")
                argument = argument.strip()
                text = self._tell_history(argument) if name == "history" else COMMANDS[name].run(decision, argument)
            except (ValueError, TypeError) as error:  # of what is typed, the agent of a hint included
                text = f"{error}\n"

    def _show_and_read(self, text: str, decision: Decision) -> str:
        try:
            return self._screen.show(text) or self._screen.ask(PROMPT)
        except EOFError:
            message = f"the input has ended before {decision.player} chose: {decision.question}"
            self._screen.show(f"{message}\n")
            raise KeyboardInterrupt(message) from None

    def _tell_history(self, argument: str) -> str:
        """What was told since the person's last turn, or since the beginning."""
        if argument not in ("", "all"):
            raise ValueError(f"Type history, or history all, not history {argument}.")
        if not self._is_told:
            return "Nothing has been told of this game so far.\n"
        lines = []
        for (turn, _), told in self._history if argument else self._history[-2:]:
            lines += [f"Turn {turn}:", *(f"  {line}" for line in told)] if told else []
        return "\n".join(lines or ["Nothing has happened since your last turn."]) + "\n"
