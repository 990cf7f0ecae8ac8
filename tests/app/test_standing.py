"""Who a cookie says somebody is, and who they are (T2)."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from app.players.players import Player as Kept
from app.players.players import PlayersError
from app.players.sessions import id_of
from app.web.identity import Player
from app.web.standing import BELIEVED, KEPT, Standing

GUEST = Player("p1", "სტუმარი 1234")
NINO = Player("p1", "ნინო", "secret")


class Books:
    """The players and sessions of a database that a test changes, or takes away."""

    def __init__(self) -> None:
        self.registered: set[str] = set()
        self.sessions: dict[str, Kept] = {}
        self.away = False
        self.asked = 0
        self.hanging: asyncio.Event | None = None

    async def _ask(self) -> None:
        self.asked += 1
        if self.hanging is not None:
            await self.hanging.wait()
        if self.away:
            raise PlayersError

    async def guests(self, ids: list[str]) -> set[str]:
        await self._ask()
        return set(ids) - self.registered

    async def player(self, session: str, at: int) -> Kept | None:
        del at
        await self._ask()
        return self.sessions.get(session)

    async def is_anybodys(self, name: str) -> bool:
        await self._ask()
        return any(each.name == name for each in self.sessions.values())

    async def alive(self, ids: list[str], at: int) -> set[str]:
        del at
        await self._ask()
        return set(ids) & self.sessions.keys()


class Clock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def books() -> Books:
    return Books()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def standing(books: Books, clock: Clock) -> Standing:
    return Standing(books, books, books, lambda: 0, clock)  # type: ignore[arg-type]


def sign_in(books: Books, name: str = "ნინო") -> None:
    books.registered.add("p1")
    books.sessions[id_of("secret")] = Kept("p1", name, 0, "registered")


async def test_a_guest_is_who_they_say_until_they_register(
    standing: Standing, books: Books, clock: Clock
) -> None:
    assert await standing.stands(None) is None
    assert await standing.stands(GUEST) == GUEST
    renamed = replace(GUEST, name="თამარი")
    assert await standing.stands(renamed) == renamed  # at once: it is their cookie that says it
    asked = books.asked
    assert await standing.stands(renamed) == renamed
    assert books.asked == asked
    sign_in(books)
    clock.seconds = BELIEVED
    assert await standing.stands(GUEST) is None


async def test_a_guest_does_not_keep_a_name_that_has_become_somebodys(
    standing: Standing, books: Books, clock: Clock
) -> None:
    guest = Player("p2", "ნინო")
    assert await standing.stands(guest) == guest
    sign_in(books)
    clock.seconds = BELIEVED
    now = await standing.stands(guest)
    assert now is not None
    assert (now.id, now.name[:8]) == ("p2", "სტუმარი ")
    assert await standing.stands(guest) == now


async def test_a_session_is_believed_for_a_while_and_gives_the_name_of_today(
    standing: Standing, books: Books, clock: Clock
) -> None:
    sign_in(books)
    assert await standing.stands(NINO) == NINO
    books.sessions.clear()
    assert await standing.stands(NINO) == NINO
    clock.seconds = BELIEVED
    assert await standing.stands(NINO) is None
    sign_in(books, "ნინუცა")
    await standing.changed("p1")
    assert await standing.stands(NINO) == replace(NINO, name="ნინუცა")
    # The session of one opens nothing under the id of another.
    assert await standing.stands(Player("p2", "გია", "secret")) is None
    assert await standing.stands(Player("p1", "ნინო", "another secret")) is None


async def test_what_was_known_last_stands_while_the_database_is_away(
    standing: Standing, books: Books, clock: Clock
) -> None:
    sign_in(books)
    assert await standing.stands(NINO) == NINO
    books.sessions.clear()
    clock.seconds = BELIEVED
    assert await standing.stands(NINO) is None
    books.away = True
    clock.seconds += BELIEVED
    assert await standing.stands(NINO) is None  # it was over: nothing brings it back
    stranger = Player("p3", "ეკა", "some secret")
    assert await standing.stands(stranger) == stranger
    asked = books.asked
    assert await standing.stands(stranger) == stranger
    assert books.asked == asked  # not again for a while


async def test_a_database_that_hangs_holds_nobody_up(
    standing: Standing, books: Books, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.live.glance.GLANCE_S", 0.01)
    books.hanging = asyncio.Event()
    assert await standing.stands(GUEST) == GUEST
    books.hanging.set()
    await standing.close()


async def test_who_is_watched_ends_with_their_session(standing: Standing, books: Books) -> None:
    sign_in(books)
    ended: list[str] = []
    standing.watch(NINO, lambda: ended.append("nino"))
    standing.watch(GUEST, lambda: ended.append("guest of before"))
    gone = standing.watch(NINO, lambda: ended.append("closed before"))
    standing.watch(Player("p2", "გია"), lambda: ended.append("gia"))
    standing.watch(None, lambda: ended.append("nobody"))
    gone()
    gone()
    await standing.changed("p1")
    assert ended == ["guest of before"]
    books.sessions.clear()
    books.away = True
    await standing.changed("p1")
    assert ended == ["guest of before"]
    books.away = False
    await standing.changed("p1")
    assert sorted(ended) == ["guest of before", "guest of before", "nino"]


async def test_no_more_than_so_many_are_remembered(standing: Standing) -> None:
    for n in range(KEPT + 10):
        await standing.stands(Player(f"p{n}", "X"))
    assert len(standing._known) == KEPT
