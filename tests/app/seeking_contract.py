"""What every store must do with those who seek an opponent. The fixtures are those of the store
contract."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeAlias

import pytest

from app.live import sqlite_seeking
from app.live.redis import seeking as redis_seeking
from app.live.seeking import LEARNED_MS, LEASE_MS, POOL, Paired, Seeker, Ticket, Turned, Waiting
from app.live.store import Store, StoreError

NINO = Seeker(Ticket("nino", "n1"), "game/75", "ნინო", 5_000, 1_512.25, frozenset({"dato", "zaza"}))
GIA = Seeker(Ticket("gia", "g1"), "game/75", "გია", 4_000)
DATO = Seeker(Ticket("dato", "d1"), "game/75", "დათო", 6_000)
ALL = (NINO, GIA, DATO)

Peer: TypeAlias = Callable[[str], Awaitable[Store]]
Later: TypeAlias = Callable[[int], Awaitable[None]]


def again(seeker: Seeker, token: str, **changed: object) -> Seeker:
    """The same player with another ticket."""
    ticket = Ticket(seeker.player, token)
    return replace(seeker, ticket=ticket, **changed)  # type: ignore[arg-type]


async def came(store: Store, *seekers: Seeker) -> None:
    for seeker in seekers:
        assert await store.seeking.seek(seeker) == Waiting(seeker.since)


async def state(store: Store, ticket: Ticket) -> object:
    return (await store.seeking.beat([ticket]))[ticket]


class SeekingContract:
    """Every test gets a new, empty store."""

    async def test_nobody_seeks_at_first(self, store: Store) -> None:
        assert await store.seeking.seekers("game/75") == ()
        assert await store.seeking.beat([]) == {}
        assert await state(store, NINO.ticket) == "lapsed"
        assert not await store.seeking.pair([NINO.ticket, GIA.ticket], "t1")
        await store.seeking.part("t1", [NINO.ticket], {GIA.ticket: "cannot_cover"})
        await store.seeking.unseek(NINO.ticket)
        assert await store.seeking.seekers("game/75") == ()

    async def test_who_seeks_is_seen_in_their_pool_the_longest_first(
        self, store: Store, peer: Peer
    ) -> None:
        other = await peer("p2")
        await came(store, NINO, GIA)
        await came(other, DATO, again(DATO, "x", pool="game/7"))
        assert await store.seeking.seekers("game/75") == (GIA, NINO)
        assert await other.seeking.seekers("game/75") == (GIA, NINO)
        assert [each.player for each in await store.seeking.seekers("game/7")] == ["dato"]
        assert await store.seeking.seekers("game") == ()
        assert await state(other, GIA.ticket) == Waiting(4_000)

    async def test_there_are_bounds(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        many = [replace(GIA, ticket=Ticket(f"p{n}", "t"), since=n) for n in range(POOL + 2)]
        await asyncio.gather(*(store.seeking.seek(each) for each in reversed(many)))
        assert await store.seeking.seekers("game/75") == tuple(many[:POOL])
        states = await store.seeking.beat([each.ticket for each in many])
        assert states == {each.ticket: Waiting(each.since) for each in many}
        for module in (sqlite_seeking, redis_seeking):
            monkeypatch.setattr(module, "MOST", len(many))
        with pytest.raises(StoreError, match="too many"):
            await store.seeking.seek(NINO)
        # Who is there already takes no other's place.
        await came(store, again(many[0], "other"))

    async def test_who_says_nothing_lapses(self, store: Store, later: Later) -> None:
        await came(store, NINO, GIA)
        await later(LEASE_MS - 1_000)
        assert await state(store, GIA.ticket) == Waiting(4_000)
        await later(LEASE_MS - 1_000)
        assert await store.seeking.seekers("game/75") == (GIA,)
        assert await state(store, NINO.ticket) == "lapsed"
        assert not await store.seeking.pair([NINO.ticket, GIA.ticket], "t1")
        # Too late: it is another wait.
        assert await store.seeking.seek(again(NINO, "n2", since=9_000)) == Waiting(9_000)

    async def test_a_second_tab_takes_the_place_and_the_wait_of_the_first(
        self, store: Store
    ) -> None:
        await came(store, NINO)
        second = again(NINO, "n2", since=8_000, rating=1_400.0)
        assert await store.seeking.seek(second) == Waiting(5_000)
        assert await store.seeking.seekers("game/75") == (replace(second, since=5_000),)
        assert await state(store, NINO.ticket) == "elsewhere"
        assert await state(store, second.ticket) == Waiting(5_000)
        # The first one closes, and nothing changes.
        await store.seeking.unseek(NINO.ticket)
        assert await state(store, second.ticket) == Waiting(5_000)
        # For something else one begins anew, and waits in one pool alone.
        third = again(NINO, "n3", since=9_000, pool="game/155")
        assert await store.seeking.seek(third) == Waiting(9_000)
        assert await store.seeking.seekers("game/75") == ()

    async def test_who_leaves_is_met_by_nobody_and_comes_back_to_their_place(
        self, store: Store, later: Later
    ) -> None:
        await came(store, NINO, GIA)
        await store.seeking.unseek(NINO.ticket)
        await store.seeking.unseek(NINO.ticket)
        assert await store.seeking.seekers("game/75") == (GIA,)
        assert not await store.seeking.pair([NINO.ticket, GIA.ticket], "t1")
        assert await store.seeking.seek(again(NINO, "n2", since=7_000)) == Waiting(5_000)
        await store.seeking.unseek(Ticket("nino", "n2"))
        await later(LEASE_MS + 1)
        assert await store.seeking.seek(again(NINO, "n3", since=7_000)) == Waiting(7_000)

    async def test_a_pair_is_made_of_who_waits_and_of_nobody_else(self, store: Store) -> None:
        await came(store, *ALL)
        assert not await store.seeking.pair([NINO.ticket, Ticket("gia", "g0")], "t1")
        assert await state(store, NINO.ticket) == Waiting(5_000)
        assert await store.seeking.pair([NINO.ticket, GIA.ticket], "t1")
        assert await store.seeking.pair([NINO.ticket, GIA.ticket], "t1")
        assert await store.seeking.seekers("game/75") == (DATO,)
        assert not await store.seeking.pair([NINO.ticket, DATO.ticket], "t2")
        assert not await store.seeking.pair([GIA.ticket, NINO.ticket], "t2")
        states = await store.seeking.beat([each.ticket for each in ALL])
        assert list(states.values()) == [Paired("t1"), Paired("t1"), Waiting(6_000)]

    async def test_of_many_who_pair_at_once_nobody_is_in_two(
        self, store: Store, peer: Peer
    ) -> None:
        other = await peer("p2")
        await came(store, *ALL)
        tries = [
            (one, two, f"t{n}")
            for n, (one, two) in enumerate([(NINO, GIA), (GIA, DATO), (DATO, NINO)] * 4)
        ]
        won = await asyncio.gather(
            *(
                (store, other)[n % 2].seeking.pair([one.ticket, two.ticket], table)
                for n, (one, two, table) in enumerate(tries)
            )
        )
        assert won.count(True) == 1
        one, two, table = tries[won.index(True)]
        states = await store.seeking.beat([each.ticket for each in ALL])
        assert states[one.ticket] == states[two.ticket] == Paired(table)
        assert sum(isinstance(each, Waiting) for each in states.values()) == 1

    async def test_three_are_paired_in_one_step(self, store: Store) -> None:
        await came(store, *ALL)
        assert await store.seeking.pair([each.ticket for each in ALL], "t1")
        states = await store.seeking.beat([each.ticket for each in ALL])
        assert set(states.values()) == {Paired("t1")}

    async def test_what_has_become_of_somebody_can_be_learned_for_a_while(
        self, store: Store, later: Later
    ) -> None:
        await came(store, NINO, GIA)
        assert await store.seeking.pair([NINO.ticket, GIA.ticket], "t1")
        await later(LEARNED_MS - 2_000)
        assert await state(store, NINO.ticket) == Paired("t1")
        await later(2_001)
        assert await state(store, NINO.ticket) == "lapsed"

    async def test_who_was_paired_comes_back_to_that_unless_it_came_to_nothing(
        self, store: Store
    ) -> None:
        await came(store, NINO, GIA)
        assert await store.seeking.pair([NINO.ticket, GIA.ticket], "t1")
        await store.seeking.unseek(NINO.ticket)
        back = again(NINO, "n2", since=8_000)
        assert await store.seeking.seek(back) == Paired("t1")
        assert await store.seeking.seek(back, past="t0") == Paired("t1")
        assert await state(store, NINO.ticket) == "elsewhere"
        assert await state(store, back.ticket) == Paired("t1")
        assert await store.seeking.seek(back, past="t1") == Waiting(8_000)
        assert await store.seeking.seekers("game/75") == (back,)
        assert await state(store, GIA.ticket) == Paired("t1")

    async def test_who_is_parted_waits_again_or_is_turned_away(
        self, store: Store, later: Later
    ) -> None:
        await came(store, *ALL)
        assert await store.seeking.pair([NINO.ticket, GIA.ticket, DATO.ticket], "t1")
        await store.seeking.part("t0", [NINO.ticket], {GIA.ticket: "cannot_cover"})
        assert await state(store, NINO.ticket) == Paired("t1")
        await later(LEASE_MS + 1)
        for _ in range(2):
            await store.seeking.part("t1", [NINO.ticket], {GIA.ticket: "cannot_cover"})
            states = await store.seeking.beat([each.ticket for each in ALL])
            assert list(states.values()) == [
                *(Waiting(5_000), Turned("cannot_cover"), Paired("t1")),
            ]
        assert await store.seeking.seekers("game/75") == (NINO,)
        # Who has been turned away begins anew.
        assert await store.seeking.seek(again(GIA, "g2", since=9_000)) == Waiting(9_000)

    async def test_who_left_while_they_were_paired_does_not_wait_again(self, store: Store) -> None:
        await came(store, NINO, GIA)
        assert await store.seeking.pair([NINO.ticket, GIA.ticket], "t1")
        await store.seeking.unseek(GIA.ticket)
        await store.seeking.part("t1", [NINO.ticket, GIA.ticket], {})
        assert await store.seeking.seekers("game/75") == (NINO,)
