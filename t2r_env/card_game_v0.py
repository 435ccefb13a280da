"""The PettingZoo environment of the Card Game: `card_game_v0.env(num_players=3)`."""

from t2r_env.envs.aec import AECEnvironment, env_of

env = raw_env = env_of(AECEnvironment, "card_game", __name__)
