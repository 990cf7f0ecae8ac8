"""Changing frozen values the quick way gives what the plain way gives."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.table.changed import changed
from app.table.clock import SeatClock
from app.table.handle import handle
from app.table.seat import Sitter
from engine import games
from tests.app.tables import create


def test_it_gives_what_replace_gives_and_leaves_the_value_as_it_was() -> None:
    table = handle(None, create(games.game("nardi", "short"), "nino", "t1"), 5).table
    assert table is not None
    for value, fields in (
        (table, {"number": 7, "wins": (1, 0)}),
        (table, {}),
        (SeatClock(5, 6), {"since": 3}),
        (Sitter("nino", "Nino", 4), {"marks": ("p.1",), "absent_at": None}),
    ):
        before = replace(value)
        after = changed(value, **fields)
        assert after == replace(value, **fields)
        assert type(after) is type(value)
        assert value == before
        assert after is not value


def test_a_field_that_there_is_not_is_a_fault() -> None:
    with pytest.raises(KeyError):
        changed(SeatClock(5, 6), sence=3)
