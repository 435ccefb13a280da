"""Reviews: what each decision of a recorded game was worth, and what luck did.

`review_game(replay)` makes a `Review`: the chances of all seats over the game, and the split of each of their changes
(`review`); `summary` puts the most important into sentences, `tables` writes all of it.
"""

from t2r_env.basics.packages import needs

with needs("tournament"):
    from t2r_agents.comparing.review.review import Choices, Review, review_game
    from t2r_agents.comparing.review.summary import Moment, Summary, summarise

__all__ = ["Choices", "Moment", "Review", "Summary", "review_game", "summarise"]
