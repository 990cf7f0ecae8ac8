"""The application: opens the house, serves it, and closes it in order."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import Response

from app.live.fanout import Fanout
from app.live.folder import DataFolder
from app.live.service import LiveTables
from app.live.sqlite import SqliteStore
from app.live.store import StoreError
from app.settings import Settings
from app.web import pages
from app.web.assets import Assets
from app.web.forms import PageError
from app.web.headers import SecureHeaders, secure
from app.web.identity import Identities
from app.web.render import Renderer
from app.web.site import Site, site_of
from app.ws import connection
from engine import games

ROOT = Path(__file__).parent.parent
TABLES = "tables.db"
"""The file of the live tables, in the data folder."""


def create_app(settings: Settings, folder: DataFolder | None = None) -> FastAPI:
    """The application; ``folder`` is the data folder if the caller holds it already.

    Starting it raises :class:`FolderError` or :class:`StoreError`.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        held = folder or DataFolder(settings.data)
        try:
            key = settings.secret_key
            identities = Identities(key.get_secret_value() if key else held.secret("cookie.key"))
            store = SqliteStore(held.path / TABLES)
            fanout = Fanout()
            tables = LiveTables(store, fanout, games.game, time.time)
            assets = Assets(ROOT / "static")
            renderer = Renderer(ROOT / "templates", assets)
            app.state.site = Site(
                settings, games.GAMES, tables, fanout, identities, assets, renderer
            )
            try:
                yield
            finally:
                await tables.close()
                await store.close()
        finally:
            held.close()

    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.include_router(pages.router)
    app.include_router(connection.router)
    app.add_middleware(SecureHeaders)
    app.add_exception_handler(PageError, _page_error)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(StoreError, _store_error)
    app.add_exception_handler(Exception, _fault)
    return app


async def _page_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, PageError)
    page = site_of(request).pages.error(request, error.status, error.key, error.back)
    if error.status == 413:
        # The rest of it may never end: nothing more is read from this line.
        page.headers["connection"] = "close"
    return page


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    key = {404: "not_found", 405: "method"}.get(error.status_code, "fault")
    page = site_of(request).pages.error(request, error.status_code, key)
    page.headers.update(error.headers or {})
    return page


async def _store_error(request: Request, error: Exception) -> Response:
    del error
    return site_of(request).pages.error(request, 503, "fault")


async def _fault(request: Request, error: Exception) -> Response:
    del error
    page = site_of(request).pages.error(request, 500, "fault")
    # A fault is answered outside all middleware.
    secure(MutableHeaders(raw=page.raw_headers))
    return page
