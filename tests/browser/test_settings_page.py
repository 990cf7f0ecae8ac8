"""Settings, sound and call: kept by this browser, and heard when they should be."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.app.server import Server
from tests.browser.modules import empty_page, run
from tests.browser.players import make_table, sit_down
from tests.browser.windows import LAPTOP, PHONE

pytestmark = pytest.mark.browser

OpenWindow = Callable[..., Page]

LISTEN = """
window.heard = [];
window.felt = [];
for (const kind of [AudioBufferSourceNode, OscillatorNode]) {
  const start = kind.prototype.start;
  kind.prototype.start = function (...when) {
    window.heard.push(kind.name);
    return start.apply(this, when);
  };
}
navigator.vibrate = (pattern) => window.felt.push(pattern);
"""
"""Every sound that starts, and every motion that a phone would make."""


def settings(page: Page) -> dict[str, bool]:
    kept: dict[str, bool] = json.loads(page.evaluate("localStorage.getItem('ezo.settings')"))
    return kept


def test_settings_are_kept_and_told(open_window: OpenWindow) -> None:
    page = empty_page(open_window())
    told = run(
        page,
        """
        const { Settings } = await load("ui/settings");
        const first = new Settings();
        const heard = [];
        const stop = first.listen((name, value) => heard.push([name, value]));
        first.set("sort", true);
        first.set("sort", true);
        stop();
        first.set("confirm", false);
        const again = new Settings();
        return [heard, again.get("sort"), again.get("confirm"), again.get("sound")];
        """,
    )
    assert told == [[["sort", True]], True, False, True]


@pytest.mark.parametrize("kept", ["{", "null", "7", '{"sort": "yes", "sound": 0, "other": true}'])
def test_what_is_kept_wrongly_counts_as_not_set(open_window: OpenWindow, kept: str) -> None:
    page = empty_page(open_window())
    told = run(
        page,
        """
        localStorage.setItem("ezo.settings", given);
        const { Settings } = await load("ui/settings");
        const made = new Settings();
        return [made.get("sort"), made.get("sound"), made.get("other")];
        """,
        kept,
    )
    assert told == [False, True, None]


def test_settings_hold_without_storage(open_window: OpenWindow) -> None:
    page = open_window()
    page.add_init_script("delete window.localStorage;")
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } });"
    )
    told = run(
        empty_page(page),
        """
        const { Settings } = await load("ui/settings");
        const made = new Settings();
        made.set("auto_roll", true);
        return made.get("auto_roll");
        """,
    )
    assert told is True


def test_the_tables_menu_opens_the_settings_of_its_game(
    site: Server, open_window: OpenWindow
) -> None:
    page = open_window(PHONE)
    make_table(page, site.origin, "nardi", 1)
    summary = page.locator(".menu summary")
    summary.click()
    page.get_by_role("button", name="პარამეტრები").click()
    dialog = page.get_by_role("dialog", name="პარამეტრები")
    names = dialog.get_by_role("switch").evaluate_all("all => all.map((one) => one.name)")
    assert names[0] == "sound"
    assert names[-3:] == ["confirm", "auto_roll", "auto_bear_off"]
    assert "unseen" not in names
    expect(dialog.get_by_role("switch", name="სვლის დადასტურება")).to_be_checked()
    dialog.get_by_role("switch", name="კამათელი თავისით გაგორდეს").press("Space")
    assert settings(page)["auto_roll"] is True
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(summary).to_be_focused()
    page.reload()
    page.locator(".menu summary").click()
    page.get_by_role("button", name="პარამეტრები").click()
    expect(dialog.get_by_role("switch", name="კამათელი თავისით გაგორდეს")).to_be_checked()


def test_the_lobby_has_the_settings_of_all_games(site: Server, open_window: OpenWindow) -> None:
    page = open_window(LAPTOP)
    page.goto(site.origin)
    for _ in range(2):
        page.get_by_role("button", name="პარამეტრები").click()
        dialog = page.get_by_role("dialog", name="პარამეტრები")
        expect(dialog.get_by_role("heading")).to_have_text(["პარამეტრები", "დომინო", "ნარდი"])
        dialog.get_by_role("button", name="დახურე").click()
        expect(dialog).to_be_hidden()


def test_the_sound_goes_off_with_one_press(site: Server, open_window: OpenWindow) -> None:
    page = open_window(PHONE)
    make_table(page, site.origin, "domino", 75)
    sound = page.get_by_role("button", name="ხმა")
    expect(sound).to_have_attribute("aria-pressed", "true")
    before = sound.locator(".stroke").get_attribute("d")
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "false")
    assert sound.locator(".stroke").get_attribute("d") != before
    assert settings(page)["sound"] is False
    page.reload()
    expect(sound).to_have_attribute("aria-pressed", "false")


FEEL = """
const { Settings } = await load("ui/settings");
const { Sounds } = await load("ui/sounds");
const settings = new Settings();
const sounds = new Sounds(settings);
window.settings = settings;
window.feel = (what) => {
  window.heard.length = window.felt.length = 0;
  sounds.feel(what);
  return [window.heard.length, window.felt.length];
};
"""


def test_nothing_sounds_before_a_gesture_and_all_after_it(open_window: OpenWindow) -> None:
    page = open_window(PHONE)
    page.add_init_script(LISTEN)
    run(empty_page(page), FEEL)
    # Whoever evaluates counts as a gesture for haptics, but not for sound.
    assert page.evaluate("feel('tile')[0]") == 0
    page.mouse.click(5, 5)
    for what in ("tile", "score", "dice", "checker", "kill", "turn", "warn", "end"):
        heard, felt = page.evaluate("what => feel(what)", what)
        assert heard > 0, what
        assert felt == 1, what
    page.evaluate("settings.set('sound', false)")
    assert page.evaluate("feel('tile')") == [0, 1]
    page.evaluate("settings.set('haptics', false)")
    assert page.evaluate("feel('tile')") == [0, 0]


RENDER = """
const RATE = 44_100;
window.AudioContext = class extends OfflineAudioContext {
  constructor() { super(1, RATE * 2, RATE); window.rendering = this; }
  get state() { return "running"; }
};
const { Settings } = await load("ui/settings");
const { Sounds } = await load("ui/sounds");
const told = {};
for (const what of given) {
  const sounds = new Sounds(new Settings());
  dispatchEvent(new Event("click"));
  sounds.feel(what);
  const samples = (await window.rendering.startRendering()).getChannelData(0);
  let [peak, first, last] = [0, -1, 0];
  samples.forEach((value, n) => {
    peak = Math.max(peak, Math.abs(value));
    if (Math.abs(value) < 0.003) return;
    if (first < 0) first = n / RATE;
    last = n / RATE;
  });
  told[what] = [peak, first, last];
}
return told;
"""


def test_every_sound_is_loud_enough_short_and_not_cut_off(open_window: OpenWindow) -> None:
    """As they are rendered: peaks of what a loudspeaker gets, when each begins and is over."""
    page = open_window(PHONE)
    empty = empty_page(page)
    page.mouse.click(5, 5)
    kinds = ["tile", "score", "dice", "checker", "kill", "turn", "warn", "end"]
    told = run(empty, RENDER, kinds)
    assert set(told) == set(kinds)
    for what, (peak, first, last) in told.items():
        assert 0.05 < peak < 1, (what, told)
        assert first < 0.15, (what, told)
        assert last < 1.2, (what, told)
    # A tile is slapped, the bell at one's turn is soft.
    assert told["tile"][0] > 2 * told["turn"][0]


def test_it_calls_once_a_turn_and_warns_once(open_window: OpenWindow) -> None:
    page = empty_page(open_window())
    told = run(
        page,
        """
        const icon = document.createElement("link");
        Object.assign(icon, { id: "icon", rel: "icon", href: "data:,calm" });
        Object.assign(icon.dataset, { calm: "data:,calm", turn: "data:,turn" });
        document.head.append(icon);
        const { Attention } = await load("ui/attention");
        const felt = [];
        const made = new Attention("შენი სვლაა", (what) => felt.push(what));
        const seen = [];
        for (const [asked, low] of given) {
          made.show(asked, low);
          seen.push([document.title, icon.href.split(",")[1]]);
        }
        return [felt, seen];
        """,
        [
            [False, False],
            [True, False],
            [True, False],
            [True, True],
            [True, True],
            [False, False],
            [True, False],
        ],
    )
    calm, turn = ["empty", "calm"], ["● შენი სვლაა – empty", "turn"]
    assert told == [["turn", "warn", "turn"], [calm, turn, turn, turn, turn, calm, turn]]


def test_title_icon_and_screen_during_a_match(site: Server, open_window: OpenWindow) -> None:
    """The tab says whose turn it is, and the screen stays awake, again after the page was away."""
    host, guest = open_window(PHONE), open_window(LAPTOP)
    for page in (host, guest):
        page.add_init_script(
            """
            window.locks = [];
            const request = () => {
              const lock = new EventTarget();
              lock.release = async () => lock.dispatchEvent(new Event("release"));
              window.locks.push(lock);
              return Promise.resolve(lock);
            };
            Object.defineProperty(navigator, "wakeLock", { value: { request } });
            """
        )
    invite = make_table(host, site.origin, "nardi", 1)
    assert host.evaluate("locks.length") == 0
    sit_down(guest, invite)
    host.locator(".board").wait_for()
    for page in (host, guest):
        page.wait_for_function("() => locks.length === 1")
        page.evaluate("locks[0].release()")
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        page.wait_for_function("() => locks.length === 2")
    mover = host if host.locator(".plate.own.on-turn").count() else guest
    other = guest if mover is host else host
    for page, name in ((mover, "turn.svg"), (other, "icon.svg")):
        page.wait_for_function(
            "name => document.querySelector('#icon').href.endsWith(name)", arg=f"icons/{name}"
        )


def test_long_names_are_cut_and_said_whole(site: Server, open_window: OpenWindow) -> None:
    host, guest = open_window((360, 640)), open_window((360, 640))
    names = ["W" * 20, "ჰ" * 20]
    for page, name in zip((host, guest), names, strict=True):
        page.goto(site.origin)
        page.locator(".name summary").click()
        page.locator("#name").fill(name)
        page.locator(".naming button").click()
        expect(page.locator(".name bdi")).to_have_attribute("title", name)
    sit_down(guest, make_table(host, site.origin, "domino", 75))
    host.locator(".board").wait_for()
    for page, name in ((host, names[1]), (guest, names[0])):
        shown = page.locator(".plate.rival .name")
        expect(shown).to_have_attribute("title", name)
        wide: list[Any] = page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        )
        assert wide == [360, 640]
