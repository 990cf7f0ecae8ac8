"""A night of matches between computer players, through real tables under a virtual clock.

    python -m benchmarks.bots.night [--hours 8] [--seed 1] [--levels easy,medium,strong]

Every level meets every level at every rule set, each pairing equally often, until so many hours of
site time have been played at the tables together. A thought takes the virtual clock as long as it
takes this machine, so that a move that comes too late here would come too late there: the table
plays in place of who has not answered after five seconds, and that is counted, as is every answer
that is refused.
Status 1, if there was any.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter

from app.bots.asked import NoAnswerError, answer
from app.bots.policies import levels
from app.bots.policy import LEVELS, Level
from app.live.thinking import asked
from app.table.clock import PRESETS
from app.table.commands import Act, Bot, Command, Create, Delivered, Fresh, Hash, Tick
from app.table.decision import Refused
from app.table.handle import handle
from app.table.match import THINK_MS
from app.table.playing import bots_to_act
from app.table.table import AnyGame, Table
from engine.chance import sha256
from engine.games import GAMES

HOUR_MS = 3_600_000


@dataclass
class Night:
    """What a night was like: matches by pairing, actions, refusals, and moves that the table had to
    play; thoughts in milliseconds."""

    matches: dict[str, int] = field(default_factory=dict)
    actions: int = 0
    illegal: int = 0
    late: int = 0
    ms: int = 0
    thoughts: list[float] = field(default_factory=list)

    def report(self) -> dict[str, object]:
        """What is printed."""
        slow = sorted(self.thoughts)
        return {
            "hours": round(self.ms / HOUR_MS, 2),
            "matches": sum(self.matches.values()),
            "by pairing": self.matches,
            "actions": self.actions,
            "illegal": self.illegal,
            "late": self.late,
            "thought ms": {
                "median": round(slow[len(slow) // 2], 1),
                "p99": round(slow[len(slow) * 99 // 100], 1),
                "slowest": round(slow[-1], 1),
            }
            if slow
            else None,
        }


class Played:
    """One match at one table between two or more computer players."""

    def __init__(self, night: Night, game: AnyGame, by_seat: Sequence[str], seed: int) -> None:
        self.night = night
        self.now = 0
        rng = random.Random(seed)
        options = {name: rng.choice(values) for name, values in game.choices.items()}
        fresh = Fresh(rng.randbytes(12).hex(), rng.randbytes(32))
        bots = tuple(Bot(f"p{seat}", f"p{seat}", level) for seat, level in enumerate(by_seat))
        create = Create(
            *("night", game, options, PRESETS["standard"], False, "p0", "p0"),
            bots=bots[1:],
            fresh=fresh,
        )
        self._table: Table | None = None
        self.do(create)
        # Whoever made it sits there as one of them.
        self._table = self.table.with_sitter(0, replace(self.table.sitter(0), bot=by_seat[0]))
        shake = self.table.handshake
        assert shake is not None
        self.do(Hash("p0", "hash", fresh.match, sha256(shake.bot_number(0))))

    @property
    def table(self) -> Table:
        """As last saved."""
        assert self._table is not None
        return self._table

    def do(self, command: Command) -> None:
        """Decide a command, and count what must not be."""
        decision = handle(self._table, command, self.now)
        if isinstance(decision.answer, Refused):
            assert isinstance(command, Act), decision.answer
            self.night.illegal += 1
        self._table = decision.table
        told = [entry.event["event"] for entry in decision.entries]
        self.night.late += told.count("auto")
        outbox = frozenset(entry.id for entry in self.table.outbox)
        if outbox:
            self._table = handle(self._table, Delivered(outbox), self.now).table

    def play(self) -> None:
        """To the end of the match."""
        while self.table.status == "running":
            match = self.table.match
            assert match is not None
            if match.pause_until is not None:
                self.now = match.pause_until
                self.do(Tick())
            else:
                assert match.bot_at is not None
                self.now = max(self.now, match.bot_at)
                self._move(match.id, match.ply)
            self.night.actions += 1
        self.night.ms += self.now

    def _move(self, match: str, ply: int) -> None:
        seat = bots_to_act(self.table)[0]
        began = perf_counter()
        try:
            action = answer(asked(self.table, seat))
        except NoAnswerError:
            action = None
        took = (perf_counter() - began) * 1_000
        self.night.thoughts.append(took)
        self.now += int(took)
        self.do(Tick())
        now = self.table.match
        if action is not None and now is not None and now.ply == ply:
            player = self.table.sitter(seat).player
            self.do(Act(player, f"bot:{match}:{ply}", match, ply, action))
        after = self.table.match
        if after is not None and after.ply == ply:  # the table plays in its place
            assert after.bot_at is not None
            self.now = after.bot_at + THINK_MS
            self.do(Tick())


def pairings(wanted: Iterable[Level]) -> Iterator[tuple[AnyGame, tuple[Level, ...]]]:
    """Every level against every level, at every rule set."""
    for game in GAMES:
        there = [each for each in levels(game.name, game.rules) if each in wanted]
        seats = game.seats({name: values[0] for name, values in game.choices.items()})
        for by_seat in itertools.product(there, repeat=seats):
            yield game, by_seat


def night(hours: float, seed: int, wanted: Sequence[Level] = LEVELS) -> Night:
    """Play until so many hours of site time are full."""
    played = Night()
    for number in itertools.count():
        for game, by_seat in pairings(wanted):
            match = Played(played, game, by_seat, seed * 1_000_003 + number)
            match.play()
            name = f"{game.name} {' – '.join(by_seat)}"
            played.matches[name] = played.matches.get(name, 0) + 1
        if played.ms >= hours * HOUR_MS:
            return played
    raise AssertionError


def main() -> int:
    """Play a night and say how it was."""
    parser = argparse.ArgumentParser(prog="benchmarks.bots.night", description=__doc__)
    parser.add_argument("--hours", type=float, default=8.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--levels", default=",".join(LEVELS))
    given = parser.parse_args()
    wanted = [level for level in LEVELS if level in given.levels.split(",")]
    played = night(given.hours, given.seed, wanted)
    json.dump(played.report(), sys.stdout, indent=1, ensure_ascii=False)
    print()
    return 1 if played.illegal or played.late else 0


if __name__ == "__main__":
    sys.exit(main())
