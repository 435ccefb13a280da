"""The PettingZoo environment of the Card Game: `card_game_v0.env(num_players=3)`."""

from functools import partial

from t2r_env.envs import aec

env = raw_env = partial(aec.env, "card_game")
