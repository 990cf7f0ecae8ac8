"""``python -m app.migrate``: bring what is kept to the schema of this release, losing nothing."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from app import db
from app.ground import LASTING, TABLES
from app.live.folder import DataFolder, FolderError
from app.live.sqlite import prepare
from app.live.store import StoreError
from app.settings import Settings, SettingsError, read_settings

WRONG, FAILED = 2, 1


async def _upgrade(settings: Settings) -> None:
    url = settings.database_url
    if url is not None:
        engine = db.deployed(url.get_secret_value())
        try:
            await db.upgrade(engine)
        finally:
            await db.close(engine)
        return
    # Nobody else may be at the files: a server migrates its own when it starts.
    with closing(DataFolder(settings.data)) as folder:
        prepare(folder.path / TABLES)
        db.check(folder.path / LASTING)
        engine = db.embedded(folder.path / LASTING)
        try:
            await db.upgrade(engine)
        finally:
            await engine.dispose()


def main(arguments: Sequence[str] | None = None) -> int:
    """Migrate by the server's own settings; doing it twice, or from several places at once, is
    doing it once. Returns the exit status: 2 for a wrong argument or setting."""
    parser = argparse.ArgumentParser(
        prog="ezo-migrate",
        description="Bring what is kept to the schema of this release, losing nothing. It reads "
        "the server's own settings (EZO_DATABASE_URL, or the data folder).",
    )
    parser.add_argument("--data", type=Path, help="folder that keeps the tables (./data)")
    given = parser.parse_args(arguments)
    os.umask(0o077)  # what is kept is for nobody else
    try:
        asyncio.run(_upgrade(read_settings(data=given.data)))
    except SettingsError as error:
        return _failed(str(error), WRONG)
    except (FolderError, StoreError, db.DatabaseError) as error:
        return _failed(str(error))
    sys.stdout.write("ezo: the schema is that of this release\n")
    return 0


def _failed(line: str, status: int = FAILED) -> int:
    sys.stderr.write(f"ezo: {line}\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
