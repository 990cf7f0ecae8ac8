"""How many sockets this process serves, and of one player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


class TooManyError(Exception):
    """No room for another socket."""


class Room:
    """The sockets of this process, as many as fit."""

    def __init__(self, most: int, most_of_a_player: int) -> None:
        self._most = most
        self._most_of_a_player = most_of_a_player
        self._all = 0
        self._players: Counter[str] = Counter()

    @contextmanager
    def place(self, player: str | None) -> Iterator[None]:
        """A place for one socket while it lives. Raises :class:`TooManyError`."""
        if self._all >= self._most:
            raise TooManyError
        if player is not None and self._players[player] >= self._most_of_a_player:
            raise TooManyError
        self._all += 1
        if player is not None:
            self._players[player] += 1
        try:
            yield
        finally:
            self._all -= 1
            if player is not None:
                self._players[player] -= 1
                if not self._players[player]:
                    del self._players[player]
