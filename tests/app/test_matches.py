"""The page of a match that has ended a moment ago."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from app.web import matches
from app.web.forms import PageError

JUST = "0123456789abcdef01234567"


class Kept:
    """A history that keeps a match after so many looks."""

    def __init__(self, after: int) -> None:
        self.after = after
        self.looks = 0

    async def match(self, match: str) -> object | None:
        del match
        self.looks += 1
        return "kept" if self.looks > self.after else None


async def found(history: Kept, match: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(matches, "site_of", lambda _: SimpleNamespace(history=history))
    monkeypatch.setattr(matches, "LOOKS", (0.0,) * len(matches.LOOKS))
    request: Any = None
    return await matches._finished(request, match)


async def test_a_match_that_is_kept_in_a_moment_is_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever follows the link beside the result comes before the outbox at times."""
    history = Kept(after=3)
    assert await found(history, JUST, monkeypatch) == "kept"
    assert history.looks == 4


@pytest.mark.parametrize(("match", "looks"), [(JUST, 7), ("none", 1), (JUST.upper(), 1)])
async def test_what_is_no_match_is_not_waited_for_long(
    match: str, looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = Kept(after=100)
    with pytest.raises(PageError) as refused:
        await found(history, match, monkeypatch)
    assert (refused.value.status, history.looks) == (404, looks)
