import NIOCore
import NIOHTTP1

/// Encodes answers as HTTP/1.1 (RFC 9112).
enum Wire {
    /// Status line and header fields, in the order of the real server.
    static func head(_ answer: Answer, length: Int?, now: Moment) -> ByteBuffer {
        let status = HTTPResponseStatus(statusCode: answer.status)
        var head = ByteBuffer()
        head.reserveCapacity(600)
        head.writeString("HTTP/1.1 \(answer.status) \(status.reasonPhrase)\r\n")
        head.writeString("date: \(now.httpDate)\r\nserver: uvicorn\r\n")
        // A 204 has neither a body nor a length.
        if let length, answer.status != 204 { head.writeString("content-length: \(length)\r\n") }
        if length == nil { head.writeString("transfer-encoding: chunked\r\n") }
        for (name, value) in answer.headers { head.writeString("\(name): \(value)\r\n") }
        head.writeStaticString("\r\n")
        return head
    }

    /// A chunk of a body, preceded by its length; an empty one ends the body.
    static func chunk(_ bytes: ByteBuffer) -> ByteBuffer {
        var chunk = ByteBuffer(string: "\(String(bytes.readableBytes, radix: 16))\r\n")
        chunk.writeImmutableBuffer(bytes)
        chunk.writeStaticString("\r\n")
        return chunk
    }
}
