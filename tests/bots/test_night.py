"""A night between computer players: nothing illegal, nothing late. The whole of it is
``python -m benchmarks.bots.night``; this is an hour."""

from __future__ import annotations

from typing import Any

import pytest

from app.bots import asked
from benchmarks.bots import night
from engine.game import Json


def test_an_hour_of_matches_has_no_illegal_and_no_late_move() -> None:
    played = night.night(1, seed=1, wanted=("easy", "medium"))
    assert (played.illegal, played.late) == (0, 0)
    assert len(played.matches) == 8, "every level has met every level"
    assert played.ms >= night.HOUR_MS


def test_what_is_late_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]

    def slow(told: Any) -> Json:
        clock[0] += 6.0 if told.view["game"] == "domino" else 0.0
        return asked.answer(told)

    monkeypatch.setattr(night, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(night, "answer", slow)
    assert night.night(0.01, seed=2, wanted=("easy",)).late > 0


def test_what_is_illegal_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(night, "answer", lambda _: {"action": "draw"})
    assert night.night(0.01, seed=3, wanted=("easy",)).illegal > 0
