"""Match files, read again the way GNU Backgammon's importer splits their lines."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

import pytest

from engine.export import export, forms
from engine.game import Unreadable
from engine.games import GAMES
from engine.nardi.board import build
from engine.nardi.position import position_id
from engine.record import Record, read
from engine.replay import Replay
from engine.walk import Refused
from tests.engine.command import no_record, run
from tests.engine.records import DOMINO, NARDI, random_match, stopped

START = {24: 2, 13: 5, 8: 3, 6: 5}
TURN = re.compile(r"([1-6])([1-6]):((?: \d+/\d+\*?)*)( \?{4})?")
WINS = re.compile(r"Wins (\d) points?( and the match)?")


@dataclass
class Told:
    """What a match file says: length, names, scores before games, positions after turns, ends."""

    length: int = 0
    header: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    scores: list[tuple[int, int]] = field(default_factory=list)
    positions: list[list[str]] = field(default_factory=list)
    seats: list[list[int]] = field(default_factory=list)
    wins: list[tuple[int, int, bool]] = field(default_factory=list)


def columns(line: str) -> tuple[str, str]:
    """Left and right: split three characters before the second colon, else, in a line of more
    than 15 characters, at the first two spaces from the 15th on."""
    first = line.find(":")
    second = line.find(":", first + 1) if first >= 0 else -1
    if second > 3:
        left, right = line[: second - 3], line[second - 2 :]
    else:
        at = line.find("  ", 15)
        left, right = (line[:at], line[at:]) if at >= 0 else (line, "")
    return left.partition(")")[2].strip() if ")" in left else left.strip(), right.strip()


class Board:
    """Both sides, each in its own numbering, 25 the bar."""

    def __init__(self) -> None:
        self.sides = [dict(START), dict(START)]

    def play(self, seat: int, source: int, target: int, star: bool) -> None:
        mine, theirs = self.sides[seat], self.sides[1 - seat]
        assert mine.get(source, 0) > 0
        assert source == 25 or not mine.get(25, 0)
        mine[source] -= 1
        if target == 0:
            assert all(place <= 6 for place, count in mine.items() if count)
            assert not star
            return
        met = theirs.get(25 - target, 0)
        assert met < 2
        assert star == (met == 1)
        if met:
            theirs[25 - target] = 0
            theirs[25] = theirs.get(25, 0) + 1
        mine[target] = mine.get(target, 0) + 1

    def seen_by(self, seat: int) -> str:
        mine, theirs = self.sides[seat], self.sides[1 - seat]
        return position_id(
            build(
                {point: count for point, count in mine.items() if point < 25},
                {25 - point: count for point, count in theirs.items() if point < 25 and count},
                bar=mine.get(25, 0),
                opp_bar=theirs.get(25, 0),
            )
        )


def told(text: str) -> Told:
    assert text.isascii()
    assert text.endswith("\n")
    found, board = Told(), Board()
    lines = [line for line in text.split("\n") if line.strip()]
    while lines[0].startswith(";"):
        found.header.append(lines.pop(0))
    length = re.fullmatch(r" (\d) point match", lines.pop(0))
    assert length is not None
    found.length = int(length[1])
    while lines:
        assert lines.pop(0) == f" Game {len(found.scores) + 1}"
        players = re.fullmatch(r" (\S+) : (\d+) +(\S+) : (\d+)", lines.pop(0))
        assert players is not None
        found.names = [players[1], players[3]]
        found.scores.append((int(players[2]), int(players[4])))
        found.positions.append([])
        found.seats.append([])
        board = Board()
        while lines and "Game" not in lines[0]:
            line = lines.pop(0)
            assert len(line) < 120
            for seat, cell in enumerate(columns(line)):
                if cell:
                    read_cell(found, board, seat, cell)
    return found


def read_cell(found: Told, board: Board, seat: int, cell: str) -> None:
    if won := WINS.fullmatch(cell):
        found.wins.append((seat, int(won[1]), bool(won[2])))
        return
    turn = TURN.fullmatch(cell)
    assert turn is not None, cell
    found.seats[-1].append(seat)
    if turn[4]:
        return
    steps = turn[3].split()
    assert len(steps) <= (4 if turn[1] == turn[2] else 2)
    for step in steps:
        source, target = step.rstrip("*").split("/")
        board.play(seat, int(source), int(target), step.endswith("*"))
    found.positions[-1].append(board.seen_by(1 - seat))


def check(record: Record) -> Told:
    """That a file of a match won by points says what the replay does."""
    found = told(export(record, "mat"))
    rows = list(Replay(record))
    ends = [row for row in rows if "end" in row]
    for number, end in enumerate(ends, 1):
        turns = [row for row in rows if row.get("hand") == number and "position" in row]
        assert found.seats[number - 1] == [row["seat"] for row in turns]
        # The very last position has nobody to move: the replay shows it from the other side.
        assert found.positions[number - 1][:-1] == [row["position"] for row in turns][:-1]
        assert found.wins[number - 1][:2] == (end["winner"], end["points"])
    assert found.scores == [(0, 0), *(tuple(end["score"]) for end in ends[:-1])]
    assert [last for *_, last in found.wins] == [False] * (len(ends) - 1) + [True]
    assert found.length == record.options["points"]
    return found


def test_the_vectors() -> None:
    found = [check(read(whole)) for whole in NARDI]
    # Who wins the opening roll moves first, on either side.
    assert {seats[0] for each in found for seats in each.seats} == {0, 1}


@pytest.mark.parametrize("points", [1, 3])
def test_random_matches(points: int) -> None:
    check(random_match("nardi", "mat", points=points))


def test_the_file_as_it_is_written() -> None:
    """GNU Backgammon 1.07 imported this very text: A 0, B 3 in a match to 3 points."""
    record = stopped(
        {**NARDI[3], "match": "m-1", "started": "2026-11-30T10:00:00.000Z", "players": ["A", "B"]},
        1,
        5,
        "time",
    )
    assert export(record, "mat") == GOLDEN


GOLDEN = """\
; [Match ID "m-1"]
; [Player 1 "A"]
; [Player 2 "B"]
; [EventDate "2026.11.30"]
; [Variation "Backgammon"]
; [CubeLimit "1"]
; [Result "time, won by B"]
 3 point match

 Game 1
 A : 0                                 B : 0
  1) 64: 13/9 9/3                      22: 24/22* 22/20 20/18 8/6
  2) 62: 25/23 8/2                     53: 8/3 6/3
  3) 42: 13/9 8/6                      Wins 3 points and the match
"""


@pytest.mark.parametrize("winner", [0, 1])
@pytest.mark.parametrize(
    ("hand", "lines", "reason"), [(1, 0, "time"), (1, 1, "left"), (2, 6, "resigned")]
)
def test_who_gives_up_loses_the_match(winner: int, hand: int, lines: int, reason: str) -> None:
    """N20."""
    record = stopped(NARDI[3], hand, lines, reason, winner)
    found = told(export(record, "mat"))
    before = found.scores[-1]
    assert found.wins[-1] == (winner, 3 - before[winner], True)
    assert len(found.scores) == hand
    assert len(found.seats[-1]) == max(1, lines)  # a game begins with its first roll
    assert f"{reason}, won by Player_{winner + 1}" in found.header[-1]


def test_given_up_between_two_hands() -> None:
    turns = len(NARDI[3]["hands"][0]["turns"])
    found = told(export(stopped(NARDI[3], 1, turns, "left", 1), "mat"))
    assert found.seats[1:] == [[]]
    assert found.wins[1] == (1, 3 - found.scores[1][1], True)


@pytest.mark.parametrize("running", [True, False])
def test_a_match_under_way_or_void_ends_where_its_turns_end(running: bool) -> None:
    record = stopped(NARDI[3], 2, 5, "void")
    if running:
        record = read({key: value for key, value in record.whole.items() if key != "end"})
    found = told(export(record, "mat"))
    assert len(found.wins) == 1
    assert [len(seats) for seats in found.seats][1:] == [5]
    assert ("void" in found.header[-1]) != running


@pytest.mark.parametrize(
    ("players", "names"),
    [
        (["ვახტანგი", "ჟუჟა ღ."], ["vakhtangi", "zhuzha_gh."]),
        (["Zoë, 1500", 'x: 3\n Game 2\n"]'], ["Zoe_1500", "x_3__Game_2"]),
        (["明", "🎲"], ["Player_1", "Player_2"]),
        (["ნინო", "Nino"], ["nino_1", "Nino_2"]),
        (["ᲜᲘᲜᲝ", "a" * 99], ["nino", "a" * 20]),
    ],
)
def test_names_are_made_safe(players: list[str], names: list[str]) -> None:
    found = told(export(read({**NARDI[0], "players": players, "match": '"]\n 9'}), "mat"))
    assert found.names == names
    assert found.header[0] == '; [Match ID "9"]'
    assert all(line.count('"') == 2 for line in found.header)


def test_only_short_nardi_has_match_files() -> None:
    assert [forms(game) for game in GAMES] == [(), ("mat",)]
    with pytest.raises(Unreadable):
        export(read(DOMINO[1]), "mat")
    with pytest.raises(Unreadable):
        export(read(NARDI[0]), "sgf")


def test_what_the_rules_refuse_has_no_file() -> None:
    whole = {**NARDI[0], "hands": [{**NARDI[0]["hands"][0], "turns": ["0 66: 24/18"]}]}
    with pytest.raises(Refused):
        export(read(whole), "mat")


# ── the command ───────────────────────────────────────────────────────────────────────────────


def lines(*wholes: Any) -> str:
    return "\n".join(json.dumps(whole) for whole in wholes)


def test_the_command_prints_the_file() -> None:
    whole = {**NARDI[0], "players": ["ვახო", "ლელა"]}
    ran = run("mat", "-", stdin=lines(whole))
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == export(read(whole), "mat")


@pytest.mark.parametrize(
    ("stdin", "says"),
    [
        (lines(DOMINO[1]), "domino georgian: no 'mat' file"),
        (lines(NARDI[0], NARDI[1]), "2 records"),
        ("{}", "no 'format'"),
        ("", "no record"),
    ],
)
def test_the_command_refuses_what_is_no_nardi_match(stdin: str, says: str) -> None:
    ran = run("mat", "-", stdin=stdin)
    assert no_record(ran)
    assert says in ran.err
    assert ran.out == ""


def test_the_command_refuses_what_the_rules_refuse() -> None:
    whole = {**NARDI[0], "hands": [{**NARDI[0]["hands"][0], "turns": ["0 66: 24/18"]}]}
    ran = run("mat", "-", stdin=lines(whole))
    assert (ran.status, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert "hand 1, line 1" in ran.err


def test_the_command_wants_a_file() -> None:
    assert no_record(run("mat"))
    assert no_record(run("mat", "/nowhere/at/all"))
