"""The engine's benchmarks, or the ones named: ``python -m benchmarks [nardi] [domino]``; and those
that take longer, ``python -m benchmarks load [options]``, ``… layout``, ``… first_load`` and
``… bots GAME [options]``."""

from __future__ import annotations

import sys

from benchmarks import domino, nardi

ALL = {"nardi": nardi.main, "domino": domino.main}


def main(names: list[str]) -> int:
    if names[:1] == ["load"]:
        from benchmarks import load  # noqa: PLC0415 - it needs servers, the others do not

        return load.main(names[1:])
    if names[:1] == ["layout"]:
        from benchmarks import layout  # noqa: PLC0415 - it needs a browser, the others do not

        return layout.main(names[1:])
    if names[:1] == ["first_load"]:
        from benchmarks import first_load  # noqa: PLC0415 - the same

        return first_load.main(names[1:])
    if names[:1] == ["bots"]:
        from benchmarks.bots import __main__ as bots  # noqa: PLC0415 - nor what players need

        return bots.main(names[1:])
    unknown = sorted(set(names) - ALL.keys())
    if unknown:
        print(
            f"no such benchmark: {', '.join(unknown)}; there are {', '.join(ALL)}", file=sys.stderr
        )
        return 2
    return max(ALL[name]() for name in names or ALL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
