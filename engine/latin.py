"""Names in plain ASCII, for formats of others that know nothing else."""

from __future__ import annotations

import unicodedata
from typing import Final

_LATIN: Final = "a b g d e v z t i k l m n o p zh r s t u p k gh q sh ch ts dz ts ch kh j h"
_GEORGIAN: Final = dict(zip("აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ", _LATIN.split(), strict=True))
"""The national romanisation, less its apostrophes."""


def latin(name: str, most: int) -> str:
    """A name in ASCII letters, digits, ``-``, ``.`` and ``_``, at most so many: Georgian letters
    romanised, accents left off, spaces as ``_``, all else dropped. It may come out empty."""
    plain: list[str] = []
    for letter in unicodedata.normalize("NFKD", name):
        romanised = _GEORGIAN.get(letter.lower(), letter)  # lower: Mtavruli has capitals
        if letter.isspace():
            plain.append("_")
        elif romanised.isascii() and (romanised.isalnum() or romanised in "-._"):
            plain.append(romanised)
    return "".join(plain)[:most].strip("_")
