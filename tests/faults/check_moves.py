"""Nothing acknowledged is lost, nothing counts twice, nothing refused counts."""

from __future__ import annotations

from collections import defaultdict

from engine import record
from engine.game import Json, Refusal, Unreadable
from engine.replay import Replay
from engine.verify import verify
from tests.faults.evidence import Evidence
from tests.faults.played import again, commands, kept, played


def acknowledged_moves_stand(evidence: Evidence) -> list[str]:
    """Every accepted command is saved exactly once, for its position; no refused one is."""
    accepted: dict[str, set[int]] = defaultdict(set)
    refused: dict[str, set[str]] = defaultdict(set)
    for frame in evidence.journal.frames:
        if '"id":' in frame.raw[:40] or frame.raw.startswith(('{"type":"acc', '{"type":"ref')):
            answer = frame.read()
            if answer["type"] == "accepted":
                accepted[answer["id"]].add(answer["number"])
            elif answer["type"] == "refused":
                refused[answer["id"]].add(answer["code"])
    said, saved = commands(evidence), kept(evidence)
    acts = {
        (match.match, act.ply): act.id for match in played(evidence).values() for act in match.acts
    }
    wrong = []
    for id_, numbers in accepted.items():
        command = said.get(id_)
        if command is None:
            wrong.append(f"command {id_} was accepted and nobody sent it")
            continue
        what = f"{command['type']} {id_} of match {command['match']}"
        there = saved.get(id_, [])
        if command["type"] in ("leave", "reveal") and not there:
            if not _without_a_seat(evidence, command, numbers):
                wrong.append(f"{what} was accepted and is not saved")
            continue
        if len(there) != 1:
            wrong.append(f"{what} was accepted and is saved {len(there)} times")
        elif command["type"] != "leave" and numbers != {there[0].number}:
            wrong.append(f"{what} was answered with {sorted(numbers)}, saved as {there[0].number}")
        if command["type"] == "act" and acts.get((command["match"], command["ply"])) != id_:
            wrong.append(f"{what} was accepted for ply {command['ply']} and is not played there")
    wrong += [
        f"command {id_} was refused ({sorted(refused[id_])}) and is saved"
        for id_ in refused.keys() - accepted.keys()
        # Whose first answer was lost, and then the seat, is told only that.
        if id_ in saved and refused[id_] != {"not_seated"}
    ]
    for id_, there in saved.items():
        if len(there) > 1:
            wrong.append(f"command {id_} is saved {len(there)} times: {there}")
    return wrong


def _without_a_seat(evidence: Evidence, command: Json, numbers: set[int]) -> bool:
    """Whether a command's player had no seat any more when it was answered, or lost it by it:
    nobody remembers it then."""
    line = next(
        evidence.journal.lines[each.line]
        for each in evidence.journal.said
        if each.message["id"] == command["id"]
    )
    return all(
        any(
            saved.number == number
            and all(x is None or x["player"] != line.player for x in saved.read()["seats"])
            for saved in evidence.by_table[line.table]
        )
        for number in numbers
    )


def records_hold_what_was_played(evidence: Evidence) -> list[str]:
    """The record of every match is what the engine makes of the saved commands; it replays to its
    result, and verifies (T12, T14)."""
    wrong = []
    said = commands(evidence)
    for id_, match in played(evidence).items():
        row = evidence.books.matches.get(id_)
        if row is None:
            continue  # another check misses it
        try:
            made = again(match, said)
        except (Refusal, Unreadable, LookupError, ValueError) as error:
            wrong.append(f"match {id_}: the saved moves do not play again: {error!r}")
            continue
        for number, (hand, auto) in enumerate(zip(made.hands, made.auto, strict=True), 1):
            there = row["record"]["hands"][number - 1 : number]
            plain = {k: v for h in there for k, v in h.items() if k not in ("ms", "auto")}
            if plain != hand:
                wrong.append(f"match {id_}, hand {number}: kept {plain}, played {hand}")
            elif there[0].get("auto", []) != auto:
                wrong.append(f"match {id_}, hand {number}: the server's plays are not {auto}")
        if len(row["record"]["hands"]) != len(made.hands):
            wrong.append(f"match {id_}: kept hands are not the {len(made.hands)} played ones")
        if made.score != row["score"]:
            wrong.append(f"match {id_}: kept score {row['score']}, played {made.score}")
        if row["reason"] == "points" and made.winners != row["winners"]:
            wrong.append(f"match {id_}: kept winners {row['winners']}, played {made.winners}")
    return wrong


def records_replay_and_verify(evidence: Evidence) -> list[str]:
    """By the engine's own two commands."""
    wrong = []
    committed = _commitments(evidence)
    for id_, row in evidence.books.matches.items():
        try:
            read = record.read(row["record"])
            rows = list(Replay(read))
            proof = list(verify(read))[-1]
        except Unreadable as error:
            wrong.append(f"match {id_}: the record cannot be read: {error}")
            continue
        errors = [each["error"] for each in rows if "error" in each]
        if errors:
            wrong.append(f"match {id_}: the record does not replay: {errors[0]}")
        elif row["reason"] != "void" and rows[-1] != {
            "winner": row["winners"][0],
            "reason": row["reason"],
            "score": row["score"],
        }:
            wrong.append(f"match {id_}: the record ends with {rows[-1]}, kept is {row['reason']}")
        if not proof["verified"]:
            wrong.append(f"match {id_}: the record does not verify: {proof}")
        fairness = row["record"]["fairness"]
        if committed.get(id_, set()) - {fairness["commitment"]}:
            wrong.append(f"match {id_}: players were told another commitment")
        own = [evidence.players[player].numbers.get(id_) for player in row["players"]]
        if [None if each is None else each.hex() for each in own] != fairness["numbers"]:
            wrong.append(f"match {id_}: the numbers are not the players' own")
    return wrong


def _commitments(evidence: Evidence) -> dict[str, set[str]]:
    """By match, what players were told before the match."""
    told: dict[str, set[str]] = defaultdict(set)
    for frame in evidence.journal.frames:
        if '"status":"handshake"' in frame.raw:
            table = frame.read()["table"]
            told[table["match"]].add(table["handshake"]["commitment"])
    return told
