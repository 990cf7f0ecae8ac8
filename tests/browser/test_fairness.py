"""The check in the browser: shuffles and rolls from what was committed to (fairness 1–9), what a
browser keeps, and its part of the handshake."""

from __future__ import annotations

import hashlib
import hmac
import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from app.table import views
from app.table.clock import PRESETS
from app.table.commands import Create, Fresh, Hash, Reveal, Sit
from app.table.decision import Accepted
from app.table.handle import handle
from app.table.table import Table
from engine.chance import draw, hand_key
from engine.game import Ask, Json
from tests.app.server import ROOT
from tests.browser.matches import GAMES, changed, committed_record, kept_of, simulated
from tests.browser.modules import PLAIN, SECURE, empty_page, run

pytestmark = pytest.mark.browser

VECTORS = json.loads((ROOT / "tests" / "vectors" / "fairness.json").read_text("utf-8"))
HASHES = pytest.mark.parametrize("hash_name", ["webHash", "ownHash"])
EACH = pytest.mark.parametrize("name", sorted(GAMES))


@pytest.fixture
def page(open_window: Callable[..., Page]) -> Page:
    return empty_page(open_window())


# ── the functions ─────────────────────────────────────────────────────────────────────────────


def test_the_own_module_is_sha_256_and_hmac(page: Page) -> None:
    """Every length around the block, keys shorter and longer than one."""
    rng = random.Random(1)
    cases = [(rng.randbytes(rng.choice([0, 1, 32, 63, 64, 65, 131])), rng.randbytes(n))
             for n in (*range(130), 1000)]  # fmt: skip
    told = run(
        page,
        """
        const { hex, unhex } = await load("fairness/bytes");
        const { sha256, hmac } = await load("fairness/sha256");
        return given.map(([k, m]) => [hex(sha256(unhex(m))), hex(hmac(unhex(k), unhex(m)))]);
        """,
        [[key.hex(), message.hex()] for key, message in cases],
    )
    assert told == [
        [hashlib.sha256(message).hexdigest(), hmac.digest(key, message, "sha256").hex()]
        for key, message in cases
    ]


@pytest.mark.parametrize(("origin", "name"), [(SECURE, "web"), (PLAIN, "own")])
def test_the_browsers_own_is_used_where_it_is(
    open_window: Callable[..., Page], origin: str, name: str
) -> None:
    """Plain http away from localhost has none; the check works there all the same (fairness 3)."""
    page = empty_page(open_window(), origin)
    told = run(
        page,
        """
        const { bestHash } = await load("fairness/hash");
        const { check } = await load("fairness/check");
        const { sound } = await check(given, { match: given.match, kept: null });
        return [typeof crypto.subtle, bestHash().name, sound];
        """,
        committed_record("domino"),
    )
    assert told == ["object" if name == "web" else "undefined", name, True]


@HASHES
def test_every_value_of_the_vectors(page: Page, hash_name: str) -> None:
    told = run(
        page,
        """
        const hash = (await load("fairness/hash"))[given.hash_name];
        const { hex, unhex } = await load("fairness/bytes");
        const chance = await load("fairness/chance");
        const { vectors } = given;
        const numbers = vectors.numbers.map(unhex);
        const commitment = unhex(vectors.commitment);
        const hands = [];
        for (const { n, secret, opening, rolls } of vectors.hands) {
          const key = await chance.handKey(hash, unhex(secret), vectors.match, n, numbers);
          const hand = { n, secret, key: hex(key), tiles: await chance.shuffled(hash, key) };
          hand.opening = [];
          for (const r of opening.keys())
            hand.opening.push(await chance.rolled(hash, key, "opening", r));
          hand.rolls = {};
          for (const r of Object.keys(rolls))
            hand.rolls[r] = await chance.rolled(hash, key, "roll", r);
          hand.leads = await chance.leadsTo(hash, unhex(secret), n, commitment);
          hand.misleads = await chance.leadsTo(hash, unhex(secret), n + 1, commitment);
          hands.push(hand);
        }
        return {
          hands,
          number_hashes: await Promise.all(numbers.map(async (n) => hex(await hash.sha256(n)))),
          whole: await chance.leadsTo(hash, unhex(vectors.chain_last), 64, commitment),
        };
        """,
        {"hash_name": hash_name, "vectors": VECTORS},
    )
    assert told["whole"] is True
    assert told["number_hashes"] == VECTORS["number_hashes"]
    for hand in told["hands"]:
        assert (hand.pop("leads"), hand.pop("misleads")) == (True, False)
    assert told["hands"] == VECTORS["hands"]


def test_a_number_that_would_be_unfair_is_read_again(page: Page) -> None:
    """Fairness 5: x ≥ m·⌊2³²/m⌋ is passed over. Blocks are made up so that one comes first."""
    told = run(
        page,
        """
        const { Stream } = await load("fairness/chance");
        const asked = [];
        const hash = {
          async hmac(key, message) {
            asked.push(new TextDecoder().decode(message));
            const block = new Uint8Array(32).fill(255);
            if (asked.length > 1) block.set([0xff, 0xff, 0xff, 0xfb], 4);
            return block;
          },
        };
        return [await new Stream(hash, new Uint8Array(), "roll|7").below(6), asked];
        """,
    )
    # 2³² = 4 mod 6: 0xfffffffb is the last that counts, all before it are passed over.
    assert told == [0xFFFFFFFB % 6, ["roll|7|0", "roll|7|1"]]


# ── the check of a record ─────────────────────────────────────────────────────────────────────

CHECK = """
  const { check } = await load("fairness/check");
  const hash = (await load("fairness/hash"))[given.hash_name ?? "webHash"];
  const told = [];
  for (const [record, kept, match] of given.cases)
    told.push(await check(record, { match: match ?? record.match, kept, hash }));
  return told;
"""


def checked(page: Page, *cases: tuple[Any, ...], hash_name: str = "webHash") -> list[Json]:
    told: list[Json] = run(
        page,
        CHECK,
        {"cases": [[*case, None, None][:3] for case in cases], "hash_name": hash_name},
    )
    return told


@HASHES
@EACH
def test_a_record_that_nobody_touched_is_sound(page: Page, name: str, hash_name: str) -> None:
    records = [committed_record(name, seed) for seed in (1, 5)]
    assert max(len(record["hands"]) for record in records) > 1
    for record, told in zip(
        records, checked(page, *((each,) for each in records), hash_name=hash_name), strict=True
    ):
        hands = record["hands"]
        assert told.pop("difference") is None
        if name == "domino":
            counts = {"shuffles": len(hands), "rolls": 0}
        else:
            rolls = sum(len(hand["opening"]) + len(hand["turns"]) - 1 for hand in hands)
            counts = {"shuffles": 0, "rolls": rolls}
        assert told == {"sound": True, "kept": False, "hands": len(hands), "seen": 0, **counts}


def swap_tiles(record: Json) -> None:
    tiles = record["hands"][1]["tiles"]
    tiles[0], tiles[20] = tiles[20], tiles[0]


def drop_tile(record: Json) -> None:
    record["hands"][1]["tiles"].pop()


def other_roll(record: Json) -> None:
    turns = record["hands"][1]["turns"]
    turns[2] = f"{turns[2][0]} 66:" if turns[2][2:4] != "66" else f"{turns[2][0]} 55:"


def first_turn(record: Json) -> None:
    turns = record["hands"][0]["turns"]
    turns[0] = f"{turns[0][0]} 66:"


def other_opening(record: Json) -> None:
    record["hands"][1]["opening"][0].reverse()


def more_opening(record: Json) -> None:
    record["hands"][1]["opening"].append([6, 1])


def tie_at_last(record: Json) -> None:
    """Found even where the streams would give it."""
    opening = record["hands"][0]["opening"]
    del opening[1:]
    opening[0] = [3, 3]


def other_number(record: Json) -> None:
    record["fairness"]["numbers"][1] = "00" * 32


def numbers_exchanged(record: Json) -> None:
    record["fairness"]["numbers"].reverse()


def other_secret(record: Json) -> None:
    record["fairness"]["secrets"][1] = "00" * 32


def one_secret_less(record: Json) -> None:
    record["fairness"]["secrets"].pop()


def other_commitment(record: Json) -> None:
    record["fairness"]["commitment"] = "00" * 32


def no_fairness(record: Json) -> None:
    del record["fairness"]


def not_hex(record: Json) -> None:
    record["fairness"]["numbers"][0] = "ZZ" * 32


DOMINO = [
    (swap_tiles, "tiles", 2),
    (drop_tile, "tiles", 2),
    (other_number, "tiles", 1),
    (numbers_exchanged, "tiles", 1),
    (other_secret, "secret", 2),
    (other_commitment, "secret", 1),
    (no_fairness, "unreadable", None),
    (not_hex, "unreadable", None),
]
NARDI = [
    (other_roll, "roll", 2),
    (first_turn, "first_roll", 1),
    (other_opening, "opening", 2),
    (more_opening, "opening", 2),
    (tie_at_last, "opening", 1),
    (other_number, "opening", 1),
    (other_secret, "secret", 2),
    (other_commitment, "secret", 1),
]


@pytest.mark.parametrize(
    ("name", "touches"), [("domino", DOMINO), ("nardi", NARDI)], ids=["domino", "nardi"]
)
def test_a_touched_record_is_found_out(
    page: Page, name: str, touches: list[tuple[Callable[[Json], None], str, int | None]]
) -> None:
    record = committed_record(name, 5)
    told = checked(page, *((changed(record, touch),) for touch, *_ in touches))
    for (touch, code, hand), result in zip(touches, told, strict=True):
        assert not result["sound"], touch
        found = result["difference"]
        assert (found["code"], found["hand"]) == (code, hand), touch
        assert result["hands"] == (hand or 1) - 1


def test_a_roll_that_was_not_due_is_found_out(page: Page) -> None:
    """N3: after an opening roll that decides there is no other, even if the stream has one."""
    record = committed_record("nardi")
    fairness = record["fairness"]
    numbers = tuple(bytes.fromhex(number) for number in fairness["numbers"])
    key = hand_key(bytes.fromhex(fairness["secrets"][0]), fairness["match"], 1, numbers)
    opening, turns = record["hands"][0]["opening"], record["hands"][0]["turns"]
    opening.append(list(draw(key, Ask(1, f"opening|{len(opening)}", "dice", 2))))
    turns[0] = f"{turns[0][0]} {max(opening[-1])}{min(opening[-1])}:"
    (told,) = checked(page, (record,))
    assert (told["difference"]["code"], told["difference"]["hand"]) == ("opening", 1)


def test_a_hand_without_its_secret_is_found_out(page: Page) -> None:
    record = committed_record("nardi")
    last = len(record["hands"])
    (told,) = checked(page, (changed(record, one_secret_less),))
    assert (told["difference"]["code"], told["difference"]["hand"]) == ("no_secret", last)


def test_another_match_is_found_out(page: Page) -> None:
    record = committed_record("domino")
    (told,) = checked(page, (record, None, "another"))
    assert told["difference"]["code"] == "match"


@pytest.mark.parametrize("value", [None, [], {}, "x", {"format": "match-record/1"}])
def test_what_is_no_record_is_said_to_be_none(page: Page, value: object) -> None:
    (told,) = checked(page, (value, None, "m"))
    assert (told["sound"], told["difference"]["code"]) == (False, "unreadable")


# ── against what this browser kept ────────────────────────────────────────────────────────────


def test_what_was_agreed_on_is_compared_first(page: Page) -> None:
    """A record that is sound in itself and is not the match that this browser played."""
    record = committed_record("domino")
    kept = kept_of(record)
    told = checked(
        page,
        (record, kept),
        (record, changed(kept, lambda k: k.update(commitment="00" * 32))),
        (record, changed(kept, lambda k: k["hashes"].reverse())),
        (record, changed(kept, lambda k: k.update(hashes=None))),
        (record, changed(kept, lambda k: k.update(hashes=None, numbers={"00": "00"}))),
        (record, changed(kept, lambda k: k["tiles"].update({"50": ["0-0"]}))),
    )
    codes = [each["difference"] and each["difference"]["code"] for each in told]
    assert codes == [None, "kept_commitment", "kept_hash", None, "kept_number", "kept_hand"]
    assert told[0]["kept"] is True
    assert told[0]["sound"] is True


def test_own_tiles_are_compared(page: Page) -> None:
    record = committed_record("domino")
    kept = kept_of(record, 1)
    own = record["hands"][1]["tiles"][7:14]
    told = checked(
        page,
        (record, changed(kept, lambda k: k["tiles"].update({"2": own[::-1]}))),
        (
            record,
            changed(kept, lambda k: k["tiles"].update({"2": record["hands"][1]["tiles"][:7]})),
        ),
    )
    assert (told[0]["sound"], told[0]["seen"]) == (True, 1)
    assert (told[1]["difference"]["code"], told[1]["difference"]["hand"]) == ("kept_tiles", 2)


def test_rolls_seen_are_compared(page: Page) -> None:
    record = committed_record("nardi")
    kept = kept_of(record)
    opening = [f"{a}{b}" for a, b in record["hands"][0]["opening"]]
    turns = record["hands"][0]["turns"]
    rolls = {str(r): turn[2:4] for r, turn in enumerate(turns) if r > 0}
    wrong = {**rolls, "3": "66" if rolls["3"] != "66" else "55"}
    never = next(
        f"0 {a}{b}"
        for a in range(1, 7)
        for b in range(1, a + 1)
        if not any(turn.startswith(f"0 {a}{b}") for turn in turns)
    )
    told = checked(
        page,
        (record, kept | {"openings": {"1": opening}, "rolls": {"1": rolls}}),
        (record, changed(kept, lambda k: k["openings"].update({"1": [o[::-1] for o in opening]}))),
        (record, changed(kept, lambda k: k["rolls"].update({"1": wrong}))),
        (record, changed(kept, lambda k: k["loose"].update({"1": [turns[4][:4]]}))),
        (record, changed(kept, lambda k: k["loose"].update({"1": [never]}))),
    )  # fmt: skip
    codes = [each["difference"] and each["difference"]["code"] for each in told]
    assert codes == [None, "kept_opening", "kept_roll", None, "kept_roll_missing"]
    assert told[0]["seen"] == len(opening) + len(rolls)


WATCH = """
  const { Keeper } = await load("fairness/keep");
  const { Witness } = await load("fairness/witness");
  const { check } = await load("fairness/check");
  localStorage.clear();
  const told = [];
  for (const { frames, record, kept, reload } of given) {
    const keeper = new Keeper();
    keeper.save(kept);
    let witness = new Witness(keeper);
    frames.forEach((frame, n) => {
      if (n % reload === reload - 1) {
        witness = new Witness(new Keeper());
        witness.snapshot(frame.table);
      } else witness.change(frame.table, frame.events);
    });
    const after = new Keeper().load(kept.match);
    const checked = await check(record, { match: kept.match, kept: after });
    told.push({ checked, kept: after });
  }
  return told;
"""


@EACH
def test_a_browser_keeps_what_it_is_told_and_the_record_agrees(page: Page, name: str) -> None:
    """Matches as the table runs them, from the frames of one seat; also where every seventh
    frame is lost to a reload."""
    evenings = [simulated(name, seed) for seed in (1, 2)]
    given = [
        {"frames": frames, "record": record, "reload": reload, "kept": kept_of(record)}
        for evening in evenings
        for match, frames in evening.frames.items()
        for record in [evening.records[match]]
        for reload in (10**6, 7)
    ]
    assert len(given) >= 4
    for match, told in zip(given, run(page, WATCH, given), strict=True):
        result, kept = told["checked"], told["kept"]
        assert result["difference"] is None
        assert (result["sound"], result["kept"]) == (True, True)
        whole = result["shuffles"] + result["rolls"]
        if match["reload"] != 7:
            # A roll whose turn was never ended is seen, and stands in no record.
            assert 0 <= result["seen"] - whole <= 1
        else:
            assert 0 < result["seen"] <= whole + 1
            assert name == "domino" or kept["loose"]


def test_the_last_twenty_matches_are_kept(page: Page) -> None:
    """Handshakes that came to nothing are forgotten first."""
    kept = kept_of(committed_record("domino"))
    told = run(
        page,
        """
        const { Keeper, LAST } = await load("fairness/keep");
        localStorage.clear();
        localStorage.setItem("something.else", "1");
        const keeper = new Keeper();
        for (let n = 0; n < 30; n += 1)
          keeper.save({ ...given, match: `m${n}`, at: n, hashes: n === 25 ? null : given.hashes });
        const left = Array.from({ length: 30 }, (_, n) => keeper.load(`m${n}`)?.match);
        return [left.filter(Boolean), LAST, localStorage.length];
        """,
        kept,
    )
    left = [f"m{n}" for n in range(9, 30) if n != 25]
    assert told == [left, 20, 2 * 20 + 1]


def test_a_full_store_forgets_old_matches_and_then_keeps_for_the_page_alone(page: Page) -> None:
    kept = kept_of(committed_record("domino"))
    told = run(
        page,
        """
        const { Keeper } = await load("fairness/keep");
        const held = new Map();
        const size = () => [...held].reduce((sum, pair) => sum + pair.join("").length, 0);
        const storage = (room) => ({
          get length() { return held.size; },
          key: (n) => [...held.keys()][n] ?? null,
          getItem: (key) => held.get(key) ?? null,
          removeItem: (key) => held.delete(key),
          setItem(key, value) {
            if (size() + key.length + value.length > room) throw new DOMException("full");
            held.set(key, value);
          },
        });
        const keeper = new Keeper(storage(5_000));
        for (let n = 0; n < 12; n += 1) keeper.save({ ...given, match: `m${n}`, at: n });
        const fresh = keeper.load("m11");
        const none = new Keeper(storage(10));
        none.save({ ...given, match: "here" });
        return [fresh?.numbers, held.size < 12, none.load("here")?.numbers, held.has("here")];
        """,
        kept,
    )
    assert told == [kept["numbers"], True, kept["numbers"], False]


# ── the handshake ─────────────────────────────────────────────────────────────────────────────


class Tables:
    """A table of two as the site has it, without the site."""

    def __init__(self) -> None:
        self.rng = random.Random(3)
        game, options = GAMES["domino"]
        first = Create("t", game, options, PRESETS["standard"], True, "p0", "ნინო")
        self.table: Table | None = None
        self.do(first)
        self.do(Sit("p1", "გია", Fresh("m1", self.rng.randbytes(32))))

    def do(self, command: Any) -> Any:
        decision = handle(self.table, command, 1_700_000_000_000)
        self.table = decision.table or self.table
        return decision.answer

    def view(self, seat: int | None) -> Json:
        assert self.table is not None
        return views.table_view(self.table, seat, 1_700_000_000_000)

    def say(self, seat: int, said: Json) -> Any:
        command_id = self.rng.randbytes(8).hex()
        if said["type"] == "hash":
            return self.do(Hash(f"p{seat}", command_id, said["match"], bytes.fromhex(said["hash"])))
        number = bytes.fromhex(said["number"])
        return self.do(Reveal(f"p{seat}", command_id, said["match"], number))


SHAKE = """
  const { shake } = await load("fairness/handshake");
  const { Keeper } = await load("fairness/keep");
  return shake(given, new Keeper());
"""


def test_two_browsers_shake_hands(open_window: Callable[..., Page]) -> None:
    """Against the table itself, every page loaded anew at every step."""
    tables = Tables()
    pages = [empty_page(open_window()), empty_page(open_window(), PLAIN)]

    def step(seat: int) -> Json:
        pages[seat].reload()
        told: Json = run(pages[seat], SHAKE, tables.view(seat))
        assert told["alarm"] is None
        return told

    hashes = [step(0)["send"], step(1)["send"]]
    assert hashes == [step(0)["send"], step(1)["send"]]  # a reload finds the number again
    for seat, said in enumerate(hashes):
        assert isinstance(tables.say(seat, said), Accepted)
        if seat == 0:
            assert step(0)["send"] is None  # done: waits for the other
    reveals = [step(0)["send"], step(1)["send"]]
    for seat, said in enumerate(reveals):
        assert hashlib.sha256(bytes.fromhex(said["number"])).hexdigest() == hashes[seat]["hash"]
        kept = run(pages[seat], f"return localStorage.getItem('ezo.match.{said['match']}')")
        assert json.loads(kept)["hashes"] == [each["hash"] for each in hashes]
        assert isinstance(tables.say(seat, said), Accepted)
    assert tables.table is not None
    assert tables.table.status == "running"
    assert [step(seat) for seat in (0, 1)] == [{"send": None, "alarm": None}] * 2


STEP = """
  const { nextStep } = await load("fairness/handshake");
  const told = [];
  let asked = 0;
  for (const [table, kept] of given)
    told.push(nextStep(table, kept, () => new Uint8Array(32).fill((asked += 1))));
  return { told, asked };
"""


def steps(page: Page, *cases: tuple[Json, Json | None]) -> tuple[list[Json], int]:
    told = run(page, STEP, [list(case) for case in cases])
    return told["told"], told["asked"]


def shaking(step: str, **changes: Any) -> Json:
    """A table in its handshake, seen by seat 0."""
    numbers = [bytes([1]) * 32, bytes([9]) * 32]
    hashes = [hashlib.sha256(number).hexdigest() for number in numbers]
    handshake = {
        "step": step,
        "until": 1,
        "commitment": "aa" * 32,
        "hashes": hashes if step == "reveal" else [None, None],
        "done": [False, False],
        **changes,
    }
    return {
        "match": "m1", "game": "domino", "you": 0, "status": "handshake",
        "handshake": handshake, "fairness": None,
    }  # fmt: skip


def test_the_number_is_stored_with_the_commitment_before_its_hash_is_sent(page: Page) -> None:
    (first,), asked = steps(page, (shaking("hash"), None))
    number = "01" * 32
    hashed = hashlib.sha256(bytes.fromhex(number)).hexdigest()
    assert asked == 1
    assert first["keep"]["numbers"] == {hashed: number}
    assert first["keep"]["commitment"] == "aa" * 32
    assert first["send"] == {"type": "hash", "match": "m1", "hash": hashed}
    kept = first["keep"]
    (again, done, reveal, revealed, watching), asked = steps(
        page,
        (shaking("hash"), kept),
        (shaking("hash", done=[True, False]), None),
        (shaking("reveal"), kept),
        (shaking("reveal", done=[True, False]), kept),
        (shaking("hash") | {"you": None}, None),
    )
    assert asked == 0
    assert (again["send"], again["keep"]) == (first["send"], None)
    assert reveal["keep"]["hashes"] == shaking("reveal")["handshake"]["hashes"]
    assert reveal["send"] == {"type": "reveal", "match": "m1", "number": number}
    for each in (done, revealed, watching):
        assert each == {"keep": None, "send": None, "alarm": None}


def test_a_server_that_changes_its_word_gets_nothing(page: Page) -> None:
    """Each change is named, and neither hash nor number is sent."""
    (first, reveal), _ = steps(page, (shaking("hash"), None), (shaking("reveal"), None))
    assert reveal["send"] is None  # made by another browser of this player: that one gives it
    kept = first["keep"]
    hashes = shaking("reveal")["handshake"]["hashes"]
    knows = {**kept, "hashes": hashes}
    running = shaking("reveal") | {"status": "running", "handshake": None}
    fairness = {"match": "m1", "commitment": "aa" * 32, "hashes": hashes, "secrets": []}
    numbers = ["01" * 32, "09" * 32]
    cases = [
        (shaking("hash", commitment="bb" * 32), kept, ("commitment_changed", None)),
        (shaking("reveal", commitment="bb" * 32), kept, ("commitment_changed", None)),
        (shaking("reveal") | {"you": 1}, kept, ("seat_changed", None)),
        (shaking("reveal", hashes=[hashes[0], "cc" * 32]), knows, ("hash_changed", 1)),
        (shaking("reveal", hashes=[hashes[0], None]), kept, ("hash_missing", 1)),
        (shaking("reveal", hashes=["cc" * 32, hashes[1]]), kept, ("number_elsewhere", 0)),
        (running | {"fairness": fairness | {"numbers": ["01" * 32, "08" * 32]}}, knows,
         ("number_mismatch", 1)),
        (running | {"fairness": fairness | {"numbers": numbers, "commitment": "bb" * 32}}, knows,
         ("commitment_changed", None)),
        (running | {"fairness": fairness | {"numbers": numbers}}, knows, None),
    ]  # fmt: skip
    told, asked = steps(page, *((table, kept) for table, kept, _ in cases))
    for (_, _, alarm), result in zip(cases, told, strict=True):
        assert (result["send"], result["keep"]) == (None, None)
        assert result["alarm"] == (alarm and {"code": alarm[0], "seat": alarm[1]})
    assert asked == 0


def test_two_tabs_that_make_a_number_at_once_keep_both(page: Page) -> None:
    """The server says whose hash came first; that number is still there."""
    told = run(
        page,
        """
        const { nextStep } = await load("fairness/handshake");
        const { Keeper } = await load("fairness/keep");
        localStorage.clear();
        const [one, other] = [1, 2].map((fill) =>
          nextStep(given, null, () => new Uint8Array(32).fill(fill)));
        new Keeper().save(one.keep);
        new Keeper().save(other.keep);
        return Object.keys(new Keeper().load("m1").numbers).sort()
          .join() === [one.send.hash, other.send.hash].sort().join();
        """,
        shaking("hash"),
    )
    assert told is True
