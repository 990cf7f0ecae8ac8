"""Scripts, styles and pictures, under addresses that change when they do."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from pathlib import Path

from starlette.responses import Response

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
_FOREVER = "public, max-age=31536000, immutable"
_LOOK = 1.0
"""Seconds between two looks at the folder, so that edited files are served at once."""


@dataclass(frozen=True, slots=True)
class _Tree:
    """All files of the folder as they were at one look."""

    stamps: frozenset[tuple[str, int, int]]
    files: dict[str, bytes]
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

    def address(self, path: str) -> str:
        """The path under which a page names a file."""
        self._look()
        return f"/static/{self._tree.version}/{path}"

    def response(self, path: str) -> Response | None:
        """A file by what follows ``/static/``; ``None``: there is none.

        Kept for ever by caches under the present version, asked for again under any other.
        """
        self._look()
        version, _, name = path.partition("/")
        current = version == self._tree.version
        body = self._tree.files.get(name)
        if body is None:
            current, name = False, path
            body = self._tree.files.get(name)
        if body is None:
            return None
        headers = {"cache-control": _FOREVER if current else "no-cache"}
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
        files = {name: (self._folder / name).read_bytes() for name in names}
        digest = hashlib.sha256()
        for name, body in files.items():
            digest.update(f"{name}\0{len(body)}\0".encode())
            digest.update(body)
        return _Tree(stamps, files, digest.hexdigest()[:12])
