"""What the ledger is told and what it answers: plain values."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

MINT: Final = "mint"
"""The account that all coins come from; the only one that may be negative (T3)."""

State: TypeAlias = Literal["staked", "paid", "refunded", "cancelled"]
Kind: TypeAlias = Literal["stake", "pay", "refund", "grant", "welcome", "bonus"]
"""``grant``: by an operator; ``welcome`` and ``bonus``: by the site (T3)."""
GIFTS: Final[tuple[Kind, ...]] = ("grant", "welcome", "bonus")
"""What belongs to no match."""


class LedgerError(Exception):
    """The ledger cannot be used now, or took too long: what was asked may be asked again."""


class ContradictionError(LedgerError):
    """A step found itself done already, with other content, or impossible after what was done.
    Nothing moved, there was an alarm in the log, and asking again will not help."""


class OtherGrantError(Exception):
    """The key of a grant was used before, for another one: a slip of whoever gives it, and no
    alarm. Nothing moved."""


class NotCoveredError(Exception):
    """An account has fewer coins than would be taken from it. Nothing moved."""


@dataclass(frozen=True, slots=True)
class Staked:
    """The stakes of a match are held."""


@dataclass(frozen=True, slots=True)
class Short:
    """Nothing moved: these players cannot cover the stake (T4). Guests never can (T2)."""

    players: frozenset[str]


@dataclass(frozen=True, slots=True)
class Cancelled:
    """Nothing is held: the match was cancelled, before or after its stakes were taken, or its
    stakes are paid out or given back already."""


@dataclass(frozen=True, slots=True)
class Held:
    """The stakes of a match. ``players`` by seat, ``winners`` are seats. Times in milliseconds
    since 1970; ``missed_at``: when its table was first found absent."""

    match: str
    table_id: str
    state: State
    stake: int
    players: list[str]
    winners: list[int]
    made_at: int
    changed_at: int
    missed_at: int | None


@dataclass(frozen=True, slots=True)
class Movement:
    """What a transfer gave to a player, or took. ``at``: milliseconds since 1970; ``by``: the
    operator, where it was one."""

    key: str
    kind: Kind
    match: str | None
    at: int
    by: str | None
    amount: int


def of_player(player: str) -> str:
    """The account of a player."""
    return f"player:{player}"


def of_match(match: str) -> str:
    """The account that holds the stakes of a match."""
    return f"escrow:{match}"


def own_key(kind: Kind, match: str) -> str:
    """The key of a transfer that a match makes: it makes one of each kind at most."""
    return f"{kind}:{match}"


def coins(stake: int, seats: int, winners: Collection[int]) -> list[int]:
    """The coins that a match moves, by seat: the pot to the winners in equal parts, what cannot
    be parted to the first of them; so they make zero (T4).

    >>> coins(50, 2, [1])
    [-50, 50]

    Raises :class:`ValueError` unless the winners are seats.
    """
    won = set(winners)
    if not won or len(won) != len(winners) or not won <= set(range(seats)):
        raise ValueError("the winners are not seats of the match")
    share, rest = divmod(stake * seats, len(won))
    moved = [share - stake if seat in won else -stake for seat in range(seats)]
    moved[min(won)] += rest
    return moved


def stake_lines(match: str, players: Sequence[str], stake: int) -> dict[str, int]:
    """What taking the stakes of a match gives to each account."""
    lines = {of_player(each): -stake for each in players}
    lines[of_match(match)] = stake * len(players)
    return lines


def end_lines(
    match: str, players: Sequence[str], stake: int, moved: Sequence[int]
) -> dict[str, int]:
    """What emptying a match's account gives to each: every seat its stake and what it won."""
    lines = {of_match(match): -stake * len(players)}
    for player, won in zip(players, moved, strict=True):
        if stake + won:
            lines[of_player(player)] = stake + won
    return lines
