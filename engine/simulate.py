"""Whole matches played by random legal moves: for tests, benchmarks and ``random``."""

from __future__ import annotations

import random
from typing import Any

from engine.chance import Seeded, sha256
from engine.game import Chance, Game, Json, Line, Options, Step, play_on
from engine.record import End, write


def random_match(
    game: Game[Any, Any], options: Options, chance: Chance, choose: random.Random
) -> Step[Any]:
    """A match from start to end, every move a legal one chosen by ``choose``; the step holds the
    last state and all events and lines."""
    step = play_on(game, game.start(options), chance)
    state, events, lines = step.state, list(step.events), list(step.lines)
    while game.outcome(state) is None:
        seat = choose.choice(game.to_act(state))
        actions = [each for each in game.legal(state, seat) if not game.takes_back(each)]
        step = play_on(game, game.apply(state, seat, choose.choice(actions)), chance)
        state = step.state
        events += step.events
        lines += step.lines
    return Step(state, tuple(events), tuple(lines))


def random_record(game: Game[Any, Any], options: Options, seed: str) -> Json:
    """The record of a random match; the same seed gives the same record."""
    key = sha256(seed.encode("utf-8", "surrogatepass"))
    chance = Seeded(key)
    lines: tuple[Line, ...]
    choose = random.Random(key)  # noqa: S311  it plays, it keeps no secret
    state, _, lines = random_match(game, options, chance, choose)
    outcome = game.outcome(state)
    assert outcome is not None
    return write(game, options, lines, End(outcome.winners[0], "points"))
