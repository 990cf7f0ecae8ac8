"""Passwords and recovery codes are kept so that nobody can read them back."""

from __future__ import annotations

import re

import pytest
from argon2 import PasswordHasher

from app.players import codes
from app.players.passwords import MOST, Passwords, unfit

QUICK = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)


async def test_only_the_password_is_right() -> None:
    passwords = Passwords(QUICK)
    kept = await passwords.keep("ლეღვის ხე 7")
    assert "ლეღვის" not in kept
    assert kept.startswith("$argon2id$")
    assert await passwords.is_right(kept, "ლეღვის ხე 7")
    assert not await passwords.is_right(kept, "ლეღვის ხე 8")
    assert not await passwords.is_right("junk", "ლეღვის ხე 7")
    assert not await passwords.is_right(None, "nobody has this one")
    assert not await passwords.is_right(kept, "x" * (MOST + 1))
    assert await passwords.keep("ლეღვის ხე 7") != kept


async def test_it_is_the_same_on_every_keyboard() -> None:
    """One writes é as one sign, another as two."""
    passwords = Passwords(QUICK)
    assert await passwords.is_right(await passwords.keep("caf\u00e9 au lait"), "cafe\u0301 au lait")


async def test_what_was_kept_in_an_older_way_is_known() -> None:
    assert Passwords().is_old(await Passwords(QUICK).keep("12345678"))
    assert not Passwords(QUICK).is_old(await Passwords(QUICK).keep("12345678"))


async def test_a_name_that_is_not_there_is_compared_as_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    passwords = Passwords(QUICK)
    compared = []

    async def compare(kept: str, password: str) -> bool:
        compared.append((kept, password))
        return False

    monkeypatch.setattr(passwords, "_compare", compare)
    assert not await passwords.is_right(None, "guessed it")
    ((kept, password),) = compared
    assert kept.startswith("$argon2id$")
    assert password == "guessed it"


@pytest.mark.parametrize(
    ("password", "why"),
    [
        ("1234567", "too_short"),
        ("x" * (MOST + 1), "too_long"),
        ("ნინოჩკა", "too_short"),
        ("ნინოჩკა1999", "like_name"),
        ("ნინოჩკა ნინოჩკა", None),
        ("სხვა რამე", None),
    ],
)
def test_what_is_no_password(password: str, why: str | None) -> None:
    assert unfit(password, "ნინოჩკა") == why


def test_codes_are_many_random_and_forgiving() -> None:
    made = codes.new()
    assert len(set(made)) == 8
    for code in made:
        assert re.fullmatch(r"([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}", code)
        assert codes.kept(code) == codes.kept(f" {code.upper().replace('-', ' ')} ")
    assert codes.kept(made[0]) != codes.kept(made[1])


@pytest.mark.parametrize("junk", ["", "7k3m", "u" * 16, "ა" * 16, "0" * 17])
def test_what_is_no_code(junk: str) -> None:
    assert codes.kept(junk) is None
