"""The engine's benchmarks, or the ones named: ``python -m benchmarks [nardi] [domino]``; and
``python -m benchmarks load [options]``, which takes longer."""

from __future__ import annotations

import sys

from benchmarks import domino, nardi

ALL = {"nardi": nardi.main, "domino": domino.main}


def main(names: list[str]) -> int:
    if names[:1] == ["load"]:
        from benchmarks import load  # noqa: PLC0415 - it needs servers, the others do not

        return load.main(names[1:])
    unknown = sorted(set(names) - ALL.keys())
    if unknown:
        print(
            f"no such benchmark: {', '.join(unknown)}; there are {', '.join(ALL)}", file=sys.stderr
        )
        return 2
    return max(ALL[name]() for name in names or ALL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
