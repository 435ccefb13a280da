"""A model of sb3-contrib as an agent: any network that MaskablePPO can have, in tournaments and everywhere else.

It is for models that were trained on `SeatVecEnv`, as examples/stable_baselines.py does, which see the vector alone.
Needs the extra `train`.

    t2r tournament --variant new_york --agents examples.stable_baselines_agent:ModelAgent:model.zip greedy random
"""

import numpy as np
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO

from t2r_env.agents import Decisions


class ModelAgent:
    """Plays the most probable actions of a model that `MaskablePPO.save` has written."""

    stateless = True

    def __init__(self, file: str) -> None:
        self.model = MaskablePPO.load(file, device="cpu")

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Return a legal action for each of the k decisions, shape (k,)."""
        actions, _ = self.model.predict(decisions.observations, action_masks=decisions.masks, deterministic=True)
        return actions
