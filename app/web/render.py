"""Templates to pages, in the reader's language."""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse

from app import i18n
from app.web.assets import Assets, takes_gzip
from engine.game import Json

LANGUAGE_COOKIE = "ezo_language"

_TILE: Final = re.compile(r"(?<=\d)-(?=[\dა-ჰ])")
_SIGN: Final = re.compile(r"(?<=\d) ([+=→<]) (?=\d)")
_SECTION: Final = re.compile(r'<h2 id="([a-z-]+)">([^<]*)</h2>')


def language_of(connection: HTTPConnection) -> i18n.Language:
    """The language a reader has chosen, or the default."""
    return i18n.language_of(connection.cookies.get(LANGUAGE_COOKIE))


def contents(body: str) -> list[tuple[str, str]]:
    """The sections of a page by their anchors, as its list of contents has them.

    >>> contents('<h2 id="one">First</h2><h3 id="two">More</h3>')
    [('one', 'First')]
    """
    return _SECTION.findall(body)


def unbroken(body: str) -> Markup:
    """A page on which no line ends within the name of a tile, a number with its case, or a sum.

    >>> str(unbroken("<p>6-6: 12 + 4 = 16</p>")).encode("ascii", "namereplace").count(b"NO-BREAK")
    4
    """
    tiles = _TILE.sub("\u2011", body)
    return Markup(_SIGN.sub("\u00a0\\1\u00a0", tiles))  # noqa: S704  a page that was made here


class Renderer:
    """Makes the pages. Every value is escaped, and a name that is missing is a fault."""

    def __init__(self, folder: Path, assets: Assets) -> None:
        self._assets = assets
        self._templates = Environment(
            loader=FileSystemLoader(folder),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.filters |= {
            "amount": i18n.amount,
            "signed": i18n.signed,
            "day": i18n.day,
            "moment": i18n.moment,
            "contents": contents,
            "unbroken": unbroken,
        }
        self._ruled = {
            (path.parent.name, path.name.partition(".")[0])
            for path in (folder / "rules").glob("*/*.html")
        }

    def rules_address(self, game: str, rules: str) -> str | None:
        """The page of a rule set, if it has one."""
        return f"/rules/{game}/{rules}" if (game, rules) in self._ruled else None

    def page(
        self, connection: HTTPConnection, name: str, status: int = 200, **values: object
    ) -> HTMLResponse:
        """The template ``name`` as a page, with ``t``, ``number``, ``lang``, ``static``,
        ``script``, ``rules_address`` and ``path``."""
        language = language_of(connection)
        context: Mapping[str, object] = {
            "lang": language,
            "t": partial(i18n.text, language),
            "number": partial(i18n.number, language),
            "static": self._assets.address,
            "script": self._assets.script,
            "rules_address": self.rules_address,
            # Where a choice of language leads back to: an address that can be asked for.
            "path": connection.url.path if connection.scope.get("method") == "GET" else "/",
            **values,
        }
        body = self._templates.get_template(name).render(context).encode()
        headers = {"vary": "accept-encoding, cookie"}
        if takes_gzip(connection.headers.get("accept-encoding", "")):
            body = gzip.compress(body, 5)
            headers["content-encoding"] = "gzip"
        return HTMLResponse(body, status, headers)

    def error(
        self,
        connection: HTTPConnection,
        status: int,
        key: str,
        back: str = "/",
        running: Sequence[Json] = (),
    ) -> HTMLResponse:
        """The page of an error: texts ``error.KEY.title`` and ``error.KEY.text``."""
        t = partial(i18n.text, language_of(connection))
        title, text = t(f"error.{key}.title"), t(f"error.{key}.text")
        return self.page(
            connection, "error.html", status, title=title, text=text, back=back, running=running
        )
