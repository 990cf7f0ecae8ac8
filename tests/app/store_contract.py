"""What every store of live tables must do. A store's test class inherits all of it."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from app.live.sitetime import Beat
from app.live.store import FAILURES, LEASE_MS, LONGEST_MS, Save, Store
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
    beat=Beat(1_000, 5_000),
)


def listing(name: str, status: str, made_at: int) -> Json:
    return {"id": name, "status": status, "made_at": made_at, "seats": ["ნინო", None]}


class Wall:
    """The store's own clock."""

    def __init__(self) -> None:
        self.ms = 1_000_000

    def __call__(self) -> int:
        return self.ms


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
        assert await store.record("m1") == ()
        assert await store.lease_due(10**15, 10) == ()
        assert await store.next_due() is None
        assert await store.listed(10) == ()
        assert await store.seats_of("nino") == {}
        assert await store.lapsed() == {}
        assert await store.stuck() == {}
        assert await store.beat() is None

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
            beat=Beat(9_000, 9_000),
        )
        assert not await store.save(lost)
        assert await store.log("t1", 0) == ENTRIES
        assert await store.record("m1") == FIRST.lines
        assert await store.next_due() is None
        assert await store.listed(10) == ()
        assert await store.seats_of("nino") == {}
        assert await store.lapsed() == {}
        assert await store.beat() == FIRST.beat
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
        assert await store.record("m1") == (
            *FIRST.lines,
            RecordLine("1 2-3", 7),
            RecordLine("0 draw"),
        )
        assert await store.record("m2") == (RecordLine({"tiles": []}),)

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

    async def test_a_process_that_does_not_renew_lapses(self, store: Store, wall: Wall) -> None:
        for process in ("p1", "p2"):
            await store.renew(process)
        first = replace(FIRST, processes=frozenset({"p1", "p2"}))
        other = replace(FIRST, table="t2", match="m2", processes=frozenset({"p1"}))
        assert await store.save(first)
        assert await store.save(other)
        wall.ms += LEASE_MS - 1
        assert await store.lapsed() == {}
        await store.renew("p2")
        wall.ms += 1
        assert await store.lapsed() == {"p1": frozenset({"t1", "t2"})}
        # A table that knows holds no marks of it any more.
        assert await store.save(following(first, 3, processes=frozenset({"p2"})))
        assert await store.lapsed() == {"p1": frozenset({"t2"})}
        assert await store.save(following(other, 3, processes=frozenset()))
        assert await store.lapsed() == {"p1": frozenset()}
        await store.forget("p1")
        assert await store.lapsed() == {}
        await store.renew("p1")
        wall.ms += LEASE_MS
        assert await store.lapsed() == {"p1": frozenset(), "p2": frozenset({"t1"})}

    async def test_marks_of_an_unknown_process_have_lapsed(self, store: Store) -> None:
        assert await store.save(replace(FIRST, processes=frozenset({"p9"})))
        await store.forget("p9")
        assert await store.lapsed() == {"p9": frozenset({"t1"})}

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
        gone = Save("t1", 1, 1, {}, gone=True, beat=Beat(2_000, 6_000))
        assert await store.save(gone)
        assert not await store.save(gone)
        assert await store.load("t1") is None
        assert await store.log("t1", 0) == ()
        assert await store.record("m1") == ()
        assert await store.next_due() is None
        assert await store.listed(10) == ()
        assert await store.seats_of("nino") == {"t2": "waiting"}
        assert await store.lapsed() == {}
        assert await store.record("m2") == FIRST.lines
        assert await store.beat() == Beat(2_000, 6_000)
        assert not await store.save(following(first, 3))
        assert await store.save(first)  # nothing is in its way

    async def test_the_last_beat_counts_and_none_goes_back(self, store: Store) -> None:
        await store.save_beat(Beat(1_000, 50_000))
        assert await store.beat() == Beat(1_000, 50_000)
        await store.save_beat(Beat(1_000, 51_000))  # site time stands still
        assert await store.beat() == Beat(1_000, 51_000)
        await store.save_beat(Beat(999, 52_000))
        assert await store.beat() == Beat(1_000, 51_000)
        assert await store.save(replace(FIRST, beat=Beat(2_000, 53_000)))
        assert await store.beat() == Beat(2_000, 53_000)
        assert await store.save(following(FIRST, 3, beat=None))
        assert await store.beat() == Beat(2_000, 53_000)
