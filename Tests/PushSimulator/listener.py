"""Ports of this machine on which the services answer."""

from __future__ import annotations

import asyncio
import itertools
import ssl
from collections.abc import Callable
from functools import partial
from pathlib import Path

import http1
from connection import Connection, Reply
from http2 import HTTP2
from service import Request, Service

_numbers = itertools.count(1)


class Listener:
    """A port of the loopback address that leads to one service."""

    def __init__(
        self, service: Service, reply: Callable[[Service, Request], Reply],
        certificate: Path | None = None,
    ) -> None:
        """Speaks TLS with a file of a certificate and its key, else plain HTTP/1.1."""
        self._service = service
        self._reply = partial(reply, service)
        self._tls: ssl.SSLContext | None = None
        if certificate:
            self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._tls.load_cert_chain(certificate)
            self._tls.set_alpn_protocols(service.protocols)
        self.origin = ""

    async def open(self) -> None:
        """Begins to listen, at an address that is free."""
        self._server = await asyncio.start_server(
            self._serve, "127.0.0.1", 0, ssl=self._tls, backlog=256)
        port = self._server.sockets[0].getsockname()[1]
        self.origin = f"{'https' if self._tls else 'http'}://127.0.0.1:{port}"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number = next(_numbers)
        connection = Connection(
            number, self.origin, reader, writer, self._reply,
            partial(self._service.streams, number))
        tls = writer.get_extra_info("ssl_object")
        protocol = tls.selected_alpn_protocol() if tls else None
        try:
            if protocol == "h2":
                await HTTP2(connection).serve()
            elif "http/1.1" in self._service.protocols:
                await http1.serve(connection)
        # The client has gone.
        except (OSError, EOFError):
            pass
        finally:
            writer.close()
