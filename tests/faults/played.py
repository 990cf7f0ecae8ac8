"""What was played in each match, put together again: who saved which command in which order is
read from the saves, what the command was from the players who sent it, and what it led to is
asked of the engine alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engine import games
from engine.chance import Chain, Committed
from engine.game import Game, Json, Line, Step
from engine.record import hands
from tests.faults.evidence import Evidence


class Act(NamedTuple):
    """An action that was saved for a position; ``id`` is its command's, ``None``: the server's."""

    ply: int
    seat: int
    id: str | None


class Kept(NamedTuple):
    """A command that was saved."""

    table: str
    version: int
    seat: int
    number: int


@dataclass(slots=True)
class Played:
    """A match as the saves tell it. ``last`` is the end of its chain (fairness 1)."""

    match: str
    table: str
    game: Game[Any, Any]
    options: dict[str, int]
    players: list[str]
    last: bytes
    numbers: list[bytes]
    acts: list[Act] = field(default_factory=list)
    begun: int = 0
    ended: Json | None = None


def commands(evidence: Evidence) -> dict[str, Json]:
    """What was sent, by command id."""
    return {each.message["id"]: each.message for each in evidence.journal.said}


def new_answers(before: Json | None, after: Json) -> Iterator[tuple[int, str, int]]:
    """Seat, id and number of the commands that a save adds."""
    for seat, sitter in enumerate(after["seats"]):
        if sitter is None:
            continue
        old: Json | None = None if before is None else before["seats"][seat]
        known: set[str] = set()
        if old is not None and old["player"] == sitter["player"]:
            known = {id_ for id_, _ in old["answers"]}
        for id_, number in sitter["answers"]:
            if id_ not in known:
                yield seat, id_, number


def kept(evidence: Evidence) -> dict[str, list[Kept]]:
    """Every save of every command, by its id."""
    found: dict[str, list[Kept]] = {}
    for table, saves in evidence.by_table.items():
        before: Json | None = None
        for saved in saves:
            after = saved.read()
            for seat, id_, number in new_answers(before, after):
                found.setdefault(id_, []).append(Kept(table, saved.version, seat, number))
            before = after
    return found


def played(evidence: Evidence) -> dict[str, Played]:
    """Every match that has begun, by its id."""
    said, found = commands(evidence), dict[str, Played]()
    for table, saves in evidence.by_table.items():
        before: Json | None = None
        for saved in saves:
            after = saved.read()
            if after["match"] is not None:
                _add(found, table, before, after, said)
            before = after
    return found


def _add(
    found: dict[str, Played], table: str, before: Json | None, after: Json, said: dict[str, Json]
) -> None:
    now = after["match"]
    match = found.get(now["id"])
    if match is None:
        match = found[now["id"]] = Played(
            now["id"],
            table,
            games.game(after["game"], after["rules"]),
            after["options"],
            [sitter["player"] for sitter in after["seats"]],
            bytes.fromhex(now["last"]),
            [bytes.fromhex(each) for each in now["numbers"]],
        )
    ply = len(match.acts)
    if now["ply"] > ply:
        of = [
            (seat, id_)
            for seat, id_, _ in new_answers(before, after)
            if said.get(id_, {}).get("type") == "act"
        ]
        if of and now["ply"] == ply + 1:
            match.acts.append(Act(ply, *of[0]))
        else:
            match.acts += [Act(each, -1, None) for each in range(ply, now["ply"])]
    match.begun = now["begun"]
    match.ended = now["ended"]


class Outcome(NamedTuple):
    """What the engine makes of a match: the record's hands, and which plays were the server's."""

    hands: list[Json]
    auto: list[list[int]]
    score: list[int]
    winners: list[int] | None


def again(match: Played, said: dict[str, Json]) -> Outcome:
    """The match played again by the engine, from its chain and its commands. Raises what the
    rules refuse."""
    game = match.game
    chance = Committed(Chain(match.last), match.match, tuple(match.numbers))
    lines: list[Line] = []
    auto: list[bool] = []

    def take(step: Step[Any], by_server: bool) -> Any:
        lines.extend(step.lines)
        auto.extend(by_server for _ in step.lines)
        return step.state

    def asked(state: Any, most: int, by_server: bool) -> Any:
        while (ask := game.asks(state)) is not None and ask.hand <= most:
            state = take(game.give(state, chance.answer(ask)), by_server)
        return state

    state = asked(take(game.start(match.options), False), 1, False)
    for act in match.acts:
        # The next hand is dealt when somebody goes on, at the latest.
        state = asked(state, game.hand(state) + 1, False)
        by_server = act.id is None
        if act.id is None:
            seat = game.to_act(state)[0]
            action = game.fallback(state, seat)
        else:
            seat, action = act.seat, game.action_from_json(said[act.id]["action"])
        hand = game.hand(state)
        state = asked(take(game.apply(state, seat, action), by_server), hand, by_server)
    state = asked(state, match.begun, False)
    ended = match.ended
    if ended is not None and ended["reason"] not in ("points", "void"):
        loser = next(s for s in range(len(match.players)) if s not in ended["winners"])
        state = take(game.concede(state, loser, ended["reason"]), False)
    outcome = game.outcome(state)
    winners = None if outcome is None else list(outcome.winners)
    made = hands(game, lines)
    marks: list[list[int]] = []
    for line, by_server in zip(lines, auto, strict=True):
        if not isinstance(line, str):
            marks.append([])
            count = 0
        else:
            if by_server:
                marks[-1].append(count)
            count += 1
    return Outcome(made, marks, list(game.score(state)), winners)
