"""What is logged says what went wrong and where, and nothing of anybody."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import os
import random
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.live.store import StoreError
from app.main import create_app
from app.ops import context, logs, metrics
from app.settings import read_settings
from tests.app.browsers import Browser, level, move, started
from tests.app.server import PATIENCE, ROOT, Server

SECRET = "6-6 is in the bazaar"


@pytest.fixture
def out() -> Iterator[StringIO]:
    """Where logs go, and everything as it was after that."""
    root = logging.getLogger()
    before = (root.handlers, root.level, logging.raiseExceptions)
    hooks = (sys.excepthook, sys.unraisablehook, threading.excepthook)
    shown = warnings.showwarning
    out = StringIO()
    logs.set_up("json", "info", out)
    yield out
    logging.captureWarnings(capture=False)
    warnings.showwarning = shown
    root.handlers, level_before, logging.raiseExceptions = before
    root.setLevel(level_before)
    sys.excepthook, sys.unraisablehook, threading.excepthook = hooks


def lines(out: StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_table_is_called_by_one_name_everywhere_and_it_is_no_invite() -> None:
    assert context.alias("abc") == hashlib.sha256(b"abc").hexdigest()[:12]


def test_a_line_says_what_it_is_about(out: StringIO) -> None:
    counted = metrics.LOGGED.labels("warning")
    before = counted._value.get()
    token = context.TABLE.set("an-invite")
    request = context.REQUEST.set("r1")
    logging.getLogger("app.some").warning("it did %s", "not", extra={"told": {"status": 500}})
    context.TABLE.reset(token)
    context.REQUEST.reset(request)
    (line,) = lines(out)
    assert counted._value.get() == before + 1
    assert line["event"] == "it did not"
    assert (line["level"], line["logger"]) == ("warning", "app.some")
    assert (line["table"], line["request"]) == (context.alias("an-invite"), "r1")
    assert line["status"] == 500
    assert "an-invite" not in out.getvalue()


def fails() -> None:
    tiles: dict[str, str] = {}
    try:
        tiles[SECRET]
    except KeyError as error:
        raise ValueError(SECRET) from error


def test_a_trace_has_places_and_no_values(out: StringIO) -> None:
    try:
        fails()
    except ValueError:
        logging.getLogger("app").exception("a fault")
    (line,) = lines(out)
    assert [each for each in line["trace"] if " " not in each] == ["KeyError", "ValueError"]
    assert any(each.endswith(" fails") and "test_logs.py:" in each for each in line["trace"])
    assert SECRET not in out.getvalue()


def test_words_of_our_own_are_said_and_groups_are_taken_apart(out: StringIO) -> None:
    error = ExceptionGroup(SECRET, [StoreError("Redis did not answer"), OSError(SECRET)])
    logging.getLogger("app").error("a fault", exc_info=error)
    (line,) = lines(out)
    assert line["trace"][-2:] == ["| StoreError: Redis did not answer", "| OSError"]
    assert SECRET not in out.getvalue()


async def test_nothing_that_fails_unseen_is_told_with_its_values(out: StringIO) -> None:
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(logs.in_loop)

    async def task(value: str) -> None:
        raise ValueError(value)

    failed = asyncio.create_task(task(SECRET))
    await asyncio.wait({failed})
    del failed
    thread = threading.Thread(target=fails)
    thread.start()
    thread.join()
    try:
        fails()
    except ValueError as error:
        sys.excepthook(ValueError, error, error.__traceback__)
    warnings.warn("an old way", stacklevel=1)
    loop.set_exception_handler(None)
    said = lines(out)
    assert [line["event"].split(":")[0] for line in said[:3]] == [
        "a task failed",
        "a thread ends by a fault",
        "the process ends by a fault",
    ]
    assert said[3]["logger"] == "py.warnings"
    assert all(line["trace"][-1] == "ValueError" for line in said[:3])
    assert SECRET not in out.getvalue()


def test_text_is_for_people(out: StringIO) -> None:
    text = StringIO()
    logs.set_up("text", "warning", text)
    logging.getLogger("app").info("not this")
    try:
        fails()
    except ValueError:
        logging.getLogger("app").exception("a fault\nof two lines")
    first, *rest = text.getvalue().splitlines()
    assert " error a fault of two lines logger=app" in first
    assert rest[-1] == "  ValueError"
    assert "not this" not in text.getvalue()
    assert SECRET not in text.getvalue()
    assert out.getvalue() == ""


async def test_a_page_that_fails_is_logged_under_the_name_its_answer_has(
    out: StringIO, tmp_path: Path
) -> None:
    app = create_app(read_settings(data=str(tmp_path / "data")))

    async def fault(table_id: str) -> None:
        raise ValueError(SECRET + table_id)

    app.add_api_route("/fault/{table_id}", fault)
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://ezo.example") as client,
    ):
        answer = await client.get("/fault/an-invite", headers={"x-request-id": "mine"})
        fine = await client.get("/")
    assert answer.status_code == 500
    assert "გაფუჭდა" in answer.text
    name = answer.headers["x-request-id"]
    assert name not in {"mine", fine.headers["x-request-id"]}
    assert len(name) == len(fine.headers["x-request-id"]) == 16
    told = [line for line in lines(out) if line.get("request") == name]
    ours = [line for line in told if line["logger"].startswith("app.")]
    assert [(line["route"], line["status"]) for line in ours] == [("/fault/{table_id}", 500)]
    assert SECRET not in out.getvalue()


def test_a_site_that_cannot_be_opened_says_why_in_a_line_of_our_own(tmp_path: Path) -> None:
    site = {
        "EZO_REDIS_URL": "redis://:hidden-password@127.0.0.1:1",
        "EZO_DATABASE_URL": "postgresql://ezo:hidden-password@127.0.0.1:1/ezo",
        "EZO_SECRET_KEY": "k" * 32,
    }
    ended = subprocess.run(
        [sys.executable, "-m", "app", "--port", "0"],
        cwd=ROOT,
        env={k: v for k, v in os.environ.items() if not k.startswith("EZO_")} | site,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    (line,) = ended.stderr.splitlines()
    said = json.loads(line)["event"]
    assert said.startswith("the site cannot be opened: Redis at 127.0.0.1:1 cannot be used")
    assert "hidden-password" not in ended.stderr
    assert not (tmp_path / "data").exists()


async def test_a_fault_while_it_opens_is_told_without_its_values(out: StringIO) -> None:
    with pytest.raises(ValueError, match="bazaar"):
        async with logs.failing("the site cannot be opened"):
            fails()
    logging.getLogger("uvicorn.error").error("Traceback (most recent call last): %s", SECRET)
    (line,) = lines(out)
    assert line["event"] == "the site cannot be opened"
    assert line["trace"][-1] == "ValueError"
    assert SECRET not in out.getvalue()


async def test_over_a_whole_evening_every_line_is_json_and_names_nobody(tmp_path: Path) -> None:
    loud = {"EZO_LOG": "json", "EZO_LOG_LEVEL": "debug", "EZO_SECRET_KEY": "k" * 32}
    rng = random.Random(3)
    with Server(tmp_path / "data", 0, **loud) as server:
        browsers = [Browser(server), Browser(server)]
        browsers[0].post("/name", {"name": "საიდუმლო სახელი"})
        seats = await started(browsers, "domino", "georgian", target="75")
        for _ in range(12):
            await move(seats, rng)
        await level(seats)
        browsers[1].get(f"/t/{seats[0].id}")
        browsers[1].get("/t/no-such-table")
        await seats[0].say("no message")
        await seats[0].accepted("resign")
        for seat in seats:
            await seat.close()
        assert await asyncio.to_thread(server.stop) < 0
        written = server.log()
    found = [json.loads(line) for line in written.splitlines()]
    assert len(found) > 5
    assert {line["level"] for line in found} <= {"debug", "info"}
    assert {"stopping", "stopped"} <= {line["event"] for line in found}
    table = context.alias(seats[0].id)
    assert table in {line.get("table") for line in found}
    hidden = [
        seats[0].id,
        seats[0].table["match"],
        "საიდუმლო",
        "k" * 32,
        *(each.cookie or "" for each in browsers),
        *(number.hex() for each in browsers for number in each.numbers.values()),
    ]
    assert not [each for each in hidden if each in written]


async def test_an_embedded_server_says_nothing_while_all_is_well(tmp_path: Path) -> None:
    with Server(tmp_path / "data") as server:
        async with asyncio.timeout(PATIENCE):
            seats = await started([Browser(server), Browser(server)], "nardi", "short", points="1")
            await seats[0].accepted("resign")
            assert await asyncio.to_thread(server.stop) < 0
        assert server.log() == ""
