"""The coins: every step once, all of it or nothing (T3–T5)."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.ext.asyncio import AsyncEngine

from app.ledger.audit import Audit, Change
from app.ledger.ledger import Ledger
from app.ledger.values import (
    Cancelled,
    ContradictionError,
    Held,
    NotCoveredError,
    OtherGrantError,
    Short,
    Staked,
    coins,
)

SEATS = ["nino", "gia"]


class Clock:
    """A clock that every look moves on."""

    def __init__(self) -> None:
        self.ms = 1_700_000_000_000

    def __call__(self) -> int:
        self.ms += 1
        return self.ms


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def ledger(lasting: AsyncEngine, clock: Clock) -> Ledger:
    """Nino and Gia have a thousand each, Luka has forty."""
    ledger = Ledger(lasting, clock)
    for player, amount in (("nino", 1_000), ("gia", 1_000), ("luka", 40)):
        await ledger.grant(player, amount, f"start:{player}", None)
    return ledger


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """What a test does not expect to be an alarm raises none."""
    yield
    assert [each for each in caplog.records if "ALARM" in each.getMessage()] == []


def alarmed(caplog: pytest.LogCaptureFixture) -> str:
    """The one alarm there was."""
    alarms = [each for each in caplog.records if each.levelno == logging.ERROR]
    assert len(alarms) == 1
    said = alarms[0].getMessage()
    assert said.startswith("ALARM: ")
    caplog.clear()
    return said


async def balances(ledger: Ledger) -> list[int | None]:
    return [await ledger.balance(each) for each in ("nino", "gia", "luka")]


async def clean(ledger: Ledger) -> None:
    report = await ledger.check()
    assert report.ok, str(report.differs)


async def test_guests_have_no_coins_t2(ledger: Ledger) -> None:
    assert await ledger.balance("guest") is None
    assert not await ledger.covers("guest", 0)
    assert await ledger.stake("m1", "t1", ["nino", "guest"], 50) == Short(frozenset({"guest"}))
    assert await balances(ledger) == [1_000, 1_000, 40]
    await clean(ledger)


async def test_who_covers_a_stake_t4(ledger: Ledger) -> None:
    assert await ledger.covers("nino", 1_000)
    assert not await ledger.covers("nino", 1_001)


async def test_both_stakes_are_taken_and_the_pot_is_paid_once_t4(
    ledger: Ledger, clock: Clock
) -> None:
    assert await ledger.stake("m1", "t1", SEATS, 300) == Staked()
    assert await balances(ledger) == [700, 700, 40]
    assert await ledger.stake("m1", "t1", SEATS, 300) == Staked()
    assert await balances(ledger) == [700, 700, 40]
    assert await ledger.pay("m1", [1]) == [-300, 300]
    assert await balances(ledger) == [700, 1_300, 40]
    assert await ledger.pay("m1", [1]) == [-300, 300]
    assert await ledger.stake("m1", "t1", SEATS, 300) == Cancelled()
    assert await balances(ledger) == [700, 1_300, 40]
    held = await ledger.held("m1")
    assert held is not None
    assert (held.state, held.winners) == ("paid", [1])
    assert held.made_at < held.changed_at < clock.ms
    await clean(ledger)


async def test_who_cannot_cover_the_stake_is_named_and_nobody_pays_t4(ledger: Ledger) -> None:
    short = Short(frozenset({"luka", "guest"}))
    assert await ledger.stake("m1", "t1", ["luka", "nino", "guest"], 41) == short
    assert await balances(ledger) == [1_000, 1_000, 40]
    # It is the answer for good: the same entry carried again later must not take stakes for a
    # table that has moved on.
    await ledger.grant("luka", 1_000, "gift:luka", None)
    await ledger.grant("guest", 1_000, "gift:guest", None)
    assert await ledger.stake("m1", "t1", ["luka", "nino", "guest"], 41) == short
    assert await ledger.stake("m2", "t1", ["luka", "nino", "guest"], 41) == Staked()
    await ledger.cancel("m1", "t1")
    assert await ledger.refund("m1") == []
    assert await balances(ledger) == [959, 1_000, 999]
    await clean(ledger)


async def test_a_stake_may_be_all_that_a_player_has(ledger: Ledger) -> None:
    assert await ledger.stake("m1", "t1", SEATS, 1_000) == Staked()
    assert await balances(ledger) == [0, 0, 40]
    assert await ledger.stake("m2", "t2", ["gia", "luka"], 1) == Short(frozenset({"gia"}))
    assert await ledger.pay("m1", [0]) == [1_000, -1_000]
    assert await balances(ledger) == [2_000, 0, 40]


async def test_a_cancelled_match_takes_no_stakes_later_t15(ledger: Ledger) -> None:
    await ledger.cancel("m1", "t1")
    await ledger.cancel("m1", "t1")
    assert await ledger.stake("m1", "t1", SEATS, 50) == Cancelled()
    assert await ledger.stake("m1", "t1", SEATS, 50) == Cancelled()
    assert await balances(ledger) == [1_000, 1_000, 40]
    await clean(ledger)


async def test_cancelling_gives_stakes_back_once_t15(ledger: Ledger) -> None:
    await ledger.stake("m1", "t1", SEATS, 50)
    await ledger.cancel("m1", "t1")
    await ledger.cancel("m1", "t1")
    assert await balances(ledger) == [1_000, 1_000, 40]
    assert await ledger.stake("m1", "t1", SEATS, 50) == Cancelled()
    assert await balances(ledger) == [1_000, 1_000, 40]
    await clean(ledger)


async def test_cancelling_what_is_settled_changes_nothing(ledger: Ledger) -> None:
    await ledger.stake("m1", "t1", SEATS, 50)
    await ledger.pay("m1", [0])
    before = await ledger.held("m1")
    await ledger.cancel("m1", "t1")
    assert await ledger.held("m1") == before
    assert await balances(ledger) == [1_050, 950, 40]


async def test_a_voided_match_gives_both_stakes_back_in_full_t5(ledger: Ledger) -> None:
    await ledger.stake("m1", "t1", SEATS, 50)
    assert await ledger.refund("m1") == [0, 0]
    assert await ledger.refund("m1") == [0, 0]
    assert await balances(ledger) == [1_000, 1_000, 40]
    # The table did not know yet: it learns what has really moved.
    assert await ledger.pay("m1", [0]) == [0, 0]
    assert await balances(ledger) == [1_000, 1_000, 40]
    await clean(ledger)


async def test_what_is_paid_cannot_be_given_back(ledger: Ledger) -> None:
    await ledger.stake("m1", "t1", SEATS, 50)
    await ledger.pay("m1", [0])
    assert await ledger.refund("m1") == [50, -50]
    assert await balances(ledger) == [1_050, 950, 40]
    assert await ledger.refund("never") == []
    assert await ledger.held("never") is None


@pytest.mark.parametrize("settled", ["paid", "refunded"])
async def test_what_is_settled_is_not_staked_for_another_playing_t4(
    ledger: Ledger, settled: str
) -> None:
    await ledger.stake("m1", "t1", SEATS, 50)
    if settled == "paid":
        await ledger.pay("m1", [0])
    else:
        await ledger.refund("m1")
    held, before = await ledger.held("m1"), await balances(ledger)
    # A table of an older copy asks as it did then. It must not hand the same rolls out again.
    for _ in range(2):
        assert await ledger.stake("m1", "t1", SEATS, 50) == Cancelled()
    assert (await ledger.held("m1"), await balances(ledger)) == (held, before)
    assert await ledger.stake("m2", "t1", SEATS, 50) == Staked()
    await clean(ledger)


async def test_a_team_shares_the_pot(ledger: Ledger) -> None:
    players = ["nino", "gia", "luka"]
    assert await ledger.stake("m1", "t1", players, 33) == Staked()
    # 99 between two: the odd one is the first one's.
    assert await ledger.pay("m1", [2, 1]) == [-33, 17, 16]
    assert await ledger.pay("m1", [1, 2]) == [-33, 17, 16]
    assert await balances(ledger) == [967, 1_017, 56]
    assert await ledger.stake("m2", "t2", players, 10) == Staked()
    assert await ledger.pay("m2", [0, 1, 2]) == [0, 0, 0]
    await clean(ledger)


@given(st.integers(1, 50_000), st.integers(1, 6), st.data())
def test_a_pot_is_paid_out_whole(stake: int, seats: int, data: st.DataObject) -> None:
    winners = data.draw(st.sets(st.integers(0, seats - 1), min_size=1))
    moved = coins(stake, seats, winners)
    assert sum(moved) == 0
    assert all(moved[seat] == -stake for seat in range(seats) if seat not in winners)
    first, *others = [moved[seat] + stake for seat in sorted(winners)]
    assert len(set(others)) <= 1
    assert all(other <= first < other + len(winners) for other in others)


@pytest.mark.parametrize("winners", [[], [2], [-1], [0, 0]])
async def test_winners_are_seats_of_the_match(ledger: Ledger, winners: list[int]) -> None:
    await ledger.stake("m1", "t1", SEATS, 50)
    with pytest.raises(ValueError, match="seats"):
        await ledger.pay("m1", winners)
    assert await balances(ledger) == [950, 950, 40]
    held = await ledger.held("m1")
    assert held is not None
    assert held.state == "staked"


OTHERS: list[tuple[str, list[str], int]] = [
    ("t2", SEATS, 50),
    ("t1", ["gia", "nino"], 50),
    ("t1", SEATS, 51),
    ("t1", ["nino"], 50),
]


@pytest.mark.parametrize("other", OTHERS, ids=["table", "seats", "stake", "players"])
@pytest.mark.parametrize("then", ["staked", "paid", "refunded"])
async def test_staking_again_with_other_content_is_an_alarm(
    ledger: Ledger,
    other: tuple[str, list[str], int],
    then: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    await ledger.stake("m1", "t1", SEATS, 50)
    if then == "paid":
        await ledger.pay("m1", [0])
    elif then == "refunded":
        await ledger.refund("m1")
    before = await balances(ledger)
    with pytest.raises(ContradictionError):
        await ledger.stake("m1", *other)
    assert "m1" in alarmed(caplog)
    assert await balances(ledger) == before
    await clean(ledger)


async def test_the_cancelling_of_another_table_is_an_alarm(
    ledger: Ledger, caplog: pytest.LogCaptureFixture
) -> None:
    await ledger.stake("m1", "t1", SEATS, 50)
    with pytest.raises(ContradictionError):
        await ledger.cancel("m1", "t2")
    alarmed(caplog)
    assert await balances(ledger) == [950, 950, 40]
    await ledger.cancel("m2", "t1")
    with pytest.raises(ContradictionError):
        await ledger.stake("m2", "t2", SEATS, 50)
    alarmed(caplog)


async def test_a_payment_that_contradicts_is_an_alarm(
    ledger: Ledger, caplog: pytest.LogCaptureFixture
) -> None:
    await ledger.stake("m1", "t1", SEATS, 50)
    await ledger.pay("m1", [0])
    with pytest.raises(ContradictionError):
        await ledger.pay("m1", [1])
    assert "m1" in alarmed(caplog)
    with pytest.raises(ContradictionError):
        await ledger.pay("never", [1])
    assert "never" in alarmed(caplog)
    await ledger.cancel("m2", "t1")
    with pytest.raises(ContradictionError):
        await ledger.pay("m2", [1])
    assert "m2" in alarmed(caplog)
    assert await balances(ledger) == [1_050, 950, 40]
    await clean(ledger)


async def test_a_stake_is_taken_from_different_players(ledger: Ledger) -> None:
    for players, stake in ((["nino", "nino"], 50), ([], 50), (SEATS, 0), (SEATS, -50)):
        with pytest.raises(ValueError, match="different players"):
            await ledger.stake("m1", "t1", players, stake)
    assert await ledger.held("m1") is None


async def test_a_grant_is_made_once_and_comes_from_the_mint_t3(
    ledger: Ledger, caplog: pytest.LogCaptureFixture
) -> None:
    assert await ledger.grant("nino", 200, "gift:nino:1", None) == 1_200
    assert await ledger.grant("nino", 200, "gift:nino:1", None) == 1_200
    assert await ledger.grant("nino", 200, "gift:nino:1", "op") == 1_200  # whoever asks again
    for player, amount, by in (("gia", 200, None), ("nino", 201, None), ("nino", -200, "op")):
        with pytest.raises(OtherGrantError, match="key gift:nino:1 was used before"):
            await ledger.grant(player, amount, "gift:nino:1", by)
    assert caplog.records == []  # a slip of whoever gives it, and nothing to look at
    assert await balances(ledger) == [1_200, 1_000, 40]
    await clean(ledger)


async def test_coins_can_be_taken_back_but_never_below_zero(
    ledger: Ledger, lasting: AsyncEngine
) -> None:
    assert await ledger.grant("luka", -40, "back:1", "op") == 0
    assert await ledger.grant("luka", -40, "back:1", "op") == 0
    with pytest.raises(NotCoveredError):
        await ledger.grant("luka", -1, "back:2", "op")
    with pytest.raises(NotCoveredError):
        await ledger.grant("nobody", -1, "back:3", "op")
    assert await ledger.balance("nobody") is None
    assert len(await Audit(lasting).recent()) == 1
    # What was refused may be asked for again when it is covered.
    await ledger.grant("luka", 1, "more", None)
    assert await ledger.grant("luka", -1, "back:2", "op") == 0
    await clean(ledger)


@pytest.mark.parametrize("key", ["stake:m9", "pay:m9", "refund:m9"])
async def test_a_grant_cannot_take_the_key_of_a_match(ledger: Ledger, key: str) -> None:
    with pytest.raises(ValueError, match="no such grant"):
        await ledger.grant("nino", 5, key, None)
    with pytest.raises(ValueError, match="no such grant"):
        await ledger.grant("nino", 0, "nothing", None)


async def test_what_an_operator_changes_is_written_down(
    ledger: Ledger, lasting: AsyncEngine, clock: Clock
) -> None:
    audit = Audit(lasting)
    assert await audit.recent() == []
    await ledger.grant("nino", 5, "gift", "dato")
    at = clock.ms
    await ledger.grant("nino", 5, "gift", "dato")
    void = Change(clock(), "dato", "void", {"match": "m1"})
    await audit.write(void)
    what = {"player": "nino", "amount": 5, "key": "gift"}
    assert await audit.recent() == [void, Change(at, "dato", "grant", what)]
    assert await audit.recent(1) == [void]


async def test_what_moved_a_players_coins_the_latest_first(ledger: Ledger) -> None:
    await ledger.stake("m1", "t1", SEATS, 50)
    await ledger.pay("m1", [0])
    await ledger.stake("m2", "t1", SEATS, 60)
    await ledger.refund("m2")
    await ledger.grant("nino", -7, "fine", "dato")
    moved = await ledger.movements("nino")
    assert [(each.kind, each.match, each.by, each.amount) for each in moved] == [
        ("grant", None, "dato", -7),
        ("refund", "m2", None, 60),
        ("stake", "m2", None, -60),
        ("pay", "m1", None, 100),
        ("stake", "m1", None, -50),
        ("grant", None, None, 1_000),
    ]
    assert await ledger.movements("nino", 2) == moved[:2]
    assert [each.kind for each in await ledger.movements("gia")] == [
        "refund", "stake", "stake", "grant",
    ]  # fmt: skip
    assert await ledger.movements("nobody") == []


def ids(held: list[Held]) -> list[str]:
    return [each.match for each in held]


async def test_stakes_that_are_held_can_be_found(ledger: Ledger, clock: Clock) -> None:
    for match in ("m2", "m1", "m3", "m4"):
        await ledger.stake(match, f"t-{match}", SEATS, 50)
    await ledger.pay("m3", [0])
    await ledger.cancel("m5", "t5")
    assert ids(await ledger.staked()) == ["m1", "m2", "m4"]
    assert ids(await ledger.staked(2)) == ["m1", "m2"]
    assert ids(await ledger.staked(2, after="m2")) == ["m4"]
    second = await ledger.held("m1")
    assert second is not None
    assert (second.table_id, second.players, second.stake) == ("t-m1", SEATS, 50)
    assert ids(await ledger.unsettled(second.made_at)) == ["m2"]
    assert ids(await ledger.unsettled(second.made_at + 1)) == ["m2", "m1"]
    assert ids(await ledger.unsettled(clock.ms + 1, 1)) == ["m2"]


async def test_a_table_is_missed_from_the_first_time_it_was_not_there(ledger: Ledger) -> None:
    await ledger.stake("m1", "t1", SEATS, 50)
    assert await ledger.missed("m1", 1_000) == 1_000
    assert await ledger.missed("m1", 2_000) == 1_000
    held = await ledger.held("m1")
    assert held is not None
    assert held.missed_at == 1_000
    await ledger.found("m1")
    await ledger.found("m1")
    assert await ledger.missed("m1", 3_000) == 3_000
    await ledger.refund("m1")
    assert await ledger.missed("m1", 4_000) is None
    assert await ledger.missed("never", 4_000) is None
    held = await ledger.held("m1")
    assert held is not None
    assert held.missed_at is None
