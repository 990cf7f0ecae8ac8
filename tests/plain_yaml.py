"""The part of YAML that our own files are written in, read strictly: mappings, lists, text, and
blocks of lines. What is not of it raises ``ValueError``."""

from __future__ import annotations

import json
import re
from typing import Any

_KEY = re.compile(r"([A-Za-z_][\w.-]*):(?: +(.*))?$")


def read(text: str) -> Any:
    """The value of a document; all that is no mapping or list is text."""
    lines = [
        (len(line) - len(line.lstrip(" ")), line.strip())
        for line in text.splitlines()
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if "\t" in text:
        raise ValueError("a tab")
    value, rest = _block(lines, 0)
    if rest:
        raise ValueError(f"out of place: {rest[0][1]}")
    return value


Lines = list[tuple[int, str]]


def _block(lines: Lines, indent: int) -> tuple[Any, Lines]:
    if lines[0][1].startswith("- "):
        return _list(lines, indent)
    found: dict[str, Any] = {}
    while lines and lines[0][0] == indent:
        match = _KEY.match(lines[0][1])
        if match is None:
            raise ValueError(f"no key: {lines[0][1]}")
        key, said = match[1], match[2]
        if key in found:
            raise ValueError(f"twice: {key}")
        found[key], lines = _value(said, lines[1:], indent)
    return found, lines


def _list(lines: Lines, indent: int) -> tuple[list[Any], Lines]:
    found = []
    while lines and lines[0][0] == indent and lines[0][1].startswith("- "):
        value, lines = _value(lines[0][1][2:], lines[1:], indent)
        found.append(value)
        if isinstance(value, str) and _KEY.match(value):
            key, _, said = value.partition(":")
            found[-1] = {key: _scalar(said.strip())}
    return found, lines


def _value(said: str | None, lines: Lines, indent: int) -> tuple[Any, Lines]:
    deeper = bool(lines) and lines[0][0] > indent
    if said == "|":
        taken = []
        while lines and lines[0][0] > indent:
            taken.append(lines[0][1])
            lines = lines[1:]
        return "".join(f"{line}\n" for line in taken), lines
    if said is None:
        return _block(lines, lines[0][0]) if deeper else (None, lines)
    if deeper:
        raise ValueError(f"out of place: {lines[0][1]}")
    return _scalar(said), lines


def _scalar(said: str) -> Any:
    if said[:1] in {'"', "[", "{"}:
        return json.loads(said)
    if said[:1] in {"'", "&", "*", "!", ">", "|", "%", "@", "`"} or " #" in said:
        raise ValueError(f"not of our part: {said}")
    return said
