"""What makes the site one that can be installed: manifest, service worker, offline page."""

from __future__ import annotations

import json
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from app import i18n
from app.web.assets import Assets
from app.web.pages import READ
from app.web.site import site_of

router = APIRouter()

PAGE: Final = "#f5ede0"
WOOD: Final = "#5f3c21"
OFFLINE: Final = (
    "css/tokens.css",
    "css/dark.css",
    "css/base.css",
    "css/controls.css",
    "icons/icon.svg",
    "js/pages/offline.js",
)
"""The files of the offline page."""


@router.api_route("/manifest.webmanifest", methods=READ)
async def manifest(request: Request) -> Response:
    """The site as an application, in its own language."""
    static = site_of(request).assets.address
    name = i18n.text(i18n.DEFAULT, "site.name")
    described = {
        "id": "/",
        "name": f"{name}: {i18n.text(i18n.DEFAULT, 'home.title')}",
        "short_name": name,
        "description": i18n.text(i18n.DEFAULT, "home.lead"),
        "lang": i18n.DEFAULT,
        "dir": "ltr",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAGE,
        "theme_color": WOOD,
        "categories": ["games"],
        "icons": [
            _icon(static("icons/icon.svg"), "any", "image/svg+xml"),
            _icon(static("icons/icon-192.png"), "192x192"),
            _icon(static("icons/icon-512.png"), "512x512"),
            _icon(static("icons/maskable.svg"), "any", "image/svg+xml", "maskable"),
            _icon(static("icons/maskable-512.png"), "512x512", purpose="maskable"),
        ],
    }
    return JSONResponse(
        described, headers={"cache-control": "no-cache"}, media_type="application/manifest+json"
    )


@router.api_route("/sw.js", methods=READ)
async def worker(request: Request) -> Response:
    """The service worker. It changes with every file, so a browser never keeps an older shell."""
    assets = site_of(request).assets
    script = assets.text("js/shell/worker.js")
    head = f"const VERSION = {json.dumps(assets.version)};\nconst SHELL = {_shell(assets)};\n"
    return Response(
        head + script,
        headers={"cache-control": "no-cache"},
        media_type="text/javascript; charset=utf-8",
    )


@router.api_route("/offline", methods=READ)
async def offline(request: Request) -> Response:
    """What a browser shows that has no line. It holds nothing of its reader."""
    texts = {language: i18n.CATALOGUES[language] for language in i18n.LANGUAGES}
    return site_of(request).pages.page(request, "offline.html", texts=texts)


def _shell(assets: Assets) -> str:
    return json.dumps(["/offline", *(assets.address(path) for path in OFFLINE)])


def _icon(src: str, sizes: str, kind: str = "image/png", purpose: str = "any") -> dict[str, str]:
    return {"src": src, "sizes": sizes, "type": kind, "purpose": purpose}
