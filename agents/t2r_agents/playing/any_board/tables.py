"""The tables that the network reads: the graph observation, with features of the planner's plan in further columns."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from t2r_agents.playing.features import PlanFeatures
from t2r_agents.playing.planner import AnyMapPlanner
from t2r_env import Configuration
from t2r_env.basics.sizes import MAX_COMPANIES, MAX_TECHNOLOGIES
from t2r_env.core.layout import Segments

Tables: TypeAlias = dict[str, NDArray[Any]]

READ = {"cities": 19, "routes": 62, "tickets": 19, "players": 115, "table": 258, "actions": 66}
"""How many columns of each table of the graph are read, the first ones: new columns come behind them."""
ROWS = {
    "cities": ("stations_planned",),
    "routes": ("routes_planned", "route_readiness", "route_contested", "route_points", "routes_used"),
    "tickets": ("tickets_complete", "tickets_planned", "tickets_impossible", "ticket_trains", "ticket_cards"),
    "actions": ("planner_action", "face_up_missing"),  # the latter for the actions that draw these cards
}
"""The features with a number for each row of a table; each is a column of it."""
WHOLE = {
    "missing_by_colour": 9,
    "spare_by_colour": 9,
    "plan_missing": 2,
    "claims_planned": 2,
    "turns_for_plan": 2,
    "trains_after_plan": 2,
    "trains_to_last_round": 2,
    "points_at_stake": 3,
    "share_points": MAX_COMPANIES,
    "technologies_planned": MAX_TECHNOLOGIES,
    "offer": 5,  # of the ticket that is to be kept or refused now
}
"""The features of the position as a whole, columns of the table `table`, and how many of each there are room for."""
WIDTHS = READ | {name: READ[name] + len(features) for name, features in ROWS.items()}
WIDTHS["table"] += sum(WHOLE.values())
"""The columns of each table."""
PLANNER_ACTION = READ["actions"] + ROWS["actions"].index("planner_action")
"""The column of `actions` that marks what the planner would do."""


class AnyMapPlan(PlanFeatures):
    """The features `plan` of the planner for any map: the parameters tuned on a map would tell of this map."""

    planner = AnyMapPlanner


class PlanColumns:
    """The places of a configuration's features in the tables."""

    def __init__(self, configuration: Configuration, segments: Segments) -> None:
        first = {"face_up_missing": configuration.layout.actions["draw_face_up"].start}  # rows of the others begin at 0
        places: dict[str, list[tuple[int, int, int]]] = {name: [] for name in WIDTHS}  # row, column, feature
        for table, names in ROWS.items():
            for column, name in enumerate(names, READ[table]):
                if name in segments:
                    start, size = segments[name].start, segments[name].size
                    places[table] += [(first.get(name, 0) + row, column, start + row) for row in range(size)]
        column = READ["table"]
        for name, width in WHOLE.items():
            if name in segments:
                start, size = segments[name].start, min(width, segments[name].size)
                places["table"] += [(0, column + index, start + index) for index in range(size)]
            column += width
        self._places = {name: np.array(it, np.int64).reshape(-1, 3).T for name, it in places.items()}

    def widen(self, graphs: Tables, features: NDArray[np.uint8]) -> Tables:
        """Return the tables of k graphs with the features (k, size) in further columns."""
        tables = dict(graphs)
        for name, width in WIDTHS.items():
            graph = graphs[name][..., : READ[name]]
            tables[name] = np.zeros((*graph.shape[:2], width), np.uint8)
            tables[name][..., : READ[name]] = graph
            rows, columns, sources = self._places[name]
            tables[name][:, rows, columns] = features[:, sources]
        return tables
