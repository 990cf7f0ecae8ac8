"""Every call keeps to its description, whatever it is asked: with schemathesis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case

from app.web.api.description import DESCRIPTION
from app.web.identity import COOKIE
from engine.games import GAMES
from tests.app.api_site import DATO, GIA, NINO, Seeded
from tests.app.browsers import Browser
from tests.app.server import Server

AnyCase: TypeAlias = Case[Any]


def schema(mode: str, *, coverage: bool) -> schemathesis.BaseSchema:
    """The calls, to be asked the same every time."""
    given = {
        "seed": 1,
        "generation": {"mode": mode, "deterministic": True},
        "phases": {"coverage": {"enabled": coverage}},
    }
    config = schemathesis.Config.from_dict(given)
    return schemathesis.openapi.from_dict(DESCRIPTION, config=config)


def asking(examples: int) -> settings:
    return settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


EVERYTHING = schema("all", coverage=True)
POSITIVE = schema("positive", coverage=False)


@dataclass(frozen=True)
class Known:
    """A server on which something was played, and what there is on it."""

    server: Server
    cookies: dict[str, str]
    there: dict[str, str]


@pytest.fixture(scope="module")
def known(played_on: tuple[Server, Seeded]) -> Known:
    server, has = played_on
    game = GAMES[0]
    options = {option: str(values[0]) for option, values in game.choices.items()}
    there = {
        "handle": has.handles[NINO],
        "match_id": "m4",
        "table_id": Browser(server).make_table(game.name, game.rules, public="1", **options),
        "game": game.name,
        "rules": game.rules,
    }
    return Known(server, has.cookies, there)


@pytest.mark.parametrize("reader", [GIA])
@EVERYTHING.parametrize()
@asking(10)
def test_whatever_is_asked(case: AnyCase, known: Known, reader: str) -> None:
    cookie = {COOKIE: known.cookies[reader]}
    case.call_and_validate(base_url=known.server.origin, cookies=cookie)


@pytest.mark.parametrize("reader", [None, GIA, DATO])
@POSITIVE.parametrize()
@asking(4)
def test_what_is_there(case: AnyCase, known: Known, reader: str | None) -> None:
    for name, value in known.there.items():
        if name in case.path_parameters:
            case.path_parameters[name] = value
    cookie = {} if reader is None else {COOKIE: known.cookies[reader]}
    answer = case.call_and_validate(base_url=known.server.origin, cookies=cookie)
    forbidden = case.operation.label.endswith("/against") and reader != GIA
    assert answer.status_code == (403 if forbidden else 200)
