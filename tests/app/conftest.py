"""One server for all tests that only knock on its doors."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

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
