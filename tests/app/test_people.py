"""Pages about players: what everybody may know of one, lists of matches, boards."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.browsers import Browser, started
from tests.app.people import PASSWORD, Registered, evening, forget, now_ms, played, put
from tests.app.server import Server

PEOPLE = ("ნინო", "გია", "Eka")


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Server]:
    """A server whose database a test may spoil."""
    with Server(tmp_path / "data") as running:
        yield running


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("people") / "data") as running:
        yield running
        log = running.log()
    assert log == ""


@pytest.fixture(scope="module")
def people(site: Server) -> list[Registered]:
    """ნინო and გია have played 14 matches of one game and 3 of the other, for coins; Eka none of
    either, but lost one to a guest and one to somebody who is deleted."""
    nino, gia, eka = (Registered(site, name) for name in PEOPLE)
    gone = Registered(site, "წაშლილი")
    put(site.data, *evening(nino, gia, 14), *evening(nino, gia, 3, game="nardi", stake=100))
    put(
        site.data,
        played("guest", "nardi", [(eka.id, "Eka"), ("g-1", "სტუმარი 4321")], at=now_ms(), won=1),
        played("gone", "nardi", [(eka.id, "Eka"), (gone.id, "წაშლილი")], at=now_ms() + 1, won=1),
        played("void", "domino", [(eka.id, "Eka"), ("g-1", "სტუმარი 4321")], at=1, reason="void"),
    )
    assert gone.browser.post("/me/delete", {"password": PASSWORD}).status_code == 303
    forget(site.data, gone.id)
    put(site.data, played("late", "nardi", [(eka.id, "Eka"), (gone.id, "წაშლილი")], at=2, won=1))
    return [nino, gia, eka]


def english(browser: Browser) -> Browser:
    browser.post("/language", {"language": "en", "back": "/"})
    return browser


def text(page: str) -> str:
    """The words of a page."""
    shown = re.sub(r"<(script|svg)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", shown).split())


def main(page: str) -> str:
    return page.partition("<main")[2].partition("</main>")[0]


def rows(page: str) -> list[str]:
    """The addresses of the matches in a list."""
    return re.findall(r'<a class="what" href="([^"]+)"', page)


def link(page: str, words: str) -> str:
    found = re.search(rf'<a href="([^"]+)">{words}</a>', page)
    assert found is not None, words
    return found[1].replace("&amp;", "&")


def test_a_players_page_says_who_they_are_and_how_they_play(
    site: Server, people: list[Registered]
) -> None:
    nino, gia, _ = people
    page = english(Browser(site)).get(nino.page()).text
    said = text(page)
    assert "<h1><bdi>ნინო</bdi></h1>" in page
    assert re.search(r"since \d\d\.\d\d\.\d{4}", said)
    assert re.search(r"Rating \d{4} Matches 14 Wins 9 64%", said)  # 9 of 14: established
    assert re.search(r"Rating \d{4}\? provisional so far, matches: 3 Matches 3 Wins 2 It is", said)
    assert "It is too early for statistics: they appear after 5 matches." in said
    for statistic in ("Points a hand, on average", "Plays that score", "Ribas"):
        assert statistic in said
    assert "Luck of the dice" not in said  # three matches are too few
    assert len(rows(page)) == 17
    assert f'<a href="{gia.page()}"><bdi>გია</bdi></a>' in page
    assert '<meta name="robots" content="noindex">' in page


def test_every_plot_says_its_numbers_in_words(site: Server) -> None:
    one, other = Registered(site, "მხატვარი"), Registered(site, "მეორე მხატვარი")
    put(site.data, *evening(one, other, 5), *evening(other, one, 5, game="nardi"))
    page = english(Browser(site)).get(one.page()).text
    drawn = re.findall(r"<svg class=\"plot\".*?</svg>", page, re.DOTALL)
    # Two games: the rating and the months of each, and their statistics.
    assert len(drawn) == 2 * 2 + 4 + 5
    for each in drawn:
        label = re.search(r'role="img".* aria-labelledby="(\S+) (\S+)"', each)
        assert label is not None
        title = re.search(rf'<title id="{label[1]}">([^<]+)</title>', each)
        said = re.search(rf'<desc id="{label[2]}">([^<]+)</desc>', each)
        assert title is not None
        assert said is not None
        assert re.search(r"\d|luck", said[1]), said[1]
        assert "style=" not in each
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert "luck than usual" in text(page) or "the usual luck" in text(page)
    assert '<th scope="row">' in page


def test_head_to_head_is_the_readers_own(site: Server, people: list[Registered]) -> None:
    nino, gia, eka = people
    title = "Head to head"
    assert title not in english(Browser(site)).get(nino.page()).text
    assert title not in english(nino.browser).get(nino.page()).text
    stranger = text(english(eka.browser).get(nino.page()).text)
    assert "You have not played each other yet." in stranger
    page = english(gia.browser).get(nino.page()).text
    said = text(page)
    assert title in said
    # გია has won five of the fourteen, ნინო the others; the reader's come first.
    assert re.search(r"You ნინო Wins 5 9 Points \d+ \d+ Matches: 14 The last match", said)
    all_of_them = link(page, "All matches with you")
    assert all_of_them == f"{nino.page()}/matches?against={gia.handle}"
    assert gia.browser.get(all_of_them).status_code == 200
    assert gia.browser.get(link(page, r"The last match, [\d.]+")).status_code == 200


def test_there_is_no_page_of_who_is_not_registered(site: Server, people: list[Registered]) -> None:
    gone = Registered(site, "დროებითი")
    assert Browser(site).get(gone.page()).status_code == 200
    gone.browser.post("/me/delete", {"password": PASSWORD})
    nino = people[0]
    for handle in (gone.handle, "0" * 12, nino.id, "ნინო", "%00", "%ff", "x" * 300, "' OR 1=1"):
        for rest in ("", "/matches"):
            answer = Browser(site).get(f"/p/{handle}{rest}")
            assert (answer.status_code, "ასეთი მოთამაშე არ არის" in answer.text) == (404, True)


def test_lists_and_their_filters(site: Server, people: list[Registered]) -> None:
    nino, _, eka = people
    put(site.data, *evening(nino, eka, 20))  # more than a page
    browser = english(Browser(site))
    at = nino.page("/matches")
    first = browser.get(at).text
    assert len(rows(first)) == 25
    second = browser.get(link(first, "Older matches")).text
    found = rows(first) + rows(second)
    with sqlite3.connect(site.data / "site.db") as database:
        query = "SELECT count(*) FROM match_seats WHERE player = ?"
        assert (len(set(found)),) == database.execute(query, (nino.id,)).fetchone()
    assert len(found) == len(set(found))
    assert "Older matches" not in second
    assert link(second, "Back to the newest matches") == at

    def of(query: str) -> str:
        answer = browser.get(f"{at}?{query}")
        assert answer.status_code == 200
        return answer.text

    coins = of("coins=1")
    assert (len(rows(coins)), text(coins).count("+100 coins"), "−100 coins" in coins) == (
        3,
        2,
        True,
    )
    assert all("/m/nardi-" in each for each in rows(of("game=nardi.short&result=won&coins=1")))
    won, lost = of(f"result=won&against={eka.handle}"), of(f"result=lost&against={eka.handle}")
    assert (len(rows(won)), len(rows(lost))) == (13, 7)
    assert text(won).count("Won on points") == 13
    assert text(lost).count("Lost on points") == 7
    # What is chosen stays chosen, also on the next page and in the other language.
    for chosen in ('value="won" checked', f'value="{eka.handle}" checked', "<bdi>Eka</bdi>"):
        assert chosen in won
    assert f'name="back" value="{at}?result=won&amp;against={eka.handle}"' in won
    assert rows(of("game=&result=&coins=0")) == rows(first)
    assert "No such match was found." in text(of("coins=1&result=won&game=domino.georgian"))
    asked = link(first, "Older matches")
    assert rows(browser.get(asked + "&result=lost").text)


def test_a_list_is_told_from_its_players_side(own: Server) -> None:
    nino, gia = Registered(own, "ნინო"), Registered(own, "გია")
    two = [(nino.id, "ნინო"), (gia.id, "გია")]
    put(own.data, played("m", "domino", two, at=now_ms(), won=0, stake=50))
    for each, other, score, said in (
        (nino, gia, r"75 : 65", r"Won on points .* \+50 coins Rating 1\d{3} \(\+\d+\)"),
        (gia, nino, r"65 : 75", r"Lost on points .* −50 coins Rating 1\d{3} \(−\d+\)"),
    ):
        page = text(main(english(Browser(own)).get(each.page("/matches")).text))
        assert re.search(rf"{score} {other.name} {said}, provisional so far$", page), page


@pytest.mark.parametrize(
    "query",
    [
        *("game=chess", "game=domino", "result=drawn", "coins=2", "before=yesterday", "before=1"),
        *("before=1.%00", "before=%D9%A1.m", "before=9999999999999999.m", "before=-1.m"),
        *("against=nobody", "against=000000000000", "against=%00", "result=%ff"),
        "before=1." + "m" * 65,
    ],
)
def test_what_is_no_filter_is_said(site: Server, people: list[Registered], query: str) -> None:
    for path in (people[0].page("/matches"), "/me/matches"):
        answer = people[1].browser.get(f"{path}?{query}")
        assert answer.status_code == 422
        assert re.search("ასეთი ფილტრი არ არის|There is no such filter", answer.text)


def test_filters_that_mean_nothing_are_let_be(site: Server, people: list[Registered]) -> None:
    for query in ("", "?game=&against=&before=", "?other=1", "?before=1.m", "?result=won&result="):
        assert Browser(site).get(people[0].page(f"/matches{query}")).status_code == 200


def test_whoever_has_no_name_any_more_has_none_in_lists(
    site: Server, people: list[Registered]
) -> None:
    page = english(Browser(site)).get(people[2].page("/matches?game=nardi.short")).text
    said = text(page)
    assert "Deleted player" in said
    assert "სტუმარი 4321" in said
    assert "წაშლილი" not in said
    assert rows(page) == ["/m/gone", "/m/guest", "/m/late"]
    void = text(english(Browser(site)).get(people[2].page("/matches?game=domino.georgian")).text)
    assert "The match was voided" in void


async def test_a_guest_has_a_list_and_keeps_it_when_they_register_t2(site: Server) -> None:
    guest, other = Browser(site), Browser(site)
    empty = guest.get("/me/matches")
    assert (empty.status_code, "set-cookie" in empty.headers) == (200, False)
    assert "დასრულებული მატჩი ჯერ არ არის" in empty.text
    seats = await started([guest, other], "nardi", "short", points="1", public="1")
    match = seats[0].table["match"]
    await seats[1].accepted("resign", match=match)
    await seats[0].table_is(lambda told: told["ended"] is not None and told["ended"]["kept"])
    page = guest.get("/me/matches").text
    assert rows(page) == [f"/m/{match}"]
    assert "მოგება: მოწინააღმდეგე დანებდა" in page
    assert "შენთან დარჩება" in page
    assert "წაგება დანებებით" in other.get("/me/matches").text
    form = {"name": "იყო სტუმარი", "password": PASSWORD}
    assert guest.post("/register", form).status_code == 200
    assert rows(guest.get("/me/matches").text) == [f"/m/{match}"]
    public = link(guest.get("/me").text, "შენი საჯარო გვერდი")
    assert rows(Browser(site).get(public).text) == [f"/m/{match}"]
    assert "ასე გხედავენ სხვები" in guest.get(public).text
    assert "იყო სტუმარი" in other.get("/me/matches").text  # under the name of today
    # A match of a private table is nobody else's to find.
    seats = await started([guest, other], "nardi", "short", points="1")
    hidden = seats[0].table["match"]
    await seats[1].accepted("resign", match=hidden)
    await seats[0].table_is(lambda told: told["ended"] is not None and told["ended"]["kept"])
    assert rows(guest.get(public).text) == [f"/m/{hidden}", f"/m/{match}"]
    assert rows(Browser(site).get(public).text) == [f"/m/{match}"]
    calls = f"/api/v1/players/{public.rpartition('/')[2]}/matches"
    assert hidden in guest.get(calls).text
    assert hidden not in Browser(site).get(calls).text
    assert Browser(site).get(f"/m/{hidden}").status_code == 200  # with its link


def test_boards_and_the_own_place(site: Server, people: list[Registered]) -> None:
    nino, gia, _ = people
    new = Registered(site, "ახალი")
    for browser in (nino.browser, gia.browser, new.browser):
        english(browser)
    first = nino.browser.get("/leaders").text
    same = nino.browser.get("/leaders/domino/georgian/week").text
    assert main(first) == main(same)
    assert 'href="/leaders/domino/georgian/week" aria-current="page"' in first
    assert first.count('aria-current="page"') == 2
    board = nino.browser.get("/leaders/nardi/short/coins").text
    assert re.search(r"1 ნინო You \+100 3 2 გია −100 3", text(board))
    assert f'<a href="{gia.page()}"><bdi>გია</bdi></a>' in board
    assert board.count('aria-current="page"') == 2
    rating = text(nino.browser.get("/leaders/domino/georgian/all").text)
    assert re.search(r"ნინო You \d{4} ", rating)
    assert "provisional so far" in text(english(Browser(site)).get("/leaders/nardi/short/all").text)
    lacks = text(new.browser.get("/leaders/nardi/short/coins").text)
    assert "You are not here yet: play a match for coins." in lacks
    assert "A name and a password are enough." in text(english(Browser(site)).get("/leaders").text)
    assert '<meta name="robots" content="noindex">' in board
    for path in ("/leaders/chess/short/all", "/leaders/nardi/short/ever", "/leaders/nardi"):
        assert Browser(site).get(path).status_code == 404


def test_the_own_row_stands_below_a_board_that_ends_before_it(own: Server) -> None:
    """Fifty others have more."""
    reader, other = Registered(own, "მერაბი"), Registered(own, "ისიდორე")
    two = [(reader.id, "მერაბი"), (other.id, "ისიდორე")]
    empty = reader.browser.get("/leaders/nardi/short/coins").text
    assert "პირველი ადგილი თავისუფალია" in empty
    assert "<table" not in empty
    put(own.data, played("m", "nardi", two, at=now_ms(), won=1, stake=50))
    with sqlite3.connect(own.data / "site.db") as database:
        for number in range(50):
            row = (f"p{number}", f"Rich {number}", 1, "registered")
            database.execute("INSERT INTO players VALUES (?, ?, ?, ?)", row)
            won = (f"p{number}", "nardi", "short", 1000 + number, 1)
            database.execute("INSERT INTO winnings VALUES (?, ?, ?, ?, ?)", won)
    page = reader.browser.get("/leaders/nardi/short/coins").text
    assert page.count("<tr") == 1 + 50 + 1
    below = text(page.partition('<tbody class="below">')[2].partition("</tbody>")[0])
    assert below == "52 მერაბი შენ −50 1"
    assert page.count('class="own"') == 1
    assert "Rich 0" in page  # without a login there is no page to lead to
    assert 'class="below"' not in Browser(own).get("/leaders/nardi/short/coins").text


def test_coin_movements_name_their_match(own: Server) -> None:
    nino, gia = Registered(own, "ნინო"), Registered(own, "გია")
    match = played("m-1", "nardi", [(nino.id, "ნინო"), (gia.id, "გია")], at=now_ms(), stake=50)
    put(own.data, match)
    with sqlite3.connect(own.data / "site.db") as database:
        for kind, amount in (("stake", -50), ("pay", 100)):
            transfer = (f"{kind}:m-1", kind, "m-1", now_ms())
            database.execute(
                "INSERT INTO transfers (key, kind, match, at) VALUES (?, ?, ?, ?)", transfer
            )
            for account, moved in ((f"player:{nino.id}", amount), ("escrow:m-1", -amount)):
                database.execute(
                    "INSERT OR IGNORE INTO accounts (id, balance) VALUES (?, 0)", (account,)
                )
                database.execute(
                    "INSERT INTO entries (transfer, account, amount) VALUES (?, ?, ?)",
                    (f"{kind}:m-1", account, moved),
                )
    said = nino.browser.get("/me").text.replace("\u2068", "").replace("\u2069", "")
    assert said.count('<a href="/m/m-1">მოკლე ნარდი, მოწინააღმდეგე: გია</a>') == 2
    assert f'<a href="{nino.page()}">' in said
    assert '<a href="/me/matches">' in said


def test_no_page_tells_an_id(site: Server, people: list[Registered]) -> None:
    ids = [each.id for each in people]
    with sqlite3.connect(site.data / "site.db") as database:
        ids += [row[0] for row in database.execute("SELECT id FROM players")]
    paths = ["/leaders", "/me", "/me/matches"]
    paths += [f"/leaders/nardi/short/{kind}" for kind in ("week", "all", "coins")]
    for each in people:
        paths += [each.page(), each.page("/matches"), each.page("/matches?result=lost")]
    for browser in (Browser(site), people[0].browser):
        for path in paths:
            page = browser.get(path).text
            assert not [each for each in ids if each in page], path


def test_names_are_text_wherever_they_are_shown(own: Server) -> None:
    nasty = Registered(own, "<b>'\"&amp;{{7*7}}")
    wide = Registered(own, "W" * 20)
    put(own.data, *evening(nasty, wide, 6))
    for path in (nasty.page(), nasty.page("/matches"), wide.page(), "/leaders"):
        page = wide.browser.get(path).text
        assert "<b>" not in page
        assert "&lt;b&gt;&#39;&#34;&amp;amp;{{7*7}}" in page


@pytest.mark.parametrize(("table", "paths"), [("match_seats", 3), ("ratings", 2)])
def test_while_the_database_does_not_answer_it_is_said(own: Server, table: str, paths: int) -> None:
    nino = Registered(own, "ნინო")
    every = [nino.page(), "/leaders", nino.page("/matches")]
    every = every[:2] if table == "ratings" else [every[0], every[2], "/me/matches"]
    assert len(every) == paths
    with sqlite3.connect(own.data / "site.db") as database:
        database.execute(f"ALTER TABLE {table} RENAME TO gone")
    for path in every:
        answer = nino.browser.get(path)
        assert answer.status_code == 503
        assert "მატჩები და რეიტინგი ახლა მიუწვდომელია" in answer.text
    assert nino.browser.get("/me").status_code == 200
    with sqlite3.connect(own.data / "site.db") as database:
        database.execute("ALTER TABLE logins RENAME TO gone_too")
    answer = Browser(own).get(nino.page())
    assert (answer.status_code, "ანგარიშები ახლა მიუწვდომელია" in answer.text) == (503, True)


def test_every_page_leads_to_the_leaders(browser: Browser) -> None:
    home = browser.get("/").text
    foot = home.partition('<footer class="foot">')[2]
    for to in ("/leaders", "/fairness", "/privacy"):
        assert f'href="{to}"' in foot
    assert 'href="/leaders"' in main(home)
    for path in ("/leaders", "/privacy"):
        own_foot = browser.get(path).text.partition('<footer class="foot">')[2]
        assert f'href="{path}"' not in own_foot  # nowhere to go from there to itself
