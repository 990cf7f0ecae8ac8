"""Nardi's side of the match record: the opening rolls, the lines of turns, the replay's rows."""

from __future__ import annotations

import re
from typing import Final

from engine import plain
from engine.game import Ask, Event, Json, Refusal, Seat, Unreadable
from engine.nardi.actions import Action, Confirm, Move, Roll
from engine.nardi.events import HandEnded, Pair, TurnEnded
from engine.nardi.flow import had_choice
from engine.nardi.match import State
from engine.nardi.notation import read

_LINE: Final = re.compile(r"([01]) ([1-6])([1-6]):(?: (.+))?")


def check_hand(hand: Json) -> None:
    """Raises :class:`Unreadable` unless ``opening`` holds arrays of numbers, ``turns`` strings."""
    for pair in plain.array(plain.key(hand, "opening"), "opening"):
        for die in plain.array(pair, "opening"):
            if not isinstance(die, int) or isinstance(die, bool):
                raise Unreadable("opening: not a whole number")
    for turn in plain.array(plain.key(hand, "turns"), "turns"):
        plain.text(turn, "turns")


def recorded(hand: Json, ask: Ask) -> tuple[int, ...] | None:
    """What a checked hand answers to an ask; ``None`` where its turns end.

    Raises :class:`Refusal` ``bad_opening`` (N3) unless the opening is pairs of dice of which the
    last and no other decides, :class:`Unreadable` for a turn whose dice cannot be read.
    """
    kind, number = ask.label.split("|")
    if kind == "opening":
        if number == "0":  # the whole list is checked once
            _check_opening(hand["opening"])
        first, second = hand["opening"][int(number)]
        return first, second
    turns = hand["turns"]
    if int(number) >= len(turns):
        return None
    return split(turns[int(number)])[1]


def _check_opening(pairs: list[list[int]]) -> None:
    """N3: pairs of dice, all ties but the last. Raises :class:`Refusal`."""
    if not all(len(pair) == 2 and all(1 <= die <= 6 for die in pair) for pair in pairs):
        raise Refusal("bad_opening", "N3")
    if [one == other for one, other in pairs] != [True] * (len(pairs) - 1) + [False]:
        raise Refusal("bad_opening", "N3")


def split(line: str) -> tuple[Seat, Pair, str]:
    """Seat, dice and moves of ``0 52: 13/8 24/22``. Raises :class:`Unreadable`."""
    match = _LINE.fullmatch(line)
    if match is None:
        raise Unreadable("not a turn: SEAT DICE: MOVES")
    seat, large, small, moves = match.groups()
    if large < small:
        raise Unreadable("not a turn: the larger die first")
    return int(seat), (int(large), int(small)), moves or ""


def read_line(state: State, line: str) -> tuple[Seat, tuple[Action, ...]]:
    """The actions of a recorded turn: the roll unless it is the opening's, the steps, and the
    confirmation where the turn does not end by itself.

    Raises :class:`Unreadable`, or :class:`Refusal` for another seat's turn, other dice than the
    opening's (``wrong_dice``, N3) and what :func:`~engine.nardi.notation.read` refuses.
    """
    seat, dice, moves = split(line)
    if state.phase == "over":
        raise Refusal("match_over", "N18")
    if seat != state.seat:
        raise Refusal("not_your_turn", "N4")
    if state.steps:
        raise Refusal("turn_under_way", "N4")
    if state.dice is not None and state.dice != dice:
        raise Refusal("wrong_dice", "N3")
    played: list[Action] = [] if state.dice is not None else [Roll()]
    steps = read(state.start, dice, moves)
    played += [Move(step.source, step.die) for step in steps]
    if steps and had_choice(state.start, dice):
        played.append(Confirm())
    return seat, tuple(played)


def rows(line: str | None, events: tuple[Event, ...]) -> list[Json]:
    """A row for each turn and each hand that ended; the moves as the line has them."""
    found: list[Json] = []
    for event in events:
        if isinstance(event, TurnEnded):
            moves = event.moves if line is None else split(line)[2]
            found.append(
                {
                    "seat": event.seat,
                    "dice": list(event.dice),
                    "moves": moves,
                    "position": event.position,
                }
            )
        elif isinstance(event, HandEnded):
            found.append(
                {
                    "end": event.end,
                    "winner": event.winner,
                    "points": event.points,
                    "score": list(event.score),
                    "next": event.next,
                }
            )
    return found
