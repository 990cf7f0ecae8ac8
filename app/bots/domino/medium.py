"""The medium player: at a glance, but it knows who had nothing for which ends."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from app.bots.domino.choosing import choices
from app.bots.domino.playing import best_of
from app.bots.domino.sampling import first_group
from app.bots.domino.seen import Seen, read
from engine.domino.tiles import TileSet
from engine.game import Json


def choose(view: Json, legal: Sequence[Json], rng: Random) -> Json:
    """A policy (:class:`~app.bots.policy.Policy`). It needs no chance."""
    if len(legal) == 1:
        return legal[0]
    seen = read(view)
    found = choices(seen, legal)
    lays = [choice.lay for choice in found]
    best = best_of(lays, seen.hand, seen.held, possible(seen))
    return found[lays.index(best)].action


def possible(seen: Seen) -> TileSet:
    """The unseen tiles that the opponent can hold."""
    found, rest = 0, seen.unseen
    while rest:
        bit = rest & -rest
        rest ^= bit
        if any(seen.groups[first_group(bit, seen.lacked) :]):
            found |= bit
    return found
