"""Files of policies, and checkpoints of trainings."""

import functools
import json
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from t2r_agents.playing.policy import Policy, PolicyAgent
from t2r_agents.playing.policy_file import CARD, PolicyError
from t2r_env import Games, configure
from t2r_env.agents import decisions_of
from t2r_train.checkpoint import SETTINGS, Checkpoint, CheckpointError
from t2r_train.training import CHECKPOINT
from tests.fuzz.damage import any_damaged, archive_of, changed_archive, changed_json, changed_value, parts_of, written
from tests.helpers.simulated_player import policy_for, with_rollout
from tests.train.tiny import trained

CONFIGURATION = configure("new_york", 2)


@functools.cache
def policies() -> list[bytes]:
    """A policy with all networks that a file may have."""
    training = {"steps": 7, "settings": {"seed": [1]}}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "policy.safetensors"
        replace(with_rollout(policy_for(CONFIGURATION)), training=training).save(file)
        return [file.read_bytes()]


def changed_policies(valid: list[bytes]) -> SearchStrategy[bytes]:
    """Damaged bytes, or another heading."""
    return any_damaged(valid) | _with_other_header(*valid)


@st.composite
def _with_other_header(draw: DrawFn, content: bytes) -> bytes:
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    if draw(st.booleans()):
        header["__metadata__"][CARD] = draw(changed_value(json.loads(header["__metadata__"][CARD])))
        changed = json.dumps(header).encode()
    else:
        changed = draw(changed_json(content[8 : 8 + length]))
    claimed = draw(st.sampled_from((len(changed), len(changed), len(changed), 0, 1 << 63)))
    return claimed.to_bytes(8, "little") + changed + content[8 + length :]


def use_policy(content: bytes) -> bool:
    """Load the file, and play if it fits New York; False if it is refused."""
    with written(content, "policy.safetensors") as file:
        try:
            policy = Policy.load(file)
            agent = PolicyAgent(policy)
            agent.check(CONFIGURATION)
        except PolicyError:
            return False
        games = Games(CONFIGURATION, seed=0)
        action = agent.act(decisions_of(games, np.zeros(1, np.int64), np.zeros(1, np.uint64)))
        assert games.masks[0, action[0]]
        policy.save(file)
        assert Policy.load(file).identities == policy.identities
    return True


@functools.cache
def checkpoints() -> list[bytes]:
    """The checkpoint of a tiny training before its first iteration."""
    with tempfile.TemporaryDirectory() as folder:
        trained(Path(folder), 0)
        return [(Path(folder) / CHECKPOINT).read_bytes()]


def changed_checkpoints(valid: list[bytes]) -> SearchStrategy[bytes]:
    """Damaged bytes, parts or settings.

    Pickles are not changed but into what is no pickle, and by damages that the archive's checksums find: pickles may
    run any code and take any memory, which is documented, so a changed one proves nothing.
    """
    parts = parts_of(valid[0])
    changed = changed_json(parts[SETTINGS]).map(lambda settings: archive_of([*(parts | {SETTINGS: settings}).items()]))
    return st.one_of(any_damaged(valid), changed_archive(parts), changed)


def use_checkpoint(content: bytes) -> bool:
    """Load the file; False if it is refused."""
    with written(content, CHECKPOINT) as file:
        try:
            checkpoint = Checkpoint.load(file)
        except CheckpointError:
            return False
        checkpoint.save(file)
        assert Checkpoint.load(file).settings == checkpoint.settings
    return True
