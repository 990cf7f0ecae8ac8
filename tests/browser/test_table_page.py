"""The page around the game: waiting, watching, the line, what is pending."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.app.server import Server
from tests.browser.players import Offer, act, make_table, ply, sit_down
from tests.browser.tap import Tap
from tests.browser.windows import LAPTOP, PHONE

pytestmark = pytest.mark.browser

OpenWindow = Callable[..., Page]


def _table_of_two(site: Server, open_window: OpenWindow, game: str) -> tuple[list[Page], str]:
    pages = [open_window(PHONE), open_window(LAPTOP)]
    invite = make_table(pages[0], site.origin, game, 75 if game == "domino" else 1)
    sit_down(pages[1], invite)
    pages[0].locator(".board").wait_for()
    return pages, invite


def _mover(pages: list[Page]) -> Page:
    """Whoever's turn it is, once their board shows it: the title knows before any motion."""
    pages[0].locator(".board").wait_for()
    mover = pages[0] if pages[0].title().startswith("●") else pages[1]
    expect(mover.locator(".board:not([aria-busy]) .plate.own.on-turn")).to_be_visible()
    return mover


def _play(pages: list[Page], times: int) -> None:
    chance = random.Random(2)
    for _ in range(times):
        act(_mover(pages), chance)
        latest = max(ply(page) for page in pages)
        for page in pages:
            page.wait_for_function(
                "ply => Number(document.querySelector('#play').dataset.ply) >= ply", arg=latest
            )


def test_the_invite_link_opens_the_table_and_a_third_person_watches(
    site: Server, open_window: OpenWindow
) -> None:
    """T16: a free seat is offered; a third person is told that the table is taken."""
    host, guest, third = open_window(PHONE), open_window(LAPTOP), open_window(PHONE)
    invite = make_table(host, site.origin, "nardi", 1)
    expect(host.locator(".bar .asked")).to_have_text(
        "თამაში დაიწყება, როგორც კი მეორე მოთამაშე დაჯდება"
    )
    host.locator("#copy").click()
    expect(host.locator("#copied")).not_to_be_empty()
    guest.goto(invite)
    third.goto(invite)
    expect(third.locator("#waiting form button")).to_have_text("დაჯექი")
    guest.locator("#waiting form button").click()
    for page in (host, guest, third):
        page.locator(".board").wait_for()
        expect(page.locator("#waiting:visible")).to_have_count(0)
    expect(third.locator(".watching")).to_be_visible()
    expect(third.locator(".controls button:visible")).to_have_count(0)
    expect(host.locator(".watching")).to_be_hidden()


def test_a_watchers_socket_never_carried_a_hidden_tile(
    site: Server, open_window: OpenWindow
) -> None:
    """T11, read from the frames themselves: during the first hand a watcher hears of no tile but
    those that lie open."""
    frames: list[str] = []
    pages, invite = _table_of_two(site, open_window, "domino")
    watcher = open_window(LAPTOP)
    watcher.on("websocket", lambda ws: ws.on("framereceived", lambda f: frames.append(str(f))))
    watcher.goto(invite)
    watcher.locator(".board").wait_for()
    for _ in range(12):
        if pages[0].locator(".panel:visible").count():
            break
        _play(pages, 1)
    expect(watcher.locator("#play")).to_have_attribute("data-ply", str(ply(pages[0])))
    assert len(frames) > 5
    for frame in map(json.loads, frames):
        if "table" not in frame:
            continue
        view = frame["table"]["view"]
        if view["last_hand"]:
            break
        open_tiles = {one["tile"] for one in view["placed"]} | {view["must_open"]}
        assert set(re.findall(r'"(\d-\d)"', json.dumps(frame))) <= open_tiles
        assert (view["tiles"], view["legal"]) == ([], [])
    # The same reading of a player's own page finds tiles: the test can fail.
    assert (
        pages[0].locator(".own[data-tile]").count() + pages[1].locator(".own[data-tile]").count()
        > 0
    )
    assert watcher.locator("[data-tile]").count() == 0


def _tapped(site: Server, open_window: OpenWindow, game: str) -> tuple[list[Page], Page, Tap]:
    """A table of two whose mover's line runs through a tap."""
    pages, _ = _table_of_two(site, open_window, game)
    mover = _mover(pages)
    tap = Tap(mover)
    mover.reload()
    mover.locator(".plate.own.on-turn").wait_for()
    return pages, mover, tap


def test_a_move_that_never_was_answered_looks_pending_and_goes_again_under_its_id(
    site: Server, open_window: OpenWindow
) -> None:
    """It counts once, however often it is sent."""
    pages, mover, tap = _tapped(site, open_window, "domino")
    tap.swallow = lambda message: message["type"] != "snapshot"
    tile = mover.locator(".own.playable").first
    name = tile.get_attribute("data-tile")
    tile.click()
    tile.click()
    expect(mover.locator(".place.pending")).to_be_visible()
    expect(mover.locator(f".own.pending[data-tile='{name}']")).to_be_visible()
    other = pages[1] if mover is pages[0] else pages[0]
    expect(other.locator(".stone")).to_have_count(1)
    assert mover.locator(".stone").count() == 0

    tap.swallow = lambda _: False
    tap.lines[-1].close()
    expect(mover.locator(".stone")).to_have_count(1)
    expect(mover.locator("#play")).to_have_attribute("data-pending", "0")
    acts = tap.of("act")
    assert len(acts) == 2
    assert acts[0] == acts[1]
    expect(other.locator(".stone")).to_have_count(1)


def test_a_refusal_rolls_back_and_says_why(site: Server, open_window: OpenWindow) -> None:
    """What the server refused is no longer shown as pending, and the reason is in words."""
    _, mover, tap = _tapped(site, open_window, "domino")

    def spoil(message: dict[str, Any]) -> dict[str, Any]:
        # The page believes an older ply, so that the real server refuses its act.
        if "table" in message:
            message["table"]["ply"] += 5
        return message

    tap.change = spoil
    mover.reload()
    mover.locator(".plate.own.on-turn").wait_for()
    held = mover.locator(".own").count()
    tile = mover.locator(".own.playable").first
    tile.click()
    tile.click()
    expect(mover.locator(".bar.refused .told")).to_have_text(
        "ამასობაში მდგომარეობა შეიცვალა, შეხედე და თავიდან სცადე"
    )
    expect(mover.locator(".place.pending")).to_have_count(0)
    expect(mover.locator(".own.playable")).not_to_have_count(0)
    assert mover.locator(".own").count() == held


def test_a_hole_in_the_numbers_forces_a_snapshot(site: Server, open_window: OpenWindow) -> None:
    """The opponent's move was missed: the page asks again and shows the present."""
    pages, _ = _table_of_two(site, open_window, "nardi")
    mover = _mover(pages)
    other = pages[1] if mover is pages[0] else pages[0]
    tap = Tap(other)
    other.reload()
    other.locator(".board").wait_for()
    expect(other.locator(".line")).to_have_attribute("data-line", "online")
    hellos = len(tap.sent)
    lost: list[int] = []

    def lose_one(message: dict[str, Any]) -> bool:
        if message["type"] != "change" or lost:
            return False
        lost.append(message["number"])
        return True

    tap.swallow = lose_one
    chance = random.Random(1)
    # The opening roll lies there: two dice are at least two changes, the first of them lost.
    act(mover, chance)
    act(mover, chance)
    expect(other.locator("#play")).to_have_attribute("data-ply", str(ply(mover)))
    assert len(lost) == 1
    assert [message["type"] for message in tap.sent[hellos:]] == ["hello"]


def test_a_checker_that_takes_both_dice_is_two_moves_and_both_can_be_taken_back(
    site: Server, open_window: OpenWindow
) -> None:
    """N21, N23: one press plays the dice needed, one after the other."""
    _, mover, tap = _tapped(site, open_window, "nardi")
    before = _points(mover)
    for n in range(Offer(mover, ".spot.movable").count):
        Offer(mover, ".spot.movable").press(n)
        if mover.locator(".spot.to[aria-label*=' + ']").count():
            break
        mover.keyboard.press("Escape")
    start = ply(mover)
    Offer(mover, ".spot.to[aria-label*=' + ']").press(0)
    expect(mover.locator("#play")).to_have_attribute("data-ply", str(start + 2))
    first, second = tap.of("act")
    assert (first["ply"], second["ply"]) == (start, start + 1)
    assert second["action"]["from"] == first["action"]["from"] - first["action"]["die"]
    assert _points(mover) != before
    back = mover.locator(".controls button", has_text="დააბრუნე")
    for done in (3, 4):
        back.click()
        expect(mover.locator("#play")).to_have_attribute("data-ply", str(start + done))
    assert _points(mover) == before
    expect(back).to_be_disabled()


def test_with_motion_on_the_board_ends_up_where_the_server_says(
    site: Server, open_window: OpenWindow
) -> None:
    """The opponent's checkers slide one at a time, and nothing is shown twice or left behind."""
    moving = {"reduced_motion": "no-preference"}
    pages = [open_window(PHONE, **moving), open_window(LAPTOP, **moving)]
    invite = make_table(pages[0], site.origin, "nardi", 1)
    sit_down(pages[1], invite)
    pages[0].locator(".board").wait_for()
    _play(pages, 12)
    for page in pages:
        expect(page.locator(".board:not([aria-busy])")).to_be_visible()
        expect(page.locator(".picture .checker")).to_have_count(30)
    settled = [_counts(page) for page in pages]
    for page, before in zip(pages, settled, strict=True):
        page.reload()
        expect(page.locator(".picture .checker")).to_have_count(30)
        assert _counts(page) == before


def _counts(page: Page) -> list[str]:
    """Every point's checkers, without what can be done there."""
    return [label.split(", დადე")[0] for label in _points(page)]


def _points(page: Page) -> list[str]:
    """Every point of the board as a screen reader would tell it."""
    told: list[str] = page.locator(".spot").evaluate_all(
        "all => all.map((one) => one.getAttribute('aria-label'))"
    )
    return told


def test_a_whole_move_by_keyboard(site: Server, open_window: OpenWindow) -> None:
    """Every legal move is a real button with a spoken name."""
    pages, _ = _table_of_two(site, open_window, "domino")
    mover = _mover(pages)
    tile = mover.locator(".own.playable").first
    name = tile.get_attribute("data-tile") or ""
    assert (tile.get_attribute("aria-label") or "").startswith(f"{name}: ")
    tile.focus()
    mover.keyboard.press("Enter")
    place = mover.locator(".place.open").first
    points = "10" if name == "5-5" else "0"
    expect(place).to_have_attribute("aria-label", f"{name} შუაში, {points} ქულა")
    place.focus()
    mover.keyboard.press("Enter")
    expect(mover.locator(".stone")).to_have_count(1)


def test_the_tab_says_that_it_is_your_turn(site: Server, open_window: OpenWindow) -> None:
    pages, _ = _table_of_two(site, open_window, "nardi")
    mover = _mover(pages)
    other = pages[1] if mover is pages[0] else pages[0]
    expect(mover).to_have_title(re.compile("^● შენი სვლაა"))
    expect(other).to_have_title("მოკლე ნარდი · ეზო")


@pytest.mark.parametrize("game", ["domino", "nardi"])
@pytest.mark.parametrize("size", [(360, 640), PHONE, LAPTOP])
def test_everything_fits_the_screen_and_the_finger(
    site: Server, open_window: OpenWindow, game: str, size: tuple[int, int]
) -> None:
    """No scroll bar, and controls of at least 44 pixels."""
    first, second = open_window(size), open_window(size)
    invite = make_table(first, site.origin, game, 75 if game == "domino" else 1)
    sit_down(second, invite)
    first.locator(".board").wait_for()
    _play([first, second], 4)
    for page in (first, second):
        wide, tall = page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        )
        assert (wide, tall) <= size
        assert tall <= size[1]
        for box in page.locator(
            ".controls button:visible, .site button:visible, .menu summary"
        ).evaluate_all("all => all.map((one) => one.getBoundingClientRect().toJSON())"):
            assert box["height"] >= 44
            assert box["width"] >= 44
        for box in page.locator("button.spot, .own[data-tile]").evaluate_all(
            "all => all.map((one) => one.getBoundingClientRect().toJSON())"
        ):
            assert min(box["height"], box["width"]) >= 24
