"""The texts of the site in its languages, for pages and for the scripts in the browser."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args

from app import days

Language: TypeAlias = Literal["ka", "en"]

LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
"""Georgian first: it is the site's own."""

DEFAULT: Final[Language] = "ka"

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_PAGES_ONLY = (
    *("account.", "api.", "chances.", "error.", "fairplay.", "home.", "leaders.", "me."),
    *("offline.", "player.", "plot.", "preview.", "privacy.", "rules.", "stats."),
)


def _load(language: Language) -> Mapping[str, str]:
    text = (Path(__file__).parent / f"{language}.json").read_text("utf-8")
    texts: dict[str, str] = json.loads(text)
    return texts


CATALOGUES: Final[Mapping[Language, Mapping[str, str]]] = {name: _load(name) for name in LANGUAGES}


def placeholders(text: str) -> frozenset[str]:
    """The names in braces of a text."""
    return frozenset(_PLACEHOLDER.findall(text))


def text(language: Language, key: str, /, **values: object) -> str:
    """The text of a key with its placeholders filled. Raises ``KeyError`` for either missing."""
    return _PLACEHOLDER.sub(lambda m: str(values[m[1]]), CATALOGUES[language][key])


def amount(coins: int) -> str:
    r"""A number of coins as it is written in both languages.

    >>> amount(50000)
    '50\xa0000'
    """
    return f"{coins:,}".replace(",", "\u00a0")


def signed(coins: int) -> str:
    """Coins that have moved, with their sign.

    >>> signed(100)
    '+100'
    """
    return ("+" if coins > 0 else "\u2212" if coins else "") + amount(abs(coins))


def number(language: Language, value: float, digits: int = 1) -> str:
    """A number with decimals, as the language writes it.

    >>> number("ka", 12.345)
    '12,3'
    """
    said = f"{value:.{digits}f}"
    return said.replace(".", ",") if language == "ka" else said


def day(ms: int) -> str:
    """A day of Tbilisi in digits, as both languages write it.

    >>> day(1_764_446_400_000)
    '30.11.2025'
    """
    return f"{days.local(ms):%d.%m.%Y}"


def moment(ms: int) -> str:
    """A day of Tbilisi and its time.

    >>> moment(1_764_446_400_000)
    '30.11.2025, 00:00'
    """
    return f"{days.local(ms):%d.%m.%Y, %H:%M}"


def for_scripts(language: Language) -> dict[str, str]:
    """The texts that the browser's scripts may need: all but those of plain pages."""
    return {k: v for k, v in CATALOGUES[language].items() if not k.startswith(_PAGES_ONLY)}


def language_of(cookie: str | None) -> Language:
    """The language that a cookie names, or the default."""
    return next((name for name in LANGUAGES if name == cookie), DEFAULT)
