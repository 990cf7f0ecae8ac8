"""What deploys the site says what it has to, and our own tools read it as we mean it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from app.live.redis.node import LASTING, NEVER_DROPS
from app.operator.office import WHO
from app.settings import Settings, read_settings
from tests.app.server import ROOT
from tests.plain_yaml import read

COMPOSE = ROOT / "docker-compose.yml"
EXAMPLE = ROOT / "deploy" / "ezo.env.example"
BALANCER = ROOT / "deploy" / "haproxy.cfg"
IMAGE = ROOT / "Dockerfile"
TOOL = shutil.which("docker-compose")


@pytest.fixture(scope="module")
def compose() -> Any:
    return read(COMPOSE.read_text())


def variables(text: str) -> set[str]:
    return set(re.findall(r"\$\{(\w+)", text))


def example() -> dict[str, str]:
    lines = [line for line in EXAMPLE.read_text().splitlines() if re.match(r"[A-Z]", line)]
    return dict(line.split("=", 1) for line in lines)


def test_the_reader_refuses_what_it_does_not_know() -> None:
    assert read("a:\n  - b\n  - c: d\ne: |\n  f\n  g\nh: {}\n") == {
        "a": ["b", {"c": "d"}],
        "e": "f\ng\n",
        "h": {},
    }
    for wrong in ("a: 'b'\n", "a: &b\n", "a: b\na: c\n", "a: b\n    c: d\n", "a\n", "a: b # c\n"):
        with pytest.raises(ValueError):  # noqa: PT011 - whatever it says
            read(wrong)


def test_the_parts_wait_for_each_other_in_order(compose: Any) -> None:
    services = compose["services"]
    assert set(services) == {"postgres", "redis", "migrate", "app", "balancer"}
    assert services["migrate"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    assert services["migrate"]["command"] == ["python", "-m", "app.migrate"]
    assert services["migrate"]["restart"] == "no"
    assert services["app"]["depends_on"] == {
        "migrate": {"condition": "service_completed_successfully"},
        "redis": {"condition": "service_healthy"},
    }
    for name, service in services.items():
        assert service["restart"] == ("no" if name == "migrate" else "unless-stopped"), name
        assert "healthcheck" in service or name in {"migrate", "balancer"}, name
    # What is built from this folder is one image.
    assert services["app"]["build"] == services["migrate"]["build"] == "."
    assert services["app"]["image"] == services["migrate"]["image"] == "ezo"


def test_postgres_is_there_once_it_listens_where_the_app_asks(compose: Any) -> None:
    # A first start's temporary server listens on the Unix socket alone.
    _, command = compose["services"]["postgres"]["healthcheck"]["test"]
    assert command == "pg_isready -h 127.0.0.1 -U ezo -d ezo"


def test_the_app_can_be_as_many_as_it_is_scaled_to(compose: Any) -> None:
    app = compose["services"]["app"]
    assert not {"container_name", "ports", "volumes", "hostname"} & set(app)
    assert app["expose"] == ["8000"]
    # Two seconds to be seen, three for sockets, three for what is under way.
    assert int(app["stop_grace_period"].rstrip("s")) >= 12


def test_redis_keeps_what_it_acknowledges_and_drops_nothing(compose: Any) -> None:
    redis = compose["services"]["redis"]
    given = dict(line.split(" ", 1) for line in redis["command"][2].splitlines()[1:-1])
    for name, wanted in (*LASTING, NEVER_DROPS):
        assert given[name] == wanted
    assert given["dir"] == "/data"
    assert given["requirepass"] == "$$REDISCLI_AUTH"
    assert redis["volumes"] == ["redis:/data"]
    assert compose["services"]["postgres"]["volumes"] == ["postgres:/var/lib/postgresql/data"]
    assert set(compose["volumes"]) == {"redis", "postgres"}


def test_only_the_balancer_can_be_reached_and_only_it_is_believed(compose: Any) -> None:
    services = compose["services"]
    assert [name for name, each in services.items() if "ports" in each] == ["balancer"]
    assert compose["networks"]["inside"]["internal"] == "true"
    assert compose["networks"]["edge"]["internal"] == "true"
    on_edge = {name for name, each in services.items() if "edge" in each["networks"]}
    assert on_edge == {"app", "balancer"}
    (subnet,) = compose["networks"]["edge"]["ipam"]["config"]
    assert subnet["subnet"] == services["app"]["environment"]["EZO_TRUSTED_PROXIES"]
    assert services["balancer"]["networks"] == ["edge", "outside"]


def test_what_needs_no_rights_has_none(compose: Any) -> None:
    for name, service in compose["services"].items():
        assert service["security_opt"] == ["no-new-privileges:true"], name
    for name in ("app", "migrate", "balancer"):
        assert compose["services"][name]["read_only"] == "true"
        assert compose["services"][name]["cap_drop"] == ["ALL"]


def test_secrets_come_from_the_environment_and_the_example_holds_none(compose: Any) -> None:
    text = COMPOSE.read_text()
    known = example()
    assert variables(text) - {"EZO_APP", "EZO_DNS", "EZO_HTTP", "EZO_HTTPS"} <= set(known)
    secrets = {name for name in known if re.search("KEY|PASSWORD|TOKEN", name)}
    assert len(secrets) == 4
    # Nor an address that is somebody else's.
    assert all(known[name] == "" for name in secrets | {"EZO_ORIGINS"})
    for name in secrets - {"EZO_METRICS_TOKEN"} | {"EZO_ORIGINS"}:
        # Left empty it is refused, not filled with something that everybody knows.
        assert text.count(f"${{{name}:?") == text.count(f"${{{name}")
    app = compose["services"]["app"]["environment"]
    assert app["EZO_SECRET_KEY"].startswith("${EZO_SECRET_KEY:?")


def test_every_setting_reaches_the_app(compose: Any) -> None:
    app = compose["services"]["app"]["environment"]
    fields = {f"EZO_{name.upper()}" for name in Settings.model_fields}
    # Where it listens is the image's, and a deployed process has no data folder.
    assert set(app) == fields - {"EZO_HOST", "EZO_PORT", "EZO_DATA"} | {WHO}
    made_here = {"EZO_DATABASE_URL", "EZO_REDIS_URL", "EZO_TRUSTED_PROXIES"}
    for name in set(app) - made_here:
        assert variables(app[name]) == {name}
        if ":?" not in app[name]:
            assert app[name] == f"${{{name}:-}}"


def test_an_empty_variable_is_one_that_is_not_set(
    compose: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = compose["services"]["app"]["environment"]
    for name in [name for name in os.environ if name.startswith("EZO_")]:
        monkeypatch.delenv(name)
    plain = read_settings()
    for name, value in app.items():
        if value.endswith(":-}"):
            monkeypatch.setenv(name, "")
    assert read_settings() == plain


def test_no_file_names_a_registry_or_an_address_to_fetch_from() -> None:
    for path in (COMPOSE, IMAGE, BALANCER, EXAMPLE, ROOT / ".dockerignore"):
        text = path.read_text()
        assert not re.search(r"https?://(?!127\.0\.0\.1|localhost:|ezo\.example)", text), path
        assert not re.search(r"(?:image:|FROM) +\S*\.\S*/", text), path


def test_the_image_is_made_of_what_is_locked_and_runs_as_nobody_of_note() -> None:
    text = IMAGE.read_text()
    _, first, last = text.split("\nFROM ")
    assert "--require-hashes" in first
    assert "--only-binary :all:" in first
    assert "pip" not in last
    assert "USER ezo" in last
    assert "HEALTHCHECK" in last
    assert "STOPSIGNAL SIGTERM" in last
    copied = set(re.findall(r"^COPY (\w+) \1$", first, re.MULTILINE))
    ignored = (ROOT / ".dockerignore").read_text()
    allowed = set(re.findall(r"^!(\w+)$", ignored, re.MULTILINE))
    assert copied == allowed == {"engine", "app", "migrations", "templates", "static"}


def test_the_balancer_looks_where_the_app_answers_and_logs_no_invite() -> None:
    text = BALANCER.read_text()
    assert "uri /readyz" in text
    assert "hash-type consistent" in text
    log_format = re.search(r'log-format "(.*)"', text)
    assert log_format is not None
    # %r, %HU, %HP and %HQ are the request line, its address, path and query.
    assert not re.search(r"%(\{[^}]*\})?(r|HU|HP|HQ|HPO)\b", log_format[1])
    tunnel = re.search(r"timeout tunnel +(\d+)h", text)
    assert tunnel is not None
    assert int(tunnel[1]) >= 1


def test_compose_itself_reads_it_as_we_do_where_it_is_installed(
    compose: Any, tmp_path: Path
) -> None:
    if TOOL is None:
        return
    env = tmp_path / "ezo.env"
    secret = "0123456789abcdef" * 2
    env.write_text("".join(f"{name}={value or secret}\n" for name, value in example().items()))
    bare = {k: v for k, v in os.environ.items() if not k.startswith("EZO_")}

    def config(file: Path) -> subprocess.CompletedProcess[str]:
        command = [TOOL, "--env-file", str(file), "config"]
        return subprocess.run(
            command, cwd=ROOT, env=bare, capture_output=True, text=True, check=False, timeout=60
        )

    found = config(env)
    assert found.returncode == 0, found.stderr
    assert found.stderr == ""
    for name in compose["services"]:
        assert re.search(rf"^  {name}:$", found.stdout, re.MULTILINE), name
    assert f"EZO_SECRET_KEY: {secret}" in found.stdout
    assert f"redis://:{secret}@redis:6379/0" in found.stdout
    assert "condition: service_completed_successfully" in found.stdout
    # With the example as it is nothing starts.
    refused = config(EXAMPLE)
    assert refused.returncode != 0
    assert "set it in deploy/ezo.env" in refused.stderr


def test_the_settings_that_are_written_down_are_those_that_there_are() -> None:
    text = (ROOT / "docs" / "operations.md").read_text()
    named = set(re.findall(r"`(EZO_[A-Z_]+)`", text))
    fields = {f"EZO_{name.upper()}" for name in Settings.model_fields}
    assert fields - named == set()
    assert named - fields - set(example()) <= {"EZO_OPERATOR"}, json.dumps(sorted(named - fields))
