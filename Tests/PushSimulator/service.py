"""Requests and answers of a push service, whichever HTTP carries them."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from webtoken import WebToken

Clock = Callable[[], float]
"""Gives the seconds since 1970 by a service's clock."""


@dataclass(frozen=True)
class Request:
    """One request to a service."""

    connection: int
    """The number of the connection, in the order of arrival."""
    stream: int | None
    """The stream of HTTP/2; None with HTTP/1.1."""
    origin: str
    """Scheme, host and port that the request reached."""
    method: str
    path: str
    headers: Sequence[tuple[str, str]]
    """The header fields in order; names are in lower case."""
    body: bytes

    def header(self, name: str) -> str | None:
        """The first header field of a lower-case name."""
        return next((value for key, value in self.headers if key == name), None)

    @property
    def last_segment(self) -> str:
        return self.path.rpartition("/")[2]

    @property
    def bearer(self) -> str | None:
        """The token of `authorization: bearer TOKEN` (RFC 6750, section 2.1)."""
        words = (self.header("authorization") or "").split()
        return words[1] if len(words) == 2 and words[0].lower() == "bearer" else None

    def json_object(self) -> dict[str, Any] | None:
        """The body; None unless it is a JSON object."""
        try:
            value = json.loads(self.body)
        except ValueError:
            return None
        return value if isinstance(value, dict) else None


@dataclass
class Answer:
    """A service's answer."""

    status: int = 200
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""

    @classmethod
    def json(
        cls, value: object, status: int = 200, content_type: str | None = "application/json",
        headers: Sequence[tuple[str, str]] = (),
    ) -> Answer:
        kind = [("content-type", content_type)] if content_type else []
        return cls(status, [*kind, *headers], compact_json(value).encode())


class Refusal(Exception):
    """A refused request: the reason for the log, and the answer."""

    def __init__(self, reason: str, answer: Answer) -> None:
        super().__init__(reason)
        self.reason = reason
        self.answer = answer


@dataclass
class Entry:
    """What the log tells about a request, apart from its transport."""

    token: str | None = None
    """The receiver: a push token, or the id of a subscription."""
    collapse_id: str | None = None
    web_token: WebToken | None = None
    payload: Any = None
    complaint: str | None = None
    """A defect that the service itself cannot see, but a receiver would."""
    reason: str | None = None
    """Why the service refused the request."""

    @property
    def event_id(self) -> str | None:
        """The event that the payload is about, in any of its forms."""
        message = member(self.payload, "message")
        for data in (member(message, "data"), member(self.payload, "data"), self.payload):
            if isinstance(event := member(data, "event_id"), str):
                return event
        return None


class Service(ABC):
    """A push service. Strict on purpose: what it refuses, the real one refuses as well."""

    name: ClassVar[str]
    reasons: ClassVar[Collection[str]] = ()
    """The errors that a fault can ask for by name."""
    protocols: ClassVar[Sequence[str]] = ("h2", "http/1.1")
    """What it offers by ALPN (RFC 7301), in its own order."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    @abstractmethod
    def describe(self, request: Request) -> Entry:
        """Reads what a request says, without judging it."""

    @abstractmethod
    def answer(self, request: Request, entry: Entry) -> Answer:
        """Processes a request; raises Refusal."""

    def refusal(self, request: Request, reason: str, age: float) -> Refusal:
        """One of `reasons`; a token that is gone has been so for `age` seconds."""
        raise NotImplementedError

    def streams(self, connection: int) -> int:
        """How many streams a connection may have at once."""
        return 100


def member(value: Any, name: str) -> Any:
    """A member of a JSON object; None if there is none, or no object."""
    return value.get(name) if isinstance(value, dict) else None


def compact_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
