"""The state of a nardi match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.game import Outcome, Seat
from engine.nardi.board import START, Board
from engine.nardi.events import End, Pair
from engine.nardi.moves import Step, play
from engine.nardi.turns import moves_of, steps

Phase: TypeAlias = Literal["opening", "roll", "rolling", "move", "over"]
"""``opening`` and ``rolling`` wait for chance, ``roll`` and ``move`` for the seat on turn."""


@dataclass(frozen=True, slots=True)
class LastTurn:
    """The turn before this one in the same hand."""

    seat: Seat
    dice: Pair
    moves: tuple[tuple[int, int, bool], ...]
    """Source, target, kill; in the numbering of ``seat``."""
    text: str


@dataclass(frozen=True, slots=True)
class LastHand:
    """How the hand before this one ended."""

    hand: int
    end: End
    winner: Seat
    points: int
    score: Pair
    board: Board
    """As seat 0 sees it."""


@dataclass(frozen=True, slots=True)
class State:
    """A match under way or over.

    Finished turns are not kept: they have left as lines of the record.
    """

    target: int
    """Points that win the match (N18)."""
    hand: int = 1
    score: Pair = (0, 0)
    phase: Phase = "opening"
    opening: tuple[Pair, ...] = ()
    """The opening rolls of this hand, seat 0's die first (N3)."""
    turn: int = 0
    """The number of the turn in its hand, from 0; the number of its roll, from the second on."""
    seat: Seat | None = None
    """Whose turn it is; ``None`` until the opening roll has decided."""
    start: Board = START
    """The board at the start of this turn, seen by ``seat``."""
    dice: Pair | None = None
    """The roll of this turn, larger first."""
    steps: tuple[Step, ...] = ()
    """What was played of it."""
    last_turn: LastTurn | None = None
    last_hand: LastHand | None = None
    outcome: Outcome | None = None

    @property
    def board(self) -> Board:
        """The board now, seen by ``seat``."""
        board = self.start
        for step in self.steps:
            board, _ = play(board, step)
        return board

    @property
    def left(self) -> tuple[int, ...]:
        """The dice of this turn that were not played yet, larger first."""
        if self.dice is None:
            return ()
        left = list(moves_of(self.dice))
        for step in self.steps:
            left.remove(step.die)
        return tuple(left)

    @property
    def legal_steps(self) -> tuple[Step, ...]:
        """What can be played now (N7, N8); empty when the turn is complete."""
        return steps(self.board, self.left) if self.phase == "move" else ()

    def moved(self) -> tuple[tuple[Step, bool], ...]:
        """The steps of this turn and whether each killed."""
        board = self.start
        told = []
        for step in self.steps:
            board, kill = play(board, step)
            told.append((step, kill))
        return tuple(told)
