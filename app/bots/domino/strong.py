"""The strong player: deals that agree with what it has seen, each possible lay played out over
them, and the one chosen that wins the match most often."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, TypeAlias

from app.bots.domino import ending
from app.bots.domino.chances import after
from app.bots.domino.choosing import choices
from app.bots.domino.evidence import Evidence
from app.bots.domino.playing import Deal, Lay, Played, play_out
from app.bots.domino.sampling import Brought, Sampler
from app.bots.domino.seen import Seen, read
from engine.domino.tiles import TileSet
from engine.game import Json

MOST: Final = 900
"""Hands played out for one decision, at most."""
WORLDS: Final = 160
"""Deals for one decision where the bazaar is empty: few hands are possible then."""
ROUND: Final = 32
"""Deals after which the lays that lag are given up."""
SPREAD: Final = 0.55
"""How far behind, times the root of the deals, a lay is given up: some twice what
the difference of two lays spreads in one deal."""
TRIES: Final = 12
"""Deals from which one is chosen by what the opponent would have laid."""

Play: TypeAlias = Callable[[Lay, Deal], float]
"""The chance of winning the match after a lay, in one deal."""


def choose(view: Json, legal: Sequence[Json], rng: Random) -> Json:
    """A policy (:class:`~app.bots.policy.Policy`)."""
    if len(legal) == 1:
        return legal[0]
    seen = read(view)
    live = [(0.0, number, choice) for number, choice in enumerate(choices(seen, legal))]
    sampler = Sampler(seen, rng)
    evidence = Evidence(seen)
    exactly = not seen.left and seen.hand.bit_count() + seen.held <= ending.TILES
    play = _exactly(seen) if exactly else _quickly(seen)
    most = WORLDS * len(live) if exactly else MOST
    played = deals = 0
    while len(live) > 1 and played < most:
        won = [0.0] * len(live)
        for _ in range(ROUND):
            deal = _likely(sampler, evidence, rng)
            for at, (_, _, choice) in enumerate(live):
                won[at] += play(choice.lay, deal)
        played += ROUND * len(live)
        deals += ROUND
        live = [(sum_ + more, n, choice) for (sum_, n, choice), more in zip(live, won, strict=True)]
        best = max(sum_ for sum_, _, _ in live)
        live = [each for each in live if best - each[0] <= SPREAD * deals**0.5]
    return max(live, key=lambda each: (each[0], -each[1]))[2].action


def _exactly(seen: Seen) -> Play:
    """The end of a hand: everything tried, once for each hand the opponent can have."""
    known: dict[tuple[int, int, TileSet], float] = {}

    def play(lay: Lay, deal: Deal) -> float:
        bit, edge = lay
        case = (bit, id(edge.to), deal.other)
        chance = known.get(case)
        if chance is None:
            chance = ending.chance(lay, seen.hand, deal.other, seen.needs, seen.last)
            known[case] = chance
        return chance

    return play


def _quickly(seen: Seen) -> Play:
    """The hand played out at a glance."""
    known: dict[Played, float] = {}
    need, others = seen.needs

    def play(lay: Lay, deal: Deal) -> float:
        end = play_out(lay, seen.hand, deal, seen.last)
        chance = known.get(end)
        if chance is None:
            chance = after(need - end.points, others - end.others, end.opens, end.drawn)
            known[end] = chance
        return chance

    return play


def _likely(sampler: Sampler, evidence: Evidence, rng: Random) -> Deal:
    """A deal as likely as it is by what has been seen and by what the opponent has laid."""
    if not evidence:
        return sampler.deal()
    tried: list[Brought] = []
    chances: list[float] = []
    for _ in range(TRIES):
        held = sampler.held()
        chance = evidence.likely(held)
        if rng.random() < chance:
            return sampler.dealt(held)
        tried.append(held)
        chances.append(chance)
    return sampler.dealt(rng.choices(tried, chances)[0])
