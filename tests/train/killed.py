"""`python -m tests.train.killed FOLDER OPERATION`: a tiny training, killed and resumed.

It is killed just before that operation on its files, and resumed to its end. Both are forked from this process, so that
PyTorch is imported once; it can't train in forked children of a process that has trained itself, as that of the tests
has.
"""

import sys
from functools import partial
from pathlib import Path

from t2r_train import training
from t2r_train.training import CHECKPOINT, Training
from tests.endurance.kills import is_killed
from tests.train.tiny import tiny_settings, train

NEVER = 10**9


def go_on(folder: Path) -> None:
    """Train to the end, from the checkpoint if there is one. One is written after every iteration."""
    training.SECONDS_BETWEEN_CHECKPOINTS = 0.0
    train(Training(folder, None if (folder / CHECKPOINT).exists() else tiny_settings()))


if __name__ == "__main__":
    own = Path(sys.argv[1])
    assert is_killed(partial(go_on, own), own, int(sys.argv[2]))
    assert not is_killed(partial(go_on, own), own, NEVER)
