"""What holds for all calls of the JSON API: secrets, caching, methods, counting, what is away."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from markupsafe import escape

from app import i18n
from app.history.fairness import Report
from app.history.history import HistoryError
from app.ledger.values import LedgerError
from app.live.purses import LedgerAwayError
from app.live.store import StoreError
from app.main import create_app
from app.players.players import PlayersError
from app.ratings.ratings import RatingsError
from app.settings import read_settings
from app.web.api import games as games_call
from app.web.api.calls import NAMED, OWN, SHORT
from app.web.api.description import _EVERY, DESCRIPTION
from app.web.api.values import Told
from app.web.identity import COOKIE
from app.web.site import Site
from tests.app.api_site import (
    GIA,
    NAMES,
    NINO,
    Reader,
    Seeded,
    fill,
)
from tests.app.server import Server

# All of them.

CALLS = [
    ("me", OWN),
    ("players/{handle}", OWN),
    ("players/{handle}/matches", OWN),
    ("players/{handle}/stats/nardi/short", SHORT),
    ("players/{handle}/against", OWN),
    ("lobby", OWN),
    ("tables/{table}", OWN),
    ("matches/m1", SHORT),
    ("matches/m1/record", NAMED),
    ("leaders/nardi/short/all", OWN),
    ("fairness", SHORT),
    ("games", SHORT),
]


@pytest.fixture(scope="module")
def paths(played_on: tuple[Server, Seeded]) -> list[tuple[str, str]]:
    """Every call, and how long its answer may be kept."""
    server, has = played_on
    table = Reader(server, has.cookies[GIA]).make_table("domino", "georgian", target="75")
    assert len(CALLS) == len(DESCRIPTION["paths"])
    return [(path.format(handle=has.handles[GIA], table=table), keep) for path, keep in CALLS]


def test_nobody_learns_an_id_of_a_player(
    nino: Reader, dato: Reader, nobody: Reader, paths: list[tuple[str, str]]
) -> None:
    for reader in (nino, dato, nobody):
        for path, _ in paths:
            answer = reader.call(path)
            assert reader is not nino or answer.status_code == 200
            for player in NAMES:
                assert player not in answer.text, path


def test_how_long_an_answer_may_be_kept(nino: Reader, paths: list[tuple[str, str]]) -> None:
    for path, keep in paths:
        answer = nino.call(path)
        assert answer.headers["cache-control"] == keep, path
        assert "set-cookie" not in answer.headers
        assert not [name for name in answer.headers if name.startswith("access-control")]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-request-id"]


def test_head_is_like_get(nino: Reader, paths: list[tuple[str, str]]) -> None:
    told = {"date", "x-request-id"}
    for path, _ in paths:
        url = f"{nino.server.origin}/api/v1/{path}"
        got, head = nino.http.get(url), nino.http.head(url)
        assert (head.status_code, head.content) == (200, b"")
        assert {k: v for k, v in head.headers.items() if k not in told} == {
            k: v for k, v in got.headers.items() if k not in told
        }


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_nothing_can_be_changed(nino: Reader, method: str, paths: list[tuple[str, str]]) -> None:
    for path, _ in paths:
        answer = nino.http.request(method, f"{nino.server.origin}/api/v1/{path}")
        assert (answer.status_code, answer.json()["error"]) == (405, "method")
        assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD"}


def test_what_is_no_call(nobody: Reader) -> None:
    for path in ("", "none", "players", "../v2/me", "players//matches"):
        assert nobody.refused(path)[:2] == (404, "not_found")
    long = nobody.call("tables/" + "a" * 600)
    assert (long.status_code, long.json()["error"]) == (414, "too_large")
    assert long.headers["content-security-policy"]
    # Pages are pages as before.
    for path, status in (("/none", 404), ("/t/none", 404), ("/" + "a" * 600, 414)):
        page = nobody.get(path)
        assert page.status_code == status
        assert not page.headers.get("content-type", "").startswith("application/json")


def test_calls_are_counted_by_address(tmp_path: Path) -> None:
    with Server(tmp_path / "data", 0, EZO_API_ADDRESS_RATE="3/hour") as few:
        readers = [Reader(few) for _ in range(5)]
        paths = ("me", "games", "lobby", "fairness", "tables/none")
        answers = [each.call(path) for each, path in zip(readers, paths, strict=True)]
        assert [each.status_code for each in answers] == [200, 200, 200, 429, 429]
        assert answers[3].json()["error"] == "too_often"
        assert 0 < int(answers[3].headers["retry-after"]) <= 3600
        assert readers[0].get("/api/openapi.json").status_code == 429
        assert readers[0].get("/").status_code == 200


# The description.


def test_the_description_is_served(nobody: Reader) -> None:
    answer = nobody.get("/api/openapi.json")
    assert (answer.status_code, answer.headers["cache-control"]) == (200, SHORT)
    said = answer.json()
    assert said == json.loads(json.dumps(DESCRIPTION))
    assert said["info"]["license"] == {"name": "MIT", "identifier": "MIT"}
    assert all(path.startswith("/api/v1/") for path in said["paths"])
    # FastAPI's own pages load scripts from elsewhere.
    for path in ("/docs", "/redoc", "/openapi.json", "/api/docs"):
        assert nobody.get(path).status_code == 404


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_a_page_lists_the_calls_in_both_languages(nobody: Reader, language: i18n.Language) -> None:
    nobody.http.cookies.set("ezo_language", language)
    page = nobody.get("/api")
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    for path, methods in DESCRIPTION["paths"].items():
        words = i18n.text(language, f"api.call.{methods['get']['operationId']}")
        assert f"<code>GET {path}" in page.text.replace("<wbr>", "")
        assert escape(words) in page.text


def test_everything_is_described() -> None:
    tags = {each["name"] for each in DESCRIPTION["tags"]}
    for path, methods in DESCRIPTION["paths"].items():
        call = methods["get"]
        assert set(methods) == {"get"}
        assert call["summary"], path
        assert call["description"], path
        assert set(call["tags"]) <= tags
        assert {"200", "405", "414", "429", "500"} <= set(call["responses"])
        for each in call.get("parameters", ()):
            assert each["description"], path
            assert each["schema"]["examples"]
            assert "anyOf" not in each["schema"]
        bounded = {"pattern", "enum", "maximum"}
        assert all(bounded & set(each["schema"]) for each in call.get("parameters", ()))
    for name, schema in DESCRIPTION["components"]["schemas"].items():
        assert schema["description"], name
        assert schema["additionalProperties"] is False
        for field in schema["properties"].values():
            assert field["description"], name


def test_every_example_is_an_answer() -> None:
    found = 0
    for calls in _EVERY:
        for route in calls.described.routes:
            model: type[Told] | None = route.response_model
            example = calls.examples[route.path]
            if model is not None:
                assert json.loads(model.model_validate(example).model_dump_json()) == example
                found += 1
    assert found == len(CALLS) - 1


def test_an_answer_is_never_changed() -> None:
    clock = games_call.Clock(move_ms=1, reserve_ms=1, absence_ms=1)
    with pytest.raises(ValueError, match="frozen"):
        clock.move_ms = 2


# What has to be asked is away.


@asynccontextmanager
async def inside(data: Path) -> AsyncIterator[tuple[Site, httpx.AsyncClient, Seeded]]:
    """The application in this process, with what was played, asked by Nino."""
    app = create_app(read_settings(data=data))
    async with app.router.lifespan_context(app):
        site: Site = app.state.site
        has = await fill(site)
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        cookies = {COOKIE: has.cookies[NINO]}
        async with httpx.AsyncClient(
            transport=transport, base_url="http://ezo.example/api/v1/", cookies=cookies
        ) as client:
            yield site, client, has


def failing(error: type[Exception]) -> Callable[..., Awaitable[Any]]:
    async def fail(*_: object, **__: object) -> Any:
        raise error("away")

    return fail


async def test_what_is_away_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with inside(tmp_path / "data") as (site, client, has):
        handle = has.handles[GIA]

        async def away(part: object, name: str, error: type[Exception], path: str) -> Any:
            with monkeypatch.context() as patch:
                patch.setattr(type(part), name, failing(error))
                answer = await client.get(path)
                assert answer.headers["cache-control"] in {"no-store", OWN}
                return answer.status_code, answer.json().get("error")

        gone, players = (503, "away"), (503, "players_away")
        assert await away(site.accounts, "of", PlayersError, "me") == players
        assert await away(site.ratings, "of", RatingsError, "me") == gone
        path = f"players/{handle}"
        assert await away(site.accounts, "at", PlayersError, path) == players
        assert await away(site.history, "of", HistoryError, f"{path}/matches") == gone
        assert await away(site.ratings, "changes_of", RatingsError, f"{path}/matches") == gone
        assert await away(site.history, "stats", HistoryError, f"{path}/stats/nardi/short") == gone
        assert await away(site.history, "between", HistoryError, f"{path}/against") == gone
        assert await away(site.lobby, "tables", StoreError, "lobby") == gone
        assert await away(site.tables, "load", StoreError, "tables/t1") == gone
        assert await away(site.history, "match", HistoryError, "matches/m1") == gone
        assert await away(site.history, "match", HistoryError, "matches/m1/record") == gone
        assert await away(site.boards, "board", RatingsError, "leaders/nardi/short/all") == gone
        assert await away(site.fairness, "latest", HistoryError, "fairness") == gone
        assert await away(site.accounts, "among", LedgerError, "matches/m1") == gone
        # A purse that is not known is no reason to say nothing.
        assert await away(site.purses, "glance", LedgerAwayError, "me") == (200, None)
        assert await away(site.fairness, "latest", ValueError, "fairness") == (500, "fault")


async def test_a_fault_is_answered_as_everything_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with inside(tmp_path / "data") as (site, client, _):
        monkeypatch.setattr(type(site.fairness), "latest", failing(ValueError))
        answer = await client.get("fairness")
        assert "away" not in answer.text
        for header in ("content-security-policy", "x-content-type-options", "x-request-id"):
            assert answer.headers[header]


async def test_a_site_on_which_nothing_has_ended_has_no_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with inside(tmp_path / "data") as (site, client, _):

        async def none(*_: object) -> Report | None:
            return None

        monkeypatch.setattr(type(site.fairness), "latest", none)
        assert (await client.get("fairness")).json() == {"report": None}
