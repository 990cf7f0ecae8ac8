"""What a link shows where it is sent to: title, description and picture of its preview card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.requests import Request

from app import i18n
from app.history.history import Finished
from app.table import coins
from app.table.table import Table
from app.web.named import named
from app.web.origin import public_origin
from app.web.render import language_of
from app.web.site import site_of


@dataclass(frozen=True, slots=True)
class Preview:
    """A preview card; its addresses are whole."""

    title: str
    text: str
    url: str
    image: str


def of_home(request: Request) -> Preview:
    """The card of the site itself."""
    language = language_of(request)
    name = i18n.text(language, "site.name")
    title = f"{name}: {i18n.text(language, 'home.title')}"
    return _preview(request, title, i18n.text(language, "home.lead"), "/", "ezo")


def of_table(request: Request, table: Table) -> Preview:
    """The card of an invite. It says what whoever has the link may see, and nothing of a match
    but who plays it."""
    language = language_of(request)
    taken = [sitter for sitter in table.seats if sitter is not None and sitter.name]
    names = [named(language, sitter.player, sitter.name) for sitter in taken]
    value = next(iter(table.options.values()), 0)
    what = _what(language, f"{table.game.name}.{table.game.rules}", value)
    title = what
    if table.status == "open" and names:
        key = f"preview.invite.{table.game.name}"
        if key in i18n.CATALOGUES[language]:
            title = i18n.text(language, key, name=names[0], value=value)
    elif table.status != "closed" and names:
        title = f"{' – '.join(names)}: {what}"
    return _preview(request, title, _terms(language, table), f"/t/{table.id}", table.game.name)


def of_match(request: Request, match: Finished, names: Sequence[str]) -> Preview:
    """The card of a finished match: who played, the score, what it was and who won. ``names``
    are as its page shows them."""
    language = language_of(request)
    if len(names) == 2:
        (first, second), (one, other) = names, match.score
        title = f"{first} {one} : {other} {second}"
    else:
        each = zip(names, match.score, strict=True)
        title = " · ".join(f"{name} {points}" for name, points in each)
    what = _what(language, f"{match.game}.{match.rules}", next(iter(match.options.values()), 0))
    won = " · ".join(
        i18n.text(language, "table.won_by", name=names[seat]) for seat in match.winners
    )
    text = f"{what}. {won or i18n.text(language, 'table.no_winner')}"
    return _preview(request, title, text, f"/m/{match.id}", match.game)


def _what(language: i18n.Language, game: str, value: int) -> str:
    """What is played, and to how many points."""
    return i18n.text(
        language, "lobby.what", game=i18n.text(language, f"home.game.{game}"), value=value
    )


def _terms(language: i18n.Language, table: Table) -> str:
    """The clock and the stake."""
    clock = i18n.text(
        language,
        "preview.clock",
        move=table.clock.move_ms // 1000,
        reserve=table.clock.reserve_ms // 60_000,
    )
    if not table.stake:
        return f"{clock} · {i18n.text(language, 'preview.free')}"
    pot = i18n.amount(coins.pot(table.stake, len(table.seats)))
    stake = i18n.text(language, "lobby.stake", stake=i18n.amount(table.stake), pot=pot)
    return f"{clock} · {stake}"


def _preview(request: Request, title: str, text: str, path: str, image: str) -> Preview:
    site = site_of(request)
    origin = public_origin(request, site.settings.origins)
    picture = f"share/{image}.png"
    if not site.assets.has(picture):
        picture = "share/ezo.png"
    return Preview(title, text, origin + path, origin + site.assets.address(picture))
