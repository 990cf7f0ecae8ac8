"""Scripts, styles and pictures, under addresses that change when they do."""

from __future__ import annotations

import gzip
import hashlib
import re
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from starlette.responses import Response

from app.web.joining import (
    UnjoinableError,
    imported_later,
    join,
    join_later,
    join_sheets,
    without_comments,
)

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".ico": "image/x-icon",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_DENSE = frozenset({".ico", ".jpg", ".png", ".woff2"})
"""Files that do not shrink."""
_EVERY: Final = "js/pages/site.js"
_PAGE: Final = re.compile(r"js/pages/\w+\.js")
_SCREEN: Final = re.compile(r"js/(\w+)/screen\.js")
_BOARD: Final = re.compile(r"js/replay/boards/(\w+)\.js")
_FOREVER = "public, max-age=31536000, immutable"
_LOOK = 1.0
"""Seconds between two looks at the folder, so that edited files are served at once."""
_PLAIN: Final = {"content-security-policy": "default-src 'none'"}
"""A file is no page: nothing may come of it, and a shorter word says so."""


@dataclass(frozen=True, slots=True)
class _File:
    body: bytes
    zipped: bytes | None
    """The same in gzip, where that is smaller."""


@dataclass(frozen=True, slots=True)
class _Tree:
    """All files of the folder as they were at one look."""

    stamps: frozenset[tuple[str, int, int]]
    files: Mapping[str, _File]
    version: str


class Assets:
    """The files of a folder, read into memory.

    One version stands for the whole folder and comes first in the path, so that modules which
    import each other by relative paths get one version of everything.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._tree = self._read(self._stamps())
        self._looked = time.monotonic()

    @property
    def version(self) -> str:
        """It changes with every file."""
        self._look()
        return self._tree.version

    def address(self, path: str) -> str:
        """The path under which a page names a file."""
        return f"/static/{self.version}/{path}"

    def has(self, path: str) -> bool:
        """Whether there is such a file."""
        self._look()
        return path in self._tree.files

    def text(self, path: str) -> str:
        """What a file says, as it is now. Raises ``KeyError``: there is none."""
        self._look()
        return self._tree.files[path].body.decode()

    def script(self, page: str) -> str:
        """The address of all that a page runs: one script, or the page's own module where its
        modules cannot be joined, so that the browser says why."""
        joined = f"joined/{page}.js"
        return self.address(joined if self.has(joined) else f"js/pages/{page.partition('-')[0]}.js")

    def response(self, path: str, accepted: str = "") -> Response | None:
        """A file by what follows ``/static/``; ``None``: there is none. ``accepted``: what the
        request says of encodings.

        Kept for ever by caches under the present version, asked for again under any other.
        """
        self._look()
        version, _, name = path.partition("/")
        current = version == self._tree.version
        file = self._tree.files.get(name)
        if file is None:
            current, name = False, path
            file = self._tree.files.get(name)
        if file is None:
            return None
        headers = _PLAIN | {"cache-control": _FOREVER if current else "no-cache"}
        body = file.body
        if file.zipped is not None:
            headers["vary"] = "accept-encoding"
            if takes_gzip(accepted):
                body = file.zipped
                headers["content-encoding"] = "gzip"
        return Response(body, headers=headers, media_type=_TYPES[Path(name).suffix])

    def _look(self) -> None:
        now = time.monotonic()
        if now - self._looked < _LOOK:
            return
        self._looked = now
        stamps = self._stamps()
        if stamps != self._tree.stamps:
            self._tree = self._read(stamps)

    def _stamps(self) -> frozenset[tuple[str, int, int]]:
        found = set()
        for path in self._folder.rglob("*"):
            name = path.relative_to(self._folder).as_posix()
            hidden = any(part.startswith(".") for part in name.split("/"))
            if path.suffix in _TYPES and not hidden and path.is_file():
                stat = path.stat()
                found.add((name, stat.st_mtime_ns, stat.st_size))
        return frozenset(found)

    def _read(self, stamps: frozenset[tuple[str, int, int]]) -> _Tree:
        names = sorted(name for name, _, _ in stamps)
        digest = hashlib.sha256()
        files, scripts, sheets = {}, {}, {}
        for name in names:
            body = (self._folder / name).read_bytes()
            digest.update(f"{name}\0{len(body)}\0".encode())
            digest.update(body)
            if name.endswith(".js"):
                scripts[name] = without_comments(body.decode())
                body = scripts[name].encode()
            elif name.endswith(".css"):
                sheets[name] = body.decode()
            files[name] = _file(name, body)
        for name in sheets:
            # The browser puts together, and says what is missing, what cannot be joined here.
            with suppress(UnjoinableError):
                files[name] = _file(name, join_sheets(sheets, name).encode())
        version = digest.hexdigest()[:12]
        folder = f"/static/{version}"
        later = {}
        for path in imported_later(scripts):
            with suppress(UnjoinableError):
                join_later(scripts, path, folder, {})
                later[path] = f"{folder}/joined/{path}"
        for path in later:
            joined = join_later(scripts, path, folder, later)
            files[f"joined/{path}"] = _file(path, joined.encode())
        for page, modules in _pages(names).items():
            with suppress(UnjoinableError):
                joined = join(scripts, modules, folder, later)
                files[f"joined/{page}.js"] = _file(f"joined/{page}.js", joined.encode())
        return _Tree(stamps, files, version)


def takes_gzip(accepted: str) -> bool:
    """Whether an ``Accept-Encoding`` allows gzip.

    >>> takes_gzip("br, gzip;q=0.8"), takes_gzip("gzip;q=0, br"), takes_gzip("")
    (True, False, False)
    """
    for each in accepted.split(","):
        name, _, weight = each.partition(";")
        if name.strip().lower() == "gzip":
            return not re.fullmatch(r"\s*q\s*=\s*0(\.0*)?\s*", weight)
    return False


def _file(name: str, body: bytes) -> _File:
    zipped = None if Path(name).suffix in _DENSE else gzip.compress(body, 9, mtime=0)
    return _File(body, zipped if zipped and len(zipped) < len(body) else None)


def _pages(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The pages' scripts by name, each with the modules that it runs: a page's own, what every
    page does, and at a table its game's screen. A replay comes to its page later, so it does not do
    again what the page has done."""
    pages: dict[str, tuple[str, ...]]
    pages = {Path(name).stem: (name, _EVERY) for name in names if _PAGE.fullmatch(name)}
    table = pages.pop("table", None)
    if table is not None:
        for name in names:
            found = _SCREEN.fullmatch(name)
            if found:
                pages[f"table-{found[1]}"] = (*table, name)
    replay = pages.pop("replay", None)
    if replay is not None:
        for name in names:
            found = _BOARD.fullmatch(name)
            if found:
                pages[f"replay-{found[1]}"] = (replay[0], name)
    return pages
