"""Lists of a player's matches as pages show them, and what may be asked of one in an address."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlencode

from starlette.datastructures import QueryParams

from app import computers
from app.history.lists import VOID, Cursor, Summary, Wanted
from app.players.accounts import Registered
from app.ratings.ratings import Change
from app.web.forms import PageError
from app.web.site import Site

RESULTS: Final[dict[str, bool | None]] = {"": None, "won": True, "lost": False}
_CURSOR: Final = re.compile(r"([0-9]{1,15})\.([\x21-\x7e]{1,64})", re.ASCII)
_HANDLE: Final = re.compile(r"[0-9a-f]{1,16}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at a table: the name of today, of a guest that of then, of nobody any more none;
    and where their page is, if they have one. ``bot``: the level of a computer player."""

    name: str
    handle: str | None
    bot: str | None = None


@dataclass(frozen=True, slots=True)
class Moved:
    """What a match has made of a rating."""

    after: int
    by: int
    provisional: bool


@dataclass(frozen=True, slots=True)
class Listed:
    """A match in somebody's list. ``score``: their own first; ``coins``: what it has moved of
    theirs, ``None`` of a free one; ``result``: ``won.points`` or ``void``; ``rated``: what it has
    made of their rating, if it was."""

    address: str
    game: str
    rules: str
    target: int
    opponents: tuple[Person, ...]
    score: tuple[int, ...]
    result: str
    coins: int | None
    rated: Moved | None
    ended_at: int


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked of a list, as its form has it. ``before``: where it goes on."""

    game: str
    result: str
    coins: bool
    against: Registered | None
    before: Cursor | None
    wanted: Wanted

    @property
    def any(self) -> bool:
        """Whether it is not all of them."""
        return bool(self.game or self.result or self.coins or self.against)

    def query(self, before: Cursor | None = None) -> str:
        """The same once more, from there on: ``?game=…``; of everything nothing."""
        said = {
            "game": self.game,
            "result": self.result,
            "coins": "1" if self.coins else "",
            "against": self.against.handle if self.against else "",
            "before": cursor_text(before) if before else "",
        }
        query = urlencode({name: value for name, value in said.items() if value})
        return f"?{query}" if query else ""


def cursor_text(cursor: Cursor) -> str:
    """A cursor as an address has it."""
    return f"{cursor[0]}.{cursor[1]}"


async def registered_at(site: Site, handle: str) -> Registered | None:
    """A registered player by what an address says, whatever that is. Raises ``PlayersError``."""
    return await site.accounts.at(handle) if _HANDLE.fullmatch(handle) else None


async def asked(site: Site, query: QueryParams, back: str) -> Asked:
    """What an address asks of a list; what is empty asks nothing. Raises :class:`PageError` for
    what there is not, and ``PlayersError``."""
    wrong = PageError(422, "filter", back)
    game = query.get("game", "")
    known = {f"{each.name}.{each.rules}": each for each in site.games}
    result, coins = query.get("result", ""), query.get("coins", "")
    handle, cursor = query.get("against", ""), query.get("before", "")
    found = _CURSOR.fullmatch(cursor)
    if (game and game not in known) or result not in RESULTS or coins not in ("", "0", "1"):
        raise wrong
    if cursor and found is None:
        raise wrong
    against = await registered_at(site, handle) if handle else None
    if handle and against is None:
        raise wrong
    return Asked(
        game=game,
        result=result,
        coins=coins == "1",
        against=against,
        before=None if found is None else (int(found[1]), found[2]),
        wanted=Wanted(
            game=known[game].name if game else None,
            rules=known[game].rules if game else None,
            won=RESULTS[result],
            coins=coins == "1",
            against=against.player if against else None,
        ),
    )


async def listed(site: Site, player: str, summaries: Sequence[Summary]) -> list[Listed]:
    """A player's matches for a page. Raises ``PlayersError`` and ``RatingsError``."""
    people = await site.accounts.among({each for one in summaries for each in one.players})
    changes = await site.ratings.changes_of([each.id for each in summaries])
    return [_listed(player, each, people, changes.get(each.id, ())) for each in summaries]


def opponents(player: str, summary: Summary, people: dict[str, Registered]) -> tuple[Person, ...]:
    """Who else was there, by seat."""
    return tuple(
        Person(people[other].name, people[other].handle)
        if other in people
        else Person(name, None, computers.level_of(other))
        for other, name in zip(summary.players, summary.names, strict=True)
        if other != player
    )


def address_of(match: str) -> str:
    """Where a match has its page."""
    return f"/m/{quote(match, safe='')}"


def _listed(
    player: str, summary: Summary, people: dict[str, Registered], changes: Collection[Change]
) -> Listed:
    seat = summary.players.index(player)
    others = [points for other, points in enumerate(summary.score) if other != seat]
    won = "won" if seat in summary.winners else "lost"
    rated = next((each for each in changes if each.seat == seat), None)
    return Listed(
        address=address_of(summary.id),
        game=summary.game,
        rules=summary.rules,
        target=next(iter(summary.options.values()), 0),
        opponents=opponents(player, summary, people),
        score=(summary.score[seat], *others),
        result=VOID if summary.reason == VOID else f"{won}.{summary.reason}",
        coins=summary.coins[seat] if summary.stake else None,
        rated=None
        if rated is None
        else Moved(rated.after, rated.after - rated.before, rated.provisional),
        ended_at=summary.ended_at,
    )
