"""HTTP/1.1 (RFC 9112), as far as a push service needs it."""

from __future__ import annotations

import asyncio
from http import HTTPStatus

from connection import Connection, Delivery, Reply
from service import Request


async def serve(connection: Connection) -> None:
    """Answers the requests of a connection in turn."""
    is_open = True
    while is_open:
        request = await read_request(connection)
        is_open = await deliver(connection.reply(request), connection)


async def read_request(connection: Connection) -> Request:
    head = await connection.reader.readuntil(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").strip().split("\r\n")
    method, target, _ = first.split(" ")
    fields = [line.partition(":") for line in lines]
    headers = [(name.lower(), value.strip()) for name, _, value in fields]
    length = int(dict(headers).get("content-length", "0"))
    return Request(
        connection=connection.number, stream=None, origin=connection.origin, method=method,
        path=target.partition("?")[0], headers=headers,
        body=await connection.reader.readexactly(length))


async def deliver(reply: Reply, connection: Connection) -> bool:
    """Delivers an answer; returns True if the connection serves further requests."""
    await asyncio.sleep(reply.delay)
    writer, answer = connection.writer, reply.answer
    match reply.delivery:
        case Delivery.GOAWAY:
            return False
        case Delivery.RESET:
            connection.reset()
            return False
        case Delivery.SILENT:
            await connection.reader.read()
            return False
    fields = "".join(f"{name}: {value}\r\n" for name, value in reply.headers)
    phrase = HTTPStatus(answer.status).phrase
    writer.write(f"HTTP/1.1 {answer.status} {phrase}\r\n{fields}\r\n".encode())
    writer.write(answer.body)
    await writer.drain()
    while reply.delivery is Delivery.ENDLESS:
        writer.write(answer.body or b" ")
        await writer.drain()
    return True
