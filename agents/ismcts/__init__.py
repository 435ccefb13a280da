"""The agent `ismcts`: information-set Monte Carlo tree search on deals of what its seat can't know."""

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.ismcts import card_game, map_game
from agents.ismcts.tree import NODE, NOTHING, ROOM, search
from t2r_env.agents import Array, Questions
from t2r_env.boxes.box import MAX_SEATS
from t2r_env.configuration import Configuration

TREES = 4

_PLAYERS: dict[str, Any] = {"map_game": map_game, "card_game": card_game}


class ISMCTSAgent:
    def __init__(self, budget: str = "200") -> None:
        self.simulations = int(budget)
        self._settings = np.array([1.0, 0.1, 0.0, 50.0, 0, 0, 0, 0])
        self._trees = TREES
        for pair in os.environ.get("IS", "").split():
            k, v = pair.split("=")
            if k == "t":
                self._trees = int(v)
            else:
                self._settings[int(k)] = float(v)
        self._local = threading.local()

    def act(self, questions: Questions) -> NDArray[np.int64]:
        answers = questions.masks.argmax(axis=1).astype(np.int64)
        rows = np.flatnonzero(questions.masks.sum(axis=1) > 1)
        jobs = [(questions, int(row), tree) for row in rows for tree in range(self._trees)]
        if len(jobs):
            results = [self._grow(*job) for job in jobs]
            for i, row in enumerate(rows):
                visits = sum(results[i * self._trees : (i + 1) * self._trees])
                answers[row] = visits.argmax()
        return answers

    def _grow(self, questions, row, tree):
        configuration = questions.configuration
        room = self._room(configuration)
        share = self.simulations // self._trees
        nodes = np.zeros(share + 1, NODE)
        nodes["first"] = nodes["next"] = NOTHING
        view = questions.views[row]
        used = search(
            questions.views,
            row,
            configuration.rules,
            *room,
            nodes,
            1,
            questions.seeds[row],
            tree * share,
            share,
            self._settings,
        )
        visits = np.zeros(configuration.layout.actions.size)
        base = int(view["current"]) * configuration.layout.actions.size
        child = nodes["first"][0]
        while child != NOTHING:
            node = nodes[child]
            visits[node["key"] - base] += node["visits"] + (node["total"] / max(1, node["visits"])) * 1e-3
            child = node["next"]
        return visits

    def _room(self, configuration: Configuration):
        player = _PLAYERS[configuration.box.rules]
        rooms = self._local.__dict__.setdefault("rooms", {})
        key = configuration.digest
        if key not in rooms:
            kind = configuration.kind
            rooms[key] = (
                kind.new_scratch(),
                kind.new_states(1),
                player.new_plans(configuration, MAX_SEATS + 1),
                np.zeros(1, ROOM),
            )
        return rooms[key]
