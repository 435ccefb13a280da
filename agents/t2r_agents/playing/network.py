"""The layers of a policy's network, computed one row at a time.

A row comes out the same to the last bit however many there are. Inputs that are zero cost nothing: five in six of a
policy's are, and about half of what follows a ReLU.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from t2r_env.core.compiled import cached, compiled
from t2r_env.core.records import Array

Layer = tuple[NDArray[np.floating], NDArray[np.floating]]
"""The weight (inputs, outputs) and the bias (outputs,) of a layer."""


def apply_layers(layers: Sequence[Layer], inputs: NDArray[np.uint8] | NDArray[np.floating]) -> NDArray[np.floating]:
    """Return the outputs (k, outputs) of layers with ReLU before each, from inputs (k, inputs), in the weights' dtype.

    The inputs of the first layer may be uint8, for which ReLU changes nothing.
    """
    values: Array = inputs
    for weight, bias in layers:
        outputs = np.empty((len(values), bias.size), weight.dtype)
        _apply(values, weight, bias, outputs)
        values = outputs
    return values


@cached
def _apply(inputs: Array, weight: Array, bias: Array, outputs: Array) -> None:
    """Write the outputs of one layer."""
    for row in range(len(inputs)):
        apply_row(inputs[row], weight, bias, outputs[row])


@compiled
def apply_row(inputs: Array, weight: Array, bias: Array, outputs: Array) -> None:
    """Write the outputs of one layer for one row; inputs below zero count as zero."""
    for j in range(len(bias)):
        outputs[j] = bias[j]
    for i in range(len(weight)):
        value = inputs[i]
        if value > 0:
            factor = weight.dtype.type(value)
            for j in range(len(bias)):
                outputs[j] += factor * weight[i, j]
