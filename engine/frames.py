"""A finished match as the boards show it again: one frame for everything that moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from engine.game import Game, Json, Seat, Unreadable, Viewer
from engine.record import Record
from engine.walk import Beat, Walk

From: TypeAlias = Viewer | Literal["above"]
"""From which side a match is watched: a seat's, or from above, which ``None`` is too."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A moment of a match that is over.

    ``hand`` counts from 1 and ``n`` from 1 the lines of that hand; 0 is what chance gave before
    the first. A line can be several frames: a roll and every checker are one each. ``seat`` and
    ``line`` say who played and what, as recorded (both ``None`` where chance did). ``events`` are
    what led here, whomever they were for. ``view`` is the game's ``open_view`` of this moment.
    """

    hand: int
    n: int
    seat: Seat | None
    line: str | None
    events: tuple[Json, ...]
    view: Json
    score: tuple[int, ...]

    def to_json(self) -> Json:
        """The fields by name."""
        return {
            "hand": self.hand,
            "n": self.n,
            "seat": self.seat,
            "line": self.line,
            "events": list(self.events),
            "view": self.view,
            "score": list(self.score),
        }


def frames(record: Record, viewer: From) -> Iterator[Frame]:
    """The frames of a record in order. A match that did not end by points ends where its lines
    end.

    All that was hidden lies open in them. So a record without an ``end``, of a match that may be
    under way, raises :class:`Unreadable`, at once; ``ValueError`` a seat that there is not. What
    the rules refuse raises :class:`~engine.walk.Refused` after the frames before it.
    """
    if record.end is None:
        raise Unreadable("end: missing: what is hidden in a match under way is not shown")
    seat: Viewer = None if viewer == "above" else viewer
    if seat is not None and seat not in range(record.game.seats(record.options)):
        raise ValueError(f"no such seat: {seat}")
    return (frame_of(record.game, beat, seat) for beat in Walk(record))


def frame_of(game: Game[Any, Any], beat: Beat, viewer: Viewer) -> Frame:
    """A beat as the boards show it."""
    return Frame(
        beat.hand,
        beat.n,
        beat.seat,
        beat.line,
        tuple([game.event_to_json(event) for event in beat.events]),
        game.open_view(beat.state, viewer),
        game.score(beat.state),
    )
