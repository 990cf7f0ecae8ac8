"""A record played again through the rules (spec of the record, *From the command line*)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from engine.game import Ask, Event, Json, Refusal, Step, Unreadable
from engine.record import Record

Watch = Callable[[Ask, tuple[int, ...]], None]


@dataclass(slots=True)
class Replay:
    """Iterating plays the record and yields the rows to print. Afterwards ``state`` is where it
    stands and ``refused`` says whether its last row is a refusal.

    ``watch`` is told every ask of chance with what the record answers.
    """

    record: Record
    watch: Watch | None = None
    state: Any = None
    refused: bool = False

    def __iter__(self) -> Iterator[Json]:
        game, record = self.record.game, self.record
        self.state = game.start(record.options).state
        self.refused = False
        for number, hand in enumerate(record.hands, 1):
            yield from self._hand(number, hand)
            if self.refused:
                return
        yield from self._end()

    def _refuse(self, hand: int, n: int, why: object) -> Json:
        self.refused = True
        return {"hand": hand, "n": n, "error": str(why)}

    def under_way(self, number: int) -> bool:
        """Whether the hand of that number, the last so far, is still under way."""
        game = self.record.game
        if game.outcome(self.state) is not None or number != len(self.record.hands):
            return False
        return self._open(number)

    def _open(self, number: int) -> bool:
        """Whether more of the hand of that number can follow."""
        game = self.record.game
        if game.outcome(self.state) is not None:
            return False
        ask = game.asks(self.state)
        return ask is None or ask.hand == number

    def _chance(self, number: int, hand: Json) -> tuple[Event, ...]:
        """Answers from the record whatever this hand asks, as far as the record goes."""
        game = self.record.game
        events: tuple[Event, ...] = ()
        while (ask := game.asks(self.state)) is not None and ask.hand == number:
            answer = game.recorded(hand, ask)
            if answer is None:
                break
            if self.watch is not None:
                self.watch(ask, answer)
            step: Step[Any] = game.give(self.state, answer)
            self.state = step.state
            events += step.events
        return events

    def _hand(self, number: int, hand: Json) -> Iterator[Json]:
        game = self.record.game
        lines: list[str] = hand[game.lines_key]
        ask = game.asks(self.state)
        if ask is None or ask.hand != number:
            over = game.outcome(self.state) is not None
            yield self._refuse(number, 0, "match_over" if over else "the hand before is unfinished")
            return
        try:
            events = self._chance(number, hand)
        except (Refusal, Unreadable) as wrong:
            yield self._refuse(number, 0, wrong)
            return
        if lines and not self._open(number):
            yield self._refuse(number, 0, "a hand that was dealt again has no plays")
            return
        yield from self._rows(number, 0, None, events)
        for n, line in enumerate(lines, 1):
            if not self._open(number):
                yield self._refuse(number, n, "the hand is over")
                return
            try:
                events = self._line(number, hand, line)
            except (Refusal, Unreadable) as wrong:
                yield self._refuse(number, n, wrong)
                return
            yield from self._rows(number, n, line, events)

    def _line(self, number: int, hand: Json, line: str) -> tuple[Event, ...]:
        game = self.record.game
        seat, actions = game.read_line(self.state, line)
        events: tuple[Event, ...] = ()
        for action in actions:
            step = game.apply(self.state, seat, action)
            self.state = step.state
            events += step.events + self._chance(number, hand)
        return events

    def _rows(
        self, number: int, n: int, line: str | None, events: tuple[Event, ...]
    ) -> Iterator[Json]:
        for row in self.record.game.rows(self.state, line, events):
            yield {"hand": number, **row} if "end" in row else {"hand": number, "n": n, **row}

    def _end(self) -> Iterator[Json]:
        game, end = self.record.game, self.record.end
        outcome = game.outcome(self.state)
        score = list(game.score(self.state))
        if outcome is not None:
            if end is not None and (end.reason != "points" or end.winner not in outcome.winners):
                yield self._misfit("the match ended by points, for another end than it says")
                return
            yield {"winner": outcome.winners[0], "reason": outcome.reason, "score": score}
        elif end is not None:
            if end.reason == "points":
                yield self._misfit("the match has not ended by points")
                return
            yield {"winner": end.winner, "reason": end.reason, "score": score}

    def _misfit(self, why: str) -> Json:
        """A refusal of what comes after the last line."""
        hands = self.record.hands
        last = len(hands[-1][self.record.game.lines_key]) if hands else 0
        return self._refuse(max(1, len(hands)), last + 1, why)
