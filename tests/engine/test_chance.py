"""The committed random source, value by value (fairness 1–8)."""

from __future__ import annotations

import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chance import HANDS, Chain, Committed, Seeded, Stream, hand_key, leads_to, sha256
from engine.domino.tiles import NAMES
from engine.game import Ask

VECTOR: dict[str, Any] = json.loads(
    (Path(__file__).parent.parent / "vectors" / "fairness.json").read_text("utf-8")
)
CHAIN = Chain(bytes.fromhex(VECTOR["chain_last"]), 64)  # the example match ends its chain there
NUMBERS = tuple(bytes.fromhex(number) for number in VECTOR["numbers"])
CHANCE = Committed(CHAIN, VECTOR["match"], NUMBERS)


def test_1_the_chain_and_its_commitment() -> None:
    assert CHAIN.commitment.hex() == VECTOR["commitment"]
    assert CHAIN.secret(64).hex() == VECTOR["chain_last"]
    assert Chain(bytes(32)).length == HANDS == 1000
    for hand in VECTOR["hands"]:
        assert CHAIN.secret(hand["n"]).hex() == hand["secret"]
    for beyond in (-1, 65):
        with pytest.raises(IndexError):
            CHAIN.secret(beyond)


def test_1_a_match_of_too_many_hands_gets_no_chance() -> None:
    with pytest.raises(IndexError):
        CHANCE.answer(Ask(65, "tiles", "shuffle", 28))


def test_2_the_players_hashes() -> None:
    assert [sha256(number).hex() for number in NUMBERS] == VECTOR["number_hashes"]


@pytest.mark.parametrize("hand", VECTOR["hands"], ids=lambda hand: f"hand {hand['n']}")
def test_4_to_7_every_value_of_the_vector(hand: dict[str, Any]) -> None:
    n = hand["n"]
    key = hand_key(bytes.fromhex(hand["secret"]), VECTOR["match"], n, NUMBERS)
    assert key.hex() == hand["key"]
    tiles = CHANCE.answer(Ask(n, "tiles", "shuffle", 28))
    assert [NAMES[i] for i in tiles] == hand["tiles"]
    for r, pair in enumerate(hand["opening"]):
        assert list(CHANCE.answer(Ask(n, f"opening|{r}", "dice", 2))) == pair
    for number, pair in hand["rolls"].items():
        assert list(CHANCE.answer(Ask(n, f"roll|{number}", "dice", 2))) == pair


def test_5_numbers_that_would_favour_some_are_read_over() -> None:
    """``below`` by its definition, over a stream written out by hand, for an m that rejects
    nearly half of all words."""
    key, m = b"k" * 32, (1 << 31) + 1
    blocks = b"".join(hmac.new(key, f"x|{i}".encode(), hashlib.sha256).digest() for i in range(40))
    words = [int.from_bytes(blocks[i : i + 4], "big") for i in range(0, len(blocks), 4)]
    kept = [word for word in words if word < m]
    assert len(kept) < len(words)
    stream = Stream(key, "x")
    assert [stream.below(m) for _ in kept] == kept


@given(st.binary(min_size=32, max_size=32), st.integers(1, 1 << 32))
def test_5_below_is_below(key: bytes, m: int) -> None:
    assert 0 <= Stream(key, "x").below(m) < m


@given(st.integers(1, 12), st.binary(min_size=32, max_size=32))
def test_8_a_secret_leads_to_the_commitment_and_no_other_does(n: int, last: bytes) -> None:
    chain = Chain(last, 12)
    assert leads_to(chain.secret(n), n, chain.commitment)
    assert not leads_to(chain.secret(n), n - 1, chain.commitment)
    assert not leads_to(sha256(b"another" + last), n, chain.commitment)


@given(
    st.binary(max_size=40), st.integers(1, 1000), st.sampled_from([("shuffle", 28), ("dice", 2)])
)
def test_answers_are_of_their_kind_and_always_the_same(
    seed: bytes, hand: int, wanted: tuple[Any, int]
) -> None:
    kind, size = wanted
    ask = Ask(hand, "stream", kind, size)
    answer = Seeded(seed).answer(ask)
    assert answer == Seeded(seed).answer(ask)
    if kind == "shuffle":
        assert sorted(answer) == list(range(size))
    else:
        assert len(answer) == size
        assert all(1 <= number <= 6 for number in answer)


def test_8_secrets_do_not_show() -> None:
    for holder in (CHAIN, CHANCE, Seeded(b"secret seed")):
        text = repr(holder)
        for secret in (VECTOR["chain_last"], *VECTOR["numbers"], "secret seed"):
            assert secret not in text
        assert "\\x" not in text
