"""The agent `llm:MODEL`, against a server of the tests' own. There is no other network use."""

import gzip
import io
import itertools
import json
import re
import shutil
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeAlias
from unittest.mock import Mock

import numpy as np
import pytest
from numpy.typing import NDArray

from t2r_agents.comparing.tournament import Tournament
from t2r_agents.comparing.tournament.playing import NO_ACTION, choose
from t2r_agents.playing.llm import LanguageModelAgent
from t2r_agents.playing.llm.agent import AT_ONCE, in_threads
from t2r_agents.playing.llm.prompt import Message
from t2r_agents.playing.llm.server import _secrets, blotted
from t2r_env import Games, Replay, configure
from t2r_env.agents import Decisions, ForfeitError, UnavailableError, choose_actions, find_agent, is_stateless
from t2r_env.commands import main as t2r
from t2r_env.rules.names import phases
from t2r_env.text import changes_text, legal_actions, rules_text, view_text
from t2r_env.text.prompts import TRIES
from tests.agents.comparing.test_tournament_command import rows_of
from tests.helpers.acting import decisions_in
from tests.helpers.model_server import KEY, Model, ModelServer, Reply, serving
from tests.helpers.playing import each_kind_once
from tests.helpers.refusing import refusal

Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch
Serve: TypeAlias = Callable[[Model], ModelServer]
MODEL, NOBODY = "llm:small", "127.0.0.1:1"
NAMED = ("--agents", MODEL, "greedy")
"""A folder alone starts no agent that asks a server: whoever pays for it names the agents again."""


@pytest.fixture(autouse=True)
def _no_server_and_no_plots(monkeypatch: Patch) -> None:
    """A test that begins no server asks none; plots of reports take longer than games."""
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://{NOBODY}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setattr("t2r_agents.comparing.tournament.report.plots_of", lambda *_: {})


@pytest.fixture
def serve(monkeypatch: Patch) -> Iterator[Serve]:
    """A function that begins a server of a model, to which the environment variables point."""
    with ExitStack() as stack:

        def begin(model: Model) -> ModelServer:
            server = stack.enter_context(serving(model))
            monkeypatch.setenv("OPENAI_BASE_URL", server.url)
            return server

        yield begin


def says(move: str) -> str:
    return f'It may be this: {{"move": "pass"}}? No.\n```json\n{json.dumps({"move": move})}\n```'


def plays_well(messages: Sequence[Message]) -> str:
    """Takes the first of the legal moves if they are listed, else a card from the deck."""
    listed = messages[-1]["content"].partition("Legal moves: ")[2]
    return says(listed.split("; ")[0].strip() or "draw deck")


def decisions_of_games(number: int) -> Decisions:
    games = Games("usa", batch=number, seed=3, autoreset=False)
    games.play_random(20, seed=1)
    return decisions_in(games)


def one_turn() -> Decisions:
    """The first decision of a turn of the USA."""
    decisions = decisions_of_games(40)
    return decisions.take(np.flatnonzero(decisions.views["phase"] == phases.TURN)[:1])


def forfeit_of(decisions: Decisions) -> ForfeitError:
    with pytest.raises(ForfeitError) as raised:
        find_agent(MODEL).act(decisions)
    return raised.value


def why_unavailable(*options: str) -> str:
    """What the agent says of a server that does not answer, which it asks once."""
    with pytest.raises(UnavailableError) as raised:
        find_agent(",".join((MODEL, "max_retries=0", *options))).act(one_turn())
    return str(raised.value)


# What is sent


@each_kind_once
def test_the_rules_come_first_and_then_what_the_seat_knows(variant: str, players: int, serve: Serve) -> None:
    server = serve(plays_well)
    games = Games(variant, players, batch=1, seed=2, autoreset=False)
    agent = find_agent(MODEL)
    for number in range(12):
        view = games.views()[0]
        games.step(choose_actions(agent, decisions_in(games)))
        system, user = server.requests[number]["messages"]
        assert system == server.requests[0]["messages"][0]
        assert (system["role"], user["role"]) == ("system", "user")
        assert user["content"].startswith(view_text(view, games.configuration))
        assert ("Legal moves: " in user["content"]) == (view["phase"] != phases.TURN)
    assert system["content"].startswith(rules_text(games.configuration))
    assert len(server.requests) == 12


def test_address_key_model_and_parameters_reach_the_server(serve: Serve) -> None:
    server = serve(plays_well)
    template = {"enable_thinking": False, "tools": ["a", "b,c"]}
    options = ("temperature=0", "stop=x", f"chat_template_kwargs={json.dumps(template)}", "effort=1 low", "timeout=9")
    find_agent(",".join(["llm:maker/small:7b", *options])).act(one_turn())
    (request,) = server.requests
    del request["messages"]
    sent = {"temperature": 0, "stop": "x", "chat_template_kwargs": template, "effort": "1 low"}
    assert request == {"model": "maker/small:7b"} | sent
    assert server.keys == {f"Bearer {KEY}"}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("llm", "needs an argument: write it after a colon"),
        ("llm:", "the name of a model must follow the colon"),
        ("llm:small,hot", "options NAME=VALUE may follow, with commas between them, not 'hot'"),
        ("llm:small,", "options NAME=VALUE may follow, with commas between them, not ''"),
        ("llm:small,timeout=soon", "timeout must be a number of seconds greater than 0, not 'soon'"),
        ("llm:small,timeout=0", "timeout must be a number of seconds greater than 0, not 0"),
        ("llm:small,max_retries=-1", "max_retries must be"),
        ("llm:small,conversation=turn", "conversation must be decision or game, not 'turn'"),
    ],
)
def test_a_wrong_name_is_refused(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        find_agent(name)


def test_a_conversation_of_the_game_is_kept_and_told_only_what_changes(serve: Serve) -> None:
    server, games = serve(plays_well), Games("new_york", 2, batch=1, seed=2, autoreset=False)
    agent, views = find_agent("llm:small,conversation=game"), list[Any]()
    assert is_stateless(find_agent(MODEL))
    assert not is_stateless(agent)  # so each seat of each game of a tournament has one of its own
    while len(views) < 12:
        if games.current[0] == 1:
            games.play_random(1)
            continue
        views.append(games.views()[0].copy())
        games.step(choose_actions(agent, decisions_in(games)))
    sent = [request["messages"] for request in server.requests]
    system, first = sent[0]
    assert "what has changed since your last decision" in " ".join(system["content"].split())
    assert first["content"].startswith(view_text(views[0], games.configuration))
    for number, (before, view) in enumerate(itertools.pairwise(views), 1):
        *earlier, answer, asked = sent[number]
        assert earlier == sent[number - 1]
        assert answer == {"role": "assistant", "content": plays_well(earlier)}
        assert asked["content"].startswith(changes_text(before, view, games.configuration))
    games.reset(seeds=[5])
    assert games.current[0] == 0
    agent.act(decisions_in(games))  # the turn is that of a new game
    assert len(server.requests[-1]["messages"]) == 2


def test_a_conversation_is_not_gone_on_with_where_the_game_may_be_another_one(serve: Serve) -> None:
    """A game that ends in its first turn, as by a forfeit, is followed by one that begins with other tickets."""
    server, agent = serve(plays_well), find_agent("llm:small,conversation=game")
    several = decisions_of_games(3)
    beginnings = [decisions_in(Games("new_york", 2, seed=seed)) for seed in (2, 5)]
    for given in (*beginnings, several.take(slice(0, 1)), several, several.take(slice(0, 1))):
        agent.act(given)
    assert {len(request["messages"]) for request in server.requests} == {2}


def test_after_a_forfeit_the_conversation_of_a_game_begins_anew(serve: Serve) -> None:
    """Its last answer may be empty, which servers refuse."""
    server, agent = serve(lambda messages: Reply(" ")), find_agent("llm:small,conversation=game")
    for _ in range(2):
        with pytest.raises(ForfeitError):
            agent.act(one_turn())
    roles = [[it["role"] for it in request["messages"]] for request in server.requests]
    assert roles == [["system", "user"]] * 2 * TRIES


# What is answered


def test_answers_to_many_decisions_at_once_are_those_to_each_alone(serve: Serve) -> None:
    """In the order of the decisions, whichever answer comes first."""
    numbers = itertools.count()
    server = serve(lambda messages: Reply(plays_well(messages), seconds=0.02 * (next(numbers) % 3)))
    decisions = decisions_of_games(2 * AT_ONCE)
    together = find_agent(MODEL).act(decisions)
    asked = len(server.requests)
    alone = [find_agent(MODEL).act(decision)[0] for decision in decisions.split()]
    assert together.tolist() == alone
    assert len(server.requests) == 2 * asked


def test_decisions_are_asked_about_side_by_side_but_no_more_than_allowed(serve: Serve) -> None:
    """The server answers none before so many have come."""
    together, lock, running = threading.Barrier(AT_ONCE), threading.Lock(), [0]

    def model(messages: Sequence[Message]) -> str:
        with lock:
            running.append(running[-1] + 1)
        together.wait(20)
        with lock:
            running.append(running[-1] - 1)
        together.wait(20)
        return plays_well(messages)

    serve(model)
    decisions = decisions_of_games(40)
    listed = np.flatnonzero(decisions.views["phase"] != phases.TURN)[:1]
    find_agent(MODEL).act(decisions.take(np.repeat(listed, 2 * AT_ONCE)))
    assert max(running) == AT_ONCE


def test_after_an_error_nothing_more_is_asked() -> None:
    ask = Mock(side_effect=ValueError("no answer"))
    with pytest.raises(ValueError, match="no answer"):
        in_threads(ask, range(50), 1)
    ask.assert_called_once_with(0)


def test_a_wrong_move_is_answered_with_what_is_wrong_then_with_the_legal_moves(serve: Serve) -> None:
    def model(messages: Sequence[Message]) -> str:
        return says(["claim Atlantis-El Dorado", "draw pink", "draw deck"][len(messages) // 2 - 1])

    server, decisions = serve(model), one_turn()
    (action,) = find_agent(MODEL).act(decisions)
    legal = legal_actions(decisions.configuration, decisions.views[0], decisions.masks[0])
    assert next(it.text for it in legal if it.action == action) == "draw deck"
    first, second, third = (request["messages"] for request in server.requests)
    assert (first, second) == (third[:2], third[:4])
    assert [it["role"] for it in third] == ["system", "user", "assistant", "user", "assistant", "user"]
    answer, wrong, _, wrong_again = (it["content"] for it in third[2:])
    assert answer == says("claim Atlantis-El Dorado")
    assert wrong.startswith("'claim Atlantis-El Dorado' is not a legal action; the nearest are: 'claim ")
    assert "Legal moves" not in wrong
    assert f"Legal moves: {'; '.join(it.text for it in legal)}." in wrong_again


def test_only_the_decisions_without_a_move_are_forfeited_and_the_others_are_not_asked_again(serve: Serve) -> None:
    decisions = decisions_of_games(6)
    bad = view_text(decisions.views[2], decisions.configuration)
    server = serve(lambda told: "I resign." if told[1]["content"].startswith(bad) else plays_well(told))
    error = forfeit_of(decisions)
    assert error.reasons == {2: "no legal move in 3 answers, the last was not legal"}
    others = [0, 1, 3, 4, 5]
    assert decisions.masks[others, error.actions[others]].all()
    assert len(server.requests) == len(others) + TRIES


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Reply(None), "empty"),
        (Reply(" \n"), "empty"),
        (Reply(None, finish_reason="length"), "cut off at the limit of tokens"),
        (Reply(None, refusal="I play no games."), "a refusal"),
    ],
)
def test_an_answer_without_text_is_asked_again_without_an_empty_message(reply: Reply, kind: str, serve: Serve) -> None:
    server = serve(lambda messages: reply)
    assert forfeit_of(one_turn()).reasons == {0: f"no legal move in 3 answers, the last was {kind}"}
    assert len(server.requests) == TRIES
    first, *_, last = (request["messages"] for request in server.requests)
    assert [it["role"] for it in last] == ["system", "user"]
    assert last[1]["content"].startswith(first[1]["content"])
    assert last[1]["content"].count(f"your answer was {kind}. ") == TRIES - 1


@pytest.mark.parametrize(
    "reply", [Reply("Hm. " * 20_000), Reply(body=b'{"choices": [{"message": {"content": "\\ud83d"}}]}')]
)
def test_an_answer_that_is_long_or_has_half_a_character_is_only_wrong(reply: Reply, serve: Serve) -> None:
    """Half a character can't be sent back as it is. Of a long answer the model is told in short."""
    server = serve(lambda messages: reply)
    assert list(forfeit_of(one_turn()).reasons) == [0]
    answer, told = server.requests[1]["messages"][2:]
    assert answer["content"] == (reply.content or "?")
    assert len(told["content"]) < 600


@pytest.mark.parametrize(
    ("actions", "reasons", "failures"),
    [
        ([0, -1, 0], {1: "no\nmove"}, {1: "no move"}),
        ([0, -1, 0], {1: "\n"}, {1: "no reason given"}),  # a forfeit has a reason, or it would not be counted
        ([0, 0, 0], {1: "no move"}, {1: "no move"}),  # a legal action where it says that it has none
        ([0, 0], {1: "no move"}, dict.fromkeys(range(3), "ForfeitError: no move")),
        ([0, 0, 0], {7: "no move"}, dict.fromkeys(range(3), "ForfeitError: no move")),
    ],
)
def test_any_agent_may_give_up_some_of_several_decisions(
    actions: list[int], reasons: dict[int, str], failures: dict[int, str]
) -> None:
    decisions = one_turn().take(np.zeros(3, np.int64))
    legal = int(decisions.masks[0].argmax())

    def give_up(given: Decisions) -> NDArray[np.int64]:
        raise ForfeitError([it or legal for it in actions], reasons)

    chosen, found = choose(find_agent(give_up), decisions)
    assert {index: failure.reason for index, failure in found.items()} == failures
    assert chosen.tolist() == [NO_ACTION if index in failures else legal for index in range(3)]


# Servers that do not answer


NESTED = b"[" * 20_000
SAID = b'{"choices": [{"message": {"content": %b}}]}'
MALFORMED = [
    *(b"<html>no model lives here</html>", b"{", b"null", NESTED, b'{"choices": ' + NESTED),
    *(b'{"choices": %b}' % it for it in (b'"pass"', b"[]", b"[1]", b'{"0": {"message": {"content": "draw deck"}}}')),
    *(b'{"choices": [{"message": %b}]}' % it for it in (b"5", b"null", b'"draw deck"')),
    *(SAID % it for it in (b"5", b"[]", b'[{"text": "pass"}]', b"1e999", b"[" * 950 + b"]" * 950)),
    *(b"\xff" + SAID % b'"draw deck"', SAID[:-1] % b'"draw deck"' + b', "n": ' + b"9" * 5000 + b"}"),
]


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (Reply(status=401), "status 401: .*this is an error of the tests: 401"),
        (Reply(status=429), "status 429"),
        (Reply(status=500), "status 500"),
        (Reply(body=b'{"error": {"message": "no credit"}}'), "not an answer of chat completions: .*no credit"),
        (Reply("draw deck", seconds=1.5), r"no answer in 0\.5 s"),
        *((Reply(body=body), "not an answer of chat completions: ") for body in MALFORMED),
    ],
)
def test_a_server_that_gives_no_answer_is_no_forfeit(reply: Reply, message: str, serve: Serve) -> None:
    server = serve(lambda messages: reply)
    timeout = ["timeout=0.5"] if reply.seconds else []
    assert re.match(f"small at {server.url}: {message}", why_unavailable("max_retries=1", *timeout))
    assert len(server.requests) == (2 if reply.status in (429, 500) or reply.seconds else 1)


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


def slowly(content: bytes) -> Iterator[bytes]:
    """Yield single bytes, with pauses that are far below the limit."""
    for byte in content:
        time.sleep(0.02)
        yield bytes([byte])


@pytest.mark.parametrize("part", ["head", "body", "error"])
def test_the_limit_of_time_is_one_of_the_whole_answer(part: str, serve: Serve) -> None:
    """Each byte comes in time, and the answer, which is right, after ten times the limit."""
    body = b" " * 150 + Reply("draw deck").encoded()
    length = b"Content-Length: %d\r\n\r\n" % len(body)
    pieces = {
        "head": [slowly(HEAD + b"X: " + b"x" * 80 + b"\r\n"), [length, body]],
        "body": [[HEAD + length], slowly(body)],
        "error": [[HEAD.replace(b"200 OK", b"400 No") + length], slowly(body)],
    }[part]
    server = serve(lambda messages: Reply(pieces=itertools.chain(*pieces)))
    assert "no answer in 0.3 s" in why_unavailable("timeout=0.3")
    assert len(server.requests) == 1


LARGE = "it has more than 4,194,304 bytes"


@pytest.mark.parametrize(("status", "message"), [(b"200 OK", LARGE), (b"401 No", "status 401")])
def test_of_an_endless_answer_no_more_than_the_limit_is_read(status: bytes, message: str, serve: Serve) -> None:
    sent = 0

    def pieces() -> Iterator[bytes]:
        nonlocal sent
        yield HEAD.replace(b"200 OK", status) + b"\r\n"
        for _ in range(64):
            yield b" " * (1 << 20)
            sent += 1 << 20
        yield Reply("draw deck").encoded()

    serve(lambda messages: Reply(pieces=pieces()))
    assert message in why_unavailable()
    assert sent < 32 << 20  # the system's buffers of the connection among them


def test_the_limit_of_bytes_is_one_of_the_unpacked_answer(serve: Serve) -> None:
    right = Reply(says("draw deck")).encoded()
    bodies = [gzip.compress(right), gzip.compress(b" " * (64 << 20) + right)]
    server = serve(lambda messages: Reply(body=bodies[len(server.requests) - 1], headers={"Content-Encoding": "gzip"}))
    find_agent(MODEL).act(one_turn())
    tracemalloc.start()
    assert LARGE in why_unavailable()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 32 << 20


def test_a_redirect_is_not_followed(serve: Serve) -> None:
    other = serve(plays_well)
    serve(lambda messages: Reply(status=307, headers={"Location": f"{other.url}/chat/completions"}))
    assert "status 307" in why_unavailable()
    assert other.requests == []


@pytest.mark.parametrize(
    "reply",
    [
        Reply(f"Your key is {KEY}, and {KEY}"),
        Reply(None, refusal=f"I do not like {KEY}"),
        Reply("", finish_reason=KEY),
        Reply(body=json.dumps({"choices": [{"message": {"content": "no", "reasoning_content": KEY}}]}).encode()),
        Reply(status=401, body=json.dumps({"error": {"message": f"Incorrect API key provided: {KEY}"}}).encode()),
        Reply(status=401, body=json.dumps({"error": {"message": "x" * 118 + KEY}}).encode()),  # cut off there
        Reply(body=json.dumps({"error": {"message": f"{'x' * 80} {KEY}"}}).encode()),
        Reply(pieces=[f"HTTP/1.1 200 OK\r\n{KEY}\r\n\r\n".encode()]),
    ],
)
def test_a_key_that_comes_back_is_written_nowhere(reply: Reply, tmp_path: Path, serve: Serve, capsys: Capture) -> None:
    serve(lambda messages: reply)
    tournament(tmp_path, "--processes", "1", agents=(f"{MODEL},max_retries=0", "random"), games=2)
    captured = capsys.readouterr()
    written = [path.read_bytes().decode(errors="replace") for path in tmp_path.rglob("*") if path.is_file()]
    for text in (captured.out, captured.err, *written):
        assert KEY[:12] not in " ".join(text.split())
    is_cut_off = "x" * 118 in str(reply.body)  # by some versions of openai before the key
    assert "***" in (tmp_path / "log.jsonl").read_text(encoding="utf-8") or is_cut_off


def test_passwords_and_keys_in_headers_and_in_any_quotes_are_blotted_out(monkeypatch: Patch) -> None:
    url = f"http://somebody:p%22ass%27word@{NOBODY}"
    headers = "X-Gateway: the gateway's key\nX-Short: none"
    for name, value in (("BASE_URL", url), ("CUSTOM_HEADERS", headers), ("API_KEY", "none")):
        monkeypatch.setenv(f"OPENAI_{name}", value)
    secrets = _secrets()
    for secret in ("p\"ass'word", "c29tZWJvZHk6cCJhc3Mnd29yZA==", "the gateway's key"):
        told = blotted(f"{secret}: {secret!r}, {json.dumps(secret)}", secrets)
        assert told.replace("'", '"') == '***: "***", "***"'
    assert blotted("neutral share none", secrets) == "neutral share none"
    assert "word" not in why_unavailable()


def test_no_server_a_wrong_address_and_no_key_are_no_forfeits_and_show_no_password(monkeypatch: Patch) -> None:
    assert "can't be reached: ConnectionRefusedError" in why_unavailable()
    monkeypatch.setenv("OPENAI_BASE_URL", "http://somebody:pass:word@host:port/v1")
    told = why_unavailable()
    assert told.startswith("small: ")
    assert "pass:word" not in told
    monkeypatch.delenv("OPENAI_API_KEY")
    assert "OPENAI_API_KEY" in why_unavailable()


def test_errors_that_pass_are_waited_for(serve: Serve) -> None:
    replies = iter([Reply(status=429), Reply(status=503), Reply(says("draw deck"))])
    server = serve(lambda messages: next(replies))
    find_agent(MODEL).act(one_turn())
    assert len(server.requests) == 3


# Tournaments


def lines_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()]


def tournament(folder: Path, *arguments: str, agents: Sequence[str] = (MODEL, "greedy"), games: int = 4) -> int:
    command = f"tournament --variant new_york --games {games} --seed 1 --out {folder} --pages 1".split()
    return t2r([*command, "--agents", *agents, *arguments])


@pytest.fixture(scope="module")
def once_played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """The folder of a tournament in two processes, and how often it asked its server."""
    folder = tmp_path_factory.mktemp("tournaments") / "played"
    with Patch.context() as monkeypatch, serving(plays_well) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        assert tournament(folder, "--processes", "2") == 0
        return folder, len(server.requests)


@pytest.fixture
def played(once_played: tuple[Path, int], tmp_path: Path) -> Path:
    """A copy of that folder which a test may change. Its server is gone."""
    return Path(shutil.copytree(once_played[0], tmp_path / "played"))


def test_a_tournament_logs_every_decision_with_what_was_sent_and_answered(once_played: tuple[Path, int]) -> None:
    """That lines name the right steps of the replays is tested with other agents, in tests/agents/comparing."""
    folder, asked = once_played
    lines = lines_of(folder)
    own = {int(row["game"]): row for row in rows_of(folder) if row["agent"] == MODEL}
    assert len(lines) == sum(int(row["decisions"]) for row in own.values())
    assert asked == sum(len(line["answers"]) for line in lines)
    for line in lines:
        replay = Replay.load(folder / "replays" / f"game_{line['game']}.json")
        assert (line["seed"], line["agent"], line["error"]) == (own[line["game"]]["seed"], MODEL, None)
        assert (str(replay.start), replay.actions[line["step"]]) == (line["seed"], line["action"])
        *_, answer = line["answers"]
        assert json.dumps({"move": line["move"]}) in answer["content"]
        assert 0 < answer["seconds"] < 60
        assert {"prompt_tokens": 1000, "completion_tokens": 10, "finish_reason": "stop"}.items() <= answer.items()


def test_games_are_not_played_again_for_their_pages_and_replays(played: Path) -> None:
    """For 'played' no server answers any more."""
    assert len([*(played / "replays").glob("*.html")]) == 1
    assert t2r(["tournament", "--replay", str(played), "2", *NAMED]) == 0
    assert Replay.load(played / "game_2.json") == Replay.load(played / "replays" / "game_2.json")
    assert t2r(["replay", str(played), "1", "--html", str(played / "page.html"), *NAMED]) == 0
    assert (played / "page.html").exists()


def test_no_game_is_played_for_a_replay_that_is_missing_or_of_another_game(played: Path, capsys: Capture) -> None:
    replays = played / "replays"
    (replays / "game_1.json").write_bytes((replays / "game_2.json").read_bytes())
    (replays / "game_2.json").unlink()
    rows = (played / "games.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (played / "games.csv").write_text("".join(rows[:-2]), encoding="utf-8")
    messages = ("is not a replay of game 1", "game 2 has no replay", "game 3 has not been played")
    for game, message in enumerate(messages, 1):
        told = refusal(capsys, t2r, "tournament", "--replay", str(played), str(game), *NAMED)
        assert message in " ".join(told.split())


def test_a_model_that_plays_badly_forfeits_and_this_is_told(tmp_path: Path, serve: Serve, capsys: Capture) -> None:
    server = serve(lambda messages: "I win!")
    assert tournament(tmp_path, "--processes", "1") == 0
    assert len(server.requests) == 4 * TRIES
    printed = " ".join(capsys.readouterr().out.split())
    assert f"{MODEL} forfeited 4 games, first 0: no legal move in 3 answers, the last was not legal" in printed
    assert [row["outcome"] for row in rows_of(tmp_path)] == ["forfeited"] * 8
    assert all(line["action"] is None and "no legal move" in line["error"] for line in lines_of(tmp_path))


@pytest.mark.parametrize(
    "command", ["rate {} --max-games 20 --processes 1", "evaluate {} --games 4", "play --opponents {}"]
)
def test_other_commands_say_in_a_line_that_no_server_answers(command: str, monkeypatch: Patch, capsys: Capture) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 20))
    assert t2r([*command.format("llm:small,max_retries=0").split(), "--variant", "new_york"]) == 1
    told = capsys.readouterr().err
    assert re.search(rf"t2r {command.split()[0]}: error: small at \S+: can't be reached", " ".join(told.split()))
    assert "Traceback" not in told


def test_an_opponent_on_the_terminal_that_forfeits_is_told_in_a_line_and_the_game_is_saved(
    tmp_path: Path, serve: Serve, monkeypatch: Patch, capsys: Capture
) -> None:
    serve(lambda messages: "I win!")
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 20))
    command = ["play", "--variant", "new_york", "--opponents", MODEL, "--save", str(tmp_path / "game.json")]
    assert t2r(command) == 1
    told = capsys.readouterr().err
    assert "t2r play: error: an agent has forfeited the game: no legal move in 3 answers" in told
    assert "Traceback" not in told
    assert Replay.load(tmp_path / "game.json").actions


def test_a_log_that_cannot_be_written_ends_the_tournament(tmp_path: Path, serve: Serve) -> None:
    serve(plays_well)
    log = tmp_path / "no such folder" / "log.jsonl"
    with pytest.raises(UnavailableError, match=r"the log can't be written: .*No such file"):
        list(Tournament(configure("new_york"), [MODEL, "greedy"], 2, 0, log=log).play())


def test_an_answer_that_comes_after_an_interruption_is_logged_where_it_was_asked(serve: Serve) -> None:
    """Though the agent has another log by then."""
    asked, gone_on = threading.Event(), threading.Event()

    def model(messages: Sequence[Message]) -> str:
        asked.set()
        assert gone_on.wait(20)
        return plays_well(messages)

    serve(model)
    agent, first, second = LanguageModelAgent("small"), dict[int, Any](), dict[int, Any]()
    agent.game_log = first.__setitem__
    acting = threading.Thread(target=agent.act, args=(one_turn(),))
    acting.start()
    assert asked.wait(20)
    agent.game_log = second.__setitem__
    gone_on.set()
    acting.join()
    assert (list(first), list(second)) == ([0], [])
