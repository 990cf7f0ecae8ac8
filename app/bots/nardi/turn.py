"""From a choice among whole turns to the next action."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

from app.bots.nardi.seen import Seen, read
from app.bots.policy import Policy
from engine.game import Json
from engine.nardi.actions import Move, action_to_json
from engine.nardi.board import Board
from engine.nardi.turns import finishes

Pick: TypeAlias = Callable[[Seen, Sequence[Board]], Board]
"""The board to leave, out of all on which the turn can end (two or more, the mover's view). It may
look at the start of the turn but not at what was played of it: then a player who thinks anew at
every step never changes its mind."""


def by(pick: Pick) -> Policy:
    """The policy that ends every turn on the board that ``pick`` names."""

    def play(view: Json, legal: Sequence[Json], rng: Random) -> Json:
        onward = [each for each in legal if each["action"] != "take_back"] or legal
        if len(onward) == 1:
            return onward[0]
        seen = read(view)
        ways = finishes(seen.board, seen.left)
        end = pick(seen, [way.board for way in ways]) if len(ways) > 1 else ways[0].board
        step = next(way.steps[0] for way in ways if way.board == end)
        return action_to_json(Move(step.source, step.die))

    return play
