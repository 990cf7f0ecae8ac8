"""Recovery codes: who has lost the password has written these down. Each opens once."""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

COUNT: Final = 8
_LETTERS: Final = "0123456789abcdefghjkmnpqrstvwxyz"
"""Thirty-two that nobody takes for another (Crockford)."""
_LENGTH: Final = 16
_GROUP: Final = 4
_MEANT: Final = str.maketrans({"o": "0", "i": "1", "l": "1", "-": None, " ": None})


def new() -> tuple[str, ...]:
    """Fresh codes of eighty bits each, as they are shown: ``7k3m-…``."""
    return tuple(_shown() for _ in range(COUNT))


def _shown() -> str:
    letters = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
    return "-".join(letters[n : n + _GROUP] for n in range(0, _LENGTH, _GROUP))


def kept(code: str) -> str | None:
    """What is kept of a code, however it was typed; ``None``: it is none.

    They are random and long, so one round of a plain hash gives nothing away.

    >>> kept("7K3M-OOOO-1111-abcd") == kept("7k3m 0000 llll ABCD")
    True
    """
    plain = code.lower().translate(_MEANT)
    if len(plain) != _LENGTH or any(each not in _LETTERS for each in plain):
        return None
    return hashlib.sha256(plain.encode("ascii")).hexdigest()
