"""A finished match played again on its page: by keys and by fingers, from every side."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, Route, expect

from app.table.replays import HandLine, hands
from engine.game import Json
from engine.record import read
from tests.app.browsers import Browser, play_out, started
from tests.app.finished import copied, given_up
from tests.app.houses import eventually
from tests.app.server import Server
from tests.browser.test_axe import in_both_themes, in_english
from tests.browser.windows import LAPTOP, PHONE

pytestmark = pytest.mark.browser

OpenWindow = Callable[..., Page]
GAMES = pytest.mark.parametrize("game", ["domino", "nardi"])
SIZES = pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
OPTIONS = {"domino": ("georgian", {"target": "75"}), "nardi": ("short", {"points": "5"})}
NAMES = ("ნინო", "გიორგი ბერიძე")

NO_LINE = "Object.defineProperty(window, 'WebSocket', { value: undefined });"
MOTIONS = """
window.motions = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (...given) {
  if (this.closest(".replay")) window.motions += 1;
  return animate.apply(this, given);
};
"""
SMALL = """() => [...document.querySelectorAll(
    ".replay button, .replay select, .replay input, .hand-list a, .taking .button, #share, #link"
  )]
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([one, { width, height }]) => width > 0 && (width < 44 || height < 44))
  .map(([one, { width, height }]) => `${one.outerHTML.slice(0, 60)} ${width} ${height}`)
"""
OUTSIDE = """() => {
  const wide = document.documentElement.scrollWidth;
  const found = wide > innerWidth ? [`the page is ${wide} wide`] : [];
  const box = (one) => one.getBoundingClientRect();
  const replay = box(document.querySelector(".replay"));
  if (replay.height > innerHeight) found.push(`the replay is ${replay.height} high`);
  const within = (what, where) => {
    for (const outer of document.querySelectorAll(where)) {
      const { left, right, top, bottom } = box(outer);
      for (const one of outer.querySelectorAll(what)) {
        const { left: x, right: far, top: y, bottom: low } = box(one);
        if (x < left - 1 || far > right + 1 || y < top - 1 || low > bottom + 1)
          found.push(`${one.getAttribute("class") ?? one.tagName} leaves ${where}`);
      }
    }
  };
  within(".plate, .field, .open-tiles, .count, .caption, .steering > *, select", ".replay");
  within(".stone, .place", ".field");
  within(".open-tiles li", ".open-tiles");
  within(".name, .score, .cup:not(.empty)", ".plate");
  const rows = [...document.querySelectorAll(".scene > *, .below > *")].map(box)
    .filter(({ height }) => height > 0);
  rows.forEach((one, n) => rows.slice(n + 1).forEach((other) => {
    const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    if (wide > 1 && high > 1) found.push(`rows overlap by ${high}`);
  }));
  return found;
}"""


@dataclass
class Played:
    """A finished match."""

    address: str
    record: Json
    lines: list[HandLine]

    @property
    def score(self) -> list[int]:
        return list(self.lines[-1].score)

    def at(self, hand: int, step: int, side: str) -> str:
        """The address of a moment; a negative step counts from the end of the hand."""
        if step < 0:
            step += self.lines[hand - 1].frames
        return f"{self.address}#h{hand}.{step}.{side}"


async def _play(site: Server, game: str) -> Played:
    rules, options = OPTIONS[game]
    browsers = [Browser(site), Browser(site)]
    for browser, name in zip(browsers, NAMES, strict=True):
        browser.post("/name", {"name": name})
    seats = await started(browsers, game, rules, **options)
    await play_out(seats, random.Random(11))
    path = f"/m/{seats[0].table['match']}"

    async def kept() -> Json | None:
        answer = browsers[0].get(f"{path}/record.json")
        return answer.json() if answer.status_code == 200 else None

    record = await eventually(kept)
    lines = [hand.line for hand in hands(read(record), "above")]
    assert len(lines) > 1
    return Played(site.origin + path, record, lines)


@pytest.fixture(scope="module")
def matches(site: Server) -> dict[str, Played]:
    """A match of each game, for all tests that look at it. The browser has this thread's loop."""

    async def both() -> dict[str, Played]:
        return {game: await _play(site, game) for game in OPTIONS}

    with ThreadPoolExecutor(1) as other:
        return other.submit(lambda: asyncio.run(both())).result()


@pytest.fixture
def opened(open_window: OpenWindow) -> OpenWindow:
    """Opens pages at a moment of a match, without a line to the server."""

    def make(address: str, size: tuple[int, int] = PHONE, *scripts: str, **settings: str) -> Page:
        page = open_window(size, **settings)
        for script in (NO_LINE, *scripts):
            page.add_init_script(script)
        page.goto(address)
        if "#" in address:
            page.locator(".replay[data-at]").wait_for()
        return page

    return make


def at(page: Page) -> str:
    return page.locator(".replay").get_attribute("data-at") or ""


def stands(page: Page, hand: int, step: int, side: str = "above") -> None:
    expect(page.locator(".replay")).to_have_attribute("data-at", f"h{hand}.{step}.{side}")


def scores(page: Page) -> list[int]:
    """Of the upper plate, and of the lower one."""
    told = [page.locator(f".plate.{side} .score").inner_text() for side in ("rival", "own")]
    return [int(each.partition("/")[0]) for each in told]


def tiles(page: Page, kind: str) -> list[str]:
    found: list[str] = page.locator(f".open-tiles.{kind} li").evaluate_all(
        "all => all.map((one) => one.dataset.tile).sort()"
    )
    return found


def laid(page: Page) -> list[str]:
    found: list[str] = page.locator(".stone").evaluate_all(
        "all => all.map((one) => one.dataset.laid)"
    )
    return found


def spots(page: Page) -> dict[str, str]:
    """What is said of every point, without its number."""
    found: dict[str, str] = page.locator(".spot").evaluate_all(
        """all => Object.fromEntries(all.map((one) => [
          one.dataset.point, one.getAttribute("aria-label").split(", ").slice(1).join(", "),
        ]))"""
    )
    return found


@GAMES
def test_it_is_fetched_when_it_is_wanted(
    matches: dict[str, Played], opened: OpenWindow, game: str
) -> None:
    """One script and one hand; the next hand only where one plays on to it."""
    page = opened(matches[game].address)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.reload()
    expect(page.locator("#watch")).to_be_enabled()
    assert not [each for each in asked if "replay-" in each or "replay.json" in each]
    page.locator("#watch").click()
    stands(page, 1, 0)
    scripts = [each for each in asked if each.endswith(".js")]
    assert scripts == ["match.js", f"replay-{game}.js"]
    assert [each for each in asked if "replay.json" in each] == ["replay.json?hand=1&from=above"]
    expect(page.locator(".replay")).to_be_focused()


@GAMES
def test_every_step_by_keys_to_the_final_score(
    matches: dict[str, Played], opened: OpenWindow, game: str
) -> None:
    played = matches[game]
    page = opened(played.at(1, 0, "above"), LAPTOP)
    first, last = played.lines[0], played.lines[-1]
    seen = []
    for _ in range(first.frames):
        seen.append((at(page), page.locator(".caption").inner_text()))
        page.keyboard.press("ArrowRight")
    stands(page, 2, 0)
    assert [each for each, _ in seen] == [f"h1.{n}.above" for n in range(first.frames)]
    assert all(caption for _, caption in seen), "every step has its words"
    page.keyboard.press("ArrowLeft")
    stands(page, 1, first.frames - 1)
    page.keyboard.press("Home")
    stands(page, 1, 0)
    page.locator(".choices select").first.select_option(str(last.number))
    stands(page, last.number, 0)
    page.locator(".replay .caption").click()
    page.keyboard.press("End")
    stands(page, last.number, last.frames - 1)
    assert scores(page)[::-1] == played.score
    winner = played.record["players"][played.record["end"]["winner"]]
    expect(page.locator(".caption")).to_contain_text(f"გამარჯვებული: {winner}")
    page.keyboard.press("ArrowRight")
    stands(page, last.number, last.frames - 1)
    page.locator(".along input").press("ArrowLeft")
    stands(page, last.number, last.frames - 2)
    # On a button the space bar presses it; elsewhere it plays: from the end, anew.
    page.locator("[data-does=forward]").press("Space")
    stands(page, last.number, last.frames - 1)
    page.locator(".replay").focus()
    page.keyboard.press("Space")
    stands(page, 1, 0)
    expect(page.locator("[data-does=play]")).to_have_attribute("aria-label", "შეაჩერე")
    page.keyboard.press("Space")
    expect(page.locator("[data-does=play]")).to_have_attribute("aria-label", "გაუშვი")


@GAMES
def test_by_fingers_and_from_every_side(
    matches: dict[str, Played], opened: OpenWindow, game: str
) -> None:
    played = matches[game]
    last = played.lines[-1]
    page = opened(played.at(1, 0, "above"))
    page.locator("[data-does=forward]").tap()
    page.locator("[data-does=forward]").tap()
    stands(page, 1, 2)
    page.locator("[data-does=back]").tap()
    stands(page, 1, 1)
    page.locator(f".hand-list a[href='#h{last.number}.0']").tap()
    stands(page, last.number, 0)
    expect(page.locator(".replay")).to_be_in_viewport()
    slider = page.locator(".along input")
    slider.fill(str(last.frames // 2))
    stands(page, last.number, last.frames // 2)
    if game == "domino":
        before = (laid(page), tiles(page, "own"), tiles(page, "rival"), tiles(page, "rest"))
        assert all(before[:1])
        every = [tile for row in before for tile in row]
        assert len(every) == len(set(every)) == 28
    else:
        points = spots(page)
    page.locator(".choices select").last.select_option(label=NAMES[1])
    stands(page, last.number, last.frames // 2, "s2")
    expect(page.locator(".plate.own .name")).to_have_text(NAMES[1])
    if game == "domino":
        after = (laid(page), tiles(page, "rival"), tiles(page, "own"), tiles(page, "rest"))
        assert after == before
    else:
        turned = {
            str(25 - int(n)): words for n, words in spots(page).items() if n.isdigit() and n != "0"
        }
        assert turned == {n: words for n, words in points.items() if n.isdigit() and n != "0"}
        assert any("ღია" in words for words in points.values())
    page.locator("[data-does=last]").tap()
    stands(page, last.number, last.frames - 1, "s2")
    assert scores(page) == played.score


@GAMES
def test_a_match_that_was_given_up_ends_where_its_lines_end(
    site: Server, matches: dict[str, Played], opened: OpenWindow, game: str
) -> None:
    """With why, in words; and what the server played for a player says so."""
    played = matches[game]
    record = given_up(played.record, 4)
    record["hands"][-1]["auto"] = [2]
    match = played.address.rpartition("/")[2]
    name = f"given-up-{game}"
    copied(site, match, name, winners=[1], reason="resigned", record=record)
    hand = len(record["hands"])
    page = opened(f"{site.origin}/m/{name}#h{hand}.999.above")
    expect(page.locator(".caption")).to_contain_text(f"გამარჯვებული: {NAMES[1]}")
    expect(page.locator(".caption")).to_contain_text(f"{NAMES[0]}: დანებება")
    page.keyboard.press("Home")
    auto = "დრო გაუვიდა, სერვერმა ითამაშა"
    said = []
    while page.locator("[data-does=forward]").get_attribute("aria-disabled") is None:
        page.keyboard.press("ArrowRight")
        said.append(page.locator(".caption").inner_text())
    assert 1 <= len([words for words in said if auto in words]) < len(said)


@GAMES
def test_a_link_leads_to_the_very_moment(
    matches: dict[str, Played], opened: OpenWindow, game: str
) -> None:
    played = matches[game]
    page = opened(played.at(2, 3, "s2"))
    stands(page, 2, 3, "s2")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"#h2\.4\.s2$"))
    page.reload()
    stands(page, 2, 4, "s2")
    # What there is not leads to what is nearest, a bare moment to the reader's side; what is no
    # moment opens nothing.
    for given, leads in (
        ("#h99.99999.s7", f"h{len(played.lines)}.{played.lines[-1].frames - 1}.above"),
        ("#h1.2", "h1.2.above"),
    ):
        page = opened(played.address + given)
        expect(page.locator(".replay")).to_have_attribute("data-at", leads)
    page = opened(played.address)
    page.goto(f"{played.address}#hands")
    expect(page.locator("#watch")).to_be_visible()
    expect(page.locator(".replay")).to_have_count(0)


@GAMES
def test_it_plays_on_into_the_next_hand(
    matches: dict[str, Played], opened: OpenWindow, game: str
) -> None:
    """Its words are read out only to who steps by hand. The page's clock is ours."""
    played = matches[game]
    page = opened(played.address)
    page.clock.install()
    page.goto(played.at(1, -4, "above"))
    page.reload()
    stands(page, 1, played.lines[0].frames - 4)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("?")[2]))
    page.locator(".choices select").nth(1).select_option("4")
    caption = page.locator(".caption")
    expect(caption).not_to_have_attribute("aria-live", "off")
    page.locator("[data-does=play]").click()
    stands(page, 1, played.lines[0].frames - 3)
    expect(caption).to_have_attribute("aria-live", "off")
    page.wait_for_function("() => !document.querySelector('.replay .why:not([hidden])')")
    assert "hand=2&from=above" in asked, "ahead of time"
    for _ in range(20):
        page.clock.run_for(400)
        if at(page).startswith("h2."):
            break
    assert at(page).startswith("h2.")
    page.locator("[data-does=play]").click()
    expect(caption).not_to_have_attribute("aria-live", "off")
    stopped = at(page)
    page.clock.run_for(20_000)
    assert at(page) == stopped
    # It ends by itself where the match does.
    last = played.lines[-1]
    page.goto(played.at(last.number, -2, "above"))
    stands(page, last.number, last.frames - 2)
    page.locator("[data-does=play]").click()
    page.clock.run_for(20_000)
    stands(page, last.number, last.frames - 1)
    expect(page.locator("[data-does=play]")).to_have_attribute("aria-label", "გაუშვი")


@GAMES
@SIZES
def test_nothing_overflows_and_all_can_be_pressed(
    matches: dict[str, Played], opened: OpenWindow, game: str, size: tuple[int, int]
) -> None:
    played = matches[game]
    longest = max(played.lines, key=lambda line: line.frames)
    page = opened(played.at(longest.number, 0, "above"), size)
    for language in ("ka", "en"):
        for share in (0, 1 / 3, 2 / 3, 1):
            page.locator(".along input").fill(str(int((longest.frames - 1) * share)))
            for side in ("above", "0", "1"):
                page.locator(".choices select").last.select_option(side)
                expect(page.locator(".replay")).to_have_attribute(
                    "data-at", re.compile("above" if side == "above" else f"s{int(side) + 1}")
                )
                assert page.evaluate(OUTSIDE) == [], (language, share, side)
        assert page.evaluate(SMALL) == []
        if language == "ka":
            in_english(page)
            page.goto(played.at(longest.number, 0, "above"))
            page.locator(".replay[data-at]").wait_for()


@GAMES
def test_axe_finds_nothing(matches: dict[str, Played], opened: OpenWindow, game: str) -> None:
    played = matches[game]
    found = in_both_themes(opened(played.address), "closed")
    for size in (PHONE, LAPTOP):
        page = opened(played.at(2, 8, "s1"), size)
        found += in_both_themes(page, f"open {size}")
        page.locator("[data-does=last]").click()
        found += in_both_themes(page, f"end {size}")
    assert not found, "\n".join(found)


@GAMES
def test_it_moves_as_a_live_board_does_and_comes_to_rest_where_it_stands(
    matches: dict[str, Played], opened: OpenWindow, game: str
) -> None:
    """Quick steps, faster than a move is seen, lead to the same board; who wants no motion sees
    none, and nothing moves at a jump."""
    played = matches[game]
    page = opened(played.at(1, 1, "s2"), PHONE, MOTIONS, reduced_motion="no-preference")
    assert page.evaluate("window.motions") == 0
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => window.motions > 0")
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    stands(page, 1, 12, "s2")
    calm = opened(played.at(1, 12, "s2"), PHONE, MOTIONS)
    words = page.locator(".caption").inner_text()
    assert words == calm.locator(".caption").inner_text()
    page.wait_for_function(
        "() => document.querySelector('.replay').getAnimations({ subtree: true }).length === 0"
    )
    if game == "domino":
        assert sorted(laid(page)) == sorted(laid(calm))
    else:
        page.wait_for_function(
            """wanted => JSON.stringify([...document.querySelectorAll(".spot")].map((one) =>
              one.getAttribute("aria-label"))) === wanted""",
            arg=calm.evaluate(
                """() => JSON.stringify([...document.querySelectorAll(".spot")].map((one) =>
                  one.getAttribute("aria-label")))"""
            ),
        )
        assert spots(page) == spots(calm)
    calm.keyboard.press("ArrowRight")
    stands(calm, 1, 13, "s2")
    assert calm.evaluate("window.motions") == 0
    moved = page.evaluate("window.motions")
    page.locator(".along input").fill("2")
    stands(page, 1, 2, "s2")
    assert page.evaluate("window.motions") == moved


@GAMES
def test_what_cannot_be_fetched_is_said_and_tried_again(
    matches: dict[str, Played], opened: OpenWindow, game: str
) -> None:
    def broken(route: Route) -> None:
        route.fulfill(body="no JSON")

    played = matches[game]
    page = opened(played.address)
    page.route("**/replay.json?*", broken)
    page.locator("#watch").click()
    expect(page.locator("#replay-problem")).to_contain_text("ვერ ჩაიტვირთა")
    page.unroute("**/replay.json?*")
    page.locator("#watch").click()
    stands(page, 1, 0)
    page.route("**/replay.json?*", broken)
    page.locator(".choices select").first.select_option("2")
    expect(page.locator(".replay .why")).to_contain_text("ვერ ჩაიტვირთა")
    stands(page, 1, 0)
    expect(page.locator(".choices select").first).to_have_value("1")
    page.unroute("**/replay.json?*")
    page.locator(".choices select").first.select_option("2")
    stands(page, 2, 0)
    expect(page.locator(".replay .why")).to_be_hidden()


def test_the_link_is_shared_or_copied(matches: dict[str, Played], opened: OpenWindow) -> None:
    """By the phone's own sheet where there is one, with the moment that is shown."""
    played = matches["domino"]
    sheet = "navigator.share = async (given) => { window.given = given; };"
    page = opened(played.at(2, 5, "s1"), PHONE, sheet)
    page.locator("#share").click()
    page.wait_for_function("() => window.given")
    given = page.evaluate("window.given")
    one, other = played.score
    assert given == {
        "title": f"{NAMES[0]} {one} : {other} {NAMES[1]}",
        "url": played.at(2, 5, "s1"),
    }
    clipboard = """
    Object.defineProperty(Navigator.prototype, "share", { value: undefined });
    Object.defineProperty(navigator, "clipboard", {
      value: { writeText: async (text) => { window.given = text; } },
    });"""
    page = opened(played.address, PHONE, clipboard)
    page.locator("#share").click()
    expect(page.locator("#shared")).to_have_text("ბმული დაკოპირდა")
    assert page.evaluate("window.given") == played.address
    # Thought better of it: nothing is copied behind one's back.
    away = """
    Object.defineProperty(navigator, "share", {
      value: async () => {
        window.asked = true;
        throw new DOMException("", "AbortError");
      },
    });"""
    page = opened(played.address, PHONE, clipboard, away)
    page.locator("#share").click()
    page.wait_for_function("() => window.asked")
    expect(page.locator("#shared")).to_have_text("")
    assert page.evaluate("window.given ?? null") is None
