"""What a call is answered that cannot be answered: one form for all, with words for people."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, Literal, TypeAlias, cast

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from app import i18n
from app.history.history import HistoryError
from app.ledger.values import LedgerError
from app.live.store import StoreError
from app.players.players import PlayersError
from app.ratings.ratings import RatingsError
from app.web.api.values import Told, told
from app.web.bounds import TooOftenError
from app.web.forms import PageError
from app.web.headers import secure
from app.web.render import language_of
from app.web.requests import HEADER, name_of

Code: TypeAlias = Literal[
    "not_found",
    "no_player",
    "no_table",
    "no_match",
    "invalid",
    "method",
    "register",
    "too_large",
    "too_often",
    "players_away",
    "away",
    "fault",
]
FieldCode: TypeAlias = Literal["too_small", "too_large", "form"]

PREFIX: Final = "/api/"
_OWN: Final = frozenset({"no_player", "invalid"})
"""Codes that no page has words for."""
_SAME: Final[dict[Code, str]] = {"away": "fault"}
_FIELDS: Final[dict[str, FieldCode]] = {
    "greater_than_equal": "too_small",
    "less_than_equal": "too_large",
}
_AWAY: Final = (StoreError, HistoryError, RatingsError, LedgerError)


class WrongField(Told):
    """A part of a call that will not do."""

    field: str = told("The name of the parameter", "limit")
    error: FieldCode = told("What is wrong with it", "too_large")
    text: str = told("The same in words", "100-ზე მეტი არ შეიძლება.")


class Problem(Told):
    """Why a call was not answered."""

    error: Code = told("What it was", "invalid")
    text: str = told(
        "The same in words, in the language that the reader has chosen on the site; Georgian, if "
        "they have not",
        "მისამართში შეცდომაა. რა და სად, ველებთან წერია.",
    )
    fields: list[WrongField] = told("What was wrong with which parameter: with `invalid` only")


class CallError(Exception):
    """A call cannot be answered."""

    def __init__(self, status: int, code: Code) -> None:
        super().__init__(status, code)
        self.status = status
        self.code = code


def problem(
    connection: HTTPConnection, status: int, code: Code, fields: Sequence[WrongField] = ()
) -> JSONResponse:
    """The answer. It may come from outside all middleware, so it carries what every answer does."""
    language = language_of(connection)
    key = _SAME.get(code, code)
    keys = [f"api.{key}"] if code in _OWN else [f"error.{key}.title", f"error.{key}.text"]
    words = " ".join(i18n.text(language, each).rstrip(".") + "." for each in keys)
    said = Problem(error=code, text=words, fields=list(fields))
    answer = JSONResponse(said.model_dump(), status)
    secure(MutableHeaders(raw=answer.raw_headers))
    answer.headers[HEADER] = name_of(connection)
    return answer


def prepare(app: FastAPI) -> None:
    """Calls are answered in their own form, whatever happens to them; pages as before."""
    kinds = (HTTPException, PageError, CallError, RequestValidationError, PlayersError, *_AWAY)
    for kind in (*kinds, Exception):
        app.add_exception_handler(kind, _either(app.exception_handlers.get(kind)))


async def too_long(scope: Scope, receive: Receive, send: Send) -> None:
    """The answer to an address that is longer than is read."""
    await problem(Request(scope), 414, "too_large")(scope, receive, send)


def _either(page: Any) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def answer(request: Request, error: Exception) -> Response:
        if request.scope["path"].startswith(PREFIX):
            return _answer(request, error)
        if page is None:
            raise error
        return cast("Response", await page(request, error))

    return answer


def _answer(request: Request, error: Exception) -> Response:
    match error:
        case TooOftenError():
            answer = problem(request, 429, "too_often")
            answer.headers["retry-after"] = str(error.after)
            return answer
        case CallError() as refused:
            return problem(request, refused.status, refused.code)
        case PageError():
            return problem(request, error.status, cast("Code", error.key))
        case RequestValidationError():
            wrong = [_wrong(request, each) for each in error.errors()]
            return problem(request, 422, "invalid", wrong)
        case HTTPException():
            code: Code = "method" if error.status_code == 405 else "not_found"
            answer = problem(request, error.status_code, code)
            answer.headers.update(error.headers or {})
            return answer
        case PlayersError():
            return problem(request, 503, "players_away")
        case _ if isinstance(error, _AWAY):
            return problem(request, 503, "away")
        case _:
            return problem(request, 500, "fault")


def _wrong(request: Request, said: Any) -> WrongField:
    code = _FIELDS.get(said["type"], "form")
    bounds = said.get("ctx") or {}
    words = i18n.text(
        language_of(request),
        f"api.field.{code}",
        least=bounds.get("ge"),
        most=bounds.get("le"),
    )
    return WrongField(field=str(said["loc"][-1]), error=code, text=words)
