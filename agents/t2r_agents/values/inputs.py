"""What networks of values read: what one seat knows of a position, or everything, in numbers that say how it stands.

What a seat knows are parts of its observation, parts of the features `plan`, made as if it were to act, and the points
that it would have if the game ended now. Everything is that, with the points as they are, and the hands, tickets and
plans of all other seats, in turn order.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from t2r_agents.features import PlanFeatures
from t2r_agents.features.plan import write_one
from t2r_agents.features.segments import put
from t2r_env import Configuration
from t2r_env.agents import Array
from t2r_env.core.compiled import cached, compiled
from t2r_env.core.layout import Segment, Segments
from t2r_env.rules import ticket_choice
from t2r_env.rules.names import phases
from t2r_env.rules.rulesets import list_legal, observe, reduce_to_view, score_game
from t2r_env.rules.state import SharedRules, SharedState

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


class _Columns(NamedTuple):
    """Where the inputs of a seat come from."""

    observed: NDArray[np.int64]
    """The columns of its observation that are read."""
    hidden: NDArray[np.int64]
    """Those of them that others can't see."""
    planned: NDArray[np.int64]
    """The columns of the features that are read."""
    parts: NDArray[np.int64]
    """The parts of the score."""


class _Memory(NamedTuple):
    """Memory to compute in: arrays of one record each, and vectors."""

    states: Array
    scratch: Array
    scoring: Array
    plan: Array
    probe: Array
    mask: NDArray[np.int8]
    observed: NDArray[np.uint8]
    planned: NDArray[np.uint8]


class ValueInputs:
    """The inputs for positions of one configuration. Several threads may use them."""

    def __init__(self, configuration: Configuration) -> None:
        self.configuration = configuration
        self._features = features = PlanFeatures(configuration)
        layout = configuration.layout
        observed = [it for it in layout.observation.values() if it.name not in NOT_READ]
        hidden = [it for it in observed if it.shape != layout.global_state[it.name].shape]
        planned = [it for it in features.segments.values() if it.name not in NOT_READ]
        parts = configuration.score_parts
        self._columns = _Columns(
            *map(_columns_of, (observed, hidden, planned)), np.array(list(parts.values()), np.int64)
        )
        standing = "for each team in turn order, the seat's first: its points if the game ended now, or how far below"
        standing += f" 0 they are; then the points for {', '.join(parts)}"
        own = [*map(_part, observed), *map(_part, planned)]
        own.append(("standing", (configuration.num_teams, NUM_POINTS + len(parts)), standing))
        self.known = Segments.of(own)
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
        configuration, layout = self.configuration, self.configuration.layout
        segments = self.everything if sees_all else self.known
        vectors = np.zeros((len(states), segments.size), np.uint8)
        memory = _Memory(
            configuration.ruleset.new_states(1),
            *configuration.ruleset.new_scratch(),
            plan=self._features.new_plan(),
            probe=self._features.new_plan(),
            mask=np.zeros(layout.actions.size, np.int8),
            observed=np.zeros(layout.observation.size, np.uint8),
            planned=np.zeros(self._features.segments.size, np.uint8),
        )
        rules, at = configuration.rules, self._features.at
        _write(states, seats, rules, self._features.parameters, at, self._columns, memory, sees_all, vectors)
        return vectors


def _columns_of(segments: Iterable[Segment]) -> NDArray[np.int64]:
    return np.concatenate([np.arange(it.start, it.start + it.size) for it in segments])


def _part(segment: Segment) -> tuple[str, tuple[int, ...], str]:
    return segment.name, segment.shape, segment.meaning


@cached
def _write(
    states: Array,
    seats: Array,
    rules: Array,
    parameters: Array,
    at: Array,
    columns: _Columns,
    memory: _Memory,
    sees_all: bool,
    vectors: Array,
) -> None:
    """Write the inputs of k positions."""
    for row in range(states.shape[0]):
        end = 0
        for distance in range(rules[0].num_seats if sees_all else 1):
            seat = (seats[row] + distance) % rules[0].num_seats
            memory.states[0] = states[row]
            _look(memory.states[0], seat, rules[0], parameters[0], at, memory)
            end = _copy(memory.observed, columns.hidden if distance else columns.observed, vectors[row], end)
            end = _copy(memory.planned, columns.planned, vectors[row], end)
            if distance == 0:
                if sees_all:
                    memory.states[0] = states[row]
                end = _write_standing(
                    memory.states[0], rules[0], memory, rules[0].team[seat], columns, vectors[row], end
                )


@compiled
def _look(state: SharedState, seat: int, rules: Any, parameters: Any, at: Array, memory: _Memory) -> None:
    """Write the observation and the features of a seat, and make the state its view."""
    observe(state, rules, seat, memory.observed)
    _let_decide(state, rules, seat)
    reduce_to_view(state, rules, seat)
    number = list_legal(state, rules, memory.scratch[0])
    for i in range(number):
        memory.mask[memory.scratch[0].legal[i]] = 1
    memory.planned[:] = 0
    write_one(state, memory.mask, rules, parameters, memory.plan[0], memory.probe[0], at, memory.planned)
    for i in range(number):
        memory.mask[memory.scratch[0].legal[i]] = 0


@compiled
def _let_decide(state: SharedState, rules: SharedRules, seat: int) -> None:
    """Let a seat decide that is not to act: on the tickets on offer to it if there are some, else on a turn."""
    if seat != state.current:
        decided = ticket_choice.decided_number(state, seat)
        state.phase = phases.KEEP_TICKET if decided < state.offered_count[seat] else phases.TURN
        state.offer_index = decided
        state.current = seat


@compiled
def _copy(source: Array, columns: Array, vector: Array, start: int) -> int:
    """Copy columns of a vector; return where they end."""
    for i in range(columns.size):
        vector[start + i] = source[columns[i]]
    return start + columns.size


@compiled
def _write_standing(
    state: Any, rules: Any, memory: _Memory, first: int, columns: _Columns, vector: Array, start: int
) -> int:
    """Write the points that each team would have if the game ended now, from the first team on; return their end."""
    score_game(state, rules, memory.scoring[0])
    for distance in range(rules.num_teams):
        team = (first + distance) % rules.num_teams
        put(vector, start + POINTS, state.score[team])
        put(vector, start + DEBT, -state.score[team])
        for i in range(columns.parts.size):
            put(vector, start + NUM_POINTS + i, state.breakdown[team, columns.parts[i]])
        start += NUM_POINTS + columns.parts.size
    return start
