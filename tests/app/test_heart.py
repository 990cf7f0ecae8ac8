"""The heartbeat, and the bounds of one socket, one player, one address and one process."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from app.table.clock import LAG
from app.web.room import Room, TooManyError
from app.ws.heart import REMEMBERED, Heart, SilentError
from app.ws.limits import Bucket
from tests.app.browsers import Browser, Line, Seat, started
from tests.app.houses import eventually
from tests.app.server import Server

HELLO = {"type": "hello", "protocol": 2, "seen": None}


class Time:
    """Seconds, as a test moves them."""

    def __init__(self) -> None:
        self.s = 100.0

    def __call__(self) -> float:
        return self.s


class Beating:
    """A heart under a test's clock, and what it has sent."""

    def __init__(self) -> None:
        self.time = Time()
        self.sent: list[str] = []
        self.heart = Heart(self.sent.append, 4_000, 9_000, self.time)

    def trip(self, seconds: float) -> None:
        """A ping that is answered after so long."""
        self.heart.ping()
        self.time.s += seconds
        self.heart.pong(json.loads(self.sent[-1])["n"])


def test_the_delay_is_half_of_the_shortest_round_trip_measured_here_t6() -> None:
    beating = Beating()
    assert beating.heart.lag_ms() == 0
    beating.trip(0.3)
    assert beating.heart.lag_ms() == 150
    beating.trip(0.1)
    # Whoever answers late from now on gains nothing by it.
    for _ in range(REMEMBERED - 1):
        beating.trip(2.0)
        assert beating.heart.lag_ms() == 50
    beating.trip(2.0)
    assert beating.heart.lag_ms() == 1_000
    assert min(beating.heart.lag_ms(), LAG) == 500  # what the clock takes of it


def test_a_pong_to_no_ping_says_nothing() -> None:
    beating = Beating()
    beating.heart.pong(1)
    beating.heart.ping()
    beating.time.s += 8.9
    for n in (0, 2, 99):
        beating.heart.pong(n)
    assert beating.heart.lag_ms() == 0
    beating.time.s += 0.2
    with pytest.raises(SilentError):
        beating.heart.ping()


def test_a_pong_counts_once() -> None:
    beating = Beating()
    beating.trip(0.2)
    beating.time.s += 9.0
    beating.heart.pong(1)
    assert beating.heart.left() <= 0


def test_a_dead_line_is_known_within_ten_seconds() -> None:
    beating = Beating()
    beating.trip(0.1)
    assert beating.heart.left() == pytest.approx(9.0)
    for _ in range(2):
        beating.time.s += 4.0
        beating.heart.ping()
    beating.time.s += 1.0
    with pytest.raises(SilentError):
        beating.heart.ping()


def test_a_burst_then_so_many_a_second() -> None:
    time = Time()
    bucket = Bucket(20, 40, time)
    assert [bucket.take() for _ in range(42)] == [True] * 40 + [False] * 2
    time.s += 0.5
    assert [bucket.take() for _ in range(11)] == [True] * 10 + [False]
    time.s += 3600
    assert [bucket.take() for _ in range(41)] == [True] * 40 + [False]


def placed(
    room: Room, player: str | None, address: str = "192.0.2.1"
) -> AbstractContextManager[None]:
    return room.place(player, address)


def test_room_for_so_many_sockets_of_a_player_and_in_all() -> None:
    room = Room(4, 2, 6)
    with placed(room, "nino"), placed(room, "nino"):
        with pytest.raises(TooManyError), placed(room, "nino"):
            pass
        with placed(room, "gia"), placed(room, None):
            for player in ("dato", None):
                with pytest.raises(TooManyError), placed(room, player):
                    pass
    with placed(room, "nino"), placed(room, "nino"), placed(room, None), placed(room, None):
        pass


@pytest.mark.parametrize(
    ("one", "same", "other"),
    [("192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2"), ("2001:db8::1", "2001:db8::2", "2001:db9::1")],
)
def test_room_for_so_many_sockets_of_an_address(one: str, same: str, other: str) -> None:
    room = Room(100, 2, 6)
    for _ in range(2):  # who has gone leaves the place
        with ExitStack() as held:
            for n in range(6):
                held.enter_context(placed(room, None if n % 2 else f"p{n}", (one, same)[n % 2]))
            for player in ("nino", None):
                with pytest.raises(TooManyError), placed(room, player, one):
                    pass
                held.enter_context(placed(room, player, other))


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that gives up soon, and takes little."""
    settings = {
        "EZO_PING_MS": "100",
        "EZO_SILENT_MS": "1500",
        "EZO_MESSAGE_RATE": "20",
        "EZO_MESSAGE_BURST": "40",
        "EZO_SOCKETS": "6",
        "EZO_PLAYER_SOCKETS": "3",
    }
    with Server(tmp_path_factory.mktemp("strict") / "data", 0, **settings) as running:
        yield running
        log = running.log()
    assert log == ""


async def test_who_stops_answering_is_let_go_and_shown_absent_t8(strict: Server) -> None:
    # A phone's drop was noticed after minutes: a dead line is known within ten seconds.
    browsers = [Browser(strict), Browser(strict)]
    seats = await started(browsers, "nardi", "short", points="1")
    await seats[1].close()
    await seats[0].table_is(lambda table: not table["seats"][1]["present"])
    silent = Seat(await browsers[1].connect(seats[0].id), seats[0].id, answering=False)
    await silent.hello()
    await seats[0].table_is(lambda table: table["seats"][1]["present"])
    assert await silent.closed() == (1008, "silent")
    await seats[0].table_is(lambda table: not table["seats"][1]["present"])
    events = [e.get("event") for f in seats[0].frames[-3:] for e in f.get("events", [])]
    assert events[-2:] == ["present", "absent"]
    away = seats[0].table["seats"][1]["absent_at"]
    assert away is not None
    # The one who answers is still there.
    await seats[0].hello()
    assert seats[0].table["seats"][0]["present"]
    visitor = Line(await Browser(strict).socket("/ws/lobby"), answering=False)
    assert await visitor.closed() == (1008, "silent")
    await seats[0].close()


async def test_who_talks_too_fast_is_told_and_let_go(strict: Server) -> None:
    browser = Browser(strict)
    seat = await browser.open(browser.make_table("domino", "georgian", target="75"))
    for _ in range(30):  # within bounds
        await seat.say(HELLO)
    for _ in range(30):
        assert (await seat.until("snapshot"))["number"]
    for _ in range(200):
        await seat.say({"type": "pong", "n": 0})
    assert await seat.closed() == (1008, "malformed")
    errors = [frame for frame in seat.frames if frame["type"] == "error"]
    assert errors == [{"type": "error", "code": "too_fast"}] * 5


async def test_a_player_has_so_many_sockets_and_the_process_so_many(strict: Server) -> None:
    browser, other = Browser(strict), Browser(strict)
    table = browser.make_table("domino", "georgian", target="75")
    seats = [await browser.open(table) for _ in range(3)]
    assert await Line(await browser.connect(table)).closed() == (1013, "too many")
    watching = [await other.open(table) for _ in range(3)]
    assert await Line(await other.connect(table)).closed() == (1013, "too many")
    await watching[0].close()
    again = await eventually(lambda: admitted(other, table))  # as soon as the server knows
    for each in (*seats, *watching, again):
        await each.close()


async def test_an_address_has_so_many_sockets_without_a_cookie_too(tmp_path: Path) -> None:
    with Server(tmp_path / "data", 0, EZO_ADDRESS_SOCKETS="3") as server:

        def visit(address: str) -> Awaitable[ClientConnection]:
            headers = {"x-forwarded-for": address}
            return Browser(server).socket("/ws/lobby", headers=headers)

        held = [await visit("192.0.2.1") for _ in range(3)]
        for socket in held:
            assert await socket.recv()
        assert await Line(await visit("192.0.2.1")).closed() == (1013, "too many")
        # All others still get in.
        held.append(await visit("192.0.2.2"))
        assert await held[-1].recv()
        for socket in held:
            await socket.close()


async def admitted(browser: Browser, table: str) -> Seat | None:
    """A socket that found a place, or ``None``."""
    seat = Seat(await browser.connect(table), table)
    try:
        await seat.say(HELLO)  # it may be closed already
        await seat.until("snapshot")
    except ConnectionClosed:
        return None
    return seat
