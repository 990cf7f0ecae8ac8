"""The deal: the shuffled set becomes hands and bazaar, and the highest double decides who opens
the first (G2–G4, G14)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.domino.tiles import BY_NAME, DOUBLES, NAMES, TILES, Tile, TileSet, tile_set
from engine.game import Refusal, Seat


@dataclass(frozen=True, slots=True)
class Deal:
    """``hands`` by seat; ``bazaar`` in the order of drawing."""

    hands: tuple[TileSet, ...]
    bazaar: tuple[Tile, ...]


def deal(order: tuple[int, ...], seats: int, hand_size: int) -> Deal:
    """``order``: all 28 tiles as shuffled; seat 0 gets the first ``hand_size`` of them, and so
    on (G2). Raises :class:`Refusal` where it is no full set (G1)."""
    if sorted(order) != list(range(len(TILES))):
        raise Refusal("not_a_full_set", "G1")
    tiles = tuple(Tile(i) for i in order)
    cut = [tiles[seat * hand_size : (seat + 1) * hand_size] for seat in range(seats)]
    return Deal(tuple([tile_set(each) for each in cut]), tiles[seats * hand_size :])


def highest_double(hands: tuple[TileSet, ...]) -> tuple[Seat, Tile] | None:
    """Who holds the highest double of all hands, and which it is; ``None``: nobody holds one."""
    best = max((hand & DOUBLES for hand in hands), default=0)
    if not best:
        return None
    return [hand & DOUBLES for hand in hands].index(best), Tile(best.bit_length() - 1)


def shuffled(names: list[str]) -> tuple[int, ...]:
    """The order of a recorded hand's ``tiles``. Raises :class:`Refusal` for a name that is no
    tile (G1)."""
    unknown = [name for name in names if name not in BY_NAME]
    if unknown:
        raise Refusal("not_a_full_set", "G1", tile=unknown[0][:40])
    return tuple(BY_NAME[name] for name in names)


def recorded(order: tuple[int, ...]) -> list[str]:
    """The names that the record keeps of a shuffled set."""
    return [NAMES[i] for i in order]
