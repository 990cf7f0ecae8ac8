"""Calls about all players together: the boards, and what chance gave."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path
from starlette.requests import Request

from app.ratings.boards import BoardKind
from app.ratings.boards import Row as BoardRow
from app.web.api.calls import OWN, Calls
from app.web.api.persons import handles
from app.web.api.players import known_rules
from app.web.api.values import GAME, HANDLE, GameName, Limit, RulesName, Told, told
from app.web.site import site_of

CALLS = Calls("leaders")


class Row(Told):
    """A player's place."""

    place: int = told("The place; who has as much has the same", 1)
    name: str = told("The player's name", "ნინო")
    handle: str = told("The handle of their page", HANDLE)
    value: int = told("The rating, the points gained this week, or the coins", 1605)
    matches: int = told("Matches that it comes from", 12)
    provisional: bool = told("Whether the rating comes of few matches", False)


class Leaders(Told):
    """A leaderboard."""

    board: BoardKind = told("Which one", "all")
    game: str = told("The game", GAME.name)
    rules: str = told("The rule set", GAME.rules)
    rows: list[Row] = told("The first places")
    own: Row | None = told("The reader's own place, wherever it is; null: not on the board")


@CALLS.get(
    "/leaders/{game}/{rules}/{board}", "A leaderboard", Leaders, keep=OWN, may=(404, 422, 503)
)
async def leaders(
    request: Request,
    game: GameName,
    rules: RulesName,
    board: Annotated[
        BoardKind,
        Path(description="Rating points since Monday, the rating, or coins won", examples=["all"]),
    ],
    limit: Limit = 50,
) -> Leaders:
    """The first places of a board, and the reader's own. Deleted players are on none."""
    known_rules(game, rules)
    site = site_of(request)
    reader = site.player(request)
    of = reader.id if reader is not None and reader.registered else None
    found = await site.boards.board(board, game, rules, limit=limit, of=of)
    rows = [*found.rows, *([] if found.own is None else [found.own])]
    known = await handles(site, {each.player for each in rows})
    return Leaders(
        board=board,
        game=game,
        rules=rules,
        # Who has deleted their account since the board was read is on it no more.
        rows=[_row(each, known[each.player]) for each in found.rows if each.player in known],
        own=None
        if found.own is None or found.own.player not in known
        else _row(found.own, known[found.own.player]),
    )


def _row(row: BoardRow, handle: str) -> Row:
    return Row(
        place=row.place,
        name=row.name,
        handle=handle,
        value=row.value,
        matches=row.matches,
        provisional=row.provisional,
    )
