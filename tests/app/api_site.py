"""A site on which something has been played, for tests of the JSON API."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx

from app.history.history import CameToNothing
from app.house import open_site
from app.live.folder import DataFolder
from app.live.sitetime import wall_ms
from app.players.accounts import SignedIn
from app.ratings.ratings import Played
from app.settings import read_settings
from app.web.identity import COOKIE, Player
from app.web.site import Site
from engine.game import Json
from tests.app.browsers import Browser
from tests.app.server import Server
from tests.history.kept import DOMINO, finished, record_of

PASSWORD = "ლეღვის ხე 7"
NAMES = {
    "the-id-of-nino": "ნინო",
    "the-id-of-gia": "გია",
    "the-id-of-eka": "ეკატერინე",
    "the-id-of-dato": "სტუმარი 1234",
}
NINO, GIA, EKA, DATO = NAMES
NARDI = record_of("nardi", winner=1, reason="resigned")
LEFT = record_of("domino", winner=0, reason="left")
VOID = record_of("domino", winner=None, reason="void")
MATCHES: dict[str, tuple[Json, tuple[str, str], int]] = {
    "m1": (DOMINO, (NINO, GIA), 100),
    "m2": (NARDI, (NINO, GIA), 0),
    "m3": (LEFT, (NINO, DATO), 0),
    "m4": (VOID, (EKA, NINO), 50),
}
"""By id the record, the players and the stake, in the order in which they ended. Eka has deleted
her account since, and Dato is a guest."""


@dataclass(frozen=True)
class Seeded:
    """When the first match ended, each a second after the one before; cookies and handles by
    player."""

    at: int
    cookies: dict[str, str]
    handles: dict[str, str]


async def fill(site: Site) -> Seeded:
    """Keep all of it on a site."""
    at = wall_ms()
    cookies = {DATO: site.identities.write(Player(DATO, NAMES[DATO]))}
    for player in (NINO, GIA, EKA):
        made = await site.accounts.register(player, NAMES[player], PASSWORD, "phone", at)
        assert isinstance(made, SignedIn)
        cookies[player] = site.identities.write(Player(player, made.name, made.secret))
        await site.ledger.grant(player, 1_000, f"start:{player}", None)
    handles = {id_: each.handle for id_, each in (await site.accounts.among(NAMES)).items()}
    for number, (match, (record, players, stake)) in enumerate(MATCHES.items()):
        names = [NAMES[each] for each in players]
        kept = finished(match, record, players, at=at + 1_000 * number, stake=stake)
        whole = {**kept.record, "players": names}
        await site.history.keep(replace(kept, names=names, record=whole))
        await site.ratings.rate(
            Played(match, kept.game, kept.rules, players, kept.winners, kept.ended_at, public=True)
        )
    await site.history.keep_void(CameToNothing("v1", "t1", "no_hash", [1], at))
    await site.fairness.recompute(at)
    await site.history.forget(EKA)
    assert await site.accounts.delete(EKA, PASSWORD) is None
    return Seeded(at, cookies, handles)


def seeded(data: Path) -> Seeded:
    """Make a data folder with all of it."""

    async def make() -> Seeded:
        with closing(DataFolder(data)) as folder:
            async with open_site(read_settings(data=data), folder) as site:
                return await fill(site)

    return asyncio.run(make())


class Reader(Browser):
    """Somebody who calls: a player, or nobody."""

    def __init__(self, server: Server, cookie: str | None = None) -> None:
        super().__init__(server)
        if cookie is not None:
            self.http.cookies.set(COOKIE, cookie)

    def call(self, path: str, **query: Any) -> httpx.Response:
        return self.http.get(f"{self.server.origin}/api/v1/{path}", params=query)

    def told(self, path: str, **query: Any) -> Any:
        """What a call that succeeds says."""
        answer = self.call(path, **query)
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == "application/json"
        return answer.json()

    def refused(self, path: str, **query: Any) -> tuple[int, str, Sequence[Any]]:
        """Status, code and fields of a call that does not."""
        answer = self.call(path, **query)
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["cache-control"] == "no-store"
        said = answer.json()
        assert set(said) == {"error", "text", "fields"}
        return answer.status_code, said["error"], [(x["field"], x["error"]) for x in said["fields"]]
