"""GNU Backgammon's network at 0-ply, in a process of its own:
``python benchmarks/bots/gnubg_worker.py``.

Its library is under the GPL, so nothing else imports it, and this imports nothing of ours. A line
of JSON in, one out: ``{"position": ID, "dice": [3, 1]}``, the one to move on roll, gives
``{"moves": [[8, 5], [6, 5]]}`` (25: the bar, 0: off), its choice at money play without a cube.
"""

from __future__ import annotations

import importlib
import json
import sys


def main() -> int:
    try:
        gnubg = importlib.import_module("gnubg_nn")
    except ImportError:
        print(json.dumps({"missing": "gnubg-nn"}), flush=True)
        return 2
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        board = gnubg.board_from_position_id(asked["position"])
        moves = gnubg.best_move(board, *asked["dice"], n=0)
        print(json.dumps({"moves": [list(move) for move in moves]}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
