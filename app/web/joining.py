"""The modules of a page as one, and the parts of a sheet of styles: a slow line pays for every
file, and a page has some eighty.

The tree holds plain modules and sheets, and each is served under its own address as well; this only
puts one after the other, in the order in which a browser would run them, each module in a function
of its own. It understands imports and exports as this project writes them, and nothing cleverer.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from typing import Final

_COMMENT: Final = re.compile(
    r"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/[ \t]*|//[^\n]*)$", re.MULTILINE | re.DOTALL
)
"""A comment that has its lines for itself."""
_IMPORT: Final = re.compile(
    r'^import (?:(?P<names>\{[^}]*\}|\* as \w+) from )?"(?P<path>\.[^"]+)";$', re.MULTILINE
)
_PART: Final = re.compile(r'^@import "(?P<path>[^":]+)";(?:\n|\Z)', re.MULTILINE)
_LATER: Final = re.compile(r'\bimport\("(\.[^"]+)"\)')
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)


class UnjoinableError(Exception):
    """The modules or sheets cannot be joined: one is not there, one needs itself, or one is
    written in a way that is not understood."""


def without_comments(script: str) -> str:
    r"""A script without what is for its readers alone: that is a third of it. Its lines keep their
    numbers. A script with a text of several lines is left as it is.

    >>> without_comments("/** One.\n * Two. */\nlet a = 1; // three\n  // four\n")
    '\n\nlet a = 1; // three\n\n'
    """
    bare = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), script)
    return script if any(line.count("`") % 2 for line in bare.split("\n")) else bare


def join(
    scripts: Mapping[str, str],
    roots: Iterable[str],
    elsewhere: str,
    later: Mapping[str, str] | None = None,
) -> str:
    """The modules ``roots`` of ``scripts`` (by their paths, without comments), and all that they
    import, as one. What is imported later and is not among them is fetched from its address in
    ``later``, by path, else from ``elsewhere``, the address of the folder. Raises
    :class:`UnjoinableError`."""
    order: list[str] = []
    under_way: set[str] = set()

    def visit(path: str) -> None:
        if path in order:
            return
        if path in under_way or path not in scripts:
            raise UnjoinableError(path)
        under_way.add(path)
        for found in _IMPORT.finditer(scripts[path]):
            visit(_target(path, found["path"]))
        order.append(path)

    for root in roots:
        visit(root)
    number = {path: n for n, path in enumerate(order)}
    addresses = later or {}
    return "".join(_part(path, scripts[path], number, elsewhere, addresses) for path in order)


def join_later(
    scripts: Mapping[str, str], path: str, elsewhere: str, later: Mapping[str, str]
) -> str:
    """A module that pages import later, and all that it imports, as one module with its exports.
    Raises :class:`UnjoinableError`."""
    joined = join(scripts, (path,), elsewhere, later)
    exports = ", ".join(_EXPORT.findall(scripts[path]))
    return f"{joined}export const {{ {exports} }} = ${_last(joined)};\n"


def imported_later(scripts: Mapping[str, str]) -> frozenset[str]:
    """The modules that others import when they are wanted."""
    return frozenset(
        target
        for path, script in scripts.items()
        for found in _LATER.finditer(script)
        if (target := _target(path, found[1])) in scripts
    )


def _last(joined: str) -> str:
    """The number of the last part of what is joined."""
    numbers: list[str] = re.findall(r"^const \$(\d+) = ", joined, re.MULTILINE)
    return numbers[-1]


def join_sheets(sheets: Mapping[str, str], path: str, above: tuple[str, ...] = ()) -> str:
    """The sheet ``path`` of ``sheets`` with its parts in the place of their ``@import``s. Raises
    :class:`UnjoinableError`."""
    if path in above or path not in sheets:
        raise UnjoinableError(path)
    joined = _PART.sub(
        lambda found: join_sheets(sheets, _target(path, found["path"]), (*above, path)),
        sheets[path],
    )
    if "@import" in joined:
        raise UnjoinableError(path)
    return joined


def _part(
    path: str,
    script: str,
    number: Mapping[str, int],
    elsewhere: str,
    addresses: Mapping[str, str],
) -> str:
    """A module as a constant that holds its exports."""

    def needs(found: re.Match[str]) -> str:
        names = found["names"]
        if names is None:
            return ""
        pattern = names.replace(" as ", ": ") if names.startswith("{") else names[5:]
        return f"const {pattern} = ${number[_target(path, found['path'])]};"

    def later(found: re.Match[str]) -> str:
        target = _target(path, found[1])
        if target in number:
            return f"Promise.resolve().then(() => ${number[target]})"
        address = addresses.get(target, f"{elsewhere}/{target}")
        return f'import("{address}")'

    exports = ", ".join(_EXPORT.findall(script))
    body = _LATER.sub(later, _EXPORT.sub("", _IMPORT.sub(needs, script)))
    if re.search(r"^(?:export|import)\b(?!\()", body, re.MULTILINE):
        raise UnjoinableError(path)
    body = re.sub(r"\n{2,}", "\n", body).strip("\n")
    return (
        f"// {path}\nconst ${number[path]} = (() => {{\n{body}\nreturn {{ {exports} }};\n}})();\n"
    )


def _target(path: str, named: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), named))
