"""Points and ranks, as in all games (C18, CG14)."""

from t2r_env.core.compiled import compiled, inlined
from t2r_env.core.records import Array
from t2r_env.rules.state import ScoringScratch, SharedRules, SharedState

NO_TIE_BREAK = -1


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
