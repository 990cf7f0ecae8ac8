"""The coins of a table: what may be staked, and what a match moves (T3, T4). The ledger moves
them; a table only says who has won."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, Literal, TypeAlias

from engine.game import Refusal, Seat

LEAST: Final = 50
MOST: Final = 50_000
"""What a seat may stake at a coin table (T3); at a free one it stakes nothing."""
OFFERED: Final = (50, 100, 500, 1_000, 5_000, 10_000, 50_000)
"""What the form for a table offers."""

Funds: TypeAlias = Literal["covers", "lacks", "met", "away"]
"""What the ledger says of a player and a stake. It comes with the command, as a table never asks;
``met``: they have played somebody here for coins often enough today; ``away``: it does not say, so
that nobody sits down whom it was not asked about."""


def may_stake(stake: int) -> None:
    """Raises :class:`Refusal` unless a table may have such a stake (T3)."""
    if stake and not LEAST <= stake <= MOST:
        raise Refusal("bad_stake", "T3", least=LEAST, most=MOST)


def may_play(stake: int, funds: Funds) -> None:
    """Nobody takes part in what they cannot cover (T4). Raises :class:`Refusal`."""
    if stake and funds == "away":
        raise Refusal("ledger_away", "T4")
    if stake and funds == "lacks":
        raise Refusal("cannot_cover", "T4", stake=stake)
    if stake and funds == "met":
        raise Refusal("met_enough", "T3")


def pot(stake: int, seats: int) -> int:
    """What the winner gets: every seat's stake (T4)."""
    return stake * seats


def moves(stake: int, seats: int, winners: Collection[Seat]) -> tuple[int, ...]:
    """The coins that a match moves, by seat, as the ledger parts the pot: nothing if nobody has
    won (T5)."""
    if not winners:
        return (0,) * seats
    share, rest = divmod(pot(stake, seats), len(winners))
    moved = [share - stake if seat in winners else -stake for seat in range(seats)]
    moved[min(winners)] += rest
    return tuple(moved)
