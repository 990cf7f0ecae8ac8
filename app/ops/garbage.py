"""Python's search for garbage in cycles, kept out of the players' way.

A full search walks every object there is and nothing else happens meanwhile: about a fifth of a
second at a server of a few hundred players, measured, at moments that nobody chooses.
"""

from __future__ import annotations

import gc
from typing import Final

YOUNG: Final = 10_000
"""So many more objects than before are there when the young are looked through. Most of what a
move makes is gone by then without a search, by its count of references."""
OLDER: Final = 10
"""So often the young, until those that stayed are looked through again."""
ALL: Final = 20
"""So often those, until everything is."""


def calm() -> None:
    """To be called once everything is loaded and stands: it stays as long as the process, and is
    never looked through again; what comes and goes with players is, less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, OLDER, ALL)
