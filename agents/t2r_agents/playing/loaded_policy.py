"""A policy in an environment's loop: `load_policy("usa").predict(observation)`, as in Stable-Baselines3."""

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from t2r_agents.playing.policy import Policy, draw_actions, relative_probabilities, shipped_policy
from t2r_agents.playing.policy_file import PolicyError
from t2r_env import Configuration, VariantError, configure
from t2r_env.agents import POLICY_SUFFIX
from t2r_env.basics.checks import check_seed
from t2r_env.configuration import as_configuration


class LoadedPolicy:
    """A policy for the environments of one configuration.

    Make the environment from what the policy says: `t2r_env.env(policy.configuration, features=policy.features)`, or
    by id with `num_players`, the options and `features=policy.features`.

    Raises PolicyError if the policy does not fit the configuration.

    Attributes
    ----------
    policy : Policy
    configuration : Configuration
        The game that it plays.
    features : str or None
        The derived features that the environment must be made with.
    observation : Segments
        The layout of the observations that `predict` takes, which is that of such an environment.
    rng : numpy.random.Generator
        Draws the actions that are not `deterministic`.
    """

    def __init__(self, policy: Policy, configuration: Configuration, seed: int | None = None) -> None:
        policy.check(configuration)
        self.policy, self.configuration = policy, configuration
        self.features = policy.features.name if policy.features else None
        self.observation = policy.observation_of(configuration)
        self.rng = np.random.default_rng(None if seed is None else check_seed(seed))

    def __repr__(self) -> str:
        return f"<LoadedPolicy {self.configuration}, features {self.features!r}>"

    def predict(
        self,
        observation: Any,
        state: Any = None,
        episode_start: Any = None,
        deterministic: bool = True,
        action_masks: ArrayLike | None = None,
    ) -> tuple[Any, Any]:
        """Return an action for an observation, np.int64, or actions for k of them, int64 (k,); and `state` as it is.

        `observation` is that of an environment with `features`: a dictionary with `observation`, uint8 (size,) or
        (k, size), and `action_mask`, (actions,) or (k, actions). Or it is the vectors alone, and `action_masks` are the
        masks. The action is the most probable one; without `deterministic` it is drawn. It is 0 where none is legal, as
        after the end of a game. `state` and `episode_start` are there because Stable-Baselines3 has them.

        Raises ValueError if masks are missing, or if shapes or types are others than these.
        """
        vectors, masks = self._arrays(observation, action_masks)
        each, legal = np.atleast_2d(vectors), np.atleast_2d(masks)
        actions = np.zeros(len(each), np.int64)
        rows = np.flatnonzero(legal.any(axis=1))
        if rows.size:
            actions[rows] = self._choose(each[rows], legal[rows], deterministic)
        return (actions[0] if vectors.ndim == 1 else actions), state

    def _arrays(self, observation: Any, action_masks: ArrayLike | None) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
        """Return the vectors and masks of what is given to `predict`."""
        if isinstance(observation, dict):
            action_masks = observation.get("action_mask") if action_masks is None else action_masks
            observation = observation.get("observation")
        if action_masks is None:
            raise ValueError("the vector has no mask: give predict action_masks=info['action_mask']")
        vectors, masks = np.asarray(observation), np.asarray(action_masks)
        size, actions = self.observation.size, self.configuration.layout.actions.size
        if vectors.dtype != np.uint8 or vectors.ndim not in (1, 2) or vectors.shape[-1] != size:
            made = f"features={self.features!r}" if self.features else "no features"
            raise ValueError(
                f"the observation must be uint8, ({size},) or (k, {size}), not {vectors.dtype} {vectors.shape}: make"
                f" the environment of {self.configuration} with {made}"
            )
        shape = (*vectors.shape[:-1], actions)
        if masks.dtype.kind not in "biu" or masks.shape != shape:
            raise ValueError(f"action_masks must be bool or integers, {shape}, not {masks.dtype} {masks.shape}")
        return vectors, (masks != 0).astype(np.int8)

    def _choose(self, vectors: NDArray[np.uint8], masks: NDArray[np.int8], deterministic: bool) -> NDArray[np.int64]:
        """Return legal actions (k,) for vectors (k, size) and masks (k, actions)."""
        policy = self.policy
        logits = policy.legal_logits(policy.logits(policy.reads.fit(vectors, self.observation)), masks)
        if deterministic:
            return np.asarray(logits.argmax(axis=1), np.int64)
        return draw_actions(relative_probabilities(logits), self.rng.random(len(logits)))


def load_policy(
    policy: str | os.PathLike[str] | Configuration,
    num_players: int | None = None,
    *,
    variant: str | os.PathLike[str] | None = None,
    seed: int | None = None,
    **options: Any,
) -> LoadedPolicy:
    """Return a policy for an environment's loop.

    Raises PolicyError if there is none or if it is for other games, and ValueError or TypeError if an argument is not
    allowed.

    Parameters
    ----------
    policy
        The name of a variant (`usa`) or a configuration: the policy that comes with the library for it. Or the path of
        a file that ends in `.safetensors`: that policy, with the options on its card.
    num_players
        By default the smallest number that the variant allows, or of a file the first that it was trained for.
    variant
        For the file of a policy of a map of one's own: the map's folder.
    seed
        Of the actions that are drawn (`LoadedPolicy.rng`), 0 to 2^64 - 1; None: a random one.
    options
        The variant's options, such as `tickets`.
    """
    if isinstance(policy, Configuration) or Path(policy).suffix != POLICY_SUFFIX:
        if variant is not None:
            raise ValueError(f"variant is for the file of a policy, and {policy} is none")
        configuration = as_configuration(policy, num_players, options, load_policy)
        return LoadedPolicy(shipped_policy(configuration), configuration, seed)
    loaded = Policy.load(policy)
    return LoadedPolicy(loaded, _configuration_of(loaded, num_players, variant, options), seed)


def _configuration_of(
    policy: Policy, num_players: int | None, variant: str | os.PathLike[str] | None, options: dict[str, Any]
) -> Configuration:
    """Return the configuration that a policy was trained for, with this number of players."""
    fitting = [it for it in policy.identities if num_players in (None, it["num_players"])]
    if not fitting:
        known = " or ".join(str(it["num_players"]) for it in policy.identities)
        raise PolicyError(f"the policy was trained for {known} players, not for {num_players}")
    identity = fitting[0]
    try:
        return configure(
            variant or identity["variant"], identity["num_players"], **(dict(identity["options"]) | options)
        )
    except VariantError as error:
        raise PolicyError(f"{error}; variant=FOLDER names the folder of a map of one's own") from error
