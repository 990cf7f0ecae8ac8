"""Who sits on a seat: name, live connections, and the last commands that counted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

ANSWERS: Final = 8
"""So many of a player's last saved commands are remembered. A client has few unanswered ones, and
an older game action is refused as stale by its ply."""
MARKS: Final = 16
"""So many connections of a seat are counted, as many as a player may have; one more would replace
the oldest."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A saved command: its id and the number of the last event it led to (T10)."""

    id: str
    number: int


@dataclass(frozen=True, slots=True)
class Sitter:
    """``marks`` are the seat's live connections, each ``PROCESS.NUMBER`` and never used twice: an
    old connection's late end takes nothing from a new one. ``absent_at``: since when there is
    none; ``None``: present (T8: any live connection counts). ``bot``: the level of a computer
    player, ``None``: a person."""

    player: str
    name: str
    absent_at: int | None
    marks: tuple[str, ...] = ()
    answers: tuple[Answered, ...] = ()
    bot: str | None = None

    @property
    def present(self) -> bool:
        """Whether any connection lives; a computer player needs none."""
        return self.bot is not None or bool(self.marks)

    def answered(self, command_id: str) -> Answered | None:
        """The first answer to a command id, if it was saved."""
        return next((each for each in self.answers if each.id == command_id), None)

    def remember(self, command_id: str, number: int) -> Sitter:
        """The same sitter with one more answer; the oldest beyond :data:`ANSWERS` is forgotten."""
        answers = (*self.answers, Answered(command_id, number))[-ANSWERS:]
        return replace(self, answers=answers)

    def with_mark(self, mark: str) -> Sitter:
        """One connection more."""
        kept = tuple(each for each in self.marks if each != mark)
        return replace(self, marks=(*kept, mark)[-MARKS:], absent_at=None)

    def without_marks(self, gone: frozenset[str], now: int) -> Sitter:
        """Without some connections; absent since ``now`` if none is left."""
        kept = tuple(each for each in self.marks if each not in gone)
        left = now if self.marks and not kept else self.absent_at
        return replace(self, marks=kept, absent_at=left)
