"""A match of short nardi as a ``.mat`` file, the match format of Jellyfish that GNU Backgammon and
others import.

What it looks like: the length of the match; then for each hand its number, the names with the score
before it, and two columns of turns, seat 0's on the left. A turn is ``52: 13/8 24/22`` in the
mover's numbering, one checker and one die at a time, 25 the bar, 0 off, a star for a kill; without
moves where nothing can be played. Oini, marsi and koksi are the format's single game, gammon and
backgammon, also by the points they give (N17). There is no doubling in nardi (N20), so no turn
doubles, and whether a reader assumes the Crawford rule makes no difference.
"""

from __future__ import annotations

import re
from typing import Final

from engine.game import Seat, Unreadable
from engine.latin import latin
from engine.nardi.events import HandEnded, HandStarted, Moved, Pair, Rolled, TurnEnded
from engine.record import Record
from engine.walk import Beat, Walk

_NAME: Final = 20
_LEFT: Final = 34
"""Width of the left column; the longest turn has 32."""
_DAY: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)T")


def export(record: Record) -> str:
    """The match file of a record, in ASCII.

    A match that was given up ends with a line that gives the winner the points that were lacking
    (N20: giving up loses the match). GNU Backgammon knows no resignation of more than three points
    and none before the first roll of a game, so it shows a match that lacked more, or that was
    given up between two hands, as not over yet; the header says who won. A match under way or void
    ends where its turns end.

    Raises :class:`Unreadable` for a record of another game, :class:`~engine.walk.Refused` for what
    the rules refuse.
    """
    if (record.game.name, record.game.rules) != ("nardi", "short"):
        raise Unreadable("a match file is of short nardi only")
    target = record.options["points"]
    names = _names(record)
    hands = [_Hand(number) for number in range(1, len(record.hands) + 1)]
    walk = Walk(record)
    for beat in walk:
        hands[beat.hand - 1].add(beat)
    score: Pair = walk.state.score
    winner = None if record.end is None else record.end.winner
    if walk.state.outcome is None and winner is not None:
        if not hands or hands[-1].winner is not None:  # given up between two hands
            hands.append(_Hand(len(hands) + 1))
        hands[-1].give_up(winner, target - score[winner])
    lines = [*_header(record, names), f" {target} point match"]
    score = (0, 0)
    for hand in hands:
        left, right = (f"{name} : {points}" for name, points in zip(names, score, strict=True))
        lines += ["", f" Game {hand.number}", f" {left:<{_LEFT + 4}}{right}"]
        score = hand.after(score)
        lines += hand.lines(max(score) >= target)
    return "\n".join(lines) + "\n"


class _Hand:
    """A hand as it is written down."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.turns: list[tuple[Seat, str]] = []
        self.opener: Seat | None = None
        self.winner: Seat | None = None
        self.points = 0
        self._moves: list[str] = []
        self._dice = ""

    def add(self, beat: Beat) -> None:
        """What happened next."""
        for event in beat.events:
            if isinstance(event, HandStarted | Rolled):
                self._dice, self._moves = f"{event.dice[0]}{event.dice[1]}:", []
                self.opener = event.seat if self.opener is None else self.opener
            elif isinstance(event, Moved):
                self._moves.append(f"{event.source}/{event.target}{'*' * event.kill}")
            elif isinstance(event, TurnEnded):
                self.turns.append((event.seat, " ".join([self._dice, *self._moves])))
            elif isinstance(event, HandEnded):
                self.win(event.winner, event.points)

    def win(self, seat: Seat, points: int) -> None:
        """The end of the hand."""
        self.winner, self.points = seat, points

    def give_up(self, seat: Seat, points: int) -> None:
        """The end of a hand that ``seat`` wins since another gave up. To GNU Backgammon a game
        has begun with its first roll, so that of the opening is told where no turn was."""
        if self.opener is not None and not self.turns:
            self.turns.append((self.opener, f"{self._dice} ????"))
        self.win(seat, points)

    def after(self, score: Pair) -> Pair:
        """The score after the hand."""
        won = [points + self.points * (seat == self.winner) for seat, points in enumerate(score)]
        return won[0], won[1]

    def lines(self, last: bool) -> list[str]:
        """Two columns: the turns, numbered, and who won; ``last``: the match too."""
        cells = list(self.turns)
        if self.winner is not None:
            plural = "s" * (self.points != 1)
            cells.append(
                (self.winner, f"Wins {self.points} point{plural}" + " and the match" * last)
            )
        rows: list[list[str]] = []
        for seat, text in cells:
            if seat == 0 or not rows or rows[-1][1]:
                rows.append(["", ""])
            rows[-1][seat] = text
        return [
            f"{number:>3}) {left:<{_LEFT}}{right}".rstrip()
            for number, (left, right) in enumerate(rows, 1)
        ]


def _names(record: Record) -> tuple[str, str]:
    """The players' names in a form that no reader of the format stumbles over, two of them."""
    given = record.whole.get("players", ("", ""))
    first, second = (latin(name, _NAME) or f"Player_{n}" for n, name in enumerate(given, 1))
    if first.lower() == second.lower():
        return f"{first}_1", f"{second}_2"
    return first, second


def _header(record: Record, names: tuple[str, str]) -> list[str]:
    """What the format's readers know as comments."""
    whole = record.whole
    told = [f'[Player {n} "{name}"]' for n, name in enumerate(names, 1)]
    if match := latin(whole.get("match", ""), 64):
        told.insert(0, f'[Match ID "{match}"]')
    if day := _DAY.match(whole.get("started", ""), 0):
        told.append(f'[EventDate "{".".join(day.groups())}"]')
    told += ['[Variation "Backgammon"]', '[CubeLimit "1"]']
    if record.end is not None and record.end.reason != "points":
        winner = "nobody" if record.end.winner is None else names[record.end.winner]
        told.append(f'[Result "{record.end.reason}, won by {winner}"]')
    return [f"; {each}" for each in told]
