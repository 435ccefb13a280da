"""Properties that are computed once."""

import os
import signal
import threading
import warnings

import pytest

from t2r_env import Games, configure
from t2r_env.rules.ruleset import Ruleset
from tests.helpers.fixtures import Patch


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_a_process_forked_while_another_thread_makes_its_first_games_makes_games_too(monkeypatch: Patch) -> None:
    """Whatever that thread computes, for its own configuration, the child must not wait for it."""
    has_begun, may_end, make = threading.Event(), threading.Event(), Ruleset.make_rules

    def make_slowly(self: Ruleset, configuration: object) -> object:
        if threading.current_thread() is not threading.main_thread():
            has_begun.set()
            may_end.wait()
        return make(self, configuration)

    monkeypatch.setattr(Ruleset, "make_rules", make_slowly)
    Games("new_york", seed=0)  # compiled
    thread = threading.Thread(target=lambda: Games(configure("usa", turn_limit=777), seed=0))
    thread.start()
    has_begun.wait()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a process with threads is forked
        child = os.fork()
    if child == 0:
        signal.alarm(60)
        try:
            Games(configure("new_york", 3, turn_limit=777), seed=0)
            os._exit(0)
        finally:
            os._exit(1)
    may_end.set()
    thread.join()
    assert os.waitpid(child, 0)[1] == 0
