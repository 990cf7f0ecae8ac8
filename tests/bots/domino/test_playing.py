"""Hands played out on the graph end as the engine ends them (G11–G16, G19–G24)."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from app.bots.domino.playing import Deal, Lay, glance, pips, play_out, rounded
from app.bots.domino.positions import EMPTY, POSITIONS, WHOLE, Position
from engine.domino import GEORGIAN as GAME
from engine.domino.actions import Action
from engine.domino.actions import Lay as Laying
from engine.domino.georgian import rounded as by_rule
from engine.domino.state import State
from engine.domino.tiles import BIT, TileSet, tile_set
from engine.domino.tiles import pips as by_tile

met: Counter[str] = Counter()


def any_lay(here: Position, hand: TileSet, held: int, unseen: TileSet) -> Lay:
    """A lay that depends on what is given and on nothing else, and is no plan."""
    lays = [(bit, edge) for bit in BIT if bit & hand for edge in here.edges.get(bit, ())]
    return lays[(hand ^ unseen ^ held) % len(lays)]


def played_by_the_engine(order: list[int], opener: int, judge: Any) -> tuple[State, Lay]:
    """The hand to its end, and the lay that opened it."""
    state = GAME.start({"target": 75}).state
    state = state._replace(open=state.open._replace(opener=opener))
    state = GAME.give(state, tuple(order)).state
    first: Lay | None = None
    while (seat := state.open.turn) is not None:
        actions = GAME.legal(state, seat)
        action: Action = actions[0]
        if isinstance(action, Laying):
            here = POSITIONS.at(state.open.layout)
            hand, held = state.hands[seat], state.hands[1 - seat].bit_count()
            out = tile_set(placed.tile for placed in state.open.layout.placed)
            lay = judge(here, hand, held, WHOLE ^ out ^ hand)
            first = first or lay
            (action, *_) = [each for each in actions if leads(state, each) == lay]
        step = GAME.apply(state, seat, action)
        for event in step.events:
            row = GAME.event_to_json(event)
            met[f"{row['event']} {row.get('cause') or row.get('end')}"] += 1
        state = step.state
    assert first is not None
    return state, first


def leads(state: State, action: Action) -> Lay:
    assert isinstance(action, Laying)
    layout = state.open.layout
    if action.end is None:
        return BIT[action.tile], EMPTY.edges[BIT[action.tile]][0]
    index = layout.at(action.end)
    assert index is not None
    to = POSITIONS.at(layout.lay(action.tile, index))
    (edge,) = [each for each in POSITIONS.at(layout).edges[BIT[action.tile]] if each.to is to]
    return BIT[action.tile], edge


def same(seed: int, judge: Any) -> None:
    order = list(range(28))
    random.Random(seed).shuffle(order)
    opener = seed % 2
    state, first = played_by_the_engine(order, opener, judge)
    bits = [BIT[tile] for tile in order]
    hands = (sum(bits[:7]), sum(bits[7:14]))
    deal = Deal(hands[1 - opener], tuple(bits[14:26]), sum(bits[26:]))
    end = play_out(first, hands[opener], deal, True, judge)
    result = state.open.last_hand
    assert result is not None
    assert (end.points, end.others) == (result.score[opener], result.score[1 - opener])
    assert end.opens == (result.next == opener)
    assert end.drawn == (result.end == "drawn")


@given(st.integers(0, 10**9))
def test_hands_of_two_who_judge_at_a_glance(seed: int) -> None:
    same(seed, glance)


def test_hands_of_any_lays_with_all_that_is_rare() -> None:
    met.clear()
    for seed in range(1_500):
        same(seed, any_lay)
    assert met["hand_ended domino"] > 500
    assert met["hand_ended riba"] > 100
    assert met["hand_ended drawn"] > 0
    assert met["drew None"] > 500
    assert met["passed bazaar"] > 50
    assert met["passed locked"] > 0


@given(st.integers(0, (1 << 28) - 1))
def test_pips_of_any_set(tiles: TileSet) -> None:
    assert pips(tiles) == by_tile(tiles)
    assert rounded(pips(tiles)) == by_rule(by_tile(tiles))
