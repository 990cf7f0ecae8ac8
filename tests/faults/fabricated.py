"""A whole run made up in a moment, without any process: one match, decided by the table itself and
written down as a run would. The checks' own tests plant violations in it."""

from __future__ import annotations

import copy
import random
from functools import cache
from typing import Any

import msgspec

from app.ledger.values import coins, end_lines, of_match, of_player, stake_lines
from app.table import codec, views
from app.table.clock import PRESETS
from app.table.commands import (
    Act,
    Command,
    Connected,
    Create,
    Delivered,
    Fresh,
    Funded,
    Hash,
    Ready,
    Reveal,
    Settled,
    Sit,
    Tick,
)
from app.table.decision import Accepted, Decision
from app.table.handle import handle
from app.table.match import Match
from app.table.record import document
from app.table.table import Table
from engine import games
from engine.chance import sha256
from engine.game import Json
from tests.faults.evidence import Books, Evidence, Rest
from tests.faults.journal import Frame, Journal, Line, Page, Said, Who
from tests.faults.processes import Uses
from tests.faults.saves import Event, Saved
from tests.faults.timeline import Timeline

TABLE = "table-of-the-test"
MATCH = "match-of-the-test"
OPTIONS = {"domino": ("georgian", {"target": 75}), "nardi": ("short", {"points": 1})}
PLAYERS = ("p00-nino", "p01-gia")
NAMES = ("ნინო", "გია")
STAKE = 100
STEP = 200
"""Milliseconds between two commands."""


class Made:
    """The match while it is made up. ``at``: milliseconds, of site time and of the own clock."""

    def __init__(self, game: str, seed: int = 1) -> None:
        self.rng = random.Random(seed)
        rules, self.options = OPTIONS[game]
        self.game = games.game(game, rules)
        self.at = 1_000_000
        self.table: Table | None = None
        self.saves: list[Saved] = []
        self.journal = Journal()
        self.decisions: list[Decision] = []
        self.players = {
            id_: Who(id_, name, f"cookie of {id_}", 1000)
            for id_, name in zip(PLAYERS, NAMES, strict=True)
        }
        self.lines = [
            Line(number, TABLE, player, 0, None, 0.0)
            for number, player in enumerate((*PLAYERS, None), 1)
        ]
        self.journal.lines = {line.id: line for line in self.lines}

    def give(self, command: Command) -> None:
        """One command: saved, told to both players and a watcher, and answered."""
        self.at += STEP
        decision = handle(self.table, command, self.at)
        assert isinstance(decision.answer, Accepted), decision.answer
        assert decision.table is not None
        first = self.table is None
        self.table, at = decision.table, self.at / 1000
        self.decisions.append(decision)
        events = [Event(e.number, e.audience, e.event) for e in decision.entries]
        raw = msgspec.json.encode(codec.to_json(self.table))
        version, number = self.table.version, self.table.number
        self.saves.append(Saved(len(self.saves), TABLE, version, number, raw, events))
        message = _message(command)
        for line in self.lines:
            seat = self.table.seat_of(line.player)
            if message is not None and line.player == getattr(command, "player", None):
                self.journal.said.append(Said(at, line.id, message))
                answer = {"type": "accepted", "id": message["id"], "number": number}
                self._frame(at, line, answer)
            if first:
                self._frame(at, line, views.snapshot(self.table, seat, self.at))
            elif decision.entries:
                told = views.change(self.table, decision.entries, seat, self.at)
                self._frame(at, line, told)

    def _frame(self, at: float, line: Line, frame: Json) -> None:
        self.journal.frames.append(Frame(at, line.id, msgspec.json.encode(frame).decode()))

    @property
    def match(self) -> Match:
        assert self.table is not None
        assert self.table.match is not None
        return self.table.match

    def begin(self) -> None:
        """Until the match runs."""
        nino, gia = PLAYERS
        options, clock = self.options, PRESETS["fast"]
        self.give(
            Create(
                *(TABLE, self.game, options, clock, True, nino, NAMES[0]),
                stake=STAKE,
                funds="covers",
            )
        )
        self.give(Sit(gia, NAMES[1], Fresh(MATCH, bytes(range(32))), funds="covers"))
        for number, player in enumerate(PLAYERS):
            self.give(Connected(player, f"one.{number}"))
        self.give(Funded(MATCH))
        for player, who in self.players.items():
            who.numbers[MATCH] = sha256(player.encode())
            hash_ = sha256(who.numbers[MATCH])
            self.give(Hash(player, f"hash-of-{who.name}", MATCH, hash_))
        for player, who in self.players.items():
            self.give(Reveal(player, f"number-of-{who.name}", MATCH, who.numbers[MATCH]))

    def step(self) -> None:
        """One command of whoever is to move, or of who waits for the next hand."""
        match, table = self.match, self.table
        assert table is not None
        if match.pause_until is not None:
            seat = min({0, 1} - match.ready)
            self.give(Ready(PLAYERS[seat], f"ready-{match.begun}-{seat}", MATCH))
            return
        seat = self.game.to_act(match.state)[0]
        legal = [a for a in self.game.legal(match.state, seat) if not self.game.takes_back(a)]
        action = self.game.action_to_json(self.rng.choice(legal))
        self.give(Act(PLAYERS[seat], f"act-number-{match.ply}", MATCH, match.ply, action))

    def rest(self, ms: int) -> None:
        """Nobody moves for so long, and the site serves all the time."""
        self.at += ms
        self.give(Tick())

    def finish(self) -> Evidence:
        """Play on to the end, and settle."""
        while self.match.ended is None:
            self.step()
        assert self.table is not None
        end = next(e.payload for e in self.table.outbox if e.kind == "ended")
        moved = coins(STAKE, 2, end["winners"])
        self.give(Settled(MATCH, tuple(moved)))
        self.give(Delivered(frozenset(entry.id for entry in self.table.outbox)))
        lines = [line for decision in self.decisions for line in decision.lines]
        row = {
            "id": MATCH,
            "table_id": TABLE,
            "players": list(PLAYERS),
            "reason": end["reason"],
            "winners": end["winners"],
            "score": end["score"],
            "stake": STAKE,
            "coins": moved,
            "record": document(self.game, self.options, lines, end),
        }
        uses = {0: Uses(20, 4, 80 << 20)}
        return Evidence(
            seed=0,
            journal=self.journal,
            players=self.players,
            saves=self.saves,
            beats=[],
            books=_books(row),
            timeline=Timeline(apps={0: True}),
            logs={"process-0": "Ezo is open\n"},
            rest=Rest(at_rest=uses, at_end=dict(uses), statuses={0: [-9, 0]}),
            done=[],
        )


def evidence(game: str = "domino") -> Evidence:
    """A run in which all is as it should be, the caller's own."""
    return copy.deepcopy(_evidence(game))


@cache
def _evidence(game: str) -> Evidence:
    made = Made(game)
    made.begin()
    made.journal.pages.append(Page(1.0, None, f"/t/{TABLE}", 200, _page(made)))
    return made.finish()


def _page(made: Made) -> str:
    assert made.table is not None
    table = msgspec.json.encode(views.table_view(made.table, None, made.at)).decode()
    return f'<script type="application/json" id="table">{table}</script>'


def _message(command: Command) -> dict[str, Any] | None:
    match command:
        case Hash() | Reveal():
            kind = "hash" if isinstance(command, Hash) else "reveal"
            return {"type": kind, "id": command.id, "match": command.match}
        case Ready():
            return {"type": "ready", "id": command.id, "match": command.match}
        case Act():
            values = {"match": command.match, "ply": command.ply, "action": command.action}
            return {"type": "act", "id": command.id, **values}
        case _:
            return None


def _books(row: dict[str, Any]) -> Books:
    """As the ledger would have them."""
    stake, players, moved = row["stake"], row["players"], row["coins"]
    accounts = {of_player(p): 1000 + moved[seat] for seat, p in enumerate(players)}
    lines = {
        f"stake:{MATCH}": stake_lines(MATCH, players, stake),
        f"pay:{MATCH}": end_lines(MATCH, players, stake, moved),
        **{f"start:{p}": {"mint": -1000, of_player(p): 1000} for p in players},
    }
    return Books(
        matches={MATCH: row},
        seats=[
            {"match_id": MATCH, "seat": seat, "player": player}
            for seat, player in enumerate(players)
        ],
        voids={},
        escrow={
            MATCH: {
                "match": MATCH,
                "state": "paid",
                "stake": stake,
                "players": players,
                "winners": row["winners"],
            }
        },
        transfers={
            key: {
                "key": key,
                "kind": key.partition(":")[0],
                "match": None if key.startswith("start") else MATCH,
            }
            for key in lines
        },
        entries=[
            {"transfer": key, "account": account, "amount": amount}
            for key, each in lines.items()
            for account, amount in each.items()
        ],
        accounts={**accounts, of_match(MATCH): 0, "mint": -2000},
        report="",
    )
