"""Every given record gives every given row (an error's wording is free)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.record import read
from engine.replay import Replay

VECTORS = Path(__file__).parent.parent / "vectors"


def cases(name: str) -> list[Any]:
    records = (VECTORS / f"{name}.records.jsonl").read_text("utf-8").splitlines()
    expected = (VECTORS / f"{name}.expected.jsonl").read_text("utf-8").splitlines()
    found = []
    for n, (record, rows) in enumerate(zip(records, expected, strict=True), 1):
        document = json.loads(record)
        short = document["case"].split(";")[0]
        found.append(pytest.param(document, json.loads(rows), id=f"{name} {n} {short}"))
    return found


def without_wording(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**row, "error": "…"} if "error" in row else row for row in rows]


@pytest.mark.parametrize(
    ("document", "expected"), [*cases("domino-georgian"), *cases("nardi-short")]
)
def test_a_record_of_the_vectors(document: dict[str, Any], expected: list[dict[str, Any]]) -> None:
    replay = Replay(read(document))
    rows = json.loads(json.dumps(list(replay)))
    assert without_wording(rows) == without_wording(expected)
    assert replay.refused == ("error" in expected[-1])
    assert all(row["error"] for row in rows if "error" in row)


def test_all_of_them_are_there() -> None:
    assert len(cases("domino-georgian")) == 82
    assert len(cases("nardi-short")) == 28
