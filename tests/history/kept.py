"""Finished matches for tests, with records that the engine plays again."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from app.history.history import Finished
from engine import games
from engine.game import Json
from engine.record import read
from engine.replay import Replay
from engine.simulate import random_record

AT = 1_700_000_000_000


def record_of(name: str, seed: str = "one", **end: Any) -> Json:
    """The record of a random match of one hand or so; ``end``: another end than it had."""
    (game,) = [each for each in games.GAMES if each.name == name]
    options = {key: values[0] for key, values in game.choices.items()}
    whole = random_record(game, options, seed)
    if end:
        whole["end"] = end
        key = game.lines_key
        whole["hands"] = [{**whole["hands"][0], key: whole["hands"][0][key][:2]}]
    return whole


DOMINO = record_of("domino")
NARDI = record_of("nardi")


def finished(
    match: str,
    whole: Json = DOMINO,
    players: Sequence[str] = ("nino", "gia"),
    *,
    at: int = AT,
    stake: int = 0,
) -> Finished:
    """A match as the outbox keeps it."""
    whole = deepcopy(whole)
    rows = list(Replay(read(whole)))
    winner, reason = whole["end"]["winner"], whole["end"]["reason"]
    won = [] if winner is None else [winner]
    names = [each.title() for each in players]
    coins = [stake if seat in won else -stake for seat in range(len(players))]
    return Finished(
        id=match,
        table_id="t1",
        game=whole["game"],
        rules=whole["rules"],
        options=whole["options"],
        players=list(players),
        names=names,
        started_at=at - 1_000,
        ended_at=at,
        reason=reason,
        winners=won,
        score=rows[-1].get("score", [0] * len(players)) if rows else [0] * len(players),
        digest="d" * 64,
        record={"format": whole["format"], "players": names, **whole},
        stake=stake,
        coins=coins if won else [0] * len(players),
    )
