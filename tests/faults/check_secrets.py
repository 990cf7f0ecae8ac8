"""No frame, page, log or figure held what its reader may not know (T11, T12)."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from engine.chance import sha256
from engine.game import Json
from tests.faults.evidence import Evidence
from tests.faults.saves import Event

HEX = re.compile(r"[0-9a-f]{64}")
BASE64 = re.compile(r"[A-Za-z0-9+/_-]{43}")
EMBEDDED = re.compile(r'<script type="application/json" id="table">(.*?)</script>', re.DOTALL)
TILE = re.compile(r'"([0-6]-[0-6])"')
TABLE = frozenset(
    {
        *("id", "game", "rules", "options", "now", "public", "clock", "status", "seats", "you"),
        *("host", "match", "ply", "handshake", "fairness", "clocks", "pause", "ended", "rematch"),
        *("void", "closed", "view", "stake", "pot", "coins"),
    }
)
"""What TABLE may hold: anything else could hold anything."""
VIEW = frozenset(
    {
        *("game", "rules", "hand", "target", "points", "score", "seat", "turn", "outcome", "legal"),
        *("last_hand", "opener", "must_open", "counts", "tiles", "bazaar", "placed", "stavka"),
        *("ends", "sum", "phase", "dice", "dice_left", "opening", "sides", "last_turn", "steps"),
        *("reach", "press", "dead", "can_take_back", "can_confirm", "searches"),
    }
)


class Secret(NamedTuple):
    """The n-th element of a match's chain."""

    match: str
    hand: int


class Hidden(NamedTuple):
    """Everything that was ever secret: chains by their hex and base64, players' ids and cookies,
    and the invites."""

    chains: dict[str, Secret]
    words: list[str]


def hidden(evidence: Evidence) -> Hidden:
    """Reckoned from the chains' last elements, which only the store ever held."""
    last: dict[str, str] = {}
    for saved in evidence.saves:
        state = saved.read()
        for part in (state["handshake"], state["match"]):
            if part is not None:
                last[part.get("match", part.get("id"))] = part["last"]
    chains: dict[str, Secret] = {}
    for match, text in last.items():
        value = bytes.fromhex(text)
        for hand in range(1000, 0, -1):
            for form in (value.hex(), *_base64(value)):
                chains[form] = Secret(match, hand)
            value = sha256(value)
    words = [word for who in evidence.players.values() for word in (who.id, who.cookie)]
    return Hidden(chains, words)


def _base64(value: bytes) -> tuple[str, str]:
    return (
        base64.b64encode(value).decode().rstrip("="),
        base64.urlsafe_b64encode(value).decode().rstrip("="),
    )


def no_secret_is_told_early(evidence: Evidence) -> list[str]:
    """A hand's secret is told when the hand is over, to everybody; later ones never (fairness 8).
    No frame and no page holds a player's id."""
    wrong = []
    secret = hidden(evidence)
    for where, text, tables, events in _told(evidence):
        allowed = set()
        for table in tables:
            allowed |= {table["match"] + f"/{n}" for n in _revealed(table)}
            wrong += [f"{where}: {each}" for each in _unknown(table)]
        allowed |= {f"{events.get('match')}/{n}" for n in events.get("hands", ())}
        for found in _chain_words(text):
            what = secret.chains.get(found)
            if what is not None and f"{what.match}/{what.hand}" not in allowed:
                wrong.append(f"{where}: the secret of hand {what.hand} of match {what.match}")
        wrong += [f"{where}: a player's {word[:3]}…" for word in secret.words if word in text]
    return wrong


def _chain_words(text: str) -> list[str]:
    return HEX.findall(text) + BASE64.findall(text)


def _told(evidence: Evidence) -> Iterator[tuple[str, str, list[Json], Json]]:
    """All that players got: where, its text, its TABLEs, and the secrets that its events tell."""
    for frame in evidence.journal.frames:
        line = evidence.journal.lines[frame.line]
        where = f"table {line.table}, line {line.id}"
        told = frame.read()
        tables = [told["table"]] if "table" in told else []
        secrets = [e for e in told.get("events", ()) if e.get("event") == "hand_secret"]
        match = tables[0]["match"] if tables else None
        yield where, frame.raw, tables, {"match": match, "hands": [e["hand"] for e in secrets]}
    for page in evidence.journal.pages:
        text = page.body
        table = _embedded(text)
        opened: Json = {}
        if page.path.startswith("/m/") and page.status == 200:
            match = page.path.split("/")[2]
            if match in evidence.books.matches:  # it has ended: everything is open (fairness 9)
                opened = {"match": match, "hands": range(1, 1001)}
        yield f"page {page.path}", text, [] if table is None else [table], opened


def _embedded(page: str) -> Json | None:
    """The TABLE that a page holds."""
    found = EMBEDDED.search(page)
    read: Json | None = None if found is None else json.loads(found[1])
    return read


def _revealed(table: Json) -> range:
    """The hands whose secrets a TABLE may hold: those that are over."""
    if table["view"] is None or table["fairness"] is None:
        return range(0)
    over = table["ended"] is not None or table["pause"] is not None
    return range(1, table["view"]["hand"] + over)


def _unknown(table: Json) -> list[str]:
    """Keys that nobody knows, and a hand's secret too many."""
    view = table["view"] or {}
    found = [f"unknown key {key}" for key in (table.keys() - TABLE) | (view.keys() - VIEW)]
    secrets = (table["fairness"] or {}).get("secrets", [])
    if len(secrets) > len(_revealed(table)):
        found.append(f"{len(secrets)} secrets in hand {view.get('hand')}")
    return found


def no_hidden_tile_is_shown(evidence: Evidence) -> list[str]:
    """Every tile in a view has been dealt to its viewer, drawn by them, laid or turned up; and no
    dice are shown that have not been rolled."""
    wrong = []

    known = Known(evidence.events)
    for frame in evidence.journal.frames:
        if not frame.raw.startswith(('{"type":"cha', '{"type":"sna')):
            continue
        line, told = evidence.journal.lines[frame.line], frame.read()
        table = told["table"]
        wrong += _too_much(f"table {line.table}, line {line.id}", table, told["number"], known)
    for page in evidence.journal.pages:
        shown = _embedded(page.body)
        if shown is not None:
            # A page says no number, but a match and a ply: it shows one of a few moments.
            moments = {
                saved.number
                for saved in evidence.by_table[shown["id"]]
                if _same(saved.read(), shown)
            }
            where = f"page {page.path}"
            each = sorted((_too_much(where, shown, n, known) for n in moments), key=len)
            wrong += each[0] if each else [f"{where} shows what never was"]
    return wrong


def _same(state: Json, table: Json) -> bool:
    """Whether a TABLE may show a saved state."""
    match = state["match"] or {}
    handshake = state["handshake"] or {}
    return bool(
        match.get("ply", 0) == table["ply"]
        and match.get("id", handshake.get("match")) == table["match"]
        and state["status"] == table["status"]
    )


def _too_much(where: str, table: Json, number: int, known: Known) -> list[str]:
    view = table["view"]
    if view is None:
        return []
    tiles, dice = known(table["id"], number, table["you"])
    plain = {key: value for key, value in view.items() if key != "last_hand"}
    shown = set(TILE.findall(json.dumps({**table, "view": plain})))
    found = [f"{where}: seat {table['you']} sees {each}" for each in sorted(shown - tiles)]
    if view["game"] == "nardi" and view["dice"] and list(view["dice"]) not in dice:
        found.append(f"{where}: shows dice {view['dice']}, rolled were {dice[-1:]}")
    last = view.get("last_hand")
    if last is not None:
        over = table["ended"] is not None or table["pause"] is not None
        if last["hand"] > view["hand"] - (not over):
            found.append(f"{where}: shows hand {last['hand']} while it is played")
    return found


class Known:
    """By table, seat and event: the tiles of the hand that a viewer knows after the event, and
    how many dice have been rolled by then."""

    def __init__(self, events: dict[str, dict[int, Event]]) -> None:
        self._events = events
        self._made: dict[tuple[str, int | None], list[tuple[frozenset[str], list[Any]]]] = {}

    def __call__(
        self, table: str, number: int, seat: int | None
    ) -> tuple[frozenset[str], list[Any]]:
        key = (table, seat)
        if key not in self._made:
            self._made[key] = list(self._all(self._events.get(table, {}), seat))
        return self._made[key][number]

    @staticmethod
    def _all(
        events: dict[int, Event], seat: int | None
    ) -> Iterator[tuple[frozenset[str], list[Any]]]:
        tiles: frozenset[str] = frozenset()
        dice: list[Any] = []
        yield tiles, dice
        for number in range(1, len(events) + 1):
            event = events[number]
            kind = event.event["event"]
            if kind in ("dealt", "match_started"):
                tiles = frozenset()
            if kind in ("rolled", "hand_started", "opening_rolled"):
                rolled = list(event.event["dice"])
                dice = [*dice[-2:], rolled, rolled[::-1]]
            if event.audience is None or seat in event.audience:
                tiles |= _tiles(event.event)
            yield tiles, dice


def _tiles(event: Json) -> set[str]:
    return set(TILE.findall(json.dumps(event)))


def no_log_tells_anything(evidence: Evidence) -> list[str]:
    """No line of any process names a secret, a tile, a player, a cookie or an invite."""
    wrong = []
    secret = hidden(evidence)
    for name, text in evidence.logs.items():
        told = set(_chain_words(text)) & secret.chains.keys()
        wrong += [f"{name} wrote a secret of match {secret.chains[each].match}" for each in told]
        words = (*secret.words, *evidence.by_table)
        wrong += [f"{name} wrote {word[:4]}…" for word in words if word in text]
        numbers = [x.hex() for who in evidence.players.values() for x in who.numbers.values()]
        wrong += [f"{name} wrote a player's number" for each in numbers if each in text]
        wrong += [f"{name} wrote tile {each}" for each in TILE.findall(text)]
    return wrong
