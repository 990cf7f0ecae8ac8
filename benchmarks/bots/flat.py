"""A flat sampler to measure against: it deals all unseen tiles evenly, plays every lay out over the
same deals by two point-takers, and chooses the most points on average."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from app.bots.domino.choosing import choices
from app.bots.domino.playing import Deal, Lay, play_out
from app.bots.domino.positions import Position
from app.bots.domino.sampling import bits
from app.bots.domino.seen import read
from app.bots.policy import Policy
from engine.domino.tiles import OF_BIT, PIPS, TileSet
from engine.game import Json


def most_points(here: Position, hand: TileSet, held: int, unseen: TileSet) -> Lay:
    """What the engine's fallback lays: most points, of those the heaviest tile."""
    best: tuple[int, int, int] = (-1, 0, 0)
    found: Lay | None = None
    fitting = hand & here.fits
    while fitting:
        bit = fitting & -fitting
        fitting ^= bit
        for edge in here.edges[bit]:
            worth = (edge.points, PIPS[OF_BIT[bit]], bit)
            if worth > best:
                best, found = worth, (bit, edge)
    assert found is not None
    return found


def flat(deals: int) -> Policy:
    """The flat sampler that deals so often."""

    def choose(view: Json, legal: Sequence[Json], rng: Random) -> Json:
        if len(legal) == 1:
            return legal[0]
        seen = read(view)
        found = choices(seen, legal)
        tiles = bits(seen.unseen)
        points = [0] * len(found)
        draws = seen.held + seen.left
        for _ in range(deals):
            rng.shuffle(tiles)
            order = tuple(tiles[seen.held : draws])
            deal = Deal(sum(tiles[: seen.held]), order, sum(tiles[draws:]))
            for at, choice in enumerate(found):
                end = play_out(choice.lay, seen.hand, deal, seen.last, most_points)
                points[at] += end.points - end.others
        return found[points.index(max(points))].action

    return choose
