"""Replays of finished matches: what is told, to whom, how it is kept; files and preview cards."""

from __future__ import annotations

import asyncio
import html
import json
import random
import re
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from starlette.requests import Request

from app.history.history import Finished
from app.table.replays import hands
from app.web import replay as replays
from app.web.assets import Assets
from app.web.named import named
from app.web.render import Renderer
from app.web.replay import Replays
from engine.export import export
from engine.frames import From, frames
from engine.game import Json, Unreadable
from engine.record import read
from engine.replay import Replay
from tests.app.browsers import Browser, play_out, started
from tests.app.finished import copied, finished, given_up, kept
from tests.app.houses import eventually
from tests.app.server import ROOT, Server
from tests.app.test_shell import card
from tests.browser.matches import changed, committed_record

GAMES = pytest.mark.parametrize("game", ["domino", "nardi"])
SIDES: tuple[From, ...] = ("above", 0, 1)


@GAMES
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_hands_are_the_frames_of_the_whole_record(game: str, seed: int) -> None:
    """From every side; and the lines of the hands say what the rows of a replay say."""
    record = read(committed_record(game, seed))
    ends = [row for row in Replay(record) if "end" in row]
    for side in SIDES:
        shown = list(hands(record, side))
        told = [frame for hand in shown for frame in hand.frames]
        assert told == [{**frame.to_json(), "auto": False} for frame in frames(record, side)]
        assert [hand.line.frames for hand in shown] == [len(hand.frames) for hand in shown]
        lines = [hand.line for hand in shown]
        assert [(line.number, line.end) for line in lines] == [
            (row["hand"], row["end"]) for row in ends
        ]
        for line, row in zip(lines, ends, strict=True):
            assert (line.winner, line.points) == (row["winner"], row["points"])
            assert list(line.score) == row["score"]


@GAMES
def test_both_sides_are_shown_the_same_of_what_lies_open(game: str) -> None:
    record = read(committed_record(game, 1))
    seen = [
        [
            {key: value for key, value in frame["view"].items() if key not in ("seat", "tiles")}
            for hand in hands(record, side)
            for frame in hand.frames
        ]
        for side in SIDES
    ]
    assert seen[0] == seen[1] == seen[2]


def test_what_the_server_played_is_told_t7() -> None:
    record = committed_record("nardi", 1)
    record["hands"][1]["auto"] = [0, 3]
    told = [
        {frame["n"] for frame in hand.frames if frame["auto"]} for hand in hands(read(record), 0)
    ]
    assert told == [set(), {1, 4}, *[set()] * (len(told) - 2)]


@GAMES
def test_a_hand_that_was_given_up_has_no_end_and_no_points(game: str) -> None:
    record = given_up(committed_record(game, 1), 3)
    *before, last = hands(read(record), "above")
    assert all(hand.line.end for hand in before)
    line = last.line
    assert (line.end, line.winner, line.points) == (None, None, 0)
    assert list(line.score) == last.frames[-1]["score"]
    assert {frame["n"] for frame in last.frames} == {0, 1, 2, 3}


@GAMES
def test_a_match_that_may_be_under_way_is_never_shown(game: str) -> None:
    record = committed_record(game, 1)
    del record["end"]
    with pytest.raises(Unreadable):
        hands(read(record), "above")
    with pytest.raises(ValueError, match="no such seat"):
        hands(read(committed_record(game, 1)), 2)


async def test_a_replay_is_made_once_and_only_the_latest_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[tuple[str, From]] = []
    make = replays._made

    def counted(match: Finished, side: From) -> replays.Replay:
        made.append((match.id, side))
        return make(match, side)

    monkeypatch.setattr(replays, "_made", counted)
    record = committed_record("domino", 1)
    first, second = finished(record), finished(record, "m2")
    size = make(first, "above").size
    room = Replays(most=2 * size + size // 2)
    one, same = await asyncio.gather(room.of(first, "above"), room.of(first, "above"))
    assert one is same
    await room.of(first, 0)
    await room.of(first, "above")
    assert made == [("m1", "above"), ("m1", 0)]
    await room.of(
        second, "above"
    )  # there is no room for a third: the one asked for longest ago goes
    await room.of(first, "above")
    assert made == [("m1", "above"), ("m1", 0), ("m2", "above")]
    await room.of(first, 0)
    assert made[3:] == [("m1", 0)]
    # One that is larger than all the room is shown all the same.
    small = Replays(most=1)
    assert (await small.of(first, 0)).hands
    assert (await small.of(first, 1)).hands


async def test_a_record_that_cannot_be_played_raises_an_alarm_and_shows_what_it_can(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def spoil(record: Json) -> None:
        record["hands"][1]["plays"][0] = "0 draw"

    match = finished(changed(committed_record("domino", 1), spoil))
    shown = await Replays().of(match, "above")
    assert [line.number for line in shown.hands] == [1]
    assert "ALARM: match m1 cannot be replayed: hand 2, line 1" in caplog.text
    assert "secret" not in caplog.text
    spoiled = changed(
        committed_record("nardi", 1), lambda record: record["hands"][0].update(turns=["0 66: 1/2"])
    )
    with pytest.raises(Unreadable):
        await Replays().exported(finished(spoiled), "mat")


# ── served ────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Played:
    """A finished match on the running server."""

    id: str
    server: Server
    browser: Browser
    record: Json
    players: list[str]

    def get(self, path: str, **headers: str) -> httpx.Response:
        return httpx.get(
            f"{self.server.origin}/m/{self.id}{path}",
            headers={"accept-encoding": "identity", **headers},
        )


OPTIONS = {"domino": ("georgian", {"target": "75"}), "nardi": ("short", {"points": "1"})}


async def _play(server: Server, game: str) -> Played:
    rules, options = OPTIONS[game]
    browsers = [Browser(server), Browser(server)]
    for browser, name in zip(browsers, ("ნინო", "გია"), strict=True):
        browser.post("/name", {"name": name})
    seats = await started(browsers, game, rules, **options)
    match = seats[0].table["match"]
    for path in ("", "/replay.json?hand=1", "/match.mat"):
        assert browsers[0].get(f"/m/{match}{path}").status_code == 404
    await play_out(seats, random.Random(4))

    async def found() -> httpx.Response | None:
        answer = browsers[0].get(f"/m/{match}/record.json")
        return answer if answer.status_code == 200 else None

    answer = await eventually(found)
    return Played(
        match, server, browsers[0], answer.json(), json.loads(kept(server, match)["players"])
    )


@pytest.fixture(scope="module")
def matches(server: Server) -> dict[str, Played]:
    """One match of each game, for all tests that look at it."""

    async def all_of_them() -> dict[str, Played]:
        return {game: await _play(server, game) for game in OPTIONS}

    return asyncio.run(all_of_them())


@GAMES
def test_every_hand_is_served_from_every_side(matches: dict[str, Played], game: str) -> None:
    played = matches[game]
    record = read(played.record)
    for side in SIDES:
        for hand in hands(record, side):
            number = hand.line.number
            answer = played.get(f"/replay.json?hand={number}&from={side}")
            assert answer.status_code == 200
            told = answer.json()
            assert told["frames"] == json.loads(json.dumps(hand.frames))
            assert (told["match"], told["from"], told["hand"]) == (played.id, side, number)
            assert answer.headers["content-type"] == "application/json"
            assert answer.headers["cache-control"] == "public, max-age=86400, immutable"
            assert answer.headers["vary"] == "accept-encoding"
            assert "set-cookie" not in answer.headers
            packed = played.get(
                f"/replay.json?hand={number}&from={side}", **{"accept-encoding": "gzip"}
            )
            assert packed.headers["content-encoding"] == "gzip"
            assert packed.content == answer.content
    above = played.get("/replay.json?hand=1")
    assert above.content == played.get("/replay.json?hand=1&from=above").content


@GAMES
def test_what_there_is_not_is_404_and_what_is_none_422(
    matches: dict[str, Played], game: str
) -> None:
    played = matches[game]
    count = len(played.record["hands"])
    for query in (f"hand={count + 1}", "hand=0", "hand=1&from=2", "hand=1&from=9999"):
        assert played.get(f"/replay.json?{query}").status_code == 404, query
    for query in ("", "hand=", "hand=one", "hand=-1", "hand=1&from=left", "hand=1&from=", "hand=٣"):
        assert played.get(f"/replay.json?{query}").status_code == 422, query
    assert played.get("/replay.json?hand=12345").status_code == 422
    for path in ("/match.sgf", "/match.", "/match.MAT"):
        assert played.get(path).status_code == 404
    assert httpx.get(f"{played.server.origin}/m/none/replay.json?hand=1").status_code == 404


def test_a_match_file_is_the_engines_own(matches: dict[str, Played]) -> None:
    played = matches["nardi"]
    answer = played.get("/match.mat")
    assert answer.status_code == 200
    assert answer.text == export(read(played.record), "mat")
    assert answer.headers["content-type"].startswith("text/plain")
    named = answer.headers["content-disposition"]
    assert re.fullmatch(r'attachment; filename="ezo-[\w-]+\.mat"', named)
    # It holds names, of which one may be taken out of it.
    assert answer.headers["cache-control"] == "public, max-age=300"
    assert f'/m/{played.id}/match.mat"' in played.get("").text
    assert matches["domino"].get("/match.mat").status_code == 404
    assert "match.mat" not in matches["domino"].get("").text


@GAMES
def test_the_page_lists_the_hands_and_has_a_card(matches: dict[str, Played], game: str) -> None:
    played = matches[game]
    page = played.get("").text
    lines = [hand.line for hand in hands(read(played.record), "above")]
    table = page.partition("<tbody>")[2].partition("</tbody>")[0]
    rows = [
        [html.unescape(re.sub(r"<[^>]+>", "", cell)).strip() for cell in cells]
        for cells in (re.findall(r"<t[hd].*?</t[hd]>", row) for row in table.split("<tr>")[1:])
    ]
    names = played.record["players"]
    assert len(rows) == len(lines)
    for row, line in zip(rows, lines, strict=True):
        assert row[0] == str(line.number)
        assert row[1].endswith(f"· {names[line.winner]}" if line.winner is not None else "")
        assert row[2] == (f"+{line.points}" if line.points else "–")
        assert row[3] == " : ".join(map(str, line.score))
        assert row[4] == str(line.frames)
    shown = card(page)
    one, other = lines[-1].score
    assert shown["title"] == f"ნინო {one} : {other} გია"
    winner = names[played.record["end"]["winner"]]
    assert shown["description"].endswith(f"გამარჯვებული: {winner}")
    assert shown["url"] == f"{played.server.origin}/m/{played.id}"
    assert shown["image"].endswith(f"/share/{game}.png")
    # In order: result, replay, hands, check, what can be taken along.
    places = [page.index(f'id="{each}"') for each in ("replay", "hands-title", "check", "link")]
    assert places == sorted(places)


@GAMES
def test_no_answer_names_a_player_but_by_the_name(matches: dict[str, Played], game: str) -> None:
    """Neither ids nor cookies; the replay has not even names, which may go when a player does."""
    played = matches[game]
    assert len(set(played.players)) == 2
    paths = ["", "/record.json", "/replay.json?hand=1&from=0", "/replay.json?hand=1", "/match.mat"]
    for path in paths:
        text = played.get(path).text
        assert not [each for each in played.players if each in text]
        if "replay.json" in path:
            assert not [name for name in played.record["players"] if name in text]


# ── the page's hooks ──────────────────────────────────────────────────────────────────────────


def rendered(**given: Any) -> str:
    """The page of a made-up match."""
    scope = {"type": "http", "method": "GET", "path": "/m/m1", "headers": [], "query_string": b""}
    match = {
        "id": "m1",
        "table": "t1",
        "game": "domino",
        "rules": "georgian",
        "options": {"target": 75},
        "names": [named("ka", "nino", "ნინო"), named("ka", "gia", "")],
        "you": None,
        "winners": [0],
        "reason": "left",
        "score": [80, 55],
        "stake": 100,
        "coins": [100, -100],
        "started": "2026-01-01T00:00:00Z",
        "ended": "2026-01-01T00:00:00Z",
        "record": "/r",
        "replay": "/p",
        "files": [],
        "link": "http://x/m/m1",
    }
    values = {
        "match": match,
        "hands": (),
        "ratings": None,
        "handles": [None, None],
        "opponents": [],
        "running": [],
        "preview": SimpleNamespace(title="", text="", url="", image=""),
        "catalogue": {},
        **given,
    }
    assets = Assets(ROOT / "static")
    page = Renderer(ROOT / "templates", assets).page(Request(scope), "match.html", **values)
    return bytes(page.body).decode()


def test_who_is_deleted_is_called_so_everywhere() -> None:
    page = rendered()
    assert "<bdi>წაშლილი მოთამაშე</bdi>" in page
    assert "წაშლილი მოთამაშე: −100" in page  # the coins
    assert "<bdi></bdi>" not in page
    assert 'id="replay"' not in page  # nothing is offered where there is nothing to see


def test_a_match_of_a_deleted_player_stays(matches: dict[str, Played]) -> None:
    """On its page, in its card, and as a file."""
    played = matches["nardi"]
    record = {**played.record, "players": ["ნინო", ""]}
    copied(played.server, played.id, "deleted", names=["ნინო", ""], record=record)
    page = httpx.get(f"{played.server.origin}/m/deleted").text
    one, other = next(hands(read(record), "above")).line.score
    assert card(page)["title"] == f"ნინო {one} : {other} წაშლილი მოთამაშე"
    assert "<bdi>წაშლილი მოთამაშე</bdi>" in page
    assert "გია" not in page.partition('id="catalogue"')[0]
    file = httpx.get(f"{played.server.origin}/m/deleted/match.mat")
    assert file.status_code == 200
    assert "gia" not in file.text.lower()


def test_a_void_match_is_shown_without_a_winner(matches: dict[str, Played]) -> None:
    played = matches["domino"]
    record = given_up(played.record, 2)
    record["end"] = {"winner": None, "reason": "void"}
    copied(played.server, played.id, "void", winners=[], reason="void", record=record)
    page = httpx.get(f"{played.server.origin}/m/void").text
    assert card(page)["description"].endswith("მატჩი უშედეგოდ დასრულდა")
    assert "ბოლომდე არ თამაშებულა" in page
    last = len(record["hands"])
    assert httpx.get(f"{played.server.origin}/m/void/replay.json?hand={last}").status_code == 200


def test_ratings_and_links_to_players_are_shown_where_they_are_known() -> None:
    plain = rendered()
    assert "/p/" not in plain
    assert 'class="ratings"' not in plain
    changes = [SimpleNamespace(before=1500, after=1512), SimpleNamespace(before=1480, after=1468)]
    page = rendered(ratings=changes, handles=["nino", None])
    assert '<a href="/p/nino"><bdi>ნინო</bdi></a>' in page
    assert "1500 → <strong>1512</strong> (+12)" in page
    assert "1480 → <strong>1468</strong> (−12)" in page
