"""A domino match from deal to deal: turns, draws, passes, the ends of hands and of the match.

Common to every rule set; where they differ it asks its :class:`DominoRules`.
"""

from __future__ import annotations

from engine.domino.actions import DRAW, LAYS, Action, Draw, Lay, write_play
from engine.domino.deal import deal, highest_double, recorded
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
from engine.domino.layout import Layout
from engine.domino.rules import DominoRules, Settlement
from engine.domino.state import HandEnd, HandResult, Open, Search, State
from engine.domino.tiles import BIT, IS_DOUBLE, NAMES, SHOWING, TileSet, pips
from engine.game import Ask, Outcome, Reason, Refusal, Seat, Step, Unreadable


def start(rules: DominoRules, target: int, seats: int) -> Step[State]:
    """A match before its first hand."""
    return Step(State(Open(target, (0,) * seats), (0,) * seats))


def asks(state: State) -> Ask | None:
    """A shuffled set, between hands."""
    table = state.open
    if table.turn is None and table.outcome is None:
        return Ask(table.hand + 1, "tiles", "shuffle", 28)
    return None


def give(rules: DominoRules, state: State, order: tuple[int, ...]) -> Step[State]:
    """The next hand dealt from a shuffled set (G2–G5)."""
    if asks(state) is None:
        raise Refusal("not_asked", "G2")
    table = state.open
    seats = len(table.score)
    dealt = deal(order, seats, rules.hand_size)
    left = len(dealt.bazaar) - rules.protected
    opener, must_open = table.opener, None
    if opener is None and (highest := highest_double(dealt.hands)):
        opener, must_open = highest
    new = Open(
        target=table.target,
        score=table.score,
        hand=table.hand + 1,
        turn=opener,
        opener=opener,
        must_open=must_open,
        left=left,
        last_hand=table.last_hand,
    )
    stock = sum(BIT[tile] for tile in dealt.bazaar[:left])
    events: list[DominoEvent] = [Dealt(new.hand, opener, must_open)]
    events += [TilesDealt(seat, hand) for seat, hand in enumerate(dealt.hands)]
    line = {"tiles": recorded(order), "plays": []}
    after = State(new, dealt.hands, dealt.bazaar, stock)
    if opener is None:  # G4: nobody holds a double
        after, ended = _end_hand(rules, after, "redeal", Settlement(None, 0, None))
        events += ended
    return Step(after, tuple(events), (line,))


def legal(table: Open, seat: Seat, own: TileSet) -> tuple[Action, ...]:
    """All legal actions of a seat that holds ``own`` (G3, G6, G11–G13): the tiles by end, or one
    draw. Needs nothing that the seat may not know."""
    if table.turn != seat:
        return ()
    if table.must_open is not None:
        return (LAYS[None][BIT[table.must_open]],)
    layout = table.layout
    found: list[Action] = []
    for end in layout.ends:
        lays = LAYS[end.end]
        fitting = own & SHOWING[end.asks]
        while fitting:
            low = fitting & -fitting
            found.append(lays[low])
            fitting ^= low
    if found:
        return tuple(found)
    if layout.ends:
        return (DRAW,)
    lays = LAYS[None]
    return tuple([lays[bit] for bit in BIT if own & bit])


def apply(rules: DominoRules, state: State, seat: Seat, action: Action) -> Step[State]:
    """``action`` carried out. Raises :class:`Refusal`, and :class:`Unreadable` for what is no
    action at all."""
    table = state.open
    if table.turn != seat:
        if table.outcome is not None:
            raise Refusal("match_over", "G26")
        raise Refusal("not_your_turn", "G12")
    if isinstance(action, Lay):
        return _lay(rules, state, seat, action)
    if isinstance(action, Draw):
        return _draw(rules, state, seat)
    raise Unreadable(f"no action of domino: {action!r:.40}")


def _lay(rules: DominoRules, state: State, seat: Seat, action: Lay) -> Step[State]:
    table, tile = state.open, action.tile
    bit = BIT[tile]
    if not state.hands[seat] & bit:
        raise Refusal("tile_not_in_hand", "G6", tile=NAMES[tile])
    layout = _laid(table, action)
    points = rules.lay_points(layout)
    score = table.score
    if points:
        score = (*score[:seat], score[seat] + points, *score[seat + 1 :])
    left_of_hand = state.hands[seat] ^ bit
    hands = (*state.hands[:seat], left_of_hand, *state.hands[seat + 1 :])
    how: HandEnd | None = None
    turn = seat
    passed: tuple[Passed, ...] = ()
    if not left_of_hand:
        how = "domino"
    elif hands[following := (seat + 1) % len(hands)] & layout.fits:
        turn = following  # the usual case, and no rule takes the turn from who can lay
    elif rules.dead(layout.fits, hands, state.stock):
        how = "riba"
    else:
        turn, passed = _next_turn(rules, layout.fits, seat, hands, state.stock)
    after = State(
        Open(
            table.target,
            score,
            table.hand,
            turn,
            table.opener,
            None,
            layout,
            (*table.laid_by, (seat, points)),
            table.left,
            table.last_plain if IS_DOUBLE[tile] else seat,
            table.last_hand,
            None,
            _passed_over(table.searches, layout, passed) if passed else table.searches,
        ),
        hands,
        state.bazaar,
        state.stock,
    )
    laid = Laid(seat, layout.placed[-1], layout.total, layout.terms(), points, score)
    events: tuple[DominoEvent, ...] = (laid, *passed)
    if how == "domino":
        after, ended = _end_hand(rules, after, how, rules.settle_domino(after.open, seat, hands))
        events += ended
    elif how == "riba":
        settlement = rules.settle_riba(after.open, hands)
        how = "drawn" if settlement.winner is None else "riba"
        after, ended = _end_hand(rules, after, how, settlement)
        events += ended
    return Step(after, events, (f"{seat} {write_play(action)}",))


def _laid(table: Open, action: Lay) -> Layout:
    """The layout with the tile laid where the action says; refuses what does not fit."""
    layout, tile = table.layout, action.tile
    if not layout.placed:
        if table.must_open is not None and tile != table.must_open:
            raise Refusal("must_open", "G3", tile=NAMES[table.must_open])
        if action.end is not None:
            raise Refusal("opening_has_no_end", "G6")
        return layout.open_with(tile)
    if action.end is None:
        raise Refusal("name_an_end", "G6")
    index = layout.at(action.end)
    if index is None:
        raise Refusal("end_not_open", "G9", end=action.end)
    asked = layout.ends[index].asks
    if not SHOWING[asked] & BIT[tile]:
        raise Refusal("does_not_fit", "G6", tile=NAMES[tile], end=action.end, asks=asked)
    return layout.lay(tile, index)


def _draw(rules: DominoRules, state: State, seat: Seat) -> Step[State]:
    table = state.open
    fits = table.layout.fits
    if not table.layout.placed or state.hands[seat] & fits:
        raise Refusal("must_lay", "G11")
    # Whoever has the turn and nothing to lay can draw: else the turn had passed by itself (G15).
    tile = state.bazaar[0]
    bit = BIT[tile]
    stock = state.stock ^ bit
    hands = (*state.hands[:seat], state.hands[seat] | bit, *state.hands[seat + 1 :])
    turn = seat
    over: tuple[Passed, ...] = ()
    passed: tuple[Passed, ...] = ()
    if not (stock or fits & bit):  # G15
        turn, over = _next_turn(rules, fits, seat, hands, stock)
        passed = (Passed(seat, "bazaar"), *over)
    searches = _drawn(table, seat, bool(passed))
    left = table.left - 1
    after = Open(
        table.target,
        table.score,
        table.hand,
        turn,
        table.opener,
        None,
        table.layout,
        table.laid_by,
        left,
        table.last_plain,
        table.last_hand,
        None,
        _passed_over(searches, table.layout, over) if over else searches,
    )
    return Step(
        State(after, hands, state.bazaar[1:], stock),
        (Drew(seat, left), TileDrawn(seat, tile), *passed),
        (f"{seat} draw",),
    )


def _next_turn(
    rules: DominoRules, fits: TileSet, seat: Seat, hands: tuple[TileSet, ...], stock: TileSet
) -> tuple[Seat, tuple[Passed, ...]]:
    """Whose turn it is after ``seat``, and who was passed over (G12, G15, G22). Somebody can lay
    or draw: else the hand had ended."""
    seats = len(hands)
    turn = (seat + 1) % seats
    holders = rules.locked_holders(fits, hands, stock)
    passed: list[Passed] = []
    while not (hands[turn] & fits or (stock and holders is None)):
        # With an empty bazaar the turn would pass anyway: "locked" would tell of hidden tiles.
        passed.append(Passed(turn, "locked" if stock else "bazaar"))
        turn = (turn + 1) % seats
    return turn, tuple(passed)


def _drawn(table: Open, seat: Seat, passed: bool) -> tuple[Search, ...]:
    """The searches once ``seat`` has drawn one tile more."""
    known, placed = table.searches, len(table.layout.placed)
    if known and known[-1].seat == seat and known[-1].placed == placed:
        last = known[-1]
        return (*known[:-1], Search(seat, last.asks, placed, last.drew + 1, passed))
    return (*known, Search(seat, table.layout.asked, placed, 1, passed))


def _passed_over(
    known: tuple[Search, ...], layout: Layout, passed: tuple[Passed, ...]
) -> tuple[Search, ...]:
    """The searches once turns have passed without a draw (G15, G22)."""
    placed = len(layout.placed)
    return known + tuple([Search(each.seat, layout.asked, placed, 0, True) for each in passed])


def _end_hand(
    rules: DominoRules, state: State, how: HandEnd, settlement: Settlement
) -> tuple[State, tuple[DominoEvent, ...]]:
    """The hand settled and, where that ends it, the match (G19–G27)."""
    table = state.open
    score = tuple(
        [
            points + settlement.points if seat == settlement.winner else points
            for seat, points in enumerate(table.score)
        ]
    )
    result = HandResult(
        hand=table.hand,
        end=how,
        winner=settlement.winner,
        points=settlement.points,
        score=score,
        next=settlement.next,
        hands=state.hands,
        pips=tuple([pips(hand) for hand in state.hands]),
    )
    winners = rules.winners(table.target, score, settlement)
    after = table._replace(
        score=score,
        turn=None,
        opener=settlement.next,
        must_open=None,
        last_hand=result,
        outcome=Outcome(winners, "points", score) if winners else None,
    )
    events: tuple[DominoEvent, ...] = (HandEnded(result),)
    if after.outcome is not None:
        events += (MatchEnded(after.outcome),)
    return state._replace(open=after), events


def concede(rules: DominoRules, state: State, seat: Seat, reason: Reason) -> Step[State]:
    """G30: the match ends at once for the opponent, the score stays."""
    table = state.open
    if table.outcome is not None:
        raise Refusal("match_over", "G26")
    outcome = Outcome(rules.rivals(seat, len(table.score)), reason, table.score)
    after = table._replace(turn=None, outcome=outcome)
    return Step(state._replace(open=after), (MatchEnded(outcome),))
