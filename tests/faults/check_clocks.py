"""Nobody pays for the site's own downtime (T6–T9)."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from app.live.sitetime import GRACE_MS, HICCUP_MS, STALL_MS
from engine.game import Json
from tests.faults.evidence import Evidence
from tests.faults.journal import Frame
from tests.faults.timeline import Span

GRACE = GRACE_MS / 1000
STALL = STALL_MS / 1000
HICCUP = HICCUP_MS / 1000
SLACK = 2.5
"""Seconds that what the outside measures may lie beside the truth: frames take their time."""
ON_ITS_WAY = 1.0
"""Seconds after which no beat arrives any more that was sent before an outage."""


def fast_players_never_lose_on_time(evidence: Evidence) -> list[str]:
    """Who always moves at once loses no match on time or by absence, and no move to the server."""
    wrong = []
    for table, saves in evidence.by_table.items():
        for saved in saves:
            if not any(e.event["event"] in ("auto", "ended") for e in saved.events):
                continue
            state = saved.read()
            players = [x and x["player"] for x in state["seats"]]
            match = state["match"]["id"]
            for event in (each.event for each in saved.events):
                if event["event"] == "auto":
                    losers, what = [event["seat"]], "had a move played by the server"
                elif event["event"] == "ended" and event["reason"] in ("time", "left"):
                    losers = [s for s in range(len(players)) if s not in event["winners"]]
                    what = f"lost by {event['reason']}"
                    if any(e.event["event"] == "left" for e in saved.events):
                        continue  # pressed it
                else:
                    continue
                for seat in losers:
                    who = evidence.players[str(players[seat])]
                    if not who.slow:
                        wrong.append(f"match {match} at {table}: {who.id} {what}")
    return wrong


def site_time_stands_still_in_outages(evidence: Evidence) -> list[str]:
    """Between any two frames no more site time has passed than real time, less the outages
    between them and the ten seconds after each (T9)."""
    wrong = []
    outages = _standstills(evidence)
    ahead: float | None = None
    measured: list[tuple[Frame, float]] = []
    for frame in evidence.journal.frames:
        if frame.raw.startswith(('{"type":"cha', '{"type":"sna')):
            now = frame.read()["table"]["now"] / 1000
            # A frame that took long to come only seems to be behind.
            measured.append((frame, now - frame.at + _stood(outages, frame.at)))
    for frame, offset in measured:
        if ahead is not None and offset > ahead + SLACK:
            line = evidence.journal.lines[frame.line]
            ends = [end for _, end in evidence.timeline.outages if end < frame.at]
            since = frame.at - max(ends, default=frame.at)
            wrong.append(
                f"table {line.table}, line {line.id} of process {line.process}: site time is"
                f" {offset - ahead:.1f} s ahead, {since:.1f} s after an outage: {frame.raw[:60]}"
            )
        if ahead is None or frame.at < measured[0][0].at + 3:
            ahead = offset if ahead is None else max(ahead, offset)
    return wrong


def only_time_used_is_charged(evidence: Evidence) -> list[str]:
    """What a move took off a reserve, and what a player lost on time, they had really used up:
    real time on the move, less the outages (T6–T9)."""
    wrong = []
    outages = _standstills(evidence)
    seen = _first_seen(evidence)
    for charge in _charges(evidence):
        began = _when(seen, charge.table, charge.began)
        ended = _when(seen, charge.table, charge.ended)
        if began is None or ended is None:
            continue  # nobody was there to see it
        used = ended - began - (_stood(outages, ended) - _stood(outages, began))
        if used + SLACK < charge.seconds:
            wrong.append(
                f"table {charge.table}, seat {charge.seat}: {charge.what} {charge.seconds:.1f} s"
                f" of a move that took {used:.1f} s (events {charge.began} to {charge.ended})"
            )
    return wrong


class Charge(NamedTuple):
    """Between two events a seat was charged so many seconds on the move."""

    table: str
    seat: int
    began: int
    ended: int
    seconds: float
    what: str


def _charges(evidence: Evidence) -> Iterator[Charge]:
    for table, saves in evidence.by_table.items():
        began: dict[tuple[str, int, int], int] = {}
        before: Json | None = None
        for saved in saves:
            after = saved.read()
            match = after["match"]
            if match is None:
                before = after
                continue
            for seat, clock in enumerate(match["clocks"]):
                if clock[2] is not None:
                    began.setdefault((match["id"], seat, clock[2]), saved.number)
            if before is not None and before["match"] is not None:
                old = before["match"]
                if old["id"] == match["id"] and old["ended"] is None:
                    yield from _charged(table, before, after, saved.number, began)
            before = after


def _charged(
    table: str,
    before: Json,
    after: Json,
    number: int,
    began: dict[tuple[str, int, int], int],
) -> Iterator[Charge]:
    old, new = before["match"], after["match"]
    move = before["clock"]["move_ms"]
    for seat, clock in enumerate(old["clocks"]):
        if clock[2] is None:
            continue
        since = began[(old["id"], seat, clock[2])]
        now = new["clocks"][seat]
        reserve, left = clock[0], now[0]
        if now[4] > clock[4]:
            yield Charge(table, seat, since, number, (move + reserve) / 1000, "lost")
        elif new["ended"] is not None and new["ended"]["reason"] in ("time", "left"):
            if seat not in new["ended"]["winners"] and seat not in after["left"]:
                yield Charge(table, seat, since, number, (move + reserve) / 1000, "lost")
        elif left < reserve:
            yield Charge(table, seat, since, number, (move + reserve - left) / 1000, "was charged")


def _standstills(evidence: Evidence) -> list[Span]:
    """When site time has to stand still, at least: in every outage, but for what passes between
    two beats at most, and ten seconds after one that is long enough for everybody to be told.
    An outage ends with the first beat of a process; it takes a moment more until that serves."""
    found = []
    for start, end in evidence.timeline.outages:
        i = bisect_left(evidence.beats, start + ON_ITS_WAY)
        first = min(evidence.beats[i], end) if i < len(evidence.beats) else end
        if first - start >= STALL:
            found.append((start, first + GRACE))
        elif first - start > HICCUP:
            found.append((start + HICCUP, first))
    return found


def _stood(standstills: list[Span], at: float) -> float:
    """How long site time has stood still by then, at least."""
    stood, until = 0.0, 0.0
    for start, end in standstills:
        begin = max(start, until)
        until = max(until, end)
        if at > begin:
            stood += max(0.0, min(at, until) - begin)
    return stood


def _first_seen(evidence: Evidence) -> dict[str, tuple[list[int], list[float]]]:
    """By table: numbers, growing, and when anybody first had each."""
    seen: dict[str, dict[int, float]] = defaultdict(dict)
    for frame in evidence.journal.frames:
        if frame.raw.startswith(('{"type":"cha', '{"type":"sna')):
            table = evidence.journal.lines[frame.line].table
            seen[table].setdefault(frame.read()["number"], frame.at)
    made = {}
    for table, numbers in seen.items():
        ordered = sorted(numbers)
        times = [numbers[n] for n in ordered]
        for i in range(len(times) - 2, -1, -1):  # who has a later number has had this one
            times[i] = min(times[i], times[i + 1])
        made[table] = (ordered, times)
    return made


def _when(seen: dict[str, tuple[list[int], list[float]]], table: str, number: int) -> float | None:
    """When anybody first had an event of a table."""
    numbers, times = seen.get(table, ([], []))
    i = bisect_left(numbers, number)
    return times[i] if i < len(times) else None
