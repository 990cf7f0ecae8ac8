"""How many sockets this process serves, of one player, and of one address."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from app.web.proxies import group_of


class TooManyError(Exception):
    """No room for another socket."""


class Room:
    """The sockets of this process, as many as fit: ``most`` in all, and of one player and of one
    address, as rates count it. Whoever has no cookie has no bound but the last."""

    def __init__(self, most: int, most_of_a_player: int, most_of_an_address: int) -> None:
        self._most = most
        self._most_of_a_player = most_of_a_player
        self._most_of_an_address = most_of_an_address
        self._all = 0
        self._players: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()

    @contextmanager
    def place(self, player: str | None, address: str) -> Iterator[None]:
        """A place for one socket while it lives. Raises :class:`TooManyError`."""
        group = group_of(address)
        if self._all >= self._most or self._addresses[group] >= self._most_of_an_address:
            raise TooManyError
        if player is not None and self._players[player] >= self._most_of_a_player:
            raise TooManyError
        self._all += 1
        self._addresses[group] += 1
        if player is not None:
            self._players[player] += 1
        try:
            yield
        finally:
            self._all -= 1
            _less(self._addresses, group)
            if player is not None:
                _less(self._players, player)


def _less(counted: Counter[str], of: str) -> None:
    counted[of] -= 1
    if not counted[of]:
        del counted[of]
