/// The kinds of frames (RFC 6455, section 5.2).
enum WebSocketOpcode: UInt8 {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    var isControl: Bool { rawValue >= 0x8 }
}

/// The reason that one end gives for closing (RFC 6455, section 7.4).
package struct WebSocketClosure: Hashable, Sendable {
    /// Such as 1012 for a server that restarts; nil if none was given.
    package var code: UInt16?
    /// Words of the server, not yet safe for a terminal.
    package var reason = ""

    /// The client has finished.
    static let normal = WebSocketClosure(code: 1000)
    /// The client ends without waiting for an answer.
    static let goingAway = WebSocketClosure(code: 1001)

    var payload: [UInt8] { code.map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] + reason.utf8 } ?? [] }
}

/// A breach of RFC 6455 by the server, with the code for the client's close frame.
struct WebSocketViolation: Error, Hashable {
    var code: UInt16
    var detail: String

    static func malformed(_ detail: String) -> Self { Self(code: 1002, detail: detail) }
    static func invalidText(_ detail: String) -> Self { Self(code: 1007, detail: detail) }
    static func tooLong(_ detail: String) -> Self { Self(code: 1009, detail: detail) }
}

/// The frames of a client, each final and masked.
enum WebSocketFrame {
    /// Encodes a frame (RFC 6455, section 5.2); `mask` must be unpredictable (section 10.3).
    static func encode(_ opcode: WebSocketOpcode, _ payload: [UInt8], mask: UInt32) -> [UInt8] {
        let count = payload.count
        var bytes = [0x80 | opcode.rawValue]
        switch count {
        case ...125: bytes.append(0x80 | UInt8(count))
        case ...0xFFFF: bytes += [0x80 | 126] + bigEndian(UInt64(count)).suffix(2)
        default: bytes += [0x80 | 127] + bigEndian(UInt64(count))
        }
        let key = Array(bigEndian(UInt64(mask)).suffix(4))
        bytes += key
        for (index, byte) in payload.enumerated() { bytes.append(byte ^ key[index % 4]) }
        return bytes
    }

    private static func bigEndian(_ number: UInt64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}

/// The decoder of a server's frames, which takes its bytes in any pieces.
struct WebSocketDecoder {
    /// A message, or a control frame.
    enum Incoming: Equatable {
        /// A whole text, valid UTF-8.
        case text([UInt8])
        /// A whole binary message, whose content is dropped.
        case binary
        case ping([UInt8])
        case pong
        case close(WebSocketClosure)
    }

    private struct Header {
        var opcode: WebSocketOpcode
        var isFinal: Bool
        /// Bytes of the header itself.
        var size: Int
        /// Bytes of the payload.
        var length: Int
    }

    static let longestMessage = 1 << 20
    /// Bytes of the longest payload of a control frame.
    private static let longestControl = 125

    private var buffer: [UInt8] = []
    /// The first byte of the buffer that is not decoded.
    private var start = 0
    private var message: [UInt8] = []
    /// The kind of the message of which fragments arrived; nil between messages.
    private var fragmented: WebSocketOpcode?

    mutating func append(_ bytes: some Sequence<UInt8>) {
        if start == buffer.count { buffer = [] } else { buffer.removeFirst(start) }
        start = 0
        buffer += bytes
    }

    /// Decodes the next event; nil until more bytes arrive.
    /// - Throws: `WebSocketViolation`, after which nothing else can be decoded.
    mutating func next() throws(WebSocketViolation) -> Incoming? {
        while let header = try header(), buffer.count - start >= header.size + header.length {
            let payload = buffer[(start + header.size)...].prefix(header.length)
            start += header.size + header.length
            if let event = try event(header, payload) { return event }
        }
        return nil
    }

    /// Reads the header of the next frame; nil if it is incomplete.
    private func header() throws(WebSocketViolation) -> Header? {
        let rest = buffer[start...]
        guard let first = rest.first, let second = rest.dropFirst().first else { return nil }
        guard first & 0x70 == 0 else { throw .malformed("a frame has reserved bits") }
        guard let opcode = WebSocketOpcode(rawValue: first & 0x0F) else {
            throw .malformed("a frame has an unknown opcode")
        }
        guard second & 0x80 == 0 else { throw .malformed("a frame is masked") }
        let isFinal = first & 0x80 != 0
        guard opcode.isControl || (opcode == .continuation) == (fragmented != nil) else {
            throw .malformed("the fragments of a message are out of order")
        }
        let short = Int(second & 0x7F)
        guard !opcode.isControl || isFinal && short <= Self.longestControl else {
            throw .malformed("a control frame is fragmented or too long")
        }
        let extra = short == 126 ? 2 : short == 127 ? 8 : 0
        let digits = rest.dropFirst(2).prefix(extra)
        guard digits.count == extra else { return nil }
        let number = digits.reduce(UInt64(extra == 0 ? short : 0)) { $0 << 8 | UInt64($1) }
        guard extra == 0 || number > (extra == 2 ? 125 : 0xFFFF), number >> 63 == 0 else {
            throw .malformed("the length of a frame is malformed")
        }
        guard opcode.isControl || number <= UInt64(Self.longestMessage - message.count) else {
            throw .tooLong("a message is longer than \(Self.longestMessage >> 20) MiB")
        }
        return Header(opcode: opcode, isFinal: isFinal, size: 2 + extra, length: Int(number))
    }

    /// The event that a frame completes; nil for a fragment.
    private mutating func event(
        _ header: Header, _ payload: ArraySlice<UInt8>
    ) throws(WebSocketViolation) -> Incoming? {
        switch header.opcode {
        case .ping: return .ping(Array(payload))
        case .pong: return .pong
        case .close: return .close(try closure(payload))
        case .text, .binary, .continuation: break
        }
        message += payload
        let kind = fragmented ?? header.opcode
        guard header.isFinal else {
            fragmented = kind
            return nil
        }
        let whole = message
        (message, fragmented) = ([], nil)
        guard kind == .text else { return .binary }
        guard String(validating: whole, as: UTF8.self) != nil else {
            throw .invalidText("a text is not UTF-8")
        }
        return .text(whole)
    }

    /// Parses the payload of a close frame (RFC 6455, sections 5.5.1 and 7.4).
    private func closure(
        _ payload: ArraySlice<UInt8>
    ) throws(WebSocketViolation) -> WebSocketClosure {
        guard !payload.isEmpty else { return WebSocketClosure() }
        let code = payload.prefix(2).reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
        guard payload.count > 1 else { throw .malformed("a close frame is too short") }
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: break
        default: throw .malformed("a close frame has the code \(code)")
        }
        guard let reason = String(validating: payload.dropFirst(2), as: UTF8.self) else {
            throw .invalidText("the reason of a close frame is not UTF-8")
        }
        return WebSocketClosure(code: code, reason: reason)
    }
}
