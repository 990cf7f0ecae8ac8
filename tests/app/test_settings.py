"""Settings and starting: a wrong value, a taken port, a held folder: one clear line each."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from app.__main__ import main
from app.live.folder import DataFolder, FolderError
from app.settings import SettingsError, read_settings
from tests.app.browsers import Browser
from tests.app.server import PATIENCE, ROOT, Server


@pytest.fixture
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is set but what a test sets."""
    for name in list(os.environ):
        if name.startswith("EZO_"):
            monkeypatch.delenv(name)


@pytest.mark.usefixtures("_no_environment")
def test_the_defaults_are_safe() -> None:
    settings = read_settings()
    assert (settings.host, settings.port, settings.data) == ("127.0.0.1", 8000, Path("data"))
    assert settings.secret_key is None
    assert settings.origins == ()
    # A dead line is known within ten seconds, on both sides.
    assert (settings.ping_ms, settings.silent_ms) == (4_000, 9_000)
    assert (settings.sockets, settings.player_sockets) == (2_000, 16)
    assert settings.address_sockets == 200
    assert (settings.message_rate, settings.message_burst) == (20, 40)


def test_the_environment_is_read_and_the_command_line_overrules_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("EZO_PORT", "9000")
    monkeypatch.setenv("EZO_HOST", "0.0.0.0")
    monkeypatch.setenv("EZO_ORIGINS", "https://Ezo.example, http://localhost:8000")
    monkeypatch.setenv("EZO_SECRET_KEY", "a key of the operator's")
    settings = read_settings(port="9001", host=None)
    assert (settings.host, settings.port) == ("0.0.0.0", 9001)
    assert settings.origins == ("https://ezo.example", "http://localhost:8000")
    assert "operator" not in repr(settings)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("EZO_PORT", "no", "EZO_PORT: "),
        ("EZO_PORT", "70000", "EZO_PORT: "),
        ("EZO_ORIGINS", "ezo.example", "EZO_ORIGINS: 'ezo.example' is not of the form"),
        ("EZO_ORIGINS", "https://ezo.example/", "EZO_ORIGINS: "),
        ("EZO_ORIGINS", "https://[", "EZO_ORIGINS: "),
        ("EZO_SECRET_KEY", "short", "EZO_SECRET_KEY: "),
        ("EZO_SOCKETS", "0", "EZO_SOCKETS: "),
        ("EZO_PLAYER_SOCKETS", "many", "EZO_PLAYER_SOCKETS: "),
        ("EZO_ADDRESS_SOCKETS", "0", "EZO_ADDRESS_SOCKETS: "),
        ("EZO_PING_MS", "0", "EZO_PING_MS: "),
        ("EZO_MESSAGE_RATE", "-1", "EZO_MESSAGE_RATE: "),
    ],
)
def test_a_wrong_setting_is_named_and_never_shown_if_secret(
    name: str, value: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        read_settings()
    line = str(caught.value)
    assert line.startswith(said)
    assert "\n" not in line
    assert "short" not in line


def started(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    """With which status a start that fails ends, and what it says."""
    mask = os.umask(0o022)
    try:
        status = main(arguments)
    finally:
        os.umask(mask)  # a process of its own takes it along
    said = capsys.readouterr()
    assert said.out == ""
    return status, said.err.splitlines()


@pytest.mark.usefixtures("_no_environment")
def test_a_wrong_setting_ends_the_start_with_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status, lines = started(capsys, "--port", "many", "--data", str(tmp_path / "data"))
    assert status == 2
    assert len(lines) == 1
    assert lines[0].startswith("ezo: --port: ")
    monkeypatch.setenv("EZO_PORT", "many")
    status, lines = started(capsys, "--data", str(tmp_path / "data"))
    assert status == 2
    assert len(lines) == 1
    assert lines[0].startswith("ezo: EZO_PORT: ")
    assert not (tmp_path / "data").exists()


@pytest.mark.usefixtures("_no_environment")
def test_a_start_that_fails_takes_its_status_out_of_the_process(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    ended = subprocess.run(
        [sys.executable, "-m", "app", "--port", "0", "--data", str(tmp_path / "data")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert len(ended.stderr.splitlines()) == 1


@pytest.mark.usefixtures("_no_environment")
def test_a_taken_port_ends_the_start_with_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        status, lines = started(capsys, "--port", port, "--data", str(tmp_path / "data"))
    assert status == 1
    assert lines == [f"ezo: cannot listen on 127.0.0.1 port {port}: Address already in use"]
    DataFolder(tmp_path / "data").close()  # and the folder is free again


@pytest.mark.usefixtures("_no_environment")
def test_a_folder_in_use_ends_the_start_with_one_line(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    status, lines = started(capsys, "--port", "0", "--data", str(server.data))
    assert status == 1
    assert len(lines) == 1
    assert "in use by another running server" in lines[0]
    assert "--data" in lines[0]


@pytest.mark.usefixtures("_no_environment")
@pytest.mark.parametrize("name", ["tables.db", "site.db"])
def test_a_broken_database_ends_the_start_with_one_line(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text("no database, but long enough to be taken for one" * 20)
    status, lines = started(capsys, "--port", "0", "--data", str(tmp_path))
    assert status == 1
    assert len(lines) == 1
    assert f"{name} cannot be opened" in lines[0]


def test_the_folder_is_held_until_it_is_let_go(tmp_path: Path) -> None:
    held = DataFolder(tmp_path / "data")
    with pytest.raises(FolderError, match="in use"):
        DataFolder(tmp_path / "data")
    held.close()
    DataFolder(tmp_path / "data").close()


def test_the_key_is_made_once_and_for_the_owner_alone(tmp_path: Path) -> None:
    held = DataFolder(tmp_path / "data")
    key = held.secret("cookie.key")
    assert len(key) == 64
    assert held.secret("cookie.key") == key
    assert held.secret("other.key") != key
    mode = stat.S_IMODE((tmp_path / "data" / "cookie.key").stat().st_mode)
    assert mode == 0o600
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700
    (tmp_path / "data" / "empty.key").write_text("")
    with pytest.raises(FolderError, match="empty"):
        held.secret("empty.key")
    held.close()


def test_named_origins_are_the_only_ones(tmp_path: Path) -> None:
    with Server(tmp_path / "data", EZO_ORIGINS="https://ezo.example") as server:
        form = {"game": "domino", "rules": "georgian", "target": "75"}
        browser = Browser(server)
        assert browser.post("/tables", form).status_code == 403
        assert browser.post("/tables", form, origin="https://ezo.example").status_code == 303
