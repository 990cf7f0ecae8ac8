"""The messages of the sockets, a closed set: ``docs/protocol.md`` in types."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar

import msgspec

from app.live.quick import Matched, Waits, Word
from app.table.decision import Accepted, Answer, Refused
from engine.game import Json

PROTOCOL: Final = 2
FRAME: Final = 64 * 1024
"""Bytes of a frame that are read; a longer one closes the socket with code 1009."""
SIZE: Final = 16 * 1024
"""Characters of a message that are parsed; a longer one is answered with ``too_large``."""

ErrorCode: TypeAlias = Literal[
    "malformed", "not_hello", "protocol", "too_large", "unknown_table", "too_fast"
]

Id: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9_-]{8,64}\Z")]
MatchId: TypeAlias = Annotated[str, msgspec.Meta(max_length=64)]
Hex: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]
"""32 bytes in lower case."""
Name: TypeAlias = Annotated[str, msgspec.Meta(max_length=32)]
Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)]


class Hello(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="hello"):
    """The first message, and again whenever the client wants to be brought up to date.

    ``seen`` is the number of the last event the client has; ``None``: none yet.
    """

    protocol: int
    seen: Count | None


class Pong(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="pong"):
    """The answer to a ping of the same number, at once."""

    n: Count


class Hash(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="hash"):
    """Handshake: the SHA-256 of the client's number (T12)."""

    id: Id
    match: MatchId
    hash: Hex


class Reveal(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="reveal"):
    """Handshake: the number itself (T12)."""

    id: Id
    match: MatchId
    number: Hex


class Act(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="act"):
    """A game action. The seat is that of the connection's player, never the message's."""

    id: Id
    match: MatchId
    ply: Count
    action: dict[str, Any]


class Ready(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="ready"):
    """No need to wait for the next hand."""

    id: Id
    match: MatchId


class Resign(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="resign"):
    """The match is given up (T13)."""

    id: Id
    match: MatchId


class Leave(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="leave"):
    """The table is left (T13). ``match``: the one of the table as it was seen, or ``null``."""

    id: Id
    match: MatchId | None


class Rematch(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="rematch"):
    """Another match is wanted, or no more (T13)."""

    id: Id
    match: MatchId
    want: bool


class Seek(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="seek"):
    """An opponent is sought who wants to play the same."""

    game: Name
    rules: Name
    options: Annotated[dict[Name, Count], msgspec.Meta(max_length=8)]
    stake: Count


Numbered: TypeAlias = Hash | Reveal | Act | Ready | Resign | Leave | Rematch
"""Commands: each is answered once by its id."""
Message: TypeAlias = Hello | Pong | Numbered
"""All that may come at a table."""
Asked: TypeAlias = Seek | Pong
"""All that may come from who seeks an opponent."""

M = TypeVar("M")

AT_TABLE: Final = msgspec.json.Decoder(Message)
IN_LOBBY: Final = msgspec.json.Decoder(Pong)
IN_QUICK: Final = msgspec.json.Decoder(Asked)


class Unparsed(Exception):
    """Not a message. ``code`` says of what kind the fault is."""

    def __init__(self, code: ErrorCode) -> None:
        super().__init__(code)
        self.code: ErrorCode = code


def parse(frame: str | bytes | None, decoder: msgspec.json.Decoder[M]) -> M:
    """The message of one text frame. Raises :class:`Unparsed`."""
    if not isinstance(frame, str):
        raise Unparsed("malformed")
    if len(frame) > SIZE:
        raise Unparsed("too_large")
    try:
        return decoder.decode(frame)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        raise Unparsed("malformed") from None


def error(code: ErrorCode) -> Json:
    """An error that belongs to no command."""
    return {"type": "error", "code": code}


def ping(n: int) -> Json:
    """To be answered with the same number at once."""
    return {"type": "ping", "n": n}


def answer(command_id: str, given: Answer) -> Json:
    """What became of a command."""
    match given:
        case Accepted(number):
            return {"type": "accepted", "id": command_id, "number": number}
        case Refused(code, rule, values):
            return {
                "type": "refused",
                "id": command_id,
                "code": code,
                "rule": rule,
                "values": values,
            }


def word(told: Word) -> Json:
    """What somebody is told who seeks an opponent."""
    match told:
        case Waits(since, now, others, window):
            return {
                "type": "waiting",
                "since": since,
                "now": now,
                "others": others,
                "window": window,
            }
        case Matched(table):
            return {"type": "matched", "table": table}
        case Refused(code, rule, values):
            return {"type": "refused", "code": code, "rule": rule, "values": values}
