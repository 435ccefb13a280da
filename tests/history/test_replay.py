"""Replay files: the same game again, and the errors for a broken file."""

import base64
import functools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import t2r_env
from t2r_env import Games, Replay, ReplayError
from t2r_env.basics.packages import __version__
from t2r_env.envs.aec import AECEnvironment
from t2r_env.replay import MAX_ACTIONS
from tests.helpers.environments import choose
from tests.helpers.playing import Options, every_variant_once, fewest_and_most, play, play_to_the_end


def recorded(
    players: int = 2, decisions: int | None = None, seed: int = 3, variant: str = "usa", **options: Any
) -> AECEnvironment:
    """An environment after a random game, or after so many decisions of it."""
    env = t2r_env.raw_env(variant, players, **options)
    env.reset(seed=seed)
    play_to_the_end(env) if decisions is None else play(env, decisions)
    return env


def read_again(replay: Replay, path: Path) -> Replay:
    """Save a replay; return what is read, which is equal to it."""
    replay.save(path / "game.json")
    again = Replay.load(path / "game.json")
    assert again == replay
    return again


@fewest_and_most
def test_a_file_gives_the_same_game_again(variant: str, players: int, options: Options, tmp_path: Path) -> None:
    for decisions in (0, 1, 37, None):
        env = recorded(players, decisions, variant=variant, **options)
        again = read_again(env.replay(), tmp_path)
        assert (again.start, again.version) == (3, __version__)
        assert again.final().states[0] == env.games.states[0]
        assert again.final().snapshot() == env.snapshot()
        assert Replay.of(again.final()) == again
        integers: list[Any] = [np.uint64(again.start), np.array(again.actions, int)]
        assert Replay(again.configuration, *integers).to_json() == again.to_json()


@every_variant_once
@pytest.mark.parametrize("autoreset", [True, False])
def test_each_row_of_games_has_its_own_replay(autoreset: bool, variant: str, players: int) -> None:
    games = Games(variant, batch=3, seed=20, record=True, autoreset=autoreset)
    rng = np.random.default_rng(0)
    while not games.finished["turn"].all():
        games.step(choose(games.masks, rng))
    for row in range(3):
        ended = Replay.of(games, row, ended=True)
        assert ended.start == 20 + row or autoreset
        assert ended.final().states[0] == games.finished[row]
        assert Replay.of(games, row).final().states[0] == games.states[row]


def test_of_several_games_ended_in_a_row_the_last_has_a_replay_which_can_be_cut_to_be_played_on() -> None:
    games = Games("new_york", seed=20, record=True, illegal_action="terminate")
    for number in range(2):
        start, _ = games.history()
        for _ in range(3 + number):
            games.step([games.masks[0].argmax()])
        games.step([10_000])
        ended = Replay.of(games, ended=True)
        assert (ended.start, len(ended.actions)) == (start, 4 + number)
    assert ended.until(2) == replace(ended, actions=ended.actions[:2], illegal_action="raise")
    assert ended.until(5).final().terminated[0]


@every_variant_once
def test_a_game_that_began_from_a_state_is_replayed_from_it(variant: str, players: int, tmp_path: Path) -> None:
    env = recorded(players, 40, variant=variant)
    other = t2r_env.env(variant, players)
    other.set_state(env.get_state())
    play(other, 20)
    again = read_again(other.replay(), tmp_path)
    assert isinstance(again.start, bytes)
    assert len(again.actions) == 20
    assert again.final().states[0] == other.games.states[0]


@pytest.mark.parametrize("action", [-1, 10_000, 0])
def test_a_game_that_an_illegal_action_ended_is_replayed_to_that_end(action: int, tmp_path: Path) -> None:
    env = recorded(3, 1, illegal_action="terminate")
    seat = env.games.current[0]
    with pytest.warns(UserWarning, match="was not legal"):
        env.step(action)
    again = read_again(env.replay(), tmp_path)
    assert again.final().states[0] == env.games.states[0]
    assert again.final().snapshot()["outcome"] == "forfeited"
    assert again.final().rewards.tolist() == [list(env.rewards.values())]
    assert [*again.descriptions()][-1] == f"player_{seat}: {action}, which is not legal"


@every_variant_once
def test_the_file_is_json_for_programs_and_people(variant: str, players: int, tmp_path: Path) -> None:
    env = recorded(players, 30, seed=2**64 - 1, variant=variant)
    env.replay().save(tmp_path / "game.json")
    entries = json.loads((tmp_path / "game.json").read_text(encoding="utf-8"))
    described = entries.pop("descriptions")
    assert entries == {
        "variant": variant,
        "num_players": players,
        "options": dict(env.configuration.options),
        "rules": env.configuration.rules_identity,
        "seed": "18446744073709551615",
        "illegal_action": "raise",
        "version": __version__,
        "actions": list(env.replay().actions),
    }
    assert len(described) == 30
    for games, action, words in zip(env.replay().games(), env.replay().actions, described, strict=False):
        assert words == f"player_{games.current[0]}: {games.describe(action)}"


def state(saved: bytes) -> dict[str, Any]:
    """The changes that let a game begin from a saved state."""
    return {"seed": ..., "state": base64.b64encode(saved).decode()}


STATE = Games("usa", seed=0).get_state()
ENTRIES = ("variant", "rules", "num_players", "options", "illegal_action", "version", "actions")

BROKEN: list[tuple[dict[str, Any], str]] = [
    *[({entry: ...}, f"{entry} is missing: it must be ") for entry in ENTRIES],
    ({"seed": ...}, "a replay must have either a seed or a state"),
    ({"variant": 5}, "variant must be the id of a variant, not 5"),
    ({"variant": "mars"}, r"variant must be one of usa, .*, not 'mars'"),
    ({"rules": "0" * 16}, "rules must be '.*' as in the tables here, not '000"),
    ({"rules": None}, "rules must be a string, not None"),
    ({"num_players": True}, "num_players must be an integer, not True"),
    ({"num_players": 9}, "num_players of usa must be an integer from 2 to 5, not 9"),
    ({"options": []}, r"options must be an object, not \[\]"),
    ({"options": {"num_players": 3}}, "options must not contain num_players"),
    ({"options": {"tickets": ["x"]}}, r"usa has no tickets \['x'\]; it has: anniversary"),
    ({"options": {"tickets": "mega"}}, r"actions\[\d+\] is not allowed"),
    # the last one is another digit
    *[({"seed": it}, f"seed must be a decimal number in a string, not {it!r}") for it in (3, "-3", "\u0663")],
    ({"seed": str(2**64)}, r"a seed must be an integer from 0 to 2\^64 - 1"),
    ({"state": "AAAA"}, "a replay must have either a seed or a state"),
    *[({"seed": ..., "state": it}, "state must be bytes in base64") for it in (7, "A$A", "Montréal")],
    (state(STATE[:900] + STATE[901:]), "state: saved must be the bytes that get_state"),
    (state(Games("usa", 3, seed=0).get_state()), "state: the saved state has num_players"),
    ({"illegal_action": "forgive"}, "illegal_action must be one of raise, terminate, not"),
    ({"version": 1}, "version must be a string, not 1"),
    ({"name": "n" * 81}, "name must be at most 80 printable characters"),
    ({"actions": "1 2"}, "actions must be a list of integers, not '1 2'"),
    ({"actions": [0] * (MAX_ACTIONS + 1)}, "a replay must have at most 200,000 actions, not 200,001"),
    *[({"actions": [0, 0, it]}, rf"actions\[2\] must be an integer, not {it}") for it in (1.0, True)],
    ({"actions": lambda it: [*it[:6], 10_000]}, r"actions\[6\] is not allowed: .* action 10000 of player_0 is not"),
    ({"actions": lambda it: [*it[:6], 10**30]}, r"actions\[6\] is not allowed"),
    ({"actions": [5]}, r"actions\[0\] is not allowed: .* action 5 .* of player_0 is not legal"),
    ({"actions": lambda it: [*it, 5]}, r"actions\[\d+\] comes after the end of the game"),
    ({"illegal_action": "terminate", "actions": [5, 5]}, r"actions\[0\] is not legal and so ended the game: only"),
]
"""The changes of entries, `...` for those that are left out."""


@functools.cache
def whole() -> str:
    """The file of a whole game."""
    return recorded().replay().to_json()


@pytest.mark.parametrize(("changes", "message"), BROKEN, ids=[message for _, message in BROKEN])
def test_a_wrong_entry_of_a_file_is_refused_in_one_message_with_its_path(
    changes: dict[str, Any], message: str, tmp_path: Path
) -> None:
    path, entries = tmp_path / "game.json", json.loads(whole())
    entries |= {name: value(entries[name]) if callable(value) else value for name, value in changes.items()}
    path.write_text(json.dumps({name: it for name, it in entries.items() if it is not ...}), encoding="utf-8")
    with pytest.raises(ReplayError, match=message) as caught:
        Replay.load(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_json_object_is_refused_and_one_that_is_not_there_is_an_error_of_the_system(
    tmp_path: Path,
) -> None:
    path, twice = tmp_path / "game.json", whole().replace('"num_players": 2', '"num_players": 2, "num_players": 3')
    for content, message in (
        *((text, "a replay must be JSON, and this is not, or it is cut off") for text in (b"", whole()[:300].encode())),
        (whole().replace("usa", "Montréal").encode("latin-1"), "a replay must be JSON"),
        (b"[1, 2]", r"a replay must be a JSON object, not \[1, 2\]"),
        (twice.encode(), "an object must have the key 'num_players' only once"),
    ):
        path.write_bytes(content)
        with pytest.raises(ReplayError, match=rf"game\.json: .*{message}"):
            Replay.load(path)
    with pytest.raises(FileNotFoundError):
        Replay.load(tmp_path / "nowhere.json")
