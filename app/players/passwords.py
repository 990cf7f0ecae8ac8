"""Passwords, as they are kept: never themselves."""

from __future__ import annotations

import asyncio
import unicodedata
from typing import Final, Literal, TypeAlias

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

LEAST, MOST = 8, 200
"""Characters of a password."""
AT_ONCE: Final = 2
"""So many are worked on at the same time: each takes 19 MiB and a core."""

Unfit: TypeAlias = Literal["too_short", "too_long", "like_name"]


class Passwords:
    """Makes and checks what is kept of passwords, in threads: it takes tens of milliseconds on
    purpose."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
        self._room = asyncio.Semaphore(AT_ONCE)
        self._nobodys: str | None = None

    async def keep(self, password: str) -> str:
        """What is kept of a password."""
        async with self._room:
            return await asyncio.to_thread(self._hasher.hash, _plain(password))

    async def is_right(self, kept: str | None, password: str) -> bool:
        """Whether it is the password. Without one to compare with (``None``: no such name, or it
        has none) it takes as long and is wrong, so that nobody learns which names there are."""
        if kept is None:
            if self._nobodys is None:
                self._nobodys = await self.keep("nobody has this one")
            await self._compare(self._nobodys, password)
            return False
        return await self._compare(kept, password)

    def is_old(self, kept: str) -> bool:
        """Whether it was kept in a way that is not today's."""
        return self._hasher.check_needs_rehash(kept)

    async def _compare(self, kept: str, password: str) -> bool:
        if len(password) > MOST:
            return False
        async with self._room:
            try:
                return await asyncio.to_thread(self._hasher.verify, kept, _plain(password))
            except (VerificationError, InvalidHashError):
                return False


def unfit(password: str, name: str) -> Unfit | None:
    """Why a password cannot be taken; ``None``: it can."""
    if len(password) < LEAST:
        return "too_short"
    if len(password) > MOST:
        return "too_long"
    plain, told = _plain(password).casefold(), _plain(name).casefold()
    return "like_name" if told and plain.replace(told, "", 1).strip("0123456789 ") == "" else None


def _plain(text: str) -> str:
    """The same whatever keyboard it was written on."""
    return unicodedata.normalize("NFKC", text)
