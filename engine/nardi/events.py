"""What happens in a nardi match. Nothing is hidden but the future: everybody may know of all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from engine.game import Reason, Seat

End: TypeAlias = Literal["oini", "marsi", "koksi"]
"""How a hand ends (N17)."""
ENDS: tuple[End, ...] = get_args(End)

Pair: TypeAlias = tuple[int, int]
"""Two dice, or two scores by seat."""


class _Public:
    __slots__ = ()

    @property
    def audience(self) -> None:
        """Everybody."""
        return


@dataclass(frozen=True, slots=True)
class OpeningRolled(_Public):
    """One die each, seat 0's first; ``number`` counts the rolls of this hand from 0 (N3)."""

    hand: int
    number: int
    dice: Pair


@dataclass(frozen=True, slots=True)
class HandStarted(_Public):
    """The higher die of the opening starts, with those two dice, larger first (N3)."""

    hand: int
    seat: Seat
    dice: Pair


@dataclass(frozen=True, slots=True)
class Rolled(_Public):
    """The server rolled for a seat (N9); larger die first."""

    seat: Seat
    dice: Pair


@dataclass(frozen=True, slots=True)
class Moved(_Public):
    """One checker went from ``source`` (25: the bar) to ``target`` (0: off), in the seat's own
    numbering, and killed or not (N10)."""

    seat: Seat
    source: int
    target: int
    die: int
    kill: bool


@dataclass(frozen=True, slots=True)
class TakenBack(_Public):
    """The same step undone (N23): the checker is back on ``source``."""

    seat: Seat
    source: int
    target: int
    die: int
    kill: bool


@dataclass(frozen=True, slots=True)
class DeadDie:
    """Why a die cannot be played: a code, the rule, values (see ``reasons``)."""

    die: int
    code: str
    rule: str
    values: tuple[tuple[str, str | int], ...]


@dataclass(frozen=True, slots=True)
class NoMove(_Public):
    """The roll allows nothing, the turn passes by itself (N7)."""

    seat: Seat
    dice: Pair
    reasons: tuple[DeadDie, ...]


@dataclass(frozen=True, slots=True)
class TurnEnded(_Public):
    """A turn is over: its moves in notation, and the position ID seen by the other player."""

    seat: Seat
    dice: Pair
    moves: str
    position: str


@dataclass(frozen=True, slots=True)
class HandEnded(_Public):
    """A hand is won (N16, N17). ``next`` is ``None``: a roll decides who opens (N19)."""

    hand: int
    end: End
    winner: Seat
    points: int
    score: Pair
    next: Seat | None = None


@dataclass(frozen=True, slots=True)
class MatchEnded(_Public):
    """The match is over (N18, N20)."""

    winners: tuple[Seat, ...]
    reason: Reason
    score: Pair


NardiEvent: TypeAlias = (
    OpeningRolled
    | HandStarted
    | Rolled
    | Moved
    | TakenBack
    | NoMove
    | TurnEnded
    | HandEnded
    | MatchEnded
)
