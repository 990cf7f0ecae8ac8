"""What the values of all answers have in common, and an example made of their fields."""

from __future__ import annotations

from types import UnionType
from typing import Annotated, Any, Final, TypeAlias, Union, get_args, get_origin

from fastapi import Path, Query
from pydantic import BaseModel, ConfigDict, Field
from pydantic.fields import FieldInfo

from engine import games

GAME: Final = games.GAMES[0]
"""The game of the examples."""
OPTIONS: Final = {option: values[0] for option, values in GAME.choices.items()}
MATCH: Final = "5d3f0c6a1b2e4f708192a3b4"
HANDLE: Final = "0a1b2c3d4e5f"
MOMENT: Final = 1_796_018_796_729
MOST: Final = 100
"""Rows that a call gives at once, at most."""
_ID: Final = r"[A-Za-z0-9_\-]{1,64}"
_WORD: Final = r"^[a-z][a-z0-9_]{0,31}$"


class Told(BaseModel):
    """A value of an answer: nothing is in it that is not described."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def told(description: str, *examples: Any) -> Any:
    """A field with its description, and examples where its type has none of its own."""
    return Field(description=description, examples=list(examples) or None)


def _path(description: str, pattern: str, example: str) -> Any:
    return Path(description=description, pattern=pattern, examples=[example])


def _query(description: str, pattern: str, example: str) -> Any:
    return Query(description=description, pattern=pattern, examples=[example])


Handle: TypeAlias = Annotated[
    str, _path("The handle of a registered player", r"^[0-9a-f]{12}$", HANDLE)
]
TableId: TypeAlias = Annotated[
    str, _path("The id of a table, as its link has it", f"^{_ID}$", "n3wT4bl3_Id-x7Qz")
]
MatchId: TypeAlias = Annotated[str, _path("The id of a finished match", f"^{_ID}$", MATCH)]
GameName: TypeAlias = Annotated[str, _path("A game", _WORD, GAME.name)]
RulesName: TypeAlias = Annotated[str, _path("A rule set of the game", _WORD, GAME.rules)]
OfGame: TypeAlias = Annotated[str | None, _query("Of this game only", _WORD, GAME.name)]
OfRules: TypeAlias = Annotated[str | None, _query("Of this rule set only", _WORD, GAME.rules)]
Before: TypeAlias = Annotated[
    str | None,
    _query(
        "Where to go on: `next` of the answer before, as it was given",
        rf"^[0-9]{{1,15}}\.{_ID}$",
        f"{MOMENT}.{MATCH}",
    ),
]
Limit: TypeAlias = Annotated[
    int, Query(ge=1, le=MOST, description="So many rows at most", examples=[20])
]


def sample(model: type[Told]) -> dict[str, Any]:
    """An example of a whole answer, put together of those of its fields."""
    return {name: _example(each) for name, each in model.model_fields.items()}


def _example(said: FieldInfo) -> Any:
    return said.examples[0] if said.examples else _of(said.annotation)


def _of(kind: Any) -> Any:
    if isinstance(kind, type) and issubclass(kind, Told):
        return sample(kind)
    if get_origin(kind) is list:
        return [_of(get_args(kind)[0])]
    if get_origin(kind) in {Union, UnionType}:
        return _of(get_args(kind)[0])
    raise TypeError(f"a field of {kind!r} needs an example")
