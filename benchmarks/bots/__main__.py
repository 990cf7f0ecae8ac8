"""How strong the computer players are: ``python -m benchmarks.bots GAME [options]``; a game's
options: ``python -m benchmarks.bots GAME --help``."""

from __future__ import annotations

import importlib
import sys
from typing import Final

GAMES: Final = ("domino", "nardi")


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0] not in GAMES:
        print(f"which game: {' or '.join(GAMES)}", file=sys.stderr)
        return 2
    # One game's benchmark may need packages that the other's does not.
    bench = importlib.import_module(f"benchmarks.bots.{arguments[0]}")
    status: int = bench.main(arguments[1:])
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
