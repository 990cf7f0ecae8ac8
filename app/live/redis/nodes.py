"""The servers behind the store: one Redis, or the primaries of a cluster."""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Final

from app.live.redis.keys import SLOTS
from app.live.redis.scripts import Script
from app.live.redis.source import Source, source_of
from app.live.redis.wire import (
    TIMEOUT,
    Access,
    Address,
    Command,
    Refused,
    Unanswered,
    Unreached,
    Wire,
    connect,
)
from app.live.store import StoreError

log = logging.getLogger(__name__)

ROOM: Final = 1_024
"""So many commands may be under way to one server; others wait."""
TRIES: Final = 5
"""So often a command goes where it is sent by those who know that they did nothing."""
LASTING: Final = (("appendonly", "yes"), ("appendfsync", "always"))
NEVER_DROPS: Final = ("maxmemory-policy", "noeviction")


class Node:
    """One server. It is connected to when something is asked of it."""

    def __init__(self, address: Address, access: Access) -> None:
        self.address = address
        self._access = access
        self._wire: Wire | None = None
        self._connecting: asyncio.Task[Wire | StoreError] | None = None
        self._room = asyncio.Semaphore(ROOM)

    @property
    def connected(self) -> bool:
        """Whether it was there when it was last heard of."""
        return self._wire is not None and not self._wire.closed

    async def call(self, command: Command, *, asking: bool = False) -> Any:
        """Raises :class:`Refused`, :class:`Unreached` or :class:`Unanswered`. ``asking``: the
        slot is on its way to this server."""
        async with self._room:
            wire = self._wire
            if wire is None or wire.closed:
                wire = await self._connected()
            if asking:
                wire.send((b"ASKING",))
            return await wire.call(command)

    async def finish(self) -> None:
        """Wait for all answers, then close."""
        if self._connecting is not None:
            await asyncio.wait({self._connecting})
        if self._wire is not None:
            await self._wire.finish()

    async def _connected(self) -> Wire:
        # All who wait share one attempt and its failure.
        if self._connecting is None:
            self._connecting = asyncio.create_task(self._connect())
        wire = await asyncio.shield(self._connecting)
        if isinstance(wire, StoreError):
            raise Unreached(str(wire))
        return wire

    async def _connect(self) -> Wire | StoreError:
        try:
            self._wire = await connect(self.address, self._access)
        except StoreError as error:
            return error
        finally:
            self._connecting = None
        return self._wire


class Nodes:
    """All servers, and which of them has which slot. Found out by :meth:`open`."""

    def __init__(self, source: Source) -> None:
        self._source = source
        first = self._node(source.address)
        self._nodes = {source.address: first}
        self._slots: list[Node] = [first] * SLOTS
        self._stale = False
        self._refreshing: asyncio.Task[bool] | None = None
        self._closed = False
        self._under_way = 0
        self._idle = asyncio.Event()
        self.cluster = False

    @classmethod
    async def open(cls, url: str) -> Nodes:
        """Connect, learn what there is, and see that it keeps what it acknowledges. Raises
        :class:`StoreError`."""
        nodes = cls(source_of(url))
        try:
            info: bytes = await nodes.call(0, (b"INFO", b"cluster"))
            nodes.cluster = b"cluster_enabled:1" in info
            if nodes.cluster and not await nodes.refresh():
                raise StoreError("the cluster does not say who has which slot")  # noqa: TRY301
            for node in nodes.primaries():
                await _keeps(node)
        except BaseException:
            await nodes.close()
            raise
        return nodes

    @property
    def access(self) -> Access:
        """How every server lets in."""
        return self._source.access

    def primaries(self) -> tuple[Node, ...]:
        """The servers that have slots."""
        return tuple(dict.fromkeys(self._slots))

    def at(self, slot: int) -> Address:
        """Where a slot is."""
        return self._slots[slot].address

    async def call(self, slot: int, command: Command, *, again: bool = False) -> Any:
        """Have a command carried out by who has the slot.

        It is sent once more only if it is certain that it was not carried out; with ``again``
        also where that is not known. Raises :class:`StoreError`: :class:`Unanswered` if it may
        have been carried out.
        """
        self._begin()
        try:
            return await self._call(slot, command, again)
        finally:
            self._end()

    async def run(
        self,
        slot: int,
        script: Script,
        keys: tuple[bytes, ...],
        args: Command = (),
        *,
        again: bool = False,
    ) -> Any:
        """Run a script like :meth:`call`."""
        rest = (len(keys), *keys, *args)
        self._begin()
        try:
            return await self._call(slot, (b"EVALSHA", script.sha, *rest), again)
        except Refused as refused:
            if refused.code != "NOSCRIPT":
                raise
            # It is not known there, so it has done nothing.
            return await self._call(slot, (b"EVAL", script.source, *rest), again)
        finally:
            self._end()

    async def refresh(self) -> bool:
        """Learn anew which server has which slot. Whether any of them could say."""
        if not self.cluster:
            return True
        if self._refreshing is None:
            self._refreshing = asyncio.create_task(self._refresh())
        return await asyncio.shield(self._refreshing)

    async def close(self, last: tuple[int, Command] | None = None) -> None:
        """Take nothing more, wait for all answers, say one last thing, and close."""
        self._closed = True
        while self._under_way:
            self._idle.clear()
            await self._idle.wait()
        if last is not None:
            slot, command = last
            try:
                await self._slots[slot].call(command)
            except StoreError as error:
                log.warning("the end of this process was not told: %s", error)
        if self._refreshing is not None:
            await asyncio.wait({self._refreshing})
        await asyncio.gather(*(node.finish() for node in self._nodes.values()))

    def _begin(self) -> None:
        if self._closed:
            raise StoreError("the store is closed")
        self._under_way += 1

    def _end(self) -> None:
        self._under_way -= 1
        if not self._under_way:
            self._idle.set()

    def _node(self, address: Address) -> Node:
        return Node(address, self._source.access)

    async def _call(self, slot: int, command: Command, again: bool) -> Any:
        if self._stale:
            await self.refresh()
        node = self._slots[slot]
        began = asyncio.get_running_loop().time()
        try:
            return await node.call(command)
        except (Refused, Unreached, Unanswered) as error:
            return await self._otherwise(slot, command, node, error, began, again=again)

    async def _otherwise(
        self,
        slot: int,
        command: Command,
        node: Node,
        error: Refused | Unreached | Unanswered,
        began: float,
        *,
        again: bool,
    ) -> Any:
        """Go where the answer says, if it is certain that nothing was done here; or once more,
        if that may be."""
        asking, lost = False, False
        for _ in range(TRIES - 1):
            if isinstance(error, Refused):
                if error.code not in {"MOVED", "ASK", "TRYAGAIN"}:
                    break
                node, asking = await self._redirected(slot, node, error)
            else:
                self._stale = self.cluster
                # A server that hangs is not waited for twice; another may have its slots by now.
                brief = asyncio.get_running_loop().time() - began < TIMEOUT
                elsewhere = self.cluster and isinstance(error, Unreached)
                if lost or not (elsewhere or (again and brief)):
                    break
                lost = True
                await self.refresh()
                node, asking = self._slots[slot], False
            try:
                return await node.call(command, asking=asking)
            except (Refused, Unreached, Unanswered) as another:
                error = another
        raise error

    async def _redirected(self, slot: int, node: Node, refused: Refused) -> tuple[Node, bool]:
        """Where to go instead, and whether the slot is still on its way there."""
        target = refused.target
        if target is None:  # TRYAGAIN: some of the keys are here, some there
            await asyncio.sleep(0.05)
            return node, False
        if not target.host:
            target = Address(node.address.host, target.port)
        other = self._nodes.setdefault(target, self._node(target))
        if refused.code == "MOVED":
            await self.refresh()
            self._slots[slot] = other
        return other, refused.code == "ASK"

    async def _refresh(self) -> bool:
        known = sorted(self._nodes.values(), key=lambda node: not node.connected)
        try:
            for node in known:
                try:
                    ranges = await node.call((b"CLUSTER", b"SLOTS"))
                except StoreError:
                    continue
                if self._learn(node, ranges):
                    return True
            self._stale = True
            return False
        finally:
            self._refreshing = None

    def _learn(self, asked: Node, ranges: list[Any]) -> bool:
        """Whether all slots are served by somebody, as far as it is known there."""
        slots: list[Node | None] = [None] * SLOTS
        for first, last, primary, *_ in ranges:
            host = primary[0].decode() if primary[0] else asked.address.host
            address = Address(host, primary[1])
            node = self._nodes.setdefault(address, self._node(address))
            slots[first : last + 1] = [node] * (last + 1 - first)
        found = [node for node in slots if node is not None]
        if len(found) < SLOTS:
            return False
        self._slots = found
        self._stale = False
        return True


async def _keeps(node: Node) -> None:
    """What it acknowledges must be on its disk, and stay there."""
    for name, wanted in (*LASTING, NEVER_DROPS):
        try:
            answer: list[bytes] = await node.call((b"CONFIG", b"GET", name))
        except Refused as refused:
            log.warning("Redis does not tell whether %s is %s: %s", name, wanted, refused)
            continue
        value = answer[1].decode() if len(answer) > 1 else "not there"
        if value != wanted:
            raise StoreError(f"Redis must be set to {name} {wanted}; it is {value}")
