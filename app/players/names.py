"""Names that players give themselves: any script, nothing that cannot be seen, and nobody's look
taken."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Final

from confusable_homoglyphs.confusables import confusables_data

LEAST, MOST = 3, 20
"""Visible characters of a name."""
_LONGEST: Final = 60
"""Code points: a letter may carry a few marks, not a tower of them."""
_LOOK: Final = 200
"""Characters of what a name looks like."""
_UNSEEN: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0\ufffd\U0001d159")
"""Letters and signs that look like nothing."""
_SAME: Final = str.maketrans("01i|", "olll")
"""Numbers and letters that one is taken for the other, in one case or the other."""
_PAIRS: Final = (("rn", "m"), ("vv", "w"), ("cl", "d"))
"""Two letters that look like one."""
_ROUNDS: Final = 6
"""What becomes of a letter may look like something else again."""
_RESERVED: Final = (
    *("admin", "administrator", "bot", "computer", "deletedplayer", "ezo", "guest", "mint"),
    *("moderator", "operator", "owner", "player", "root", "support", "system", "you"),
    *("ადმინი", "ადმინისტრატორი", "ბოტი", "ეზო", "კომპიუტერი", "მოდერატორი", "ოპერატორი"),
    *("computereasy", "computermedium", "computerstrong"),  # as the computer players are called
    *("კომპიუტერიიოლი", "კომპიუტერისაშუალო", "კომპიუტერიძლიერი"),
    *("სტუმარი", "მასპინძელი", "მოთამაშე", "მოწინააღმდეგე", "სისტემა", "წაშლილიმოთამაშე", "შენ"),
)
"""Names that would be taken for the site, for nobody, or for everybody."""


def clean(given: str) -> str | None:
    """The name as it will be shown; ``None``: it cannot be one."""
    name = unicodedata.normalize("NFC", given).strip()
    while "  " in name:
        name = name.replace("  ", " ")
    if len(name) > _LONGEST or not all(_shows(each) for each in name):
        return None
    visible = [each for each in name if not unicodedata.category(each).startswith("M")]
    letters = [each for each in visible if each != " "]
    if len(letters) < LEAST or len(visible) > MOST:
        return None
    # There are signs that stand for a whole sentence.
    return name if len(look(name)) <= _LOOK else None


def look(name: str) -> str:
    """What names that look alike have in common: no case, no marks, no spaces or signs between,
    letters of other scripts as what they look like.

    >>> look("Nino 5") == look("NI\u0301NО-5")  # the last O is Cyrillic
    True
    """
    told = name
    for _ in range(_ROUNDS):
        before, told = told, _simpler(told)
        if told == before:
            break
    return told


def _simpler(name: str) -> str:
    same = _likenesses()
    # As it looks first: the capital of a letter may look like another one than the small.
    seen = (same.get(each, each) for each in unicodedata.normalize("NFKD", name))
    small = unicodedata.normalize("NFKD", "".join(seen)).casefold()
    told = "".join(same.get(each, each) for each in small).translate(_SAME)
    for two, one in _PAIRS:
        told = told.replace(two, one)
    letters = "".join(each for each in told if unicodedata.category(each)[0] not in "MZPC")
    return letters or told


def is_reserved(name: str) -> bool:
    """Whether nobody may register under a name."""
    # With a number behind it, it is no better.
    return look(name) in _reserved() or look(name.rstrip("0123456789 ")) in _reserved()


@cache
def _reserved() -> frozenset[str]:
    return frozenset(map(look, _RESERVED))


@cache
def _likenesses() -> dict[str, str]:
    """One letter for all that look like each other (Unicode's confusables), the same for all of
    them."""
    first: dict[str, str] = {}

    def root(each: str) -> str:
        while first.get(each, each) != each:
            each = first[each]
        return each

    for letter, others in confusables_data.items():
        for other in others:
            pair = sorted({root(letter), root(_bare(other["c"]))})
            if len(letter) == 1 and len(_bare(other["c"])) == 1 and len(pair) == 2:
                first[pair[1]] = pair[0]
    return {each: root(each) for each in first}


def _bare(text: str) -> str:
    """Without the marks of direction that Unicode's list has around letters of the East."""
    return text.strip("\u200e\u200f")


def _shows(each: str) -> bool:
    """Whether a character may stand in a name: no control, format, private or unknown one, and no
    space but the plain one."""
    kind = unicodedata.category(each)
    return each == " " or not (kind[0] in "CZ" or each in _UNSEEN)
