/// Reads compiled zone files, TZif versions 1 to 4 (RFC 9636, section 3), without leap seconds.
enum TimeZoneFile {
    /// Parses a file; nil if the bytes are not valid TZif data.
    static func read(_ bytes: [UInt8]) -> TimeZoneRules? {
        guard let first = Header(bytes[...]) else { return nil }
        let data = bytes.dropFirst(Header.size)
        guard first.version >= UInt8(ascii: "2") else {
            return first.rules(in: data, timeSize: 4, continuation: nil)
        }
        let second = data.dropFirst(first.dataSize(timeSize: 4))
        guard let header = Header(second) else { return nil }
        let body = second.dropFirst(Header.size)
        let footer = body.dropFirst(header.dataSize(timeSize: 8))
        guard footer.first == UInt8(ascii: "\n"),
            let end = footer.dropFirst().firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        let text = String(decoding: footer[(footer.startIndex + 1)..<end], as: UTF8.self)
        let formula = POSIXTimeZoneRule(posix: text)
        guard text.isEmpty || formula != nil else { return nil }
        return header.rules(in: body, timeSize: 8, continuation: formula)
    }

    /// The fixed part at the head of a data block (RFC 9636, section 3.1).
    private struct Header {
        static let size = 44

        let version: UInt8
        private let utcMarkCount: Int
        private let standardMarkCount: Int
        private let leapCount: Int
        private let transitionCount: Int
        private let typeCount: Int
        private let nameByteCount: Int

        init?(_ bytes: ArraySlice<UInt8>) {
            guard bytes.count >= Self.size, bytes.starts(with: Array("TZif".utf8)) else {
                return nil
            }
            let counts = (0..<6).map { index in
                Int(bytes.bigEndian(at: bytes.startIndex + 20 + index * 4, size: 4))
            }
            // The file is at most 1 MiB; larger counts would overflow the sums.
            guard counts.allSatisfy({ (0...0x10_0000).contains($0) }), counts[4] > 0 else {
                return nil
            }
            version = bytes[bytes.startIndex + 4]
            utcMarkCount = counts[0]
            standardMarkCount = counts[1]
            leapCount = counts[2]
            transitionCount = counts[3]
            typeCount = counts[4]
            nameByteCount = counts[5]
        }

        func dataSize(timeSize: Int) -> Int {
            transitionCount * (timeSize + 1) + typeCount * 6 + nameByteCount
                + leapCount * (timeSize + 4) + standardMarkCount + utcMarkCount
        }

        func rules(
            in data: ArraySlice<UInt8>, timeSize: Int, continuation: POSIXTimeZoneRule?
        ) -> TimeZoneRules? {
            guard data.count >= dataSize(timeSize: timeSize) else { return nil }
            let indices = data.startIndex + transitionCount * timeSize
            let types = indices + transitionCount
            let offsets = (0..<typeCount).map { Int(data.bigEndian(at: types + $0 * 6, size: 4)) }
            // RFC 9636, section 3.2: more than -25 hours, less than 26 hours.
            guard offsets.allSatisfy({ $0 > -90_000 && $0 < 93_600 }) else { return nil }
            var transitions: [TimeZoneRules.Transition] = []
            for index in 0..<transitionCount {
                let start = data.bigEndian(at: data.startIndex + index * timeSize, size: timeSize)
                let type = Int(data[indices + index])
                guard type < typeCount, transitions.last.map({ $0.start < start }) ?? true else {
                    return nil
                }
                transitions.append(.init(start: start, offset: offsets[type]))
            }
            return TimeZoneRules(
                firstOffset: offsets[0], transitions: transitions, continuation: continuation)
        }
    }
}

extension ArraySlice<UInt8> {
    /// The signed big-endian number of 4 or 8 bytes that starts at `index`.
    fileprivate func bigEndian(at index: Int, size: Int) -> Int64 {
        let unsigned = self[index..<(index + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return size == 4
            ? Int64(Int32(truncatingIfNeeded: unsigned)) : Int64(bitPattern: unsigned)
    }
}
