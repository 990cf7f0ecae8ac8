"""Who comes too often is told to wait, whoever they say they are; nobody else is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from fastapi.routing import APIRoute
from websockets.asyncio.client import ClientConnection

from app.main import create_app
from app.settings import Settings, read_settings
from app.web import account, faults, pages, quick, tables
from app.web.bounds import FORMS
from app.web.counts import in_redis
from app.web.proxies import Proxies, group_of
from app.web.rates import Rates, rates_of
from tests.app.browsers import Browser
from tests.app.server import Server
from tests.app.test_health import deployed
from tests.services.redis import Redis, RedisCluster

TABLE = {"game": "domino", "rules": "georgian", "target": "75"}


def settings(**changed: str) -> Settings:
    return read_settings(**changed)


def few(data: Path, **more: str) -> Server:
    return Server(data, 0, **({"EZO_TABLE_RATE": "2/hour"} | more))


def test_every_form_that_counts_is_one() -> None:
    forms = {
        route.path
        for router in (m.router for m in (pages, tables, quick, account, faults))
        for route in router.routes
        if isinstance(route, APIRoute) and "POST" in (route.methods or ())
    }
    assert set(FORMS) <= forms


def test_who_makes_too_many_tables_gets_a_page_that_says_when_in_both_languages(
    tmp_path: Path,
) -> None:
    with few(tmp_path / "data") as server:
        often, other = Browser(server), Browser(server)
        assert [often.post("/tables", TABLE).status_code for _ in range(3)] == [303, 303, 303]
        # The first made a guest of them: from then on they are counted.
        refused = often.post("/tables", TABLE)
        assert refused.status_code == 429
        assert 0 < int(refused.headers["retry-after"]) <= 3600
        assert "ცოტა ნელა" in refused.text
        often.post("/language", {"language": "en", "back": "/"})
        assert "A little slower" in often.post("/tables", TABLE).text
        assert other.post("/tables", TABLE).status_code == 303
        assert often.get("/").status_code == 200
        assert server.log() == ""


@pytest.mark.parametrize(
    ("rate", "path", "form"),
    [
        ("EZO_TABLE_ADDRESS_RATE", "/tables", TABLE),
        ("EZO_SIT_ADDRESS_RATE", "/t/none/sit", {}),
        ("EZO_QUICK_ADDRESS_RATE", "/quick", TABLE),
        ("EZO_NAME_ADDRESS_RATE", "/name", {"name": "ნინო"}),
    ],
)
def test_throwing_the_cookie_away_does_not_help(
    rate: str, path: str, form: dict[str, str], tmp_path: Path
) -> None:
    with Server(tmp_path / "data", 0, **{rate: "3/hour"}) as server:
        answers = [Browser(server).post(path, form).status_code for _ in range(5)]
        assert 429 not in answers[:3]
        assert answers[3:] == [429, 429]


async def test_too_many_sockets_of_an_address_are_told_to_come_later(tmp_path: Path) -> None:
    with Server(tmp_path / "data", 0, EZO_SOCKET_ADDRESS_RATE="2/hour") as server:
        browser = Browser(server)
        opened = [await browser.socket("/ws/lobby") for _ in range(3)]
        await opened[2].wait_closed()
        assert (opened[2].close_code, opened[2].close_reason) == (1013, "too often")
        assert [await alive(socket) for socket in opened[:2]] == [True, True]
        for socket in opened:
            await socket.close()


async def alive(socket: ClientConnection) -> bool:
    return bool(await socket.recv())


def test_it_can_be_switched_off(tmp_path: Path) -> None:
    off = {"EZO_RATES": "off", "EZO_NAME_ADDRESS_RATE": "1/hour"}
    with Server(tmp_path / "data", 0, **off) as server:
        answers = [Browser(server).post("/name", {"name": "ნინო"}).status_code for _ in range(4)]
        assert answers == [303] * 4


@pytest.mark.parametrize(
    ("trusted", "headers", "statuses"),
    [
        # A proxy that is trusted says who it is, and its last word counts.
        ("127.0.0.1", ["192.0.2.1", "192.0.2.2", "192.0.2.3"], [303, 303, 303]),
        ("127.0.0.1", ["192.0.2.8, 192.0.2.1", "192.0.2.9, 192.0.2.1"], [303, 429]),
        ("127.0.0.1", ["nobody", "no one"], [303, 429]),
        # Whoever comes directly may say what they like.
        ("192.0.2.0/24", ["192.0.2.1", "192.0.2.2"], [303, 429]),
    ],
)
def test_an_address_is_the_peers_or_what_a_trusted_proxy_saw(
    trusted: str, headers: list[str], statuses: list[int], tmp_path: Path
) -> None:
    rate = {"EZO_NAME_ADDRESS_RATE": "1/hour", "EZO_TRUSTED_PROXIES": trusted}
    with Server(tmp_path / "data", 0, **rate) as server:
        answers = [
            httpx.post(
                server.origin + "/name",
                data={"name": "ნინო"},
                headers={"origin": server.origin, "x-forwarded-for": said},
            )
            for said in headers
        ]
        assert [answer.status_code for answer in answers] == statuses


@pytest.mark.parametrize(
    ("trusted", "said", "secure"),
    [
        ("127.0.0.1", "https", True),
        ("127.0.0.1", "http, https", True),
        ("127.0.0.1", "https, http", False),
        ("127.0.0.1", "gopher", False),
        ("10.0.0.0/8", "https", False),
    ],
)
def test_a_cookie_is_secure_where_a_trusted_proxy_ended_tls(
    trusted: str, said: str, secure: bool, tmp_path: Path
) -> None:
    with Server(tmp_path / "data", 0, EZO_TRUSTED_PROXIES=trusted) as server:
        answer = httpx.post(
            server.origin + "/name",
            data={"name": "ნინო"},
            headers={"origin": server.origin, "x-forwarded-proto": said},
        )
        assert ("Secure" in answer.headers["set-cookie"]) is secure


def test_whoever_has_an_address_of_ipv6_has_its_whole_network() -> None:
    assert group_of("2001:db8::1") == group_of("2001:db8::ffff:1")
    assert group_of("2001:db8::1") != group_of("2001:db8:0:1::1")
    assert group_of("::ffff:192.0.2.1") == "192.0.2.1"
    assert group_of("192.0.2.1") != group_of("192.0.2.2")
    assert group_of("a socket") == "a socket"


def test_proxies_stand_outside_of_everything(tmp_path: Path) -> None:
    app = create_app(settings(data=str(tmp_path)))
    assert app.user_middleware[0].cls is Proxies  # type: ignore[comparison-overlap]


# Counted by several processes together.


async def test_processes_count_together(tmp_path: Path, empty_redis: Redis, database: str) -> None:
    rate = {"EZO_NAME_ADDRESS_RATE": "3/hour"}
    with (
        deployed(tmp_path / "a", empty_redis, database, **rate) as a,
        deployed(tmp_path / "b", empty_redis, database, **rate) as b,
    ):
        posts = [
            await asyncio.to_thread(Browser(server).post, "/name", {"name": "ნინო"})
            for server in (a, b, a, b, a)
        ]
        assert [answer.status_code for answer in posts] == [303, 303, 303, 429, 429]
        # What is kept says nothing of whose it is, and is gone when the time is over.
        (key,) = (key for key in empty_redis.kept() if "rate" in key)
        assert "127.0.0.1" not in key
        assert 0 < empty_redis.ask("TTL", key) <= 3600


@pytest.fixture
async def mortal_redis() -> AsyncIterator[Redis]:
    redis = Redis().start()
    yield redis
    redis.close()


async def test_without_redis_each_counts_for_itself_and_comes_back_to_it(
    mortal_redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.rates.AGAIN", 0.0)
    given = Settings(name_address_rate="2/hour")
    rates = Rates(given, lambda: in_redis(mortal_redis.url))
    other = Rates(given, lambda: in_redis(mortal_redis.url))
    assert await rates.hit("name", None, "192.0.2.1") == 0
    mortal_redis.kill()
    hits = [await rates.hit("name", None, "192.0.2.1") for _ in range(3)]
    assert hits[:2] == [0, 0]
    assert hits[2] > 0
    mortal_redis.start()
    assert await rates.hit("name", None, "192.0.2.1") == 0
    assert await other.hit("name", None, "192.0.2.1") > 0
    await rates.close()
    await other.close()


async def test_a_redis_that_hangs_costs_a_moment_once(mortal_redis: Redis) -> None:
    rates = Rates(Settings(), lambda: in_redis(mortal_redis.url))
    assert await rates.hit("name", None, "192.0.2.1") == 0
    mortal_redis.suspend()
    loop = asyncio.get_running_loop()
    began = loop.time()
    for _ in range(20):
        assert await rates.hit("socket", None, "192.0.2.1") == 0
    assert loop.time() - began < 4
    mortal_redis.resume()
    await rates.close()


async def test_on_a_cluster_too(empty_cluster: RedisCluster) -> None:
    given = Settings(name_rate="2/hour")
    both = [Rates(given, lambda: in_redis(empty_cluster.url)) for _ in range(2)]
    hits = [await rates.hit("name", "nino", "192.0.2.1") for rates in (*both, *both)]
    assert hits[:2] == [0, 0]
    assert min(hits[2:]) > 0
    assert any("rate" in key for key in empty_cluster.kept())
    for rates in both:
        await rates.close()


async def test_a_site_without_redis_counts_for_itself() -> None:
    rates = rates_of(Settings(name_rate="1/hour"))
    assert await rates.hit("name", "nino", "192.0.2.1") == 0
    assert await rates.hit("name", "gia", "192.0.2.1") == 0
    assert 0 < await rates.hit("name", "nino", "192.0.2.2") <= 3600
    await rates.close()
