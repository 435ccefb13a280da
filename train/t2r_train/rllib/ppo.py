"""RLlib's PPO with the losses and targets of `t2r_train.learner`."""

import tempfile
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from ray.rllib.algorithms.ppo import PPO
from ray.rllib.algorithms.ppo.torch.ppo_torch_learner import PPOTorchLearner
from ray.rllib.connectors.connector_v2 import ConnectorV2
from ray.rllib.connectors.learner import GeneralAdvantageEstimation
from ray.rllib.core import DEFAULT_MODULE_ID
from ray.rllib.core.columns import Columns
from ray.rllib.evaluation.postprocessing import Postprocessing
from ray.rllib.utils.postprocessing.value_predictions import compute_value_targets
from torch import Tensor

from t2r_train.learner import new_optimizer, ppo_loss
from t2r_train.network import Network
from t2r_train.rllib.environment import RANK_REWARD
from t2r_train.rllib.module import OUTCOMES

OUTCOME_TARGETS = "outcome_targets"


class QuietPPO(PPO):
    """PPO that writes nothing into the home folder, where RLlib's has a folder of results."""

    def _setup_logdir(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="t2r_rllib_")
        self._logdir = self._folder.name

    def cleanup(self) -> None:
        """As RLlib's, which `stop` calls."""
        super().cleanup()
        self._folder.cleanup()


class Targets(ConnectorV2):
    """Computes what to learn from whole batches: in place of RLlib's advantages, because outcomes are learned, too.

    RLlib has added a step to each piece of a game, for the value of what follows. This drops it when it is used.
    """

    def __init__(self, gamma: float, gae_lambda: float) -> None:
        super().__init__()
        self.gamma, self.gae_lambda = gamma, gae_lambda
        self.statistics: dict[str, float] = {}
        """Of the last batch."""

    def __call__(self, *, rl_module: Any, episodes: Any, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        """Return the batch with the columns that the loss takes, a row for each decision."""
        module, columns = rl_module[DEFAULT_MODULE_ID].unwrapped(), batch[DEFAULT_MODULE_ID]
        with torch.inference_mode():
            values, outcomes = (part.float().cpu().numpy() for part in module.values_and_outcomes(columns))
        is_decision, ends, cuts = (
            columns[name].cpu().numpy().astype(bool)
            for name in (Columns.LOSS_MASK, Columns.TERMINATEDS, Columns.TRUNCATEDS)
        )
        ranks = np.zeros(len(values), np.float32)
        ranks[ends] = [episode.get_infos(-1)[RANK_REWARD] for episode in episodes if episode.is_terminated]

        def targets_of(predictions: NDArray[Any], rewards: NDArray[Any], gamma: float) -> NDArray[np.float32]:
            made = compute_value_targets(predictions, rewards, ends, cuts, gamma, self.gae_lambda)
            targets: NDArray[np.float32] = made[is_decision]
            return targets

        returns = targets_of(values, columns[Columns.REWARDS].cpu().numpy(), self.gamma)
        advantages = returns - values[is_decision]
        spread = returns.var()
        self.statistics = {
            "train/explained_variance": float(1 - advantages.var() / spread) if spread else float("nan"),
            "timesteps": float(len(returns)),
        }
        targets = {
            Postprocessing.ADVANTAGES: (advantages - advantages.mean()) / (advantages.std() + 1e-8),
            Postprocessing.VALUE_TARGETS: returns,
            OUTCOME_TARGETS: targets_of(outcomes, ranks, 1.0),
        }
        kept = (Columns.OBS, Columns.ACTIONS, Columns.ACTION_LOGP, Columns.ACTION_DIST_INPUTS)
        rows, device = torch.from_numpy(is_decision), columns[Columns.OBS].device
        batch[DEFAULT_MODULE_ID] = {name: columns[name][rows] for name in kept} | {
            name: torch.from_numpy(array).to(device) for name, array in targets.items()
        }
        return batch


class NetworkLearner(PPOTorchLearner):
    """RLlib's learner of a `NetworkModule`."""

    _targets: Targets
    _only_values: bool
    _parts: list[dict[str, Tensor]]

    @property
    def network(self) -> Network:
        """The network that learns."""
        network: Network = self.module[DEFAULT_MODULE_ID].unwrapped().network
        return network

    def build(self) -> None:
        """As RLlib's, with other targets."""
        super().build()
        settings = self.network.settings
        self._targets = Targets(settings.gamma, settings.gae_lambda)
        self._learner_connector.remove(GeneralAdvantageEstimation)
        self._learner_connector.append(self._targets)

    def configure_optimizers_for_module(self, module_id: str, config: Any = None) -> None:
        """The optimiser of `t2r_train.learner`."""
        optimizer = new_optimizer(self.module[module_id])
        parameters = list(self.module[module_id].parameters())
        self.register_optimizer(
            module_id=module_id, optimizer=optimizer, params=parameters, lr_or_lr_schedule=config.lr
        )

    def begin(self, learning_rate: float, only_values: bool) -> None:
        """Begin an iteration; `only_values` as for `ppo_loss`."""
        self._only_values, self._parts = only_values, []
        self._set_optimizer_lr(self.get_optimizer(), learning_rate)

    def compute_loss_for_module(
        self, *, module_id: str, config: Any, batch: dict[str, Tensor], fwd_out: dict[str, Tensor]
    ) -> Tensor:
        """The loss of a minibatch."""
        loss, parts = ppo_loss(
            (fwd_out[Columns.ACTION_DIST_INPUTS], fwd_out[Columns.VF_PREDS], fwd_out[OUTCOMES]),
            self.network.settings,
            actions=batch[Columns.ACTIONS].long(),
            old=batch[Columns.ACTION_LOGP],
            reference=batch[Columns.ACTION_DIST_INPUTS],
            advantages=batch[Postprocessing.ADVANTAGES],
            returns=batch[Postprocessing.VALUE_TARGETS],
            outcomes=batch[OUTCOME_TARGETS],
            only_values=self._only_values,
        )
        self._parts.append(parts)
        return loss

    def end(self) -> tuple[dict[str, Any], dict[str, float]]:
        """The states of network and optimiser, and the statistics of the iteration: none if it had no decisions."""
        state = {"network": self.network.state_dict(), "optimizer": self.get_optimizer().state_dict()}
        if not self._parts:
            return state, {}
        names = self._parts[0]
        means = {f"train/{name}": torch.stack([parts[name] for parts in self._parts]).mean().item() for name in names}
        return state, means | self._targets.statistics

    def restore(self, network: dict[str, Any], optimizer: dict[str, Any]) -> None:
        """Go on with the states of network and optimiser."""
        self.network.load_state_dict(network)
        self.get_optimizer().load_state_dict(optimizer)
