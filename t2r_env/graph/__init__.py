"""The graph observation: one form for every map game and number of players (docs/graph.md)."""

import numpy as np
from numpy.typing import NDArray

from t2r_env.configuration import Configuration
from t2r_env.graph.columns import UNREACHABLE
from t2r_env.graph.size import GraphSize
from t2r_env.graph.tables import COLUMNS, INDICES, Arrays, opening_tables
from t2r_env.graph.writing import phases_to_copy, segments_to_copy, write_graphs
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.sizes import MAX_CITIES

__all__ = ["COLUMNS", "INDICES", "UNREACHABLE", "GraphSize", "Graphs"]


class Graphs:
    """The graph observations of a batch of games of one configuration, in arrays that are written again and again.

    Raises ValueError unless the configuration is a map game and fits into the size.

    Attributes
    ----------
    arrays : dict
        Tables of columns (`COLUMNS`), uint8 (batch, rows, columns): `cities`, `routes`, `tickets`, `players`, `table`
        (one row) and `actions`; arrays of row numbers (`INDICES`), int16 (batch, rows, columns): `city_regions`,
        `route_ends`, `ticket_ends` and `action_targets`; and `action_mask`, int8 (batch, actions).
    size : GraphSize
        The rows of the tables.
    """

    def __init__(self, configuration: Configuration, batch: int, size: GraphSize | None = None) -> None:
        self.size = size or GraphSize.of(configuration)
        self.size.check(configuration)
        assert isinstance(configuration, MapConfiguration)
        self._configuration = configuration
        opening = opening_tables(configuration, self.size)
        self.arrays: Arrays = {name: np.repeat(table[None], batch, axis=0) for name, table in opening.items()}
        self.arrays["action_mask"] = np.zeros((batch, self.size.actions), np.int8)
        copies = [segments_to_copy(configuration, name, columns) for name, columns in COLUMNS.items()]
        table = list(COLUMNS).index("table")
        named = [it for it in copies[table] if it[-1] != COLUMNS["table"]["phase"].start]
        copies[table] = np.vstack([*named, phases_to_copy(configuration)])
        self._copies = tuple(copies[: table + 1])
        self._distances = np.zeros((2, MAX_CITIES), np.int64)

    def write(
        self, vectors: NDArray[np.uint8], masks: NDArray[np.int8], seats: NDArray[np.int64], rows: NDArray[np.int64]
    ) -> None:
        """Write into `rows` (k,) what the seats (k,) see.

        `vectors`, uint8 (k, size of the observation), are their observations, and `masks`, int8 (k, actions), the legal
        actions.
        """
        tables = [self.arrays[name] for name in (*COLUMNS, *INDICES)]
        write_graphs(vectors, seats, self._configuration.rules, self._copies, self._distances, rows, *tables)
        self.arrays["action_mask"][rows, : masks.shape[1]] = masks
