"""What the client's errors mean to those who ask the store."""

from __future__ import annotations

import re
from typing import Final

from redis.exceptions import AskError, RedisError, ResponseError

from app.live.store import StoreError, UnknownError

_LINE: Final = re.compile(r"user_script:(\d+)")


class Unreached(StoreError):
    """Nothing was sent."""


class Unanswered(UnknownError):
    """It was sent, perhaps, and the answer is lost."""


class Refused(StoreError):
    """Redis answered with an error. Of its words only the first is told, the kind of error, and
    where in a script it was: the others may hold what nobody is to see."""

    def __init__(self, error: RedisError) -> None:
        text = str(error)
        self.code: str = error.status_code or text.partition(" ")[0]
        self.target = error if isinstance(error, AskError) else None
        """Who has the slot (MOVED) or is about to get it (ASK)."""
        line = _LINE.search(text)
        super().__init__(f"Redis refused: {self.code}{f', line {line[1]}' if line else ''}")


def refusal(error: BaseException) -> Refused | None:
    """What Redis has answered; ``None`` if that was no answer. The client counts some answers,
    like LOADING, among its errors of a connection, but notes their kind."""
    if isinstance(error, RedisError) and (error.status_code or isinstance(error, ResponseError)):
        return Refused(error)
    return None


def reason(error: BaseException) -> str:
    """Why there is no connection, without any words from elsewhere."""
    return str(refusal(error) or type(error.__context__ or error).__name__)
