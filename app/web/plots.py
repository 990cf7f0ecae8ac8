"""Small plots as the parts of a drawing: values go in, places in a box come out. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Final

FARTHEST: Final = 3.0
"""Standard deviations at either end of a scale; what strays further stands at the end."""
_FILLED: Final = 0.7
"""The part of its place that a column takes."""


@dataclass(frozen=True, slots=True)
class Box:
    """Where a plot is drawn, in the units of its drawing; y grows downwards."""

    x: float
    y: float
    width: float
    height: float

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def right(self) -> float:
        return self.x + self.width


@dataclass(frozen=True, slots=True)
class Column:
    """A value as a rectangle on the bottom of its box, and ``part`` of its height from there."""

    x: float
    y: float
    width: float
    height: float
    part: float

    @property
    def middle(self) -> float:
        return _place(self.x + self.width / 2)

    @property
    def part_y(self) -> float:
        return _place(self.y + self.height - self.part)


def columns(values: Sequence[tuple[float, float]], box: Box) -> list[Column]:
    """Wholes and parts of them, none below 0, side by side from the left: the highest whole as high
    as the box."""
    if not values:
        return []
    room = box.width / len(values)
    highest = max(whole for whole, _ in values)
    found = []
    for number, (whole, part) in enumerate(values):
        height = box.height * _ratio(whole, highest)
        x = box.x + room * (number + (1 - _FILLED) / 2)
        filled = height * _ratio(part, whole)
        found.append(
            Column(
                _place(x),
                _place(box.bottom - height),
                _place(room * _FILLED),
                _place(height),
                _place(filled),
            )
        )
    return found


def line(values: Sequence[float], box: Box) -> list[tuple[float, float]]:
    """Values one after the other from left to right, the highest at the top of the box and the
    lowest at its bottom; those that are all the same in the middle."""
    if not values:
        return []
    low, high = min(values), max(values)
    # Halved: no difference of two numbers that there are is too large then.
    span = high / 2 - low / 2
    step = box.width / (len(values) - 1) if len(values) > 1 else 0.0
    first = box.x if len(values) > 1 else box.x + box.width / 2
    return [
        (
            _place(first + number * step),
            _place(box.bottom - box.height * _part(value / 2 - low / 2, span)),
        )
        for number, value in enumerate(values)
    ]


def path(places: Sequence[tuple[float, float]]) -> str:
    """Places as a polyline's ``points``."""
    return " ".join(f"{x:g},{y:g}" for x, y in places)


def filled(share: float, box: Box) -> float:
    """How wide a box is filled for a share of 0 to 1."""
    return _place(box.width * min(1.0, max(0.0, share)))


def on_scale(strays: float, box: Box) -> float:
    """Where on a scale across the box so many standard deviations stand; 0 is in the middle."""
    held = min(FARTHEST, max(-FARTHEST, strays))
    return _place(box.x + box.width * (held + FARTHEST) / (2 * FARTHEST))


def _part(value: float, span: float) -> float:
    return _ratio(value, span) if span > 0 else 0.5


def _ratio(value: float, whole: float) -> float:
    ratio = value / whole if whole > 0 else 0.0
    return min(1.0, max(0.0, ratio)) if isfinite(ratio) else 0.0


def _place(value: float) -> float:
    """Drawn to a hundredth: more would only make the page longer."""
    return round(value, 2)
