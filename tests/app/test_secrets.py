"""Secrets stay in the house (T11, T12): no frame, page, log line or answer holds what its reader
may not know, over whole matches."""

from __future__ import annotations

import json
import logging
import random
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from app.table.match import Match
from app.table.table import AnyGame
from engine import games
from engine.chance import Chain
from tests.app.browsers import Browser, level, move, started
from tests.app.houses import House, Wall, house, received
from tests.app.server import Server
from tests.app.tables import match_of, number_of

GAMES = pytest.mark.parametrize("game", games.GAMES, ids=lambda game: game.name)


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path / "data", Wall()) as opened:
        yield opened


def kept_from_all(match: Match) -> list[str]:
    """What nobody may know yet: the running hand's secret, and everything after it."""
    after = range(len(match.secrets) + 1, len(match.secrets) + 4)
    return [match.chain.last.hex(), *(match.chain.secret(n).hex() for n in after)]


@GAMES
async def test_over_a_whole_match_no_frame_or_log_line_holds_a_secret(
    game: AnyGame, site: House, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    rng = random.Random(5)
    table = await site.start("nino", "gia", game=game)
    everything = ""
    ids = [x.player for x in table.seats if x is not None]
    assert ids == ["nino", "gia"]
    while table.status == "running":
        viewers = [await site.watch(player) for player in ("nino", "gia", None)]
        hidden = kept_from_all(match_of(table))
        table = await site.onward(rng)
        out = [text for text in kept_from_all(match_of(table)) if text in hidden]
        frames = json.dumps([await received(viewer) for viewer in viewers])
        everything += frames
        assert len(out) >= 3
        assert not [secret for secret in out if secret in frames]
        assert '"nino"' not in frames  # ids are nobody's to know
        assert not [secret for secret in out if secret in caplog.text]
        await site.worker.work()
    # In the end all that was begun is told, and nothing more.
    match = match_of(table)
    assert match.secrets[-1].hex() in everything
    assert match.chain.secret(match.begun + 1).hex() not in everything
    assert match.chain.last.hex() not in everything
    logged = caplog.text
    for n in range(1, match.begun + 4):
        assert match.chain.secret(n).hex() not in logged
    assert match.chain.last.hex() not in logged
    for player in ("nino", "gia"):
        assert number_of(player).hex() not in logged


async def test_before_the_start_nobody_is_told_a_number_or_an_early_hash(site: House) -> None:
    game = games.GAMES[0]
    await site.make("nino", game=game)
    await site.sit("gia")
    viewers = [await site.watch(player) for player in ("nino", "gia", None)]
    await site.hash("nino")
    await site.hash("gia")
    await site.reveal("nino")
    frames = json.dumps([await received(viewer) for viewer in viewers])
    assert number_of("nino").hex() not in frames
    shake = (await site.table()).handshake
    assert shake is not None
    assert shake.chain.last.hex() not in frames
    assert shake.chain.secret(1).hex() not in frames
    assert shake.commitment.hex() in frames


def stored(server: Server, table: str) -> dict[str, Any]:
    with sqlite3.connect(server.data / "tables.db") as db:
        (state,) = db.execute("SELECT state FROM tables WHERE id = ?", (table,)).fetchone()
    value: dict[str, Any] = json.loads(state)
    return value


async def test_no_page_of_a_running_match_holds_a_secret_or_anothers_tiles(
    server: Server,
) -> None:
    browsers = [Browser(server), Browser(server)]
    seats = await started(browsers, "domino", "georgian", target="75", public="1")
    rng = random.Random(6)
    watcher = Browser(server)
    watching = await watcher.open(seats[0].id)
    for _ in range(4):
        for _ in range(5):
            await move(seats, rng)
        await level([*seats, watching])
        state = stored(server, seats[0].id)
        match, last = state["match"], bytes.fromhex(state["match"]["last"])
        begun = match["begun"]
        secrets = [match["last"], *(Chain(last).secret(begun + n).hex() for n in (1, 2))]
        if seats[0].table["pause"] is None:
            secrets.append(match["secret"])
        players = [seat["player"] for seat in state["seats"]]
        for browser in (*browsers, watcher):
            for path in ("/", f"/t/{seats[0].id}", f"/m/{seats[0].table['match']}", "/healthz"):
                text = browser.get(path).text
                assert not [each for each in (*secrets, *players) if each in text]
        text = json.dumps([seat.frames for seat in (*seats, watching)])
        assert not [each for each in secrets if each in text]
        if seats[0].table["pause"] is None:
            for seat in (0, 1):
                theirs = seats[1 - seat].table["view"]["tiles"]
                page = browsers[seat].get(f"/t/{seats[0].id}").text
                shown = page.partition('id="table">')[2].partition("</script>")[0]
                view = json.loads(shown)["view"]
                view["must_open"] = view["last_hand"] = None  # both lie open
                assert not [tile for tile in theirs if f'"{tile}"' in json.dumps(view)]
    for path in (f"/m/{seats[0].table['match']}", f"/m/{seats[0].table['match']}/record.json"):
        assert watcher.get(path).status_code == 404
