"""How a call is declared: once for what serves it, once for the description."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeAlias

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from app.web.api.problems import Problem
from app.web.api.values import Told, sample
from app.web.bounds import TooOftenError, address_of
from app.web.site import site_of

PREFIX: Final = "/api/v1"
OWN: Final = "private, no-store"
"""Of what depends on who asks, or changes at any moment."""
SHORT: Final = "public, max-age=60"
"""Of what changes now and then."""
NAMED: Final = "public, max-age=300"
"""Of a finished match: it never changes, but for the name of a player who is deleted."""

Call: TypeAlias = Callable[..., Awaitable[Any]]

_KEEPING: Final = {"description": "How long the answer may be kept", "schema": {"type": "string"}}
_AGAIN: Final = {
    "description": "Seconds after which it may be tried again",
    "schema": {"type": "integer", "minimum": 1},
}
_ALLOW: Final = {"description": "Methods that there are", "schema": {"type": "string"}}
_SAID: Final[dict[int, tuple[str, dict[str, Any]]]] = {
    403: ("This needs an account: `register`", {}),
    404: ("There is no such thing: `not_found`, `no_player`, `no_table`, `no_match`", {}),
    405: ("Another method than GET or HEAD: `method`", {"Allow": {**_ALLOW, "required": True}}),
    414: ("A path of more than 512 bytes: `too_large`", {}),
    422: ("A parameter will not do: `invalid`, with its `fields`", {}),
    429: ("Too often: `too_often`", {"Retry-After": {**_AGAIN, "required": True}}),
    500: ("Something broke here: `fault`", {}),
    503: ("What has to be asked is away: `away`, `players_away`. Try again in a moment", {}),
}
_ALWAYS: Final = (405, 414, 429, 500)


async def counted(request: Request) -> None:
    """A dependency of every call. Raises :class:`TooOftenError`."""
    wait = await site_of(request).rates.hit("api", None, address_of(request))
    if wait:
        raise TooOftenError(wait)


class Calls:
    """The calls about one thing: ``served`` answers GET and HEAD, ``described`` says so of GET.
    ``examples``: an answer of each, by path."""

    def __init__(self, tag: str) -> None:
        self.served = APIRouter(prefix=PREFIX)
        self.described = APIRouter(prefix=PREFIX, tags=[tag])
        self.examples: dict[str, Any] = {}

    def get(
        self,
        path: str,
        summary: str,
        model: type[Told] | None = None,
        *,
        keep: str,
        may: tuple[int, ...] = (503,),
        example: Any = None,
    ) -> Callable[[Call], Call]:
        """Declare a call. ``keep``: its ``Cache-Control``; ``may``: what it may be answered beside
        what every call may; without a ``model`` it makes its answer itself."""

        def keeping(response: Response) -> None:
            response.headers["cache-control"] = keep

        def declared(call: Call) -> Call:
            self.served.add_api_route(
                path,
                call,
                methods=["GET", "HEAD"],
                response_model=model,
                dependencies=[Depends(keeping)],
                include_in_schema=False,
            )
            self.examples[PREFIX + path] = example if model is None else sample(model)
            answers: dict[int | str, dict[str, Any]] = {200: _found(any_object=model is None)}
            answers |= {status: _refused(status) for status in sorted({*_ALWAYS, *may})}
            self.described.add_api_route(
                path,
                call,
                methods=["GET"],
                response_model=model,
                response_class=JSONResponse,
                operation_id=call.__name__,
                summary=summary,
                responses=answers,
            )
            return call

        return declared


def _found(*, any_object: bool) -> dict[str, Any]:
    content: dict[str, Any] = {"schema": {"type": "object"}} if any_object else {}
    return {
        "description": "The answer",
        "headers": {"Cache-Control": {**_KEEPING, "required": True}},
        "content": {"application/json": content},
    }


def _refused(status: int) -> dict[str, Any]:
    words, headers = _SAID[status]
    return {"description": words, "headers": headers, "model": Problem}
