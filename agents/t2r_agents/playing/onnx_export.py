"""Policies as ONNX files, for runtimes of other languages and devices."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_agents.playing.loaded_policy import LoadedPolicy
from t2r_agents.playing.network import Layer
from t2r_env import __version__
from t2r_env.basics.packages import needs
from t2r_env.basics.writing import replacing

with needs("onnx"):
    from onnx import ModelProto, NodeProto, TensorProto, checker, helper, numpy_helper

OPSET, IR_VERSION = 13, 7
"""Old versions, which most runtimes know."""

Tensors = dict[str, tuple[int, list[str | int]]]
"""The type and shape of inputs or outputs, by name."""


def export_onnx(policy: LoadedPolicy, path: str | os.PathLike[str]) -> None:
    """Write a policy of `load_policy` as an ONNX file for the environments of its configuration. An earlier one goes.

    Inputs, for k decisions:

    - `observation`: uint8 (k, size), the vector of an environment made with the policy's features,
    - `action_mask`: int8 (k, actions).

    Outputs:

    - `logits`: float32 (k, actions), -inf for illegal actions,
    - `action`: int64 (k,), the most probable legal action,
    - `value`: float32 (k,), the expected reward for the rank at the end, if the policy has values.
    """
    model = _model(policy)
    checker.check_model(model)
    with replacing(Path(path)) as new:
        new.write_bytes(model.SerializeToString())


class _Graph:
    """The nodes and constants of a graph, in the order in which they are added."""

    def __init__(self) -> None:
        self.nodes: list[NodeProto] = []
        self.constants: list[TensorProto] = []

    def add(self, operator: str, *inputs: str | NDArray[Any], output: str = "", **attributes: Any) -> str:
        """Add a node whose inputs are names or constants; return the name of its output."""
        output = output or f"{operator.lower()}_{len(self.nodes)}"
        names = [it if isinstance(it, str) else self._constant(it) for it in inputs]
        self.nodes.append(helper.make_node(operator, names, [output], **attributes))
        return output

    def _constant(self, array: NDArray[Any]) -> str:
        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def add_layers(self, values: str, layers: Sequence[Layer]) -> str:
        """Add layers with ReLU before each, as `t2r_agents.playing.network.apply_layers` does."""
        for weight, bias in layers:
            values = self.add("Gemm", self.add("Relu", values), weight.astype(np.float32), bias.astype(np.float32))
        return values


def _model(loaded: LoadedPolicy) -> ModelProto:
    """Return the graph of a policy for the observations of its configuration."""
    policy, size, num_actions = loaded.policy, loaded.observation.size, loaded.configuration.layout.actions.size
    columns = policy.reads.fit(np.eye(size, dtype=np.float32), loaded.observation)  # (size, inputs of the network)
    layers = [*policy.layers]
    layers[0] = columns @ layers[0][0], layers[0][1]
    layers[-1] = layers[-1][0][:, :num_actions], layers[-1][1][:num_actions]
    graph = _Graph()
    seen = graph.add("Cast", "observation", to=TensorProto.FLOAT)
    first = graph.add_layers(seen, layers[:1])
    logits = graph.add_layers(first, layers[1:])
    if policy.skip:
        added = columns[:, policy.skip.first :][:, :num_actions]  # each column is of one entry of the observation
        chosen = graph.add("Gather", seen, added.argmax(axis=0), axis=1)
        weights = policy.skip.weight * added.max(axis=0)
        logits = graph.add("Add", logits, graph.add("Mul", chosen, weights.astype(np.float32)))
    is_legal = graph.add("Cast", "action_mask", to=TensorProto.BOOL)
    graph.add("Where", is_legal, logits, np.array(-np.inf, np.float32), output="logits")
    graph.add("ArgMax", "logits", output="action", axis=1, keepdims=0)
    outputs: Tensors = {"logits": (TensorProto.FLOAT, ["k", num_actions]), "action": (TensorProto.INT64, ["k"])}
    if policy.value_layers:
        graph.add("Squeeze", graph.add_layers(first, policy.value_layers), np.array([1]), output="value")
        outputs["value"] = TensorProto.FLOAT, ["k"]
    inputs: Tensors = {
        "observation": (TensorProto.UINT8, ["k", size]),
        "action_mask": (TensorProto.INT8, ["k", num_actions]),
    }
    return _as_model(graph, inputs, outputs)


def _as_model(graph: _Graph, inputs: Tensors, outputs: Tensors) -> ModelProto:
    made = helper.make_graph(
        graph.nodes,
        "policy",
        [helper.make_tensor_value_info(name, *it) for name, it in inputs.items()],
        [helper.make_tensor_value_info(name, *it) for name, it in outputs.items()],
        graph.constants,
    )
    return helper.make_model(
        made,
        producer_name="t2r_env",
        producer_version=__version__,
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
    )
