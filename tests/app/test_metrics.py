"""Figures say what happened, to who has the token, and nothing of anybody."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from app import db
from app.live.fanout import Relayed, Subscription
from app.live.service import ContestedError
from app.live.store import Save, Told, UnknownError
from app.ops import metrics
from app.ops.backlog import FORGOTTEN_MS, Backlog
from app.ops.census import STATES, Census
from app.ops.loop import watch_loop
from app.table.decision import Accepted
from tests.app.browsers import Browser, level, move, started
from tests.app.houses import House, Wall, eventually, house
from tests.app.server import Server
from tests.app.test_health import deployed
from tests.services.postgres import Postgres
from tests.services.redis import Redis

TOKEN = "a token for tests alone"
BEARER = {"authorization": f"Bearer {TOKEN}"}


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path / "data", Wall()) as opened:
        yield opened


class Figures:
    """The figures of a text, each by its name and labels as Prometheus writes them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.values: dict[str, float] = {}
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                labels = ",".join(f'{k}="{v}"' for k, v in sorted(sample.labels.items()))
                self.values[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value

    def __getitem__(self, name: str) -> float:
        return self.values.get(name, 0.0)


def figures_of(server: Server) -> Figures:
    answer = httpx.get(server.origin + "/metrics", headers=BEARER, timeout=10)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    return Figures(answer.text)


def own(name: str, **labels: str) -> float:
    """A figure of this process."""
    return metrics.REGISTRY.get_sample_value(name, labels) or 0.0


class Grown:
    """By how much a figure of this process has grown."""

    def __init__(self, name: str, **labels: str) -> None:
        self._name, self._labels = name, labels
        self._before = own(name, **labels)

    def by(self) -> float:
        return own(self._name, **self._labels) - self._before


def test_without_a_token_nobody_is_told_that_there_are_figures(server: Server) -> None:
    for headers in ({}, BEARER, {"authorization": "Bearer"}):
        assert httpx.get(server.origin + "/metrics", headers=headers).status_code == 404


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data = tmp_path_factory.mktemp("told") / "data"
    with Server(data, 0, EZO_METRICS_TOKEN=TOKEN) as running:
        yield running
        assert running.log() == ""


@pytest.mark.parametrize("said", ["", TOKEN, f"Bearer {TOKEN}x", "Bearer \xff", f"bearer {TOKEN}"])
def test_only_the_whole_token_opens(said: str, told: Server) -> None:
    headers = [(b"authorization", said.encode("latin-1"))]
    assert httpx.get(told.origin + "/metrics", headers=headers).status_code == 404


async def test_a_match_as_the_figures_tell_it_t11(told: Server) -> None:
    rng = random.Random(1)
    before = figures_of(told)
    browsers = [Browser(told), Browser(told)]
    seats = await started(browsers, "domino", "georgian", target="75")
    visitor = await browsers[0].socket("/ws/lobby")
    for _ in range(12):
        await move(seats, rng)
    await level(seats)
    refused = await seats[0].ask("act", ply=10_000, action={})
    assert refused["type"] == "refused"
    during = figures_of(told)
    assert during['ezo_connections{place="table"}'] == 2
    assert during['ezo_connections{place="lobby"}'] == 1
    assert during["ezo_tables_watched"] == 1
    acts = 'ezo_command_seconds_count{kind="act",outcome="accepted"}'
    assert during[acts] - before[acts] > 5
    assert during['ezo_command_seconds_count{kind="act",outcome="refused"}'] == 1
    assert during['ezo_command_seconds_count{kind="create",outcome="accepted"}'] == 1
    assert during['ezo_saves_total{outcome="saved"}'] > during[acts]
    # Both viewers got every change.
    assert during["ezo_fanout_seconds_count"] >= 2 * during[acts]
    for state in ("open", "handshake", "running"):
        assert during[f'ezo_table_states_total{{state="{state}"}}'] == 1
    assert during["ezo_ready"] == 1
    assert during['ezo_up{part="store"}'] == during['ezo_up{part="database"}'] == 1
    assert during["ezo_tables_stuck"] == 0
    assert during["process_resident_memory_bytes"] > 1e6
    await seats[0].accepted("resign")
    match = seats[0].table["match"]
    await visitor.close()
    for seat in seats:
        await seat.close()

    async def carried() -> Figures | None:
        after = await asyncio.to_thread(figures_of, told)
        done = after['ezo_outbox_total{kind="ended",outcome="carried"}'] >= 1
        return after if done and after['ezo_connections{place="table"}'] == 0 else None

    after = await eventually(carried)
    assert after['ezo_table_states_total{state="ended"}'] == 1
    assert after["ezo_outbox_waiting"] == 0
    assert after["ezo_due_lag_seconds_count"] > 0
    assert after["ezo_loop_lag_seconds_count"] > 0
    # Labels come from small sets: no table, match, player or address is among them.
    values = set(re.findall(r'="([^"]*)"', after.text))
    assert all(re.fullmatch(r"[a-z][a-z ]*|[2-5]xx|[0-9.e-]+|\+Inf", value) for value in values)
    for id_ in (seats[0].id, match, *(each.cookie or "" for each in browsers)):
        assert id_ not in after.text


async def test_sockets_that_we_close_are_counted_by_why(told: Server) -> None:
    before = figures_of(told)
    browser = Browser(told)
    seat = await browser.connect("no-such-table")
    await seat.send('{"type": "hello", "protocol": 2, "seen": null}')
    await seat.wait_closed()
    line = await browser.socket("/ws/lobby")
    for _ in range(5):
        await line.send("no message")
    await line.wait_closed()
    after = figures_of(told)
    for reason in ("unknown table", "malformed"):
        name = f'ezo_sockets_closed_total{{reason="{reason}"}}'
        assert after[name] - before[name] == 1


# Saves that did not go as they should.


async def test_a_lost_race_and_a_contested_table_are_counted(site: House) -> None:
    await site.make("nino")
    conflicts = Grown("ezo_saves_total", outcome="conflict")
    contested = Grown("ezo_command_seconds_count", kind="sit", outcome="contested")
    site.store.contested = True
    with pytest.raises(ContestedError):
        await site.sit("gia")
    assert conflicts.by() == 20
    assert contested.by() == 1


async def test_a_save_whose_answer_is_lost_is_counted(
    site: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await site.make("nino")
    save = site.store.save

    async def lost(wanted: Save) -> bool:
        monkeypatch.setattr(site.store, "save", save)
        await save(wanted)
        raise UnknownError("lost")

    unknown = Grown("ezo_saves_total", outcome="unknown")
    monkeypatch.setattr(site.store, "save", lost)
    await site.sit("gia")
    assert unknown.by() == 1


async def test_a_store_that_is_away_is_counted(site: House) -> None:
    failed = Grown("ezo_saves_total", outcome="failed")
    command = Grown("ezo_command_seconds_count", kind="create", outcome="failed")
    site.store.failing = True
    with pytest.raises(Exception, match="away"):
        await site.make("nino")
    assert (failed.by(), command.by()) == (1, 1)


async def test_tables_are_counted_by_state_over_the_whole_site(
    site: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await site.make("nino", "t1")
    await site.make("nino", "t2")
    await site.start("gia", "dato", "lali", table="t3")
    census = Census(site.store)
    census.ask()
    await census.settle()
    assert [own("ezo_tables", state=state) for state in ("open", "running", "ended")] == [2, 1, 0]
    assert own("ezo_tables", state="unseen") == 0
    # Not again at once; and where there are more than are looked at, it says so.
    await site.make("lali", "t4")
    census.ask()
    await census.settle()
    assert own("ezo_tables", state="open") == 2
    monkeypatch.setattr("app.ops.census.MOST", 2)
    again = Census(site.store)
    again.ask()
    await again.settle()
    assert own("ezo_tables", state="unseen") == 1
    assert sum(own("ezo_tables", state=state) for state in STATES) == 2
    await again.close()
    await census.close()


async def test_how_late_a_table_is_seen_to_is_counted_from_when_it_was_due(site: House) -> None:
    await site.start("nino", "gia", "dato")
    due = await site.store.next_due()
    assert due is not None
    count, seconds = Grown("ezo_due_lag_seconds_count"), Grown("ezo_due_lag_seconds_sum")
    late = due + 1_500 - site.tables.clock.now()
    await site.served(late)
    await site.worker.work()
    assert count.by() >= 1
    assert seconds.by() == pytest.approx(1.5, abs=0.2)


# What goes out from tables.


def test_a_backlog_is_as_old_as_its_oldest_entry_and_forgets_what_others_carried() -> None:
    backlog = Backlog()
    assert (backlog.oldest_ms(0), len(backlog)) == (0, 0)
    backlog.failed("a", 1, 0, now=1_000)
    backlog.failed("b", 1, 3, now=2_000)  # it has waited 1 + 2 + 4 seconds elsewhere
    assert (backlog.oldest_ms(2_000), len(backlog)) == (7_000, 2)
    backlog.failed("b", 1, 4, now=10_000)
    assert backlog.oldest_ms(10_000) == 15_000
    backlog.carried("b", 1)
    assert (backlog.oldest_ms(10_000), len(backlog)) == (9_000, 1)
    backlog.carried("b", 1)
    assert backlog.oldest_ms(1_000 + FORGOTTEN_MS) == FORGOTTEN_MS
    assert backlog.oldest_ms(1_001 + FORGOTTEN_MS) == 0
    assert len(backlog) == 0


async def test_what_waits_for_a_database_that_is_away_is_seen_and_then_gone(
    tmp_path: Path, empty_redis: Redis, mortal: Postgres
) -> None:
    database = mortal.create("site")
    engine = db.deployed(database)
    await db.upgrade(engine)
    await db.close(engine)
    with deployed(tmp_path / "a", empty_redis, database, EZO_METRICS_TOKEN=TOKEN) as server:
        seats = await started([Browser(server), Browser(server)], "nardi", "short", points="1")
        mortal.kill()
        await seats[0].accepted("resign")

        async def waits() -> Figures | None:
            figures = await asyncio.to_thread(figures_of, server)
            return figures if figures["ezo_outbox_oldest_seconds"] >= 1 else None

        found = await eventually(waits)
        assert found["ezo_outbox_waiting"] >= 1
        assert found['ezo_up{part="database"}'] == 0
        assert found["ezo_ready"] == 1
        mortal.start()

        async def gone() -> bool | None:
            figures = await asyncio.to_thread(figures_of, server)
            return True if figures["ezo_outbox_waiting"] == 0 else None

        await eventually(gone)


# Several processes.


def test_a_relayed_change_says_when_it_was_decided() -> None:
    frame = '{"type":"change","events":[{"now":1}],"table":{"id":"t1","now":42},"number":3}'
    assert Relayed(Told("t1", 3, 3, 3, ("nino",), {0: frame})).decided_at() == 42
    assert Relayed(Told("t1", 3, 3, 3, ("nino",), {})).decided_at() is None


async def test_the_way_from_one_process_to_another_is_timed(
    tmp_path: Path, empty_redis: Redis, database: str
) -> None:
    with (
        deployed(tmp_path / "a", empty_redis, database, EZO_METRICS_TOKEN=TOKEN) as a,
        deployed(tmp_path / "b", empty_redis, database, EZO_METRICS_TOKEN=TOKEN) as b,
    ):
        seats = await started([Browser(a), Browser(b)], "nardi", "short", points="1")
        for _ in range(6):
            await move(seats, random.Random(2))
        await level(seats)
        for server in (a, b):
            found = await asyncio.to_thread(figures_of, server)
            assert found["ezo_relay_seconds_count"] > 0
            assert found["ezo_relay_seconds_sum"] / found["ezo_relay_seconds_count"] < 5
            assert found['ezo_connections{place="table"}'] == 1
        empty_redis.ask("CLIENT", "KILL", "TYPE", "pubsub")

        async def missed() -> bool | None:
            gaps = [await asyncio.to_thread(figures_of, server) for server in (a, b)]
            return True if all(each["ezo_channel_gaps_total"] >= 1 for each in gaps) else None

        await eventually(missed)
        for seat in seats:
            await seat.close()


# The process.


async def test_only_changes_are_timed_on_their_way_to_a_viewer() -> None:
    out = Subscription("t1", "nino")
    out.send("a ping")
    out.send("a change", timed=True)
    assert await out.next() == "a ping"
    assert out.since is None
    assert await out.next() == "a change"
    assert out.since is not None


async def test_a_loop_that_is_held_up_shows() -> None:
    slow = Grown("ezo_loop_lag_seconds_sum")
    watching = asyncio.create_task(watch_loop())
    held = asyncio.get_running_loop()

    async def hold() -> bool | None:
        end = held.time() + 0.3
        while held.time() < end:  # nothing else runs meanwhile
            pass
        return True if slow.by() > 0.02 else None

    await eventually(hold)
    watching.cancel()


async def test_counting_costs_next_to_nothing(site: House) -> None:
    """Not how fast, but that nothing is looked up, made or awaited each time."""
    assert isinstance(await site.make("nino"), Accepted)
    with metrics.commanding("Create") as first:
        first.outcome = "accepted"
    assert metrics._commands["Create", "accepted"] is metrics.COMMANDS.labels("create", "accepted")
    assert len(metrics._commands) <= 80
