"""The server of pages: its addresses, their answers, and the play of agents while people look.

Addresses are secrets: `/TOKEN/` is the list of games, for whoever started the server, and `/table/KEY/` a screen of one
game. There is no other access. Requests that are too large, too many or not understood are refused.
"""

import asyncio
import json
import secrets
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from functools import partial
from importlib.resources import files
from typing import Any, TypeVar
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from t2r_agents.browser.background import Background
from t2r_agents.browser.guard import KNOWN, Guard, refusal
from t2r_agents.browser.how_to_play import numbered_rules
from t2r_agents.browser.levels import LEVELS, offered_agents
from t2r_agents.browser.lobby import describe_game, picture_of, seat_colours
from t2r_agents.browser.messages import (
    Message,
    Size,
    hint_message,
    is_tall,
    past_message,
    present_message,
    size_of,
    table_message,
    why_message,
)
from t2r_agents.browser.network import LOOPBACK, code_svg, is_of_this_machine, own_names
from t2r_agents.browser.reviewing import BACK, finish_position, make_review, why_not_judged
from t2r_agents.browser.scoring import form_message, score_message
from t2r_agents.browser.stream import Sent, Stream, event, next_message
from t2r_agents.browser.table import RefusedError, Screen, Table, is_key, new_key
from t2r_agents.browser.tables import TableError, Tables, name_of
from t2r_env import VARIANTS, Replay
from t2r_env.basics.reading import parse_json
from t2r_env.core.compiled import functions_compiled
from t2r_env.render.replay_page import render_replay_html
from t2r_env.variants import load_variant

MAX_BODY_BYTES = 1 << 13
MAX_STREAMS, MAX_STREAMS_OF_SCREEN = 60, 8
"""The most pages that are open at the same time, in all and of a screen."""
MAX_UNUSED = 8
"""The most open games that nobody looks at. One more closes the one that was used longest ago."""
PING_SECONDS = 15.0
LOOK_SECONDS = 0.5
"""The interval at which a stream checks whether the server stops."""

_FILES = {
    "t2r_agents.browser": (
        *("common.js", "list.html", "list.css", "list.js", "score.js", "play.css"),
        *("game.html", "game.css", "game.js", "board.js", "hand.js", "beside.js"),
        *("rules.js", "players.js", "story.js", "past.js"),
    ),
    "t2r_env.render": ("page.css", "chances.js"),
}
"""The files of the pages, by package: the second has what pages of the library share."""
_TYPES = {"json": "application/json", "html": "text/html", "js": "text/javascript", "css": "text/css"}
Result = TypeVar("Result")

_PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"
"""That of a picture: it runs nothing and loads nothing."""
_REPLAY_POLICY = "sandbox allow-scripts allow-same-origin; frame-ancestors 'none'"
"""The content security policy of a replay's page, which states its own: it runs its own script alone, and asks nothing.

It is of this server's origin so that its link to the page of the game, to play on, is one of this server's.
"""


class Room:
    """A game and the streams of those who look at it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.streams: Counter[str] = Counter()
        """The number of those of each screen, by its key."""
        self.changed = asyncio.Event()
        """The event of the next change. Ask for it before you look."""
        self._agents: asyncio.Task[None] | None = None
        self._is_step_due = False

    @property
    def is_looked_at(self) -> bool:
        """Whether a page of the game is open."""
        return self.streams.total() > 0

    @property
    def present(self) -> list[int]:
        """The seats of people whose screens are open."""
        return sorted(seat for screen in self.table.screens if self.streams[screen.key] for seat in screen.seats)

    def tell(self) -> None:
        """Set the event of a change."""
        self.changed.set()
        self.changed = asyncio.Event()

    def go_on(self) -> None:
        """Let the agents act until it is a person's turn."""
        if self.table.waits_for_agent and (self._agents is None or self._agents.done()):
            self._agents = asyncio.create_task(self._let_agents_act())

    async def _let_agents_act(self) -> None:
        play = self._act if self.table.people else self._act_slowly
        while self.table.waits_for_agent:
            goes_on = await play()
            self.tell()
            if not goes_on:
                return

    async def _act(self) -> bool:
        return await in_own_thread(self.table.think_and_take)

    async def _act_slowly(self) -> bool:
        """Let an agent think, and take its action when the watchers' pace says so; return whether somebody watches."""
        since = asyncio.get_running_loop().time()
        thought = await in_own_thread(self.table.think)
        self.tell()
        if thought is None or not await self._wait_for_pace(since):
            return False
        return await in_own_thread(partial(self.table.take_thought, thought))

    async def _wait_for_pace(self, since: float) -> bool:
        """Wait until the next action is due; return whether somebody watches."""
        while self.is_looked_at:
            pace, changed = self.table.pace, self.changed
            left = since + pace.milliseconds / 1000 - asyncio.get_running_loop().time()
            if self._is_step_due or (not pace.paused and left <= 0):
                self._is_step_due = False
                return True
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(changed.wait(), LOOK_SECONDS if pace.paused else min(left, LOOK_SECONDS))
        return False

    def step(self) -> None:
        """Let one agent act at once, also while the game is paused."""
        self._is_step_due = True


class Service:
    """The answers of the server."""

    def __init__(self, tables: Tables, host: str = LOOPBACK, shared: str | None = None) -> None:
        """Answer pages under the names of a host; `shared` is what the addresses for other machines begin with."""
        self.tables = tables
        self.token = new_key()
        self.is_stopping = False
        self._shared = shared
        self._rooms: dict[Table, Room] = {}  # those used last come last
        self._screens: dict[str, tuple[Room, Screen]] = {}
        self._pictures: dict[str, str] = {}  # of games, by variant
        self._drawing = asyncio.Lock()
        self._background = Background()
        self._advised: set[str] = set()  # screens for which an agent thinks about a hint
        self._files = {
            name: files(package).joinpath("pages", name).read_bytes()
            for package, names in _FILES.items()
            for name in names
        }
        self._files["rules.json"] = json.dumps(numbered_rules()).encode()
        self.app = Guard(
            Starlette(
                routes=[
                    Route("/files/{name}", self._send_file),
                    Route("/table/{key}/", self._send_game_page),
                    Route("/table/{key}/events", self._send_events),
                    Route("/table/{key}/replay", self._send_replay),
                    Route("/table/{key}/replay/", self._send_replay_page),
                    Route("/table/{key}/review/", self._send_review_page),
                    Route("/table/{key}/{request}", self._answer, methods=["POST"]),
                    Route("/{token}/", self._send_list_page),
                    Route("/{token}/games", self._send_list),
                    Route("/{token}/new", partial(self._seat, tables.begin_by_name), methods=["POST"]),
                    Route("/{token}/pictures/{variant}.svg", self._send_picture),
                    Route("/{token}/codes/{key}.svg", self._send_code),
                    Route("/{token}/compiling", self._send_compiling),
                    Route("/{token}/levels", partial(self._send_of_wish, tables.levels), methods=["POST"]),
                    Route("/{token}/score_form", partial(self._send_of_wish, form_message), methods=["POST"]),
                    Route("/{token}/score", partial(self._send_of_wish, score_message), methods=["POST"]),
                    Route("/{token}/around", self._send_around, methods=["POST"]),
                    Route("/{token}/delete", self._delete, methods=["POST"]),
                    Route("/{token}/study", partial(self._seat, tables.study), methods=["POST"]),
                    Route("/{token}/forget", self._forget, methods=["POST"]),
                    Route("/{token}/open", partial(self._seat, tables.open_by_name), methods=["POST"]),
                ],
                exception_handlers=dict.fromkeys((HTTPException, RefusedError, TableError, Exception), _answer_error),
            ),
            names=own_names(host),
        )

    def stop(self) -> None:
        """End the streams, and answer nothing new."""
        self.is_stopping = True
        self._background.stop()

    def close(self) -> None:
        """Release the games, which are saved already, to other servers."""
        self.tables.close()

    def seat_at(self, table: Table) -> Room:
        """Open the screens of a game, and return its room. Other games that nobody looks at any more are closed."""
        room = self._rooms.pop(table, None) or Room(table)
        self._rooms[table] = room
        self._screens |= {screen.key: (room, screen) for screen in table.screens}
        unused = [it for it in self._rooms.values() if not it.is_looked_at]
        for it in unused[:-MAX_UNUSED]:
            if self.tables.put_away(it.table):
                self._leave(it)
        return room

    async def _open(self, find_table: Callable[[], Table | None]) -> Room | None:
        """Return the room of the game that a function opens or begins, if it finds one."""
        while table := await asyncio.to_thread(find_table):
            if not table.is_closed or self.is_stopping:  # else it was put away in this moment
                return self.seat_at(table)
        return None

    def _leave(self, room: Room) -> None:
        """Take away the screens of a game that is closed, and end its streams."""
        self._rooms.pop(room.table, None)
        for screen in room.table.screens:
            if self._screens.get(screen.key, (None,))[0] is room:
                del self._screens[screen.key]
        room.tell()

    # The list of games

    def _check_token(self, request: Request) -> None:
        if not secrets.compare_digest(request.path_params["token"].encode(), self.token.encode()):
            raise HTTPException(404, "there is no such page; the address is the one that the server has printed")

    async def _send_list_page(self, request: Request) -> Response:
        self._check_token(request)
        return self._page("list.html")

    async def _send_list(self, request: Request) -> Response:
        self._check_token(request)
        listed = await asyncio.to_thread(self._list)
        return JSONResponse(listed | {"origin": self._origin_for(request)})

    def _list(self) -> Message:
        return {
            "folder": str(self.tables.folder.resolve()),
            "games": [self.tables.listed(name) for name in self.tables.names()],
            "positions": self.tables.positions.listed(),
            "variants": [describe_game(variant) for variant in map(load_variant, VARIANTS)],
            "levels": LEVELS,
            "colours": seat_colours(),
            "agents": offered_agents(),
        }

    async def _send_picture(self, request: Request) -> Response:
        """Send the picture of a game, which is drawn when it is asked for the first time."""
        self._check_token(request)
        variant = request.path_params["variant"]
        if variant not in VARIANTS:
            raise HTTPException(404, "there is no such picture")
        async with self._drawing:  # one at a time: requests of games come between
            if self.is_stopping:
                raise HTTPException(503, "the server stops")
            if variant not in self._pictures:
                self._pictures[variant] = await asyncio.to_thread(lambda: picture_of(load_variant(variant)))
        headers = {"Content-Security-Policy": _PICTURE_POLICY}
        return Response(self._pictures[variant], media_type="image/svg+xml", headers=headers)

    def _origin_for(self, request: Request) -> str | None:
        """Return what the addresses for other machines begin with; None if those can't connect.

        A page that was opened under such an address knows better than the system which one works.
        """
        host = request.headers["host"]
        return self._shared if self._shared is None or is_of_this_machine(host) else f"http://{host}"

    async def _send_code(self, request: Request) -> Response:
        """Send the QR code of a screen's address."""
        self._check_token(request)
        key, origin = request.path_params["key"], self._origin_for(request)
        if origin is None or not is_key(key):
            raise HTTPException(404, "there is no such code")
        headers = {"Content-Security-Policy": _PICTURE_POLICY}
        return Response(code_svg(f"{origin}/table/{key}/"), media_type="image/svg+xml", headers=headers)

    async def _send_compiling(self, request: Request) -> Response:
        """Send how many functions of the rules were compiled so far: what a page can tell while a game begins."""
        self._check_token(request)
        return JSONResponse({"functions": functions_compiled()})

    async def _seat(self, find_table: Callable[[Any], Table], request: Request) -> Response:
        self._check_token(request)
        room = await self._open(partial(find_table, await _body(request)))
        assert room is not None
        return JSONResponse(self.tables.listed(room.table.name))

    async def _send_around(self, request: Request) -> Response:
        """Send whose pages of a game are open, and who is to act, if it is open."""
        self._check_token(request)
        name = name_of(await _body(request))
        for room in self._rooms.values():
            if room.table.name == name:
                return JSONResponse({"present": room.present, "current": room.table.current})
        return JSONResponse({"present": [], "current": None})

    async def _delete(self, request: Request) -> Response:
        self._check_token(request)
        await asyncio.to_thread(self.tables.delete_by_name, await _body(request))
        for room in [room for room in self._rooms.values() if room.table.is_closed]:
            self._leave(room)
        return JSONResponse({})

    async def _forget(self, request: Request) -> Response:
        """Delete a study position."""
        self._check_token(request)
        wish = await _body(request)
        await asyncio.to_thread(self.tables.positions.delete, wish.get("file") if isinstance(wish, dict) else None)
        return JSONResponse({})

    async def _send_of_wish(self, answer: Callable[[Any], Any], request: Request) -> Response:
        """Send what a function, which changes nothing, answers to a request of the lobby."""
        self._check_token(request)
        return JSONResponse(await asyncio.to_thread(answer, await _body(request)))

    # A game

    async def _screen_of(self, request: Request) -> tuple[Room, Screen]:
        """Return the screen of an address; its game is opened if it was not since the server was started."""
        key = request.path_params["key"]
        if key in self._screens:
            room, screen = self._screens[key]
            if not room.table.is_closed and not room.table.is_replaced():
                self.seat_at(room.table)
                return room, screen
            self.tables.put_away(room.table)
            self._leave(room)  # another game may be there, or what was put back
        await self._open(partial(self.tables.open_by_key, key))
        if key not in self._screens:
            raise HTTPException(404, "there is no such game; the list of games has its addresses")
        return self._screens[key]

    async def _send_game_page(self, request: Request) -> Response:
        await self._screen_of(request)
        return self._page("game.html")

    async def _answer(self, request: Request) -> Response:
        room, screen = await self._screen_of(request)
        table = room.table
        wish = await _body(request)
        if not isinstance(wish, dict):
            raise RefusedError("a request must be a JSON object")
        name = request.path_params["request"]
        _check_request(name, screen)
        answer: Message = {}
        match name:
            case "act":
                await asyncio.to_thread(table.act, screen, wish.get("number"), wish.get("action"))
            case "take_back":
                await asyncio.to_thread(table.take_back, screen, wish.get("number"))
            case "show":
                table.take_screen(screen, wish.get("seat"))
            case "pace":
                table.set_pace(wish.get("paused"), wish.get("milliseconds"))
            case "step":
                room.step()
            case "rematch":
                following, own = await asyncio.to_thread(self.tables.rematch, table, screen)
                if not following.is_closed:
                    self.seat_at(following)
                return JSONResponse({"path": f"/table/{own.key}/"})
            case "past":
                return JSONResponse(await asyncio.to_thread(past_message, table, screen, wish))
            case "play_on":
                following, own = await asyncio.to_thread(self.tables.play_on, table, screen, wish)
                self.seat_at(following)
                return JSONResponse({"path": f"/table/{own.key}/"})
            case "keep":
                await asyncio.to_thread(self.tables.keep_position, table, screen, wish)
                return JSONResponse({})
            case "why":
                return JSONResponse(await asyncio.to_thread(why_message, table, screen, wish.get("target")))
            case "hint":
                return JSONResponse(await self._hint(table, screen, wish))
            case "review":
                return JSONResponse(await asyncio.to_thread(self._review, table))
            case "finish":
                return JSONResponse(await asyncio.to_thread(self._finish, table, screen, wish))
        room.tell()
        room.go_on()
        return JSONResponse(answer)

    async def _hint(self, table: Table, screen: Screen, wish: Mapping[str, Any]) -> Message:
        name, number = wish.get("agent"), wish.get("number")
        if not isinstance(name, str):
            raise RefusedError("agent must be the name of an agent")
        if screen.key in self._advised:
            raise RefusedError("an agent is thinking about a hint already")

        def ask() -> Message:
            table.check_decision(screen, number)
            try:
                agent = self.tables.find_agent(name, table.configuration)
            except (OSError, TypeError, ValueError) as error:
                raise RefusedError(str(error)) from error
            return hint_message(table, screen, number, agent)

        self._advised.add(screen.key)
        return await in_own_thread(ask, lambda: self._advised.discard(screen.key))

    def _review(self, table: Table) -> Message:
        """Have a game that is over reviewed, and return how far it is."""
        if not table.is_over:
            raise RefusedError("a review shows everything: there can be one when the game is over")
        if reason := why_not_judged(table.configuration):
            raise RefusedError(f"no review: {reason}")
        return self._background.ask((table, "review"), partial(make_review, table)).message()

    def _finish(self, table: Table, screen: Screen, wish: Mapping[str, Any]) -> Message:
        """Have agents finish a step of a game that is over, many times; return how far it is, and how they ended."""
        from_knowledge = wish.get("from_knowledge", False)
        if not isinstance(from_knowledge, bool):
            raise RefusedError("from_knowledge must be true or false")
        games = table.until(screen, wish.get("step")).final()
        if games.terminated[0] or games.truncated[0]:
            raise RefusedError("the game is over at this step: choose one before")
        key = (table, games.get_state(), from_knowledge)
        job = self._background.ask(key, partial(finish_position, table, games, from_knowledge))
        return job.message() | (job.result or {})

    async def _ended_table(self, request: Request) -> Table:
        room, _ = await self._screen_of(request)
        if not room.table.is_over:
            raise RefusedError("the replay shows everything: it can be seen when the game is over")
        return room.table

    async def _send_replay_page(self, request: Request) -> Response:
        table = await self._ended_table(request)
        names = [player.title for player in table.players]
        replay = Replay.of(table.games)
        page = await asyncio.to_thread(render_replay_html, replay, names=names, each_seat=False, play_on=BACK)
        return Response(page, media_type="text/html", headers={"Content-Security-Policy": _REPLAY_POLICY})

    async def _send_review_page(self, request: Request) -> Response:
        job = self._background.find((await self._ended_table(request), "review"))
        if job is None or job.result is None:
            raise RefusedError("the review of this game is not made yet: ask for it on the page of the game")
        return Response(job.result, media_type="text/html", headers={"Content-Security-Policy": _REPLAY_POLICY})

    async def _send_replay(self, request: Request) -> Response:
        table = await self._ended_table(request)
        text = await asyncio.to_thread(Replay.of(table.games).to_json)
        name = f"attachment; filename*=UTF-8''{quote(table.name, safe='')}.json"
        return Response(text, media_type="application/json", headers={"Content-Disposition": name})

    async def _send_events(self, request: Request) -> Response:
        room, screen = await self._screen_of(request)
        size = size_of(request.query_params.get("tall" if is_tall(room.table) else "broad", ""))
        streams = sum(it.streams.total() for it in self._rooms.values())
        if room.streams[screen.key] >= MAX_STREAMS_OF_SCREEN or streams >= MAX_STREAMS:
            raise HTTPException(
                503, f"there may be {MAX_STREAMS_OF_SCREEN} pages of a screen, and {MAX_STREAMS} in all: close some"
            )
        return Stream(self._events(room, screen, size), room.streams, screen.key, room.tell)

    async def _events(self, room: Room, screen: Screen, size: Size) -> AsyncIterator[str]:
        """Yield what a screen shows, from now on; agents act from now on, too."""
        room.go_on()
        present = room.present
        yield event(table_message(room.table, screen, present))
        sent: Sent | None = None
        silent = 0.0
        while not self.is_stopping and not room.table.is_closed:
            changed = room.changed
            if present != room.present:
                present = room.present
                yield event(present_message(present))
            following = await asyncio.to_thread(next_message, room.table, screen, sent, size)
            if following is not None:
                message, sent = following
                silent = 0
                yield event(message)
                continue
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(changed.wait(), LOOK_SECONDS)
            silent += LOOK_SECONDS
            if silent >= PING_SECONDS:
                silent = 0
                yield ": still there\n\n"

    # Files

    async def _send_file(self, request: Request) -> Response:
        name = request.path_params["name"]
        content = self._files.get(name)
        kind = _TYPES.get(name.rpartition(".")[2])
        if content is None or kind in (None, "text/html"):
            raise HTTPException(404, "there is no such file")
        return Response(content, media_type=kind)

    def _page(self, name: str) -> Response:
        return Response(self._files[name], media_type="text/html")


async def in_own_thread(function: Callable[[], Result], done: Callable[[], object] = lambda: None) -> Result:
    """Return the result of a function that may run for ever: neither other requests nor the server's end wait for it.

    `done` is called when the function has ended, even if nobody waits for the result any more.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Result] = loop.create_future()

    def end(settle: Callable[[], None]) -> None:
        done()
        if not future.cancelled():
            settle()

    def run() -> None:
        try:
            settle = partial(future.set_result, function())
        except BaseException as error:
            settle = partial(future.set_exception, error)
        with suppress(RuntimeError):  # the server has ended
            loop.call_soon_threadsafe(end, settle)

    threading.Thread(target=run, daemon=True).start()
    return await future


PLAYING = ("act", "take_back", "show", "why", "hint", "rematch", "past", "play_on", "keep", "review", "finish")
WATCHING = ("show", "pace", "step", "rematch", "past", "play_on", "keep", "review", "finish")
"""The requests that the screens of people may send, and those of watchers."""


def _check_request(name: str, screen: Screen) -> None:
    """Raise HTTPException for a request that does not exist, RefusedError for one that a screen may not send."""
    allowed = WATCHING if screen.is_watcher else PLAYING
    if name not in PLAYING + WATCHING:
        raise HTTPException(404, f"there is no request {name}; allowed are {', '.join(allowed)}")
    if name not in allowed:
        raise RefusedError(f"this screen may not ask for {name}; allowed are {', '.join(allowed)}")


async def _body(request: Request) -> Any:
    """Return the JSON of a request. Raises HTTPException if it is too large or not JSON."""
    content = b""
    async for part in request.stream():
        content += part
        if len(content) > MAX_BODY_BYTES:
            raise HTTPException(413, f"a request may have at most {MAX_BODY_BYTES} bytes", {"Connection": "close"})
    try:
        value = parse_json(content.decode())
    except ValueError as error:
        raise HTTPException(400, f"a request must be JSON: {error}") from None
    request.scope[KNOWN] = True
    return value


async def _answer_error(request: Request, error: Exception) -> Response:
    if isinstance(error, HTTPException):
        return refusal(error.status_code, error.detail, error.headers)
    if isinstance(error, RefusedError | TableError):
        return refusal(409, str(error))
    return refusal(500, "the server has failed at this request; the game is as it was")
