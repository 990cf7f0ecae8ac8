"""Who is asking: a signed cookie, and nothing that a client could make up."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from itsdangerous import BadSignature, URLSafeTimedSerializer

COOKIE = "ezo_player"
YEAR = 365 * 24 * 3600
"""Seconds that a cookie is good for."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player: an id that nobody guesses, and the name that others see. ``session``: the secret
    of where they are signed in; ``None``: a guest."""

    id: str
    name: str
    session: str | None = field(default=None, repr=False)

    @property
    def registered(self) -> bool:
        """Whether the name is theirs."""
        return self.session is not None


def new_guest() -> Player:
    """A guest, as the first action makes one (T2). The name is Georgian for everybody."""
    return Player(secrets.token_urlsafe(12), guest_name(secrets.randbelow(9000)))


def guest_name(number: int) -> str:
    """What a guest is called who has taken no name, or one that has become somebody's."""
    return f"სტუმარი {1000 + number % 9000}"


class Identities:
    """Reads and writes the cookie, under the key of the site."""

    def __init__(self, key: str) -> None:
        self._serializer = URLSafeTimedSerializer(key, salt="player/1")

    def read(self, cookie: str | None) -> Player | None:
        """The player that a cookie says; ``None`` for none, a forged or an outworn one. Whether
        they still are is for :class:`app.web.standing.Standing` to say."""
        if cookie is None:
            return None
        try:
            value = self._serializer.loads(cookie, max_age=YEAR)
        except BadSignature:
            return None
        match value:
            case {"id": str(id_), "name": str(name), "session": str(session)}:
                return Player(id_, name, session)
            case {"id": str(id_), "name": str(name)}:
                return Player(id_, name)
            case _:
                return None

    def write(self, player: Player) -> str:
        """The cookie of a player."""
        said = {"id": player.id, "name": player.name}
        if player.session is not None:
            said["session"] = player.session
        signed = self._serializer.dumps(said)
        return signed if isinstance(signed, str) else signed.decode("ascii")
