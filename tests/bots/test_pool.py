"""The processes in which computer players think: real ones, that die and hang."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from app.bots import pool
from app.bots.asked import Asked, NoAnswerError
from app.bots.pool import Pool
from engine import games
from engine.chance import Seeded
from engine.game import play_on
from tests.app.houses import eventually
from tests.bots import thinkers

LONG = 60.0
"""Seconds that a process may take to begin on a busy machine."""


def asked(seed: int = 0, level: str = "easy", **view: str) -> Asked:
    return Asked("domino", "georgian", level, view, ({"a": 1}, {"a": 2}), seed)


async def test_another_process_thinks() -> None:
    async with Pool(1, thinkers.pid) as thinking:
        first, second = [await thinking.choose(asked(n), LONG) for n in (1, 2)]
    assert first["pid"] == second["pid"] != os.getpid()
    assert (first["seed"], second["seed"]) == (1, 2)


async def test_a_real_computer_player_answers_from_there() -> None:
    game = games.game("domino", "georgian")
    state = play_on(game, game.start({"target": 75}), Seeded(b"pool")).state
    (seat,) = game.to_act(state)
    legal = tuple(game.action_to_json(each) for each in game.legal(state, seat))
    view = game.view(state, seat)
    async with Pool(1) as thinking:
        chosen = await thinking.choose(Asked("domino", "georgian", "easy", view, legal, 1), LONG)
    assert chosen in legal


async def test_a_process_that_dies_is_replaced_and_asked_again(tmp_path: Path) -> None:
    async with Pool(1, thinkers.dies) as thinking:
        answer = await thinking.choose(asked(7, mark=str(tmp_path / "died")), LONG)
    assert answer["seed"] == 7


async def test_processes_that_always_die_have_no_answer_and_harm_nobody() -> None:
    async with Pool(1, thinkers.always_dies) as thinking:
        for _ in range(2):
            with pytest.raises(NoAnswerError, match="do not live"):
                await thinking.choose(asked(), LONG)


async def test_one_that_thinks_for_ever_keeps_nobody_waiting_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with Pool(1, thinkers.never) as thinking:
        before = await thinking.choose(asked(1), LONG)
        monkeypatch.setattr(pool, "STUCK", 0.2)
        slow = asyncio.create_task(thinking.choose(asked(2, "slow"), 0.1))
        await asyncio.sleep(0)
        monkeypatch.setattr(pool, "STUCK", LONG)
        others = [asyncio.create_task(thinking.choose(asked(n), LONG)) for n in (3, 4)]
        with pytest.raises(NoAnswerError, match="too late"):
            await slow
        after = [await each for each in others]
    assert [each["seed"] for each in after] == [3, 4]
    assert {each["pid"] for each in after}.isdisjoint({before["pid"]})


async def test_one_that_takes_longer_than_is_waited_is_let_finish() -> None:
    async with Pool(1) as thinking:  # to begin takes longer than this, as loading may
        with pytest.raises(NoAnswerError, match="too late"):
            await thinking.choose(asked(1), 0.01)
        begun = thinking._executor
        with pytest.raises(NoAnswerError, match="too late"):  # it has not even been given out
            await thinking.choose(asked(2), 0.01)
        assert thinking._executor is begun is not None
        with pytest.raises(NoAnswerError, match="KeyError"):  # a view without anything
            await thinking.choose(asked(3), LONG)
        assert thinking._executor is begun


async def test_where_there_are_no_processes_there_is_no_answer() -> None:
    async with Pool(0) as thinking:
        thinking.warm("domino", "georgian")
        with pytest.raises(NoAnswerError, match="none think here"):
            await thinking.choose(asked(), LONG)


async def test_a_killed_process_is_replaced() -> None:
    async with Pool(1, thinkers.pid) as thinking:
        first = await thinking.choose(asked(), LONG)
        os.kill(first["pid"], signal.SIGKILL)
        second = await thinking.choose(asked(), LONG)
    assert second["pid"] != first["pid"]


async def test_so_many_wait_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "WAITING", 1)
    async with Pool(1, thinkers.never) as thinking:
        waits = asyncio.create_task(thinking.choose(asked(1, "slow"), 5))
        await asyncio.sleep(0)
        with pytest.raises(NoAnswerError, match="too many"):
            await thinking.choose(asked(2), LONG)
        waits.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waits


async def test_what_a_computer_player_may_not_play_is_no_answer() -> None:
    async with Pool(1, thinkers.refuses) as thinking:
        with pytest.raises(NoAnswerError, match="not legal"):
            await thinking.choose(asked(), LONG)


async def test_no_process_outlives_its_house() -> None:
    code = (
        "import asyncio\n"
        "from app.bots.pool import Pool\n"
        "from tests.bots import test_pool, thinkers\n"
        "async def main():\n"
        "    thinking = Pool(1, thinkers.pid)\n"
        "    print((await thinking.choose(test_pool.asked(), 60))['pid'], flush=True)\n"
        "    await asyncio.Event().wait()\n"
        "asyncio.run(main())\n"
    )
    parent = await asyncio.to_thread(
        subprocess.Popen,
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert parent.stdout is not None
    child = int(await asyncio.to_thread(parent.stdout.readline))
    parent.kill()
    await asyncio.to_thread(parent.wait)
    parent.stdout.close()

    async def gone() -> bool | None:
        return True if await asyncio.to_thread(has_ended, child) else None

    assert await eventually(gone)


def has_ended(process: int) -> bool:
    """Whether a process is no more, or nothing but a name that nobody has taken off the list."""
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except FileNotFoundError:
        return True
    return status.rpartition(")")[2].split()[0] == "Z"


async def test_it_is_made_ready_before_anybody_asks() -> None:
    async with Pool(1, thinkers.loaded) as thinking:
        cold = await thinking.choose(asked(), LONG)
        thinking.warm("domino", "georgian")
        warm = await thinking.choose(asked(), LONG)
        thinking.warm("chess", "blitz")
        after = await thinking.choose(asked(), LONG)
    assert (cold["loaded"], warm["loaded"], after["loaded"]) == (False, True, True)
    thinking.warm("domino", "georgian")  # closed: nothing comes of it
