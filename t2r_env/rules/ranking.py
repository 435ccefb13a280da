"""Points, ranks (C18, CG14) and rewards, as in all games."""

from t2r_env.core.compiled import compiled, inlined
from t2r_env.core.records import Array
from t2r_env.rules.names import outcomes, schemes
from t2r_env.rules.state import ScoringScratch, SharedRules, SharedScratch, SharedState

NO_TIE_BREAK = -1
NO_SCORE = -(1 << 30)
"""Less than any score."""


@inlined
def add_points(state: SharedState, team: int, part: int, points: int) -> None:
    """Add to a team's score as one of its parts."""
    state.score[team] += points
    state.breakdown[team, part] += points


@compiled
def clear_points(state: SharedState) -> None:
    """Clear all points and results."""
    state.score[:] = 0
    state.breakdown[:] = 0
    state.completed[:] = 0
    state.failed[:] = 0
    state.rank[:] = 0


@compiled
def has_most(rules: SharedRules, values: Array, team: int) -> bool:
    """Whether no team has more than this one, and this one has some: who shares the most has it too (C17)."""
    for other in range(rules.num_teams):
        if values[other] > values[team]:
            return False
    return values[team] > 0


@compiled
def rank_teams(state: SharedState, rules: SharedRules, scoring: ScoringScratch) -> None:
    """Rank the teams: a team's rank is one more than the number of teams before it.

    `scoring.standing` has what tie-breaks compare.
    """
    for team in range(rules.num_teams):
        rank = 1
        for other in range(rules.num_teams):
            if _is_before(state, rules, scoring, other, team):
                rank += 1
        state.rank[team] = rank


@compiled
def _is_before(state: SharedState, rules: SharedRules, scoring: ScoringScratch, team: int, other: int) -> bool:
    """Whether a team beats another: by points, then by the game's tie-breaks in their order."""
    if state.score[team] != state.score[other]:
        return state.score[team] > state.score[other]
    for criterion in rules.tie_break:
        if criterion != NO_TIE_BREAK:
            lead = scoring.standing[criterion, team] - scoring.standing[criterion, other]
            if lead != 0:
                return lead > 0
    return False


# Rewards of a step: `t2r_env.Games` explains the schemes; teammates get the same


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
