"""How often two agents choose alike, and what they tell: all are asked at the decisions of the same games.

Of each decision an agent sees what the seat may know (C20), with the random numbers that the seat's own agent had.
"""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from t2r_agents.comparing.tournament.calibration import EVERY, Calibration, calibrate, told_chances
from t2r_agents.comparing.tournament.players import Player
from t2r_agents.comparing.tournament.playing import NO_ACTION, choose, take_seat
from t2r_agents.comparing.tournament.ratings import Interval, ratios
from t2r_agents.comparing.tournament.schedule import Fixture
from t2r_agents.comparing.tournament.tournament import Tournament
from t2r_agents.playing.values import chances_at_end
from t2r_env import Replay
from t2r_env.agents import Agent, Decisions, decisions_of
from t2r_env.rules.names import PHASES, outcomes
from t2r_env.seeding import decision_seeds, key_words

GAMES = 20
"""The games whose decisions all agents are asked about, by default."""
MAX_SECONDS = 30.0
"""The time that asking may take, estimated from the time that the agents took in their games."""


@dataclass(frozen=True)
class Agreement:
    """How often agents choose alike at the decisions of some games."""

    agents: Sequence[str]
    phases: Sequence[str]
    """The phases in which there were decisions."""
    decisions: NDArray[np.int64]
    """(games, phases)."""
    alike: NDArray[np.int64]
    """(games, phases, agents, agents): the decisions at which both chose the same action."""

    def in_order(self, agents: Sequence[str]) -> "Agreement":
        """Return the same with its agents in the order of these names."""
        order = sorted(range(len(self.agents)), key=lambda index: agents.index(self.agents[index]))
        alike = self.alike[:, :, order][:, :, :, order]
        return Agreement([self.agents[index] for index in order], self.phases, self.decisions, alike)

    def share(self, one: int, other: int, phase: str = "") -> Interval:
        """Return how often two agents, by index, chose alike, in one phase or in all, with its interval over games."""
        chosen = self._chosen(phase)
        alike = self.alike[:, chosen, one, other].sum(axis=1, keepdims=True).astype(float)
        decisions = self.decisions[:, chosen].sum(axis=1, keepdims=True).astype(float)
        value, low, high = (float(bound[0]) for bound in ratios(alike, decisions, are_shares=True))
        return Interval(value, low, high)

    def decisions_in(self, phase: str = "") -> int:
        """Return at how many decisions all were asked, in one phase or in all."""
        return int(self.decisions[:, self._chosen(phase)].sum())

    def _chosen(self, phase: str) -> list[int]:
        return [self.phases.index(phase)] if phase else list(range(len(self.phases)))


@dataclass(frozen=True)
class Answers:
    """The answers of agents at the decisions of some games."""

    agreement: Agreement | None = None
    """None if fewer than two agents were asked, or at no decisions."""
    calibrations: Sequence[Calibration] = ()
    """Those of the agents that told chances to win; agents that may remember are not asked for them."""


def ask_agents(
    tournament: Tournament, games: int = GAMES, progress: Callable[[int, int], None] | None = None
) -> Answers:
    """Ask all agents at the decisions of some games that were played, chosen at random, always the same.

    Agents that ask a person or a server are not asked, and their games are left out unless they were recorded. There
    are fewer games, or none, if it would take more than MAX_SECONDS.
    """
    agents = {name: agent for name, agent in tournament.agents.items() if not _asks(agent)}
    chosen = _choose_games(tournament, agents, games)
    if not agents or not chosen:
        return Answers()
    decisions = np.zeros((len(chosen), len(PHASES)), np.int64)
    alike = np.zeros((len(chosen), len(PHASES), len(agents), len(agents)), np.int64)
    telling = {name: agent for name, agent in agents.items() if isinstance(agent, Agent) and hasattr(agent, "opinions")}
    told: dict[str, list[NDArray[np.float64] | None]] = {name: [] for name in telling}
    won = []
    for number, game in enumerate(chosen):
        replay = tournament.record(game)  # an agent that watches the clock may play another game than before
        given = decisions_in(replay, tournament.fixtures[game])
        actions = np.array([_actions(agent, given) for agent in agents.values()])
        same = (actions[:, None] == actions[None]) & (actions[:, None] != NO_ACTION)
        for phase in range(len(PHASES)):
            is_of_phase = given.views["phase"] == phase
            decisions[number, phase] = is_of_phase.sum()
            alike[number, phase] = same[:, :, is_of_phase].sum(axis=2)
        some = given.take(np.arange(0, len(given), EVERY))
        won.append(chances_at_end(replay.configuration, replay.final().results)[0, some.views["current"]])
        for name, agent in telling.items():
            told[name].append(told_chances(agent, some))
        if progress:
            progress(number + 1, len(chosen))
    tournament.close()
    met = np.flatnonzero(decisions.any(axis=0))
    phases = [PHASES[phase] for phase in met]
    agreement = Agreement(list(agents), phases, decisions[:, met], alike[:, met]) if len(agents) > 1 else None
    return Answers(agreement, calibrate(told, won))


def decisions_in(replay: Replay, fixture: Fixture) -> Decisions:
    """Return all decisions of a game that was played to its end, as its agents had them."""
    row, keys = np.zeros(1, np.int64), key_words([fixture.agent_key])
    found = [
        decisions_of(games, row, decision_seeds(games, row, keys))
        for games in replay.games()
        if games.states["outcome"][0] == outcomes.RUNNING
    ]
    arrays = [
        np.concatenate([getattr(it, name) for it in found]) for name in ("views", "masks", "observations", "seeds")
    ]
    return Decisions(replay.configuration, *arrays)


def _actions(player: Player, decisions: Decisions) -> NDArray[np.int64]:
    """Return a player's action at each decision, (k,): if it remembers, of an instance for each seat, in order."""
    if isinstance(player, Agent):
        return choose(player, decisions)[0]
    actions = np.full(len(decisions), NO_ACTION)
    for seat in np.unique(decisions.views["current"]):
        with ExitStack() as stack:
            agent = take_seat(player, stack)
            for index in np.flatnonzero(decisions.views["current"] == seat):
                actions[index] = choose(agent, decisions.take(np.array([index])))[0][0]
    return actions


def _asks(agent: Player) -> bool:
    return bool(getattr(agent, "asks_person", False) or getattr(agent, "asks_server", False))


def _choose_games(tournament: Tournament, agents: dict[str, Player], most: int) -> list[int]:
    """Return the games to be asked about, as many as the time allows."""
    seconds, decisions = dict.fromkeys(tournament.agents, 0.0), dict.fromkeys(tournament.agents, 0)
    for entry in tournament.entries:
        seconds[entry.agent] += entry.seconds
        decisions[entry.agent] += entry.decisions
    own = [entry for entry in tournament.entries if entry.outcome == "finished"]
    by_game: dict[int, list[str]] = {}
    for entry in own:
        by_game.setdefault(entry.game, []).append(entry.agent)
    usable = [game for game, names in by_game.items() if tournament.is_recorded or agents.keys() >= set(names)]
    if not usable:
        return []
    a_decision = sum(seconds[name] / max(1, decisions[name]) for name in agents)
    a_game = 2 * a_decision * sum(decisions.values()) / len({entry.game for entry in tournament.entries})
    number = min(most, len(usable), int(MAX_SECONDS / max(a_game, 1e-9)))
    return sorted(np.random.default_rng(0).choice(usable, number, replace=False).tolist())
