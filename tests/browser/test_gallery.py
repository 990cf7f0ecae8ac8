"""Every table at its worst, at five sizes, in both themes and both languages: nothing overlaps,
spills, is cut off or too small to hit. With ``EZO_GALLERY`` naming a folder, the pictures and a
sheet of them all are left there to be looked at."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.app.server import Server
from tests.browser.gallery import LANGUAGES, SIZES, THEMES, Scene, Show, faults, scenes
from tests.browser.players import make_table
from tests.browser.windows import PHONE

pytestmark = pytest.mark.browser

TARGETS = {"domino": 355, "nardi": 7}


@pytest.fixture
def show(site: Server, open_window: Callable[..., Page]) -> Callable[..., Show]:
    """A page that shows what it is told to."""

    def make(game: str, language: str = "ka") -> Show:
        page = open_window(PHONE)
        make_table(page, site.origin, game, TARGETS[game])
        made = Show(page)
        if language == "en":
            page.locator(".language button").click()
        else:
            page.reload()
        return made

    return make


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["domino", "nardi"])
def test_nothing_is_wrong_with_any_picture(
    show: Callable[..., Show], game: str, language: str
) -> None:
    made = show(game, language)
    album = Album(made.page, game, language)
    wrong = []
    for scene in scenes()[game]:
        resize(made.page, PHONE)
        made.show(scene)
        for size in SIZES:
            resize(made.page, size)
            for theme in THEMES:
                made.page.emulate_media(color_scheme=theme)
                made.ping()
                found = faults(made.page, scene.stone)
                wrong += [f"{scene.name} {size} {theme}: {fault}" for fault in found]
                album.take(scene, size, theme)
    album.close()
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("game", ["domino", "nardi"])
def test_a_page_that_is_zoomed_keeps_the_table_whole(show: Callable[..., Show], game: str) -> None:
    """A browser's zoom leaves less room: a laptop at 200 percent, a tablet at 150, a phone at
    120."""
    made = show(game)
    wrong = []
    for scene in scenes()[game]:
        resize(made.page, PHONE)
        made.show(scene)
        for size in ZOOMED:
            resize(made.page, size)
            found = faults(made.page, 10)
            wrong += [f"{scene.name} {size}: {fault}" for fault in found]
    assert not wrong, "\n".join(wrong)


ZOOMED = ((640, 400), (512, 683), (320, 693))


def resize(page: Page, size: tuple[int, int]) -> None:
    width, height = size
    page.set_viewport_size({"width": width, "height": height})


class Album:
    """Pictures in a folder, if one is named, and a sheet with all of them."""

    def __init__(self, page: Page, game: str, language: str) -> None:
        self._page = page
        self._name = f"{game}-{language}"
        named = os.environ.get("EZO_GALLERY")
        self._folder = Path(named) if named else None
        self._pictures: list[str] = []

    def take(self, scene: Scene, size: tuple[int, int], theme: str) -> None:
        if self._folder is None:
            return
        width, height = size
        name = f"{self._name}-{scene.name}-{width}x{height}-{theme}.png"
        self._page.screenshot(path=self._folder / name)
        self._pictures.append(name)

    def close(self) -> None:
        if self._folder is None:
            return
        figures = [
            f'<figure><figcaption>{name}</figcaption><img src="{name}" height="480"></figure>'
            for name in self._pictures
        ]
        sheet = '<!doctype html><meta charset="utf-8"><title>Gallery</title>' + "".join(figures)
        (self._folder / f"{self._name}.html").write_text(sheet, "utf-8")


PLANTED = {
    "one tile on another": (
        "domino",
        "overlap",
        "const [a, b] = all('.stone'); b.style.transform = a.style.transform",
    ),
    "a tile off the field": (
        "domino",
        "outside",
        "all('.stone')[0].style.transform = 'translate(-60px, 10px)'",
    ),
    "a tile too narrow": (
        "domino",
        "narrow",
        "shape('.stone', { width: '9px', height: '18px' })",
    ),
    "an end under a tile": (
        "domino",
        "overlap",
        "all('.place')[0].style.transform = all('.stone')[0].style.transform",
    ),
    "two tiles of the hand": (
        "domino",
        "overlap",
        "all('.hand .own')[1].style.translate = '-40px 0'",
    ),
    "a tile of the hand covered": (
        "domino",
        "covered",
        "cover(all('.hand .own')[1])",
    ),
    "a control covered": ("domino", "covered", "cover(all('.menu summary')[0])"),
    "a small control": (
        "domino",
        "small",
        "shape('.menu summary', { height: '30px', minHeight: 0 })",
    ),
    "two controls": ("domino", "overlap", "all('.menu')[0].style.marginLeft = '-20px'"),
    "two parts": ("domino", "overlap", "all('.plate.own')[0].style.marginTop = '-20px'"),
    "a part off the screen": (
        "domino",
        "outside",
        "all('.controls')[0].style.transform = 'translateY(40px)'",
    ),
    "a page too wide": ("domino", "overflow", "all('main')[0].style.minWidth = '120vw'"),
    "a page too high": ("domino", "overflow", "all('main')[0].style.minHeight = '120vh'"),
    "what spills from its part": (
        "domino",
        "outside",
        "all('.plate .score')[0].style.marginRight = '-120px'",
    ),
    "words cut off": (
        "domino",
        "cut",
        "shape('.asked', { display: 'block', height: '8px', overflow: 'hidden' })",
    ),
    "words wider than their button": (
        "domino",
        "cut",
        "shape('.controls .primary', { flex: 'none', width: '60px', whiteSpace: 'nowrap' })",
    ),
    "a word broken in two": (
        "domino",
        "cut",
        "shape('.controls .primary', { flex: 'none', width: '3rem', wordBreak: 'break-all' })",
    ),
    "words over words": (
        "domino",
        "overlap",
        "shape('.plate .score', { position: 'relative', left: '-200px' })",
    ),
    "a checker between points": (
        "nardi",
        "outside",
        "all('.picture .checker')[0].setAttribute('transform', 'translate(0, 14)')",
    ),
    "a point over another": (
        "nardi",
        "overlap",
        "const [a, b] = all('.spot'); b.style.transform = a.style.transform",
    ),
    "a point too narrow": ("nardi", "narrow", "all('.spot')[3].style.height = '20px'"),
    "a point off the board": (
        "nardi",
        "outside",
        "all('.spot')[3].style.transform = 'translate(-50px, 0)'",
    ),
}
"""What is done to a sound page: the game, the kind of fault to be found, and how it comes."""

HELPERS = """
  const before = [...document.querySelectorAll("*")].map((one) => [
    one, one.style.cssText, one.getAttribute("transform"),
  ]);
  window.undo = () => {
    document.querySelector("#cover")?.remove();
    for (const [one, style, transform] of before) {
      one.style.cssText = style;
      if (transform === null) one.removeAttribute("transform");
      else one.setAttribute("transform", transform);
    }
  };
  const all = (what) => [...document.querySelectorAll(what)];
  const shape = (what, style) => Object.assign(all(what)[0].style, style);
  const cover = (one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    const sheet = document.createElement("div");
    sheet.id = "cover";
    const size = { width: `${width}px`, height: `${height}px` };
    const place = { left: `${left}px`, top: `${top}px`, ...size };
    Object.assign(sheet.style, { position: "fixed", zIndex: 99, ...place });
    document.body.append(sheet);
  };
"""


@pytest.mark.parametrize("game", ["domino", "nardi"])
def test_what_is_planted_is_found(show: Callable[..., Show], game: str) -> None:
    """Each check fails when there is something to find, and only then."""
    made = show(game)
    name = {"domino": "chosen", "nardi": "start"}[game]
    made.show(next(each for each in scenes()[game] if each.name == name))
    for what, (where, kind, plant) in PLANTED.items():
        if where != game:
            continue
        made.ping()
        assert faults(made.page) == [], what
        made.page.evaluate(f"() => {{ {HELPERS} {plant}; }}")
        found = faults(made.page)
        assert any(each.startswith(kind) for each in found), (what, found)
        made.page.evaluate("window.undo()")
