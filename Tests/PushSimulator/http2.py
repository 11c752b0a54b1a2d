"""HTTP/2 (RFC 9113), which the library h2 speaks."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.events import (
    DataReceived,
    Event,
    RemoteSettingsChanged,
    RequestReceived,
    StreamEnded,
    StreamReset,
    WindowUpdated,
)
from h2.exceptions import ProtocolError
from h2.settings import SettingCodes, Settings
from hyperframe.frame import GoAwayFrame

from connection import Connection, Delivery, Reply
from service import Request


class HTTP2:
    """A connection whose streams are answered side by side."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._limit = connection.streams()
        self._state = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8"))
        self._state.local_settings = Settings(client=False, initial_values={
            SettingCodes.MAX_CONCURRENT_STREAMS: self._limit,
            SettingCodes.MAX_HEADER_LIST_SIZE: 1 << 14,
        })
        self._requests: dict[int, tuple[list[tuple[str, str]], bytearray]] = {}
        """The header fields and the body so far of each request that is not complete."""
        self._answers: dict[int, asyncio.Task[None]] = {}
        self._window_grew = asyncio.Event()
        self._last_stream = 0
        """The highest stream that was processed."""
        self._has_left = False

    async def serve(self) -> None:
        """Answers requests until the client closes."""
        self._state.initiate_connection()
        try:
            await self._flush()
            while data := await self._connection.reader.read(1 << 16):
                for event in self._state.receive_data(data):
                    self._receive(event)
                await self._flush()
        except ProtocolError:
            await self._flush()
        finally:
            for answer in self._answers.values():
                answer.cancel()

    async def _flush(self) -> None:
        self._connection.writer.write(self._state.data_to_send())
        await self._connection.writer.drain()

    def _receive(self, event: Event) -> None:
        match event:
            case RequestReceived():
                self._requests[event.stream_id] = (event.headers, bytearray())
            case DataReceived():
                self._requests[event.stream_id][1].extend(event.data)
                self._state.acknowledge_received_data(
                    event.flow_controlled_length, event.stream_id)
            case StreamEnded():
                self._process(event.stream_id)
            case StreamReset():
                self._requests.pop(event.stream_id, None)
                if answer := self._answers.pop(event.stream_id, None):
                    answer.cancel()
            case WindowUpdated() | RemoteSettingsChanged():
                self._window_grew.set()

    def _process(self, stream: int) -> None:
        """Processes a complete request, and begins to answer it."""
        headers, body = self._requests.pop(stream)
        if self._has_left:
            return
        fields = dict(headers)
        reply = self._connection.reply(Request(
            connection=self._connection.number, stream=stream, origin=self._connection.origin,
            method=fields[":method"], path=fields[":path"].partition("?")[0],
            headers=[(name, value) for name, value in headers if not name.startswith(":")],
            body=bytes(body)))
        if reply.delivery is Delivery.GOAWAY:
            self._leave(stream)
            return
        self._last_stream = max(self._last_stream, stream)
        if self._limit != self._connection.streams():
            self._limit = self._connection.streams()
            self._state.update_settings({SettingCodes.MAX_CONCURRENT_STREAMS: self._limit})
        self._answers[stream] = asyncio.create_task(self._deliver(stream, reply))

    def _leave(self, stream: int) -> None:
        """Ends the connection with a frame that names the last request that was processed."""
        self._has_left = True
        if stream < self._last_stream:
            self._state.reset_stream(stream, ErrorCodes.REFUSED_STREAM)
        # After a GOAWAY of its own h2 sends nothing, but the answers to earlier requests are due.
        frame = GoAwayFrame(
            0, last_stream_id=self._last_stream, error_code=ErrorCodes.NO_ERROR,
            additional_data=b'{"reason":"Shutdown"}')
        self._connection.writer.write(self._state.data_to_send() + frame.serialize())

    async def _deliver(self, stream: int, reply: Reply) -> None:
        await asyncio.sleep(reply.delay)
        if reply.delivery is Delivery.SILENT:
            return
        if reply.delivery is Delivery.RESET:
            self._connection.reset()
            return
        with suppress(ConnectionError, ProtocolError):
            self._state.send_headers(
                stream, [(":status", str(reply.answer.status)), *reply.headers])
            await self._send(stream, reply.answer.body)
            while reply.delivery is Delivery.ENDLESS:
                await self._send(stream, reply.answer.body or b" ")
            self._state.end_stream(stream)
            await self._flush()

    async def _send(self, stream: int, data: bytes) -> None:
        """Sends a part of a body, as fast as the client wants it."""
        while data:
            self._window_grew.clear()
            room = min(
                self._state.local_flow_control_window(stream), self._state.max_outbound_frame_size)
            if room > 0:
                self._state.send_data(stream, data[:room])
                data = data[room:]
            await self._flush()
            if room <= 0:
                await self._window_grew.wait()
