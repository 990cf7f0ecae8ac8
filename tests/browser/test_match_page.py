"""A whole match between two real browsers, and its check afterwards (T12, T14; fairness 3, 8)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from engine.game import Json
from engine.record import read
from engine.verify import verify
from tests.app.server import Server
from tests.browser.matches import changed
from tests.browser.windows import LAPTOP, PHONE, Window

pytestmark = pytest.mark.browser

OpenWindow = Callable[..., Page]

# A player without a screen: the site's own modules shake hands and keep what they see; it plays
# the first legal action that it is offered.
PLAYER = """async (table) => {
  const load = (name) => import(`/static/js/fairness/${name}.js`);
  const { shake } = await load("handshake");
  const { Keeper } = await load("keep");
  const { Witness } = await load("witness");
  const keeper = new Keeper();
  const witness = new Witness(keeper);
  const socket = new WebSocket(`ws://${location.host}/ws/t/${table}`);
  const say = (message) => socket.send(JSON.stringify(message));
  let now = null;
  let busy = false;
  let count = 0;
  const command = (message) => {
    busy = true;
    say({ id: `command-${(count += 1)}-${Math.random()}`.replace(".", ""), ...message });
  };
  const next = () => {
    if (busy || !now || now.you === null) return;
    const { send, alarm } = shake(now, keeper);
    const { match, view, pause, you, ply } = now;
    if (alarm) throw new Error(alarm.code);
    if (send) command(send);
    else if (pause && !pause.ready[you]) command({ type: "ready", match });
    else if (!pause && view?.turn === you) {
      const [action] = (view.legal ?? []).filter(({ action }) => action !== "take_back");
      if (action) command({ type: "act", match, ply, action: bare(action) });
    }
  };
  const bare = ({ action, ...rest }) =>
    action === "lay" ? { action, tile: rest.tile, end: rest.end } : { action, ...rest };
  return new Promise((resolve, reject) => {
    socket.onopen = () => say({ type: "hello", protocol: 2, seen: null });
    socket.onclose = (event) => reject(new Error(`closed ${event.code} ${event.reason}`));
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === "ping") return say({ type: "pong", n: message.n });
      if (message.type === "error") return reject(new Error(message.code));
      if (message.type === "accepted" || message.type === "refused") busy = false;
      if (message.table) now = message.table;
      if (message.type === "snapshot") witness.snapshot(now);
      if (message.type === "change") witness.change(now, message.events);
      if (now?.status === "ended" && !busy) return resolve(now.match);
      try {
        next();
      } catch (error) {
        reject(error);
      }
    };
  });
}"""


@dataclass
class Played:
    """A finished match, and the browsers of those who played it."""

    match: str
    pages: list[Page]
    site: Server


@pytest.fixture(scope="module")
def quick_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that lets its sockets talk as fast as these players do."""
    data = tmp_path_factory.mktemp("quick") / "data"
    with Server(data, EZO_MESSAGE_RATE="5000", EZO_MESSAGE_BURST="5000") as server:
        yield server
        assert server.log() == ""


DOMINO = ("domino", "georgian", {"target": "75"})
NARDI = ("nardi", "short", {"points": "1"})
BOTH = pytest.mark.parametrize("played", [DOMINO, NARDI], ids=["domino", "nardi"], indirect=True)
ONE = pytest.mark.parametrize("played", [DOMINO], ids=["domino"], indirect=True)


@pytest.fixture(scope="module")
def played(
    quick_site: Server, chromium: Browser, request: pytest.FixtureRequest
) -> Iterator[Played]:
    """One match for all tests that look at it."""
    windows = [Window(chromium, PHONE), Window(chromium, LAPTOP)]
    yield _play(quick_site, [window.page for window in windows], *request.param)
    complaints = [line for window in windows for line in window.complaints]
    for window in windows:
        window.close()
    assert complaints == []


def _play(
    site: Server, pages: list[Page], game: str, rules: str, options: dict[str, str]
) -> Played:
    origin = {"origin": site.origin}
    form: dict[str, str | float | bool] = {
        "game": game,
        "rules": rules,
        "clock": "slow",
        "public": "0",
        **options,
    }
    made = pages[0].request.post(f"{site.origin}/tables", form=form, headers=origin)
    table = made.url.rpartition("/")[2]
    sat = pages[1].request.post(f"{site.origin}/t/{table}/sit", form={}, headers=origin)
    assert (made.status, sat.status) == (200, 200)
    for page in pages:
        page.goto(f"{site.origin}/healthz")
    pages[0].evaluate(f"(table) => {{ window.match = ({PLAYER})(table); }}", table)
    match = pages[1].evaluate(PLAYER, table)
    assert pages[0].evaluate("window.match") == match
    return Played(match, pages, site)


def open_page(page: Page, played: Played) -> Page:
    """The page of the match, once it is there: the history is told a moment after the end."""
    address = f"{played.site.origin}/m/{played.match}"
    for _ in range(100):
        # Asked without the window, which would complain of a page that is not there yet.
        if page.request.get(address).status == 200:
            page.goto(address)
            return page
        page.wait_for_timeout(50)
    raise AssertionError("the match was not kept")


def pressed(page: Page) -> str:
    """What the check says."""
    page.locator("#check").click()
    expect(page.locator("#verdict.sound, #verdict.differs, #verdict.missing")).to_be_visible()
    return page.locator("#verdict").inner_text()


def record_of(page: Page, played: Played) -> Json:
    record: Json = page.request.get(f"{played.site.origin}/m/{played.match}/record.json").json()
    return record


@BOTH
def test_one_tap_works_the_whole_match_out_again(played: Played, open_window: OpenWindow) -> None:
    """Both who played compare with what their browsers kept; a third says that it was not there.
    The engine's own check of the same record agrees."""
    watcher = open_page(open_window(PHONE), played)
    record = record_of(watcher, played)
    *_, verdict = verify(read(record))
    assert verdict["verified"]
    hands = record["hands"]
    if record["game"] == "domino":
        count = len(hands)
    else:
        count = sum(len(hand["opening"]) + len(hand["turns"]) - 1 for hand in hands)
    for page in played.pages:
        said = pressed(open_page(page, played))
        assert f"სულ {count}" in said
        assert "ამ ბრაუზერმა თამაშისას დაიმახსოვრა" in said
        page.locator("#details summary").click()
        expect(page.locator("#seen")).to_contain_text(f"{count} / {count}")
        secrets = page.locator("#hands code").all_inner_texts()
        fairness = record["fairness"]
        assert secrets == [fairness["commitment"], *fairness["numbers"], *fairness["secrets"]]
        expect(page.locator("#hands .sound")).to_have_count(len(hands))
    said = pressed(watcher)
    assert f"სულ {count}" in said
    assert "მხოლოდ ჩანაწერი შემოწმდა" in said
    watcher.locator("#details summary").click()
    expect(watcher.locator("#seen")).to_be_hidden()


@ONE
def test_a_touched_record_is_found_out_on_the_page(played: Played) -> None:
    """The hand and what differs, in words; and what happens when no record comes."""
    page = open_page(played.pages[0], played)
    sound = record_of(page, played)
    sent: list[Any] = []

    def answer(route: Route) -> None:
        route.fulfill(json=sent[-1])

    page.route("**/record.json", answer)
    tiles = sound["hands"][0]["tiles"]

    def swap(record: Json) -> None:
        record["hands"][0]["tiles"][:2] = tiles[1::-1]

    def other_number(record: Json) -> None:
        record["fairness"]["numbers"][1] = "00" * 32

    def other_seal(record: Json) -> None:
        record["fairness"]["commitment"] = "00" * 32

    cases = [
        (changed(sound, swap), f"ხელი 1, დარიგების ქვა №1 ჩანაწერში არის {tiles[1]}"),
        (changed(sound, other_number), "რიცხვი იმ ანაბეჭდს არ უდგება"),
        (changed(sound, other_seal), "ბეჭედი ის არ არის"),
        ({"format": "other"}, "ვერაფერი შემოწმდა"),
        ("not an object", "ვერაფერი შემოწმდა"),
        (sound, "ყველაფერი ემთხვევა"),
    ]
    for record, words in cases:
        sent.append(record)
        assert words in pressed(page)
    page.locator("#details summary").click()
    sent.append(changed(sound, swap))
    pressed(page)
    expect(page.locator("#hands .differs")).to_have_count(1)
    expect(page.locator("#hands .sound")).to_have_count(0)
    page.unroute("**/record.json")
    page.route("**/record.json", lambda route: route.fulfill(body="no JSON"))
    assert "ვერ ჩამოიტვირთა" in pressed(page)
    page.unroute("**/record.json")


@ONE
def test_the_page_says_what_was_played(played: Played, open_window: OpenWindow) -> None:
    """Names, score, reason and time in both languages; the record can be downloaded."""
    watcher = open_page(open_window(PHONE), played)
    record = record_of(watcher, played)
    names = record["players"]
    winner = names[record["end"]["winner"]]
    facts = watcher.locator(".facts")
    expect(facts.locator(".result")).to_have_text(f"გამარჯვებული: {winner}")
    expect(facts.locator(".reason")).to_contain_text("75")
    for name in names:
        expect(facts.locator(".final")).to_contain_text(name)
    expect(facts.locator("time")).to_have_attribute("datetime", record["ended"])
    expect(facts.locator("time")).not_to_contain_text("UTC")
    results = [open_page(page, played).locator(".result").inner_text() for page in played.pages]
    assert sorted(results) == ["ამჯერად წააგე", "შენ მოიგე!"]
    with watcher.expect_download() as download:
        watcher.locator("a[download][href$='record.json']").click()
    saved = Path(download.value.path())
    assert json.loads(saved.read_text("utf-8")) == record
    watcher.locator(".language button").click()
    expect(watcher.locator(".result")).to_have_text(f"Winner: {winner}")
    assert "every deal" in pressed(watcher)
    for summary in watcher.locator(".folded summary").all():
        summary.press("Enter")
    expect(watcher.get_by_text("The server itself knows the tiles")).to_be_visible()
    wide = watcher.evaluate("document.documentElement.scrollWidth")
    assert wide <= PHONE[0]


def test_a_match_that_has_not_ended_has_no_page(
    quick_site: Server, open_window: OpenWindow
) -> None:
    page = open_window()
    answer = page.request.get(f"{quick_site.origin}/m/nothing")
    assert answer.status == 404
    assert re.search("ასეთი მატჩი არ არის", answer.text())
