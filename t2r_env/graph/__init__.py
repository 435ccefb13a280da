"""The graph observation: one form for every map game and number of players (docs/graph.md)."""

import numpy as np
from numpy.typing import NDArray

from t2r_env.basics.sizes import MAX_CITIES
from t2r_env.configuration import Configuration
from t2r_env.graph.columns import UNREACHABLE
from t2r_env.graph.size import GraphSize
from t2r_env.graph.tables import COLUMNS, INDICES, Arrays, opening_tables
from t2r_env.graph.writing import segments_to_copy, write_graphs
from t2r_env.rules.map_game.configuration import MapConfiguration

__all__ = ["COLUMNS", "INDICES", "UNREACHABLE", "GraphSize", "GraphWriter"]


class GraphWriter:
    """Writes the graph observations of one configuration, from vectors.

    The arrays of k decisions are tables of columns (`COLUMNS`), uint8 (k, rows, columns): `cities`, `routes`,
    `tickets`, `players`, `table` (one row) and `actions`; arrays of row numbers (`INDICES`), int16 (k, rows, columns):
    `city_regions`, `route_ends`, `ticket_ends` and `action_targets`; and `action_mask`, int8 (k, actions).

    Raises ValueError unless the configuration is a map game and fits into the size.

    Attributes
    ----------
    size : GraphSize
        The rows of the tables.
    """

    def __init__(self, configuration: Configuration, size: GraphSize | None = None) -> None:
        self.size = size or GraphSize.of(configuration)
        self.size.check(configuration)
        assert isinstance(configuration, MapConfiguration)
        self._configuration = configuration
        self._opening = opening_tables(configuration, self.size)
        self._copies = tuple(segments_to_copy(configuration, name) for name in COLUMNS if name != "actions")
        self._distances = np.zeros((2, MAX_CITIES), np.int64)

    def new_arrays(self, number: int) -> Arrays:
        """Return arrays for this many decisions, with all that does not change during a game."""
        arrays: Arrays = {name: np.repeat(table[None], number, axis=0) for name, table in self._opening.items()}
        return arrays | {"action_mask": np.zeros((number, self.size.actions), np.int8)}

    def write(
        self,
        arrays: Arrays,
        vectors: NDArray[np.uint8],
        masks: NDArray[np.int8],
        seats: NDArray[np.int64],
        rows: NDArray[np.int64],
    ) -> None:
        """Write into `rows` (k,) of the arrays what the seats (k,) see.

        `vectors`, uint8 (k, size of the observation or more), are their observations, and `masks`, int8 (k, actions),
        the legal actions. The arrays are those of `new_arrays`, of any decisions written before.
        """
        tables = [arrays[name] for name in (*COLUMNS, *INDICES)]
        write_graphs(vectors, seats, self._configuration.rules, self._copies, self._distances, rows, *tables)
        arrays["action_mask"][rows, : masks.shape[1]] = masks

    def observe(self, vectors: NDArray[np.uint8], masks: NDArray[np.int8], seats: NDArray[np.int64]) -> Arrays:
        """Return new arrays of what the seats (k,) see, as for `write`."""
        arrays = self.new_arrays(len(vectors))
        self.write(arrays, vectors, masks, seats, np.arange(len(vectors)))
        return arrays
