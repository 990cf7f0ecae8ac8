"""What every store of live tables must do. A store's test class inherits all of it.

Fixtures: ``store`` is new, empty and of process ``p1``; ``peer(process)`` another one on the same
data; ``later(ms)`` makes so much time pass for the store's own clock.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeAlias

import pytest

from app.live.sitetime import GRACE_MS, HICCUP_MS, STALL_MS
from app.live.store import FAILURES, KEPT, LEASE_MS, LONGEST_MS, Save, Store, StoreError, Told
from app.table.events import Entry, RecordLine
from engine.game import Json

ENTRIES = (
    Entry(1, {"event": "opened", "seat": 0, "name": "ნინო"}),
    Entry(2, {"event": "tiles_dealt", "tiles": ["0-1"]}, frozenset({1})),
)
FIRST = Save(
    table="t1",
    expected=0,
    version=1,
    state={"name": "ნინო", "nested": {"list": [1, None, 2.5]}},
    entries=ENTRIES,
    match="m1",
    lines=(RecordLine({"tiles": ["0-1"]}), RecordLine("0 0-1", 1_500, True)),
)

Peer: TypeAlias = Callable[[str], Awaitable[Store]]
Later: TypeAlias = Callable[[int], Awaitable[None]]


def listing(name: str, status: str, made_at: int) -> Json:
    return {"id": name, "status": status, "made_at": made_at, "seats": ["ნინო", None]}


def following(save: Save, *numbers: int, **changed: object) -> Save:
    """The next save of a table, with so many entries."""
    entries = tuple(Entry(number, {"event": "laid"}) for number in numbers)
    after = replace(
        save, expected=save.version, version=save.version + 1, entries=entries, lines=()
    )
    return replace(after, **changed)  # type: ignore[arg-type]


class StoreContract:
    """Every test gets a new, empty store."""

    async def test_there_is_nothing_before_anything_was_saved(self, store: Store) -> None:
        assert await store.load("t1") is None
        assert await store.log("t1", 0) == ()
        assert await store.record("t1", "m1") == ()
        assert await store.lease_due(10**15, 10) == ()
        assert await store.next_due() is None
        assert await store.listed(10) == ()
        assert await store.seats_of("nino") == {}
        assert await store.lapsed() == {}
        assert await store.stuck() == {}
        assert await store.numbers(["t1"]) == {}

    async def test_what_was_saved_is_loaded(self, store: Store) -> None:
        assert await store.save(FIRST)
        stored = await store.load("t1")
        assert stored is not None
        assert (stored.version, stored.state) == (1, FIRST.state)
        assert await store.load("t2") is None

    async def test_a_table_is_made_once(self, store: Store) -> None:
        assert await store.save(FIRST)
        assert not await store.save(replace(FIRST, state={"another": 1}))
        stored = await store.load("t1")
        assert stored is not None
        assert stored.state == FIRST.state

    async def test_a_save_needs_the_version_it_was_decided_on(self, store: Store) -> None:
        assert not await store.save(replace(FIRST, expected=1, version=2))
        assert await store.load("t1") is None
        assert await store.save(FIRST)
        assert await store.save(following(FIRST, 3))
        assert not await store.save(following(FIRST, 3))
        assert not await store.save(following(FIRST, 4, expected=5, version=6))
        stored = await store.load("t1")
        assert stored is not None
        assert stored.version == 2

    async def test_a_save_that_lost_leaves_nothing_behind(self, store: Store) -> None:
        assert await store.save(FIRST)
        lost = following(
            FIRST,
            *(3, 4),
            expected=7,
            lines=(RecordLine("9 9"),),
            due=1,
            listing=listing("t1", "open", 1),
            seats={"nino": "waiting"},
            processes=frozenset({"p1"}),
        )
        assert not await store.save(lost)
        assert await store.log("t1", 0) == ENTRIES
        assert await store.record("t1", "m1") == FIRST.lines
        assert await store.next_due() is None
        assert await store.listed(10) == ()
        assert await store.seats_of("nino") == {}
        assert await store.lapsed() == {}
        assert await store.numbers(["t1"]) == {"t1": 2}
        assert not await store.save(replace(lost, gone=True))
        assert await store.load("t1") is not None

    async def test_of_two_at_once_one_wins(self, store: Store) -> None:
        assert await store.save(FIRST)
        saves = [following(FIRST, 3, state={"by": i}) for i in range(8)]
        won = await asyncio.gather(*(store.save(save) for save in saves))
        assert won.count(True) == 1
        stored = await store.load("t1")
        assert stored is not None
        assert stored.state == {"by": won.index(True)}
        assert [e.number for e in await store.log("t1", 0)] == [1, 2, 3]

    async def test_the_log_goes_on_after_a_number_with_audiences(self, store: Store) -> None:
        assert await store.save(FIRST)
        assert await store.save(following(FIRST, 3, 4))
        assert await store.log("t1", 0) == (
            *ENTRIES,
            Entry(3, {"event": "laid"}),
            Entry(4, {"event": "laid"}),
        )
        assert [e.number for e in await store.log("t1", 2)] == [3, 4]
        assert await store.log("t1", 4) == ()
        assert await store.log("t2", 0) == ()

    async def test_lines_of_a_match_are_kept_in_order(self, store: Store) -> None:
        assert await store.save(FIRST)
        second = following(FIRST, 3, lines=(RecordLine("1 2-3", 7), RecordLine("0 draw")))
        assert await store.save(second)
        assert await store.save(following(second, 4))
        third = following(second, 4, match="m2", lines=(RecordLine({"tiles": []}),))
        assert not await store.save(third)
        assert await store.save(replace(third, expected=3, version=4, entries=()))
        assert await store.record("t1", "m1") == (
            *FIRST.lines,
            RecordLine("1 2-3", 7),
            RecordLine("0 draw"),
        )
        assert await store.record("t1", "m2") == (RecordLine({"tiles": []}),)

    async def test_due_tables_come_earliest_first_and_are_leased(self, store: Store) -> None:
        for name, due in (("a", 30_000), ("b", 10_000), ("c", None), ("d", 20_000)):
            assert await store.save(replace(FIRST, table=name, match=name, due=due))
        assert await store.next_due() == 10_000
        assert await store.lease_due(9_999, 10) == ()
        assert await store.lease_due(20_000, 1) == ("b",)
        assert await store.lease_due(20_000, 10) == ("d",)
        assert await store.lease_due(20_000, 10) == ()
        assert await store.next_due() == 20_000 + LEASE_MS
        # Never popped: whoever leased them did nothing, so they come again.
        assert await store.lease_due(20_000 + LEASE_MS, 10) == ("b", "d")
        assert await store.next_due() == 20_000 + 2 * LEASE_MS
        assert await store.lease_due(30_000, 10) == ("a", "b", "d")

    async def test_only_a_save_moves_a_due_time(self, store: Store) -> None:
        due = replace(FIRST, due=10_000)
        assert await store.save(due)
        assert await store.lease_due(10_000, 10) == ("t1",)
        second = following(due, 3, due=12_000)
        assert await store.save(second)
        assert await store.next_due() == 12_000
        assert await store.lease_due(12_000, 10) == ("t1",)
        assert await store.save(following(second, 4, due=None))
        assert await store.next_due() is None
        assert await store.lease_due(10**15, 10) == ()

    async def test_tables_at_which_something_falls_due_are_found(self, store: Store) -> None:
        assert await store.armed(10) == ()
        names = [f"t{n}" for n in range(1, 8)]
        for n, name in enumerate(names):
            assert await store.save(replace(FIRST, table=name, match=None, lines=(), due=100 - n))
        assert await store.save(replace(FIRST, table="idle", match=None, lines=()))
        assert await store.armed(10) == tuple(reversed(names))
        assert await store.armed(3) == ("t7", "t6", "t5")
        assert await store.lease_due(94, 10) == ("t7",)
        assert set(await store.armed(10)) == set(names)  # also while somebody sees to it
        gone = following(replace(FIRST, table="t1"), gone=True)
        assert await store.save(gone)
        resting = following(replace(FIRST, table="t2"), 3, due=None)
        assert await store.save(resting)
        assert set(await store.armed(10)) == set(names) - {"t1", "t2"}

    async def test_a_table_that_fails_is_left_alone_longer_and_listed(self, store: Store) -> None:
        due = replace(FIRST, due=0)
        assert await store.save(due)
        now, waits = 0, []
        for _ in range(FAILURES + 12):
            assert await store.lease_due(now, 10) == ("t1",)
            after = await store.next_due()
            assert after is not None
            waits.append(after - now)
            now = after
            failed = len(waits) - 1
            assert await store.stuck() == ({"t1": failed} if failed >= FAILURES else {})
        assert waits[:FAILURES] == [LEASE_MS] * FAILURES
        assert waits[FAILURES : FAILURES + 2] == [2 * LEASE_MS, 4 * LEASE_MS]
        assert waits[-1] == LONGEST_MS
        second = following(due, 3, due=now)
        assert await store.save(second)
        assert await store.stuck() == {}
        assert await store.lease_due(now, 10) == ("t1",)
        assert await store.next_due() == now + LEASE_MS

    async def test_the_lobby_holds_what_is_listed_open_tables_first(self, store: Store) -> None:
        saves = {}
        for made_at, (name, status) in enumerate(
            (("a", "running"), ("b", "open"), ("c", "open"), ("d", "running"))
        ):
            save = replace(FIRST, table=name, match=name, listing=listing(name, status, made_at))
            assert await store.save(save)
            saves[name] = save
        assert await store.listed(10) == tuple(saves[name].listing for name in ("c", "b", "d", "a"))
        assert [each["id"] for each in await store.listed(3)] == ["c", "b", "d"]
        assert await store.save(following(saves["c"], 3, listing=None))
        assert [each["id"] for each in await store.listed(10)] == ["b", "d", "a"]

    async def test_where_a_player_waits_and_plays(self, store: Store) -> None:
        first = replace(FIRST, seats={"nino": "waiting", "gia": "waiting"})
        other = replace(FIRST, table="t2", match="m2", seats={"nino": "waiting"})
        assert await store.save(first)
        assert await store.save(other)
        assert await store.seats_of("nino") == {"t1": "waiting", "t2": "waiting"}
        second = following(first, 3, seats={"nino": "playing", "dato": "playing"})
        assert await store.save(second)
        assert await store.seats_of("nino") == {"t1": "playing", "t2": "waiting"}
        assert await store.seats_of("gia") == {}
        assert await store.seats_of("dato") == {"t1": "playing"}
        assert await store.save(following(second, 4, seats={}))
        assert await store.seats_of("nino") == {"t2": "waiting"}

    async def test_players_are_held_by_one_at_a_time_t16(self, store: Store, peer: Peer) -> None:
        other = await peer("p2")
        inside: list[str] = []

        async def work(which: Store, players: list[str]) -> None:
            async with which.hold(players):
                assert inside == []
                inside.append(which.process)
                await asyncio.sleep(0)
                await which.seats_of(players[0])
                assert inside == [which.process]
                inside.clear()

        orders = (["nino", "gia"], ["gia", "nino"])
        await asyncio.gather(
            *(work(each, order) for each in (store, other) for order in orders for _ in range(3))
        )
        async with store.hold(["nino"]), other.hold(["gia"]):
            pass
        async with store.hold([]):
            pass
        with pytest.raises(KeyError):
            async with store.hold(["nino"]):
                raise KeyError
        async with other.hold(["nino"]):
            pass

    async def test_a_process_that_does_not_beat_lapses(
        self, store: Store, peer: Peer, later: Later
    ) -> None:
        other = await peer("p2")
        assert not (await store.beat()).lapsed
        assert not (await other.beat()).lapsed
        first = replace(FIRST, processes=frozenset({"p1", "p2"}))
        second = replace(FIRST, table="t2", match="m2", processes=frozenset({"p1"}))
        assert await store.save(first)
        assert await store.save(second)
        await later(LEASE_MS - 2_000)
        assert await store.lapsed() == {}
        await other.beat()
        await later(2_000)
        assert await other.lapsed() == {"p1": frozenset({"t1", "t2"})}
        # A table that knows holds no marks of it any more.
        assert await other.save(following(first, 3, processes=frozenset({"p2"})))
        assert await other.lapsed() == {"p1": frozenset({"t2"})}
        assert await other.save(following(second, 3, processes=frozenset()))
        assert await other.lapsed() == {"p1": frozenset()}
        await other.forget("p1")
        assert await other.lapsed() == {}
        # It lives after all, and is told that it was taken for dead.
        assert (await store.beat()).lapsed
        assert not (await store.beat()).lapsed
        await later(LEASE_MS - 2_000)
        await other.beat()
        await later(2_000)
        assert await other.lapsed() == {"p1": frozenset()}
        assert (await store.beat()).lapsed

    async def test_marks_of_an_unknown_process_have_lapsed(self, store: Store) -> None:
        assert await store.save(replace(FIRST, processes=frozenset({"p9"})))
        await store.forget("p9")
        assert await store.lapsed() == {"p9": frozenset({"t1"})}

    async def test_a_closed_process_is_gone_at_once(self, store: Store, peer: Peer) -> None:
        other = await peer("p2")
        await other.beat()
        assert await store.save(replace(FIRST, processes=frozenset({"p2"})))
        assert await store.lapsed() == {}
        await other.close()
        assert await store.lapsed() == {"p2": frozenset({"t1"})}

    async def test_what_is_gone_leaves_nothing_behind(self, store: Store) -> None:
        first = replace(
            FIRST,
            due=5,
            listing=listing("t1", "open", 1),
            seats={"nino": "waiting"},
            processes=frozenset({"p1"}),
        )
        other = replace(FIRST, table="t2", match="m2", seats={"nino": "waiting"})
        assert await store.save(first)
        assert await store.save(other)
        gone = Save("t1", 1, 1, {}, gone=True)
        assert await store.save(gone)
        assert not await store.save(gone)
        assert await store.load("t1") is None
        assert await store.log("t1", 0) == ()
        assert await store.record("t1", "m1") == ()
        assert await store.next_due() is None
        assert await store.listed(10) == ()
        assert await store.seats_of("nino") == {"t2": "waiting"}
        assert await store.lapsed() == {}
        assert await store.record("t2", "m2") == FIRST.lines
        assert await store.numbers(["t1", "t2"]) == {"t2": 2}
        assert not await store.save(following(first, 3))
        assert await store.save(first)  # nothing is in its way

    async def test_numbers_are_those_of_the_last_events(self, store: Store) -> None:
        assert await store.save(FIRST)
        other = replace(FIRST, table="t2", match="m2")
        assert await store.save(other)
        assert await store.save(following(other, 3, 4, 5))
        assert await store.save(following(FIRST))  # nothing that anybody is told
        assert await store.numbers(["t1", "t2", "t3"]) == {"t1": 2, "t2": 5}
        assert await store.numbers([]) == {}

    async def test_the_last_events_of_a_long_evening_are_there(self, store: Store) -> None:
        save = replace(FIRST, entries=tuple(Entry(n, {"event": "laid"}) for n in range(1, 8)))
        assert await store.save(save)
        number = 7
        for _ in range(KEPT // 7 + 3):
            save = following(save, *range(number + 1, number + 8))
            number += 7
            assert await store.save(save)
        numbers = [entry.number for entry in await store.log("t1", number - KEPT)]
        assert numbers == list(range(number - KEPT + 1, number + 1))
        assert (await store.numbers(["t1"])) == {"t1": number}

    # Site time (T9).

    async def test_site_time_goes_with_the_clock_of_the_store(
        self, store: Store, peer: Peer, later: Later
    ) -> None:
        other = await peer("p2")
        first = await store.beat()
        assert (first.frozen_ms, first.outage) == (0, None)
        for each in (store, other, other, store):
            before = await each.beat()
            await later(1_000)
            after = await other.beat()
            passed = after.site - before.site
            assert 1_000 <= passed <= 1_000 + after.wall - before.wall
            assert (after.frozen_ms, after.outage) == (0, None)

    async def test_where_nobody_beat_for_long_no_time_has_passed_t9(
        self, store: Store, peer: Peer, later: Later
    ) -> None:
        other = await peer("p2")
        last = await store.beat()
        await later(180_000)
        back = await store.beat()
        assert back.site == last.site
        assert back.frozen_ms == GRACE_MS
        assert back.outage is not None
        assert back.outage.ended_at == last.site
        assert 180_000 <= back.outage.ms <= 180_000 + back.wall - last.wall
        # Whoever comes next hears the same and declares nothing of their own.
        again = await other.beat()
        assert (again.site, again.outage) == (last.site, back.outage)
        assert GRACE_MS - (again.wall - back.wall) <= again.frozen_ms <= GRACE_MS
        for _ in range(12):
            await later(1_000)
            now = await other.beat()
        spent = 12_000 - GRACE_MS
        assert spent <= now.site - last.site <= spent + 12_000 + now.wall - back.wall
        assert (now.frozen_ms, now.outage) == (0, back.outage)

    async def test_a_moment_in_which_nobody_beat_is_not_charged_t9(
        self, store: Store, peer: Peer, later: Later
    ) -> None:
        # A Redis that is restarted, or all processes: nobody may have been served meanwhile.
        other = await peer("p2")
        last = await store.beat()
        await later(STALL_MS - 1_000)
        back = await other.beat()
        assert back.site - last.site == HICCUP_MS
        assert (back.frozen_ms, back.outage) == (0, None)
        await later(1_000)
        again = await store.beat()
        passed = again.site - back.site
        assert 1_000 <= passed <= 1_000 + again.wall - back.wall

    async def test_who_knows_that_nobody_served_says_so_t9(
        self, store: Store, later: Later
    ) -> None:
        assert (await store.beat(alone=True)).outage is None  # there was nothing before
        last = await store.beat()
        await later(1_500)
        back = await store.beat(alone=True)
        assert back.site == last.site
        assert back.frozen_ms == GRACE_MS
        assert back.outage is not None
        assert 1_500 <= back.outage.ms <= 1_500 + back.wall - last.wall

    async def test_an_outage_ends_no_connection(
        self, store: Store, peer: Peer, later: Later
    ) -> None:
        # All were there and only the store was away: the first that is back must not take the
        # others for dead.
        other = await peer("p2")
        await store.beat()
        await other.beat()
        assert await store.save(replace(FIRST, processes=frozenset({"p1", "p2"})))
        await later(60_000)
        assert not (await store.beat()).lapsed
        assert await store.lapsed() == {}
        assert not (await other.beat()).lapsed
        await later(60_000)
        await store.beat()
        await later(LEASE_MS - 2_000)
        await store.beat()
        await later(2_000)
        assert await store.lapsed() == {"p2": frozenset({"t1"})}


class SharedContract(StoreContract):
    """A store that several processes share, and what they are told of each other. Fixture
    ``heard(store, n)``: waits until ``store.told`` was called so often, and gives what came."""

    async def test_a_save_is_told_to_the_others_that_watch(
        self, store: Store, peer: Peer, heard: Callable[[Store, int], Awaitable[list[Told]]]
    ) -> None:
        other, idle = await peer("p2"), await peer("p3")
        for each in (store, other):
            await each.watch("t1")
        first = replace(FIRST, players=("nino", None), frames={})
        assert await store.save(first)
        second = following(
            first, 3, 4, players=("nino", "gia"), frames={1: '{"type":"change","ღია":1}'}
        )
        assert await store.save(second)
        third = following(second, players=("nino", "gia"), frames={})
        assert await store.save(third)
        assert await heard(other, 3) == [
            Told("t1", 1, 1, 2, ("nino", None), {}),
            Told("t1", 2, 3, 4, ("nino", "gia"), {1: '{"type":"change","ღია":1}'}),
            Told("t1", 3, 5, 4, ("nino", "gia"), {}),
        ]
        # Nobody hears of themselves, nor of what they do not watch.
        assert await other.save(following(third, 5))
        assert [each.version for each in await heard(store, 1)] == [4]
        assert await heard(other, 3) != []
        assert len(await heard(other, 3)) == 3
        assert await heard(idle, 0) == []

    async def test_a_save_that_lost_is_told_to_nobody(
        self, store: Store, peer: Peer, heard: Callable[[Store, int], Awaitable[list[Told]]]
    ) -> None:
        other = await peer("p2")
        await other.watch("t1")
        assert await store.save(FIRST)
        assert not await store.save(following(FIRST, 3, expected=7))
        assert await store.save(following(FIRST, 3))
        assert [each.version for each in await heard(other, 2)] == [1, 2]

    async def test_who_watches_no_more_is_told_no_more(
        self, store: Store, peer: Peer, heard: Callable[[Store, int], Awaitable[list[Told]]]
    ) -> None:
        other = await peer("p2")
        await other.watch("t1")
        await other.watch("t2")
        assert await store.save(FIRST)
        await heard(other, 1)
        await other.unwatch("t1")
        await other.unwatch("t9")
        assert await store.save(following(FIRST, 3))
        assert await store.save(replace(FIRST, table="t2", match="m2"))
        assert [each.table for each in await heard(other, 2)] == ["t1", "t2"]

    async def test_asking_for_numbers_watches(
        self, store: Store, peer: Peer, heard: Callable[[Store, int], Awaitable[list[Told]]]
    ) -> None:
        other = await peer("p2")
        assert await store.save(FIRST)
        assert await other.numbers(["t1"]) == {"t1": 2}
        assert await store.save(following(FIRST, 3))
        assert [each.number for each in await heard(other, 1)] == [3]

    async def test_a_held_player_is_waited_for_no_longer_than_a_lease(
        self, store: Store, peer: Peer
    ) -> None:
        # Who held them may have died: after a lease they are free.
        other = await peer("p2")
        dead = store.hold(["nino"])
        await dead.__aenter__()
        waiting = asyncio.ensure_future(self._held(other))
        done, _ = await asyncio.wait({waiting}, timeout=0.1)
        assert not done
        try:
            assert await asyncio.wait_for(waiting, 60)
        except StoreError:
            assert await self._held(other)
        await dead.__aexit__(None, None, None)  # late, and takes nothing from anybody

    async def _held(self, store: Store) -> bool:
        async with store.hold(["nino"]):
            return True
