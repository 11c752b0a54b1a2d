"""Deliberate failures of the services."""

from __future__ import annotations

import math
import re
from argparse import ArgumentTypeError
from collections.abc import Iterator
from dataclasses import dataclass, field

from apns import APNs
from connection import Delivery
from fcm import FCM
from oauth import OAuth
from service import Answer, Entry, Request, Service
from webpush import WebPush

SERVICES: dict[str, type[Service]] = {
    service.name: service for service in (APNs, FCM, OAuth, WebPush)}

HELP = """\
Faults: parts separated by commas.
  provider=NAME      only apns, fcm, oauth (Google's access tokens) or webpush
  token=TEXT         only tokens, or ids of subscriptions, that begin so
  after=N, times=N   let N requests pass first; strike N requests, then no more
  reason=NAME        an error of that service's table: Unregistered, UNREGISTERED,
                     BAD_REQUEST, invalid_grant and others
  age=TIME           how long a token has been Unregistered (0s)
  delay=200ms        answer later
  status=N           answer with that status
  header=NAME:VALUE  add a header
  content-type=TYPE  answer with that type
  body=TEXT          answer with that body; takes the rest of SPEC
  html               answer with a page, as a proxy in front does (502 without status=)
  echo               answer with the secrets of the request in all texts (400 without status=)
  reset, silent      reset the connection; accept and never answer
  endless            never finish the body
  goaway             end the HTTP/2 connection; the request is not processed"""

PAGE = "<!DOCTYPE html><title>Proxy</title><h1>Not the server's answer</h1>"


@dataclass
class Fault:
    """What goes wrong with some requests; by itself, nothing."""

    service: str | None = None
    """None for all services."""
    token: str = ""
    """The beginning of the tokens that it strikes."""
    after: int = 0
    """How many matching requests pass first."""
    times: float = math.inf
    """How many requests it strikes."""
    reason: str | None = None
    age: float = 0
    delay: float = 0
    status: int | None = None
    body: str | None = None
    content_type: str | None = None
    headers: list[tuple[str, str]] = field(default_factory=list)
    echoes: bool = False
    delivery: Delivery = Delivery.WHOLE
    _seen: int = 0

    @classmethod
    def parse(cls, spec: str) -> Fault:
        """Parses a text such as `provider=apns,reason=Unregistered,times=2`."""
        fault = cls()
        for part in parts(spec):
            name, sign, value = part.partition("=")
            fault._apply(name, value if sign else None)
        if fault.reason:
            if not fault.service:
                raise ArgumentTypeError("reason= needs provider=")
            if fault.reason not in SERVICES[fault.service].reasons:
                raise ArgumentTypeError(f"{fault.service} knows no reason {fault.reason}")
        return fault

    def _apply(self, name: str, value: str | None) -> None:
        match name, value:
            case "provider", str():
                if value not in SERVICES:
                    raise ArgumentTypeError(f"provider= is {', '.join(SERVICES)}, not {value}")
                self.service = value
            case ("token" | "reason" | "body"), str():
                setattr(self, name, value)
            case ("after" | "times" | "status"), str():
                setattr(self, name, int(value))
            case ("age" | "delay"), str():
                setattr(self, name, seconds(value))
            case "content-type", str():
                self.content_type = value
            case "header", str():
                key, _, text = value.partition(":")
                self.headers.append((key.lower(), text.strip()))
            case "html", None:
                self.status = self.status or 502
                self.content_type = "text/html; charset=utf-8"
                self.body = PAGE
            case "echo", None:
                self.status = self.status or 400
                self.echoes = True
            case ("reset" | "silent" | "endless" | "goaway"), None:
                self.delivery = Delivery(name)
            case _:
                raise ArgumentTypeError(f"no fault is called {name}{'' if value is None else '='}")

    def strikes(self, service: Service, entry: Entry) -> bool:
        """Counts a request if it matches, and returns True if the fault applies to it."""
        token = entry.token or ""
        is_match = self.service in (None, service.name) and token.startswith(self.token)
        self._seen += is_match
        return is_match and self.after < self._seen <= self.after + self.times

    @property
    def name(self) -> str | None:
        """The name in the log; None for one that only delays."""
        if self.delivery is not Delivery.WHOLE:
            return str(self.delivery.value)
        return self.reason or (f"status {self.status}" if self.status else None)

    def answer(self, service: Service, request: Request, entry: Entry) -> Answer | None:
        """What is answered instead of processing the request; None if it is processed.

        Raises Refusal if the fault has a reason.
        """
        if self.reason:
            raise service.refusal(request, self.reason, self.age)
        if self.echoes:
            secrets = f"{request.header('authorization')} {entry.token} {request.body!r}"
            return Answer.json(error(self.status, secrets), self.status or 400)
        if self.body is not None:
            kind = ("content-type", "application/json")
            return Answer(self.status or 200, [kind], self.body.encode())
        if self.status:
            return Answer.json({"code": self.status, "message": "Injected fault"}, self.status)
        return None if self.delivery in (Delivery.WHOLE, Delivery.ENDLESS) else Answer()

    def change(self, answer: Answer) -> Answer:
        """An answer with the fault's own header fields."""
        own = list(self.headers)
        if self.content_type:
            own.append(("content-type", self.content_type))
        names = {name for name, _ in own}
        others = [(name, value) for name, value in answer.headers if name not in names]
        return Answer(answer.status, others + own, answer.body)


def parts(spec: str) -> Iterator[str]:
    """The parts of a fault; a body takes the rest, commas included."""
    while spec:
        if spec.startswith("body="):
            yield spec
            return
        part, _, spec = spec.partition(",")
        yield part


def seconds(text: str) -> float:
    """A duration such as 200ms, 2s or 2."""
    number = re.fullmatch(r"([0-9.]+)(ms|s|)", text)
    if not number:
        raise ArgumentTypeError(f"{text} is no duration; write 200ms or 2s")
    return float(number[1]) / (1000 if number[2] == "ms" else 1)


def error(status: int | None, text: str) -> dict[str, object]:
    """An error in the forms of all services at once, with the same text everywhere."""
    return {
        "code": status, "reason": text, "message": text,
        "error": {"code": status, "status": text, "message": text},
    }
