"""Whole matches of both games on bad lines: they end by the rules, with the right winner; no clock
runs while nobody serves; the record replays; and nobody is told what they must not know."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from app.table import codec, views
from app.table.commands import Command
from app.table.decision import Decision
from app.table.record import document
from app.table.table import Table
from engine import games
from engine.record import read
from engine.replay import Replay
from engine.verify import verify
from tests.table.second_opinion import Referee
from tests.table.secrets import twisted
from tests.table.sim import Faults, Sim, games_of, play

MATCHES = int(os.environ.get("EZO_SIMULATED", "400"))
"""Tables of either game; each is the scene of one or two matches."""
BATCHES = 8

CALM = Faults(0, 0, 50, 0, 0, 0, 0, 0, 0, 0, 0)
BAD = Faults()
WORSE = Faults(
    lost=0.25, doubled=0.25, late_ms=2_500, drop=0.05, slow=0.06, restart=0.02, outage=0.004
)
GAMES: dict[str, tuple[Any, dict[str, int]]] = {
    "domino": (games.game("domino", "georgian"), {"target": 75}),
    "nardi": (games.game("nardi", "short"), {"points": 1}),
}


class Watch:
    """The referee, and somebody who reads over every viewer's shoulder now and then."""

    def __init__(self, sim: Sim) -> None:
        self.sim = sim
        self.referee = Referee()
        self.looked = 0

    def __call__(
        self, before: Table | None, command: Command, decision: Decision, now: int
    ) -> None:
        self.referee(before, command, decision, now)
        table = decision.table
        if table is None or table is before or decision.gone:
            return
        if self.sim.rng.random() < 0.03:
            self.looked += 1
            self.look(table, decision, now)

    def look(self, table: Table, decision: Decision, now: int) -> None:
        size = len(json.dumps(codec.to_json(table), separators=(",", ":")))
        assert size < 4_096, size
        assert codec.from_json(json.loads(json.dumps(codec.to_json(table))), games_of) == table
        hidden = secrets_of(table)
        for viewer in (*range(len(table.seats)), None):
            frame = json.dumps(views.snapshot(table, viewer, now))
            if decision.entries:
                frame += json.dumps(views.change(table, decision.entries, viewer, now))
            for secret in hidden:
                assert secret not in frame
            other = twisted(table, viewer, self.sim.rng)
            assert json.dumps(views.snapshot(other, viewer, now)) == json.dumps(
                views.snapshot(table, viewer, now)
            )


def secrets_of(table: Table) -> list[str]:
    """All that no viewer may know now: the chain, the running hand's secret, numbers before the
    match."""
    hidden = []
    if table.handshake is not None:
        shake = table.handshake
        hidden += [shake.chain.last.hex(), shake.chain.secret(1).hex()]
        hidden += [number.hex() for number in shake.numbers if number is not None]
    if table.match is not None:
        match = table.match
        hidden.append(match.chain.last.hex())
        if len(match.secrets) < match.begun:
            hidden.append(match.secret.hex())
        hidden.append(match.chain.secret(match.begun + 1).hex())
    return hidden


def check(sim: Sim) -> None:
    """What must be so when the evening is over."""
    assert sim.gone  # nothing lives for ever
    for end in sim.ended:
        lines = sim.lines.get(end["match"], [])
        record = read(json.loads(json.dumps(document(sim.game, sim.options, lines, end))))
        replay = Replay(record)
        rows = list(replay)
        assert not replay.refused, rows[-1]
        assert rows[-1]["winner"] == end["winners"][0]
        assert rows[-1]["reason"] == end["reason"]
        assert rows[-1]["score"] == end["score"]
        *_, verdict = verify(record)
        assert verdict["verified"], verdict
    started = [entry for entry in sim.entries if entry.event["event"] == "match_started"]
    assert [entry.event["match"] for entry in started] == [end["match"] for end in sim.ended]
    voids = [entry.event for entry in sim.entries if entry.event["event"] == "void"]
    assert [(v["match"], v["cause"]) for v in voids] == [
        (v["match"], v["cause"]) for v in sim.voids
    ]
    # Ids are never used again.
    ids = [v["match"] for v in sim.voids] + [end["match"] for end in sim.ended]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("name", sorted(GAMES))
def test_thousands_of_matches_on_bad_lines(name: str, batch: int) -> None:
    game, options = GAMES[name]
    ended = looked = 0
    for number in range(MATCHES // BATCHES):
        seed = batch * 1_000_000 + number
        watches: list[Watch] = []

        def watch(sim: Sim, into: list[Watch] = watches) -> Watch:
            into.append(Watch(sim))
            return into[-1]

        faults = (BAD, BAD, WORSE)[number % 3]
        try:
            sim = play(game, options, seed, faults, watch)
            check(sim)
        except Exception as wrong:
            raise AssertionError(f"{name}, seed {seed}, faults {number % 3}") from wrong
        ended += len(sim.ended)
        looked += watches[0].looked
    assert ended >= MATCHES // BATCHES // 2
    assert looked


@pytest.mark.parametrize("name", sorted(GAMES))
def test_on_good_lines_every_match_ends_by_points(name: str) -> None:
    game, options = GAMES[name]
    for seed in range(20):
        sim = play(game, options, seed, CALM, Watch)
        check(sim)
        assert [end["reason"] for end in sim.ended] == ["points"] * len(sim.ended)
        assert sim.ended
        assert not sim.voids
