"""What happens in a domino match, each with whom it is for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from engine.domino.layout import Placed
from engine.domino.state import HandResult
from engine.domino.tiles import Tile, TileSet
from engine.game import Outcome, Seat


@dataclass(frozen=True, slots=True)
class ForAll:
    """An event that everybody may know."""

    @property
    def audience(self) -> None:
        return None


@dataclass(frozen=True, slots=True)
class Dealt(ForAll):
    """A hand was dealt; ``opener`` opens it, with ``must_open`` if that is a tile. After a deal
    without a double (G4) both are ``None``."""

    hand: int
    opener: Seat | None
    must_open: Tile | None


@dataclass(frozen=True, slots=True)
class TilesDealt:
    """The tiles of one seat, for that seat."""

    seat: Seat
    tiles: TileSet

    @property
    def audience(self) -> frozenset[Seat]:
        return frozenset((self.seat,))


class Laid(NamedTuple):
    """A tile was laid: the count after it with its terms, the points it scored, the score.

    A named tuple since it is made at every tile (see ``state.py``)."""

    seat: Seat
    placed: Placed
    total: int
    terms: tuple[int, ...]
    points: int
    score: tuple[int, ...]

    @property
    def audience(self) -> None:
        return None


@dataclass(frozen=True, slots=True)
class Drew(ForAll):
    """Somebody drew a tile; ``left`` can still be drawn."""

    seat: Seat
    left: int


@dataclass(frozen=True, slots=True)
class TileDrawn:
    """Which tile it was, for the seat that drew it."""

    seat: Seat
    tile: Tile

    @property
    def audience(self) -> frozenset[Seat]:
        return frozenset((self.seat,))


@dataclass(frozen=True, slots=True)
class Passed(ForAll):
    """A turn passed by itself: nothing to lay and nothing to draw (``bazaar``, G15), or only
    doubles of others can still be laid (``locked``, G22)."""

    seat: Seat
    cause: Literal["bazaar", "locked"]


@dataclass(frozen=True, slots=True)
class HandEnded(ForAll):
    """A hand ended; the tiles left are laid open."""

    result: HandResult


@dataclass(frozen=True, slots=True)
class MatchEnded(ForAll):
    """The match ended."""

    outcome: Outcome


DominoEvent: TypeAlias = (
    Dealt | TilesDealt | Laid | Drew | TileDrawn | Passed | HandEnded | MatchEnded
)
