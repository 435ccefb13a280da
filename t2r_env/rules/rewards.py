"""What a game's course is worth to a seat. Shared by all games.

`rank`: +1 for the first place, -1 for the last, linear between; who shares places shares their average; zero before the
end. `win`: 1 shared among the winners, 0 otherwise. `score`: points as they come. `margin`: by how much the lead over
the best opponent grows (it is negative for all but the leader). Team teammates get the same.
"""

import numpy as np

from t2r_env.rules.compiled import compiled, inlined
from t2r_env.rules.records import Record

NO_SCORE = -(1 << 30)
"""Less than any score."""

# How a game stands.
RUNNING, FINISHED, TRUNCATED, FORFEITED = range(4)
OUTCOMES = ("running", "finished", "truncated", "forfeited")

RANK, WIN, SCORE, MARGIN = range(4)
REWARDS = ("rank", "win", "score", "margin")


@inlined
def note_scores(state: Record, rules: Record, scratch: Record) -> None:
    """Remember the scores before a step."""
    for team in range(rules.num_teams):
        scratch.score_before[team] = state.score[team]


@compiled
def reward(state: Record, rules: Record, scratch: Record, scheme: int, rewards: np.ndarray) -> None:
    """Write what the step since `note_scores` was worth to each seat."""
    if scheme == SCORE:
        _reward_points(state, rules, scratch, rewards)
    elif scheme == MARGIN:
        _reward_margins(state, rules, scratch, rewards)
    elif state.outcome == FINISHED:
        _reward_places(state, rules, scheme, rewards)


@compiled
def _reward_points(state: Record, rules: Record, scratch: Record, rewards: np.ndarray) -> None:
    """The points that each seat's side has made."""
    for seat in range(rules.num_seats):
        team = rules.team[seat]
        rewards[seat] = state.score[team] - scratch.score_before[team]


@compiled
def _reward_margins(state: Record, rules: Record, scratch: Record, rewards: np.ndarray) -> None:
    """By how many points each seat's side leads the best other side more than before."""
    for seat in range(rules.num_seats):
        lead = _lead(state.score, rules.num_teams, rules.team[seat])
        rewards[seat] = lead - _lead(scratch.score_before, rules.num_teams, rules.team[seat])


@inlined
def _lead(scores: np.ndarray, num_teams: int, team: int) -> int:
    """A side's score less the best of the others'."""
    best = NO_SCORE
    for other in range(num_teams):
        if other != team:
            best = max(best, scores[other])
    return scores[team] - best


@compiled
def _reward_places(state: Record, rules: Record, scheme: int, rewards: np.ndarray) -> None:
    """Write what each seat's place is worth at the end, for the schemes `rank` and `win`."""
    for seat in range(rules.num_seats):
        rank = state.rank[rules.team[seat]]
        sharing = 0
        for team in range(rules.num_teams):
            if state.rank[team] == rank:
                sharing += 1
        if scheme == RANK:
            place = rank + (sharing - 1) / 2
            rewards[seat] = 1 - 2 * (place - 1) / (rules.num_teams - 1)
        else:
            rewards[seat] = 1 / sharing if rank == 1 else 0
