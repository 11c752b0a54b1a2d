"""A client's connection, and the reply to one of its requests."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from service import Answer, Request


class Delivery(Enum):
    """What becomes of an answer."""

    WHOLE = "whole"
    ENDLESS = "endless"
    """The body repeats until the client closes."""
    SILENT = "silent"
    """No answer comes, and the connection stays open."""
    RESET = "reset"
    """The connection is reset."""
    GOAWAY = "goaway"
    """The connection ends (RFC 9113, section 6.8) and the request is not processed."""


@dataclass
class Reply:
    """An answer, and how it is delivered."""

    answer: Answer
    delay: float = 0
    delivery: Delivery = Delivery.WHOLE

    @property
    def headers(self) -> list[tuple[str, str]]:
        """The header fields of the answer; an endless one has no length."""
        length = [("content-length", str(len(self.answer.body)))]
        return [*self.answer.headers, *(length if self.delivery is Delivery.WHOLE else [])]


@dataclass
class Connection:
    """A client's connection."""

    number: int
    """In the order of arrival, from 1."""
    origin: str
    """Scheme, host and port that it reached."""
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    reply: Callable[[Request], Reply]
    """Processes a request."""
    streams: Callable[[], int]
    """Gives the number of streams that are allowed at once."""

    def reset(self) -> None:
        """Closes so that the peer's next read fails; past TLS, which would say goodbye."""
        linger = struct.pack("ii", 1, 0)
        connection: socket.socket = self.writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.writer.transport.abort()
