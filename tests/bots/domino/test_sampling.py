"""The deals that a seat imagines agree with all it has seen, and each is as likely as it is."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.bots.domino.evidence import Evidence
from app.bots.domino.playing import Deal
from app.bots.domino.positions import EMPTY
from app.bots.domino.sampling import Sampler, bits
from app.bots.domino.seen import Laid, Seen, read
from engine.domino.layout import Layout
from engine.domino.tiles import BIT, BY_NAME, SHOWING, TileSet, tile_set
from engine.game import Json
from tests.bots.domino.played import Moment, match
from tests.domino.build import GAME, play, position
from tests.domino.test_rules import NO_SIX_SIX

seeds = st.binary(min_size=4, max_size=4)
met: Counter[str] = Counter()


def drawn_before(count: int) -> list[Json]:
    """A search of seat 0 that brought so many."""
    return [{"seat": 0, "asks": [6], "placed": 1, "drew": count, "passed": False}]


def truth(moment: Moment) -> Deal:
    state, other = moment.state, 1 - moment.seat
    order = tuple(BIT[tile] for tile in state.bazaar[: state.open.left])
    hand = state.hands[other]
    brought = tuple(tiles & hand for tiles in moment.brought[other])
    return Deal(hand, order, tile_set(state.bazaar[state.open.left :]), brought)


def agrees(view: Json, deal: Deal) -> None:
    """Everything that the view tells, asked again the long way."""
    seat = view["seat"]
    own = {BIT[BY_NAME[name]] for name in view["tiles"]}
    laid = {BIT[BY_NAME[placed["tile"]]] for placed in view["placed"]}
    parts = [deal.other, sum(deal.order), deal.dark, sum(own), sum(laid)]
    assert sum(parts) == (1 << 28) - 1
    assert sum(part.bit_count() for part in parts) == 28
    assert deal.other.bit_count() == view["counts"][1 - seat]
    assert len(deal.order) == view["bazaar"]["left"]
    assert deal.dark.bit_count() == view["bazaar"]["protected"]
    assert sum(deal.brought) == deal.other
    made = [search for search in view["searches"] if search["seat"] != seat]
    assert len(deal.brought) == len(made) + 1
    assert deal.brought[0].bit_count() <= 7
    for number, search in enumerate(made, 1):
        fits = 0
        for asked in search["asks"]:
            fits |= SHOWING[asked]
        assert deal.brought[number].bit_count() <= search["drew"] - (not search["passed"])
        for earlier in deal.brought[: number + 1]:
            assert not earlier & fits
    for number, search in enumerate(view["searches"]):
        drawn = sum(each["drew"] for each in view["searches"][: number + 1])
        if search["passed"] and drawn < 12:  # G22: nothing that can be drawn fits
            for asked in search["asks"]:
                assert not sum(deal.order) & SHOWING[asked]
            met["sealed"] += 1


@given(seeds)
def test_every_deal_agrees_and_the_true_one_is_among_the_possible(seed: bytes) -> None:
    for moment in match(seed):
        seen = read(moment.view)
        sampler = Sampler(seen, random.Random(seed))
        true = truth(moment)
        agrees(moment.view, true)
        assert seen.unseen == true.other | sum(true.order) | true.dark
        assert sampler.possible
        assert sampler.chance_of(true.brought) > 0
        evidence = Evidence(seen)
        assert 0 < evidence.likely(true.brought) <= 1
        for _ in range(3):
            deal = sampler.deal()
            agrees(moment.view, deal)
            assert sampler.chance_of(deal.brought) > 0
            met["deals"] += 1
        met["searches"] += len(seen.groups) > 1
        met["evidence"] += bool(evidence)


def test_that_met_all_there_is() -> None:
    test_every_deal_agrees_and_the_true_one_is_among_the_possible()
    assert met["searches"] > 200
    assert met["evidence"] > 200


def test_g22_what_is_sealed_is_protected() -> None:
    # Seat 0 locked the layout with 5-6 and holds the last double that fits: seat 1 was passed over.
    start = position(NO_SIX_SIX, "5-6 6-6 2-2", "3-3 0-0", "0-4 4-4 3-4")
    view = GAME.view(play(start, "0 5-6@L").state, 0)
    assert view["searches"][-1]["passed"]
    sampler = Sampler(
        read(view | {"searches": drawn_before(11) + view["searches"]}), random.Random(1)
    )
    assert sampler.possible
    for _ in range(200):
        deal = sampler.deal()
        assert not sum(deal.order) & (SHOWING[5] | SHOWING[6])
        assert not deal.other & (SHOWING[5] | SHOWING[6])
        assert len(deal.order) == 1


def tiles(text: str) -> TileSet:
    return tile_set(BY_NAME[name] for name in text.split())


def test_deals_are_as_likely_as_shuffles_that_agree() -> None:
    """Two searches and four tiles laid, held against plain shuffles of which those that disagree
    are thrown away."""
    ones, twos = SHOWING[1], SHOWING[2]
    lays = [("5-6", False, 0), ("1-4", True, 1), ("2-6", True, 2), ("3-5", False, 2)]
    seen = Seen(
        hand=0,
        held=8,
        unseen=tiles("1-1 1-3 1-5 2-4 0-0 0-3 0-4 0-5 3-3 3-4 4-4 4-5 5-5"),
        left=3,
        layout=Layout(),
        needs=(75, 75),
        last=True,
        lays=tuple(Laid(tiles(name), 0, EMPTY, 0, 5, drawn, at) for name, drawn, at in lays),
        groups=(7, 2, 1),
        lacked=(0, ones, twos),
        sealed=0,
    )
    sampler = Sampler(seen, random.Random(5))
    count = 6_000
    ours = Counter(bit for _ in range(count) for bit in bits(sampler.deal().other))
    theirs: Counter[int] = Counter()
    shares: Counter[tuple[int, int]] = Counter()
    agreed = 0
    chance = random.Random(6)
    first, last = tiles("5-6"), tiles("3-5")
    order = [*bits(seen.unseen), first, last]
    fine = [bit for bit in order if bit == first or not bit & (ones | twos)]
    while agreed < 2_500:
        got = chance.sample(fine, 9)  # none that fits is dealt, or drawn in the first search
        after = chance.choice([bit for bit in order if bit not in got])
        if first not in got[:7] or last not in [*got, after] or after & twos:
            continue
        agreed += 1
        shares[6 - (last in got[:7]), 2 - (last in got[7:])] += 1
        theirs.update(bit for bit in [*got, after] if bit not in (first, last))
    for bit in bits(seen.unseen):
        assert ours[bit] / count == pytest.approx(theirs[bit] / agreed, abs=0.05)
    assert len(shares) == 3
    for (dealt, drawn), number in shares.items():
        brought = ((1 << dealt) - 1, (1 << drawn) - 1, (1 << (8 - dealt - drawn)) - 1)
        assert sampler.chance_of(brought) == pytest.approx(number / agreed, abs=0.04)
