"""What the processes of a pool do in tests: functions that they find by name."""

from __future__ import annotations

import os
import sys
import threading

from app.bots.asked import Asked, NoAnswerError
from engine.game import Json


def pid(asked: Asked) -> Json:
    """Which process it is."""
    return {"pid": os.getpid(), "seed": asked.seed}


def never(asked: Asked) -> Json:
    """Some think for ever."""
    if asked.level == "slow":
        threading.Event().wait()
    return pid(asked)


def dies(asked: Asked) -> Json:
    """The first time that it is asked, its process ends."""
    mark = asked.view["mark"]
    try:
        os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return pid(asked)
    os._exit(1)


def always_dies(_: Asked) -> Json:
    os._exit(1)


def refuses(_: Asked) -> Json:
    raise NoAnswerError("not legal")


def loaded(_: Asked) -> Json:
    """Whether what a game's computer players are made of is there."""
    return {"loaded": "app.bots.domino" in sys.modules}
