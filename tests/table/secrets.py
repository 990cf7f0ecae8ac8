"""The same table, as far as a viewer may know, with everything hidden otherwise."""

from __future__ import annotations

import random
from dataclasses import replace

from app.table.table import Table
from engine.chance import Chain
from engine.domino.state import State as DominoState
from engine.domino.tiles import Tile, members, tile_set
from engine.game import Viewer


def twisted(table: Table, viewer: Viewer, rng: random.Random) -> Table:
    """Another chain under the same commitment, other numbers before they are public, and all tiles
    the viewer has not seen exchanged among each other."""
    chain = Chain(rng.randbytes(32))
    if table.handshake is not None:
        numbers = tuple(None if n is None else rng.randbytes(32) for n in table.handshake.numbers)
        hashes = table.handshake.hashes
        if table.handshake.step == "hash":  # not handed on yet
            hashes = tuple(None if h is None else rng.randbytes(32) for h in hashes)
        shake = replace(table.handshake, chain=chain, numbers=numbers, hashes=hashes)
        return replace(table, handshake=shake)
    match = table.match
    if match is None:
        return table
    state = match.state
    if isinstance(state, DominoState):
        state = _tiles(state, viewer, rng)
    secret = match.secret if len(match.secrets) == match.begun else rng.randbytes(32)
    return replace(table, match=replace(match, chain=chain, secret=secret, state=state))


def _tiles(state: DominoState, viewer: Viewer, rng: random.Random) -> DominoState:
    if state.open.turn is None:  # between hands all lies open
        return state
    seats = [seat for seat in range(len(state.hands)) if seat != viewer]
    hidden: list[Tile] = [tile for seat in seats for tile in members(state.hands[seat])]
    hidden += state.bazaar
    rng.shuffle(hidden)
    hands = list(state.hands)
    for seat in seats:
        count = hands[seat].bit_count()
        hands[seat] = tile_set(hidden[:count])
        hidden = hidden[count:]
    left = state.open.left
    return state._replace(hands=tuple(hands), bazaar=tuple(hidden), stock=tile_set(hidden[:left]))
