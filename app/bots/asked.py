"""What a computer player is asked, and the answer worked out: the only way into a policy."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from app.bots.policies import policy
from engine.game import Json


@dataclass(frozen=True, slots=True)
class Asked:
    """Whose move it is, by game, rules and level, and all that they get to know: the view of their
    seat and its legal actions, in the game's JSON form. ``seed`` is the chance that they have."""

    game: str
    rules: str
    level: str
    view: Json = field(repr=False)
    legal: tuple[Json, ...] = field(repr=False)
    seed: int = 0


class NoAnswerError(Exception):
    """A computer player did not say what it plays."""


def answer(asked: Asked) -> Json:
    """One of the legal actions. Raises :class:`NoAnswerError`, which tells nothing of the view."""
    if len(asked.legal) == 1:
        return asked.legal[0]
    try:
        choose = policy(asked.game, asked.rules, asked.level)
        chosen = choose(asked.view, asked.legal, Random(asked.seed))  # noqa: S311 - no secret
    except Exception as error:  # noqa: BLE001 - whatever a policy does, the server plays on
        raise NoAnswerError(type(error).__name__) from None
    if chosen not in asked.legal:
        raise NoAnswerError("not legal")
    return chosen
