"""What whoever runs the server can set: environment variables that begin with ``EZO_``."""

from __future__ import annotations

from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias
from urllib.parse import urlsplit

from limits import parse as parse_rate
from pydantic import (
    AfterValidator,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from app.table.seat import MARKS


class SettingsError(Exception):
    """A setting is wrong. The message is one line that names it."""


def _rate(value: str) -> str:
    try:
        parse_rate(value)
    except ValueError:
        raise ValueError(f"{value!r} is not of the form 10/minute") from None
    return value


Rate: TypeAlias = Annotated[str, AfterValidator(_rate)]
"""So many in such a time: ``10/minute``, ``200/5minutes``."""


class Settings(BaseSettings):
    """The settings; an empty variable counts as not set."""

    model_config = SettingsConfigDict(env_prefix="EZO_", env_ignore_empty=True, frozen=True)

    host: str = Field(default="127.0.0.1", min_length=1, max_length=255)
    port: int = Field(default=8000, ge=0, le=65535)
    data: Path = Path("data")
    secret_key: SecretStr | None = Field(default=None, min_length=16)
    """Signs the players' cookies. Not set: made once and kept in the data folder."""
    redis_url: SecretStr | None = None
    """Where the running tables are: ``redis://host:6379/0``, one Redis or a node of a cluster."""
    database_url: SecretStr | None = None
    """Where what lasts is: ``postgresql://user:password@host/name``. Both or neither."""
    origins: Annotated[tuple[str, ...], NoDecode] = ()
    """Where pages may come from, ``https://ezo.example``. Empty: the host that was asked."""
    trusted_proxies: Annotated[tuple[str, ...], NoDecode] = ("127.0.0.1", "::1")
    """Addresses or networks of proxies that are believed about whom they serve, and how."""

    log: Literal["json", "text"] | None = None
    """Not set: ``json`` when deployed, ``text`` embedded."""
    log_level: Literal["debug", "info", "warning", "error"] | None = None
    """Not set: ``info`` when deployed, ``warning`` embedded."""
    metrics_token: SecretStr | None = Field(default=None, min_length=16)
    """Who has it may read ``/metrics``. Not set: nobody may."""
    drain_ms: int | None = Field(default=None, ge=0, le=60_000)
    """How long a process that was told to stop still serves, so that the balancer can look
    elsewhere first. Not set: 2,000 when deployed, 0 embedded."""

    bots: int = Field(default=1, ge=0, le=64)
    """Processes in which computer players think, beside this one; 0: there are none here."""

    rates: bool = True
    """Whether anything is refused for coming too often."""
    table_rate: Rate = "10/minute"
    table_address_rate: Rate = "60/minute"
    """Tables that one player may make, and all at one address together."""
    sit_rate: Rate = "30/minute"
    sit_address_rate: Rate = "180/minute"
    """Seats that one player may ask for, and all at one address."""
    quick_rate: Rate = "20/minute"
    quick_address_rate: Rate = "120/minute"
    """Opponents that one player may ask for, and all at one address."""
    name_rate: Rate = "10/minute"
    name_address_rate: Rate = "60/minute"
    """Names that one player may take, and all at one address."""
    register_rate: Rate = "5/hour"
    register_address_rate: Rate = "20/hour"
    """Times that one player may try to register, and all at one address."""
    sign_in_rate: Rate = "10/5minutes"
    sign_in_address_rate: Rate = "60/5minutes"
    sign_in_name_rate: Rate = "100/hour"
    """Times that somebody may try to come in under one name, that all at one address may try to
    come in, and that one name may be tried from wherever it is."""
    fault_address_rate: Rate = "20/minute"
    """Errors that the pages at one address may tell of."""
    api_address_rate: Rate = "300/minute"
    """Calls of the JSON API that all at one address may make."""
    socket_address_rate: Rate = "600/minute"
    """Sockets that all at one address may open."""

    sockets: int = Field(default=2000, ge=1)
    """Sockets that this process serves at once."""
    player_sockets: int = Field(default=MARKS, ge=1, le=MARKS)
    """Sockets that one player may have open at once."""
    address_sockets: int = Field(default=200, ge=1)
    """Sockets that all at one address may have open at once."""
    message_rate: int = Field(default=20, ge=1)
    """Messages a second that one socket may send."""
    message_burst: int = Field(default=40, ge=1)
    """Messages that it may send at once, after a while of silence."""
    ping_ms: int = Field(default=4_000, ge=10, le=60_000)
    """How often a socket is asked whether it lives."""
    silent_ms: int = Field(default=9_000, ge=20, le=120_000)
    """How long it may stay silent before it counts as dead."""

    @field_validator("silent_ms")
    @classmethod
    def _outlasts(cls, value: int, info: ValidationInfo) -> int:
        if value <= info.data.get("ping_ms", 0):
            raise ValueError("has to be longer than EZO_PING_MS")
        return value

    @property
    def deployed(self) -> bool:
        """Whether tables and database are elsewhere, for any number of processes."""
        return self.redis_url is not None

    @model_validator(mode="after")
    def _both_or_neither(self) -> Settings:
        if (self.redis_url is None) != (self.database_url is None):
            lacks = "EZO_REDIS_URL" if self.redis_url is None else "EZO_DATABASE_URL"
            other = "EZO_DATABASE_URL" if self.redis_url is None else "EZO_REDIS_URL"
            raise ValueError(f"{other} is set and {lacks} is not: set both, or neither")
        if self.deployed and self.secret_key is None:
            raise ValueError("EZO_SECRET_KEY has to be set, the same for all processes")
        return self

    @property
    def drain(self) -> float:
        """Seconds for which a process that was told to stop still serves."""
        if self.drain_ms is None:
            return 2.0 if self.deployed else 0.0
        return self.drain_ms / 1000

    @field_validator("origins", "trusted_proxies", mode="before")
    @classmethod
    def _split(cls, value: Any) -> Any:
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        return value

    @field_validator("trusted_proxies")
    @classmethod
    def _networks(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for each in value:
            try:
                ip_network(each)
            except ValueError:
                raise ValueError(f"{each!r} is neither an address nor a network") from None
        return value

    @field_validator("origins")
    @classmethod
    def _check(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for origin in value:
            try:
                parts = urlsplit(origin)
                plain = origin.lower() == f"{parts.scheme}://{parts.netloc}".lower()
            except ValueError:
                plain = False
            if not plain or parts.scheme not in {"http", "https"} or not parts.hostname:
                raise ValueError(f"{origin!r} is not of the form https://host or http://host:port")
        return tuple(origin.lower() for origin in value)


def read_settings(**given: object) -> Settings:
    """The settings of the environment, overruled by what was given (``None``: not given).

    Raises :class:`SettingsError`, whose one line shows no secret.
    """
    try:
        return Settings(**{k: v for k, v in given.items() if v is not None})  # type: ignore[arg-type]
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        said = first["msg"].removeprefix("Value error, ").replace("16 items", "16 characters")
        if not first["loc"]:  # of several settings together
            raise SettingsError(said) from None
        name = str(first["loc"][0])
        where = f"--{name}" if given.get(name) is not None else f"EZO_{name.upper()}"
        raise SettingsError(f"{where}: {said}") from None
