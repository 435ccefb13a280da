"""The inputs of networks of values: what one seat knows of a position, or everything, as numbers.

What a seat knows are parts of its observation, parts of the features `plan`, made as if it were to act, and the points
that it would have if the game ended now. Everything is that, with the points as they are, and the hands, tickets and
plans of all other seats, in turn order.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from t2r_agents.playing.features import PlanFeatures
from t2r_agents.playing.features.segments import put
from t2r_env import Configuration
from t2r_env.agents import Array
from t2r_env.core.compiled import cached
from t2r_env.core.layout import Segment, Segments
from t2r_env.features import compute_features
from t2r_env.rules import batch, ticket_choice
from t2r_env.rules.names import phases
from t2r_env.rules.rulesets import list_legal, reduce_to_view, score_game

NOT_READ = frozenset(
    (
        *("subject_ticket", "subject_route", "subject_city", "face_up", "discard", "claimed", "stations", "tickets"),
        *("offered", "kept", "completed", "rack_tickets", "rack_completed", "to_share", "sharing", "completed_tickets"),
        *("planner_action", "routes_planned", "route_readiness", "route_contested", "route_points", "routes_used"),
        *("stations_planned", "tickets_complete", "tickets_planned", "tickets_impossible", "ticket_trains"),
        *("ticket_cards",),
    )
)
"""The segments of the observation and of the features that are left out: those with an entry for each route, city or
ticket. From them a network learns games by heart: with them its Brier score on fresh games is far worse."""
POINTS, DEBT, NUM_POINTS = 0, 1, 2
"""The first columns of a team's standing: its points if the game ended now, or how far they are below 0. The parts of
its score follow."""


AT_ONCE = 4096
"""The positions that are looked at together, to save memory."""


class ValueInputs:
    """The inputs for positions of one configuration. Several threads may use them."""

    def __init__(self, configuration: Configuration) -> None:
        self.configuration = configuration
        self._features = features = PlanFeatures(configuration)
        layout = configuration.layout
        observed = [it for it in layout.observation.values() if it.name not in NOT_READ]
        hidden = [it for it in observed if it.shape != layout.global_state[it.name].shape]
        planned = [it for it in features.segments.values() if it.name not in NOT_READ]
        self._observed, self._hidden, self._planned = map(_columns_of, (observed, hidden, planned))
        parts = configuration.score_parts
        self._parts = np.array(list(parts.values()), np.int64)
        standing = "for each team in turn order, the seat's first: its points if the game ended now, or how far below"
        standing += f" 0 they are; then the points for {', '.join(parts)}"
        last = "standing", (configuration.num_teams, NUM_POINTS + len(parts)), standing
        self.known = Segments.of([*map(_part, observed), *map(_part, planned), last])
        """The segments of what a seat knows, and what they mean."""
        others = range(1, configuration.num_players)
        self.everything = self.known.followed_by(
            Segments.of((f"{it.name}_{seat}", it.shape, it.meaning) for seat in others for it in (*hidden, *planned))
        )
        """The segments of everything: those of the other seats follow, with their distance in turn order."""
        self.version = features.version
        """The version of the features: networks that were trained with another one must be trained again."""

    def write(self, states: Array, seats: NDArray[np.int64], *, sees_all: bool) -> NDArray[np.uint8]:
        """Return the inputs (k, size) for k running games, given their states (k,) and the seats (k,) that look.

        With `sees_all` they are those of `everything`, else those of `known`: what the seat can't know does not change
        them. Numbers are limited to 255.
        """
        vectors = np.zeros((len(states), (self.everything if sees_all else self.known).size), np.uint8)
        for start in range(0, len(states), AT_ONCE):
            some = slice(start, start + AT_ONCE)
            self._write(states[some], seats[some], sees_all, vectors[some])
        return vectors

    def _write(self, states: Array, seats: NDArray[np.int64], sees_all: bool, vectors: NDArray[np.uint8]) -> None:
        observed, planned, views = self._look(states, seats)
        standing = np.zeros((len(states), self.known["standing"].size), np.uint8)
        seen = states.copy() if sees_all else views
        scoring = self.configuration.ruleset.new_scratch().scoring
        _write_standings(seen, seats, self.configuration.rules, scoring, self._parts, standing)
        columns = [observed[:, self._observed], planned[:, self._planned], standing]
        for distance in range(1, self.configuration.num_players if sees_all else 1):
            observed, planned, _ = self._look(states, (seats + distance) % self.configuration.num_players)
            columns += [observed[:, self._hidden], planned[:, self._planned]]
        np.concatenate(columns, axis=1, out=vectors)

    def _look(self, states: Array, seats: NDArray[np.int64]) -> tuple[NDArray[np.uint8], NDArray[np.uint8], Array]:
        """Return the observations and features of seats (k,), and views (k,) in which they are to act."""
        configuration, rows = self.configuration, np.arange(len(states))
        observed = np.zeros((len(states), configuration.layout.observation.size), np.uint8)
        batch.observe_seats(states, configuration.rules, rows, seats, observed)
        views, masks = states.copy(), np.zeros((len(states), configuration.layout.actions.size), np.int8)
        _let_decide(views, seats, configuration.rules, configuration.ruleset.new_scratch().deciding, masks)
        return observed, compute_features(self._features, views, masks), views


def _columns_of(segments: Iterable[Segment]) -> NDArray[np.int64]:
    return np.concatenate([np.arange(it.start, it.start + it.size) for it in segments])


def _part(segment: Segment) -> tuple[str, tuple[int, ...], str]:
    return segment.name, segment.shape, segment.meaning


@cached
def _let_decide(states: Array, seats: Array, rules: Array, scratch: Array, masks: Array) -> None:
    """Make states views of seats that are to act: as they are, or else on tickets on offer to them, or a turn."""
    for row in range(states.shape[0]):
        state, seat = states[row], seats[row]
        if seat != state.current:
            decided = ticket_choice.decided_number(state, seat)
            state.phase = phases.KEEP_TICKET if decided < state.offered_count[seat] else phases.TURN
            state.offer_index = decided
            state.current = seat
        reduce_to_view(state, rules[0], seat)
        for i in range(list_legal(state, rules[0], scratch[0])):
            masks[row, scratch[0].legal[i]] = 1


@cached
def _write_standings(states: Array, seats: Array, rules: Array, scoring: Array, parts: Array, vectors: Array) -> None:
    """Write the points that each team would have if the games ended now, which ends the games."""
    columns = NUM_POINTS + parts.size
    for row in range(states.shape[0]):
        state, vector = states[row], vectors[row]
        score_game(state, rules[0], scoring[0])
        for distance in range(rules[0].num_teams):
            team = (rules[0].team[seats[row]] + distance) % rules[0].num_teams
            put(vector, distance * columns + POINTS, state.score[team])
            put(vector, distance * columns + DEBT, -state.score[team])
            for i in range(parts.size):
                put(vector, distance * columns + NUM_POINTS + i, state.breakdown[team, parts[i]])
