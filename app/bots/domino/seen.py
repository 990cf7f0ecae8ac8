"""What a seat has seen of a hand: its view, read for reckoning.

Two seats are assumed here, as in the rule set that these policies are for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from app.bots.domino.positions import POSITIONS, RULES, WHOLE, Position
from engine.domino.layout import Layout
from engine.domino.tiles import BIT, BY_NAME, DOUBLES, SHOWING, TileSet
from engine.game import Json

DEALT: Final = RULES.hand_size


@dataclass(frozen=True, slots=True)
class Laid:
    """A tile the opponent laid. ``before``: the position it was laid in; ``out``: the tiles that
    lay open by then; ``held``: how many the viewer held. ``drawn``: it was drawn last and had to
    be laid (G13). ``group``: the last one of :attr:`Seen.groups` that it can be of."""

    bit: int
    points: int
    before: Position
    out: TileSet
    held: int
    drawn: bool
    group: int


@dataclass(frozen=True, slots=True)
class Seen:
    """``hand``: one's own tiles; ``held``: how many the opponent holds; ``unseen``: all tiles in
    its hand and in the bazaar, of which ``left`` can be drawn.

    ``groups``: how the opponent came by its tiles, group 0 dealt, and one for every search it
    made: how many tiles each brought that it could not lay. ``lacked``: what fitted at each of
    these searches (for group 0 nothing): none of that was in its hand then.
    ``sealed``: no tile of these can be drawn (it was told that only doubles can be laid: G22).
    ``last``: whether the last tile that is no double was one's own (G24).
    """

    hand: TileSet
    held: int
    unseen: TileSet
    left: int
    layout: Layout
    needs: tuple[int, int]
    last: bool
    lays: tuple[Laid, ...]
    groups: tuple[int, ...]
    lacked: tuple[TileSet, ...]
    sealed: TileSet


def read(view: Json) -> Seen:
    """What a view of a hand under way tells the seat whose it is."""
    seat: int = view["seat"]
    hand = sum(BIT[BY_NAME[name]] for name in view["tiles"])
    left: int = view["bazaar"]["left"]
    groups, lacked, sealed = [DEALT], [0], 0
    ended: dict[int, int] = {}  # the tile laid as this one, by its place: the group just begun
    stock = len(BIT) - DEALT * len(view["counts"]) - view["bazaar"]["protected"]
    for search in view["searches"]:
        fits = 0
        for number in search["asks"]:
            fits |= SHOWING[number]
        stock -= search["drew"]
        if search["passed"] and stock:
            sealed |= fits
        if search["seat"] != seat:
            groups.append(search["drew"] - (not search["passed"]))
            lacked.append(fits)
            ended[search["placed"]] = len(groups) - 1
    layout, out = Layout(), 0
    last = view["opener"] == seat
    lays: list[Laid] = []
    group = 0
    mine = len(view["tiles"]) + sum(each["seat"] == seat for each in view["placed"])
    mine -= sum(each["drew"] for each in view["searches"] if each["seat"] == seat)
    drew = {each["placed"]: each["drew"] for each in view["searches"] if each["seat"] == seat}
    for place, placed in enumerate(view["placed"]):
        tile = BY_NAME[placed["tile"]]
        bit = BIT[tile]
        drawn = place in ended
        group = ended.get(place, group)
        mine += drew.get(place, 0)
        if placed["seat"] == seat:
            mine -= 1
        else:
            before = POSITIONS.at(layout)
            lays.append(Laid(bit, placed["points"], before, out, mine, drawn, group))
        index = None if placed["end"] is None else layout.at(placed["end"])
        layout = layout.open_with(tile) if index is None else layout.lay(tile, index)
        out |= bit
        if not bit & DOUBLES:
            last = placed["seat"] == seat
    return Seen(
        hand=hand,
        held=view["counts"][1 - seat],
        unseen=WHOLE ^ out ^ hand,
        left=left,
        layout=layout,
        needs=(view["target"] - view["score"][seat], view["target"] - view["score"][1 - seat]),
        last=last,
        lays=tuple(lays),
        groups=tuple(groups),
        lacked=tuple(lacked),
        sealed=sealed,
    )
