"""Every text that the scripts ask for is in both catalogues."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from app.i18n import CATALOGUES, LANGUAGES

SCRIPTS = Path(__file__).parents[2] / "static" / "js"
OWN = (
    *("table.", "domino.", "nardi.", "refusal.", "lobby.", "match.", "replay.", "fairness."),
    *("quick.", "figure."),
)
FAMILIES = "|".join(each.removesuffix(".") for each in OWN)

# The codes that the fairness modules give.
CODES = {
    name: sorted(set(re.findall(pattern, (SCRIPTS / "fairness" / name).read_text("utf-8"))))
    for name, pattern in {
        "handshake.js": r'code: "(\w+)"',
        "check.js": r'(?:Differs\(|\? |: )"([a-z_]+)"(?=, \{|\)| :)',
    }.items()
}

# What stands in the places of the keys that are put together at run time.
PARTS = {
    "table.line.": ["connecting", "online", "offline", "refused"],
    "table.reason.": ["points", "resigned", "time", "left", "void"],
    "table.closed.": ["host_left", "expired", "host_away"],
    "table.void.": [
        *("no_hash", "no_number", "left", "playing_elsewhere"),
        *("unfunded", "ledger_away", "voided"),
    ],
    "lobby.cannot.": ["guest", "few", "away"],
    "table.cannot.": ["guest", "few", "away"],
    "domino.side.": ["left", "right", "up", "down"],
    "domino.told.passed.": ["bazaar", "locked"],
    "domino.hand_end.": ["domino", "riba", "drawn", "redeal"],
    "nardi.asked.": ["roll", "move", "confirm"],
    "nardi.told.no_move.": ["bar_closed", "closed"],
    "nardi.you_play.": ["light", "dark"],
    "nardi.double.": list("123456"),
    "nardi.number.": list("123456"),
    "nardi.end.": ["oini", "marsi", "koksi"],
    "nardi.end_meaning.": ["oini", "marsi", "koksi"],
    "refusal.": [],
    "match.check.": ["domino", "nardi"],
    "match.end.": [
        "open",
        *(f"domino.{end}" for end in ("domino", "riba", "drawn", "redeal")),
        *(f"nardi.{end}" for end in ("oini", "marsi", "koksi")),
    ],
    "match.hand_": ["sound", "differs", "unchecked"],
    "fairness.sound.": [
        f"{game}.{against}" for game in ("domino", "nardi") for against in ("kept", "record")
    ],
    "fairness.alarm.": CODES["handshake.js"],
    "fairness.differs.": CODES["check.js"],
}


def _asked() -> set[str]:
    keys: set[str] = set()
    for script in SCRIPTS.rglob("*.js"):
        text = script.read_text("utf-8")
        keys |= set(re.findall(rf'"((?:{FAMILIES})\.[a-z_.]+)"', text))
        for prefix in re.findall(rf"`((?:{FAMILIES})\.[a-z_.]*)\$\{{", text):
            assert prefix in PARTS, prefix
            keys |= {prefix + part for part in PARTS[prefix]}
    return keys


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_of_the_scripts_has_a_text(language: str) -> None:
    catalogue = CATALOGUES[language]  # type: ignore[index]
    assert {key for key in _asked() if key not in catalogue} == set()


def test_no_text_is_left_over() -> None:
    """Texts that nothing shows would never be proof-read again."""
    templates = (SCRIPTS.parents[1] / "templates").glob("*.html")
    asked = _asked()
    for template in templates:
        text = template.read_text("utf-8")
        asked |= set(re.findall(r'"([a-z_]+\.[a-z_.]+)"', text))
        for prefix in re.findall(r'"([a-z_]+\.[a-z_.]+\.)" ~', text):
            asked |= {prefix + part for part in PARTS.get(prefix, [])}
    unused = {
        key
        for key in CATALOGUES["ka"]
        if key.startswith(OWN) and not key.startswith(("refusal.", "table.option."))
    } - asked
    assert unused == set()


def test_georgian_is_never_in_capitals() -> None:
    """Fonts lack the capitals: neither the texts nor the styles may ask for them."""
    for text in CATALOGUES["ka"].values():
        assert not re.search("[\u1c90-\u1cbf]", text)
    for style, word in product(SCRIPTS.parent.rglob("*.css"), ["uppercase", "capitalize"]):
        assert word not in style.read_text("utf-8"), style
