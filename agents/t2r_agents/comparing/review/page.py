"""A review as replay pages show it."""

import numpy as np

from t2r_agents.comparing.review.review import CONFIDENCE, MISTAKE, SECOND, Progress, Review, default_agent, review_game
from t2r_agents.comparing.review.summary import Summary, combined, summarise
from t2r_agents.playing.values import find_judge
from t2r_env import Replay
from t2r_env.render.page_review import Luck, PageReview, Part, Reviewer
from t2r_env.render.words import listed


def page_review(review: Review) -> PageReview:
    """Return what a page shows of a review (`t2r_env.render.replay_page.render_replay_html`)."""
    reviewers = [
        Reviewer(choices.agent, choices.opinions, review.loss(number), choices.error, review.mistakes(number))
        for number, choices in enumerate(review.choices)
    ]
    measured, summary = review.calibration, summarise(review)
    return PageReview(
        reviewers=reviewers,
        chances=review.chances,
        seats=review.seats,
        known=review.known,
        parts=summary.parts,
        known_parts=_known_parts(review, summary),
        luck=Luck(*(it[np.arange(len(it)), review.seats] for it in (review.luck, review.luck_error))),
        known_luck=Luck(review.known_luck, review.known_luck_error),
        ticket_chances=review.ticket_chances,
        reliability={name: measured[name]["reliability"] for name in ("everything", "known") if name in measured},
        measured_on=f"{measured['games']:,} games of {listed(measured['agents'])}" if measured else "",
        judged_by=_judged_by(review),
        sees_truth=_sees_truth(review),
    )


def _known_parts(review: Review, summary: Summary) -> list[Part]:
    """Return what made the result of each seat, by what it knew. Losses from true positions are not told."""
    seats = np.arange(review.configuration.num_players)
    is_own = review.seats[:, None] == seats
    known = review.known[:, seats, seats]
    told = [
        Part("even", summary.even),
        Part("deal", known[0] - summary.even),
        Part(
            "luck",
            (review.known_luck[:, None] * is_own).sum(axis=0),
            combined(review.known_luck_error[:, None] * is_own),
        ),
    ]
    if not _sees_truth(review):
        told.insert(2, Part("own decisions", summary.own_decisions, summary.own_decisions_error))
    rest = known[-1] - sum(part.values for part in told)
    return [*told, Part("rest", rest), Part(summary.parts[-1].name, known[-1])]


def _sees_truth(review: Review) -> bool:
    return review.rollouts > 0 and review.from_true


def usual_review(replay: Replay, progress: Progress = lambda done, total: None) -> PageReview | None:
    """Return the review of a game by the agent that reviews by default and the planner; None without values for it.

    Raises ValueError for a game without decisions.
    """
    if find_judge(replay.configuration) is None:
        return None
    agents = dict.fromkeys([default_agent(replay.configuration), SECOND])
    return page_review(review_game(replay, list(agents), progress=progress))


def _judged_by(review: Review) -> str:
    """Return how losses are judged, in sentences."""
    if review.rollouts:
        first = review.choices[0].agent
        begin = "the true position" if review.from_true else "deals of what the player could not know"
        how = f"in {review.rollouts} games that {first} plays to the end after each action, from {begin}"
    else:
        how = f"by a network of values, in {review.deals} deals of what the player could not know"
    return (
        f"Losses are points of 100 of the acting player's chance to win: the action played against the agent's choice,"
        f" {how}. Intervals ({CONFIDENCE:.0%}) tell the noise of these, not the error of the"
        f" {'agent' if review.rollouts else 'network'}. A mistake costs at least {100 * MISTAKE:.0f} points, and more"
        " than half of its interval."
    )
