"""The push services of Apple, Google and browsers, their faults and their log."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from apns import APNs
from connection import Delivery, Reply
from faults import Fault
from fcm import FCM
from listener import Listener
from oauth import OAuth
from service import Entry, Refusal, Request, Service, compact_json
from webpush import WebPush


class Log:
    """A JSON line for each request, in a file."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def write(self, line: object) -> None:
        os.write(self._file, compact_json(line).encode() + b"\n")


@dataclass(frozen=True)
class Options:
    log: Path | None = None
    faults: Sequence[Fault] = ()
    tokens: int = 5
    """How many addresses each service has given out."""
    clock: float = 0
    """The seconds by which the services' clocks are ahead."""
    environment: str = "production"
    """Apple's environment, `production` or `sandbox`."""


class Simulator:
    """All services, each at a port of its own; browsers' also at one without TLS."""

    def __init__(self, options: Options, certificate: Path) -> None:
        """Makes the services; a file has the certificate and key of those on TLS."""
        self._clock_offset = options.clock
        self._faults = options.faults
        self._log = Log(options.log) if options.log else None
        self.apns = APNs(self._clock, options.environment, options.tokens)
        self.oauth = OAuth(self._clock)
        self.fcm = FCM(self._clock, self.oauth, options.tokens)
        self.web_push = WebPush(self._clock, options.tokens)
        self.apns_listener = Listener(self.apns, self._reply, certificate)
        self.oauth_listener = Listener(self.oauth, self._reply, certificate)
        self.fcm_listener = Listener(self.fcm, self._reply, certificate)
        self.web_push_listener = Listener(self.web_push, self._reply, certificate)
        self.plain_web_push_listener = Listener(self.web_push, self._reply)

    async def open(self) -> None:
        """Opens the ports."""
        for listener in (
                self.apns_listener, self.oauth_listener, self.fcm_listener,
                self.web_push_listener, self.plain_web_push_listener):
            await listener.open()

    def _clock(self) -> float:
        return time.time() + self._clock_offset

    def _reply(self, service: Service, request: Request) -> Reply:
        """Answers a request, with the fault that applies to it."""
        entry = service.describe(request)
        # Each matching fault counts the request, and the first that applies strikes.
        striking = [fault for fault in self._faults if fault.strikes(service, entry)]
        fault = striking[0] if striking else Fault()
        try:
            answer = fault.answer(service, request, entry) or service.answer(request, entry)
        except Refusal as refusal:
            answer, entry.reason = refusal.answer, refusal.reason
        answer = fault.change(answer)
        status = answer.status if fault.delivery is Delivery.WHOLE else None
        if self._log:
            self._log.write(self._line(service, request, entry, status, fault.name))
        return Reply(answer, fault.delay, fault.delivery)

    def _line(
        self, service: Service, request: Request, entry: Entry, status: int | None,
        fault: str | None,
    ) -> dict[str, object]:
        """What the service received, independently of what argus says it sent.

        The status is null for a request that was not answered.
        """
        token = entry.web_token
        secret = ("authorization", "crypto-key")
        return {
            "at": datetime.fromtimestamp(self._clock(), UTC).isoformat(),
            "provider": service.name, "connection": request.connection,
            "protocol": "h2" if request.stream else "http/1.1", "stream": request.stream,
            "path": request.path, "token": entry.token, "event_id": entry.event_id,
            "collapse_id": entry.collapse_id,
            "jwt": token and {"id": token.id, "iat": token.time("iat"), "claims": token.claims},
            "status": status, "reason": entry.reason, "fault": fault,
            "complaint": entry.complaint,
            "headers": {name: value for name, value in request.headers if name not in secret},
            "bytes": len(request.body), "payload": entry.payload,
        }
