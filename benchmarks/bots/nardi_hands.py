"""Hands and matches of short nardi between two players that choose whole turns, the dice given."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TypeAlias

from app.bots.nardi.seen import Seen
from app.bots.nardi.turn import Pick
from engine.nardi.board import CHECKERS, START, Board, flip, off
from engine.nardi.flow import WORTH, end_of
from engine.nardi.turns import moves_of, turns

Player: TypeAlias = Callable[[Board, tuple[int, int], tuple[int, int]], Board]
"""The board that is left (the mover's view), from the board, the dice, and how many points the
mover and the other one still need."""


class Picked:
    """A policy's choice of whole turns, as a player; it keeps how long each choice took."""

    def __init__(self, pick: Pick) -> None:
        self._pick = pick
        self.seconds: list[float] = []

    def __call__(self, board: Board, dice: tuple[int, int], away: tuple[int, int]) -> Board:
        started = time.perf_counter()
        ends = [turn.board for turn in turns(board, dice)]
        if len(ends) > 1:
            found = self._pick(Seen(board, board, moves_of(dice), away), ends)
            self.seconds.append(time.perf_counter() - started)
            return found
        return ends[0]


def play_hand(
    players: tuple[Player, Player], dice: random.Random, away: tuple[int, int]
) -> tuple[int, int]:
    """A hand under N3. Returns who won it, and its points."""
    first = second = 0
    while first == second:
        first, second = dice.randint(1, 6), dice.randint(1, 6)
    seat = 0 if first > second else 1
    board = START
    while True:
        roll = max(first, second), min(first, second)
        board = players[seat](board, roll, (away[seat], away[1 - seat]))
        if off(board) == CHECKERS:
            return seat, WORTH[end_of(board)]
        board, seat = flip(board), 1 - seat
        first, second = dice.randint(1, 6), dice.randint(1, 6)


def play_match(players: tuple[Player, Player], target: int, seed: str) -> int:
    """A match to ``target`` points (N18). Returns who won it."""
    away = [target, target]
    hand = 0
    while min(away) > 0:
        winner, points = play_hand(players, random.Random(f"{seed}|{hand}"), (away[0], away[1]))
        away[winner] -= points
        hand += 1
    return 0 if away[0] <= 0 else 1


def mirrored(players: tuple[Player, Player], seed: str) -> tuple[int, int]:
    """The points of the first player in two single hands with the same dice, seats swapped."""
    found = []
    for seats in (players, players[::-1]):
        winner, points = play_hand(seats, random.Random(seed), (1, 1))
        found.append(points if seats[winner] is players[0] else -points)
    return found[0], found[1]
