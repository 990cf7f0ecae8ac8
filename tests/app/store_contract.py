"""What every store of live tables must do. A store's test class inherits all of it."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from app.live.store import Save, Store
from app.table.events import Entry

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
    lines=({"tiles": ["0-1"]}, "0 0-1"),
)


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
        assert await store.due(1e12, 10) == ()
        assert await store.listed() == ()

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
        lost = following(FIRST, 3, 4, expected=7, lines=("9 9",), due=1.0, listing={"id": "t1"})
        assert not await store.save(lost)
        assert await store.log("t1", 0) == ENTRIES
        assert await store.record("m1") == FIRST.lines
        assert await store.due(1e12, 10) == ()
        assert await store.listed() == ()

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
        second = following(FIRST, 3, lines=("1 2-3", "0 draw"))
        assert await store.save(second)
        assert await store.save(following(second, 4))
        third = following(second, 4, match="m2", lines=({"tiles": []},))
        assert not await store.save(third)
        assert await store.save(replace(third, expected=3, version=4, entries=()))
        assert await store.record("m1") == (*FIRST.lines, "1 2-3", "0 draw")
        assert await store.record("m2") == ({"tiles": []},)

    async def test_due_tables_come_earliest_first(self, store: Store) -> None:
        for name, due in (("a", 30.0), ("b", 10.0), ("c", None), ("d", 20.0)):
            assert await store.save(replace(FIRST, table=name, match=name, due=due))
        assert await store.due(5.0, 10) == ()
        assert await store.due(20.0, 10) == ("b", "d")
        assert await store.due(99.0, 2) == ("b", "d")
        assert await store.save(following(replace(FIRST, table="b", match="b"), 3, due=None))
        assert await store.due(99.0, 10) == ("d", "a")

    async def test_the_lobby_holds_what_is_listed(self, store: Store) -> None:
        listed = replace(FIRST, listing={"id": "t1", "game": "domino"})
        assert await store.save(listed)
        assert await store.listed() == ({"id": "t1", "game": "domino"},)
        assert await store.save(following(listed, 3, listing=None))
        assert await store.listed() == ()
