"""What the keys in Redis are called, and which of them share a slot.

A table belongs to one of 64 shards. All that is kept of it, and the indexes of its shard, carry
the tag ``{NN}``, so that one script may touch them together on a cluster too.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from redis.crc import key_slot

SHARDS: Final = 64

Index: TypeAlias = Literal["due", "leases", "lobby", "listings", "seats", "marks"]

CLOCK: Final = b"ezo:{site}:clock"
"""Hash: what :class:`Reckoning` keeps."""
PROCESSES: Final = b"ezo:{site}:processes"
"""Sorted set: processes by the end of their lease, in the store's own time; 0: closed."""
LIVES: Final = b"ezo:{site}:lives"
"""Hash: which life of a process this is. A process taken for dead begins another."""
SITE: Final = key_slot(CLOCK)
"""The slot of the site's own keys."""

SEEKERS: Final = b"ezo:{quick}:seekers"
"""Hash: who seeks, by player: token, state, its detail, pool, since, and all else, packed."""
SEEKING: Final = b"ezo:{quick}:until"
"""Sorted set: the same players by when they lapse, in the store's own time."""
POOLS: Final = b"ezo:{quick}:waiting"
"""Sorted set of one score: ``pool NUL since NUL player`` of those who wait."""
QUICK: Final = key_slot(SEEKERS)
"""The slot of these."""


@dataclass(frozen=True, slots=True)
class Shard:
    """The keys of one shard.

    ``due``: sorted set, tables by due time. ``leases``: sorted set, tables by how often they were
    leased since they were saved. ``lobby``: sorted set, listed tables in the lobby's order.
    ``listings``: hash, by table. ``seats``: ``player NUL table NUL state``, ``marks``:
    ``process NUL table``, both sorted sets of one score, in the order of their bytes.
    """

    number: int
    prefix: bytes = field(init=False)
    slot: int = field(init=False)
    indexes: tuple[bytes, ...] = field(init=False)

    def __post_init__(self) -> None:
        prefix = b"ezo:{%02d}:" % self.number
        names: tuple[Index, ...] = ("due", "leases", "lobby", "listings", "seats", "marks")
        object.__setattr__(self, "prefix", prefix)
        object.__setattr__(self, "slot", key_slot(prefix))
        object.__setattr__(self, "indexes", tuple(prefix + name.encode() for name in names))

    def index(self, name: Index) -> bytes:
        """An index of the shard."""
        return self.prefix + name.encode()

    def table(self, table: str) -> bytes:
        """Hash: ``v`` version, ``n`` number of the last event, ``s`` state, ``y`` the seats and
        marks that are indexed."""
        return b"%st:%s" % (self.prefix, table.encode())

    def log(self, table: str) -> bytes:
        """List: the last events."""
        return b"%slog:%s" % (self.prefix, table.encode())

    def lines(self, table: str) -> bytes:
        """Hash: by match, how many pieces of its record there are; by ``match NUL number`` each
        piece."""
        return b"%sr:%s" % (self.prefix, table.encode())

    def watchers(self, table: str) -> bytes:
        """Set: the processes that watch."""
        return b"%sw:%s" % (self.prefix, table.encode())

    def of_table(self, table: str) -> tuple[bytes, ...]:
        """Everything that a save of a table may touch, in the script's order."""
        name = table.encode()
        prefix = self.prefix
        return (
            b"%st:%s" % (prefix, name),
            b"%slog:%s" % (prefix, name),
            b"%sr:%s" % (prefix, name),
            b"%sw:%s" % (prefix, name),
            *self.indexes,
        )

    def channels(self) -> bytes:
        """What the name of a process is put behind for its channel."""
        return self.prefix + b"p:"

    def channel(self, process: str) -> bytes:
        """Where a process is told of the saves of others."""
        return self.channels() + process.encode()


ALL: Final = tuple(Shard(number) for number in range(SHARDS))


def shard_of(table: str) -> Shard:
    """The shard of a table: the same for every process, always."""
    return ALL[zlib.crc32(table.encode()) % SHARDS]


def held(player: str) -> bytes:
    """String: the token of who holds the player."""
    return b"ezo:held:" + player.encode()
