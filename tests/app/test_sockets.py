"""The socket: hello first, a closed set of messages, and who may speak for whom."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from app.web.identity import COOKIE, Identities, Player
from tests.app.browsers import Browser, Line, Seat, level, started
from tests.app.server import Server

HELLO = {"type": "hello", "protocol": 2, "seen": None}


@pytest.fixture
async def seats(server: Server) -> list[Seat]:
    """Two players at a running domino table."""
    return await started([Browser(server), Browser(server)], "domino", "georgian", target="75")


async def test_hello_is_answered_with_a_snapshot_and_changes_follow(browser: Browser) -> None:
    table = browser.make_table("domino", "georgian", target="75")
    seat = await browser.open(table)
    assert seat.frames[0]["notice"] is None
    assert seat.table["status"] == "open"
    assert seat.table["you"] == seat.table["host"] == 0
    assert seat.table["seats"][1] is None
    assert seat.table["view"] is None
    assert seat.table["seats"][0]["present"] is False
    frame = await seat.until("change")
    assert frame["events"] == [{"number": 2, "event": "present", "seat": 0}]
    assert seat.table["seats"][0] == {
        "name": seat.table["seats"][0]["name"],
        "bot": None,
        "present": True,
        "absent_at": None,
    }
    Browser(browser.server).sit(table)
    frame = await seat.until("change")
    assert [event["event"] for event in frame["events"]] == ["seated", "handshake"]
    shake = seat.table["handshake"]
    assert seat.table["status"] == "handshake"
    assert shake["step"] == "hash"
    assert shake["commitment"] == frame["events"][1]["commitment"]
    assert shake["hashes"] == [None, None]
    assert 0 < shake["until"] - seat.table["now"] <= 30_000
    assert seat.table["ply"] == 0


async def test_the_handshake_hands_on_hashes_at_once_and_numbers_at_the_start_t12(
    server: Server,
) -> None:
    browsers = [Browser(server), Browser(server)]
    table = browsers[0].make_table("nardi", "short", points="1")
    browsers[1].sit(table)
    seats = [await browser.open(table) for browser in browsers]
    early = seats[0].command("reveal", number="11" * 32)
    assert (await seats[0].answer_to(early))["code"] == "hashes_first"
    first = seats[0].step()
    assert first is not None
    assert (await seats[0].answer_to(first))["type"] == "accepted"
    assert (await seats[0].answer_to(first))["type"] == "accepted"  # a resend
    other = first | {"id": "another-hash", "hash": "ab" * 32}
    assert (await seats[0].answer_to(other))["code"] == "hash_taken"
    await level(seats)
    for seat in seats:
        assert seat.table["handshake"]["done"] == [True, False]
        assert seat.table["handshake"]["hashes"] == [None, None]  # none before both are in
    second = seats[1].step()
    assert second is not None
    await seats[1].answer_to(second)
    await level(seats)
    hashes = [first["hash"], second["hash"]]
    for seat in seats:
        assert seat.table["handshake"]["step"] == "reveal"
        assert seat.table["handshake"]["hashes"] == hashes
    wrong = seats[0].command("reveal", number="11" * 32)
    assert (await seats[0].answer_to(wrong))["code"] == "number_does_not_match"
    reveals = [seat.step() for seat in seats]
    for seat, reveal in zip(seats, reveals, strict=True):
        assert reveal is not None
        # The page is loaded again in between: the number is still known.
        again = await browsers[seats.index(seat)].open(table)
        assert again.step() is not None
        assert again.step()["number"] == reveal["number"]  # type: ignore[index]
        await seat.answer_to(reveal)
        if seat is seats[0]:
            await level(seats)
            assert reveal["number"] not in json.dumps(seats[1].frames)
    await level(seats)
    fairness = seats[1].table["fairness"]
    assert fairness["hashes"] == hashes
    assert fairness["numbers"] == [r["number"] for r in reveals if r is not None]
    assert fairness["secrets"] == []
    assert seats[0].table["clocks"][0]["reserve_ms"] == 300_000
    assert [clock["since"] is None for clock in seats[0].table["clocks"]].count(False) == 1


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
    first = next(f for f in mover.frames if f.get("id") == command["id"])
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
    tab, opponent = await started([first, second], "domino", "georgian", target="75")
    tabs = [tab, await first.open(tab.id)]
    assert tabs[1].table["seats"][0]["present"]
    mover = next((tab for tab in tabs if tab.legal), opponent)
    await mover.play(random.Random(3))
    for seat in {*tabs, opponent} - {mover}:
        assert (await seat.until("change"))["table"]["ply"] == 1
    assert tabs[0].table == tabs[1].table
    await level([*tabs, opponent])
    # One of them goes: the seat is still present. The other goes: it is not (T8).
    await tabs[0].close()
    await tabs[1].hello()
    assert tabs[1].table["seats"][0]["present"]
    await tabs[1].close()
    await opponent.table_is(lambda table: not table["seats"][0]["present"])
    back = await first.open(tab.id)
    await back.table_is(lambda table: table["seats"][0]["present"])


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
    '{"type":"hello","protocol":2,"seen":null,"seat":0}',
    '{"type":"hello","protocol":2,"seen":-1}',
    '{"type":"hello","protocol":2,"seen":99999999999999999999}',
    '{"type":"pong"}',
    '{"type":"pong","n":-1}',
    '{"type":"hash","id":"12345678","match":"m","hash":"abcd"}',
    '{"type":"hash","id":"12345678","match":"m","hash":"' + "AB" * 32 + '"}',
    '{"type":"reveal","id":"12345678","match":"m","number":"' + "zz" * 32 + '"}',
    '{"type":"leave","id":"12345678"}',
    '{"type":"leave","id":"12345678","match":7}',
    '{"type":"rematch","id":"12345678","match":"m","want":1}',
    '{"type":"resign","id":"12345678"}',
    '{"type":"act","id":"12345678","match":"' + "m" * 65 + '","ply":0,"action":{}}',
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
    assert await seat.until("error") == {"type": "error", "code": "malformed"}
    await seat.hello()


async def test_five_malformed_in_a_row_close_the_socket(browser: Browser) -> None:
    table = browser.make_table("domino", "georgian", target="75")
    seat = await browser.open(table)
    for _ in range(4):
        await seat.say("{}")
    await seat.hello()  # one good one, and the count begins again
    for _ in range(4):
        await seat.say("{}")
        assert (await seat.until("error"))["code"] == "malformed"
    await seat.hello()
    before = len(seat.frames)
    for _ in range(5):
        await seat.say("{}")
    assert await seat.closed() == (1008, "malformed")
    # The site may say something of its own accord in between: a snapshot after it stood still.
    refusals = [f for f in seat.frames[before:] if f["type"] == "error"]
    assert refusals == [{"type": "error", "code": "malformed"}] * 5


async def test_anything_before_hello_is_refused(browser: Browser) -> None:
    table = browser.make_table("domino", "georgian", target="75")
    seat = Seat(await browser.connect(table), table)
    await seat.say({"type": "act", "id": "12345678", "match": "m", "ply": 0, "action": {}})
    assert await seat.hear() == {"type": "error", "code": "not_hello"}
    await seat.hello()


async def test_another_protocol_is_told_so_and_closed(browser: Browser) -> None:
    table = browser.make_table("domino", "georgian", target="75")
    seat = Seat(await browser.connect(table), table)
    await seat.say(HELLO | {"protocol": 1})
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
    assert await seat.until("error") == {"type": "error", "code": "too_large"}
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


async def test_who_sits_down_in_another_tab_sees_it_here_and_counts_as_present(
    server: Server,
) -> None:
    host, guest = Browser(server), Browser(server)
    table = host.make_table("domino", "georgian", target="75")
    guest.make_table("nardi", "short", points="1")  # a cookie to be known by
    watching = await guest.open(table)
    assert watching.table["you"] is None
    assert [seat and seat["present"] for seat in watching.table["seats"]] == [False, None]
    guest.sit(table)
    await watching.table_is(lambda table: table["you"] == 1)
    await watching.table_is(lambda table: table["seats"][1]["present"])
    assert watching.step() is not None


async def test_the_last_word_before_going_counts(server: Server) -> None:
    host, guest = Browser(server), Browser(server)
    table = host.make_table("domino", "georgian", target="75")
    guest.sit(table)
    staying, going = await host.open(table), await guest.open(table)
    await going.table_is(lambda table: table["seats"][1]["present"])
    for _ in range(20):  # it has to wait for its turn
        await going.say(HELLO)
    await going.say(going.command("leave"))
    await going.socket.close()
    await staying.table_is(lambda table: table["seats"][1] is None)
    assert staying.table["void"]["cause"] == "left"


async def test_catch_up_by_number(seats: list[Seat], server: Server) -> None:
    rng = random.Random(7)
    seen = seats[0].number
    for _ in range(3):
        await level(seats)
        await next(seat for seat in seats if seat.legal).play(rng)
    await level(seats)
    back = Seat(await Browser(server).connect(seats[0].id), seats[0].id)
    back.number = seen
    frame = await back.hello(seen)
    assert frame["type"] == "change"
    assert len(frame["events"]) >= 3
    assert back.number == seats[0].number
    assert back.table["view"]["tiles"] == []
    assert (await back.hello(0))["type"] == "snapshot"
    assert (await back.hello(999_999))["type"] == "snapshot"


async def test_ready_ends_the_pause_and_resign_the_match(server: Server) -> None:
    browsers = [Browser(server), Browser(server)]
    seats = await started(browsers, "domino", "georgian", target="355")
    rng = random.Random(8)
    while seats[0].table["pause"] is None:
        await next(seat for seat in seats if seat.legal).play(rng)
        await level(seats)
    hand = seats[0].table["view"]["last_hand"]["hand"]
    assert seats[0].table["fairness"]["secrets"][hand - 1]
    assert not [seat for seat in seats if seat.legal]
    await seats[0].accepted("ready")
    await level(seats)
    assert seats[1].table["pause"]["ready"] == [True, False]
    await seats[1].accepted("ready")
    await level(seats)
    assert seats[0].table["pause"] is None
    await seats[1].accepted("resign")
    await level(seats)
    ended = seats[0].table["ended"]
    assert (ended["winners"], ended["reason"]) == ([0], "resigned")
    # Both want another one: it is a new match, and passes through the handshake again (T13).
    await seats[0].accepted("rematch", want=True)
    await seats[0].accepted("rematch", want=False)
    await seats[0].accepted("rematch", want=True)
    await level(seats)
    assert seats[1].table["rematch"] == {"wants": [True, False], "wins": [1, 0], "possible": True}
    before = seats[0].table["match"]
    await seats[1].accepted("rematch", want=True)
    await level(seats)
    assert seats[0].table["status"] == "handshake"
    assert seats[0].table["match"] != before
    # The last match's resend cannot hit it.
    assert (await seats[0].ask("resign", match=before))["code"] in {"stale", "not_running"}
    await seats[1].accepted("leave")
    await seats[0].table_is(lambda table: table["void"] is not None)
    assert seats[0].table["void"]["cause"] == "left"
    assert seats[0].table["status"] == "open"
    assert (await seats[1].ask("leave"))["type"] == "accepted"  # gone already
    await seats[0].accepted("leave")
    assert seats[0].table["closed"] == "host_left"


async def test_the_lobby_is_fed_as_it_changes_t1(server: Server) -> None:
    visitor = Line(await Browser(server).socket("/ws/lobby"))
    first = await visitor.until("lobby")
    browser = Browser(server)
    table = browser.make_table("nardi", "short", points="3", public="1")
    hidden = browser.make_table("nardi", "short", points="3")

    async def listed() -> dict[str, Any] | None:
        frame = await visitor.until("lobby")
        assert hidden not in json.dumps(frame)
        return next((each for each in frame["tables"] if each["id"] == table), None)

    assert table not in json.dumps(first)
    while (line := await listed()) is None:
        pass
    made_at = line.pop("made_at")
    assert isinstance(made_at, int)
    name = line["seats"][0]
    assert line == {
        "id": table,
        "game": "nardi",
        "rules": "short",
        "options": {"points": 3},
        "clock": {"move_ms": 60_000, "reserve_ms": 300_000},
        "status": "open",
        "seats": [name, None],
        "score": None,
        "stake": 0,
        "pot": 0,
    }
    Browser(server).sit(table)
    while (line := await listed()) is None or line["status"] == "open":
        pass
    assert None not in line["seats"]
    seat = await browser.open(table)
    await seat.accepted("leave")
    while (line := await listed()) is not None and line["status"] != "open":
        pass
    # Nothing but pongs is said here.
    for faulty in range(5):
        await visitor.say(HELLO)
        assert await visitor.until("error") == {"type": "error", "code": "malformed"}, faulty
    assert await visitor.closed() == (1008, "malformed")
