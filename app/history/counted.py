"""What is counted in a match's record, once and for all: by seat, and what chance gave."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass

from engine.figures import figures
from engine.game import Json
from engine.given import Counts, given
from engine.record import Record, read

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Counted:
    """A record's figures by seat, and what chance gave in it by table and key."""

    figures: tuple[Mapping[str, int], ...]
    given: Counts


class Counter:
    """Counts records in a thread, one at a time: it is work for the processor, and the tables need
    that too."""

    def __init__(self) -> None:
        self._turns = asyncio.Semaphore(1)

    async def count(self, match: str, record: Json) -> Counted | None:
        """What a match counts; ``None``: the engine refuses its record, and the log says so."""
        async with self._turns:
            return await asyncio.to_thread(_counted, match, record)


def _counted(match: str, record: Json) -> Counted | None:
    try:
        it = read(record)
        return Counted(_figures(it), given(it))
    # Whatever is wrong with it, it is kept all the same: for whoever will find out.
    except Exception as error:  # noqa: BLE001
        log.warning("match %s cannot be counted: %s", match, type(error).__name__)
        return None


def _figures(record: Record) -> tuple[dict[str, int], ...]:
    """None of a void match: nobody has played it to an end (T5)."""
    void = record.end is None or record.end.reason == "void"
    return () if void else figures(record)
