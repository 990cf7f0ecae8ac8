"""The socket fuzzed: whatever comes is answered with a typed error or a refusal, and the table, the
other player's connection and the process are untouched."""

from __future__ import annotations

import asyncio
import json
import random
import string
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from tests.app.browsers import Browser, Seat, level, started
from tests.app.server import Server

CODES = {"malformed", "not_hello", "protocol", "too_large", "unknown_table", "too_fast"}


@dataclass
class Scene:
    """A running match, one player of which is left alone and the other one's line is fuzzed."""

    loop: asyncio.AbstractEventLoop
    browsers: list[Browser]
    seats: list[Seat]


@pytest.fixture(scope="module")
def scene(server: Server) -> Iterator[Scene]:
    loop = asyncio.new_event_loop()
    browsers = [Browser(server), Browser(server)]

    async def prepare() -> list[Seat]:
        return await started(browsers, "nardi", "short", points="7")

    seats = loop.run_until_complete(prepare())
    yield Scene(loop, browsers, seats)
    for seat in seats:
        loop.run_until_complete(seat.close())
    loop.close()


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
ids = st.text(string.ascii_letters + string.digits + "_-", min_size=6, max_size=66)
TYPES = ["hello", "pong", "hash", "reveal", "act", "ready", "rematch", "snapshot", "change"]


def good(match: str, ply: int) -> list[dict[str, Any]]:
    """Messages of every kind that change nothing if they are taken as they are: for another
    match, or too late."""
    old = {"id": "12345678", "match": "f" * 24}
    return [
        {"type": "hello", "protocol": 2, "seen": None},
        {"type": "pong", "n": 1},
        {"type": "hash", **old, "hash": "0" * 64},
        {"type": "reveal", **old, "number": "0" * 64},
        {"type": "act", **old, "ply": ply, "action": {"action": "roll"}},
        {"type": "act", "id": "87654321", "match": match, "ply": ply + 7, "action": {}},
        {"type": "act", "id": "87654321", "match": match, "ply": ply, "action": {"x": 1}},
        {"type": "ready", **old},
        {"type": "rematch", **old, "want": True},
    ]


@st.composite
def mutated(draw: st.DrawFn, messages: list[dict[str, Any]]) -> str | bytes:
    """A message with something wrong, or nothing."""
    message = dict(draw(st.sampled_from(messages)))
    key = draw(st.sampled_from(sorted(message)))
    match draw(st.integers(0, 6)):
        case 0:
            del message[key]
        case 1:
            message[key] = draw(plain)
        case 2:
            message[draw(st.text(max_size=6))] = draw(plain)
        case 3:
            message["type"] = draw(st.sampled_from(TYPES))
        case 4:
            text = json.dumps(message)
            at = draw(st.integers(0, len(text)))
            return text[:at] + draw(st.text(max_size=3)) + text[at + draw(st.integers(0, 3)) :]
        case 5:
            return json.dumps(message).encode()
    return json.dumps(message)


async def throw(scene: Scene, frames: list[str | bytes]) -> None:
    """Frames at the table on a line of their own, by the first player's cookie."""
    before = scene.seats[1].table
    line = Seat(await scene.browsers[0].connect(scene.seats[0].id), scene.seats[0].id)
    await line.hello()
    with suppress(ConnectionClosed):
        for frame in frames:
            await line.say(frame)
    # The last word is answered last: either that comes, or the socket was closed with a reason.
    last = {"type": "resign", "id": "the-last-word", "match": "f" * 24}
    with suppress(ConnectionClosed):
        await line.say(last)
    end = await ended(line, last["id"])
    assert end is None or (end[0] in {1008, 1009} and end[1]), end
    for told in line.frames:
        assert told["type"] in {"snapshot", "change", "accepted", "refused", "error"}
        assert told["type"] != "error" or told["code"] in CODES
        assert told["type"] != "refused" or told["code"]
    await line.close()
    # The other player's line and the table are as they were.
    await scene.seats[1].hello()
    after = scene.seats[1].table
    for untouched in ("match", "ply", "status", "view", "fairness", "pause", "ended", "rematch"):
        assert after[untouched] == before[untouched]
    assert [seat["present"] for seat in after["seats"]] == [True, True]


async def ended(line: Seat, last: str) -> tuple[int | None, str] | None:
    """How the socket was closed; ``None``: it was not, and the last word was answered."""
    try:
        while (await line.hear()).get("id") != last:
            pass
    except ConnectionClosed:
        return await line.closed()
    return None


@settings(max_examples=60)
@given(data=st.data())
def test_random_and_mutated_messages_touch_nothing(scene: Scene, data: st.DataObject) -> None:
    table = scene.seats[1].table
    messages = good(table["match"], table["ply"])
    frames = data.draw(
        st.lists(
            st.one_of(
                mutated(messages),
                st.text(max_size=40),
                st.binary(max_size=40),
                plain.map(json.dumps),
            ),
            min_size=1,
            max_size=6,
        )
    )
    scene.loop.run_until_complete(throw(scene, frames))


def test_after_all_that_the_match_goes_on(scene: Scene) -> None:
    async def go_on() -> None:
        await level(scene.seats)
        mover = next(seat for seat in scene.seats if seat.legal)
        await mover.play(random.Random(1))
        await level(scene.seats)
        assert scene.seats[0].table["ply"] == 1

    scene.loop.run_until_complete(go_on())
