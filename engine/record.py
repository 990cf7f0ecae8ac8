"""match-record/1: what chance gave and what players did, nothing derived.

Read strictly: :func:`read` takes one JSON document and raises
:class:`~engine.game.Unreadable` with what is wrong and where. Unknown keys are kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from engine import games
from engine.chance import HANDS
from engine.game import Game, Json, Line, Options, Unreadable
from engine.plain import array, integer, key, numbers, obj, optional, text, word

FORMAT: Final = "match-record/1"
FAIRNESS: Final = "match/1"

EndReason: TypeAlias = Literal["points", "resigned", "time", "left", "void"]
END_REASONS: Final[tuple[EndReason, ...]] = ("points", "resigned", "time", "left", "void")


@dataclass(frozen=True, slots=True)
class End:
    """How the record says the match ended; ``winner`` is ``None`` for a void one."""

    winner: int | None
    reason: EndReason


@dataclass(frozen=True, slots=True)
class Fairness:
    """What a match was committed to, and what was revealed (T12): raw bytes."""

    match: str
    commitment: bytes
    numbers: tuple[bytes, ...]
    secrets: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """A record as read. ``whole`` is the document itself, unknown keys and all."""

    game: Game[Any, Any]
    options: Options
    hands: tuple[Json, ...]
    end: End | None
    fairness: Fairness | None
    whole: Json


def read(value: object) -> Record:
    """The record of a JSON document. Raises :class:`Unreadable`."""
    whole = obj(value, "record")
    if key(whole, "format") != FORMAT:
        raise Unreadable(f"format: not {FORMAT}")
    game = games.game(key(whole, "game"), key(whole, "rules"))
    options = games.checked_options(game, key(whole, "options"))
    seats = game.seats(options)
    hands: list[Json] = []
    for number, each in enumerate(array(key(whole, "hands"), "hands"), 1):
        hand = obj(each, f"hand {number}")
        try:
            game.check_hand(hand)
            for name in ("ms", "auto"):
                if name in hand:
                    numbers(hand[name], name, 0, 1 << 53)
        except Unreadable as wrong:
            raise Unreadable(f"hand {number}: {wrong}") from None
        hands.append(hand)
    for name in ("match", "started", "ended"):
        if name in whole:
            text(whole[name], name)
    if "players" in whole:
        names = [text(each, "players") for each in array(whole["players"], "players")]
        if len(names) != seats:
            raise Unreadable(f"players: not {seats} of them")
    return Record(
        game,
        options,
        tuple(hands),
        _end(whole["end"], seats) if "end" in whole else None,
        _fairness(whole["fairness"], seats) if "fairness" in whole else None,
        whole,
    )


def _end(value: object, seats: int) -> End:
    given = obj(value, "end")
    reason = word(key(given, "reason"), "end: reason", END_REASONS)
    winner = optional(lambda seat: integer(seat, "end: winner", 0, seats - 1), key(given, "winner"))
    if (winner is None) != (reason == "void"):
        raise Unreadable("end: a match has a winner unless it is void")
    return End(winner, reason)


def _hex(value: object, what: str) -> bytes:
    digits = text(value, what)
    if len(digits) != 64 or not set(digits) <= set("0123456789abcdef"):
        raise Unreadable(f"{what}: not 64 hex digits in lower case")
    return bytes.fromhex(digits)


def _fairness(value: object, seats: int) -> Fairness:
    given = obj(value, "fairness")
    if key(given, "version") != FAIRNESS:
        raise Unreadable(f"fairness: version is not {FAIRNESS}")
    match = text(key(given, "match"), "fairness: match")
    if not match.isascii():
        raise Unreadable("fairness: match is not ASCII")
    given_numbers = array(key(given, "numbers"), "fairness: numbers")
    if len(given_numbers) != seats:
        raise Unreadable(f"fairness: not {seats} numbers")
    secrets = array(key(given, "secrets"), "fairness: secrets")
    if len(secrets) > HANDS:
        raise Unreadable(f"fairness: more than {HANDS} secrets")
    return Fairness(
        match,
        _hex(key(given, "commitment"), "fairness: commitment"),
        tuple([_hex(each, "fairness: numbers") for each in given_numbers]),
        tuple([_hex(each, "fairness: secrets") for each in secrets]),
    )


def loads(document: str) -> object:
    """JSON of a record. Raises :class:`Unreadable` for what is none, however it fails."""
    try:
        value: object = json.loads(document)
    except json.JSONDecodeError as wrong:
        raise Unreadable(
            f"not JSON: {wrong.msg} at line {wrong.lineno} column {wrong.colno}"
        ) from None
    except (ValueError, RecursionError) as wrong:  # a number of too many digits; too deep
        raise Unreadable(f"not JSON that can be read: {type(wrong).__name__}") from None
    return value


def hands(game: Game[Any, Any], lines: Iterable[Line]) -> list[Json]:
    """The record's hands from the lines that the steps of a match gave, in order."""
    made: list[Json] = []
    for line in lines:
        if isinstance(line, str):
            if not made:
                raise ValueError("the first line opens a hand: keep the lines of the first step")
            made[-1][game.lines_key].append(line)
        else:
            made.append({**line, game.lines_key: list(line[game.lines_key])})
    return made


def write(
    game: Game[Any, Any],
    options: Options,
    lines: Iterable[Line],
    end: End | None = None,
    extra: Mapping[str, object] | None = None,
) -> Json:
    """The document of a match from its lines. ``extra``: ``match``, ``started``, ``ended``,
    ``players``, ``fairness`` and whatever else is to be kept."""
    document: Json = {
        "format": FORMAT,
        "game": game.name,
        "rules": game.rules,
        "options": dict(options),
        **(extra or {}),
        "hands": hands(game, lines),
    }
    if end is not None:
        document["end"] = {"winner": end.winner, "reason": end.reason}
    return document
