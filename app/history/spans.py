"""Sums by spans of time, in one query of any database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, case, literal

SPAN: Final = "span"
"""What to group by."""


def span(at: ColumnElement[int], starts: Sequence[int]) -> ColumnElement[Any]:
    """The number of the first of ``starts``, the latest first, that a moment is not before."""
    whens = [(at >= start, literal(number)) for number, start in enumerate(starts)]
    return case(*whens, else_=literal(len(starts))).label(SPAN)
