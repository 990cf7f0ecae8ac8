"""The figures of this process, for Prometheus: what ``GET /metrics`` answers.

One process, one registry. No label holds anything of a player, a table or an address: all have
values from a small set that is known beforehand. Rooms count here as they work; children with
labels are made once, so that counting takes a few microseconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Final, Literal, TypeAlias

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

Outcome: TypeAlias = Literal["accepted", "refused", "contested", "failed"]
SaveOutcome: TypeAlias = Literal["saved", "conflict", "unknown", "failed"]
Place: TypeAlias = Literal["table", "lobby", "quick"]

REGISTRY: Final = CollectorRegistry()
ProcessCollector(registry=REGISTRY)  # CPU, memory, open files: nothing of what is kept in them

_SECONDS: Final = (
    *(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5),
    *(1.0, 2.0, 5.0, 10.0),
)
_LATE: Final = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0)


def _histogram(name: str, what: str, labels: tuple[str, ...] = ()) -> Histogram:
    return Histogram(name, what, labels, registry=REGISTRY, buckets=_SECONDS)


def _counter(name: str, what: str, labels: tuple[str, ...] = ()) -> Counter:
    return Counter(name, what, labels, registry=REGISTRY)


def _gauge(name: str, what: str, labels: tuple[str, ...] = ()) -> Gauge:
    return Gauge(name, what, labels, registry=REGISTRY)


# Commands and saves.
COMMANDS: Final = _histogram(
    "ezo_command_seconds",
    "From a command's coming to its answer, saved and told.",
    ("kind", "outcome"),
)
_saves: Final = _counter("ezo_saves", "Tries to save a table.", ("outcome",))
SAVES: Final[dict[SaveOutcome, Counter]] = {
    outcome: _saves.labels(outcome) for outcome in ("saved", "conflict", "unknown", "failed")
}
_changes: Final = _counter(
    "ezo_table_states",
    "Tables that came to a state, counted by whoever saved it; gone: forgotten.",
    ("state",),
)
_STATES: Final = ("open", "funding", "handshake", "running", "ended", "closed", "gone")
STATES: Final[dict[str, Counter]] = {state: _changes.labels(state) for state in _STATES}
TABLES: Final = _gauge(
    "ezo_tables",
    "Tables of the whole site by state, as last counted; unseen: 1 if more.",
    ("state",),
)

# Viewers.
_connections: Final = _gauge("ezo_connections", "Open sockets.", ("place",))
CONNECTIONS: Final[dict[Place, Gauge]] = {
    "table": _connections.labels("table"),
    "lobby": _connections.labels("lobby"),
    "quick": _connections.labels("quick"),
}
CLOSED: Final = _counter("ezo_sockets_closed", "Sockets that were closed by us.", ("reason",))
FANOUT: Final = _histogram(
    "ezo_fanout_seconds",
    "From a change being handed on in this process to its frame being written to a viewer.",
)
RELAY: Final = _histogram(
    "ezo_relay_seconds",
    "From a decision in another process to its change being offered to viewers here, in site time.",
)
MISSED: Final = _counter(
    "ezo_channel_gaps", "Times that something others told may have been missed."
)
CAUGHT_UP: Final = _counter("ezo_catch_ups", "Tables whose viewers lacked something.")
WATCHED: Final = _gauge("ezo_tables_watched", "Tables with viewers in this process.")

# Quick match.
SEEKERS: Final = _gauge("ezo_seekers", "Who seeks an opponent, in this process.")
QUICK: Final = _counter("ezo_quick_tables", "Tables that were made for who sought an opponent.")

# Computer players.
THOUGHT: Final = _histogram(
    "ezo_bot_seconds", "From a computer player being asked to its answer.", ("level",)
)
UNANSWERED: Final = _counter(
    "ezo_bot_unanswered", "Times that a computer player did not answer.", ("level",)
)

# What falls due.
DUE: Final = Histogram(
    "ezo_due_lag_seconds",
    "How late a due table was seen to, in site time.",
    registry=REGISTRY,
    buckets=_LATE,
)
STUCK: Final = _gauge("ezo_tables_stuck", "Due tables that failed again and again, of the site.")
OUTBOX: Final = _counter(
    "ezo_outbox", "Tries to carry out what goes out from tables.", ("kind", "outcome")
)
OUTBOX_OLDEST: Final = _gauge(
    "ezo_outbox_oldest_seconds",
    "Age of the oldest entry that this process tried to carry out and could not.",
)
OUTBOX_WAITING: Final = _gauge(
    "ezo_outbox_waiting", "Entries that this process tried to carry out and could not."
)

# The process.
LOOP: Final = _histogram("ezo_loop_lag_seconds", "How late the event loop gets to what is to do.")
READY: Final = _gauge("ezo_ready", "Whether this process wants players: 1, degraded too.")
UP: Final = _gauge("ezo_up", "Whether what this process stands on is there.", ("part",))
TOO_OFTEN: Final = _counter("ezo_rate_limited", "What was refused for its rate.", ("kind",))
FAULTS: Final = _counter("ezo_page_faults", "Errors that pages have told of.")
LOGGED: Final = _counter("ezo_log_lines", "Lines that were logged.", ("level",))
REQUESTS: Final = _counter("ezo_requests", "Pages that were asked for.", ("status",))

_commands: dict[tuple[str, Outcome], Histogram] = {}


class Timed:
    """How a command went, as far as is known."""

    __slots__ = ("outcome",)

    def __init__(self) -> None:
        self.outcome: Outcome = "failed"


@contextmanager
def commanding(kind: str) -> Iterator[Timed]:
    """Time a command; whoever carries it out says how it went."""
    timed, began = Timed(), perf_counter()
    try:
        yield timed
    finally:
        key = (kind, timed.outcome)
        child = _commands.get(key)
        if child is None:
            child = _commands[key] = COMMANDS.labels(kind.lower(), timed.outcome)
        child.observe(perf_counter() - began)
