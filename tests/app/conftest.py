"""One server for all tests that only knock on its doors."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.app.api_site import DATO, NINO, Reader, Seeded, seeded
from tests.app.browsers import Browser
from tests.app.server import Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running server; nothing of it may have complained when all is over."""
    with Server(tmp_path_factory.mktemp("site") / "data") as running:
        yield running
        log = running.log()
    assert log == ""


@pytest.fixture
def browser(server: Server) -> Browser:
    """A newcomer."""
    return Browser(server)


@pytest.fixture(scope="session")
def played_on(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Seeded]]:
    """A server on which something has been played; it complains of nothing, either."""
    data = tmp_path_factory.mktemp("played") / "data"
    has = seeded(data)
    with Server(data) as running:
        yield running, has
        log = running.log()
    assert log == ""


@pytest.fixture
def has(played_on: tuple[Server, Seeded]) -> Seeded:
    return played_on[1]


@pytest.fixture
def nobody(played_on: tuple[Server, Seeded]) -> Reader:
    return Reader(played_on[0])


@pytest.fixture
def nino(played_on: tuple[Server, Seeded]) -> Reader:
    server, has = played_on
    return Reader(server, has.cookies[NINO])


@pytest.fixture
def dato(played_on: tuple[Server, Seeded]) -> Reader:
    server, has = played_on
    return Reader(server, has.cookies[DATO])
