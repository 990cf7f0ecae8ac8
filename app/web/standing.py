"""Whether whoever a cookie names still is who it says: sessions end, guests register (T2)."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Final, TypeAlias
from zlib import crc32

from app.live.glance import Glance, NotSeenError
from app.live.sitetime import wall_ms
from app.players.accounts import Accounts
from app.players.players import Players, PlayersError
from app.players.sessions import Sessions, id_of
from app.web.identity import Player, guest_name

BELIEVED: Final = 15.0
"""So many seconds an answer of the database is believed, and a socket not looked at."""
KEPT: Final = 10_000
"""So many answers are kept."""
_AT_ONCE: Final = 500

_Key: TypeAlias = tuple[str, str | None]
Ended: TypeAlias = Callable[[], None]


class Standing:
    """Who is signed in, as one process knows it. A session that has ended opens nothing after
    :data:`BELIEVED` seconds at most, nor does the cookie of a guest who has registered since.
    While the database is away what was known last stands, else the cookie: play goes on."""

    def __init__(
        self,
        players: Players,
        sessions: Sessions,
        accounts: Accounts,
        wall: Callable[[], int] = wall_ms,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._players = players
        self._sessions = sessions
        self._accounts = accounts
        self._wall = wall
        self._steady = steady
        self._known: OrderedDict[Player, tuple[float, Player | None]] = OrderedDict()
        self._watched: dict[_Key, set[Ended]] = {}
        self._glance = Glance((PlayersError,), "cookies are believed as they are", steady)

    async def stands(self, said: Player | None) -> Player | None:
        """The player that a cookie says, under the name of today; ``None``: they are nobody."""
        if said is None:
            return None
        known = self._known.get(said)
        if known is not None and self._steady() < known[0]:
            self._known.move_to_end(said)
            return known[1]
        try:
            return await self._glance.at(lambda: self._ask(said))
        except NotSeenError:
            return said if known is None else known[1]

    async def changed(self, player: str) -> None:
        """Something has become of a player's sessions: nothing known before holds, and sockets
        whose session is over end now."""
        for said in [said for said in self._known if said.id == player]:
            del self._known[said]
        with suppress(PlayersError):
            await self._look([key for key in self._watched if key[0] == player])

    def watch(self, player: Player | None, ended: Ended) -> Callable[[], None]:
        """Call ``ended`` when the player is no more who they were. Returns what ends that."""
        if player is None:
            return _nothing
        key = (player.id, player.session)
        self._watched.setdefault(key, set()).add(ended)

        def unwatch() -> None:
            watching = self._watched.get(key, set())
            watching.discard(ended)
            if not watching:
                self._watched.pop(key, None)

        return unwatch

    async def run(self) -> None:
        """Look at those who are watched, until cancelled."""
        while True:
            await asyncio.sleep(BELIEVED)
            with suppress(PlayersError):  # they are looked at again
                await self._look(tuple(self._watched))

    async def close(self) -> None:
        """Wait for what was asked."""
        await self._glance.close()

    async def _ask(self, said: Player) -> Player | None:
        if said.session is None:
            is_guest = bool(await self._players.guests([said.id]))
            now = await self._nameable(said) if is_guest else None
        else:
            found = await self._sessions.player(id_of(said.session), self._wall())
            mine = found is not None and found.id == said.id
            now = replace(said, name=found.name) if found is not None and mine else None
        self._known[said] = (self._steady() + BELIEVED, now)
        while len(self._known) > KEPT:
            self._known.popitem(last=False)
        return now

    async def _nameable(self, guest: Player) -> Player:
        """A guest under their name, unless it has become somebody's since they took it."""
        if await self._accounts.is_anybodys(guest.name):
            return replace(guest, name=guest_name(crc32(guest.id.encode())))
        return guest

    async def _look(self, keys: Collection[_Key]) -> None:
        """End what is watched of those who are no more who they were."""
        guests = [player for player, session in keys if session is None]
        signed_in = {id_of(session): (player, session) for player, session in keys if session}
        over: list[_Key] = []
        for some in _parts(guests):
            still = await self._players.guests(some)
            over += [(player, None) for player in some if player not in still]
        for ids in _parts(signed_in):
            alive = await self._sessions.alive(ids, self._wall())
            over += [signed_in[id_] for id_ in ids if id_ not in alive]
        for key in over:
            for ended in tuple(self._watched.get(key, ())):
                ended()


def _parts(ids: Iterable[str]) -> Iterable[list[str]]:
    every = list(ids)
    return (every[n : n + _AT_ONCE] for n in range(0, len(every), _AT_ONCE))


def _nothing() -> None:
    """Nobody is watched."""
