"""Which fault comes when: made from a seed, the same for the same seed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Kind: TypeAlias = Literal[
    "app_kill",
    "app_hang",
    "roll",
    "all_kill",
    "all_hang",
    "redis_kill",
    "redis_hang",
    "redis_down",
    "postgres_kill",
    "postgres_stop",
    "postgres_hang",
]

WARM: Final = 5.0
"""Seconds of play before the first fault."""
OUTAGE: Final = (6.5, 9.0)
"""Longer than the five seconds after which the site itself calls it an outage (T9)."""
LENGTHS: Final[dict[Kind, tuple[float, float]]] = {
    "app_kill": (0.1, 2.0),
    "app_hang": (6.0, 8.0),
    "roll": (0.0, 0.5),
    "all_kill": OUTAGE,
    "all_hang": OUTAGE,
    "redis_kill": (0.0, 1.0),
    "redis_hang": (0.5, 3.5),
    "redis_down": OUTAGE,
    "postgres_kill": (0.5, 5.0),
    "postgres_stop": (0.5, 5.0),
    "postgres_hang": (3.5, 7.0),
}
ROWS: Final[tuple[tuple[tuple[Kind, ...], tuple[float, float]], ...]] = (
    (("app_kill", "app_hang", "all_kill", "roll", "all_hang"), (1.0, 5.0)),
    (("redis_kill", "redis_hang", "redis_down"), (5.0, 14.0)),
    (("postgres_hang", "postgres_kill", "postgres_stop"), (3.0, 9.0)),
)
"""Processes, Redis and Postgres break beside each other, at the same time as well; each with so
many seconds of peace between."""
OFTEN: Final[tuple[Kind, ...]] = ("app_kill", "app_kill", "redis_kill", "redis_hang")
"""Once each kind has come, these come more often."""


@dataclass(frozen=True, slots=True)
class Fault:
    """``at`` seconds after the start something breaks for ``lasts`` seconds. ``target``: which
    process, where it is one of them."""

    at: float
    kind: Kind
    target: int
    lasts: float

    def __str__(self) -> str:
        which = f" of process {self.target}" if self.kind.startswith("app_") else ""
        return f"{self.at:6.1f} s  {self.kind}{which} for {self.lasts:.1f} s"


def schedule(seed: int, seconds: float, processes: int) -> tuple[tuple[Fault, ...], ...]:
    """The faults of a run of so many seconds, row by row, in order. Where there is time each kind
    comes at least once."""
    rng = random.Random(f"faults/{seed}")
    return tuple(tuple(_row(rng, kinds, seconds, processes, gaps=gaps)) for kinds, gaps in ROWS)


def _row(
    rng: random.Random,
    kinds: tuple[Kind, ...],
    seconds: float,
    processes: int,
    *,
    gaps: tuple[float, float],
) -> list[Fault]:
    """Faults one after the other: all kinds in any order, then all again."""
    row: list[Fault] = []
    at, gap, bag = WARM + rng.uniform(0, gaps[0]), gaps[0], list[Kind]()
    lengths: dict[Kind, float] = {}
    while True:
        if not bag:
            more = [kind for kind in OFTEN if kind in kinds] if row else []
            bag = rng.sample([*kinds, *more], len(kinds) + len(more))
            lengths = {kind: rng.uniform(*LENGTHS[kind]) for kind in kinds}
            rest = seconds - at - sum(lengths[kind] for kind in bag)
            gap = min(max(rest / (len(bag) + 1), 0.5), sum(gaps) / 2)
        kind = bag.pop()
        lasts = lengths[kind]
        if at + lasts > seconds:
            return row
        row.append(Fault(at, kind, rng.randrange(processes), lasts))
        at += lasts + rng.uniform(gap * 0.7, gap * 1.3)
