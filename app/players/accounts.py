"""Names that stay: a name and a password, and codes for who has lost it (T2)."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from sqlalchemy import ColumnElement, Row, delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app import db
from app.players import codes, names, sessions
from app.players.passwords import Passwords, unfit
from app.players.players import PlayersError
from app.players.schema import blocks, logins, players, recovery_codes, reports

RENAME_MS: Final = 30 * 24 * 3_600_000
"""A name may be changed once in so many milliseconds."""

Also: TypeAlias = Callable[[AsyncConnection, str], Awaitable[object]]
"""What else happens to a player, in the same transaction."""
Problem: TypeAlias = Literal[
    "name", "reserved", "taken", "too_short", "too_long", "like_name", "wrong", "registered", "soon"
]
"""``name``: it cannot be one; ``reserved`` or ``taken``: nobody, or somebody else, has it; the
password is ``too_short``, ``too_long``, ``like_name``; ``wrong``: what was given does not open;
``registered``: the player is already; ``soon``: the name was changed less than a month ago."""
_WANTED: Final[tuple[Any, ...]] = (
    logins.c.player,
    players.c.name,
    logins.c.look,
    logins.c.password,
    logins.c.renamed_at,
)


@dataclass(frozen=True, slots=True)
class SignedIn:
    """``secret``: of the new session, for the browser; ``codes``: fresh ones, if any were made, to
    be shown once."""

    player: str
    name: str
    secret: str
    codes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Registered:
    """A registered player as everybody may know them, but for the id, which is for the house
    alone. ``since`` and ``renamed_at`` in milliseconds since 1970."""

    player: str
    name: str
    handle: str
    since: int
    renamed_at: int | None


class Accounts:
    """The registered players, in a database that is prepared. Times are of the calendar, in
    milliseconds since 1970. Every method raises :class:`PlayersError`."""

    def __init__(self, engine: AsyncEngine, passwords: Passwords | None = None) -> None:
        self._engine = engine
        self._passwords = passwords or Passwords()

    async def register(
        self, player: str, name: str, password: str, device: str, at: int, *also: Also
    ) -> SignedIn | Problem:
        """A guest, known already or not, gets a name and a password and keeps what was played."""
        told = _fit(name, password)
        if isinstance(told, str):
            return told
        (fit,) = told
        kept = await self._passwords.keep(password)
        async with db.writing(self._engine, PlayersError) as connection:
            known = db.insert(connection, players).values(
                id=player, name=fit, since=at, kind="guest"
            )
            await connection.execute(known.on_conflict_do_nothing())
            kind = select(players.c.kind).where(players.c.id == player)
            if (await connection.execute(kind)).scalar_one() == "deleted":
                return "wrong"  # a page that was open since before
            login = {
                "player": player,
                "look": names.look(fit),
                "handle": secrets.token_hex(6),
                "password": kept,
                "since": at,
            }
            made = db.insert(connection, logins).values(**login).on_conflict_do_nothing()
            if not (await connection.execute(made)).rowcount:
                return "registered" if await _is_registered(connection, player) else "taken"
            await connection.execute(
                update(players).where(players.c.id == player).values(name=fit, kind="registered")
            )
            fresh = await _new_codes(connection, player)
            secret = await sessions.begin(connection, player, device, at)
            for each in also:
                await each(connection, player)
        return SignedIn(player, fit, secret, fresh)

    async def sign_in(
        self, name: str, password: str, device: str, at: int
    ) -> SignedIn | Literal["wrong"]:
        """Whoever knows the password of a name. What is wrong is not said, nor is it sooner known
        whether there is such a name."""
        row = await self._login(name)
        if not await self._passwords.is_right(None if row is None else row.password, password):
            return "wrong"
        assert row is not None
        renewed = (
            await self._passwords.keep(password) if self._passwords.is_old(row.password) else None
        )
        async with db.writing(self._engine, PlayersError) as connection:
            # Whoever has changed the password meanwhile has ended what the old one opens.
            same = (logins.c.player == row.player, logins.c.password == row.password)
            kept = update(logins).where(*same).values(password=renewed or row.password)
            if not (await connection.execute(kept)).rowcount:
                return "wrong"
            secret = await sessions.begin(connection, row.player, device, at)
        return SignedIn(row.player, row.name, secret)

    async def recover(
        self, name: str, code: str, password: str, device: str, at: int
    ) -> SignedIn | Problem:
        """A new password, for whoever has a code of the name. It opens once, all sessions end,
        and there are new codes."""
        # By what was typed: how a name is really written is not told to who has no code.
        if why := unfit(password, name):
            return why
        row = await self._login(name)
        kept = await self._passwords.keep(password)
        meant = codes.kept(code)
        if row is None or meant is None:
            return "wrong"
        async with db.writing(self._engine, PlayersError) as connection:
            used = delete(recovery_codes).where(
                recovery_codes.c.code == meant, recovery_codes.c.player == row.player
            )
            if not (await connection.execute(used)).rowcount:
                return "wrong"
            await connection.execute(
                update(logins).where(logins.c.player == row.player).values(password=kept)
            )
            await sessions.end(connection, row.player)
            fresh = await _new_codes(connection, row.player)
            secret = await sessions.begin(connection, row.player, device, at)
        return SignedIn(row.player, row.name, secret, fresh)

    async def change_password(
        self, player: str, old: str, password: str, device: str, at: int
    ) -> SignedIn | Problem:
        """Another password. All sessions end, and a new one begins."""
        row = await self._of(player)
        if row is None or not await self._passwords.is_right(row.password, old):
            return "wrong"
        if why := unfit(password, row.name):
            return why
        kept = await self._passwords.keep(password)
        async with db.writing(self._engine, PlayersError) as connection:
            same = (logins.c.player == player, logins.c.password == row.password)
            changed = update(logins).where(*same).values(password=kept)
            if not (await connection.execute(changed)).rowcount:
                return "wrong"
            await sessions.end(connection, player)
            secret = await sessions.begin(connection, player, device, at)
        return SignedIn(player, row.name, secret)

    async def new_codes(self, player: str, password: str) -> tuple[str, ...] | Literal["wrong"]:
        """Fresh recovery codes; those before open nothing any more."""
        row = await self._of(player)
        if row is None or not await self._passwords.is_right(row.password, password):
            return "wrong"
        async with db.writing(self._engine, PlayersError) as connection:
            return await _new_codes(connection, player)

    async def rename(self, player: str, name: str, at: int) -> Problem | None:
        """Another name, once a month. ``None``: it is theirs now."""
        fit = names.clean(name)
        if fit is None:
            return "name"
        if names.is_reserved(fit):
            return "reserved"
        row = await self._of(player)
        if row is None:
            return "wrong"
        if fit == row.name:
            return None
        if row.renamed_at is not None and at - row.renamed_at < RENAME_MS:
            return "soon"
        login = update(logins).where(logins.c.player == player)
        async with db.writing(self._engine, PlayersError) as connection:
            try:
                async with connection.begin_nested():
                    await connection.execute(login.values(look=names.look(fit), renamed_at=at))
            except IntegrityError:
                return "taken"
            await connection.execute(update(players).where(players.c.id == player).values(name=fit))
        return None

    async def delete(self, player: str, password: str, *also: Also) -> Literal["wrong"] | None:
        """Nothing is left that says who it was: the id stays with the matches, under no name."""
        row = await self._of(player)
        if row is None or not await self._passwords.is_right(row.password, password):
            return "wrong"
        async with db.writing(self._engine, PlayersError) as connection:
            await sessions.end(connection, player)
            await connection.execute(
                delete(recovery_codes).where(recovery_codes.c.player == player)
            )
            await connection.execute(delete(logins).where(logins.c.player == player))
            await connection.execute(
                update(players).where(players.c.id == player).values(name="", kind="deleted")
            )
            await connection.execute(delete(blocks).where(blocks.c.player == player))
            await connection.execute(update(reports).where(reports.c.by == player).values(words=""))
            for each in also:
                await each(connection, player)
        return None

    async def opens(self, player: str, password: str) -> bool:
        """Whether it is the password of a registered player."""
        row = await self._of(player)
        return row is not None and await self._passwords.is_right(row.password, password)

    async def of(self, player: str) -> Registered | None:
        """A registered player by id."""
        return next(iter(await self._registered(logins.c.player == player)), None)

    async def at(self, handle: str) -> Registered | None:
        """A registered player by the handle that their page has."""
        return next(iter(await self._registered(logins.c.handle == handle)), None)

    async def among(self, ids: Collection[str]) -> dict[str, Registered]:
        """Those of some players who are registered, by id."""
        found = await self._registered(logins.c.player.in_(sorted(ids))) if ids else []
        return {each.player: each for each in found}

    async def is_anybodys(self, name: str) -> bool:
        """Whether a registered player has a name that looks like this one."""
        return await self._login(name) is not None

    async def _registered(self, which: ColumnElement[bool]) -> list[Registered]:
        wanted = (
            select(
                logins.c.player,
                players.c.name,
                logins.c.handle,
                logins.c.since,
                logins.c.renamed_at,
            )
            .join(players, players.c.id == logins.c.player)
            .where(which)
        )
        async with db.reading(self._engine, PlayersError) as connection:
            return [Registered(*row) for row in await connection.execute(wanted)]

    async def _login(self, name: str) -> Row[Any] | None:
        fit = names.clean(name)
        return None if fit is None else await self._row(logins.c.look == names.look(fit))

    async def _of(self, player: str) -> Row[Any] | None:
        return await self._row(logins.c.player == player)

    async def _row(self, which: ColumnElement[bool]) -> Row[Any] | None:
        wanted = select(*_WANTED).join(players, players.c.id == logins.c.player).where(which)
        async with db.reading(self._engine, PlayersError) as connection:
            return (await connection.execute(wanted)).first()


def _fit(name: str, password: str) -> tuple[str] | Problem:
    """The name as it will be, or what is wrong with it or the password."""
    fit = names.clean(name)
    if fit is None:
        return "name"
    if names.is_reserved(fit):
        return "reserved"
    return unfit(password, fit) or (fit,)


async def _is_registered(connection: AsyncConnection, player: str) -> bool:
    query = select(logins.c.player).where(logins.c.player == player)
    return (await connection.execute(query)).first() is not None


async def _new_codes(connection: AsyncConnection, player: str) -> tuple[str, ...]:
    fresh = codes.new()
    await connection.execute(delete(recovery_codes).where(recovery_codes.c.player == player))
    rows = [{"code": codes.kept(each), "player": player} for each in fresh]
    await connection.execute(insert(recovery_codes), rows)
    return fresh
