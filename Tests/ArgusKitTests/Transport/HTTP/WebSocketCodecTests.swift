import ArgusTestSupport
import Testing

@testable import ArgusTransport

@Suite("the frames of a WebSocket")
struct WebSocketCodecTests {
    private func decode(_ bytes: [UInt8]) throws -> [WebSocketDecoder.Incoming] {
        var decoder = WebSocketDecoder()
        decoder.append(bytes)
        var events: [WebSocketDecoder.Incoming] = []
        while let event = try decoder.next() { events.append(event) }
        return events
    }

    private func text(_ text: String) -> WebSocketDecoder.Incoming { .text(Array(text.utf8)) }

    /// An unmasked, final frame as a server sends it.
    private static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let count = payload.count
        switch count {
        case ...125: return [first, UInt8(count)] + payload
        case ...65535: return [first, 126, UInt8(count >> 8), UInt8(count & 0xFF)] + payload
        default:
            let digits = (0..<8).reversed().map { UInt8(count >> ($0 * 8) & 0xFF) }
            return [first, 127] + digits + payload
        }
    }

    @Test("the examples of RFC 6455, section 5.7, are decoded")
    func examples() throws {
        let hello = Array("Hello".utf8)
        #expect(try decode([0x81, 0x05] + hello) == [text("Hello")])
        #expect(
            try decode([0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F]) == [text("Hello")])
        #expect(try decode([0x89, 0x05] + hello) == [.ping(hello)])
        #expect(try decode([0x8A, 0x05] + hello) == [.pong])
        let bytes = [UInt8](repeating: 7, count: 256)
        #expect(try decode([0x82, 0x7E, 0x01, 0x00] + bytes) == [.binary])
        let many = [UInt8](repeating: 7, count: 65536)
        #expect(try decode([0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + many) == [.binary])
    }

    @Test("a client's frames are final and masked, as in the example of RFC 6455, section 5.7")
    func encoding() {
        #expect(
            WebSocketFrame.encode(.text, Array("Hello".utf8), mask: 0x37FA_213D) == [
                0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58,
            ])
        #expect(WebSocketFrame.encode(.close, [], mask: 1) == [0x88, 0x80, 0, 0, 0, 1])
        for (count, head) in [
            (125, [0x8A, 0xFD] as [UInt8]), (126, [0x8A, 0xFE, 0, 126]),
            (65535, [0x8A, 0xFE, 0xFF, 0xFF]), (65536, [0x8A, 0xFF, 0, 0, 0, 0, 0, 1, 0, 0]),
        ] {
            let payload = [UInt8](repeating: 9, count: count)
            #expect(
                WebSocketFrame.encode(.pong, payload, mask: 0) == head + [0, 0, 0, 0] + payload)
        }
    }

    @Test(
        "a frame that RFC 6455 forbids is a breach with its code",
        arguments: [
            ([0xC1, 0x00], 1002), ([0xA1, 0x00], 1002), ([0x91, 0x00], 1002),
            ([0x83, 0x00], 1002), ([0x87, 0x00], 1002), ([0x8B, 0x00], 1002),
            ([0x8F, 0x00], 1002),
            // Masked.
            ([0x81, 0x80, 0, 0, 0, 0], 1002),
            // A fragment of nothing, and a message within another one.
            ([0x80, 0x00], 1002), ([0x00, 0x00], 1002), ([0x01, 0x00, 0x81, 0x00], 1002),
            ([0x02, 0x00, 0x01, 0x00], 1002),
            // Control frames in fragments, or too long.
            ([0x09, 0x00], 1002), ([0x08, 0x00], 1002), ([0x89, 0x7E, 0, 126], 1002),
            ([0x8A, 0x7F], 1002),
            // Lengths that need fewer bytes, or the highest bit.
            ([0x81, 0x7E, 0, 125], 1002), ([0x81, 0x7F, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 1002),
            ([0x81, 0x7F, 0x80, 0, 0, 0, 0, 0, 0, 0], 1002),
            // More than 1 MiB, alone and in fragments.
            ([0x81, 0x7F, 0, 0, 0, 0, 0, 0x10, 0, 1], 1009),
            ([0x81, 0x7F, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], 1009),
            ([0x01, 0x01, 0x41, 0x80, 0x7F, 0, 0, 0, 0, 0, 0x10, 0, 0], 1009),
            // Text that is not UTF-8: a wrong byte, one that is cut, an overlong one, a surrogate.
            ([0x81, 0x01, 0xFF], 1007), ([0x81, 0x01, 0xC3], 1007),
            ([0x81, 0x02, 0xC0, 0x80], 1007), ([0x81, 0x03, 0xED, 0xA0, 0x80], 1007),
            ([0x01, 0x01, 0xC3, 0x80, 0x00], 1007),
            // Close frames.
            ([0x88, 0x01, 0x03], 1002), ([0x88, 0x03, 0x03, 0xE8, 0xFF], 1007),
        ] as [([UInt8], UInt16)])
    func breaches(bytes: [UInt8], code: UInt16) throws {
        let breach = #expect(throws: WebSocketViolation.self) { try decode(bytes) }
        #expect(breach?.code == code)
        #expect(breach?.detail.isEmpty == false)
    }

    @Test("close frames carry the codes that may be sent, and no others")
    func closeCodes() throws {
        let allowed: [ClosedRange<UInt16>] = [1000...1003, 1007...1014, 3000...4999]
        for code in UInt16.min...5001 {
            let bytes = [0x88, 0x04, UInt8(code >> 8), UInt8(code & 0xFF), 0x6F, 0x6B]
            if allowed.contains(where: { $0.contains(code) }) {
                let closure = WebSocketClosure(code: code, reason: "ok")
                #expect(try decode(bytes) == [.close(closure)])
                #expect(closure.payload == Array(bytes[2...]))
            } else {
                #expect(throws: WebSocketViolation.self) { try decode(bytes) }
            }
        }
        #expect(try decode([0x88, 0x00]) == [.close(WebSocketClosure())])
        #expect(WebSocketClosure().payload.isEmpty)
    }

    @Test("a message of exactly 1 MiB is whole, in one frame and in fragments")
    func longest() throws {
        let whole = [UInt8](repeating: 0x61, count: 1 << 20)
        #expect(try decode(Self.frame(0x81, whole)) == [.text(whole)])
        let half = [UInt8](repeating: 0x61, count: 1 << 19)
        let halves = Self.frame(0x01, half) + [0x00, 0x00] + Self.frame(0x80, half)
        #expect(try decode(halves) == [.text(whole)])
    }

    @Test("bytes in any pieces give the same events")
    func pieces() throws {
        let stream =
            Self.frame(0x81, Array("first".utf8)) + Self.frame(0x01, Array("gr".utf8))
            + Self.frame(0x89, [1, 2]) + Self.frame(0x00, [0xC3]) + Self.frame(0x8A, [])
            + Self.frame(0x80, [0xBC] + Array("n".utf8)) + Self.frame(0x82, [0xFF])
            + Self.frame(0x81, Array(String(repeating: "ä", count: 200).utf8))
            + Self.frame(0x81, []) + Self.frame(0x88, [0x03, 0xE9])
        let events: [WebSocketDecoder.Incoming] = [
            text("first"), .ping([1, 2]), .pong, text("grün"), .binary,
            text(String(repeating: "ä", count: 200)), text(""),
            .close(WebSocketClosure(code: 1001)),
        ]
        var generator = FixedRandom(state: 16)
        for round in 0..<300 {
            var decoder = WebSocketDecoder()
            var seen: [WebSocketDecoder.Incoming] = []
            var rest = stream[...]
            while !rest.isEmpty {
                let count = round == 0 ? 1 : Int.random(in: 1...(round / 2 + 1), using: &generator)
                decoder.append(rest.prefix(count))
                rest = rest.dropFirst(count)
                while let event = try decoder.next() { seen.append(event) }
            }
            #expect(seen == events, "round \(round)")
        }
    }

    @Test("no bytes whatever make the decoder crash or loop")
    func noise() {
        var generator = FixedRandom(state: 6455)
        for _ in 0..<3000 {
            var decoder = WebSocketDecoder()
            // Plausible first bytes reach further than pure noise.
            var bytes: [UInt8] = [
                [0x81, 0x01, 0x80, 0x88, 0x89].randomElement(using: &generator) ?? 0
            ]
            for _ in 0..<40 { bytes.append(.random(in: 0 ... .max, using: &generator)) }
            decoder.append(bytes)
            var count = 0
            while (try? decoder.next()) != nil { count += 1 }
            #expect(count <= bytes.count)
        }
    }
}
