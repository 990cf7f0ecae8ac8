"""What a run says when it is over."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from tests.faults.evidence import Evidence
from tests.faults.schedule import Fault

SHOWN = 8
"""Complaints of one check that are shown, and frames of whom they are about."""


def schedule_of(rows: Sequence[Sequence[Fault]]) -> str:
    faults = sorted((fault for row in rows for fault in row), key=lambda fault: fault.at)
    return "\n".join(map(str, faults))


def counters(evidence: Evidence) -> str:
    """What happened, in figures."""
    counts = Counter(evidence.journal.counts)
    counts["frames"] = len(evidence.journal.frames)
    counts["saves"] = len(evidence.saves)
    counts["matches begun"] = len(evidence.begun)
    for row in evidence.books.matches.values():
        counts[f"matches ended: {row['reason']}"] += 1
    for row in evidence.books.escrow.values():
        counts[f"stakes {row['state']}"] += 1
    for row in evidence.books.voids.values():
        counts[f"handshakes void: {row['cause']}"] += 1
    for events in evidence.events.values():
        counts["moves of the server"] += sum(e.event["event"] == "auto" for e in events.values())
    counts["outages"] = len(evidence.timeline.outages)
    lengths = ", ".join(f"{b - a:.1f}" for a, b in evidence.timeline.outages)
    lines = [f"  {counts[key]:8}  {key}" for key in sorted(counts) if counts[key]]
    return "\n".join(["counted:", *lines, f"outages lasted {lengths or 'none'} s"])


def failure(evidence: Evidence, check: str, complaints: Sequence[str]) -> str:
    """Complaints, with the seed, what was broken when, and the last frames of whom they name."""
    said = [f"seed {evidence.seed}, {check}:", *(f"  - {each}" for each in complaints[:SHOWN])]
    if len(complaints) > SHOWN:
        said.append(f"  and {len(complaints) - SHOWN} more")
    began = min((line.opened for line in evidence.journal.lines.values()), default=0.0)
    said += [f"  {at - began:6.1f} s: {fault}" for at, fault in evidence.done]
    for name in _named(evidence, " ".join(complaints[:SHOWN])):
        said.append(f"  the last frames at {name}:")
        lines = {line.id for line in evidence.journal.lines.values() if line.table == name}
        frames = [frame for frame in evidence.journal.frames if frame.line in lines]
        said += [
            f"    {frame.at - began:6.1f} s line {frame.line}"
            f" ({evidence.journal.lines[frame.line].player}): {frame.raw[:600]}"
            for frame in frames[-SHOWN:]
        ]
    return "\n".join(said)


def _named(evidence: Evidence, text: str) -> list[str]:
    """The tables of the first things that complaints name."""
    words = re.findall(r"[\w-]{12,}", text)
    tables = [evidence.begun.get(word, word) for word in words]
    return list(dict.fromkeys(t for t in tables if t in evidence.by_table))[:2]
