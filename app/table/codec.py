"""A table as plain JSON for the store, secrets included, and back."""

from __future__ import annotations

from typing import Any, Final

from app.table.clock import ClockSettings, SeatClock
from app.table.match import Ended, Handshake, Match, Rated
from app.table.seat import Answered, Sitter
from app.table.table import AnyGame, Games, Outgoing, Table, Void
from engine.chance import Chain
from engine.game import Json, Unreadable

SCHEMA: Final = 2
"""A release reads this and the one before it, once there is one to read."""


def to_json(table: Table) -> Json:
    """Everything of a table."""
    return {
        "schema": SCHEMA,
        "id": table.id,
        "game": table.game.name,
        "rules": table.game.rules,
        "options": dict(table.options),
        "clock": _settings(table.clock),
        "public": table.public,
        "seats": [None if x is None else _sitter(x) for x in table.seats],
        "made_at": table.made_at,
        "stake": table.stake,
        "status": table.status,
        "listed": table.listed,
        "funding": table.funding,
        "handshake": None if table.handshake is None else _handshake(table.handshake),
        "match": None if table.match is None else _match(table.game, table.match),
        "left": sorted(table.left),
        "wants": sorted(table.wants),
        "wins": list(table.wins),
        "void": None if table.void is None else _void(table.void),
        "closed": table.closed,
        "closed_at": table.closed_at,
        "outbox": [_outgoing(entry) for entry in table.outbox],
        "sent": table.sent,
        "at": table.at,
        "version": table.version,
        "number": table.number,
    }


# Written out field by field: this runs with every move, and `asdict` copies deeply.


def _settings(clock: ClockSettings) -> Json:
    return {
        "move_ms": clock.move_ms,
        "reserve_ms": clock.reserve_ms,
        "absence_ms": clock.absence_ms,
    }


def _void(void: Void) -> Json:
    return {"match": void.match, "cause": void.cause, "seats": list(void.seats)}


def _ended(ended: Ended) -> Json:
    return {
        "winners": list(ended.winners),
        "reason": ended.reason,
        "score": list(ended.score),
        "at": ended.at,
        "kept": ended.kept,
        "coins": None if ended.coins is None else list(ended.coins),
        "ratings": None
        if ended.ratings is None
        else [[each.before, each.after, each.provisional] for each in ended.ratings],
    }


def _sitter(sitter: Sitter) -> Json:
    return {
        "player": sitter.player,
        "name": sitter.name,
        "absent_at": sitter.absent_at,
        "marks": list(sitter.marks),
        "answers": [[each.id, each.number] for each in sitter.answers],
        "bot": sitter.bot,
    }


def _hex(value: bytes | None) -> str | None:
    return None if value is None else value.hex()


def _handshake(shake: Handshake) -> Json:
    return {
        "match": shake.match,
        "last": shake.chain.last.hex(),
        "commitment": shake.commitment.hex(),
        "until": shake.until,
        "hashes": [_hex(each) for each in shake.hashes],
        "numbers": [_hex(each) for each in shake.numbers],
    }


def _match(game: AnyGame, match: Match) -> Json:
    return {
        "id": match.id,
        "last": match.chain.last.hex(),
        "commitment": match.commitment.hex(),
        "hashes": [each.hex() for each in match.hashes],
        "numbers": [each.hex() for each in match.numbers],
        "started_at": match.started_at,
        "clocks": [_clock(clock) for clock in match.clocks],
        "state": game.state_to_json(match.state),
        "ply": match.ply,
        "begun": match.begun,
        "secret": match.secret.hex(),
        "secrets": [each.hex() for each in match.secrets],
        "line_at": match.line_at,
        "pause_until": match.pause_until,
        "ready": sorted(match.ready),
        "ended": None if match.ended is None else _ended(match.ended),
        "bot_at": match.bot_at,
    }


def _clock(clock: SeatClock) -> list[int | None]:
    return [
        clock.reserve_ms,
        clock.absence_ms,
        clock.since,
        clock.absent_since,
        clock.timeouts,
    ]


def _outgoing(entry: Outgoing) -> Json:
    return {
        "id": entry.id,
        "kind": entry.kind,
        "payload": entry.payload,
        "retry_at": entry.retry_at,
        "tries": entry.tries,
    }


def from_json(value: Json, games: Games) -> Table:
    """The table that :func:`to_json` wrote. Raises ``Unreadable`` for another schema, or for a
    table that this release cannot make sense of."""
    if value.get("schema") != SCHEMA:
        raise Unreadable(f"table schema {value.get('schema')!r}, this release reads {SCHEMA}")
    try:
        game = games(value["game"], value["rules"])
        return _table(value, game)
    except (KeyError, TypeError, ValueError) as wrong:
        raise Unreadable(f"stored table: {type(wrong).__name__}") from None


def _table(value: Json, game: AnyGame) -> Table:
    funding = value["funding"]
    void = value["void"]
    return Table(
        id=value["id"],
        game=game,
        options=value["options"],
        clock=ClockSettings(**value["clock"]),
        public=value["public"],
        seats=tuple(None if x is None else _to_sitter(x) for x in value["seats"]),
        made_at=value["made_at"],
        stake=value["stake"],
        status=value["status"],
        listed=value["listed"],
        funding=None if funding is None else (funding[0], funding[1]),
        handshake=None if value["handshake"] is None else _to_handshake(value["handshake"]),
        match=None if value["match"] is None else _to_match(value["match"], game),
        left=frozenset(value["left"]),
        wants=frozenset(value["wants"]),
        wins=tuple(value["wins"]),
        void=None if void is None else Void(void["match"], void["cause"], tuple(void["seats"])),
        closed=value["closed"],
        closed_at=value["closed_at"],
        outbox=tuple(Outgoing(**entry) for entry in value["outbox"]),
        sent=value["sent"],
        at=value["at"],
        version=value["version"],
        number=value["number"],
    )


def _to_sitter(value: Json) -> Sitter:
    return Sitter(
        value["player"],
        value["name"],
        value["absent_at"],
        tuple(value["marks"]),
        tuple(Answered(id_, number) for id_, number in value["answers"]),
        value.get("bot"),
    )


def _bytes(value: str | None) -> bytes | None:
    return None if value is None else bytes.fromhex(value)


def _to_handshake(value: Json) -> Handshake:
    return Handshake(
        value["match"],
        Chain(bytes.fromhex(value["last"])),
        bytes.fromhex(value["commitment"]),
        value["until"],
        tuple(_bytes(each) for each in value["hashes"]),
        tuple(_bytes(each) for each in value["numbers"]),
    )


def _all(values: Any) -> tuple[bytes, ...]:
    return tuple(bytes.fromhex(each) for each in values)


def _to_match(value: Json, game: AnyGame) -> Match:
    ended = value["ended"]
    return Match(
        id=value["id"],
        chain=Chain(bytes.fromhex(value["last"])),
        commitment=bytes.fromhex(value["commitment"]),
        hashes=_all(value["hashes"]),
        numbers=_all(value["numbers"]),
        started_at=value["started_at"],
        clocks=tuple(SeatClock(*clock) for clock in value["clocks"]),
        state=game.state_from_json(value["state"]),
        ply=value["ply"],
        begun=value["begun"],
        secret=bytes.fromhex(value["secret"]),
        secrets=_all(value["secrets"]),
        line_at=value["line_at"],
        pause_until=value["pause_until"],
        ready=frozenset(value["ready"]),
        ended=None if ended is None else _to_ended(ended),
        bot_at=value.get("bot_at"),
    )


def _to_ended(value: Json) -> Ended:
    # An earlier release wrote less: no coins, no ratings, and not whether it is kept.
    coins, ratings = value.get("coins"), value.get("ratings")
    return Ended(
        tuple(value["winners"]),
        value["reason"],
        tuple(value["score"]),
        value["at"],
        value.get("kept", True),
        None if coins is None else tuple(coins),
        None if ratings is None else tuple(Rated(*each) for each in ratings),
    )
