"""The committed random source: shuffles and rolls that both players can check (T12).

Everything here is the fairness specification to the letter; numbers in brackets are its points.
Secrets never show in a ``repr``.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field

from engine.game import Ask

HANDS = 1000
"""Length of the chain: a match that would need more hands is voided (1)."""

_SPAN = 1 << 32


def sha256(data: bytes) -> bytes:
    """SHA-256."""
    return hashlib.sha256(data).digest()


@dataclass(frozen=True, slots=True)
class Chain:
    """The server's secret chain, kept as its last element ``s[N]`` (1)."""

    last: bytes = field(repr=False)
    length: int = HANDS

    def secret(self, n: int) -> bytes:
        """``s[n]``, 0 ≤ n ≤ length; ``s[0]`` is the commitment. Raises ``IndexError``."""
        if not 0 <= n <= self.length:
            raise IndexError(f"the chain has no element {n}")
        value = self.last
        for _ in range(self.length - n):
            value = sha256(value)
        return value

    @property
    def commitment(self) -> bytes:
        """``s[0]``."""
        return self.secret(0)


def leads_to(secret: bytes, n: int, commitment: bytes) -> bool:
    """Whether ``secret`` is the ``s[n]`` that ``commitment`` committed to (8)."""
    for _ in range(n):
        secret = sha256(secret)
    return hmac.compare_digest(secret, commitment)


def hand_key(secret: bytes, match: str, n: int, numbers: tuple[bytes, ...]) -> bytes:
    """``K[n]`` from ``s[n]``, the match id and the players' numbers in the order of seats (4)."""
    parts = ["match/1", match, str(n), *(number.hex() for number in numbers)]
    return hmac.digest(secret, "|".join(parts).encode("ascii"), "sha256")


class Stream:
    """The stream ``label`` under ``key`` (5)."""

    __slots__ = ("_at", "_block", "_buffer", "_key", "_label")

    def __init__(self, key: bytes, label: str) -> None:
        self._key = key
        self._label = label
        self._block = 0
        self._buffer = b""
        self._at = 0

    def _word(self) -> int:
        if self._at == len(self._buffer):
            message = f"{self._label}|{self._block}".encode("ascii")
            self._buffer = hmac.digest(self._key, message, "sha256")
            self._block += 1
            self._at = 0
        word = int.from_bytes(self._buffer[self._at : self._at + 4], "big")
        self._at += 4
        return word

    def below(self, m: int) -> int:
        """A number 0 … m−1, every one equally likely (1 ≤ m ≤ 2³²)."""
        limit = m * (_SPAN // m)
        while (x := self._word()) >= limit:
            pass
        return x % m


def draw(key: bytes, ask: Ask) -> tuple[int, ...]:
    """What the streams under a hand's key answer to ``ask``: a shuffle (6) or dice (7)."""
    stream = Stream(key, ask.label)
    if ask.kind == "dice":
        return tuple(stream.below(6) + 1 for _ in range(ask.size))
    order = list(range(ask.size))
    for i in range(ask.size - 1, 0, -1):
        j = stream.below(i + 1)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


@dataclass(frozen=True, slots=True)
class Committed:
    """Chance of a match: the chain, the match id and every player's number."""

    chain: Chain
    match: str
    numbers: tuple[bytes, ...] = field(repr=False)

    def answer(self, ask: Ask, /) -> tuple[int, ...]:
        """Raises ``IndexError`` for a hand beyond the chain: that match is void (1)."""
        secret = self.chain.secret(ask.hand)
        return draw(hand_key(secret, self.match, ask.hand, self.numbers), ask)


@dataclass(frozen=True, slots=True)
class Seeded:
    """Chance from one seed, with nobody to prove it to: simulations, tests and plain tables."""

    seed: bytes = field(repr=False)

    def answer(self, ask: Ask, /) -> tuple[int, ...]:
        """The same seed gives the same answers; the streams are those of the committed source."""
        return draw(hmac.digest(self.seed, f"seed/1|{ask.hand}".encode("ascii"), "sha256"), ask)
