"""The JSON API by hand: what each call says to whom, what it refuses, and what nobody learns."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from engine.games import GAMES
from tests.app.api_site import (
    DATO,
    GIA,
    LEFT,
    MATCHES,
    NAMES,
    NARDI,
    NINO,
    Reader,
    Seeded,
)
from tests.app.browsers import Seat, started
from tests.history.kept import DOMINO, finished

NOBODY = "0" * 12
GEORGIAN = {"game": "domino", "rules": "georgian"}


def rated(match: str, rating: int, at: int) -> dict[str, Any]:
    whole = MATCHES[match][0]
    return {
        "game": whole["game"],
        "rules": whole["rules"],
        "rating": rating,
        "matches": 1,
        "provisional": True,
        "updated_at": at,
    }


def change(after: int) -> dict[str, Any]:
    return {"before": 1500, "after": after, "provisional": True}


def won(match: str) -> int:
    winner: int = MATCHES[match][0]["end"]["winner"]
    return winner


# Players.


def test_who_is_asking(nobody: Reader, dato: Reader, nino: Reader, has: Seeded) -> None:
    assert nobody.told("me") == {"player": None}
    assert dato.told("me") == {
        "player": {
            "name": NAMES[DATO],
            "registered": False,
            "handle": None,
            "coins": None,
            "ratings": [],
        }
    }
    assert nino.told("me") == {
        "player": {
            "name": NAMES[NINO],
            "registered": True,
            "handle": has.handles[NINO],
            "coins": 1_000,
            "ratings": [
                rated("m1", 1605 if won("m1") == 0 else 1395, has.at),
                rated("m2", 1395, has.at + 1_000),
            ],
        }
    }
    assert Reader(nino.server, has.cookies[NINO] + "x").told("me") == {"player": None}


def test_a_player_is_known_by_their_handle(nobody: Reader, has: Seeded) -> None:
    told = nobody.told(f"players/{has.handles[GIA]}")
    assert (told["name"], told["handle"]) == (NAMES[GIA], has.handles[GIA])
    assert [each["rating"] for each in told["ratings"]] == [1395 if won("m1") == 0 else 1605, 1605]
    assert nobody.refused(f"players/{NOBODY}") == (404, "no_player", [])
    # Who has deleted their account is not there any more.
    (gone,) = set(has.handles) - {NINO, GIA}
    assert nobody.refused(f"players/{has.handles[gone]}") == (404, "no_player", [])
    for wrong in ("NINO", "0" * 11, "0" * 13, "0" * 200, NINO):
        assert nobody.refused(f"players/{wrong}") == (422, "invalid", [("handle", "form")])


def test_matches_of_a_player_with_every_filter(nobody: Reader, has: Seeded) -> None:
    path = f"players/{has.handles[NINO]}/matches"

    def ids(**query: Any) -> list[str]:
        return [each["id"] for each in nobody.told(path, **query)["matches"]]

    lost = ["m2"] if won("m1") == 0 else ["m2", "m1"]
    assert ids() == ["m4", "m3", "m2", "m1"]
    assert ids(game="nardi") == ["m2"]
    assert ids(rules="georgian") == ["m4", "m3", "m1"]
    assert ids(game="chess") == []
    assert ids(result="lost") == lost
    assert ids(result="won") == [each for each in ("m3", "m1") if each not in lost]
    assert ids(coins="true") == ["m4", "m1"]
    assert ids(coins="false") == ids()
    assert nobody.refused(f"players/{NOBODY}/matches") == (404, "no_player", [])


def test_a_long_list_is_turned_over_page_by_page(nobody: Reader, has: Seeded) -> None:
    path = f"players/{has.handles[NINO]}/matches"
    seen, before = [], None
    while True:
        query = {"limit": 3} | ({} if before is None else {"before": before})
        told = nobody.told(path, **query)
        seen.append([each["id"] for each in told["matches"]])
        before = told["next"]
        if before is None:
            break
    assert seen == [["m4", "m3", "m2"], ["m1"]]


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ({"limit": 0}, [("limit", "too_small")]),
        ({"limit": 101}, [("limit", "too_large")]),
        ({"limit": "many"}, [("limit", "form")]),
        ({"limit": "9" * 5000}, [("limit", "form")]),
        ({"result": "drawn"}, [("result", "form")]),
        ({"coins": "yes"}, [("coins", "form")]),
        ({"game": "Domino"}, [("game", "form")]),
        ({"rules": "x" * 33}, [("rules", "form")]),
        ({"before": "m1"}, [("before", "form")]),
        ({"before": "1" * 16 + ".m1"}, [("before", "form")]),
        ({"before": "-1.m1"}, [("before", "form")]),
        ({"before": "1.m1\n"}, [("before", "form")]),
        ({"before": "", "limit": ""}, [("before", "form"), ("limit", "form")]),
    ],
)
def test_a_wrong_parameter_is_named(
    query: dict[str, Any], fields: list[tuple[str, str]], nobody: Reader, has: Seeded
) -> None:
    for who in (has.handles[NINO], NOBODY):
        assert nobody.refused(f"players/{who}/matches", **query) == (422, "invalid", fields)


def test_what_is_wrong_is_said_in_the_readers_language(nobody: Reader) -> None:
    path = f"players/{NOBODY}/matches"
    (field,) = nobody.call(path, limit=101).json()["fields"]
    assert field["text"] == "100-ზე მეტი არ შეიძლება."
    assert "ასეთი მოთამაშე არ არის" in nobody.call(path).json()["text"]
    nobody.http.cookies.set("ezo_language", "en")
    (field,) = nobody.call(path, limit=0).json()["fields"]
    assert field["text"] == "It has to be 1 at least."
    assert nobody.call(path).json()["text"] == "There is no such player."
    assert nobody.call("tables/none").json()["text"] == (
        "There is no such table. Check the link, or open a new table."
    )


def test_figures_of_a_player(nobody: Reader, has: Seeded) -> None:
    path = f"players/{has.handles[NINO]}/stats"
    told = nobody.told(f"{path}/nardi/short")
    assert (told["all"]["matches"], told["all"]["wins"], told["all"]["counted"]) == (1, 0, 1)
    assert len(told["months"]) == 12
    assert sum(each["played"]["matches"] for each in told["months"]) == 1
    (point,) = told["course"]
    assert (point["match"], point["won"], point["ended_at"]) == ("m2", False, has.at + 1_000)
    assert point["figures"] == told["all"]["sums"]
    assert told["rating"] == [{"match": "m2", "at": has.at + 1_000, "before": 1500, "after": 1395}]
    # The void one is no match.
    assert nobody.told(f"{path}/domino/georgian")["all"]["matches"] == 2
    for unknown in ("chess/fast", "domino/short"):
        assert nobody.refused(f"{path}/{unknown}") == (404, "not_found", [])
    assert nobody.refused(f"players/{NOBODY}/stats/nardi/short") == (404, "no_player", [])


def test_head_to_head_is_for_who_has_an_account(
    nobody: Reader, dato: Reader, nino: Reader, has: Seeded
) -> None:
    path = f"players/{has.handles[GIA]}/against"
    for reader in (nobody, dato):
        assert reader.refused(path) == (403, "register", [])
    told = nino.told(path)
    m1, m2 = (finished(match, MATCHES[match][0]).score for match in ("m1", "m2"))
    mine = 1 if won("m1") == 0 else 0
    assert told["matches"] == 2
    assert told["you"] == {"wins": mine, "points": m1[0] + m2[0]}
    assert told["they"] == {"wins": 2 - mine, "points": m1[1] + m2[1]}
    assert told["last"]["id"] == "m2"
    assert nino.told(path, game="domino", rules="georgian")["last"]["id"] == "m1"
    none = {"wins": 0, "points": 0}
    for alone in (nino.told(path, game="chess"), nino.told(f"players/{has.handles[NINO]}/against")):
        assert alone == {"matches": 0, "you": none, "they": none, "last": None}
    assert nino.refused(f"players/{NOBODY}/against") == (404, "no_player", [])


# Matches.


def test_a_match(nobody: Reader, has: Seeded) -> None:
    winner = won("m1")
    score = finished("m1", DOMINO).score
    assert nobody.told("matches/m1") == {
        "id": "m1",
        **GEORGIAN,
        "options": DOMINO["options"],
        "reason": "points",
        "stake": 100,
        "started_at": has.at - 1_000,
        "ended_at": has.at,
        "seats": [
            {
                "name": NAMES[player],
                "handle": has.handles[player],
                "bot": None,
                "won": seat == winner,
                "points": score[seat],
                "coins": 100 if seat == winner else -100,
                "rating": change(1605 if seat == winner else 1395),
            }
            for seat, player in enumerate((NINO, GIA))
        ],
    }


def test_guests_and_the_deleted_have_no_handle(nobody: Reader, has: Seeded) -> None:
    def seats(match: str) -> list[tuple[Any, ...]]:
        told = nobody.told(f"matches/{match}")["seats"]
        return [(x["name"], x["handle"], x["won"], x["coins"], x["rating"]) for x in told]

    mine = (NAMES[NINO], has.handles[NINO])
    assert seats("m3") == [(*mine, True, 0, None), (NAMES[DATO], None, False, 0, None)]
    assert seats("m4") == [("", None, False, 0, None), (*mine, False, 0, None)]


def test_the_record_of_a_match(nobody: Reader) -> None:
    told = nobody.told("matches/m3/record")
    assert told["players"] == [NAMES[NINO], NAMES[DATO]]
    assert {**told, "players": 0} == {**LEFT, "players": 0}
    assert nobody.told("matches/m4/record")["players"] == ["", NAMES[NINO]]
    assert nobody.told("matches/m2/record")["hands"] == NARDI["hands"]


@pytest.mark.parametrize("part", ["", "/record"])
def test_a_match_that_is_not_there(nobody: Reader, part: str) -> None:
    assert nobody.refused(f"matches/none{part}") == (404, "no_match", [])
    for wrong in ("%00", "a%0A", "a" * 65, "გ", "a.b"):
        assert nobody.refused(f"matches/{wrong}{part}") == (422, "invalid", [("match_id", "form")])


# What all have made.


def test_leaderboards(nobody: Reader, nino: Reader, dato: Reader, has: Seeded) -> None:
    def row(place: int, player: str, value: int) -> dict[str, Any]:
        own = {"place": place, "name": NAMES[player], "handle": has.handles[player]}
        return {**own, "value": value, "matches": 1, "provisional": True}

    rows = [row(1, GIA, 1605), row(2, NINO, 1395)]
    whole = {"board": "all", "game": "nardi", "rules": "short", "rows": rows}
    assert nobody.told("leaders/nardi/short/all") == {**whole, "own": None}
    assert dato.told("leaders/nardi/short/all") == {**whole, "own": None}
    assert nino.told("leaders/nardi/short/all") == {**whole, "own": rows[1]}
    # The own place is told wherever it is.
    assert nino.told("leaders/nardi/short/all", limit=1) == {
        **whole,
        "rows": rows[:1],
        "own": rows[1],
    }
    week = nobody.told("leaders/nardi/short/week")["rows"]
    assert [(each["handle"], each["value"]) for each in week] == [
        (has.handles[GIA], 105),
        (has.handles[NINO], -105),
    ]
    coins = nobody.told("leaders/domino/georgian/coins")["rows"]
    assert [each["value"] for each in coins] == [100, -100]
    assert not any(each["provisional"] for each in coins)


def test_no_such_leaderboard(nobody: Reader) -> None:
    assert nobody.refused("leaders/chess/fast/all") == (404, "not_found", [])
    assert nobody.refused("leaders/nardi/short/year") == (422, "invalid", [("board", "form")])
    assert nobody.refused("leaders/nardi/short/all", limit=101)[2] == [("limit", "too_large")]


def test_what_chance_gave(nobody: Reader) -> None:
    report = nobody.told("fairness")["report"]
    assert report["matches"] == len(MATCHES)
    assert report["voids"] == {"no_hash": 1}
    assert report["days"][0] == {"day": report["day"], "voids": {"no_hash": 1}}
    assert len(report["days"]) == 30
    assert [each["game"] for each in report["chances"]] == ["domino", "nardi"]
    for each in report["chances"]:
        for keys in each["tables"].values():
            assert sum(band["count"] for band in keys.values()) == max(
                band["trials"] for band in keys.values()
            )


def test_what_can_be_played(nobody: Reader) -> None:
    told = nobody.told("games")
    assert [(each["game"], each["rules"]) for each in told["games"]] == [
        (game.name, game.rules) for game in GAMES
    ]
    for each, game in zip(told["games"], GAMES, strict=True):
        assert each["options"] == {option: list(v) for option, v in game.choices.items()}
        assert each["seats"] == [2]
    assert told["clocks"]["fast"] == {"move_ms": 15000, "reserve_ms": 60000, "absence_ms": 60000}
    assert told["stakes"] == [0, 50, 100, 500, 1_000, 5_000, 10_000, 50_000]


# Running tables.


def test_a_table_is_told_as_its_viewer_may_see_it(nobody: Reader) -> None:
    server = nobody.server
    readers = [Reader(server), Reader(server), Reader(server)]

    async def play() -> None:
        seats: list[Seat] = await started(
            readers[:2], "domino", "georgian", target="75", public="1"
        )
        path = f"tables/{seats[0].id}"
        told = [await asyncio.to_thread(reader.told, path) for reader in readers]
        for seat, each in zip(seats, told, strict=False):
            assert {**each, "now": 0} == {**seat.table, "now": 0}
        assert [each["you"] for each in told] == [0, 1, None]
        hands = [each["view"]["tiles"] for each in told]
        assert [len(hand) for hand in hands] == [7, 7, 0]
        assert not set(hands[0]) & set(hands[1])
        # All may know with which tile the opener has to begin.
        lies_open = {told[2]["view"]["must_open"]}
        assert told[2]["view"]["placed"] == []
        for own, other in ((0, 1), (1, 0), (2, 0), (2, 1)):
            text = json.dumps(told[own])
            assert not any(f'"{tile}"' in text for tile in set(hands[other]) - lies_open)
        lobby = await asyncio.to_thread(readers[2].told, "lobby")
        (listed,) = [each for each in lobby["tables"] if each["id"] == seats[0].id]
        assert (listed["status"], listed["score"]) == ("running", [0, 0])
        assert (listed["game"], listed["rules"], listed["stake"]) == ("domino", "georgian", 0)
        for seat in seats:
            await seat.close()

    asyncio.run(play())


def test_a_table_in_every_state_keeps_to_its_form(nobody: Reader) -> None:
    server = nobody.server
    readers = [Reader(server), Reader(server)]

    async def play() -> None:
        table = readers[0].make_table("nardi", "short", points="1")
        told = await asyncio.to_thread(readers[1].told, f"tables/{table}")
        assert (told["status"], told["public"], told["you"]) == ("open", False, None)
        assert [each["name"] for each in told["seats"] if each] != []
        assert told["seats"][1] is None
        readers[1].sit(table)
        told = await asyncio.to_thread(readers[1].told, f"tables/{table}")
        assert (told["status"], told["you"]) == ("handshake", 1)
        assert told["handshake"]["hashes"] == [None, None]
        seats = await started(readers, "nardi", "short", points="1", public="1")
        await seats[1].accepted("resign")
        await seats[0].table_is(lambda told: told["ended"] is not None and told["ended"]["kept"])
        told = await asyncio.to_thread(readers[0].told, f"tables/{seats[0].id}")
        assert told["ended"] == seats[0].table["ended"]
        match = await asyncio.to_thread(readers[0].told, f"matches/{told['match']}")
        assert [each["won"] for each in match["seats"]] == [True, False]
        for seat in seats:
            await seat.close()

    asyncio.run(play())


def test_no_such_table(nobody: Reader) -> None:
    assert nobody.refused("tables/none") == (404, "no_table", [])
    for wrong in ("%00", "a" * 65, "გ"):
        assert nobody.refused(f"tables/{wrong}") == (422, "invalid", [("table_id", "form")])
