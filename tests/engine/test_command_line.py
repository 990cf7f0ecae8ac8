"""``python -m engine``: replay, random, legal, verify, and what it says to bad input."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.record import FORMAT
from tests.engine.command import no_record, run

ROOT = Path(__file__).parent.parent.parent
VECTORS = ROOT / "tests" / "vectors"
DOMINO = (VECTORS / "domino-georgian.records.jsonl").read_text("utf-8").splitlines()
NARDI = (VECTORS / "nardi-short.records.jsonl").read_text("utf-8").splitlines()
LEGAL = (VECTORS / "nardi-short.legal.jsonl").read_text("utf-8").splitlines()


def small(game: str = "domino") -> dict[str, Any]:
    """A short good record."""
    made: dict[str, Any] = run("random", game, "--seed", "small").rows[0]
    return made


# ── the real process ──────────────────────────────────────────────────────────────────────────


def test_it_works_as_a_command_without_anything_installed(tmp_path: Path) -> None:
    """``-I -S``: no site-packages, so nothing but the standard library can be imported."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import runpy; "
    code += (
        "sys.argv = ['engine', 'random', 'nardi']; runpy.run_module('engine', run_name='__main__')"
    )
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, cwd=tmp_path, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["game"] == "nardi"


def test_a_reader_that_goes_away_is_no_fault() -> None:
    ran = subprocess.run(
        f"{sys.executable} -m engine random domino --count 200 | head -c 1",
        shell=True,
        capture_output=True,
        cwd=ROOT,
        check=False,
    )
    assert ran.stderr == b""


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("replay - <&-", "standard input: closed"),
        ("legal nardi <&-", "standard input: closed"),
        ("random domino >&-", "standard output: closed"),
        ("random domino >/dev/full", "standard output: No space left on device"),
    ],
)
def test_streams_that_are_closed_or_full_are_one_line(command: str, says: str) -> None:
    ran = subprocess.run(
        f"{sys.executable} -m engine {command}",
        shell=True,
        capture_output=True,
        cwd=ROOT,
        check=False,
    )
    assert (ran.returncode, ran.stderr.decode()) == (2, says + "\n")


def test_a_reader_that_goes_away_before_a_bad_record_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    path.write_text(f"{DOMINO[0]}\n[]\n", "utf-8")
    ran = subprocess.run(
        f"env -u PYTHONUNBUFFERED {sys.executable} -m engine replay {path} | true",
        shell=True,
        capture_output=True,
        cwd=ROOT,
        check=False,
    )
    assert ran.stderr.count(b"\n") <= 1
    assert b"Traceback" not in ran.stderr


# ── replay ────────────────────────────────────────────────────────────────────────────────────


def test_replay_reads_many_records_one_a_line() -> None:
    ran = run("replay", str(VECTORS / "domino-georgian.records.jsonl"))
    expected = (VECTORS / "domino-georgian.expected.jsonl").read_text("utf-8")
    wanted = [row for line in expected.splitlines() for row in json.loads(line)]
    assert len(ran.rows) == len(wanted)
    assert ran.status == 1  # some of them are refused; the others are replayed all the same
    for got, row in zip(ran.rows, wanted, strict=True):
        assert got == row or ("error" in got and {**got, "error": 0} == {**row, "error": 0})


def test_replay_reads_standard_input_and_a_document_over_many_lines() -> None:
    spread = json.dumps(json.loads(DOMINO[1]), indent=2)
    assert run("replay", "-", stdin=spread).rows == run("replay", "-", stdin=DOMINO[1]).rows
    assert run("replay", "-", stdin="\n" + DOMINO[1] + "\n\n").status == 0
    assert run("replay", "-", stdin=b"\xef\xbb\xbf" + DOMINO[1].encode()).status == 0


def test_replay_of_a_refused_record_is_status_1() -> None:
    record = small()
    record["hands"][0]["plays"][0] = "0 hello"
    ran = run("replay", "-", stdin=json.dumps(record))
    assert (ran.status, ran.err) == (1, "")
    assert ran.rows[-1]["n"] == 1
    assert "hello" in ran.rows[-1]["error"]


@pytest.mark.parametrize("reason", ["resigned", "time", "left"])
def test_replay_of_a_match_that_ended_otherwise(reason: str) -> None:
    record = small()
    record["hands"] = record["hands"][:1]
    record["end"] = {"winner": 1, "reason": reason}
    ran = run("replay", "-", stdin=json.dumps(record))
    assert ran.status == 0
    assert ran.rows[-1] == {"winner": 1, "reason": reason, "score": ran.rows[-2]["score"]}


def test_replay_of_a_void_match_has_no_winner() -> None:
    record = small("nardi")
    record["hands"][0]["turns"] = record["hands"][0]["turns"][:4]
    record["end"] = {"winner": None, "reason": "void"}
    rows = run("replay", "-", stdin=json.dumps(record)).rows
    assert rows[-1] == {"winner": None, "reason": "void", "score": [0, 0]}
    assert len(rows) == 5


def test_replay_of_a_running_match_ends_with_its_last_line() -> None:
    record = small()
    del record["end"]
    record["hands"][-1]["plays"].pop()
    rows = run("replay", "-", stdin=json.dumps(record)).rows
    assert "n" in rows[-1]
    record["hands"] = []
    ran = run("replay", "-", stdin=json.dumps(record))
    assert (ran.status, ran.rows) == (0, [])


def test_replay_refuses_an_end_that_is_not_the_one_it_reaches() -> None:
    record = small()
    wrong = copy.deepcopy(record)
    wrong["end"]["winner"] = 1 - wrong["end"]["winner"]
    assert run("replay", "-", stdin=json.dumps(wrong)).status == 1
    wrong["end"] = {"winner": record["end"]["winner"], "reason": "resigned"}
    assert run("replay", "-", stdin=json.dumps(wrong)).status == 1
    record["hands"][-1]["plays"].pop()
    ran = run("replay", "-", stdin=json.dumps(record))
    assert ran.status == 1
    assert ran.rows[-1]["n"] == len(record["hands"][-1]["plays"]) + 1


def test_replay_refuses_what_comes_after_the_end() -> None:
    for game, key in (("domino", "plays"), ("nardi", "turns")):
        record = small(game)
        more = copy.deepcopy(record)
        more["hands"].append(copy.deepcopy(more["hands"][0]))
        rows = run("replay", "-", stdin=json.dumps(more)).rows
        assert (rows[-1]["hand"], rows[-1]["n"]) == (len(more["hands"]), 0)
        longer = copy.deepcopy(record)
        longer["hands"][-1][key].append("0 draw" if game == "domino" else "0 66:")
        rows = run("replay", "-", stdin=json.dumps(longer)).rows
        assert rows[-1]["n"] == len(longer["hands"][-1][key])
        assert "error" in rows[-1]


def test_replay_refuses_plays_in_a_hand_dealt_again() -> None:
    line = next(line for line in DOMINO if '"plays":[]' in line and "refused" not in line)
    record = json.loads(line)
    at = next(n for n, hand in enumerate(record["hands"]) if not hand["plays"])
    record["hands"][at]["plays"] = ["0 0-1"]
    rows = run("replay", "-", stdin=json.dumps(record)).rows
    assert rows[-1]["hand"] == at + 1
    assert rows[-1]["n"] == 0


def test_unknown_keys_are_ignored() -> None:
    record = small()
    rows = run("replay", "-", stdin=json.dumps(record)).rows
    record["weather"] = {"yard": "evening"}
    record["hands"][0] |= {"ms": [1, 2], "auto": [0], "note": None}
    record["options"]["more"] = "x"
    assert run("replay", "-", stdin=json.dumps(record)).rows == rows


# ── no record ─────────────────────────────────────────────────────────────────────────────────


def spoil(record: dict[str, Any], path: str, value: Any) -> str:
    """The record as text with one value replaced, or deleted where ``value`` is ``...``."""
    at: Any = record
    *way, last = path.split(".")
    for name in way:
        at = at[int(name) if name.isdecimal() else name]
    key: Any = int(last) if last.isdecimal() else last
    if value is ...:
        del at[key]
    else:
        at[key] = value
    return json.dumps(record)


SPOILT = [
    *(("domino", path, ...) for path in ("format", "game", "rules", "options", "hands")),
    *(("domino", f"hands.0.{path}", ...) for path in ("tiles", "plays")),
    *(("nardi", f"hands.0.{path}", ...) for path in ("opening", "turns")),
    ("domino", "options.target", ...),
    ("nardi", "options.points", ...),
    ("domino", "format", "match-record/2"),
    ("domino", "format", 1),
    ("domino", "game", "chess"),
    ("domino", "game", ["domino"]),
    ("domino", "rules", "party of none"),
    ("nardi", "rules", "georgian"),
    ("domino", "options", []),
    ("domino", "options.target", 76),
    ("domino", "options.target", 75.0),
    ("domino", "options.target", True),
    ("nardi", "options.points", 2),
    ("nardi", "options.points", "1"),
    ("nardi", "options.points", True),
    ("domino", "hands", {}),
    ("domino", "hands.0", []),
    ("domino", "hands.0.tiles", "0-0"),
    ("domino", "hands.0.tiles.3", 7),
    ("domino", "hands.0.plays", None),
    ("domino", "hands.0.plays.0", ["0 6-6"]),
    ("nardi", "hands.0.opening", [5, 2]),
    ("nardi", "hands.0.opening.0", "52"),
    ("nardi", "hands.0.opening.0.0", "5"),
    ("nardi", "hands.0.opening.0.0", True),
    ("nardi", "hands.0.turns.0", 52),
    ("domino", "players", ["A"]),
    ("domino", "players", [1, 2]),
    ("domino", "match", 5),
    ("domino", "end", "points"),
    ("domino", "end.winner", 2),
    ("domino", "end.winner", None),
    ("domino", "end.winner", True),
    ("domino", "end.reason", "luck"),
    ("domino", "end.reason", ["points"]),
    ("domino", "hands.0.ms", "x"),
    ("domino", "hands.0.auto", [True]),
    ("domino", "fairness", []),
    ("domino", "fairness", {"version": "match/2"}),
]


@pytest.mark.parametrize(("game", "path", "value"), SPOILT)
@pytest.mark.parametrize("command", ["replay", "verify"])
def test_what_is_no_record(command: str, game: str, path: str, value: Any) -> None:
    ran = run(command, "-", stdin=spoil(small(game), path, value))
    assert no_record(ran), ran
    assert ran.out == ""


@pytest.mark.parametrize(
    "document",
    [
        b"",
        b"\n \n",
        b"null",
        b"[]",
        b"{",
        b'{"format":',
        b"\xff\xfe\x00",
        b'{"format": "match-record/1"}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"1" * 100_000,
        b'{"format": NaN}',
        b'"\\ud800"',
        b'{"format": "\\ud800\\n\\u0000"}',
        '{"format": "match-record/1", "game": "დომინო"}'.encode(),
    ],
)
def test_malformed_input_is_one_clear_line(document: bytes) -> None:
    for command in ("replay", "verify"):
        ran = run(command, "-", stdin=document)
        assert no_record(ran), ran
        assert ran.err.startswith("standard input")


def test_where_in_a_file_it_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    path.write_text(f"{DOMINO[5]}\n{{}}\n{DOMINO[5]}\n", "utf-8")
    ran = run("replay", str(path))
    assert no_record(ran)
    assert "many.jsonl, line 2: no 'format'" in ran.err
    assert ran.rows[-1]["reason"] == "points"  # what stood before it was replayed


def test_the_first_of_many_lines_is_named_like_any_other(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    path.write_text(f"[]\n{DOMINO[5]}\n", "utf-8")
    assert "many.jsonl, line 1: record: not an object" in run("replay", str(path)).err


def test_no_message_is_longer_than_a_line() -> None:
    record = small()
    record["options"]["target"] = 10**4000
    ran = run("replay", "-", stdin=json.dumps(record))
    assert no_record(ran)
    assert len(ran.err) <= 301


def test_small_files_never_take_long(tmp_path: Path) -> None:
    """What cost minutes once: many ties, many secrets, very many moves in one turn."""
    record = small("nardi")
    opening = record["hands"][0]["opening"]
    record["hands"][0]["opening"] = [[3, 3]] * 3_000 + [opening[-1]]
    assert run("replay", "-", stdin=json.dumps(record)).status == 0
    turns = record["hands"][0]["turns"]
    turns[0] = turns[0][:6] + "13/8 " * 1_000_000 + "13/8"
    assert "illegal_turn" in run("replay", "-", stdin=json.dumps(record)).rows[0]["error"]
    record["fairness"] = {
        "version": "match/1",
        "match": "m",
        "commitment": "0" * 64,
        "numbers": ["0" * 64] * 2,
        "secrets": ["0" * 64] * 1_001,
    }
    assert no_record(run("verify", "-", stdin=json.dumps(record)))


def test_any_text_is_a_seed() -> None:
    assert run("random", "domino", "--seed", "ქ\udcff").status == 0


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    for path in (str(tmp_path / "none.json"), str(tmp_path), "a\0b"):
        assert no_record(run("replay", path))


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["dance"],
        ["replay"],
        ["random", "chess"],
        ["random", "domino", "--points", "3"],
        ["random", "nardi", "--target", "75"],
        ["random", "domino", "--target", "76"],
        ["random", "domino", "--rules", "none"],
        ["random", "domino", "--count", "-1"],
        ["random", "domino", "--count", "many"],
        ["legal", "domino"],
        ["random", "domino", "--target", "７５"],
        ["random", "domino", "--target", "7_5"],
    ],
)
def test_wrong_arguments_are_one_line_too(arguments: list[str]) -> None:
    assert no_record(run(*arguments))


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8")))
def test_fuzz_no_bytes_give_a_traceback(data: bytes) -> None:
    assert no_record(run("replay", "-", stdin=data))
    assert run("legal", "nardi", stdin=data).status in (0, 2)


BASES = {game: json.dumps(small(game)) for game in ("domino", "nardi")}


@given(st.data())
def test_fuzz_a_good_record_with_one_thing_changed(data: st.DataObject) -> None:
    """Whatever is changed in a record, it is replayed, refused, or no record."""
    record = json.loads(BASES[data.draw(st.sampled_from(sorted(BASES)))])
    at: Any = record
    while True:
        keys = sorted(at) if isinstance(at, dict) else list(range(len(at)))
        name = data.draw(st.sampled_from(keys))
        if not (isinstance(at[name], dict | list) and at[name]) or data.draw(
            st.sampled_from([True, False, False, False])
        ):
            break
        at = at[name]
    odd: st.SearchStrategy[Any] = st.sampled_from(
        [None, True, -1, 99, 2.5, "", "0 ", "1 6-6@L", "0 66:", [], {}, [[]]]
    )
    texts = st.text(alphabet="0123456789-@: /*()LRUDbarofdw", max_size=20)
    at[name] = data.draw(odd | texts | st.integers())
    text = json.dumps(record)
    for command in ("replay", "verify"):
        ran = run(command, "-", stdin=text)
        if ran.status == 2:
            assert no_record(ran)
        else:
            assert ran.err == ""
            assert ran.status in (0, 1)


@given(st.integers(0, 10_000), st.integers(0, 255))
def test_fuzz_one_byte_changed(at: int, byte: int) -> None:
    text = bytearray(DOMINO[1].encode())
    text[at % len(text)] = byte
    ran = run("replay", "-", stdin=bytes(text))
    assert no_record(ran) or (ran.status in (0, 1) and ran.err == "")


# ── random, legal ─────────────────────────────────────────────────────────────────────────────


def test_random_gives_records_that_replay_to_their_end() -> None:
    for arguments in (
        ["domino", "--target", "175"],
        ["nardi", "--points", "3", "--rules", "short"],
    ):
        made = run("random", *arguments, "--seed", "7", "--count", "3")
        assert made.status == 0
        assert len(made.rows) == 3
        assert len({json.dumps(row) for row in made.rows}) == 3
        assert all(row["format"] == FORMAT for row in made.rows)
        again = run("replay", "-", stdin=made.out)
        assert again.status == 0
        ends = [row for row in again.rows if "reason" in row]
        assert [row["winner"] for row in ends] == [row["end"]["winner"] for row in made.rows]


def test_random_the_same_seed_gives_the_same_records() -> None:
    for game in ("domino", "nardi"):
        one, two, other = (run("random", game, "--seed", seed).out for seed in ("1", "1", "2"))
        assert one == two
        assert one != other


def test_legal_prints_every_legal_full_turn() -> None:
    cases = [json.loads(line) for line in LEGAL]
    asked = "\n".join(f"{case['position']} {case['dice']}" for case in cases)
    ran = run("legal", "nardi", stdin=asked)
    assert ran.status == 0
    for case, row in zip(cases, ran.rows, strict=True):
        assert sorted(turn["position"] for turn in row) == case["after"], case
        assert all(turn.keys() == {"moves", "position"} for turn in row)


@pytest.mark.parametrize("line", ["x", "4HPwATDgc/ABMA", "4HPwATDgc/ABMA 70", "AAAA 52", "52"])
def test_legal_refuses_a_line_that_is_none(line: str) -> None:
    ran = run("legal", "nardi", stdin="4HPwATDgc/ABMA 52\n" + line)
    assert no_record(ran)
    assert ran.err.startswith("line 2:")
    assert len(ran.rows) == 1


def test_legal_skips_empty_lines() -> None:
    assert run("legal", "nardi", stdin="\n\n4HPwATDgc/ABMA 52\n\n").status == 0
