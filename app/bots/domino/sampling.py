"""Deals that agree with everything a seat has seen, each as likely as it is.

What the opponent holds it was dealt, or it drew it in one of its searches and could not lay it
then. So every tile has a first group it can be of: the one after the last search that it would
have fitted. The same holds of the tiles that the opponent has laid since. All orders of the
shuffled set are equally likely; :class:`Sampler` counts, for every way to share the groups out
between tiles held and tiles laid, the orders that agree, and draws from them without rejection.
(Where it was told that only doubles can be laid, what that seals is settled by rejection: rare.)
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from random import Random
from typing import Final, TypeAlias

from app.bots.domino.playing import Deal
from app.bots.domino.seen import Seen
from engine.domino.tiles import DOUBLES, TileSet

_TRIES: Final = 2_000
Shares: TypeAlias = tuple[int, ...]
"""How many of each group are still held."""
Brought: TypeAlias = tuple[TileSet, ...]
"""What is still held of each group."""


def bits(tiles: TileSet) -> list[int]:
    """The bits of a set."""
    found = []
    while tiles:
        low = tiles & -tiles
        found.append(low)
        tiles ^= low
    return found


def first_group(bit: int, lacked: tuple[TileSet, ...]) -> int:
    """The first group that a tile can be of, by what was lacked up to some time: later than that
    where it can be of none yet."""
    for group in range(len(lacked) - 1, 0, -1):
        if lacked[group] & bit:
            return group + 1
    return 0


class Sampler:
    """Deals for what one seat has seen, drawn with ``chance``."""

    def __init__(self, seen: Seen, chance: Random) -> None:
        self._seen = seen
        self._chance = chance
        self._tiles = bits(seen.unseen)
        first = {bit: first_group(bit, seen.lacked) for bit in self._tiles}
        groups = range(len(seen.groups))
        self._possible = [[bit for bit in self._tiles if first[bit] <= g] for g in groups]
        self._spans = [
            (first_group(laid.bit, seen.lacked[: laid.group + 1]), laid.group)
            for laid in seen.lays
            if not laid.drawn
        ]
        self._counted: dict[tuple[int, Shares], int] = {}
        self._shares: list[Shares] = []
        self._likely: list[int] = []
        self._plain = len(seen.groups) == 1
        if not self._plain:
            for shares in self._ways(0, seen.held, ()):
                likely = self._orders(shares)
                if likely:
                    self._shares.append(shares)
                    self._likely.append(likely)

    def _ways(self, group: int, left: int, shares: Shares) -> Iterator[Shares]:
        """Every way to share the tiles held out among the groups."""
        if group == len(self._seen.groups):
            if not left:
                yield shares
            return
        room = min(left, self._seen.groups[group], len(self._possible[group]) - sum(shares))
        for share in range(room + 1):
            yield from self._ways(group + 1, left - share, (*shares, share))

    def _orders(self, shares: Shares) -> int:
        """How many orders of the set agree with these shares, up to a common factor."""
        orders, used = 1, 0
        for group, share in enumerate(shares):
            orders *= comb(self._seen.groups[group], share)
            for _ in range(share):
                orders *= len(self._possible[group]) - used
                used += 1
        rest = tuple([size - share for size, share in zip(self._seen.groups, shares, strict=True)])
        return orders * self._laid(0, rest)

    def _laid(self, number: int, rest: Shares) -> int:
        """In how many ways the tiles laid, from one on, can be of what is left of the groups."""
        if number == len(self._spans):
            return 1 if not any(rest) else 0
        known = self._counted.get((number, rest))
        if known is None:
            low, high = self._spans[number]
            known = 0
            for group in range(low, high + 1):
                if rest[group]:
                    fewer = (*rest[:group], rest[group] - 1, *rest[group + 1 :])
                    known += rest[group] * self._laid(number + 1, fewer)
            self._counted[number, rest] = known
        return known

    def chance_of(self, brought: Brought) -> float:
        """How likely it is that the groups left so many each in the opponent's hand."""
        shares = tuple([tiles.bit_count() for tiles in brought])
        if self._plain:
            return 1.0
        if shares not in self._shares:
            return 0.0
        return self._likely[self._shares.index(shares)] / sum(self._likely)

    @property
    def possible(self) -> bool:
        """Whether any deal agrees; always, in a view of a hand played by the rules."""
        return self._plain or bool(self._shares)

    def deal(self) -> Deal:
        """One deal."""
        return self.dealt(self.held())

    def held(self) -> Brought:
        """What the opponent may hold, by the group it is of."""
        if self._plain or not self._shares:
            return (sum(self._some(self._tiles, self._seen.held)),)
        (shares,) = self._chance.choices(self._shares, self._likely)
        other = 0
        brought: list[TileSet] = []
        for group, share in enumerate(shares):
            got = 0
            if share:
                free = [bit for bit in self._possible[group] if not bit & other]
                got = sum(self._some(free, share))
                other |= got
            brought.append(got)
        return tuple(brought)

    def dealt(self, brought: Brought) -> Deal:
        """The deal with these tiles in the opponent's hand, the others in some order."""
        seen = self._seen
        for _ in range(_TRIES if seen.sealed else 1):
            other = sum(brought)
            rest = [bit for bit in self._tiles if not bit & other]
            rest = self._some(rest, len(rest))
            if not seen.sealed:
                break
            sealed = [bit for bit in rest if bit & seen.sealed]
            dark = len(rest) - seen.left
            if not other & seen.sealed & ~DOUBLES and len(sealed) <= dark:
                # As often as the sealed tiles are the protected ones by chance.
                share = comb(len(rest) - len(sealed), dark - len(sealed)) / comb(len(rest), dark)
                if self._chance.random() < share:
                    rest = [bit for bit in rest if not bit & seen.sealed] + sealed
                    break
            brought = self.held()
        return Deal(other, tuple(rest[: seen.left]), sum(rest[seen.left :]), brought)

    def _some(self, tiles: list[int], count: int) -> list[int]:
        """So many of the tiles, in some order."""
        tiles = tiles[:]
        rest, chance = len(tiles), self._chance.random
        for at in range(count):
            other = at + int(chance() * (rest - at))
            tiles[at], tiles[other] = tiles[other], tiles[at]
        return tiles[:count]
