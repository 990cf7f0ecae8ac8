"""Names: any script, nothing unseen, nobody's look taken."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import computers, i18n
from app.bots.policy import LEVELS
from app.players.names import clean, is_reserved, look


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Nino", "nino"),
        ("Nino", "Nіno"),  # a Ukrainian i
        ("Nino", "Νino"),  # a Greek Nu
        ("ნინო", "ნი ნო"),
        ("ნინო", "ნინო."),
        ("გიორგი", "ᲒᲘᲝᲠᲒᲘ"),
        ("Tamar1", "Tamarl"),
        ("Tamar0", "TamarO"),
        ("modem", "modern"),
        ("Zaza", "Żaza"),
        ("paypal", "раураl"),
    ],
)
def test_names_that_look_alike_are_one(one: str, other: str) -> None:
    assert look(one) == look(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("ნინო", "ნინა"), ("Nino", "Nina"), ("გია1", "გია2"), ("🎲🎲🎲", "🎲🎲🀄"), ("გიო", "გიოო")],
)
def test_names_that_differ_to_the_eye_stay_different(one: str, other: str) -> None:
    assert look(one) != look(other)


@pytest.mark.parametrize(
    "name",
    [
        *("admin", "Аdmin", "EZO", "ეზო", "ე ზ ო", "სტუმარი", "სტუმარი 1234", "Guest 7", "შენ"),
        *("Support", "admin 1", "EZO 2", "ადმინი 12"),
    ],
)
def test_names_that_are_the_sites_are_nobodys(name: str) -> None:
    assert is_reserved(name)


@pytest.mark.parametrize("level", LEVELS)
def test_nobody_is_called_as_the_computer_is(level: str) -> None:
    told = [i18n.text(language, f"bots.name.{level}") for language in i18n.CATALOGUES]
    for name in (*told, computers.name_of(level)):
        assert is_reserved(name), name


@pytest.mark.parametrize("name", ["Guesthouse", "ნინო", "Ezoteric", "Administer", "ნინო 7"])
def test_other_names_are_free(name: str) -> None:
    assert not is_reserved(name)


@given(st.text(max_size=30))
def test_whatever_is_typed_has_one_look(text: str) -> None:
    assert look(look(text)) == look(text)
    assert look(text) == look(text.upper()) or not text.isascii()


@given(st.text(max_size=80))
def test_a_name_that_is_taken_is_within_bounds_and_stays_as_it_is(text: str) -> None:
    name = clean(text)
    if name is not None:
        assert clean(name) == name
        assert 3 <= len(name) <= 60


def test_signs_that_stand_for_a_sentence_or_for_nothing_are_no_names() -> None:
    assert clean("\ufdfa" * 20) is None  # each looks like eighteen letters
    assert clean("\U0001d159" * 3) is None
