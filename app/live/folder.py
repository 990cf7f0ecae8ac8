"""The data folder: one process at a time, and its secrets for nobody else."""

from __future__ import annotations

import fcntl
import os
import secrets
from pathlib import Path


class FolderError(Exception):
    """The data folder cannot be used. The message is one line for whoever starts the server."""


class DataFolder:
    """A folder held by this process until :meth:`close`, or until the process dies."""

    def __init__(self, path: Path) -> None:
        """Make the folder if need be and lock it. Raises :class:`FolderError`."""
        self.path = path
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = os.open(path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise FolderError(f"the data folder {path} cannot be used: {error.strerror}") from None
        try:
            # The system lets go of it when the process ends, however it ends.
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._lock)
            raise FolderError(
                f"the data folder {path} is in use by another running server; "
                "stop that one, or name another folder with --data"
            ) from None

    def secret(self, name: str) -> str:
        """A random key of this folder, made at the first asking and kept in a file of mode 0600.

        Raises :class:`FolderError`.
        """
        path = self.path / name
        try:
            if not path.exists():
                # Written whole beside it, then renamed: a crash leaves no half key.
                draft = path.with_suffix(".draft")
                draft.unlink(missing_ok=True)
                file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with os.fdopen(file, "w", encoding="ascii") as out:
                    out.write(secrets.token_hex(32))
                    out.flush()
                    os.fsync(out.fileno())
                draft.rename(path)
            key = path.read_text("ascii").strip()
        except (OSError, UnicodeDecodeError):
            raise FolderError(f"the key file {path} cannot be used") from None
        if not key:
            raise FolderError(f"the key file {path} is empty; remove it and all are guests anew")
        return key

    def close(self) -> None:
        """Let the folder go. Doing so twice does no harm."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1
