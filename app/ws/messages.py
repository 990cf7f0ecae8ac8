"""The messages of the socket, a closed set: ``docs/protocol.md`` in types."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from app.table.decide import Accepted, Answer, Refused
from engine.game import Json

PROTOCOL = 1
FRAME = 64 * 1024
"""Bytes of a frame that are read; a longer one closes the socket with code 1009."""
SIZE = 16 * 1024
"""Characters of a message that are parsed; a longer one is answered with ``too_large``."""

ErrorCode: TypeAlias = Literal["malformed", "not_hello", "protocol", "too_large", "unknown_table"]


class Hello(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="hello"):
    """The first message, and again whenever the client wants to start afresh.

    ``seen`` is the number of the last event the client has; ``None``: none yet.
    """

    protocol: int
    seen: int | None


class Act(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="act"):
    """A game action. The seat is that of the connection's player, never the message's."""

    id: Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9_-]{8,64}\Z")]
    match: Annotated[str, msgspec.Meta(max_length=64)]
    ply: Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)]
    action: dict[str, Any]


Message: TypeAlias = Hello | Act


class Unparsed(Exception):
    """Not a message. ``code`` says of what kind the fault is."""

    def __init__(self, code: ErrorCode) -> None:
        super().__init__(code)
        self.code: ErrorCode = code


_decoder = msgspec.json.Decoder(Message)


def parse(frame: str | bytes | None) -> Message:
    """The message of one text frame. Raises :class:`Unparsed`."""
    if not isinstance(frame, str):
        raise Unparsed("malformed")
    if len(frame) > SIZE:
        raise Unparsed("too_large")
    try:
        return _decoder.decode(frame)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        raise Unparsed("malformed") from None


def error(code: ErrorCode) -> Json:
    """An error that belongs to no command."""
    return {"type": "error", "code": code}


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
