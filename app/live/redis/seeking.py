"""Who seeks an opponent, in Redis: one script, and all keys in one slot."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

import msgspec

from app.live.redis.keys import POOLS, QUICK, SEEKERS, SEEKING
from app.live.redis.nodes import Nodes
from app.live.redis.scripts import QUICK as SCRIPT
from app.live.seeking import (
    LEARNED_MS,
    LEASE_MS,
    MOST,
    POOL,
    Paired,
    Seeker,
    Seeking,
    State,
    Ticket,
    Turned,
    Waiting,
)
from app.live.store import StoreError

AT_ONCE: Final = 500
"""At most so many are looked at in one script."""

_encode = msgspec.json.encode
_decode = msgspec.json.decode


class RedisSeeking:
    """The seekers of a site."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes

    async def seek(self, seeker: Seeker, past: str | None = None) -> Waiting | Paired:
        ticket = seeker.ticket
        rest = _encode([seeker.name, seeker.rating, sorted(seeker.blocked)])
        state, detail = await self._run(
            *(b"seek", ticket.player, ticket.token, seeker.pool, seeker.since, rest),
            *(past or b"", MOST),
        )
        if state == b"full":
            raise StoreError("too many seek an opponent")
        return Paired(detail.decode()) if state == b"paired" else Waiting(int(detail))

    async def beat(self, tickets: Collection[Ticket]) -> Mapping[Ticket, State]:
        states: dict[Ticket, State] = {}
        every = tuple(tickets)
        for first in range(0, len(every), AT_ONCE):
            some = every[first : first + AT_ONCE]
            found = await self._run(b"beat", *_named(some))
            for ticket, state, detail in zip(some, found[::2], found[1::2], strict=True):
                states[ticket] = _state(state.decode(), detail.decode())
        return states

    async def seekers(self, pool: str) -> tuple[Seeker, ...]:
        found = await self._run(b"seekers", pool, POOL)
        seekers = []
        for player, token, since, rest in zip(*(found[n::4] for n in range(4)), strict=True):
            name, rating, blocked = _decode(rest)
            ticket = Ticket(player.decode(), token.decode())
            seekers.append(Seeker(ticket, pool, name, int(since), rating, frozenset(blocked)))
        return tuple(seekers)

    async def pair(self, tickets: Collection[Ticket], table: str) -> bool:
        paired: int = await self._run(b"pair", table, *_named(tickets))
        return paired == 1

    async def part(
        self, table: str, back: Collection[Ticket], turned: Mapping[Ticket, str]
    ) -> None:
        becomes = dict.fromkeys(back, "") | dict(turned)
        named = [(ticket.player, ticket.token, code) for ticket, code in becomes.items()]
        await self._run(b"part", table, *(part for each in named for part in each))

    async def unseek(self, ticket: Ticket) -> None:
        await self._run(b"unseek", ticket.player, ticket.token)

    async def _run(self, step: bytes, *of_step: bytes | str | int) -> Any:
        # Taken twice no step does any harm, so that a lost answer is asked for again.
        keys = (SEEKERS, SEEKING, POOLS)
        args = (step, LEASE_MS, LEARNED_MS, *of_step)
        return await self._nodes.run(QUICK, SCRIPT, keys, args, again=True)


def _named(tickets: Collection[Ticket]) -> list[str]:
    return [part for ticket in tickets for part in (ticket.player, ticket.token)]


def _state(state: str, detail: str) -> State:
    match state:
        case "waiting":
            return Waiting(int(detail))
        case "paired":
            return Paired(detail)
        case "turned":
            return Turned(detail)
        case "elsewhere":
            return "elsewhere"
        case _:
            return "lapsed"


_seeking: type[Seeking] = RedisSeeking
