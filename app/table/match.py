"""A match at a table: its handshake before it begins, and its state while it runs (T12, T15)."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from app.table.clock import SeatClock
from engine.chance import Chain, draw, hand_key
from engine.game import Ask, Reason, Seat

HASH_MS: Final = 30_000
REVEAL_MS: Final = 15_000
"""What a seat has for its hash, and for its number after that (T15)."""
FUND_MS: Final = 30_000
"""What the ledger has for its answer (T15)."""
PAUSE_MS: Final = 8_000
"""The look at a finished hand before the next is dealt; every seat can cut it short."""
PACE_MS: Final = 1_400
STEP_MS: Final = 700
"""A computer player moves so long after its turn began, and goes on so long after a part of its
move: at the pace of a person, whatever it needs to think."""
THINK_MS: Final = 5_000
"""What a computer player has to think. After that the server plays in its place."""

Step: TypeAlias = Literal["hash", "reveal"]
EndReason: TypeAlias = Reason | Literal["void"]
VoidCause: TypeAlias = Literal[
    "no_hash", "no_number", "left", "playing_elsewhere", "unfunded", "ledger_away", "voided"
]


@dataclass(frozen=True, slots=True)
class Handshake:
    """A match that has an id and a commitment, and waits for the seats' hashes and numbers."""

    match: str
    chain: Chain
    commitment: bytes
    until: int
    hashes: tuple[bytes | None, ...]
    numbers: tuple[bytes | None, ...] = field(repr=False)

    @property
    def step(self) -> Step:
        """Numbers are asked for only when every hash is in and handed on (fairness 2)."""
        return "hash" if None in self.hashes else "reveal"

    def bot_number(self, seat: Seat) -> bytes:
        """The number of a computer player, as new and unguessable as the chain, fixed with it, and
        telling nothing of it (fairness 2)."""
        message = f"bot|{self.match}|{seat}".encode()
        return hmac.digest(self.chain.last, message, "sha256")

    def done(self) -> tuple[bool, ...]:
        """Who has done the present step."""
        given = self.hashes if self.step == "hash" else self.numbers
        return tuple(each is not None for each in given)


@dataclass(frozen=True, slots=True)
class Rated:
    """What a match has made of a seat's rating, as it is shown; ``provisional``: of few matches."""

    before: int
    after: int
    provisional: bool


@dataclass(frozen=True, slots=True)
class Ended:
    """How and when a match ended; nobody wins a void one. ``kept``: it has a page of its own from
    now on. ``coins``: what the ledger has moved for it, by seat; ``None``: nothing yet, or the
    table is free. ``ratings`` by seat; ``None``: not rated, or not yet."""

    winners: tuple[Seat, ...]
    reason: EndReason
    score: tuple[int, ...]
    at: int
    kept: bool = False
    coins: tuple[int, ...] | None = None
    ratings: tuple[Rated, ...] | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """A match that has begun. ``ply`` counts its game actions and nothing else. ``begun``: hands
    that chance was asked for; ``secret`` is that of the last of them, and ``secrets`` are those
    that are out (fairness 8). ``line_at``: when the last line of the record was made.
    ``pause_until``: the next hand is dealt then; ``ready``: who does not want to wait for it.
    ``bot_at``: from then on the move of a computer player is wanted."""

    id: str
    chain: Chain
    commitment: bytes
    hashes: tuple[bytes, ...]
    numbers: tuple[bytes, ...] = field(repr=False)
    started_at: int
    clocks: tuple[SeatClock, ...]
    state: Any = field(repr=False)
    ply: int = 0
    begun: int = 0
    secret: bytes = field(default=b"", repr=False)
    secrets: tuple[bytes, ...] = ()
    line_at: int = 0
    pause_until: int | None = None
    ready: frozenset[Seat] = frozenset()
    ended: Ended | None = None
    bot_at: int | None = None

    def answer(self, ask: Ask) -> tuple[int, ...]:
        """What the committed source says to an ask of the last hand begun (fairness 4–7)."""
        return draw(hand_key(self.secret, self.id, self.begun, self.numbers), ask)
