"""A record played again through the rules (spec of the record, *From the command line*)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine.game import Event, Json
from engine.record import Record
from engine.walk import Refused, Walk, Watch


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
        walk = Walk(self.record, self.watch)
        self.refused = False
        events: tuple[Event, ...] = ()
        try:
            for beat in walk:
                self.state = beat.state
                events += beat.events
                if beat.done:
                    yield from self._rows(beat.hand, beat.n, beat.line, events)
                    events = ()
        except Refused as wrong:
            self.refused = True
            yield {"hand": wrong.hand, "n": wrong.n, "error": wrong.why}
            return
        finally:
            self.state = walk.state
        yield from self._end()

    def under_way(self, number: int) -> bool:
        """Whether the hand of that number, the last so far, is still under way."""
        return number == len(self.record.hands) and Walk(self.record, state=self.state).open(number)

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
            yield {"winner": outcome.winners[0], "reason": outcome.reason, "score": score}
        elif end is not None:
            yield {"winner": end.winner, "reason": end.reason, "score": score}
