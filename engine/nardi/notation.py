"""The moves of a turn as text, standard backgammon notation from the mover's side.

``13/8 24/22``, ``24/21(2) 13/10*(2)``, ``bar/24 13/7*``, ``6/off 4/off``, ``24/18*/17``; nothing
at all for no legal move. A star marks a kill; every point where a checker kills is written; a
point that is not written was passed without a kill; ``(n)`` repeats a move n times, and with a
star the first of them kills.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import Final, NamedTuple, TypeAlias

from engine.game import Refusal, Unreadable
from engine.nardi.board import BAR, OFF, Board
from engine.nardi.moves import Step, play
from engine.nardi.turns import moves_of, steps

_POINT: Final = r"(?:[1-9]|1[0-9]|2[0-4])"
_MOVE: Final = re.compile(
    rf"(?P<path>(?:bar|{_POINT})(?:/{_POINT}\*?)*/(?:{_POINT}\*?|off))(?:\((?P<times>[2-4])\))?"
)


class Stop(NamedTuple):
    """A written point of a checker's way, and whether it kills there."""

    point: int
    kill: bool


class Chain(NamedTuple):
    """One checker's way as it is written: where it starts, where it stops."""

    source: int
    stops: tuple[Stop, ...]

    @property
    def points(self) -> tuple[int, ...]:
        """Start and stops without their kills."""
        return (self.source, *(stop.point for stop in self.stops))

    @property
    def kills(self) -> bool:
        """Whether it kills anywhere."""
        return any(stop.kill for stop in self.stops)


def write(board: Board, played: Sequence[Step]) -> str:
    """The text of some steps played on ``board`` in this order, higher checkers first."""
    chains: list[list[Stop]] = []
    for step in played:
        board, kills = play(board, step)
        stop = Stop(step.target, kills)
        for chain in chains:
            if chain[-1].point == step.source:
                chain.append(stop)
                break
        else:
            chains.append([Stop(step.source, False), stop])
    written = [
        Chain(source.point, (*(stop for stop in passed if stop.kill), last))
        for source, *passed, last in chains
    ]
    written.sort(key=lambda chain: (chain.points, chain.kills), reverse=True)
    return " ".join(
        _write(next(equal), 1 + sum(1 for _ in equal))
        for _, equal in groupby(written, key=lambda chain: chain.points)
    )


def _write(chain: Chain, times: int) -> str:
    path = "bar" if chain.source == BAR else str(chain.source)
    for point, kill in chain.stops:
        path += "/" + ("off" if point == OFF else str(point)) + "*" * kill
    return f"{path}({times})" if times > 1 else path


MOST: Final = 4
"""A turn has no more moves (N5)."""


def parse(text: str) -> tuple[Chain, ...]:
    """The chains of a text, repeated ones one by one. Raises :class:`Unreadable`, and
    :class:`Refusal` as soon as there are more than a turn can have."""
    chains: list[Chain] = []
    for word in text.split(" ", MOST) if text else ():
        if len(chains) >= MOST:
            raise Refusal("illegal_turn", "N5", moves=text[:80])
        match = _MOVE.fullmatch(word)
        if match is None:
            raise Unreadable(f"not a move: {word[:20]!r}")
        source, *stops = match["path"].split("/")
        chain = Chain(
            BAR if source == "bar" else int(source),
            tuple(
                Stop(OFF if stop == "off" else int(stop.rstrip("*")), stop.endswith("*"))
                for stop in stops
            ),
        )
        if any(one <= other for one, other in zip(chain.points, chain.points[1:], strict=False)):
            raise Unreadable(f"a checker moves from 24 towards 1: {word[:20]!r}")
        chains.append(chain)
        quiet = Chain(chain.source, tuple(Stop(stop.point, False) for stop in chain.stops))
        chains += [quiet] * (int(match["times"] or 1) - 1)
    return tuple(chains)


def read(board: Board, dice: Sequence[int], text: str) -> tuple[Step, ...]:
    """The steps of a complete legal turn that ``text`` says, in an order that can be played.

    Raises :class:`Unreadable` for what is no notation, and :class:`Refusal`:

    =================  ====  ==========================================================
    code               rule  meaning
    =================  ====  ==========================================================
    wrong_star         N10   a star without a kill, or a kill without its star
    turn_not_complete  N7    more dice can be used
    illegal_turn       N4    no legal turn has these moves
    =================  ====  ==========================================================
    """
    chains = parse(text)
    left = moves_of(dice)
    if len(chains) <= len(left):
        if (found := _search(board, left, chains)) is not None:
            return found
        if _search(board, left, chains, stars=False) is not None:
            raise Refusal("wrong_star", "N10", moves=text[:80])
        if _search(board, left, chains, whole=False) is not None:
            raise Refusal("turn_not_complete", "N7", moves=text[:80])
    raise Refusal("illegal_turn", "N4", moves=text[:80])


_Pending: TypeAlias = tuple[Chain, ...]


def _search(
    board: Board, left: tuple[int, ...], pending: _Pending, stars: bool = True, whole: bool = True
) -> tuple[Step, ...] | None:
    """Legal steps that go all the pending ways: with their kills, and to the end of the turn."""
    legal = steps(board, left)
    if not pending:
        return None if whole and legal else ()
    for step in legal:
        after, kills = play(board, step)
        for chain in dict.fromkeys(pending):
            onward = _follow(chain, step, kills, stars)
            if chain.source != step.source or onward is None:
                continue
            rest = list(left)
            rest.remove(step.die)
            others = list(pending)
            others.remove(chain)
            others += [onward] if onward.stops else []
            found = _search(after, tuple(rest), tuple(others), stars, whole)
            if found is not None:
                return (step, *found)
    return None


def _follow(chain: Chain, step: Step, kills: bool, stars: bool) -> Chain | None:
    """What is left of a way after a step; ``None`` if the step does not belong to it."""
    stop, *later = chain.stops
    target = step.target
    if target == stop.point:
        return Chain(target, tuple(later)) if not stars or kills == stop.kill else None
    if target < stop.point or (stars and kills):
        return None
    return Chain(target, chain.stops)
