"""The application: opens the house, serves it, and closes it in order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import Depends, FastAPI, Request
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from app.history.history import HistoryError
from app.house import open_site
from app.live.folder import DataFolder
from app.live.store import StoreError
from app.ops import logs
from app.players.players import PlayersError
from app.ratings.ratings import RatingsError
from app.settings import Settings
from app.web import (
    account,
    bounds,
    fairness,
    fairplay,
    faults,
    health,
    leaders,
    matches,
    pages,
    player,
    profile,
    quick,
    rules,
    shell,
    styleguide,
    tables,
)
from app.web.answers import error_page
from app.web.api import page as api_page
from app.web.api import problems
from app.web.api.description import router as calls
from app.web.bounds import TooOftenError
from app.web.forms import PageError
from app.web.headers import SecureHeaders, secure
from app.web.known import known
from app.web.profile import NotSignedInError
from app.web.proxies import Proxies
from app.web.requests import HEADER, Requests, about, name_of
from app.web.site import site_of
from app.ws import lobby, table
from app.ws import quick as quick_ws


def create_app(settings: Settings, folder: DataFolder | None = None) -> FastAPI:
    """The application; ``folder`` is the data folder if the caller holds it already.

    Starting it raises :class:`FolderError`, :class:`StoreError` or :class:`DatabaseError`.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_exception_handler(logs.in_loop)
        held = folder
        if held is None and not settings.deployed:
            held = DataFolder(settings.data)
        try:
            async with logs.failing("the site cannot be opened"), open_site(settings, held) as site:
                app.state.site = site
                site.watch.ready.stopping = app.state.stopping
                await site.watch.ready.verdict()  # the first look, before anybody asks
                yield
        finally:
            if held is not None:
                held.close()

    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.stopping = False
    app.include_router(health.router)
    # In this order: what comes too often is counted by who asks.
    needs = [Depends(about), Depends(known), Depends(bounds.within)]
    for part in (
        *(pages, shell, styleguide, tables, quick, matches),
        *(account, profile, player, leaders, fairness, rules, fairplay, faults, api_page),
    ):
        app.include_router(part.router, dependencies=needs)
    app.include_router(calls, dependencies=needs[:2])
    for sockets in (table, lobby, quick_ws):
        app.include_router(sockets.router, dependencies=[Depends(about), Depends(known)])
    # The last one is asked first.
    app.add_middleware(SecureHeaders, calls=problems.PREFIX, too_long=problems.too_long)
    app.add_middleware(Requests)
    app.add_middleware(Proxies, trusted=settings.trusted_proxies)
    app.add_exception_handler(PageError, _page_error)
    app.add_exception_handler(NotSignedInError, _to_sign_in)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(StoreError, _store_error)
    app.add_exception_handler(HistoryError, _history_error)
    app.add_exception_handler(RatingsError, _history_error)
    app.add_exception_handler(PlayersError, _players_error)
    app.add_exception_handler(Exception, _fault)
    problems.prepare(app)
    return app


def stop(app: FastAPI) -> None:
    """The process has been told to stop: it says so from now on, and takes no more sockets."""
    app.state.stopping = True
    site = getattr(app.state, "site", None)
    if site is not None:
        site.watch.ready.stopping = True


async def _page_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, PageError)
    page = await error_page(request, error.status, error.key, error.back)
    if error.status == 413:
        # The rest of it may never end: nothing more is read from this line.
        page.headers["connection"] = "close"
    if isinstance(error, TooOftenError):
        page.headers["retry-after"] = str(error.after)
    return page


async def _to_sign_in(request: Request, error: Exception) -> Response:
    del request, error
    return RedirectResponse("/sign-in", 303)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    key = {404: "not_found", 405: "method"}.get(error.status_code, "fault")
    page = await error_page(request, error.status_code, key)
    page.headers.update(error.headers or {})
    return page


async def _players_error(request: Request, error: Exception) -> Response:
    del error
    return await error_page(request, 503, "players_away")


async def _history_error(request: Request, error: Exception) -> Response:
    del error
    return await error_page(request, 503, "history_away")


async def _store_error(request: Request, error: Exception) -> Response:
    del error
    return site_of(request).pages.error(request, 503, "fault")


async def _fault(request: Request, error: Exception) -> Response:
    del error
    page = site_of(request).pages.error(request, 500, "fault")
    # A fault is answered outside all middleware.
    headers = MutableHeaders(raw=page.raw_headers)
    secure(headers)
    headers[HEADER] = name_of(request)
    return page
