"""The engine's command line (spec of the record): replay, verify, mat, random, legal."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from engine import games
from engine.export import export
from engine.game import Json, Unreadable
from engine.nardi.legal import legal_row
from engine.record import Record, loads, read
from engine.replay import Replay
from engine.simulate import random_record
from engine.verify import verify
from engine.walk import Refused

OK, REFUSED, NO_RECORD = 0, 1, 2


class NoRecord(Exception):
    """What was given is not what the command reads; its text is the one line that says so."""


class Arguments(argparse.ArgumentParser):
    """Wrong arguments are one line too."""

    def error(self, message: str) -> NoReturn:
        raise NoRecord(f"{message} (see python -m engine --help)")


def named(path: str) -> str:
    """A file as messages name it."""
    return "standard input" if path == "-" else path or "''"


def read_text(path: str) -> str:
    """The text of a file, or of standard input for ``-``."""
    name = named(path)
    try:
        if path == "-" and sys.stdin is None:
            raise NoRecord("standard input: closed")
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        return data.decode("utf-8-sig")
    except OSError as wrong:
        raise NoRecord(f"{name}: {wrong.strerror or wrong}") from None
    except UnicodeDecodeError as wrong:
        raise NoRecord(f"{name}: not UTF-8 at byte {wrong.start}") from None
    except ValueError as wrong:  # a path with a null byte
        raise NoRecord(f"{name!r}: {wrong}") from None


def records(path: str) -> Iterator[Record]:
    """The records of a file: one document, or one a line."""
    content = read_text(path)
    name = named(path)
    if not content.strip():
        raise NoRecord(f"{name}: no record")
    try:
        whole = loads(content)
    except Unreadable as wrong:
        lines = [(n, line) for n, line in enumerate(content.split("\n"), 1) if line.strip()]
        if not any(is_object(line) for _, line in lines[:2]):  # one broken document
            raise NoRecord(f"{name}: {wrong}") from None
        for n, line in lines:
            try:
                yield read(loads(line))
            except Unreadable as bad:
                raise NoRecord(f"{name}, line {n}: {bad}") from None
        return
    try:
        yield read(whole)
    except Unreadable as wrong:
        raise NoRecord(f"{name}: {wrong}") from None


def is_object(line: str) -> bool:
    """Whether a line is an object by itself, as each line of a file of many records is."""
    try:
        return isinstance(loads(line), dict)
    except Unreadable:
        return False


def put(row: object) -> None:
    """One row of JSON to standard output."""
    print(json.dumps(row, separators=(",", ":")))


def run_replay(arguments: argparse.Namespace) -> int:
    """Prints the rows of every record's replay."""
    status = OK
    for record in records(arguments.file):
        replay = Replay(record)
        for row in replay:
            put(row)
        if replay.refused:
            status = REFUSED
    return status


def run_verify(arguments: argparse.Namespace) -> int:
    """Prints what the check of every record found."""
    status = OK
    for record in records(arguments.file):
        row: Json = {}
        for row in verify(record):
            put(row)
        if not row["verified"]:
            status = REFUSED
    return status


def run_mat(arguments: argparse.Namespace) -> int:
    """Prints a record as a match file."""
    name = named(arguments.file)
    record, *more = records(arguments.file)
    if more:
        raise NoRecord(f"{name}: {1 + len(more)} records, and a match file is of one match")
    try:
        text = export(record, "mat")
    except Unreadable as wrong:
        raise NoRecord(f"{name}: {wrong}") from None
    except Refused as wrong:
        complain(f"{name}: {wrong}")
        return REFUSED
    print(text, end="")
    return OK


def run_random(arguments: argparse.Namespace) -> int:
    """Prints records of random matches."""
    named = [each for each in games.GAMES if each.name == arguments.game]
    rules = arguments.rules if arguments.rules is not None else named[0].rules
    given = {"target": arguments.target, "points": arguments.points}
    picked = {name: value for name, value in given.items() if value is not None}
    try:
        game = games.game(arguments.game, rules)
        first = {name: choices[0] for name, choices in game.choices.items()}
        options = games.checked_options(game, first | picked)
    except Unreadable as wrong:
        raise NoRecord(str(wrong)) from None
    if not picked.keys() <= game.choices.keys():
        raise NoRecord(f"{game.name} has no --{(picked.keys() - game.choices.keys()).pop()}")
    for number in range(arguments.count):
        put(random_record(game, options, f"{arguments.seed}|{number}"))
    return OK


def run_legal(arguments: argparse.Namespace) -> int:
    """Prints the legal turns of every line."""
    for n, line in enumerate(read_text(arguments.file).splitlines(), 1):
        if not line.strip():
            continue
        try:
            put(legal_row(line))
        except Unreadable as wrong:
            raise NoRecord(f"line {n}: {wrong}") from None
    return OK


def count(value: str) -> int:
    """A plain whole number."""
    if not (value.isascii() and value.isdecimal() and len(value) < 10):
        raise argparse.ArgumentTypeError(f"not a whole number: {value!r:.20}")
    return int(value)


def parser() -> Arguments:
    """The command's arguments."""
    top = Arguments(prog="python -m engine", description="The rules of domino and nardi.")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    for name, run, says in (
        ("replay", run_replay, "play records again and print every score, event and result"),
        ("verify", run_verify, "check a record's shuffles and rolls against its commitment"),
        ("mat", run_mat, "write a nardi record as a match file for GNU Backgammon"),
    ):
        command = commands.add_parser(name, help=says, description=says)
        several = "a record" if name == "mat" else "a record, or one a line"
        command.add_argument("file", help=f"{several}; - is standard input")
        command.set_defaults(run=run)
    says = "records of matches played by random legal moves, one a line"
    command = commands.add_parser("random", help=says, description=says)
    command.add_argument("game", choices=sorted({each.name for each in games.GAMES}))
    command.add_argument("--rules", help="the rule set (default: the game's first)")
    command.add_argument("--target", type=count, help="domino: points to play to")
    command.add_argument("--points", type=count, help="nardi: points to play to")
    command.add_argument("--seed", default="0", help="the same seed gives the same records")
    command.add_argument("--count", type=count, default=1, help="how many records")
    command.set_defaults(run=run_random)
    says = "every legal full turn of lines POSITION-ID DICE, each as a JSON array"
    command = commands.add_parser("legal", help=says, description=says)
    command.add_argument("game", choices=["nardi"])
    command.add_argument("file", nargs="?", default="-", help="default: standard input")
    command.set_defaults(run=run_legal)
    return top


def main(argv: list[str] | None = None) -> int:
    """Exit status: 0; 1 where the rules refuse a record; 2 where something is no record."""
    if sys.stdout is None:
        return complain("standard output: closed")
    try:
        try:
            arguments = parser().parse_args(argv)
            status: int = arguments.run(arguments)
        finally:
            sys.stdout.flush()
    except NoRecord as wrong:
        return complain(str(wrong))
    except BrokenPipeError:  # the reader went away; nothing is wrong
        forget_output()
        return OK
    except OSError as wrong:
        forget_output()
        return complain(f"standard output: {wrong.strerror or wrong}")
    return status


def complain(why: str) -> int:
    """One line of at most 300 characters on standard error."""
    short = why if len(why) <= 300 else f"{why[:297]}..."
    if sys.stderr is not None:
        print("".join(c if c.isprintable() else "?" for c in short), file=sys.stderr)
    return NO_RECORD


def forget_output() -> None:
    """What could not be written is not tried again when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
