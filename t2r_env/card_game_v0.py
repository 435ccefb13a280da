"""The PettingZoo environment of the Card Game: `card_game_v0.env(num_players=3)`."""

from t2r_env.envs import aec

env = aec.env_of(aec.env, "card_game", __name__)
raw_env = aec.env_of(aec.raw_env, "card_game", __name__)
