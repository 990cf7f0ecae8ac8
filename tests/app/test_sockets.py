"""The socket: hello first, a closed set of messages, and who may speak for whom."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from app.web.identity import COOKIE, Identities, Player
from tests.app.browsers import Browser, Seat
from tests.app.server import Server

HELLO = {"type": "hello", "protocol": 1, "seen": None}


@pytest.fixture
async def seats(server: Server) -> list[Seat]:
    """Two players at a running domino table."""
    first, second = Browser(server), Browser(server)
    table = first.make_table("domino", "georgian", target="75")
    second.sit(table)
    return [await first.open(table), await second.open(table)]


async def test_hello_is_answered_with_a_snapshot_and_changes_follow(browser: Browser) -> None:
    table = browser.make_table("domino", "georgian", target="75")
    seat = await browser.open(table)
    assert seat.table["status"] == "open"
    assert seat.table["you"] == 0
    assert seat.table["seats"][1] is None
    assert seat.table["view"] is None
    Browser(browser.server).sit(table)
    frame = await seat.until("change")
    names = [event.get("event") for event in frame["events"]]
    assert names[:2] == ["seated", "match_started"]
    assert seat.table["status"] == "running"
    assert seat.table["ply"] == 0


async def test_an_accepted_move_is_told_to_both_and_a_resend_counts_once(
    seats: list[Seat],
) -> None:
    rng = random.Random(1)
    mover = next(seat for seat in seats if seat.legal)
    other = next(seat for seat in seats if seat is not mover)
    command = await mover.play(rng)
    change = await other.until("change")
    assert change["table"]["ply"] == 1
    await mover.say(command)
    first = next(f for f in mover.frames if f["type"] == "accepted")
    assert await mover.until("accepted") == first
    assert mover.table["ply"] == 1


async def test_acting_out_of_turn_is_refused_and_changes_nothing(seats: list[Seat]) -> None:
    rng = random.Random(2)
    mover = next(seat for seat in seats if seat.legal)
    other = next(seat for seat in seats if seat is not mover)
    command = mover.pick(rng)
    await other.say(command)
    refused = await other.until("refused")
    assert refused["id"] == command["id"]
    assert refused["code"]
    assert refused["rule"].startswith("G")
    stale = command | {"ply": 7, "id": "another-one"}
    await mover.say(stale)
    assert await mover.until("refused") == {
        "type": "refused",
        "id": "another-one",
        "code": "stale",
        "rule": "T10",
        "values": {},
    }
    await mover.hello()
    assert mover.table["ply"] == 0


async def test_several_tabs_of_a_player_all_see_the_same_t10(server: Server) -> None:
    first, second = Browser(server), Browser(server)
    table = first.make_table("domino", "georgian", target="75")
    second.sit(table)
    tabs = [await first.open(table), await first.open(table)]
    opponent = await second.open(table)
    mover = next((tab for tab in tabs if tab.legal), opponent)
    await mover.play(random.Random(3))
    for seat in {*tabs, opponent} - {mover}:
        assert (await seat.until("change"))["table"]["ply"] == 1
    assert tabs[0].table == tabs[1].table


async def test_a_spectator_sees_no_tiles_and_cannot_act_t11(
    seats: list[Seat], server: Server
) -> None:
    watcher = await Browser(server).open(seats[0].id)
    assert watcher.table["you"] is None
    mover = next(seat for seat in seats if seat.legal)
    command = mover.pick(random.Random(4))
    await watcher.say(command)
    assert (await watcher.until("refused"))["code"] == "not_seated"
    await mover.play(random.Random(5))
    await watcher.until("change")
    for frame in watcher.frames:
        if "table" in frame:
            assert frame["table"]["view"]["tiles"] == []
            assert not frame["table"]["view"]["legal"]
    assert "tiles_dealt" not in json.dumps(watcher.frames)


async def test_another_guest_with_a_cookie_of_their_own_gets_no_seat(
    seats: list[Seat], server: Server
) -> None:
    guest = Browser(server)
    guest.make_table("nardi", "short", points="1")
    assert guest.cookie is not None
    watcher = await guest.open(seats[0].id)
    assert watcher.table["you"] is None


async def test_a_forged_cookie_is_nobody(server: Server, browser: Browser) -> None:
    table = browser.make_table("domino", "georgian", target="75")
    assert browser.cookie is not None
    seat = await browser.open(table)
    assert seat.table["you"] == 0
    payload, _, rest = browser.cookie.partition(".")
    stamp, _, signature = rest.partition(".")
    flipped = f"{payload}.{stamp}.{'A' if signature[0] != 'A' else 'B'}{signature[1:]}"
    forged = [
        f"{payload}.{rest[:-3]}",
        payload,
        flipped,
        Identities("some other key, just as long").write(Player("someone", "X")),
        "x" * 200,
        "",
    ]
    for cookie in forged:
        socket = await Browser(server).connect(table, headers={"cookie": f"{COOKIE}={cookie}"})
        stranger = Seat(socket, table)
        await stranger.hello()
        assert stranger.table["you"] is None


async def test_a_foreign_origin_is_refused(browser: Browser) -> None:
    table = browser.make_table("domino", "georgian", target="75")
    for origin in ("https://evil.example", "null", "http://127.0.0.1:1"):
        with pytest.raises(InvalidStatus) as caught:
            await browser.connect(table, origin=origin)
        assert caught.value.response.status_code == 403
    # No browser leaves it out, so nobody's cookie can be misused by that.
    await (await browser.connect(table, origin=None)).close()


MALFORMED: list[Any] = [
    "",
    "hello",
    "[]",
    "{}",
    "null",
    "[" * 5000,
    '{"type":"hello"}',
    '{"type":"hello","protocol":"1","seen":null}',
    '{"type":"hello","protocol":1,"seen":null,"seat":0}',
    '{"type":"act","id":"12345678","match":"m","ply":0}',
    '{"type":"act","id":"1234567","match":"m","ply":0,"action":{}}',
    '{"type":"act","id":"1234567\\n","match":"m","ply":0,"action":{}}',
    '{"type":"act","id":"12345678","match":"m","ply":-1,"action":{}}',
    '{"type":"act","id":"12345678","match":"m","ply":0.5,"action":{}}',
    '{"type":"act","id":"12345678","match":"m","ply":0,"action":[]}',
    '{"type":"act","id":"12345678","match":"m","ply":0,"action":{},"seat":1}',
    '{"type":"act","id":"ნინონინო","match":"m","ply":0,"action":{}}',
    '{"type":"nothing"}',
    b"\x00\x01",
]


@pytest.mark.parametrize("frame", MALFORMED, ids=range(len(MALFORMED)))
async def test_a_malformed_frame_gets_a_typed_error_and_play_goes_on(
    frame: str | bytes, browser: Browser
) -> None:
    seat = await browser.open(browser.make_table("domino", "georgian", target="75"))
    await seat.socket.send(frame)
    assert await seat.hear() == {"type": "error", "code": "malformed"}
    await seat.hello()


async def test_five_malformed_in_a_row_close_the_socket(browser: Browser) -> None:
    table = browser.make_table("domino", "georgian", target="75")
    seat = await browser.open(table)
    for _ in range(4):
        await seat.say("{}")
    await seat.hello()  # one good one, and the count begins again
    for _ in range(4):
        await seat.say("{}")
        assert (await seat.hear())["code"] == "malformed"
    await seat.hello()
    for _ in range(5):
        await seat.say("{}")
    assert await seat.closed() == (1008, "malformed")
    assert [f["type"] for f in seat.frames[-5:]] == ["error"] * 5


async def test_anything_before_hello_is_refused(browser: Browser) -> None:
    table = browser.make_table("domino", "georgian", target="75")
    seat = Seat(await browser.connect(table), table)
    await seat.say({"type": "act", "id": "12345678", "match": "m", "ply": 0, "action": {}})
    assert await seat.hear() == {"type": "error", "code": "not_hello"}
    await seat.hello()


async def test_another_protocol_is_told_so_and_closed(browser: Browser) -> None:
    table = browser.make_table("domino", "georgian", target="75")
    seat = Seat(await browser.connect(table), table)
    await seat.say(HELLO | {"protocol": 2})
    assert await seat.closed() == (1008, "protocol")
    assert seat.frames == [{"type": "error", "code": "protocol"}]


async def test_an_unknown_table_is_told_so_and_closed(browser: Browser) -> None:
    seat = Seat(await browser.connect("no-such-table"), "no-such-table")
    await seat.say(HELLO)
    assert await seat.closed() == (1008, "unknown table")
    assert seat.frames == [{"type": "error", "code": "unknown_table"}]


async def test_what_is_too_large_is_not_read(browser: Browser) -> None:
    seat = await browser.open(browser.make_table("domino", "georgian", target="75"))
    await seat.say("x" * 20_000)
    assert await seat.hear() == {"type": "error", "code": "too_large"}
    await seat.say("x" * 70_000)
    assert (await seat.closed())[0] == 1009


async def test_a_table_holds_against_many_at_once(seats: list[Seat]) -> None:
    mover = next(seat for seat in seats if seat.legal)
    other = next(seat for seat in seats if seat is not mover)
    rng = random.Random(6)
    # A burst of acts for one position: exactly one counts.
    commands = [mover.pick(rng) for _ in range(10)]
    await asyncio.gather(*(mover.say(command) for command in commands))
    answers: list[str] = []
    while len(answers) < 10:
        frame = await mover.hear()
        if frame["type"] in {"accepted", "refused"}:
            answers.append(frame["type"])
    assert answers.count("accepted") == 1
    assert (await other.until("change"))["table"]["ply"] == 1
