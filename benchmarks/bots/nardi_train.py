"""Makes the weights of the medium nardi player by self-play:
``python -m benchmarks.bots.nardi_train [--rounds 650] [--out FILE]``.

It learns from nothing but the rules: games are played side by side, always the move that the
networks like best (dice are exploration enough), and every position met is taught what came of it:
TD(λ) over whole games, targets bootstrapped from the position after. Two networks of one hidden
layer, one while the sides can still meet and one for the race. Each tells five chances of who is
to roll: of winning at all, marsi or better, koksi, and of losing the last two. Needs numpy.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import sys
from pathlib import Path
from typing import Any, Final

from app.bots.nardi.net import HIDDEN, MEDIUM, PLACES, PLANES, SCALE
from engine.nardi.board import CHECKERS, START, Board, off
from engine.nardi.board import flip as turned
from engine.nardi.flow import WORTH, end_of
from engine.nardi.turns import results

np: Any = importlib.import_module("numpy")

GAMES: Final = 256
"""Played side by side."""
KEPT: Final = 4
"""So many rounds of games are learned from again."""
BATCH: Final = 512
LAMBDA: Final = (0.98, 0.6)
RATE: Final = (2e-3, 5e-5)
"""At the beginning and at the end of the training."""
GAIN: Final = (2.0, 1.0, 1.0, -1.0, -1.0)
"""The points of a hand are this times the five chances, less one."""
MOST_TURNS: Final = 400


class Net:
    """One hidden layer, learning by Adam."""

    def __init__(self, hidden: int, rng: Any) -> None:
        inputs = PLACES * PLANES
        self.parts = [
            (rng.standard_normal((inputs, hidden)) * 0.05).astype("f4"),
            np.zeros(hidden, "f4"),
            (rng.standard_normal((hidden, 5)) * 0.05).astype("f4"),
            np.array([0.0, -1.0, -4.0, -1.0, -4.0], "f4"),
        ]
        self.first = [np.zeros_like(part) for part in self.parts]
        self.second = [np.zeros_like(part) for part in self.parts]
        self.steps = 0

    def run(self, inputs: Any) -> tuple[Any, Any]:
        """The hidden layer and the five chances."""
        hidden = np.tanh(inputs @ self.parts[0] + self.parts[1])
        return hidden, 1 / (1 + np.exp(-(hidden @ self.parts[2] + self.parts[3])))

    def learn(self, inputs: Any, targets: Any, rate: float) -> float:
        """One step towards the targets. Returns the mean square error before it."""
        hidden, told = self.run(inputs)
        miss = (told - targets) / len(inputs)
        back = (miss @ self.parts[2].T) * (1 - hidden * hidden)
        slopes = [inputs.T @ back, back.sum(0), hidden.T @ miss, miss.sum(0)]
        self.steps += 1
        for index, slope in enumerate(slopes):
            self.first[index] += 0.1 * (slope - self.first[index])
            self.second[index] += 0.001 * (slope * slope - self.second[index])
            mean = self.first[index] / (1 - 0.9**self.steps)
            spread = self.second[index] / (1 - 0.999**self.steps)
            self.parts[index] -= rate * mean / (np.sqrt(spread) + 1e-8)
        return float(((told - targets) ** 2).sum(1).mean())


def nibbles(boards: list[Board]) -> Any:
    """The 52 digits of each board, lowest first."""
    packed = np.frombuffer(b"".join(board.to_bytes(26, "little") for board in boards), "u1")
    found = np.empty((len(boards), 52), "u1")
    found[:, 0::2] = packed.reshape(-1, 26) & 15
    found[:, 1::2] = packed.reshape(-1, 26) >> 4
    return found


def planes(digits: Any) -> Any:
    """What the networks see of boards: at least one, two, three on a place, and how many more."""
    found = np.empty((*digits.shape, PLANES), "f4")
    for plane in range(PLANES - 1):
        found[:, :, plane] = digits > plane
    found[:, :, -1] = np.maximum(digits.astype("f4") - 3, 0) / 2
    return found.reshape(len(digits), -1)


def racing(digits: Any) -> Any:
    """Whether the sides have passed each other: no own checker is above an opposing one."""
    places = np.arange(26)
    highest = np.where(digits[:, :26] > 0, places, 0).max(1)
    theirs = digits[:, 26:].copy()
    theirs[:, 25] = 0
    lowest = np.where(theirs > 0, places, 26).min(1)
    return highest < lowest


def chances(nets: tuple[Net, Net], digits: Any) -> Any:
    """The five chances of who is to roll on each board."""
    found = np.empty((len(digits), 5), "f4")
    race = racing(digits)
    for net, which in zip(nets, (~race, race), strict=True):
        if which.any():
            found[which] = net.run(planes(digits[which]))[1]
    return found


def other(five: Any) -> Any:
    """Chances seen by the other player."""
    found = five[..., [0, 3, 4, 1, 2]]
    found[..., 0] = 1 - five[..., 0]
    return found


def won(board: Board) -> list[float]:
    """The chances of who is to roll on a board on which the other has just won."""
    worth = WORTH[end_of(board)]
    return [0.0, 0.0, 0.0, float(worth > 1), float(worth > 2)]


def play(nets: tuple[Net, Net], rng: random.Random) -> list[tuple[list[Board], Any]]:
    """Games from start to end: the boards met by who was to roll, and the chances told of each;
    those of the last, on which nobody rolls any more, are what came of it."""
    boards: list[list[Board]] = [[START] for _ in range(GAMES)]
    told: list[list[Any]] = [[row] for row in chances(nets, nibbles([START] * GAMES))]
    running = list(range(GAMES))
    turn = 0
    while running and turn < MOST_TURNS:
        ways: list[Board] = []
        begins: list[int] = []
        for game in running:
            dice = rng.randint(1, 6), rng.randint(1, 6)
            while turn == 0 and dice[0] == dice[1]:
                dice = rng.randint(1, 6), rng.randint(1, 6)
            begins.append(len(ways))
            ways += results(boards[game][-1], dice)
        five = chances(nets, nibbles(ways)[:, ::-1])
        for index, board in enumerate(ways):
            if off(board) == CHECKERS:
                five[index] = won(board)
        points = five @ np.array(GAIN, "f4")
        still = []
        for game, begin, end in zip(running, begins, [*begins[1:], len(ways)], strict=True):
            best = begin + int(points[begin:end].argmin())
            boards[game].append(turned(ways[best]))
            told[game].append(five[best])
            if off(ways[best]) < CHECKERS:
                still.append(game)
        running = still
        turn += 1
    return [
        (met, np.array(rows))
        for game, (met, rows) in enumerate(zip(boards, told, strict=True))
        if game not in set(running)
    ]


def lessons(games: list[tuple[list[Board], Any]], trace: float) -> tuple[Any, Any]:
    """Boards and what is to be told of them: λ-returns from the end of each game."""
    boards: list[Board] = []
    targets = []
    for met, told in games:
        coming = told[-1]
        backwards = []
        for row in told[-2::-1]:
            coming = other(coming)
            backwards.append(coming)
            coming = trace * coming + (1 - trace) * row
        boards += met[:-1]
        targets += backwards[::-1]
    return nibbles(boards), np.array(targets, "f4")


def train(rounds: int, seed: int, hidden: tuple[int, int]) -> tuple[Net, Net]:
    rng = np.random.default_rng(seed)
    dice = random.Random(seed)
    nets = Net(hidden[0], rng), Net(hidden[1], rng)
    kept: list[tuple[Any, Any]] = []
    for number in range(rounds):
        done = number / rounds
        rate = RATE[0] * (RATE[1] / RATE[0]) ** done
        trace = LAMBDA[0] + (LAMBDA[1] - LAMBDA[0]) * min(1, 2 * done)
        games = play(nets, dice)
        kept = [*kept[1 - KEPT :], lessons(games, trace)]
        digits = np.concatenate([each for each, _ in kept])
        targets = np.concatenate([each for _, each in kept])
        race = racing(digits)
        missed = []
        for net, which in zip(nets, (~race, race), strict=True):
            order = rng.permutation(np.flatnonzero(which))
            errors = [
                net.learn(planes(digits[some]), targets[some], rate)
                for some in np.array_split(order, max(1, len(order) // BATCH))
            ]
            missed.append(sum(errors) / len(errors))
        if number % 10 == 9:
            turns = sum(len(met) for met, _ in games) / len(games)
            print(
                f"{number + 1} rounds, {turns:.1f} turns a game, "
                f"errors {missed[0]:.4f} {missed[1]:.4f}",
                file=sys.stderr,
                flush=True,
            )
    return nets


def written(nets: tuple[Net, Net]) -> str:
    """The weights as whole numbers, ``SCALE`` to one; JSON, a line for each input."""
    told = []
    for name, net in zip(("contact", "race"), nets, strict=True):
        into, bias, out, base = (np.rint(part * SCALE).astype(int).tolist() for part in net.parts)
        rows = ",\n".join(json.dumps(row, separators=(",", ":")) for row in into)
        rest = {"bias": bias, "out": out, "base": base}
        parts = [
            f'"{key}": {json.dumps(part, separators=(",", ":"))}' for key, part in rest.items()
        ]
        told.append(f'"{name}": {{"into": [\n{rows}],\n' + ",\n".join(parts) + "}")
    return "{" + ",\n".join(told) + "}\n"


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.bots.nardi_train")
    parser.add_argument("--rounds", type=int, default=650)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hidden", type=int, nargs=2, default=HIDDEN)
    parser.add_argument("--out", type=Path, default=MEDIUM)
    given = parser.parse_args(argv)
    nets = train(given.rounds, given.seed, tuple(given.hidden))
    given.out.write_text(written(nets), "utf-8")
    print(given.out, given.out.stat().st_size, "bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
