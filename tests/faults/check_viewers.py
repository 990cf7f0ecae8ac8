"""What viewers were told: the same numbered sequence for all, without holes or doubles, and never
anything they may not know."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from tests.faults.evidence import Evidence
from tests.faults.journal import Page

FAULTS = ("1011 fault", "1008 malformed", "1008 protocol", "1013 too many")
"""How no line of a player may end."""
CUT_OFF = 30.0
"""Seconds in which a rolling restart has come to the last process."""


def events_come_once_and_in_order(evidence: Evidence) -> list[str]:
    """On every line each event comes once, after the one before it, as it stands in the log."""
    wrong: list[str] = []
    at: dict[int, int] = {}
    for frame in evidence.journal.frames:
        if not frame.raw.startswith(('{"type":"cha', '{"type":"sna')):
            continue
        line = evidence.journal.lines[frame.line]
        told = frame.read()
        where = f"table {line.table}, line {line.id}"
        log = evidence.events.get(line.table, {})
        if told["number"] not in log:
            wrong.append(f"{where}: number {told['number']} was told and is not saved")
            continue
        if told["type"] == "snapshot":
            if told["number"] < at.get(line.id, line.seen or 0):
                wrong.append(f"{where}: a snapshot goes back to {told['number']}")
            at[line.id] = told["number"]
            continue
        first = at.get(line.id, line.seen or 0) + 1
        numbers = [event["number"] for event in told["events"]]
        if numbers != list(range(first, told["number"] + 1)):
            wrong.append(f"{where}: after {first - 1} came {numbers}, said to be {told['number']}")
        at[line.id] = told["number"]
        for event in told["events"]:
            kept = log.get(event["number"])
            if kept is None or kept.told(told["table"]["you"]) != event:
                wrong.append(f"{where}: told {event}, saved is {kept}")
    return wrong


def logs_have_no_holes(evidence: Evidence) -> list[str]:
    """Each table's saves follow each other, and so do its events."""
    wrong = []
    for table, saves in evidence.by_table.items():
        versions = [saved.version for saved in saves]
        if versions != list(range(1, len(saves) + 1)):
            wrong.append(f"table {table}: versions {versions}")
        numbers = [event.number for saved in saves for event in saved.events]
        if numbers != list(range(1, len(numbers) + 1)):
            wrong.append(f"table {table}: events {numbers}")
    return wrong


def viewers_see_their_own_seat(evidence: Evidence) -> list[str]:
    """``you`` is the seat of the line's player, and watchers have none."""
    wrong = []
    seats: dict[str, dict[int, set[Any]]] = defaultdict(lambda: defaultdict(set))
    for table, saves in evidence.by_table.items():
        for saved in saves:
            players = tuple(x and x["player"] for x in saved.read()["seats"])
            seats[table][saved.number].add(players)
    for frame in evidence.journal.frames:
        if not frame.raw.startswith(('{"type":"cha', '{"type":"sna')):
            continue
        line, told = evidence.journal.lines[frame.line], frame.read()
        you = told["table"]["you"]
        may = {
            players.index(line.player) if line.player in players and line.player else None
            for players in seats[line.table][told["number"]]
        }
        if you not in may:
            wrong.append(f"table {line.table}, line {line.id}: seat {you} instead of {may}")
    return wrong


def nothing_odd_happened(evidence: Evidence) -> list[str]:
    """No refusal and no answer that no player should ever meet."""
    wrong = list(evidence.journal.odd)
    wrong += [
        f"line {frame.line}: {frame.raw[:200]}"
        for frame in evidence.journal.frames
        if frame.raw.startswith('{"type":"error"') and '"unknown_table"' not in frame.raw
    ]
    wrong += [
        f"{page.path}: status {page.status}"
        for page in evidence.journal.pages
        if _odd(page, evidence)
    ]
    for line in evidence.journal.lines.values():
        # Who could not be brought up to date after an outage is let go as too slow.
        if line.ended.startswith(
            ("1011 fault", "1008 malformed", "1008 protocol", "1013 too many")
        ):
            wrong.append(f"table {line.table}, line {line.id} ended with {line.ended}")
    return wrong


def _odd(page: Page, evidence: Evidence) -> bool:
    if page.status == 500:
        # What waits for a Postgres that hangs is cut off when its process is to stop.
        rolls = [at for at, fault in evidence.done if fault.kind == "roll"]
        return not any(at < page.at < at + CUT_OFF for at in rolls)
    return page.status >= 400 and page.status not in (404, 409, 503)


def play_goes_on_without_postgres(evidence: Evidence) -> list[str]:
    """While only Postgres is away, moves are accepted as always."""
    wrong = []
    times = [frame.at for frame in evidence.journal.frames if frame.raw.startswith('{"type":"acc')]
    for start, end in evidence.timeline.without_postgres:
        if end - start < 3:
            continue
        if not any(start + 0.5 < at < end for at in times):
            wrong.append(f"nothing was accepted in {end - start:.1f} s without Postgres")
    return wrong
