"""What is written to standard error: one line for each thing that went wrong, or began, or ended.

Never a tile, a secret, a name, a cookie or an invite. A table is called by its
:func:`~app.ops.context.alias`. Of an exception the trace is written, and its own words only where
they are ours and were written to be read: others may hold whatever was being worked on.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Literal, TextIO, TypeAlias

import structlog

from app.db import DatabaseError
from app.live.folder import FolderError
from app.live.store import StoreError
from app.ops import context, metrics

if TYPE_CHECKING:
    from structlog.typing import EventDict

Form: TypeAlias = Literal["json", "text"]
Level: TypeAlias = Literal["debug", "info", "warning", "error"]

log = logging.getLogger(__name__)

SAID: Final = (StoreError, DatabaseError, FolderError)
"""Errors whose words are ours, and hold nothing of a table or a player."""
FRAMES: Final = 40
"""So many calls of a trace are written, the last ones."""
LINKS: Final = 8
"""So many exceptions of a chain."""
_LOUD: Final = ("aiosqlite", "asyncio", "websockets", "alembic", "sqlalchemy")
"""Libraries that tell values, or too much, below a warning."""


def set_up(form: Form, level: Level, out: TextIO | None = None) -> None:
    """Write everything to ``out`` (standard error) from now on: logs of the house and of its
    libraries, warnings, and exceptions that nobody caught, in any thread."""
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[_about],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            _traced,
            _json if form == "json" else _text,
        ],
    )
    handler = logging.StreamHandler(sys.stderr if out is None else out)
    handler.setFormatter(formatter)
    handler.addFilter(_not_told_already)
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    for name in _LOUD:
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
    logging.captureWarnings(capture=True)
    # What cannot even be formatted must not be printed with its values.
    logging.raiseExceptions = False
    sys.excepthook = _uncaught
    sys.unraisablehook = _unraisable
    threading.excepthook = _in_thread


def _about(_: object, __: str, event: EventDict) -> EventDict:
    """When, how grave, from where, and what it is about."""
    record: logging.LogRecord = event["_record"]
    metrics.LOGGED.labels(record.levelname.lower()).inc()
    about: dict[str, Any] = {
        "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
        "level": record.levelname.lower(),
        "logger": record.name,
    }
    process, request, table = context.PROCESS.get(), context.REQUEST.get(), context.TABLE.get()
    if process is not None:
        about["process"] = process
    if request is not None:
        about["request"] = request
    if table is not None:
        about["table"] = context.alias(table)
    more = getattr(record, "told", None)
    if isinstance(more, dict):
        about |= more
    return {**about, **event}


def _traced(_: object, __: str, event: EventDict) -> EventDict:
    """The exception, if there is one, as its trace."""
    info = event.pop("exc_info", None)
    error = info[1] if isinstance(info, tuple) else info
    if isinstance(error, BaseException):
        event["trace"] = list(trace(error))
    event.pop("stack_info", None)
    return event


@asynccontextmanager
async def failing(what: str) -> AsyncIterator[None]:
    """Say what failed, in one line where the words are ours."""
    try:
        yield
    except SAID as error:
        log.error("%s: %s", what, error)  # noqa: TRY400 - its place says nothing
        raise
    except Exception:
        log.exception(what)
        raise


def _not_told_already(record: logging.LogRecord) -> bool:
    """Not the trace with all its words that the server is given when the site cannot be opened or
    closed, nor that it could not: :func:`failing` has said it."""
    told = ("Traceback ", "Application startup failed")
    return record.name != "uvicorn.error" or not str(record.msg).startswith(told)


def in_loop(_: asyncio.AbstractEventLoop, found: dict[str, Any]) -> None:
    """What an event loop is to do with a fault that nobody waits for. Left to itself it writes
    the task with all that it holds."""
    error = found.get("exception")
    log.error("a task failed", exc_info=error if isinstance(error, BaseException) else None)


def trace(error: BaseException) -> Iterator[str]:
    """Where an exception and those that led to it come from, the first first: no values."""
    chain: list[BaseException] = []
    each: BaseException | None = error
    while each is not None and each not in chain and len(chain) < LINKS:
        chain.append(each)
        each = each.__cause__ or (None if each.__suppress_context__ else each.__context__)
    for link in reversed(chain):
        yield from _frames(link.__traceback__)
        yield named(link)
        if isinstance(link, BaseExceptionGroup):
            for part in link.exceptions[:LINKS]:
                yield from (f"| {line}" for line in trace(part))


def named(error: BaseException) -> str:
    """What an exception is, with its words where they are ours."""
    name = type(error).__name__
    return f"{name}: {error}" if isinstance(error, SAID) else name


def _frames(tb: TracebackType | None) -> list[str]:
    lines = []
    while tb is not None:
        code = tb.tb_frame.f_code
        lines.append(f"{code.co_filename}:{tb.tb_lineno} {code.co_name}")
        tb = tb.tb_next
    return lines[-FRAMES:]


_as_json = structlog.processors.JSONRenderer(ensure_ascii=False)


def _json(logger: Any, name: str, event: EventDict) -> str:
    line = _as_json(logger, name, event)
    return line if isinstance(line, str) else line.decode()


def _text(_: object, __: str, event: EventDict) -> str:
    """A line for people: what, then what it is about, then the trace."""
    time, level = event.pop("time"), event.pop("level")
    said = " ".join(str(event.pop("event")).split())
    lines = event.pop("trace", [])
    about = " ".join(f"{key}={value}" for key, value in event.items())
    return "\n  ".join([f"{time} {level} {said} {about}", *lines])


def _uncaught(kind: type[BaseException], error: BaseException, tb: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        return
    log.critical("the process ends by a fault", exc_info=(kind, error, tb))


def _unraisable(found: sys.UnraisableHookArgs) -> None:
    if found.exc_value is not None:
        log.error("a fault was raised where nobody could catch it", exc_info=found.exc_value)


def _in_thread(found: threading.ExceptHookArgs) -> None:
    if found.exc_value is not None:
        log.critical("a thread ends by a fault", exc_info=found.exc_value)
