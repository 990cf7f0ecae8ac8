"""A record walked through: everything that happens in it, beat by beat.

What plays a record again for any purpose (rows, frames, figures, a match file) goes this way, so
that all of them agree on what a record is and on the first thing that the rules refuse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from engine.game import Ask, Event, Json, Refusal, Seat, Unreadable
from engine.record import Record

Watch = Callable[[Ask, tuple[int, ...]], None]


class Refused(Exception):
    """The rules refuse the record: at which hand and line (``n`` 0: the hand itself), and why."""

    def __init__(self, hand: int, n: int, why: object) -> None:
        super().__init__(f"hand {hand}, line {n}: {why}")
        self.hand = hand
        self.n = n
        self.why = str(why)


@dataclass(frozen=True, slots=True)
class Beat:
    """The least that is worth showing by itself: an answer of chance that opens a hand (``n`` 0,
    ``line`` and ``seat`` are ``None``), or one action of a line with what it led to.

    ``state`` is the one after it. ``done``: it is the last beat of its line, or the last before
    the first line.
    """

    hand: int
    n: int
    line: str | None
    seat: Seat | None
    state: Any
    events: tuple[Event, ...]
    done: bool


@dataclass(slots=True)
class Walk:
    """Iterating yields the record's beats in order and raises :class:`Refused`. ``state`` is
    where it stands.

    ``watch`` is told every ask of chance with what the record answers, while ``state`` is still
    the one that asks.
    """

    record: Record
    watch: Watch | None = None
    state: Any = None

    def __iter__(self) -> Iterator[Beat]:
        self.state = self.record.game.start(self.record.options).state
        for number, hand in enumerate(self.record.hands, 1):
            yield from self._hand(number, hand)
        self._check_end()

    def piece(self, hand: Json) -> Iterator[Beat]:
        """The beats of a hand, or of what is left of it from :attr:`state` on, which need not be
        the start of a match; ``hand`` is recorded as that hand is, without what has been before."""
        ask = self.record.game.asks(self.state)
        number = self.record.game.hand(self.state) if ask is None else ask.hand
        yield from self._beats(number, hand)

    def open(self, number: int) -> bool:
        """Whether more of the hand of that number can follow."""
        game = self.record.game
        if game.outcome(self.state) is not None:
            return False
        ask = game.asks(self.state)
        return ask is None or ask.hand == number

    def _answer(self, number: int, hand: Json) -> tuple[Event, ...] | None:
        """One ask of this hand answered from the record; ``None``: none, or it goes no further."""
        game = self.record.game
        ask = game.asks(self.state)
        if ask is None or ask.hand != number:
            return None
        answer = game.recorded(hand, ask)
        if answer is None:
            return None
        if self.watch is not None:
            self.watch(ask, answer)
        step = game.give(self.state, answer)
        self.state = step.state
        return step.events

    def _hand(self, number: int, hand: Json) -> Iterator[Beat]:
        game = self.record.game
        ask = game.asks(self.state)
        if ask is None or ask.hand != number:
            over = game.outcome(self.state) is not None
            raise Refused(number, 0, "match_over" if over else "the hand before is unfinished")
        yield from self._beats(number, hand)

    def _beats(self, number: int, hand: Json) -> Iterator[Beat]:
        lines: list[str] = hand[self.record.game.lines_key]
        opening: list[tuple[Any, tuple[Event, ...]]] = []
        try:
            while (events := self._answer(number, hand)) is not None:
                opening.append((self.state, events))
        except (Refusal, Unreadable) as wrong:
            raise Refused(number, 0, wrong) from None
        if lines and not self.open(number):
            raise Refused(number, 0, "a hand that was dealt again has no plays")
        for left, (state, events) in zip(range(len(opening) - 1, -1, -1), opening, strict=True):
            yield Beat(number, 0, None, None, state, events, left == 0)
        for n, line in enumerate(lines, 1):
            if not self.open(number):
                raise Refused(number, n, "the hand is over")
            try:
                yield from self._line(number, n, hand, line)
            except (Refusal, Unreadable) as wrong:
                raise Refused(number, n, wrong) from None

    def _line(self, number: int, n: int, hand: Json, line: str) -> Iterator[Beat]:
        game = self.record.game
        seat, actions = game.read_line(self.state, line)
        events: tuple[Event, ...] = ()
        for action, following in zip(actions, (*actions[1:], None), strict=True):
            step = game.apply(self.state, seat, action)
            self.state = step.state
            events += step.events
            while (told := self._answer(number, hand)) is not None:
                events += told
            if following is None or game.shows(following):
                yield Beat(number, n, line, seat, self.state, events, following is None)
                events = ()

    def _check_end(self) -> None:
        """Raises :class:`Refused` where the match did not end as the record says."""
        end, outcome = self.record.end, self.record.game.outcome(self.state)
        if end is None:
            return
        if outcome is not None:
            if end.reason != "points" or end.winner not in outcome.winners:
                raise self._misfit("the match ended by points, for another end than it says")
        elif end.reason == "points":
            raise self._misfit("the match has not ended by points")

    def _misfit(self, why: str) -> Refused:
        """A refusal of what comes after the last line."""
        hands = self.record.hands
        last = len(hands[-1][self.record.game.lines_key]) if hands else 0
        return Refused(max(1, len(hands)), last + 1, why)
