"""Every game as a game of OpenSpiel: importing this module registers it there as `python_t2r`.

One chance node draws the deal, from which all that happens by chance in the game follows. So OpenSpiel can play a game
again from its history. docs/tools/openspiel.md says what its algorithms then can and can't do.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_env.basics.packages import needs
from t2r_env.configuration import Configuration, configure
from t2r_env.games import Games
from t2r_env.history.information_state import Recall

with needs("openspiel"):
    import pyspiel

DECISIONS_OF_A_TURN = 40
"""More than a turn has, payments with exchanged cards included: what OpenSpiel takes as the longest game."""

GAME_TYPE = pyspiel.GameType(
    short_name="python_t2r",
    long_name="Ticket to Ride",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=6,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"variant": "new_york", "num_players": 2, "tickets": "", "deals": 1000, "first_deal": 0},
)


class OpenSpielGame(pyspiel.Game):
    """A game of OpenSpiel: `pyspiel.load_game("python_t2r(variant=usa,num_players=3)")`.

    Returns are 1 for the first rank, -1 for the last, linear between, ties averaged; 0 for all if the turn limit ends
    the game.

    Parameters
    ----------
    params
        `variant` and `num_players` as for `t2r_env.configure`; `tickets`, the ticket deck, empty for the usual one.
        `deals`: the number of deals that the chance node draws from, each equally likely: those with the seeds from
        `first_deal` on. Raises ValueError for what is not allowed.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        chosen = GAME_TYPE.parameter_specification | dict(params or {})
        tickets = {"tickets": chosen["tickets"]} if chosen["tickets"] else {}
        self.configuration: Configuration = configure(chosen["variant"], chosen["num_players"], **tickets)
        self.deals = range(chosen["first_deal"], chosen["first_deal"] + chosen["deals"])
        if not self.deals or self.deals[0] < 0:
            told = f"{chosen['deals']} and {chosen['first_deal']}"
            raise ValueError(f"deals must be at least 1, and first_deal at least 0, not {told}")
        information = pyspiel.GameInfo(
            num_distinct_actions=self.configuration.layout.actions.size,
            max_chance_outcomes=len(self.deals),
            num_players=self.configuration.num_players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=DECISIONS_OF_A_TURN * self.configuration.turn_limit,
        )
        super().__init__(GAME_TYPE, information, chosen)

    def new_initial_state(self) -> "OpenSpielState":
        """Return the state before the deal."""
        return OpenSpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "OpenSpielObserver":
        """Return what writes observations, or with perfect recall information states."""
        return OpenSpielObserver(self.configuration, bool(iig_obs_type and iig_obs_type.perfect_recall))


class OpenSpielState(pyspiel.State):
    """A state of OpenSpiel: a game of one row, and what each seat has seen of it."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.configuration, self.deals = game.configuration, game.deals
        self.games: Games | None = None
        """The game, once it is dealt."""
        self.recalls = [Recall(seat) for seat in range(game.configuration.num_players)]

    def current_player(self) -> int:
        """Return the acting seat, or what stands for chance or the end."""
        if self.games is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.games.current[0])

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the deals, by number, with their probabilities."""
        return [(number, 1 / len(self.deals)) for number in range(len(self.deals))]

    def _legal_actions(self, player: int) -> list[int]:
        assert self.games is not None
        legal: list[int] = np.flatnonzero(self.games.masks[0]).tolist()
        return legal

    def _apply_action(self, action: int) -> None:
        if self.games is None:
            self.games = Games(self.configuration, seed=self.deals[action], autoreset=False, observe=False)
            return
        for recall in self.recalls:
            recall.note(self.games, action)
        self.games.step([action])

    def _action_to_string(self, player: int, action: int) -> str:
        """Return an action in words, with its number: equal actions, such as two red face-up cards, are several."""
        if self.games is None:
            return f"deal {self.deals[action]}"
        return f"{self.games.describe(action)} #{action}"

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.games is not None and bool(self.games.terminated[0] or self.games.truncated[0])

    def returns(self) -> list[float]:
        """Return the rewards of the seats at the end of the game, before it zeros."""
        if self.games is None or not self.is_terminal():
            return [0.0] * self.configuration.num_players
        rewards: list[float] = self.games.rewards[0].astype(float).tolist()
        return rewards

    def resample_from_infostate(self, player: int, rng: Any) -> "OpenSpielState":
        """Return a state in which all that the acting seat can't know is dealt again, the future included.

        It has no history: it can be played on, but not serialized. Raises ValueError for a seat that is not to act.
        """
        if self.games is None or player != self.current_player():
            raise ValueError(f"player must be the acting seat, {self.current_player()}, not {player}")
        resampled: OpenSpielState = self.clone()
        assert resampled.games is not None
        resampled.games.set_states([0], self.games.determinize([0], [int(rng() * 2**53)]))
        for recall in resampled.recalls:
            recall.follow(self.games, resampled.games)
        return resampled

    def __str__(self) -> str:
        if self.games is None:
            return "before the deal"
        return f"{self.configuration}, {self.games.standing}, {self.recalls[0].key(self.games)}"


class OpenSpielObserver:
    """The writer of a seat's observations, or of its information states."""

    def __init__(self, configuration: Configuration, perfect_recall: bool) -> None:
        self.perfect_recall = perfect_recall
        self.tensor: NDArray[np.float32] = np.zeros(configuration.layout.observation.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Write what the seat sees: with perfect recall, too, without the order of actions."""
        self.tensor[:] = 0 if state.games is None else _observed(state.games, player)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Return the observation in hexadecimal digits; with perfect recall the key of what the seat has seen."""
        if state.games is None:
            return "before the deal"
        if self.perfect_recall:
            return f"{player} {state.recalls[player].key(state.games)}"
        return f"{player} {_observed(state.games, player).tobytes().hex()}"


def _observed(games: Games, seat: int) -> NDArray[np.uint8]:
    """Return what a seat sees."""
    seen: NDArray[np.uint8] = games.observe([0], [seat])[0]
    return seen


pyspiel.register_game(GAME_TYPE, OpenSpielGame)
