"""A table and its line in the lobby, as the wire has them (``docs/protocol.md``)."""

from __future__ import annotations

from typing import Any, Literal

from app.table.match import EndReason, Step, VoidCause
from app.table.table import ClosedCause, Status
from app.web.api.played import RatingChange
from app.web.api.values import GAME, MATCH, MOMENT, OPTIONS, Told, told

_HEX = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
_TABLE = "n3wT4bl3_Id-x7Qz"


class MoveClock(Told):
    """The clock of a listed table."""

    move_ms: int = told("For a move, in ms", 30_000)
    reserve_ms: int = told("For the whole match, in ms", 120_000)


class Listing(Told):
    """A table's line in the lobby."""

    id: str = told("Its id; it has a page at `/t/{id}`", _TABLE)
    game: str = told("The game", GAME.name)
    rules: str = told("The rule set", GAME.rules)
    options: dict[str, int] = told("What the table's creator picked", OPTIONS)
    stake: int = told("What each seat stakes; 0: a free table", 100)
    pot: int = told("What the winner gets of the stakes", 200)
    clock: MoveClock = told("Its clock")
    status: Literal["open", "running"] = told("Whether it waits for players or plays", "open")
    seats: list[str | None] = told("Names by seat; null: free", ["ნინო", None])
    score: list[int] | None = told("The points by seat; null: no match yet", None)
    made_at: int = told("When it was made, site time in ms", MOMENT)


class TableClock(MoveClock):
    """The clock of a table."""

    absence_ms: int = told("How long somebody on turn may be away, in ms", 60_000)


class Sitter(Told):
    """Who sits on a seat."""

    name: str = told("Their name", "ნინო")
    bot: str | None = told("The level of a computer player; null: a person", None)
    present: bool = told("Whether any connection of theirs lives", True)
    absent_at: int | None = told("Since when none does, site time in ms", None)


class Handshake(Told):
    """How far the handshake is."""

    step: Step = told("What is waited for", "hash")
    until: int = told("Until when, site time in ms", MOMENT + 30_000)
    commitment: str = told("What the server is committed to", _HEX)
    hashes: list[str | None] = told("The hashes by seat, as far as handed on", [None, None])
    done: list[bool] = told("Which seats have done the step", [True, False])


class Proof(Told):
    """What may be checked by now: never a secret of a hand that still runs."""

    match: str = told("The match", MATCH)
    commitment: str = told("What the server was committed to", _HEX)
    hashes: list[str] = told("The hashes by seat", [_HEX, _HEX])
    numbers: list[str] = told("The numbers by seat", [_HEX, _HEX])
    secrets: list[str] = told("The secrets of finished hands", [])


class SeatClock(Told):
    """The clock of a seat. Moments are site time in ms."""

    reserve_ms: int = told("The reserve, as last settled", 120_000)
    since: int | None = told("Since when a move runs; null: none does", MOMENT)
    move_until: int | None = told("When the move's own time is used up", MOMENT + 30_000)
    until: int | None = told("When the reserve is, too", MOMENT + 150_000)
    absence_until: int | None = told("When the countdown of an absence ends", None)
    timeouts: int = told("Moves in a row that the server has played", 0)


class Pause(Told):
    """A look at a finished hand."""

    until: int = told("When the next is dealt, site time in ms", MOMENT + 8_000)
    ready: list[bool] = told("Which seats need not wait", [True, False])


class Ended(Told):
    """How the match ended."""

    winners: list[int] = told("The seats that have won; none of a void match", [0])
    reason: EndReason = told("Why it ended", "points")
    score: list[int] = told("The points by seat", [80, 55])
    at: int = told("When it ended, site time in ms", MOMENT)
    kept: bool = told("Whether it has a page of its own", True)
    coins: list[int] | None = told("The coins it has moved; null: none, or not yet", [100, -100])
    ratings: list[RatingChange] | None = told(
        "What it has made of ratings; null: it is not rated, or not yet"
    )


class Rematch(Told):
    """Whether there will be another match."""

    wants: list[bool] = told("Which seats want one", [False, False])
    wins: list[int] = told("Matches won here, by seat", [1, 0])
    possible: bool = told("Whether one is still possible", False)


class Void(Told):
    """A handshake that came to nothing."""

    match: str = told("The match that it was for", MATCH)
    cause: VoidCause = told("Why", "no_hash")
    seats: list[int] = told("On whose seats", [1])


class TableState(Told):
    """A table as the reader may see it, and nothing else."""

    id: str = told("Its id; it has a page at `/t/{id}`", _TABLE)
    game: str = told("The game", GAME.name)
    rules: str = told("The rule set", GAME.rules)
    options: dict[str, int] = told("What its creator picked", OPTIONS)
    now: int = told("Site time at which this was made, in ms", MOMENT)
    public: bool = told("Listed in the lobby, or reached by its link alone", True)
    stake: int = told("What each seat stakes; 0: a free table", 100)
    pot: int = told("What the winner gets of the stakes", 200)
    clock: TableClock = told("Its clock")
    status: Status = told("What happens at it", "open")
    seats: list[Sitter | None] = told("The seats; null: free")
    you: int | None = told("The reader's seat; null: they watch", 0)
    host: int | None = told("The seat that has waited longest", 0)
    match: str | None = told("The match, from its handshake on", None)
    ply: int = told("Actions of the match so far", 0)
    handshake: Handshake | None = told("The handshake, while it lasts")
    fairness: Proof | None = told("What may be checked, once the match has begun")
    clocks: list[SeatClock] | None = told("The clocks by seat, once the match has begun")
    pause: Pause | None = told("The pause between two hands")
    ended: Ended | None = told("The end of the match")
    rematch: Rematch = told("Whether there will be another match")
    void: Void | None = told("The last handshake that came to nothing")
    closed: ClosedCause | None = told("Why nobody sits down here any more", None)
    view: dict[str, Any] | None = told(
        "What the reader may know of the game, as the wire has it; null: no match yet", None
    )
