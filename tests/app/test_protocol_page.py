"""The page that describes the wire knows every message, field, event, code and refusal there is."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from app.table import views
from app.web import (
    account,
    fairness,
    fairplay,
    faults,
    leaders,
    matches,
    pages,
    player,
    profile,
    quick,
    rules,
    tables,
)
from app.ws import messages
from app.ws.line import BUSY, FAULT, POLICY
from engine.games import GAMES
from tests.app.server import ROOT
from tests.app.tables import running
from tests.app.test_i18n import calls

PAGE = (ROOT / "docs" / "protocol.md").read_text("utf-8")


@pytest.mark.parametrize(
    "message", [*get_args(messages.Message), messages.Seek], ids=lambda each: each.__name__
)
def test_every_message_stands_there_with_its_fields(message: type) -> None:
    name = message.__name__.lower()
    (line,) = [each for each in PAGE.splitlines() if each.startswith(f'| `{{"type":"{name}"')]
    shown = line.replace(f'"type":"{name}"', "")
    fields = set(re.findall(r'"(\w+)"(?=[:,}])', shown))
    wanted = set(message.__struct_fields__)  # type: ignore[attr-defined]
    assert fields == wanted


def test_every_code_stands_there() -> None:
    for code in get_args(messages.ErrorCode):
        assert f"| `{code}` |" in PAGE
    for closing in (POLICY, FAULT, BUSY, 1009, 1012):
        assert f"| {closing} |" in PAGE
    assert f"(protocol {messages.PROTOCOL})" in PAGE


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_field_of_a_table_and_its_view_stands_there(game: object) -> None:
    table = views.table_view(running(game), 0, 0)  # type: ignore[arg-type]

    def named(value: object) -> set[str]:
        match value:
            case dict():
                return set(value) | {key for each in value.values() for key in named(each)}
            case list():
                return {key for each in value for key in named(each)}
        return set()

    for field in named(table):
        assert f'"{field}"' in PAGE or f"`{field}`" in PAGE or field.isdigit(), field


def test_every_event_of_a_table_and_every_refusal_stands_there() -> None:
    events = {name for name, *_ in calls("app/table", "tell")} - {None}
    assert {"opened", "hand_secret", "void"} <= events
    codes = {code for call in ("Refused", "Refusal") for code, *_ in calls("app/table", call)}
    assert {"stale", "hash_taken"} <= codes
    for word in (events | codes) - {None}:
        assert f"`{word}`" in PAGE, word


def test_every_address_stands_there() -> None:
    modules = (
        *(pages, tables, quick, matches, account, profile, player),
        *(leaders, fairness, rules, fairplay, faults),
    )
    for module in modules:
        for route in module.router.routes:
            path = str(getattr(route, "path", ""))
            path = path.replace("table_id", "id").replace("match_id", "match")
            assert path.startswith("/static/") or f" {path}`" in PAGE, path
