"""What pages and sockets are served with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, cast

from starlette.requests import HTTPConnection

from app.bots.policies import levels
from app.bots.policy import Level
from app.bots.pool import Pool
from app.history.fairness import Fairness
from app.history.history import History
from app.ledger.gifts import Gifts
from app.ledger.ledger import Ledger
from app.live.fairplay import FairPlay
from app.live.fanout import Fanout
from app.live.lobby import Lobby
from app.live.newcomers import Newcomers
from app.live.presence import Presence
from app.live.purses import Purses
from app.live.quick import Quick
from app.live.service import LiveTables
from app.ops.watch import Watch
from app.players.accounts import Accounts
from app.players.blocks import Blocks
from app.players.reports import Reports
from app.players.sessions import Sessions
from app.ratings.boards import Boards
from app.ratings.ratings import Ratings
from app.settings import Settings
from app.table.table import AnyGame
from app.web.assets import Assets
from app.web.identity import Identities, Player
from app.web.rates import Rates
from app.web.render import Renderer
from app.web.replay import Replays
from app.web.room import Room
from app.web.standing import Standing

PLAYER: Final = "ezo.player"


@dataclass(frozen=True, slots=True)
class Site:
    """One running site; the same for all its requests."""

    settings: Settings
    games: tuple[AnyGame, ...]
    tables: LiveTables
    fanout: Fanout
    presence: Presence
    lobby: Lobby
    quick: Quick
    history: History
    ledger: Ledger
    gifts: Gifts
    ratings: Ratings
    boards: Boards
    fairness: Fairness
    pool: Pool
    purses: Purses
    newcomers: Newcomers
    accounts: Accounts
    sessions: Sessions
    blocks: Blocks
    reports: Reports
    fairplay: FairPlay
    standing: Standing
    room: Room
    rates: Rates
    watch: Watch
    identities: Identities = field(repr=False)
    assets: Assets
    pages: Renderer
    replays: Replays = field(default_factory=Replays)

    def levels(self, game: AnyGame) -> tuple[Level, ...]:
        """The computer players of a rule set that play here."""
        return levels(game.name, game.rules) if self.settings.bots else ()

    def player(self, connection: HTTPConnection) -> Player | None:
        """Who is asking, as :func:`app.web.known.known` has found out."""
        player: Player | None = connection.scope.get(PLAYER)
        return player


def site_of(connection: HTTPConnection) -> Site:
    """The site that a request or socket has come to."""
    return cast("Site", connection.app.state.site)
