"""Every call keeps to its description, whatever it is asked: with schemathesis."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case

from app.web.api.description import DESCRIPTION
from app.web.identity import COOKIE
from engine.games import GAMES
from tests.app.api_site import DATO, GIA, NINO, seeded
from tests.app.browsers import Browser
from tests.app.server import Server

Schema = schemathesis.BaseSchema


def schema(mode: str) -> Schema:
    given = {"seed": 1, "generation": {"mode": mode, "deterministic": True}}
    config = schemathesis.Config.from_dict(given)
    return schemathesis.openapi.from_dict(DESCRIPTION, config=config)


EVERYTHING, POSITIVE = schema("all"), schema("positive")
FEW = settings(
    max_examples=15,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


@dataclass(frozen=True)
class Known:
    """A server on which something was played, and what there is on it."""

    server: Server
    cookies: dict[str, str]
    there: dict[str, str]


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Known]:
    data = tmp_path_factory.mktemp("api") / "data"
    has = seeded(data)
    with Server(data) as server:
        browser = Browser(server)
        game = GAMES[0]
        options = {option: str(values[0]) for option, values in game.choices.items()}
        table = browser.make_table(game.name, game.rules, public="1", **options)
        there = {
            "handle": has.handles[GIA],
            "match_id": "m1",
            "table_id": table,
            "game": game.name,
            "rules": game.rules,
        }
        yield Known(server, has.cookies, there)
        assert server.log() == ""


@EVERYTHING.parametrize()
@FEW
def test_whatever_is_asked(case: Case, known: Known) -> None:
    case.call_and_validate(base_url=known.server.origin)


@pytest.mark.parametrize("reader", [None, NINO, DATO])
@POSITIVE.parametrize()
@FEW
def test_what_is_there(case: Case, known: Known, reader: str | None) -> None:
    for name, value in known.there.items():
        if name in case.path_parameters:
            case.path_parameters[name] = value
    cookie = {} if reader is None else {COOKIE: known.cookies[reader]}
    answer = case.call_and_validate(base_url=known.server.origin, cookies=cookie)
    forbidden = case.operation.label.endswith("/against") and reader != NINO
    assert answer.status_code == (403 if forbidden else 200)
