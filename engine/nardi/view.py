"""What a viewer may know of a match: all of it but the future (T11)."""

from __future__ import annotations

from engine.game import Json, Viewer
from engine.nardi.actions import Action, action_to_json, place_to_json
from engine.nardi.board import POINTS, Board, bar, flip, off, own, pips
from engine.nardi.match import LastHand, LastTurn, State
from engine.nardi.reach import press, reach
from engine.nardi.reasons import dead_dice


def side(board: Board) -> Json:
    """The own checkers of a board: ``points`` from the own 1-point to the 24-point, ``bar``,
    ``off``, ``pips``."""
    return {
        "points": [own(board, point) for point in POINTS],
        "bar": bar(board),
        "off": off(board),
        "pips": pips(board),
    }


def view(state: State, viewer: Viewer, legal: tuple[Action, ...]) -> Json:
    """The whole view as plain JSON; ``legal`` are the viewer's legal actions, if any."""
    seen: Json = {
        "hand": state.hand,
        "target": state.target,
        "score": list(state.score),
        "seat": viewer,
        "turn": state.seat if state.phase in ("roll", "rolling", "move") else None,
        "phase": _phase(state),
        "dice": _dice(state),
        "dice_left": list(state.left),
        "opening": [list(pair) for pair in state.opening],
        "sides": _sides(state),
        "last_turn": _last_turn(state.last_turn),
        "steps": [[step.source, step.target, step.die, kill] for step, kill in state.moved()],
        "last_hand": _last_hand(state.last_hand),
        "outcome": None
        if state.outcome is None
        else {
            "winners": list(state.outcome.winners),
            "reason": state.outcome.reason,
            "score": list(state.outcome.score),
        },
    }
    if legal:
        seen |= {"legal": [action_to_json(action) for action in legal], **_help(state)}
    return seen


def _phase(state: State) -> str:
    if state.phase == "over":
        return "over"
    if state.phase == "move":
        return "move" if state.legal_steps else "confirm"
    return "roll"


def _dice(state: State) -> list[int]:
    if state.dice is not None:
        return list(state.dice)
    return list(state.opening[-1]) if state.phase == "opening" and state.opening else []


def _sides(state: State) -> list[Json]:
    sides = _both(state.board)
    return sides[::-1] if state.seat == 1 else sides


def _both(board: Board) -> list[Json]:
    return [side(board), side(flip(board))]


def _last_turn(last: LastTurn | None) -> Json | None:
    if last is None:
        return None
    return {
        "seat": last.seat,
        "dice": list(last.dice),
        "moves": [list(move) for move in last.moves],
        "text": last.text,
    }


def _last_hand(last: LastHand | None) -> Json | None:
    if last is None:
        return None
    return {
        "hand": last.hand,
        "end": last.end,
        "winner": last.winner,
        "points": last.points,
        "score": list(last.score),
        "sides": _both(last.board),
    }


def _help(state: State) -> Json:
    """What the screen needs of the seat on turn (N21 to N23)."""
    board, left = state.board, state.left
    return {
        "reach": {
            _key(source): [
                {"to": target, "dice": list(way.dice), "kills": list(way.kills)}
                for target, way in sorted(targets.items(), reverse=True)
            ]
            for source, targets in reach(board, left).items()
        },
        "press": {_key(source): die for source, die in press(board, left).items()},
        "dead": [{"die": die, **reason.to_json()} for die, reason in dead_dice(board, left)],
        "can_take_back": bool(state.steps),
        "can_confirm": state.phase == "move" and not state.legal_steps,
    }


def _key(source: int) -> str:
    return str(place_to_json(source))
