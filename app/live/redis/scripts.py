"""The scripts that Redis runs, each in its own file beside this one."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from importlib import resources
from typing import Final


@dataclass(frozen=True, slots=True)
class Script:
    """A script, and the name Redis knows it by."""

    name: str
    source: bytes = field(repr=False)
    sha: bytes = field(repr=False)


def _script(name: str) -> Script:
    source = resources.files(__package__).joinpath(f"{name}.lua").read_bytes()
    return Script(name, source, hashlib.sha1(source, usedforsecurity=False).hexdigest().encode())


SAVE: Final = _script("save")
LOG: Final = _script("log")
RECORD: Final = _script("record")
LISTED: Final = _script("listed")
SEATS: Final = _script("seats")
LEASE_DUE: Final = _script("lease_due")
NEXT_DUE: Final = _script("next_due")
STUCK: Final = _script("stuck")
ARMED: Final = _script("armed")
WATCH: Final = _script("watch")
NUMBERS: Final = _script("numbers")
BEAT: Final = _script("beat")
LIVING: Final = _script("living")
MARKING: Final = _script("marking")
MARKED: Final = _script("marked")
RELEASE: Final = _script("release")
QUICK: Final = _script("quick")
