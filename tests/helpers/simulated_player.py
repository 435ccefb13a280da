"""Who plays in the simulations of a search with a policy, as an agent: so it is compiled before tests run."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from t2r_agents.playing.ismcts.policy_search import new_player
from t2r_agents.playing.ismcts.simulation import Player, choose
from t2r_agents.playing.policy import Policy, PolicyFeatures
from t2r_env import Configuration
from t2r_env.agents import Array, Decisions
from t2r_env.core.compiled import cached
from t2r_env.features import find_features

HIDDEN = 8


def policy_for(configuration: Configuration, features: str | None = None, scale: float = 0.05) -> Policy:
    """A policy with random weights and values between about -1 and 1."""
    rng = np.random.default_rng(0)
    inputs = configuration.layout.observation.size
    if features:
        inputs += find_features(features, configuration).segments.size
    first, last, value = (
        (rng.normal(size=shape) * scale, np.zeros(shape[1]))
        for shape in ((inputs, HIDDEN), (HIDDEN, configuration.layout.actions.size), (HIDDEN, 1))
    )
    used = PolicyFeatures.of(features, [configuration]) if features else None
    layers, observation = (first, last), configuration.layout.observation
    return Policy((configuration.identity,), observation, layers, features=used, value_layers=(value,))


def with_rollout(policy: Policy, scale: float = 0.05) -> Policy:
    """The policy with a random rollout network."""
    rng = np.random.default_rng(1)
    shapes = (policy.observation.size, 5), (5, policy.layers[-1][1].size)
    layers = tuple(
        (rng.normal(size=shape).astype(np.float32) * scale, np.zeros(shape[1], np.float32)) for shape in shapes
    )
    return replace(policy, rollout_layers=layers, planner_weight=2.0)


@cached
def draw_rows(
    states: Array, masks: Array, rules: Array, scratch: Array, player: Player, words: Array, actions: Array
) -> None:
    """Write the actions that a player draws in states, (k,), of those legal there, (k, actions)."""
    for row in range(len(states)):
        number = 0
        for action in range(masks.shape[1]):
            if masks[row, action]:
                scratch[0].legal[number] = action
                number += 1
        for seat in range(rules[0].num_seats):
            player.histories[seat].has_plan = 0
        actions[row] = choose(states[row], rules[0], scratch[0], number, player, words[row])


def drawn(
    states: Array, masks: Array, configuration: Configuration, policy: Policy, words: NDArray[np.uint64]
) -> NDArray[np.int64]:
    """The actions that the player of a policy's simulations draws in states, (k,), from random words, (k,)."""
    actions = np.zeros(len(states), np.int64)
    scratch, player = configuration.ruleset.new_scratch().deciding, new_player(configuration, policy)
    draw_rows(states.copy(), masks.copy(), configuration.rules, scratch, player, words.copy(), actions)
    return actions


class SimulatedPlayer:
    """An agent that draws its actions as simulations do."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        configuration = decisions.configuration
        policy = with_rollout(policy_for(configuration))
        return drawn(decisions.views, decisions.masks, configuration, policy, decisions.seeds)
