"""Seats, processes, and what is left behind."""

from __future__ import annotations

import json
import re
from collections import defaultdict

from tests.faults.evidence import Evidence

MOST = 400 * 1024 * 1024
"""Bytes that a process may take when all have gone."""
EXPECTED = re.compile(
    r'"(the site cannot be opened: Redis (at|did) '
    r"|Application startup failed"
    r"|Cancel \d+ running task\(s\), timeout graceful shutdown exceeded"
    r"|Exception in ASGI application.*CancelledError"
    r"|Exception (closing|terminating) connection <AdaptedConnection )"
)
"""What a process says that is started while Redis is away, and ends; one that is to stop while a
request waits for a Postgres that hangs; and the database's driver about one that is gone."""
MORE_FILES, MORE_THREADS = 30, 8


def nobody_plays_twice(evidence: Evidence) -> list[str]:
    """One running match a player at any moment of the site, one seat a player and table (T16)."""
    wrong = []
    plays: dict[str, dict[str, str]] = defaultdict(dict)
    for saved in evidence.saves:
        state = saved.read()
        players = [x["player"] for x in state["seats"] if x is not None]
        if len(set(players)) != len(players):
            wrong.append(f"table {saved.table}, version {saved.version}: two seats for one player")
        running = state["status"] == "running"
        for player in list(plays):
            if saved.table in plays[player] and not (running and player in players):
                del plays[player][saved.table]
        for player in players if running else ():
            plays[player][saved.table] = state["match"]["id"]
            if len(plays[player]) > 1:
                wrong.append(f"{player} plays at once: {plays[player]}")
    return wrong


def other_seats_are_freed(evidence: Evidence) -> list[str]:
    """When a match starts, its players wait nowhere else any more (T16): once that is carried
    out, and while the match runs."""
    wrong = []
    waits: dict[str, set[str]] = defaultdict(set)
    owed: dict[tuple[str, int], dict[str, set[str]]] = {}
    for saved in evidence.saves:
        state, table = saved.read(), saved.table
        players = {x["player"] for x in state["seats"] if x is not None}
        for player, tables in waits.items():
            if player not in players or state["status"] not in ("open", "funding", "handshake"):
                tables.discard(table)
        if state["status"] in ("open", "funding", "handshake"):
            for player in players:
                waits[player].add(table)
        entries = {e["id"]: e for e in state["outbox"] if e["kind"] == "playing"}
        for id_, entry in entries.items():
            others = {p: set(waits[p]) - {table} for p in entry["payload"]["players"]}
            owed.setdefault((table, id_), others)
        for at, id_ in [key for key in owed if key[0] == table and key[1] not in entries]:
            others = owed.pop((at, id_))
            if state["status"] != "running":
                continue
            for player, tables in others.items():
                left = tables & waits[player]
                if left:
                    wrong.append(f"{player} plays at {table} and still waits at {sorted(left)}")
    return wrong


def processes_complain_of_nothing_else(evidence: Evidence) -> list[str]:
    """No trace of a fault in any log: only that what was broken is away."""
    wrong = []
    for name, text in evidence.logs.items():
        wrong += [
            f"{name}: {line[:1500]}"
            for line in text.splitlines()
            if "Traceback" in line or "ALARM" in line or _level(line) in ("error", "critical")
            if not EXPECTED.search(line)
        ]
    return wrong


def _level(line: str) -> str:
    """How grave a line of a log is, as it says itself."""
    try:
        said = json.loads(line)
    except ValueError:
        return next((w for w in ("error", "critical") if f" {w.upper()} " in f" {line} "), "")
    return str(said.get("level", "")).lower() if isinstance(said, dict) else ""


def processes_take_no_more(evidence: Evidence) -> list[str]:
    """When all have gone: open files and threads as at the start, and not too much memory."""
    wrong = []
    for index, uses in evidence.rest.at_end.items():
        before = evidence.rest.at_rest[index]
        if uses.files > before.files + MORE_FILES or uses.threads > before.threads + MORE_THREADS:
            wrong.append(f"process {index} began with {before} and ended with {uses}")
        if uses.memory > MOST:
            wrong.append(f"process {index} takes {uses.memory >> 20} MB")
    for index, statuses in evidence.rest.statuses.items():
        bad = [status for status in statuses if status not in (0, -9, -15)]
        if bad:
            wrong.append(f"process {index} ended with {bad}")
    return wrong


def nothing_is_left_behind(evidence: Evidence) -> list[str]:
    """Outboxes are empty, and when everything has expired Redis holds no key of any table."""
    wrong = [f"table {t}: {n} entries wait" for t, n in evidence.rest.outboxes.items()]
    wrong += [f"Redis still holds {key}" for key in sorted(evidence.rest.kept)]
    if evidence.books.locks:
        wrong.append(f"Postgres still holds {evidence.books.locks} locks")
    return wrong
