"""What everybody is told of a match that is over, move by move (T14): all that was hidden lies
open, and nothing says who played but the seats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from engine.frames import Frame, From, frames
from engine.game import Json, Seat
from engine.record import Record


@dataclass(frozen=True, slots=True)
class HandLine:
    """One hand of a match in short: how it ended (``None``: the match ended before it did), for
    whom (``None``: for nobody), with how many points, the score after it, and how many frames a
    replay has of it."""

    number: int
    end: str | None
    winner: Seat | None
    points: int
    score: tuple[int, ...]
    frames: int


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand as a replay shows it: its line, and its frames as ``docs/protocol.md`` has them."""

    line: HandLine
    frames: list[Json]


def hands(record: Record, viewer: From) -> Iterator[Hand]:
    """The hands of a record in order, seen from a side.

    Raises at once what :func:`engine.frames.frames` does for a record without an ``end`` (that is
    never shown) and for a seat that there is not; :class:`~engine.walk.Refused` on the way.
    """
    shown = frames(record, viewer)
    return (_hand(record, list(group)) for _, group in groupby(shown, lambda frame: frame.hand))


def _hand(record: Record, shown: list[Frame]) -> Hand:
    number = shown[0].hand
    auto = frozenset(record.hands[number - 1].get("auto", ()))
    told = [{**frame.to_json(), "auto": frame.n - 1 in auto} for frame in shown]
    last = shown[-1]
    end = next((event for event in last.events if event["event"] == "hand_ended"), None)
    if end is None:
        line = HandLine(number, None, None, 0, last.score, len(shown))
    else:
        line = HandLine(number, end["end"], end["winner"], end["points"], last.score, len(shown))
    return Hand(line, told)
