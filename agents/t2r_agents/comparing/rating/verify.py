"""Checking the result of a rating: every game is played again, and the references must act as they did.

The references are deterministic: their actions follow from the position and from seeds that the ladder fixes. The
agent's own actions are taken from the replays and must be legal; those of an agent that is a reference itself are
checked too. An agent forfeits a game by an illegal action, which then is the last one.
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from t2r_agents.comparing.rating.ladder import Ladder
from t2r_agents.comparing.rating.result import (
    REPLAYS,
    RESULT,
    Game,
    Result,
    ResultError,
    check_estimate,
    check_schedule,
    digest,
    find_ladder,
    read_result,
)
from t2r_agents.comparing.tournament.players import Player, Players, close_agents
from t2r_agents.comparing.tournament.playing import NO_ACTION, Round, replay_path, take_seat
from t2r_agents.comparing.tournament.schedule import Fixture
from t2r_agents.playing.failures import Failure
from t2r_env import Configuration, Replay
from t2r_env.agents import Agent, Decisions, FunctionAgent, find_legal
from t2r_env.basics.plain import plain
from t2r_env.basics.reading import shown
from t2r_env.replay import ReplayError

GAMES_AT_ONCE = 200


def verify(folder: Path, ladders: Sequence[Ladder], trusted: Collection[str] = ()) -> Result:
    """Return the result in a folder, if it stands.

    Raises ResultError if not, LadderError for a ladder that can't be used, and OSError if there is no `result.json`
    or it can't be read.
    """
    result = read_result(folder / RESULT)
    ladder = find_ladder(ladders, result)
    references = ladder.opponents(result.agent, trusted)
    fixtures = check_schedule(result, ladder)
    configuration = ladder.configuration()
    replays = [_read_replay(folder, fixture, ladder, configuration) for fixture in fixtures]
    names = (*references, *([result.agent] if result.agent in ladder.references else []))
    players = Players(configuration, names).make()
    try:
        for first in range(0, len(fixtures), GAMES_AT_ONCE):
            some = slice(first, first + GAMES_AT_ONCE)
            _check_games(configuration, players, fixtures[some], replays[some], result.games[some])
    finally:
        close_agents(players)
    if result.replays != digest([replay.actions for replay in replays]):
        raise ResultError("replays: the digest is one of other actions")
    check_estimate(result, ladder)
    return result


def _read_replay(folder: Path, fixture: Fixture, ladder: Ladder, configuration: Configuration) -> Replay:
    """Return the replay of a game. Raises ResultError for a missing or damaged one, or one of another game."""
    try:
        replay = Replay.load(replay_path(folder / REPLAYS, fixture.game), ladder.variant)
    except (ReplayError, OSError) as error:
        raise ResultError(f"game {fixture.game}: {error}") from None
    if replay.configuration.identity != configuration.identity:
        raise ResultError(f"game {fixture.game}: its replay is one of another configuration")
    if replay.start != fixture.seed:
        raise ResultError(f"game {fixture.game}: its replay must begin from the seed {fixture.seed}")
    return replay


def _check_games(
    configuration: Configuration,
    players: Mapping[str, Player],
    fixtures: Sequence[Fixture],
    replays: Sequence[Replay],
    games: Sequence[Game],
) -> None:
    """Play these games again. Raises ResultError for the first one with other actions or another result."""
    with ExitStack() as stack:
        seated = [
            [take_seat(players[name], stack) if name in players else RECORDED for name in fixture.seating]
            for fixture in fixtures
        ]
        agents = list({id(agent): agent for game in seated for agent in game}.values())
        indices = {id(agent): index for index, agent in enumerate(agents)}
        seating = np.array([[indices[id(agent)] for agent in game] for game in seated])
        again = _Again(configuration, agents, seating, fixtures, [replay.actions for replay in replays])
    entries = again.entries()
    for row, game in enumerate(games):
        if fault := again.fault(row):
            raise ResultError(f"game {game.game}: {fault}")
        own = entries[row * configuration.num_players :][: configuration.num_players]
        for name, given, expected in (
            ("outcome", game.outcome, own[0].outcome),
            ("scores", game.scores, [entry.score for entry in own]),
            ("ranks", game.ranks, [entry.rank for entry in own]),
        ):
            if given != expected:
                raise ResultError(f"game {game.game}: {name} must be {expected}, as it is played, not {shown(given)}")


def _no_action(decisions: Decisions) -> NDArray[np.int64]:
    """Return no action: those of the rated agent are in the replays."""
    return np.full(len(decisions), NO_ACTION)


RECORDED: Agent = FunctionAgent(_no_action)
"""The rated agent in games that are played again."""


class _Again(Round):
    """Games that are played again: each action must be the recorded one. A game ends at its first fault."""

    def __init__(
        self,
        configuration: Configuration,
        players: Sequence[Agent],
        seating: NDArray[np.int64],
        fixtures: Sequence[Fixture],
        recorded: Sequence[Sequence[int]],
    ) -> None:
        self._recorded, self._taken, self._faults = recorded, [0] * len(recorded), dict[int, str]()
        super().__init__(configuration, players, seating, fixtures)

    def fault(self, row: int) -> str:
        """Return what is wrong with a game; empty if nothing is."""
        left = len(self._recorded[row]) - self._taken[row]
        return self._faults.get(row) or (f"its replay has {left} actions after the end" if left else "")

    def _choose(self, agent: Agent, decisions: Decisions, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the recorded actions, or none where there is a fault."""
        own = None if agent is RECORDED else super()._choose(agent, decisions, rows)
        actions = np.full(len(rows), NO_ACTION)
        for index, row in enumerate(rows.tolist()):
            number, recorded = self._taken[row], self._recorded[row]
            seat = int(self.games.current[row])
            who = f"{plain(self.fixtures[row].seating[seat])} on seat {seat}"
            if number >= len(recorded):
                self._faults[row] = f"its replay is cut off after {number} actions, where {who} is to act"
            elif own is not None and int(own[index]) != recorded[number]:
                self._faults[row] = f"action {number} of {who} must be {own[index]}, not {recorded[number]}"
            elif 0 <= recorded[number] < decisions.masks.shape[1]:
                actions[index] = recorded[number]
            elif recorded[number] != NO_ACTION:
                self._faults[row] = f"action {number} of {who} does not exist: {recorded[number]}"
            self._taken[row] += 1
        if own is None:
            for index in np.flatnonzero(~find_legal(actions, decisions.masks)).tolist():
                row = int(rows[index])
                self.failures[row, int(self.games.current[row])] = Failure("its action is not legal")
        return actions
