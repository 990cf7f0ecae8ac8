"""Names that players give themselves: any script, and nothing that cannot be seen."""

from __future__ import annotations

import unicodedata
from typing import Final

LEAST, MOST = 3, 20
"""Visible characters of a name."""
_LONGEST: Final = 60
"""Code points: a letter may carry a few marks, not a tower of them."""
_UNSEEN: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0\ufffd")
"""Letters and signs that look like nothing."""


def clean(given: str) -> str | None:
    """The name as it will be shown; ``None``: it cannot be one."""
    name = unicodedata.normalize("NFC", given).strip()
    while "  " in name:
        name = name.replace("  ", " ")
    if len(name) > _LONGEST or not all(_shows(each) for each in name):
        return None
    visible = [each for each in name if not unicodedata.category(each).startswith("M")]
    letters = [each for each in visible if each != " "]
    return name if len(letters) >= LEAST and len(visible) <= MOST else None


def _shows(each: str) -> bool:
    """Whether a character may stand in a name: no control, format, private or unknown one, and no
    space but the plain one."""
    kind = unicodedata.category(each)
    return each == " " or not (kind[0] in "CZ" or each in _UNSEEN)
