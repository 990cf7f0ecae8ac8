"""Whether a record's shuffles and rolls are those that were committed to (T12, fairness 8)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.chance import draw, hand_key, leads_to
from engine.game import Ask, Json
from engine.record import Record
from engine.replay import Replay


def verify(record: Record) -> Iterator[Json]:
    """One row a hand, then one for the match, whose ``verified`` says it all:
    ``{"hand": 1, "committed": true, "drawn": 3, "differ": []}``. ``committed``: the revealed
    secret leads to the commitment (``null``: it is not revealed yet); ``drawn``: shuffles and
    rolls recomputed; ``differ``: the streams of those that the record holds otherwise."""
    fairness = record.fairness
    if fairness is None:
        yield {"verified": False, "error": "the record has no fairness: nothing can be checked"}
        return
    asked: dict[int, list[tuple[Ask, tuple[int, ...]]]] = {}
    replay = Replay(
        record, lambda ask, answer: asked.setdefault(ask.hand, []).append((ask, answer))
    )
    error = next((row["error"] for row in replay if "error" in row), None)
    sound = error is None
    for hand in range(1, max(len(record.hands), len(fairness.secrets)) + 1):
        if hand > len(fairness.secrets):
            # Only a hand still under way has an unrevealed secret (fairness 8).
            sound = sound and record.end is None and replay.under_way(hand)
            yield {"hand": hand, "committed": None, "drawn": 0, "differ": []}
            continue
        secret = fairness.secrets[hand - 1]
        committed = leads_to(secret, hand, fairness.commitment)
        key = hand_key(secret, fairness.match, hand, fairness.numbers)
        seen = asked.get(hand, [])
        sound = sound and hand <= len(record.hands)  # no secret of a hand that was not begun
        differ = [ask.label for ask, answer in seen if not _same(ask, answer, draw(key, ask))]
        sound = sound and committed and not differ
        yield {"hand": hand, "committed": committed, "drawn": len(seen), "differ": differ}
    whole: Json = {"match": fairness.match, "verified": sound}
    if error is not None:
        whole["error"] = f"the record does not replay: {error}"
    elif record.whole.get("match", fairness.match) != fairness.match:
        whole |= {"verified": False, "error": "the fairness is that of another match"}
    yield whole


def _same(ask: Ask, recorded: tuple[int, ...], drawn: tuple[int, ...]) -> bool:
    return recorded == drawn or (not ask.ordered and sorted(recorded) == sorted(drawn))
