"""Every match ends once, is kept once and is settled once, and no coin moves twice."""

from __future__ import annotations

from collections import Counter, defaultdict

from tests.faults.evidence import Evidence


def matches_end_and_are_kept_once(evidence: Evidence) -> list[str]:
    """Every match that began has one end, one row with its seats, and no other became one (T14)."""
    wrong = []
    ends: Counter[str] = Counter()
    for table, events in evidence.events.items():
        running: str | None = None
        for number in sorted(events):
            event = events[number].event
            if event["event"] == "match_started":
                if running is not None:
                    wrong.append(f"match {running} at {table} never ended")
                running = event["match"]
            elif event["event"] == "ended":
                if running is None:
                    wrong.append(f"table {table}: event {number} ends no match")
                else:
                    ends[running] += 1
                    running = None
                    wrong += _as_kept(evidence, table, number)
        if running is not None:
            wrong.append(f"match {running} at {table} never ended")
    for match in evidence.begun:
        if match not in evidence.books.matches:
            wrong.append(f"match {match} has begun and is not kept")
    for match in evidence.books.matches:
        if match not in evidence.begun:
            wrong.append(f"match {match} is kept and has never begun")
    seats = Counter((row["match_id"], row["seat"], row["player"]) for row in evidence.books.seats)
    due = Counter(
        (row["id"], seat, player)
        for row in evidence.books.matches.values()
        for seat, player in enumerate(row["players"])
    )
    wrong += [
        f"seat {each} is kept {n} times" for each, n in ((seats - due) + (due - seats)).items()
    ]
    for void in evidence.books.voids:
        if void in evidence.begun:
            wrong.append(f"handshake {void} came to nothing and its match has begun")
    return wrong


def _as_kept(evidence: Evidence, table: str, number: int) -> list[str]:
    """The end as it was told, beside the row."""
    event = evidence.events[table][number].event
    save = next(s for s in evidence.by_table[table] if s.number >= number)
    state = save.read()
    row = evidence.books.matches.get(state["match"]["id"])
    if row is None:
        return []
    told = (event["winners"], event["reason"], event["score"], table)
    there = (row["winners"], row["reason"], row["score"], row["table_id"])
    players = [sitter["player"] for sitter in state["seats"]]
    if told != there or players != row["players"]:
        return [f"match {row['id']} ended as {told} and is kept as {there}"]
    return []


def handshakes_that_came_to_nothing_are_kept(evidence: Evidence) -> list[str]:
    """With their cause, once (T12)."""
    wrong = []
    told = {
        event.event["match"]: event.event["cause"]
        for events in evidence.events.values()
        for event in events.values()
        if event.event["event"] == "void"
    }
    for match, cause in told.items():
        kept = evidence.books.voids.get(match)
        if cause == "unfunded":
            continue  # no handshake had begun
        if kept is None:
            wrong.append(f"handshake {match} came to nothing ({cause}) and is not kept")
        elif kept["cause"] != cause:
            wrong.append(f"handshake {match}: told {cause}, kept {kept['cause']}")
    wrong += [
        f"handshake {m} is kept and was not told of" for m in evidence.books.voids.keys() - told
    ]
    return wrong


def stakes_are_settled_once(evidence: Evidence) -> list[str]:
    """Staked, then paid to the winners or refunded, each by one transfer (T4, T5)."""
    wrong = []
    moved: dict[str, list[str]] = defaultdict(list)
    for row in evidence.books.transfers.values():
        if row["match"] is not None:
            moved[row["match"]].append(row["kind"])
    for match, held in evidence.books.escrow.items():
        kept = evidence.books.matches.get(match)
        kinds = sorted(moved.pop(match, []))
        match held["state"]:
            case "staked":
                wrong.append(f"match {match}: its stakes are held and nobody will settle them")
            case "paid":
                if kept is None or kept["winners"] != held["winners"] or not kept["winners"]:
                    wrong.append(f"match {match} was paid to {held['winners']}, kept is {kept}")
                if kinds != ["pay", "stake"]:
                    wrong.append(f"match {match} was paid by {kinds}")
            case "refunded":
                if match in evidence.begun and (kept is None or kept["reason"] != "void"):
                    wrong.append(f"match {match} was played and is refunded")
                if kinds != ["refund", "stake"]:
                    wrong.append(f"match {match} was refunded by {kinds}")
            case "cancelled":
                if match in evidence.begun or kinds:
                    wrong.append(f"match {match} was cancelled, and {kinds}, and began")
    wrong += [f"match {match}: {kinds} without an escrow" for match, kinds in moved.items()]
    for match, table in evidence.begun.items():
        stake = evidence.by_table[table][0].read()["stake"]
        there = evidence.books.escrow.get(match)
        if (0 if there is None else there["stake"]) != stake:
            wrong.append(f"match {match} was played for {stake}, held was {there}")
    return wrong


def balances_follow_from_the_results(evidence: Evidence) -> list[str]:
    """Reckoned from the kept results alone: first coins, and what each match moved (T4)."""
    wrong = [f"the ledger: {evidence.books.report}"] if evidence.books.report else []
    due = {player: who.coins for player, who in evidence.players.items()}
    for row in evidence.books.matches.values():
        if not row["stake"] or not row["winners"]:
            continue
        (winner,) = row["winners"]
        for seat, player in enumerate(row["players"]):
            moves = row["stake"] if seat == winner else -row["stake"]
            due[player] += moves
            if row["coins"][seat] != moves:
                wrong.append(f"match {row['id']}: seat {seat} moved {row['coins'][seat]} coins")
    for player, coins in due.items():
        has = evidence.books.accounts.get(f"player:{player}")
        if has != coins:
            wrong.append(f"{player} has {has} coins, and should have {coins}")
    if sum(evidence.books.accounts.values()):
        wrong.append(f"all accounts make {sum(evidence.books.accounts.values())}")
    for account, balance in evidence.books.accounts.items():
        if balance < 0 and account != "mint":
            wrong.append(f"{account} has {balance}")
        if account.startswith("escrow:") and balance:
            wrong.append(f"{account} still holds {balance}")
    by_transfer: Counter[str] = Counter()
    for line in evidence.books.entries:
        by_transfer[line["transfer"]] += line["amount"]
    wrong += [f"transfer {key} makes {n}" for key, n in by_transfer.items() if n]
    return wrong
