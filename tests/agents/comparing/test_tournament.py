"""Tournaments: the schedule, playing, forfeits, and agents that ask a server."""

import itertools
import json
import os
import signal
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar
from unittest.mock import create_autospec

import numpy as np
import pytest
from numpy.typing import NDArray

from t2r_agents.comparing.tournament import Tournament, players, workers
from t2r_agents.comparing.tournament.players import Players
from t2r_agents.comparing.tournament.playing import Entry, write_replay
from t2r_agents.comparing.tournament.schedule import Fixture, balanced_line_ups, make_schedule
from t2r_agents.comparing.tournament.workers import Portions
from t2r_env import Replay, configure
from t2r_env.agents import Agent, Decisions, RandomAgent, UnavailableError, agent_names, choose_evenly
from tests.agents.comparing.test_tournament_command import rows_of, run
from tests.helpers import odd_agents
from tests.helpers.odd_agents import path_of

Patch = pytest.MonkeyPatch

FIRST, CRASHING, QUITTING = map(path_of, (odd_agents.First, odd_agents.Crashing, odd_agents.Quitting))


def play(
    agents: list[str], players: int = 2, games: int = 4, seed: int = 0, variant: str = "usa", **options: Any
) -> list[Entry]:
    tournament = Tournament(configure(variant, players, **options), agents, games, seed)
    return [entry for entries in tournament.play() for entry in entries]


# The schedule


def seatings(agents: str, players: int, games: int, seed: int = 0, variant: str = "usa") -> list[list[str]]:
    """The agents, as letters, of each game of each deal, in the order of seats."""
    letters = {f"{path_of(odd_agents.Told)}:{letter}": letter for letter in agents}
    fixtures = Tournament(configure(variant, players), list(letters), games, seed).fixtures
    return [
        ["".join(letters[name] for name in fixture.seating) for fixture in deal]
        for _, deal in itertools.groupby(fixtures, lambda fixture: fixture.deal)
    ]


def test_with_two_teams_each_round_holds_every_pair_in_both_orders_on_deals_of_their_own() -> None:
    deals = seatings("ABCDE", 2, 40)
    everyone = sorted(one + other for one, other in itertools.permutations("ABCDE", 2))
    assert sorted(itertools.chain(*deals[:10])) == sorted(itertools.chain(*deals[10:])) == everyone
    dealt = {(it.deal, it.seed) for it in make_schedule([*"ABCDE"], 2, 1, 40, 0)}
    assert len(dealt) == len({seed for _, seed in dealt}) == 20


@pytest.mark.parametrize(("agents", "teams"), [(4, 3), (6, 3), (7, 3), (7, 4), (9, 5), (6, 2), (10, 4)])
def test_line_ups_are_balanced_and_nobody_plays_twice_before_all_have_played(agents: int, teams: int) -> None:
    drawn = list(itertools.islice(balanced_line_ups(agents, teams, agents), 120))
    assert all(len(set(line_up)) == teams for line_up in drawn)
    first = set(itertools.chain(*drawn[: agents // teams]))
    assert len(first) == agents // teams * teams
    assert len(first | set(drawn[agents // teams])) == min(agents, len(first) + teams)
    for number in (1, 2):  # agents that play, and pairs that meet
        met = Counter(it for line_up in drawn for it in itertools.combinations(sorted(line_up), number))
        times = [met[it] for it in itertools.combinations(range(agents), number)]
        assert max(times) - min(times) <= 3


@pytest.mark.parametrize(("agents", "teams"), [(4, 2), (8, 2), (7, 4), (3, 4)])
def test_the_first_agent_can_be_in_all_games_and_meets_the_others_equally_often(agents: int, teams: int) -> None:
    drawn = list(itertools.islice(balanced_line_ups(agents, teams, 0, first_in_all=True), 60))
    assert all(0 in line_up for line_up in drawn)
    met = Counter(agent for line_up in drawn for agent in line_up if agent)
    assert max(met.values()) - min(met[agent] for agent in range(1, agents)) <= 2


def test_a_schedule_of_too_many_agents_or_games_is_refused_before_it_is_made() -> None:
    agents = [str(number) for number in range(100)]
    assert len(make_schedule(agents, 2, 1, 4, 0)) == 4
    with pytest.raises(ValueError, match="100 agents have 75,287,520 line-ups for 5 teams, and at most 200,000"):
        make_schedule(agents, 5, 1, 4, 0)
    with pytest.raises(ValueError, match="line-ups to compare, and at most 200,000,000 are allowed"):
        make_schedule(agents[:30], 5, 1, 1_000_000, 0)


def test_with_fewer_agents_than_seats_everybody_sits_equally_often_and_teammates_are_the_same_agent() -> None:
    """TA2."""
    deals = seatings("AB", 3, 12)
    assert {len(deal) for deal in deals} == {3}
    assert all(len({"".join(sorted(sitting)) for sitting in deal}) == 1 for deal in deals)
    assert Counter("".join(sorted(deal[0])) for deal in deals) == {"AAB": 2, "ABB": 2}
    assert all(sitting[::2] == sitting[1::2] for deal in seatings("ABC", 6, 9, variant="team_asia") for sitting in deal)


def test_each_deal_sees_all_rotations_and_a_seating_once_and_more_games_only_go_on_with_the_schedule() -> None:
    for deal in seatings("ABCD", 3, 30):
        assert sorted(deal) == sorted(deal[0][first:] + deal[0][:first] for first in range(3))
    assert all(len(set(deal)) == len(deal) for deal in seatings("AB", 4, 40))
    assert seatings("A", 3, 2) == [["AAA"], ["AAA"]]
    assert sum(map(len, seatings("ABC", 3, 4))) == 6  # in whole deals
    assert seatings("ABCD", 3, 30) == seatings("ABCD", 3, 60)[:10]
    assert seatings("ABCD", 3, 30) != seatings("ABCD", 3, 30, seed=1)


# Playing


def test_games_follow_from_the_seed_and_do_not_depend_on_processes_nor_on_those_beside_them() -> None:
    """Which games are played together differs, and some of them are forfeited."""
    agents = ["random", FIRST, CRASHING]
    tournament = Tournament(configure("usa", 2), agents, 12, 0)
    assert sum(len(entries) for entries in tournament.play(processes=2)) == 24
    again = sorted(tournament.entries, key=lambda entry: (entry.game, entry.seat))
    assert again == play(agents, games=12) != play(agents, games=12, seed=1)
    assert 0 < len({entry.game for entry in again if entry.forfeit}) < 12


@pytest.mark.release
def test_a_process_that_ends_by_itself_is_reported() -> None:
    tournament = Tournament(configure("usa", 2), ["random", path_of(odd_agents.Dying)], 4, 0)
    with pytest.raises(ChildProcessError, match="it was killed, or an agent ended it"):
        list(tournament.play(processes=2))


def test_portions_grow_until_they_take_some_seconds_and_games_that_are_put_back_are_given_out_next() -> None:
    """They never split a deal."""
    fixtures = Tournament(configure("usa", 2), ["random", FIRST], 600, 0).fixtures
    portions = workers.Portions(fixtures)
    sizes, some = [], play(["random", FIRST], games=2)[0]
    for seconds_of_a_deal in (0.01, 0.1, 5, 5, 100, 0.01):
        deals = {fixture.deal for fixture in portions.take()}
        sizes.append(len(deals))
        portions.adapt([replace(some, deal=deal) for deal in deals], len(deals) * seconds_of_a_deal)
    assert sizes == [1, 100, 50, 1, 1, 1]
    assert len(portions.take()) == 2 * 100
    portions = workers.Portions(fixtures[:6])
    assert [portions.take(), portions.take()] == [fixtures[:2], fixtures[2:4]]
    portions.put_back(fixtures[:2])
    assert portions
    assert [portions.take(), portions.take(), bool(portions)] == [fixtures[:2], fixtures[4:6], False]


def test_each_seats_decisions_are_counted_and_timed_its_score_is_the_sum_of_its_parts_and_wins_add_up_to_one() -> None:
    tournament = Tournament(configure("usa", 2), ["random", FIRST], 2, 0)
    list(tournament.play())
    decisions = len(tournament.record(0).actions)
    assert sum(entry.decisions for entry in tournament.entries if entry.game == 0) == decisions
    assert all(entry.seconds > 0 for entry in tournament.entries)
    entries = play(["random"], players=4, games=8)
    assert all(entry.score == sum(entry.parts.values()) for entry in entries)
    assert {sum(entry.win for entry in entries if entry.game == game) for game in range(8)} == {1.0}


def test_agents_see_no_more_than_their_seat_may_know(monkeypatch: Patch) -> None:
    """C20: a tournament shows an agent the view of the acting seat."""
    watched = create_autospec(RandomAgent.act, side_effect=RandomAgent.act)
    monkeypatch.setattr(RandomAgent, "act", watched)
    play(["random"], games=2)
    assert watched.call_count > 50
    for (_, decisions), _ in watched.call_args_list:
        assert not decisions.views["rng"].any()
        assert not decisions.views["deck"].any()
        assert (decisions.views["ticket_queue"] == -1).all()


def test_an_instance_plays_one_seat_of_one_game_unless_its_class_says_that_it_is_stateless() -> None:
    """What it keeps elsewhere, it may use: only isolation is a remedy for that. Of an object copies play."""
    for path in (path_of(odd_agents.Counting), odd_agents.COUNTING):
        whole, parts = (Tournament(configure("new_york", 2), [path, "random"], 6, 5) for _ in range(2))
        list(whole.play())
        next(parts.play())
        resumed = Tournament(configure("new_york", 2), [path, "random"], 6, 5, parts.entries[:4])
        list(resumed.play())
        assert [it.score for it in resumed.entries] == [it.score for it in whole.entries]
    for kind, forfeits in (("instance", {""}), ("class", {"", "RuntimeError: I have been on another seat"})):
        assert {entry.forfeit for entry in play([path_of(odd_agents.Remembering, kind), FIRST])} == forfeits


def test_each_agent_of_the_library_plays_many_games_together() -> None:
    names = tuple(sorted(agent_names().keys() - {"human", "llm"}))
    for name, agent in players.Players(configure("usa", 2, tickets="classic"), names).make().items():
        assert isinstance(agent, Agent), name


# Forfeits

NO_INTEGERS = "IllegalActionError: Answering.act must return integers of shape (1,), not"


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        (CRASHING, "RuntimeError: out of ideas"),
        (QUITTING, "SystemExit: enough"),
        (path_of(odd_agents.Illegal), "action 107 (pass) is not legal"),
        (path_of(odd_agents.Answering, "beyond"), "actions must be from 0 to "),
        (path_of(odd_agents.Answering, "largest"), "actions must be from 0 to "),
        (path_of(odd_agents.Answering, "halves"), f"{NO_INTEGERS} float64 of shape (1,)"),
        (path_of(odd_agents.Answering, "few"), f"{NO_INTEGERS} int64 of shape (0,)"),
        (path_of(odd_agents.Raising, "muted"), "MutedError, whose text can't be made (KeyboardInterrupt)"),
        (path_of(odd_agents.Raising, "noisy"), ("NoisyError: [2J " + "noise " * 100)[:200]),
        (path_of(odd_agents.Raising, "cancelled"), "CancelledError:"),
        (path_of(odd_agents.Raising, "interrupt"), "KeyboardInterrupt:"),
        (path_of(odd_agents.Raising, "generator_exit"), "GeneratorExit:"),
        (path_of(odd_agents.Raising, "system_exit"), "SystemExit: 0"),
        (path_of(odd_agents.Raising, "base"), "BaseException: nothing less"),
    ],
)
def test_an_agent_without_a_legal_action_loses_that_game_and_the_reason_is_recorded(agent: str, reason: str) -> None:
    """Whatever it raises, the reason is one line."""
    entries = play([agent, "random"], games=10)
    forfeited = {entry.game for entry in entries if entry.forfeit}
    assert forfeited
    for it in entries:
        assert it.outcome == ("forfeited" if it.game in forfeited else "finished")
        if it.game in forfeited:
            assert (it.rank, it.win, it.score) == ((2, 0.0, 0) if it.agent == agent else (1, 1.0, 0))
            assert bool(it.forfeit) == (it.agent == agent)
            assert it.agent != agent or (it.forfeit.startswith(reason) and len(it.forfeit) <= 200)


def test_an_agent_that_acts_at_one_decision_at_a_time_forfeits_nothing() -> None:
    entries = play([path_of(odd_agents.Alone), "random"], games=6)
    assert [entry.forfeit for entry in entries] == [""] * 12
    as_first = play([FIRST, "random"], games=6)
    assert [entry.score for entry in entries] == [entry.score for entry in as_first]


@pytest.mark.parametrize(("variant", "players"), [("usa", 3), ("team_asia", 6)])
def test_who_forfeits_is_last_with_its_team_and_the_others_share_the_first_rank(variant: str, players: int) -> None:
    entries = play([QUITTING, "random", FIRST], players, games=3, variant=variant)
    results = {(entry.agent, entry.rank, entry.win) for entry in entries}
    assert results == {(QUITTING, 3, 0.0), ("random", 1, 0.5), (FIRST, 1, 0.5)}
    assert sum(bool(entry.forfeit) for entry in entries) == 3


@pytest.mark.parametrize("agent", [odd_agents.Interrupting, odd_agents.Unheeding])
def test_ctrl_c_ends_the_tournament_also_if_the_agent_heeds_it_not(agent: type, monkeypatch: Patch) -> None:
    """It is what the process's own handler raises, which is in force again afterwards."""
    monkeypatch.setattr(workers, "DEALS_AT_ONCE", 1)
    for handler, error in ((signal.default_int_handler, KeyboardInterrupt), (lambda *_: dict[int, int]()[0], KeyError)):
        before = signal.signal(signal.SIGINT, handler)
        try:
            with pytest.raises(error):
                play([path_of(agent), FIRST], games=40)
            assert signal.getsignal(signal.SIGINT) is handler
        finally:
            signal.signal(signal.SIGINT, before)


def test_outside_the_main_thread_agents_play_as_in_it() -> None:
    with ThreadPoolExecutor() as threads:
        agents = [path_of(odd_agents.Raising, "interrupt"), FIRST]
        assert threads.submit(play, agents).result() == play(agents)


def test_games_that_reach_the_turn_limit_are_nobodys_win() -> None:
    """C19."""
    entries = play(["random", FIRST], games=4, turn_limit=5)
    assert {(entry.outcome, entry.rank, entry.win, entry.score) for entry in entries} == {("truncated", 0, 0.0, 0)}


# What is not measured


@pytest.mark.parametrize(("asks_person", "on_trial"), [(False, 1), (True, 0)])
def test_agents_act_on_trial_before_they_are_timed(asks_person: bool, on_trial: int, monkeypatch: Patch) -> None:
    """What the first decision compiles and loads is not charged to whoever acts first. A person is not asked twice."""
    acting = create_autospec(odd_agents.First.act, side_effect=odd_agents.First.act)
    for name, value in (("act", acting), ("stateless", True), ("asks_person", asks_person)):
        monkeypatch.setattr(odd_agents.First, name, value, raising=False)
    entries = play([FIRST, "random"], variant="new_york", games=2)
    measured = sum(entry.decisions for entry in entries if entry.agent == FIRST)
    assert sum(len(decisions) for (_, decisions), _ in acting.call_args_list) == measured + on_trial


# Agents that ask a server. Those here ask nobody, and keep in the class how often they are still to play.


class Asking:
    """Plays at random, otherwise each time, as hosted models do, and logs each decision."""

    stateless = True
    asks_server = True
    left: ClassVar = 10**6
    """The decisions that its server still answers."""
    rng: ClassVar = np.random.default_rng(0)

    def __init__(self) -> None:
        self.game_log: Callable[[int, Mapping[str, Any]], None] | None = None

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        seeds = self.rng.integers(2**63, size=len(decisions), dtype=np.uint64)
        actions = choose_evenly(decisions.masks, seeds)
        type(self).left -= len(decisions)
        if self.left < 0:
            raise UnavailableError("the server has gone home")
        for index, action in enumerate(actions.tolist()):
            if self.game_log:
                self.game_log(index, {"action": action})
        return actions


class OneByOne(Asking):
    """Can't be asked about several decisions together."""

    stateless = True

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        if len(decisions) > 1:
            raise RuntimeError("one at a time")
        return super().act(decisions)


class Connecting(Asking):
    """Asks its server when it is made, a new instance for each seat of each game."""

    stateless = False
    made: ClassVar = 0

    def __init__(self) -> None:
        super().__init__()
        type(self).made += 1
        if self.made == 4:
            raise UnavailableError("the server has gone home")


@pytest.fixture(autouse=True)
def _anew(monkeypatch: Patch) -> None:
    monkeypatch.setattr(Asking, "left", Asking.left)
    monkeypatch.setattr(Connecting, "made", 0)


ASKING, ONE_BY_ONE, CONNECTING = (f"{__name__}:{it.__name__}" for it in (Asking, OneByOne, Connecting))


def asking(agent: str, games: int = 4, log: Path | None = None) -> Tournament:
    return Tournament(configure("new_york"), [agent, "greedy"], games, seed=1, log=log)


def check_log(log: Path, replays: Mapping[int, Replay], seats: Mapping[int, int]) -> None:
    """The lines that count are those of the play that begun last: all of the agent's decisions in the replays."""
    plays: dict[int, dict[str, list[dict[str, Any]]]] = defaultdict(lambda: defaultdict(list))
    for line in map(json.loads, log.read_text(encoding="utf-8").splitlines()):
        plays[line["game"]][line["begun"]].append(line)
    assert plays.keys() == replays.keys()
    for game, replay in replays.items():
        own = plays[game][max(plays[game])]
        expected = [
            (step, action)
            for step, (state, action) in enumerate(zip(replay.games(), replay.actions, strict=False))
            if state.current[0] == seats[game]
        ]
        assert [(line["step"], line["action"]) for line in own] == expected
        assert {line["seat"] for line in own} == {seats[game]}


def test_the_log_of_an_agent_that_acts_at_each_decision_alone_names_the_right_games(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    played = asking(ONE_BY_ONE, 8, log)
    list(played.play())
    seats = {entry.game: entry.seat for entry in played.entries if entry.agent != "greedy"}
    check_log(log, {game: played.record(game) for game in seats}, seats)


def test_the_log_tells_the_lines_of_a_game_that_was_interrupted_from_those_that_count(tmp_path: Path) -> None:
    out = tmp_path / "played"
    Asking.left = 100
    command = ["--variant", "new_york", "--agents", ASKING, "greedy", "--games", 8, "--out", out]
    assert run(*command) == 1
    kept = {row["game"] for row in rows_of(out)}
    assert 0 < len(kept) < 8
    for left, status in ((60, 1), (10**6, 0)):
        Asking.left = left
        assert run("--resume", out) == status
    rows = rows_of(out)
    assert {row["outcome"] for row in rows} == {"finished"}
    seats = {int(row["game"]): int(row["seat"]) for row in rows if row["agent"] == ASKING}
    assert [*seats] == [*range(8)]
    replays = {game: Replay.load(out / "replays" / f"game_{game}.json") for game in seats}
    check_log(out / "log.jsonl", replays, seats)


def test_a_server_that_is_gone_when_an_agent_is_made_is_no_forfeit() -> None:
    played = asking(CONNECTING)
    with pytest.raises(UnavailableError, match=r"^the server has gone home$"):
        list(played.play())
    assert {entry.outcome for entry in played.entries} == {"finished"}


def test_an_interruption_leaves_no_game_without_its_replay(tmp_path: Path, monkeypatch: Patch) -> None:
    """Ctrl-C when the first of two replays is written."""
    out, written = tmp_path / "played", itertools.count()

    def interrupted(*arguments: Any) -> None:
        write_replay(*arguments)
        if next(written) == 0:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr("t2r_agents.comparing.tournament.folder.write_replay", interrupted)
    command = ["--variant", "new_york", "--agents", ASKING, "greedy", "--games", 6, "--out", out]
    assert run(*command) == 130
    assert len(rows_of(out)) == 4
    assert run("--resume", out) == 0
    assert {row["outcome"] for row in rows_of(out)} == {"finished"}


def test_what_other_processes_have_played_is_kept_when_a_server_fails(monkeypatch: Patch) -> None:
    """Whichever of the two is looked at first."""
    fixtures = asking(ASKING).fixtures

    def submit(_: object, given: list[Fixture]) -> "Future[Any]":
        """Play at once; the server of one portion fails."""
        future: Future[Any] = Future()
        if given[0].game == failing:
            future.set_exception(UnavailableError("the server has gone home"))
        else:
            future.set_result(([f"game {given[0].game}"], 1.0))
        return future

    pool = SimpleNamespace(_processes={}, submit=submit, shutdown=lambda **_: None)
    monkeypatch.setattr(workers, "ProcessPoolExecutor", lambda *_, **__: pool)
    monkeypatch.setattr(Portions, "adapt", lambda *_: None)
    for failing in (0, 2):
        playing = workers.play_in_processes(2, Players(configure("new_york"), ("greedy",)), Portions(fixtures))
        kept: list[Any] = []
        with pytest.raises(UnavailableError):
            kept.extend(entries for entries in playing)
        assert kept == [[f"game {2 - failing}"]]
