"""Random lives of coins, beside a second opinion that knows no database."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from app import db
from app.ledger.ledger import Ledger
from app.ledger.values import (
    Cancelled,
    ContradictionError,
    NotCoveredError,
    OtherGrantError,
    Short,
    Staked,
)
from tests.services.postgres import unsynced

PLAYERS = ["eka", "gia", "luka", "nino"]
MATCHES = st.sampled_from([f"m{number}" for number in range(6)])
SEATED = st.lists(st.sampled_from([*PLAYERS, "guest"]), min_size=1, max_size=4, unique=True)


class Coins(RuleBasedStateMachine):
    """Whatever is asked, in whatever order and however often: coins are what they should be."""

    engine: ClassVar[AsyncEngine]
    runner: ClassVar[asyncio.Runner]

    def __init__(self) -> None:
        super().__init__()
        self.ledger = Ledger(self.engine)
        self.has: dict[str, int] = {}
        self.grants: dict[str, tuple[str, int]] = {}
        self.staked: dict[str, tuple[list[str], int]] = {}
        self.short: dict[str, tuple[list[str], int, Short]] = {}
        self.paid: dict[str, tuple[list[int], list[int]]] = {}
        self.closed: set[str] = set()
        self.do(self._wipe())

    async def _wipe(self) -> None:
        async with self.engine.begin() as connection:
            for table in ("entries", "transfers", "accounts", "escrow", "audit"):
                await connection.execute(text(f"DELETE FROM {table}"))

    def do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.runner.run(work)

    def contradicts(self, work: Coroutine[Any, Any, Any]) -> None:
        with pytest.raises(ContradictionError):
            self.do(work)

    @rule(
        player=st.sampled_from(PLAYERS), amount=st.sampled_from([-300, -100, -1, 1, 100, 200, 600]),
        key=st.sampled_from("abcdefghij"),
    )  # fmt: skip
    def grant(self, player: str, amount: int, key: str) -> None:
        work = self.ledger.grant(player, amount, key, "dato")
        if key in self.grants:
            if self.grants[key] == (player, amount):
                assert self.do(work) == self.has[player]
            else:
                with pytest.raises(OtherGrantError):
                    self.do(work)
        elif self.has.get(player, 0) + amount < 0:
            with pytest.raises(NotCoveredError):
                self.do(work)
        else:
            self.has[player] = self.has.get(player, 0) + amount
            self.grants[key] = (player, amount)
            assert self.do(work) == self.has[player]

    @rule(pick=st.randoms(use_true_random=False))
    def grant_again(self, pick: Any) -> None:
        if self.grants:
            key = pick.choice(sorted(self.grants))
            self.grant(*self.grants[key], key)

    @rule(match=MATCHES, players=SEATED, stake=st.sampled_from([1, 3, 100, 200]))
    def stake(self, match: str, players: list[str], stake: int) -> None:
        work = self.ledger.stake(match, "t", players, stake)
        if match in self.staked:
            if self.staked[match] != (players, stake):
                self.contradicts(work)
            else:
                settled = match in self.closed or match in self.paid
                assert self.do(work) == (Cancelled() if settled else Staked())
        elif match in self.short:
            if self.short[match][:2] != (players, stake):
                self.contradicts(work)
            else:
                assert self.do(work) == self.short[match][2]
        elif match in self.closed:
            assert self.do(work) == Cancelled()
        else:
            short = frozenset(each for each in players if self.has.get(each, -1) < stake)
            if short:
                self.short[match] = (players, stake, Short(short))
                assert self.do(work) == Short(short)
            else:
                self.staked[match] = (players, stake)
                for each in players:
                    self.has[each] -= stake
                assert self.do(work) == Staked()

    @rule(match=MATCHES)
    def stake_again(self, match: str) -> None:
        if match in self.staked or match in self.short:
            players, stake = (self.staked.get(match) or self.short[match])[:2]
            self.stake(match, players, stake)

    def _back(self, match: str) -> None:
        if match in self.staked and match not in self.closed and match not in self.paid:
            players, stake = self.staked[match]
            for each in players:
                self.has[each] += stake
            self.closed.add(match)

    @rule(match=MATCHES)
    def cancel(self, match: str) -> None:
        self._back(match)
        if match not in self.staked:
            self.closed.add(match)
        assert self.do(self.ledger.cancel(match, "t")) is None

    @rule(match=MATCHES)
    def refund(self, match: str) -> None:
        self._back(match)
        moved = self.do(self.ledger.refund(match))
        if match in self.paid:
            assert moved == self.paid[match][1]
        else:
            assert moved == [0] * len(self.staked.get(match, ([],))[0])

    @rule(match=MATCHES, mask=st.integers(1, 15))
    def pay(self, match: str, mask: int) -> None:
        if match not in self.staked:
            self.contradicts(self.ledger.pay(match, [0]))
            return
        players, stake = self.staked[match]
        winners = [seat for seat in range(len(players)) if mask >> seat & 1] or [0]
        work = self.ledger.pay(match, winners)
        if match in self.paid:
            if self.paid[match][0] == winners:
                assert self.do(work) == self.paid[match][1]
            else:
                self.contradicts(work)
        elif match in self.closed:
            assert self.do(work) == [0] * len(players)
        else:
            before = dict(self.has)
            part, rest = divmod(stake * len(players), len(winners))
            for seat in winners:
                self.has[players[seat]] += part
            self.has[players[winners[0]]] += rest
            moved = [self.has[each] - before[each] - stake for each in players]
            self.paid[match] = (winners, moved)
            assert self.do(work) == moved

    @invariant()
    def coins_are_where_they_should_be(self) -> None:
        self.do(self._look())

    async def _look(self) -> None:
        async with self.engine.connect() as connection:
            rows = await connection.execute(text("SELECT id, balance FROM accounts"))
            kept = {row.id: row.balance for row in rows}
        pots = set(self.staked) - set(self.paid) - self.closed
        expected = {f"player:{player}": has for player, has in self.has.items()}
        expected |= dict.fromkeys([f"escrow:{match}" for match in self.staked], 0)
        expected |= {
            f"escrow:{match}": len(self.staked[match][0]) * self.staked[match][1] for match in pots
        }
        if expected:
            expected["mint"] = -sum(expected.values())
        assert kept == expected

    def teardown(self) -> None:
        held = {each.match for each in self.do(self.ledger.staked())}
        assert held == set(self.staked) - set(self.paid) - self.closed
        report = self.do(self.ledger.check())
        assert report.ok, str(report.differs)


def live(engine: AsyncEngine, runner: asyncio.Runner, examples: int) -> None:
    machine = type("Coins", (Coins,), {"engine": engine, "runner": runner})
    run_state_machine_as_test(
        machine, settings=settings(max_examples=examples, stateful_step_count=30)
    )


def test_coins_on_a_file() -> None:
    with tempfile.TemporaryDirectory() as folder, asyncio.Runner() as runner:
        engine = unsynced(Path(folder) / "site.db")
        runner.run(db.upgrade(engine))
        live(engine, runner, 20)
        runner.run(db.close(engine))


def test_coins_on_a_server(database: str) -> None:
    with asyncio.Runner() as runner:
        engine = db.deployed(database)
        live(engine, runner, 20)
        runner.run(db.close(engine))
