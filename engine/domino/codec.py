"""States and events of domino to plain JSON and back. Tiles go by their names."""

from __future__ import annotations

from typing import Final

from engine.domino.actions import Lay, read_play, write_play
from engine.domino.events import (
    Dealt,
    DominoEvent,
    Drew,
    HandEnded,
    Laid,
    MatchEnded,
    Passed,
    TileDrawn,
    TilesDealt,
)
from engine.domino.layout import ENDS, Layout, Placed
from engine.domino.rules import DominoRules
from engine.domino.state import HandEnd, HandResult, Open, Search, State
from engine.domino.tiles import BIT, NAMES, SHOWING, Tile, TileSet, names, tile, tile_set
from engine.game import Json, Unreadable
from engine.plain import (
    array,
    integer,
    key,
    numbers,
    obj,
    optional,
    outcome_from_json,
    outcome_to_json,
    text,
    word,
)

_HAND_ENDS: Final[tuple[HandEnd, ...]] = ("domino", "riba", "drawn", "redeal")
_MOST: Final = 10_000


def _seat(value: object) -> int:
    return integer(value, "seat", 0, 99)


def _name(value: Tile | None) -> str | None:
    return None if value is None else NAMES[value]


def _tiles(value: object) -> tuple[Tile, ...]:
    return tuple([tile(name) for name in array(value, "tiles")])


def _tile_set(value: object) -> TileSet:
    return tile_set(_tiles(value))


def result_to_json(result: HandResult) -> Json:
    """A hand's end as the store, the log and the screen get it."""
    return {
        "hand": result.hand,
        "end": result.end,
        "winner": result.winner,
        "points": result.points,
        "score": list(result.score),
        "next": result.next,
        "hands": [names(hand) for hand in result.hands],
        "pips": list(result.pips),
    }


def _result(value: object) -> HandResult:
    given = obj(value, "hand's end")
    return HandResult(
        hand=integer(key(given, "hand"), "hand", 1, _MOST),
        end=word(key(given, "end"), "end", _HAND_ENDS),
        winner=optional(_seat, key(given, "winner")),
        points=integer(key(given, "points"), "points", 0, _MOST),
        score=numbers(key(given, "score"), "score", 0, _MOST),
        next=optional(_seat, key(given, "next")),
        hands=tuple([_tile_set(hand) for hand in array(key(given, "hands"), "hands")]),
        pips=numbers(key(given, "pips"), "pips", 0, 168),
    )


def state_to_json(state: State) -> Json:
    """The whole state, hidden tiles included."""
    table = state.open
    return {
        "target": table.target,
        "score": list(table.score),
        "hand": table.hand,
        "turn": table.turn,
        "opener": table.opener,
        "must_open": _name(table.must_open),
        "placed": [
            f"{seat} {write_play(Lay(placed.tile, placed.end))}"
            for placed, (seat, _) in zip(table.layout.placed, table.laid_by, strict=True)
        ],
        "last_plain": table.last_plain,
        # What was asked for then, the tiles tell: a state is stored at every move, and short.
        "searches": [
            [search.seat, search.placed, search.drew, int(search.passed)]
            for search in table.searches
        ],
        "last_hand": None if table.last_hand is None else result_to_json(table.last_hand),
        "outcome": None if table.outcome is None else outcome_to_json(table.outcome),
        "hands": [names(hand) for hand in state.hands],
        "bazaar": [NAMES[each] for each in state.bazaar],
    }


def state_from_json(rules: DominoRules, value: Json) -> State:
    """The inverse; raises :class:`Unreadable`."""
    given = obj(value, "state")
    score = numbers(key(given, "score"), "score", 0, _MOST)
    layout, laid_by, asked = _layout(rules, key(given, "placed"))
    hands = tuple([_tile_set(hand) for hand in array(key(given, "hands"), "hands")])
    bazaar = _tiles(key(given, "bazaar"))
    left = max(0, len(bazaar) - rules.protected)
    for name in ("turn", "opener", "last_plain"):
        if given.get(name) is not None:
            integer(given[name], name, 0, len(score) - 1)
    if len(hands) != len(score) or (given.get("turn") is not None and not all(hands)):
        raise Unreadable("hands: not one for each seat")
    table = Open(
        target=integer(key(given, "target"), "target", 1, _MOST),
        score=score,
        hand=integer(key(given, "hand"), "hand", 0, _MOST),
        turn=optional(_seat, key(given, "turn")),
        opener=optional(_seat, key(given, "opener")),
        must_open=optional(tile, key(given, "must_open")),
        layout=layout,
        laid_by=laid_by,
        left=left,
        last_plain=optional(_seat, key(given, "last_plain")),
        last_hand=optional(_result, key(given, "last_hand")),
        outcome=optional(outcome_from_json, key(given, "outcome")),
        # A state stored before there were any has no such key.
        searches=_searches(given.get("searches", []), asked, len(score)),
    )
    return State(table, hands, bazaar, tile_set(bazaar[:left]))


def _searches(value: object, asked: list[tuple[int, ...]], seats: int) -> tuple[Search, ...]:
    found: list[Search] = []
    for each in array(value, "searches"):
        given = numbers(each, "searches", 0, 28)
        if len(given) != 4:
            raise Unreadable(f"searches: {each!r:.40}")
        seat, placed, drew, passed = given
        if seat >= seats or placed >= len(asked) or passed > 1:
            raise Unreadable(f"searches: {each!r:.40}")
        found.append(Search(seat, asked[placed], placed, drew, bool(passed)))
    return tuple(found)


def _layout(
    rules: DominoRules, value: object
) -> tuple[Layout, tuple[tuple[int, int], ...], list[tuple[int, ...]]]:
    """The tiles laid one after the other, by whom and for what, and the numbers asked for after
    each of them."""
    layout = Layout()
    asked = [layout.asked]
    laid_by: list[tuple[int, int]] = []
    for each in array(value, "placed"):
        seat, _, play = text(each, "placed").partition(" ")
        lay = read_play(play)
        if not (isinstance(lay, Lay) and seat.isdecimal()):
            raise Unreadable(f"placed: {each!r:.40}")
        if lay.end is None:
            layout = layout.open_with(lay.tile)
        else:
            index = layout.at(lay.end)
            if index is None or not SHOWING[layout.ends[index].asks] & BIT[lay.tile]:
                raise Unreadable(f"placed: {each!r:.40} does not fit")
            layout = layout.lay(lay.tile, index)
        laid_by.append((int(seat), rules.lay_points(layout)))
        asked.append(layout.asked)
    return layout, tuple(laid_by), asked


def event_to_json(event: DominoEvent) -> Json:
    """``{"event": NAME, …}``."""
    match event:
        case Dealt():
            return {
                "event": "dealt",
                "hand": event.hand,
                "opener": event.opener,
                "must_open": _name(event.must_open),
            }
        case TilesDealt():
            return {"event": "tiles_dealt", "seat": event.seat, "tiles": names(event.tiles)}
        case Laid():
            return {
                "event": "laid",
                "seat": event.seat,
                "tile": NAMES[event.placed.tile],
                "end": event.placed.end,
                "in": event.placed.inner,
                "out": event.placed.outer,
                "sum": event.total,
                "terms": list(event.terms),
                "points": event.points,
                "score": list(event.score),
            }
        case Drew():
            return {"event": "drew", "seat": event.seat, "left": event.left}
        case TileDrawn():
            return {"event": "tile_drawn", "seat": event.seat, "tile": NAMES[event.tile]}
        case Passed():
            return {"event": "passed", "seat": event.seat, "cause": event.cause}
        case HandEnded():
            return {"event": "hand_ended", **result_to_json(event.result)}
        case MatchEnded():
            return {"event": "match_ended", **outcome_to_json(event.outcome)}


def event_from_json(value: Json) -> DominoEvent:
    """The inverse; raises :class:`Unreadable`."""
    given = obj(value, "event")
    match key(given, "event"):
        case "dealt":
            return Dealt(
                integer(key(given, "hand"), "hand", 1, _MOST),
                optional(_seat, key(given, "opener")),
                optional(tile, key(given, "must_open")),
            )
        case "tiles_dealt":
            return TilesDealt(_seat(key(given, "seat")), _tile_set(key(given, "tiles")))
        case "laid":
            end = key(given, "end")
            return Laid(
                _seat(key(given, "seat")),
                Placed(
                    tile(key(given, "tile")),
                    None if end is None else word(end, "end", ENDS),
                    integer(key(given, "in"), "in", 0, 6),
                    integer(key(given, "out"), "out", 0, 6),
                ),
                integer(key(given, "sum"), "sum", 0, 48),
                numbers(key(given, "terms"), "terms", 0, 12),
                integer(key(given, "points"), "points", 0, 48),
                numbers(key(given, "score"), "score", 0, _MOST),
            )
        case "drew":
            return Drew(_seat(key(given, "seat")), integer(key(given, "left"), "left", 0, 28))
        case "tile_drawn":
            return TileDrawn(_seat(key(given, "seat")), tile(key(given, "tile")))
        case "passed":
            cause = word(key(given, "cause"), "cause", ("bazaar", "locked"))
            return Passed(_seat(key(given, "seat")), "bazaar" if cause == "bazaar" else "locked")
        case "hand_ended":
            return HandEnded(_result(given))
        case "match_ended":
            return MatchEnded(outcome_from_json(given))
        case other:
            raise Unreadable(f"no such event: {other!r:.40}")
