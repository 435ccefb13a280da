"""Rewards of a step for each seat, as in all games (`t2r_env.Games` explains the schemes). Teammates get the same."""

from t2r_env.core.compiled import compiled, inlined
from t2r_env.core.records import Array
from t2r_env.rules.names import outcomes, schemes
from t2r_env.rules.state import SharedRules, SharedScratch, SharedState

NO_SCORE = -(1 << 30)
"""Less than any score."""


@inlined
def note_scores(state: SharedState, rules: SharedRules, scratch: SharedScratch) -> None:
    """Remember the scores before a step."""
    for team in range(rules.num_teams):
        scratch.score_before[team] = state.score[team]


@compiled
def reward(state: SharedState, rules: SharedRules, scratch: SharedScratch, scheme: int, rewards: Array) -> None:
    """Write the reward of each seat for the step since `note_scores`."""
    for seat in range(rules.num_seats):
        team = rules.team[seat]
        if scheme == schemes.SCORE:
            rewards[seat] = state.score[team] - scratch.score_before[team]
        elif scheme == schemes.MARGIN:
            lead = _lead(state.score, rules.num_teams, team)
            rewards[seat] = lead - _lead(scratch.score_before, rules.num_teams, team)
        elif state.outcome == outcomes.FINISHED:
            rewards[seat] = _reward_rank(state, rules, state.rank[team], scheme)


@inlined
def _lead(scores: Array, num_teams: int, team: int) -> int:
    """Return a team's score less the best of the others'."""
    best = NO_SCORE
    for other in range(num_teams):
        if other != team:
            best = max(best, scores[other])
    return scores[team] - best


@compiled
def _reward_rank(state: SharedState, rules: SharedRules, rank: int, scheme: int) -> float:
    """Return the reward for a rank at the end, in the schemes `rank` and `win`."""
    sharing = 0
    for team in range(rules.num_teams):
        if state.rank[team] == rank:
            sharing += 1
    if scheme == schemes.RANK:
        mean_rank = rank + (sharing - 1) / 2
        return 1 - 2 * (mean_rank - 1) / (rules.num_teams - 1)
    return 1 / sharing if rank == 1 else 0.0
