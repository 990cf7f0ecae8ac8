"""How well players play, for whoever looks for their like; not known while the ratings are away."""

from __future__ import annotations

from app.live.glance import Glance, NotSeenError
from app.ratings.ratings import Ratings, RatingsError


class Strengths:
    """The ratings, glanced at."""

    def __init__(self, ratings: Ratings) -> None:
        self._ratings = ratings
        self._glance = Glance((RatingsError,), "everybody counts as unrated")

    async def rating(self, player: str, game: str, rules: str) -> float | None:
        """A player's rating as it is shown; ``None``: they have none, or it is not known."""
        try:
            found = await self._glance.at(lambda: self._ratings.rating(player, game, rules))
        except NotSeenError:
            return None
        return None if found is None else float(found.shown)

    async def close(self) -> None:
        """Wait for what was asked."""
        await self._glance.close()
