"""Connections count as long as they live, and viewers hear as long as they look, whatever hiccups
come between."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.live.outgoing import TooSlowError
from app.live.store import LEASE_MS, Save, StoreError, UnknownError
from app.table.commands import Resign
from engine import games
from tests.app.houses import Faulty, House, Wall, house, received
from tests.app.tables import match_of

NARDI = games.game("nardi", "short")


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path / "data", Wall()) as opened:
        yield opened


async def present(site: House) -> list[bool]:
    table = await site.table()
    return [table.sitter(seat).present for seat in (0, 1)]


async def test_a_process_taken_for_dead_comes_back_with_its_connections(
    site: House, tmp_path: Path
) -> None:
    await site.start("nino", "gia", game=NARDI)
    async with house(tmp_path / "data", site.wall, site.store) as other:
        for _ in range(LEASE_MS // 1_000 + 1):
            await other.later(1_000)  # the first hangs meanwhile
        assert await present(other) == [False, False]
        await site.pulse.beat()
        assert await present(other) == [True, True]


async def test_what_cannot_be_restored_at_once_is_restored_later(
    site: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await site.start("nino", "gia", game=NARDI)
    async with house(tmp_path / "data", site.wall, site.store) as other:
        for _ in range(LEASE_MS // 1_000 + 1):
            await other.later(1_000)
        with monkeypatch.context() as failing:
            failing.setattr(Faulty, "contested", True)
            await site.pulse.beat()
            assert await present(other) == [False, False]
        await site.pulse.beat()
        assert await present(other) == [True, True]


async def test_a_process_that_beats_while_it_is_ended_hears_of_it(
    site: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await site.start("nino", "gia", game=NARDI)
    async with house(tmp_path / "data", site.wall, site.store) as other:
        for _ in range(LEASE_MS // 1_000 - 1):
            await other.served(1_000)
        forget = other.store.forget
        beaten: list[str] = []

        async def and_it_beats(process: str) -> None:
            await forget(process)
            if not beaten:  # its marks are still there: it finds nothing to restore
                beaten.append(process)
                await site.pulse.beat()
                assert await present(other) == [True, True]

        monkeypatch.setattr(other.store, "forget", and_it_beats)
        await other.served(1_000)
        assert beaten == [site.store.process]
        assert await present(other) == [False, False]
        await site.pulse.beat()
        assert await present(other) == [True, True]


async def test_who_comes_back_during_a_look_is_told_what_others_save(
    site: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched: set[str] = set()
    names = [f"t{i}" for i in range(5)]
    for name in names:
        await site.make(f"host-{name}", name, NARDI)
    viewers = [await site.watch(None, name) for name in names]
    watched.update(names)
    back: list[object] = []

    async def watch(table: str) -> None:
        watched.add(table)

    async def unwatch(table: str) -> None:
        watched.discard(table)
        if not back:  # all come back at once, in the middle of it
            back.extend([await site.watch(None, name) for name in names])

    async def numbers(tables: object) -> dict[str, int]:
        found = await type(site.store).numbers(site.store, tables)  # type: ignore[arg-type]
        watched.update(found)
        return dict(found)

    monkeypatch.setattr(site.store, "watch", watch)
    monkeypatch.setattr(site.store, "unwatch", unwatch)
    monkeypatch.setattr(site.store, "numbers", numbers)
    for viewer in viewers:
        site.fanout.leave(viewer)
    await site.tables.viewers.compare()
    assert len(back) == len(names)
    assert watched == set(names)
    await site.tables.viewers.compare()
    assert watched == set(names)


async def test_a_hiccup_right_after_an_outage_leaves_nobody_deaf_t9(
    site: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await site.start("nino", "gia", game=NARDI)
    first, second = await site.watch("nino"), await site.watch("gia")
    load = site.store.load
    failed: list[str] = []

    async def fails_once(wanted: str) -> object:
        if not failed:
            failed.append(wanted)
            raise StoreError("away again")
        return await load(wanted)

    monkeypatch.setattr(site.store, "load", fails_once)
    site.wall.ms += 60_000
    await site.pulse.beat()
    assert failed == ["t1"]
    await site.tables.handle("t1", Resign("gia", "resign-1", match_of(table).id))
    heard = {"left": 0, "told": 0}
    for viewer in (first, second):
        try:
            frames = await received(viewer)
        except TooSlowError:
            heard["left"] += 1  # the line is closed, and comes back
        else:
            heard["told"] += 1
            assert frames[1]["notice"]["outage_ms"] == 60_000
            assert frames[-1]["table"]["status"] == "ended"
    assert heard == {"left": 1, "told": 1}


async def test_a_connection_that_is_saved_after_its_end_is_ended_all_the_same(
    site: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Redis hung, and when it went on it did what nobody waited for any more: whoever had gone
    # meanwhile stayed present, and their table was kept for ever.
    await site.start("nino", "gia", game=NARDI)
    mark, late = site.presence.mark(), list[Save]()
    for seat in (0, 1):
        await site.presence.lost("t1", f"{site.store.process}.{seat + 1}")
    assert await present(site) == [False, False]

    async def unanswered(save: Save) -> bool:
        late.append(save)
        raise UnknownError("no answer")

    async def away(table: str) -> None:
        raise UnknownError(f"no answer about {table}")

    with monkeypatch.context() as hanging:
        hanging.setattr(site.store, "save", unanswered)
        hanging.setattr(site.store, "load", away)
        with pytest.raises(UnknownError):
            await site.presence.connected("t1", "nino", mark)
    await site.presence.lost("t1", mark)
    await site.store.save(late[0])
    await site.presence.look()
    assert await present(site) == [False, False]
