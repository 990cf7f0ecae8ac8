"""One run: players play, things break, everything is mended, all go home, and what is left is
gathered."""

from __future__ import annotations

import asyncio
import secrets
import signal
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Any

import msgspec

from app.live.redis import keys
from app.web.identity import Identities, Player
from tests.app.server import ROOT
from tests.faults.chair import Habit
from tests.faults.crowd import Crowd
from tests.faults.director import Director
from tests.faults.evidence import Evidence, Rest, books_of
from tests.faults.journal import Who
from tests.faults.pair import Pair, tidy
from tests.faults.processes import Place, Uses
from tests.faults.saves import past_of
from tests.faults.schedule import Fault, schedule

PATIENCE = 120.0
"""Seconds for anything that has to come true in the end."""
SLEEPERS = 150.0
"""From so many seconds on a run has players who lose on time: that takes two minutes."""
HOUR = 3_600_000
SPARE = 30
"""So many files more than at its start a process may keep open: connections that wait for use."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do. ``finish``: seconds to play the matches to their end, before they are resigned.
    ``tree``: the copy of the site that is run."""

    seed: int
    seconds: float
    players: int
    processes: int = 2
    _: KW_ONLY
    pace: float = 0.25
    finish: float = 25.0
    tree: Path = ROOT

    def faults(self) -> tuple[tuple[Fault, ...], ...]:
        return schedule(self.seed, self.seconds, self.processes)


async def run(plan: Plan, said: Callable[[str], None] = lambda _: None) -> Evidence:
    """Carry out a plan. Nothing of it is left running, however it ends."""
    place = Place(plan.processes, plan.tree)
    try:
        await place.open()
        return await _run(plan, place, said)
    finally:
        place.close()


async def _run(plan: Plan, place: Place, said: Callable[[str], None]) -> Evidence:
    crowd = Crowd(plan.seed, place.origins(), place.token, plan.pace)
    players = _players(plan, place.key)
    await place.grant({who.id: who.coins for who in players})
    director = Director(place, plan.faults(), crowd.journal.counts)
    pairs = _pairs(plan, crowd, players)
    said(f"{len(players)} players, {plan.processes} processes, {plan.seconds:.0f} s")
    breaking = asyncio.create_task(director.run(plan.seconds))
    playing = [asyncio.create_task(pair.live()) for pair in pairs]
    try:
        await _first_failure(breaking, playing)
        crowd.phase = "finish"
        said("everything is up: the matches are played to their end")
        _, late = await asyncio.wait(playing, timeout=plan.finish)
        crowd.phase = "hurry"
        if late:
            _, late = await asyncio.wait(late, timeout=PATIENCE)
        if late:
            raise RuntimeError(f"{len(late)} pairs do not come to an end")
        await asyncio.gather(*playing)
    finally:
        for task in (breaking, *playing):
            task.cancel()
    await asyncio.gather(*(tidy(crowd, who, 0) for who in players))
    said("all have left: outboxes are to empty")
    rest = await _at_rest(place)
    said("two days later nothing may be left")
    past = await asyncio.to_thread(past_of, Path(place.redis.folder))
    books = await books_of(place.database)
    kept = await _much_later(place)
    statuses = await _stopped(place)
    return Evidence(
        seed=plan.seed,
        journal=crowd.journal,
        players={who.id: who for who in players},
        saves=past.saves,
        beats=[at - place.timeline.wall for at in past.beats],
        books=books,
        timeline=place.timeline,
        logs=place.logs(),
        rest=Rest(rest[0], kept, rest[1], rest[2], statuses),
        done=director.done,
    )


def _players(plan: Plan, key: str) -> list[Who]:
    identities = Identities(key)
    found = []
    for number in range(plan.players):
        # The id is a secret of the site: nobody may ever be told it.
        id_, name = f"p{number:02d}-{secrets.token_hex(8)}", f"მოთამაშე {number}"
        cookie = identities.write(Player(id_, name))
        # Some run out of coins in the middle of it.
        found.append(Who(id_, name, cookie, 120 if number % 8 == 7 else 1000))
    return found


def _pairs(plan: Plan, crowd: Crowd, players: list[Who]) -> list[Pair]:
    pairs = []
    for number in range(plan.players // 2):
        two = (players[2 * number], players[2 * number + 1])
        if number % 5 == 4:  # somebody who plays with others too, at the same time (T16)
            two = (two[0], players[2 * number - 1])
        domino = {"game": "domino", "rules": "georgian", "target": "75"}
        nardi = {"game": "nardi", "rules": "short", "points": "1"}
        form = {**(nardi if number % 3 == 2 else domino), "clock": "fast"}
        form["public"] = str(number % 2)
        if number % 2 or number % 4 == 2:
            form["stake"] = "100" if number % 4 == 1 else "50"
        habits: tuple[Habit, Habit] = ("play", "play")
        if plan.seconds >= SLEEPERS and number in (1, 2, 3):
            habits = ("vanish", "play") if number == 2 else ("sleep", "play")
            two[0].slow = True
        pairs.append(Pair(crowd, number, two, form, habits))
    return pairs


async def _first_failure(breaking: asyncio.Task[None], playing: list[asyncio.Task[None]]) -> None:
    """Wait for the last fault to be mended; whatever fails before is raised at once."""
    pending: set[asyncio.Task[None]] = {breaking, *playing}
    while not breaking.done():
        done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()


async def until(true: Callable[[], Awaitable[bool]], what: str, patience: float = PATIENCE) -> bool:
    """Ask again and again. ``False``: it did not become true in time."""
    deadline = time.monotonic() + patience
    while not await true():
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(0.2)
    return True


def _tables(place: Place) -> dict[str, dict[str, Any]]:
    """All tables as Redis holds them now."""
    found = {}
    for shard in keys.ALL:
        prefix = shard.prefix.decode() + "t:"
        for key in place.redis.ask("KEYS", prefix.replace("{", "\\{") + "*"):
            raw = place.redis.ask("HGET", key, "s")
            if raw is not None:
                found[key.removeprefix(prefix)] = msgspec.json.decode(raw)
    return found


async def _at_rest(place: Place) -> tuple[dict[str, int], dict[int, Uses], dict[int, Uses]]:
    """Outboxes that did not empty, and what processes took at first and take now."""
    waits: dict[str, int] = {}

    async def empty() -> bool:
        tables = await asyncio.to_thread(_tables, place)
        waits.clear()
        waits.update({id_: len(t["outbox"]) for id_, t in tables.items() if t["outbox"]})
        return not waits

    await until(empty, "outboxes")
    at_rest = {app.index: app.at_rest for app in place.apps if app.at_rest is not None}

    async def quiet() -> bool:
        return all(app.uses().files <= at_rest[app.index].files + SPARE for app in place.apps)

    await until(quiet, "files", 30)
    return dict(waits), at_rest, {app.index: app.uses() for app in place.apps}


async def _much_later(place: Place) -> frozenset[str]:
    """What Redis still holds when all that the site waits for is long past. Site time is moved
    on where the store keeps it, as if two days had gone by."""
    clock = keys.CLOCK.decode()

    async def closed() -> bool:
        tables = await asyncio.to_thread(_tables, place)
        return all(table["status"] == "closed" for table in tables.values())

    async def gone() -> bool:
        kept = place.redis.kept()
        return all("{site}" in key for key in kept)

    place.redis.ask("HINCRBY", clock, "site", 25 * HOUR)
    await until(closed, "tables", 30)
    place.redis.ask("HINCRBY", clock, "site", 2 * HOUR)
    await until(gone, "keys", 30)
    site = {clock, keys.PROCESSES.decode(), keys.LIVES.decode()}
    left = {key for key in place.redis.kept() if key not in site}
    alive = len(place.apps)
    for key, command in ((keys.PROCESSES, "ZCARD"), (keys.LIVES, "HLEN")):
        number = place.redis.ask(command, key)
        if number > alive:
            left.add(f"{key.decode()} knows {number} processes, {alive} live")
    return frozenset(left)


async def _stopped(place: Place) -> dict[int, list[int]]:
    """Stop every process in order. Their exit statuses, all through the run."""
    for app in place.apps:
        app.send(signal.SIGTERM)
    for app in place.apps:
        with suppress(TimeoutError):
            await app.ended()
    return {app.index: app.statuses for app in place.apps}
