"""The rules of running games can't be written: what is played is what the identity is of."""

import copy
import operator
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from t2r_env import VARIANTS, Games, configure
from t2r_env.basics.frozen import FrozenDict, frozen


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", ["rules", "opening"])
def test_the_records_that_the_core_reads_can_never_be_written(variant: str, name: str) -> None:
    configuration = configure(variant)
    records = getattr(configuration, name)
    with pytest.raises(ValueError, match="read-only"):
        records[records.dtype.names[0]] = 1
    with pytest.raises(ValueError, match="read-only"):
        setattr(records[0], records.dtype.names[0], 1)
    with pytest.raises(ValueError, match="WRITEABLE"):
        records.flags.writeable = True
    assert Games(configuration, seed=0).core_batch.rules is configuration.rules


CHANGES: dict[str, Callable[[Any], Any]] = {
    "options": lambda it: operator.setitem(it.options, "turn_limit", 1),
    "colours": lambda it: operator.setitem(it.variant.colours, "red", 99),
    "decks": lambda it: it.variant.ticket_decks.clear(),
    "bonuses": lambda it: it.deck.bonuses.update(globetrotter=99),
    "size": lambda it: setattr(it.layout.actions, "size", 1),
    "tickets": lambda it: setattr(it.deck.tickets[0], "points", 100),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_nothing_that_the_rules_are_made_of_can_be_changed(change: Callable[[Any], Any]) -> None:
    configuration = configure("united_kingdom")
    identity, rules = configuration.rules_identity, configuration.rules.tobytes()
    with pytest.raises((TypeError, AttributeError)):
        change(configuration)
    again = pickle.loads(pickle.dumps(configuration))
    for other in (configuration, again, configure("united_kingdom")):
        assert (other.rules_identity, other.rules.tobytes(), other.options) == (identity, rules, configuration.options)


def test_equal_variants_are_one_key_of_a_dictionary() -> None:
    for name in VARIANTS:
        variant = configure(name).variant
        assert {variant: name}[pickle.loads(pickle.dumps(variant))] == name


def test_a_frozen_dictionary_refuses_every_change_and_is_copied_as_it_is() -> None:
    entries = frozen({"list": [1, {"key": [2]}]})
    assert entries == {"list": (1, {"key": (2,)})}
    refused = ("__setitem__", "__delitem__", "__ior__", "clear", "pop", "popitem", "setdefault", "update")
    for name in refused:
        with pytest.raises(TypeError, match="can't be changed"):
            getattr(entries, name)()
    for other in (copy.copy(entries), copy.deepcopy(entries), pickle.loads(pickle.dumps(entries))):
        assert (type(other), other) == (FrozenDict, entries)
