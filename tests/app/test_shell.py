"""What makes the site installable and light: manifest, worker, offline page, preview, encodings."""

from __future__ import annotations

import gzip
import html
import json
import re
from pathlib import Path

import pytest

from app.web.assets import Assets
from app.web.joining import UnjoinableError, join, join_sheets, without_comments
from tests.app.browsers import Browser
from tests.app.server import ROOT, Server
from tests.browser.pictures import PICTURES

DOMINO = {"game": "domino", "rules": "georgian", "target": "75"}
NARDI = {"game": "nardi", "rules": "short", "points": "3"}


def card(page: str) -> dict[str, str]:
    """The preview card that a page offers."""
    found = re.findall(r'<meta property="og:([^"]+)" content="([^"]*)">', page)
    return {name: html.unescape(value) for name, value in found}


def test_the_manifest_names_the_site_and_pictures_that_are_there(browser: Browser) -> None:
    answer = browser.get("/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    told = answer.json()
    assert (told["short_name"], told["lang"]) == ("ეზო", "ka")
    assert (told["start_url"], told["scope"], told["display"]) == ("/", "/", "standalone")
    assert {each["purpose"] for each in told["icons"]} == {"any", "maskable"}
    assert {"192x192", "512x512"} <= {each["sizes"] for each in told["icons"]}
    for each in told["icons"]:
        icon = browser.get(each["src"])
        assert icon.headers["content-type"] == each["type"]
        assert "immutable" in icon.headers["cache-control"]
    for path in ("/", "/t/none", "/no/such/page"):
        assert 'rel="manifest" href="/manifest.webmanifest"' in browser.get(path).text


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_have_the_size_that_is_said_of_them(name: str) -> None:
    _, width, height = PICTURES[name]
    drawn = (ROOT / "static" / name).read_bytes()
    assert drawn[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(drawn[16:20], "big") == width
    assert int.from_bytes(drawn[20:24], "big") == height
    assert len(drawn) < 150_000


def test_the_worker_is_of_the_present_version_and_keeps_no_page(browser: Browser) -> None:
    version = re.search(r"/static/([0-9a-f]{12})/", browser.get("/").text)
    assert version is not None
    answer = browser.get("/sw.js")
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert f'const VERSION = "{version[1]}";' in answer.text
    shell = re.search(r"const SHELL = (\[.*\]);", answer.text)
    assert shell is not None
    kept = json.loads(shell[1])
    assert kept[0] == "/offline"
    assert all(each.startswith(f"/static/{version[1]}/") for each in kept[1:])
    # Whatever the offline page names is kept with it.
    for named in re.findall(r'(?:href|src)="(/[^"]*)"', browser.get("/offline").text):
        assert named in kept
    for each in kept:
        assert browser.get(each).status_code == 200


def test_the_offline_page_is_nobodys_and_in_both_languages(browser: Browser) -> None:
    assert browser.post("/name", {"name": "თამარი"}).status_code == 303
    browser.make_table(**DOMINO)
    page = browser.get("/offline").text
    assert "თამარი" not in page
    assert "/t/" not in page
    assert 'lang="ka"' in page
    assert 'lang="en"' in page
    assert "კავშირი არ არის" in page
    assert "There is no line" in page


@pytest.mark.parametrize(
    ("form", "title"),
    [
        (DOMINO, "ნინო გეძახის დომინოზე — 75‑მდე"),
        (NARDI, "ნინო გეძახის ნარდზე — 3‑მდე"),
    ],
)
def test_an_invite_shows_a_card(
    form: dict[str, str], title: str, browser: Browser, server: Server
) -> None:
    browser.post("/name", {"name": "ნინო"})
    table = browser.make_table(**form | {"clock": "fast"})
    shown = card(Browser(server).get(f"/t/{table}").text)
    assert shown["title"] == title
    assert shown["description"] == ("სვლაზე 15 წმ, დამატებით 1 წთ · უფასოდ, რეგისტრაციის გარეშე")
    assert shown["url"] == f"{server.origin}/t/{table}"
    assert shown["image"].startswith(f"{server.origin}/static/")
    assert shown["image"].endswith(f"/share/{form['game']}.png")
    assert browser.http.get(shown["image"]).headers["content-type"] == "image/png"
    assert card(browser.get("/").text)["title"] == "ეზო: დომინო და ნარდი"


def test_a_card_names_the_address_that_the_site_is_reached_by(tmp_path: Path) -> None:
    with Server(tmp_path / "data", EZO_ORIGINS="https://ezo.example") as server:
        shown = card(Browser(server).get("/").text)
    assert shown["url"] == "https://ezo.example/"
    assert shown["image"].startswith("https://ezo.example/static/")


def test_a_name_cannot_break_out_of_its_card(browser: Browser) -> None:
    browser.post("/name", {"name": '"><b>&x'})
    page = browser.get(f"/t/{browser.make_table(**DOMINO)}").text
    assert "<b>" not in page
    assert card(page)["title"].startswith('"><b>&x გეძახის')


def test_files_and_pages_come_in_gzip_to_whoever_takes_it(browser: Browser, server: Server) -> None:
    found = re.search(r'href="(/static/[0-9a-f]{12}/css/base\.css)"', browser.get("/").text)
    assert found is not None
    plain = (ROOT / "static/css/base.css").read_bytes()
    for path in (found[1], "/"):
        for accepted, zipped in (
            ("gzip", True),
            ("br, gzip;q=0.5", True),
            ("identity", False),
            ("gzip;q=0", False),
        ):
            answer = browser.http.get(server.origin + path, headers={"accept-encoding": accepted})
            assert answer.headers.get("content-encoding") == ("gzip" if zipped else None)
            assert "accept-encoding" in answer.headers["vary"]
            if path != "/":
                assert answer.content == plain
                assert int(answer.headers["content-length"]) == (
                    len(gzip.compress(plain, 9, mtime=0)) if zipped else len(plain)
                )
    picture = found[1].replace("css/base.css", "icons/icon-192.png")
    assert "content-encoding" not in browser.get(picture).headers


def test_a_file_may_do_nothing_by_itself(browser: Browser) -> None:
    """Its policy is shorter than that of pages, since it is sent with every file."""
    found = re.search(r'href="(/static/[0-9a-f]{12}/icons/icon\.svg)"', browser.get("/").text)
    assert found is not None
    answer = browser.get(found[1])
    assert answer.headers["content-security-policy"] == "default-src 'none'"
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "script", sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("static/js/**/*.js"))
)
def test_a_script_loses_its_comments_and_nothing_else(script: str) -> None:
    written = (ROOT / script).read_text("utf-8").split("\n")
    served = without_comments("\n".join(written)).split("\n")
    assert len(served) == len(written)
    block = False
    for line, left in zip(written, served, strict=True):
        stripped = line.strip()
        block = block or stripped.startswith("/**")
        if block and "*/" in stripped and not stripped.endswith("*/"):
            block = False  # code follows on its line
        if block or stripped.startswith("//"):
            assert left == ""
            block = block and not stripped.endswith("*/")
        else:
            assert left == line


@pytest.mark.parametrize(
    "page", ["lobby", "match", "site", "offline", "styleguide", "table-domino", "table-nardi"]
)
def test_all_that_a_page_runs_is_one_script(page: str) -> None:
    """Whatever a module of it imports, however that is written, is in it before that module."""
    assets = Assets(ROOT / "static")
    joined = assets.script(page)
    assert "/joined/" in joined
    script = assets.text(joined.split("/", 3)[3])
    parts = re.findall(r"^// (js/\S+\.js)$", script, re.MULTILINE)
    assert len(parts) == len(set(parts))
    assert "js/pages/site.js" in parts
    assert f"js/pages/{page.partition('-')[0]}.js" in parts
    assert [part for part in parts if "nardi" in part] == [] or page not in {
        "table-domino",
        "lobby",
    }
    for n, part in enumerate(parts):
        written = (ROOT / "static" / part).read_text("utf-8")
        code = re.sub(r"/\*.*?\*/", "", written, flags=re.DOTALL)
        for needed in re.findall(r'\bfrom\s+"([^"]+)"|^import\s+"([^"]+)"', code, re.MULTILINE):
            target = (ROOT / "static" / part).parent / "".join(needed)
            assert target.resolve().relative_to(ROOT / "static").as_posix() in parts[:n]


JOINED = {
    "a.js": 'import { b as c, d } from "./deep/b.js";\nimport * as all from "./deep/e.js";\n'
    'export const a = [c, d, all.e];\nimport("./late.js");\nimport("./gone.js");\n',
    "deep/b.js": 'import {\n  e,\n} from "./e.js";\nexport class b {}\nexport function d() {}\n',
    "deep/e.js": "export async function e() {}\n",
    "late.js": "export {};\n",
}


def test_modules_are_joined_in_the_order_in_which_they_run() -> None:
    made = join(JOINED | {"late.js": "export const l = 1;\n"}, ["a.js", "late.js"], "/static/v")
    assert re.findall(r"^// (.*)$", made, re.MULTILINE) == [
        "deep/e.js", "deep/b.js", "a.js", "late.js"
    ]  # fmt: skip
    assert "const { b: c, d } = $1;" in made
    assert "const all = $0;" in made
    assert "return { b, d };" in made
    assert "Promise.resolve().then(() => $3)" in made
    assert 'import("/static/v/gone.js")' in made


@pytest.mark.parametrize(
    "scripts",
    [
        {"a.js": 'import { b } from "./b.js";\n'},
        {"a.js": 'import { b } from "./b.js";\n', "b.js": 'import { a } from "./a.js";\n'},
        {"a.js": "export default 1;\n"},
        {"a.js": 'export { b } from "./b.js";\n', "b.js": "export const b = 1;\n"},
        {"a.js": 'import b from "./b.js";\n', "b.js": "export const b = 1;\n"},
    ],
)
def test_what_cannot_be_joined_is_not(scripts: dict[str, str]) -> None:
    with pytest.raises(UnjoinableError):
        join(scripts, ["a.js"], "/static/v")


def test_the_parts_of_a_sheet_stand_where_they_are_named() -> None:
    sheets = {
        "css/a.css": '@import "a/b.css";\n@import "a/c.css";\n.a {}\n',
        "css/a/b.css": '@import "../d.css";\n.b {}\n',
        "css/a/c.css": ".c {}\n",
        "css/d.css": ".d {}\n",
        "css/gone.css": '@import "nowhere.css";\n',
        "css/round.css": '@import "round.css";\n',
        "css/last.css": '@import "d.css";',
        "css/other.css": "@import 'd.css';\n",
        "css/layer.css": '@import "d.css" layer(base);\n',
    }
    assert join_sheets(sheets, "css/a.css") == ".d {}\n.b {}\n.c {}\n.a {}\n"
    assert join_sheets(sheets, "css/last.css") == ".d {}\n"
    for path in ("css/gone.css", "css/round.css", "css/other.css", "css/layer.css"):
        with pytest.raises(UnjoinableError):
            join_sheets(sheets, path)


def test_no_sheet_of_a_page_makes_the_browser_ask_again(browser: Browser) -> None:
    table = browser.make_table(**DOMINO)
    for page in ("/", f"/t/{table}", "/styleguide", "/offline"):
        sheets = re.findall(r'rel="stylesheet" href="([^"]+)"', browser.get(page).text)
        assert sheets
        for each in sheets:
            assert "@import" not in browser.get(each).text
    assert ".stone.flying" in browser.get(sheets[-1].rpartition("/")[0] + "/domino.css").text


def test_a_page_whose_modules_cannot_be_joined_runs_its_own(tmp_path: Path) -> None:
    (tmp_path / "js/pages").mkdir(parents=True)
    (tmp_path / "js/pages/site.js").write_text("let one = 1;\n")
    (tmp_path / "js/pages/lobby.js").write_text('import "./gone.js";\n')
    assets = Assets(tmp_path)
    assert assets.script("lobby") == assets.address("js/pages/lobby.js")
    assert assets.script("site") == assets.address("joined/site.js")


def test_the_style_guide_is_there_and_not_to_be_found(browser: Browser) -> None:
    answer = browser.get("/styleguide")
    assert answer.status_code == 200
    assert '<meta name="robots" content="noindex">' in answer.text
    for part in re.findall(r'href="(/static/[^"]+)"', answer.text):
        assert browser.get(part).status_code == 200
    assert "/styleguide" not in browser.get("/").text
