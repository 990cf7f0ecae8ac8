"""Figures of a match by seat: plain counters, so that those of many matches are added up."""

from __future__ import annotations

from engine.record import Record
from engine.walk import Walk

COMMON = ("hands", "points")
"""Hands in which somebody has played (a deal without a double is none); points made, at the table
and for hands won."""


def figures(record: Record) -> tuple[dict[str, int], ...]:
    """By seat the :data:`COMMON` figures and the game's own ``counters``, those that are 0 too.

    What was played of a hand that was given up counts. Raises :class:`~engine.walk.Refused` for
    what the rules refuse.
    """
    game = record.game
    played = sum(1 for hand in record.hands if hand[game.lines_key])
    empty = {"hands": played, "points": 0, **dict.fromkeys(game.counters, 0)}
    found = [dict(empty) for _ in range(game.seats(record.options))]
    walk = Walk(record)
    for beat in walk:
        for seat, name, amount in game.count(beat.state, beat.events):
            found[seat][name] += amount
    for seat, points in enumerate(game.score(walk.state)):
        found[seat]["points"] = points
    return tuple(found)
