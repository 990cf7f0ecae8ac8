"""The servers behind the store: one Redis, or the primaries of a cluster.

Which of them has which slot redis-py's ``NodesManager`` finds out and knows. Its ``RedisCluster``
is not asked to carry out commands: that one asks again by itself when an answer is lost, so that
a save that stands looks like one that came too late.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Any, Final

from redis.asyncio.cluster import ClusterNode, NodesManager
from redis.cluster import PRIMARY
from redis.exceptions import RedisError

from app.live.redis.errors import Refused, Unanswered, Unreached
from app.live.redis.node import Node
from app.live.redis.place import TIMEOUT, options_of, place_of
from app.live.redis.scripts import Script
from app.live.redis.wire import Command
from app.live.store import StoreError

log = logging.getLogger(__name__)

TRIES: Final = 5
"""So often a command goes where it is sent by those who know that they did nothing."""


class Nodes:
    """All servers, and which of them has which slot. Found out by :meth:`open`."""

    def __init__(self, first: ClusterNode) -> None:
        self._first = first
        self._slots = NodesManager(
            [first],
            require_full_coverage=True,
            connection_kwargs=options_of(first),
            # A cluster may say that all its servers are where the first one was found.
            address_remap=lambda at: (at[0] or first.host, at[1]),
        )
        self._nodes: dict[str, Node] = {}
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
        nodes = cls(place_of(url))
        try:
            info: bytes = await nodes.call(0, (b"INFO", b"cluster"))
            nodes.cluster = b"cluster_enabled:1" in info
            if nodes.cluster and not await nodes.refresh():
                raise StoreError("the cluster does not say who has which slot")  # noqa: TRY301
            for place in nodes.primaries():
                await nodes._node(place).keeps()
        except BaseException:
            await nodes.close()
            raise
        return nodes

    def primaries(self) -> tuple[ClusterNode, ...]:
        """The servers that have slots."""
        if not self.cluster:
            return (self._first,)
        return tuple(self._slots.get_nodes_by_server_type(PRIMARY))

    def at(self, slot: int) -> ClusterNode:
        """Where a slot is."""
        return self._slots.get_node_from_slot(slot) if self.cluster else self._first

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

    async def refresh(self, failed: ClusterNode | None = None) -> bool:
        """Learn anew which server has which slot, from ``failed`` last. Whether any of them could
        say."""
        if not self.cluster:
            return True
        if self._refreshing is None:
            self._refreshing = asyncio.create_task(self._refresh(failed))
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
                await self._node(self.at(slot)).call(command)
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

    def _node(self, place: ClusterNode) -> Node:
        node = self._nodes.get(place.name)
        if node is None:
            node = self._nodes[place.name] = Node(place)
        return node

    async def _call(self, slot: int, command: Command, again: bool) -> Any:
        if self._stale:
            await self.refresh()
        node = self._node(self.at(slot))
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
                node, asking = await self._redirected(node, error)
            else:
                self._stale = self.cluster
                # A server that hangs is not waited for twice; another may have its slots by now.
                brief = asyncio.get_running_loop().time() - began < TIMEOUT
                elsewhere = self.cluster and isinstance(error, Unreached)
                if lost or not (elsewhere or (again and brief)):
                    break
                lost = True
                await self.refresh(node.place)
                node, asking = self._node(self.at(slot)), False
            try:
                return await node.call(command, asking=asking)
            except (Refused, Unreached, Unanswered) as another:
                error = another
        raise error

    async def _redirected(self, node: Node, refused: Refused) -> tuple[Node, bool]:
        """Where to go instead, and whether the slot is still on its way there."""
        target = refused.target
        if target is None:  # TRYAGAIN: some of the keys are here, some there
            await asyncio.sleep(0.05)
            return node, False
        target.host = target.host or node.place.host
        if refused.code == "MOVED":
            await self._slots.move_slot(target)
            return self._node(self.at(target.slot_id)), False
        known = self._slots.get_node(target.host, target.port)
        options = options_of(self._first)
        return self._node(known or ClusterNode(target.host, target.port, PRIMARY, **options)), True

    async def _refresh(self, failed: ClusterNode | None) -> bool:
        # The first one stays among those who are asked: its name may lead to others by now.
        self._slots.startup_nodes.setdefault(self._first.name, self._first)
        try:
            await self._slots.initialize(last_failed_node_name=failed.name if failed else None)
            self._stale = False
        except Exception:  # noqa: BLE001 - whatever it was, nobody could say
            self._stale = True
        finally:
            # All was answered; the next time it is asked on fresh connections.
            with contextlib.suppress(RedisError):
                await self._slots.aclose("startup_nodes")
            self._refreshing = None
        return not self._stale
