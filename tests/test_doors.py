"""The doors between the rooms stay shut: who may import whom."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ENGINE = sorted((ROOT / "engine").rglob("*.py"))


def imported(path: Path) -> set[str]:
    """The top-level names of all that a module imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            names.add((node.module or "").partition(".")[0])
    return names


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_engine_imports_the_standard_library_only(path: Path) -> None:
    assert imported(path) <= sys.stdlib_module_names | {"engine"}


@pytest.mark.parametrize(
    "path",
    sorted((ROOT / "app" / "table").glob("*.py")),
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_a_table_imports_the_engine_and_the_standard_library_only(path: Path) -> None:
    assert imported(path) <= sys.stdlib_module_names | {"engine", "app"}
    # Time, chance and files are handed in, never fetched.
    assert not imported(path) & {"asyncio", "os", "pathlib", "random", "secrets", "time"}


def test_the_engine_fetches_no_time_chance_or_files() -> None:
    pure = [path for path in ENGINE if path.name not in {"__main__.py", "simulate.py"}]
    assert len(pure) > 10
    for path in pure:
        fetched = imported(path) & {"asyncio", "os", "random", "secrets", "socket", "time"}
        assert not fetched, f"{path.name}: {fetched}"


def test_the_contracts_between_rooms_hold() -> None:
    checked = subprocess.run(
        [Path(sys.executable).parent / "lint-imports"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout


def test_games_are_not_told_apart_by_name_outside_their_folders() -> None:
    names = {"domino", "nardi", "georgian", "short"}
    own = ROOT / "app" / "bots"  # who plays a game knows which it is
    for path in sorted((ROOT / "app").rglob("*.py")):
        if path.is_relative_to(own):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            assert not (isinstance(node, ast.Constant) and node.value in names), path
