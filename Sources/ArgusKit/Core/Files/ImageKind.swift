/// The image formats of snapshots and thumbnails, detected from their bytes.
package enum ImageKind: String, Sendable, CaseIterable {
    case jpeg, png

    package var fileExtension: String { self == .jpeg ? "jpg" : "png" }

    /// The reason why bytes are not a complete image.
    package enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// The bytes begin like neither a JPEG nor a PNG.
        case unknownFormat
        case truncated(ImageKind)
        case malformed(ImageKind)

        /// The fault as the end of a sentence about the image.
        package var description: String {
            switch self {
            case .unknownFormat: "is neither a JPEG nor a PNG"
            case .truncated(let kind): "is a \(kind.rawValue.uppercased()) cut short"
            case .malformed(let kind): "is a broken \(kind.rawValue.uppercased())"
            }
        }
    }

    /// Returns the format of a complete image, without decoding; bytes after its end are accepted.
    ///
    /// JPEG segments go from SOI to EOI (ITU-T T.81, annex B), PNG chunks from the signature to
    /// IEND with their checksums (PNG, section 5).
    /// - Throws: `Fault`.
    package static func ofComplete(_ bytes: [UInt8]) throws(Fault) -> ImageKind {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            try JPEGScanner(bytes: bytes).check()
            return .jpeg
        }
        guard bytes.starts(with: PNGScanner.signature) else { throw .unknownFormat }
        try PNGScanner(bytes: bytes).check()
        return .png
    }
}

private struct JPEGScanner {
    let bytes: [UInt8]

    func check() throws(ImageKind.Fault) {
        var position = 2
        var hasFrame = false
        var hasScan = false
        while position + 1 < bytes.count {
            guard bytes[position] == 0xFF else { throw .malformed(.jpeg) }
            let marker = bytes[position + 1]
            switch marker {
            case 0xFF: position += 1  // a fill byte before a marker
            case 0xD9:
                guard hasFrame, hasScan else { throw .malformed(.jpeg) }
                return
            case 0x01, 0xD0...0xD7: position += 2  // without a length
            case 0x00, 0xD8: throw .malformed(.jpeg)
            default:
                guard position + 3 < bytes.count else { throw .truncated(.jpeg) }
                let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
                guard length >= 2 else { throw .malformed(.jpeg) }
                position += 2 + length
                // C4, C8 and CC lie among the frame headers but are tables.
                if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                    hasFrame = true
                }
                if marker == 0xDA {
                    hasScan = true
                    position = endOfScan(from: position)
                }
            }
        }
        throw .truncated(.jpeg)
    }

    /// The position of the next marker that is neither a stuffed FF nor a restart.
    private func endOfScan(from start: Int) -> Int {
        var position = start
        while position + 1 < bytes.count {
            let next = bytes[position + 1]
            if bytes[position] == 0xFF, next != 0, !(0xD0...0xD7).contains(next) { return position }
            position += 1
        }
        return bytes.count
    }
}

private struct PNGScanner {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// The chunk types IHDR, IDAT and IEND as big-endian numbers.
    private static let header: UInt32 = 0x4948_4452
    private static let data: UInt32 = 0x4944_4154
    private static let end: UInt32 = 0x4945_4E44
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
        }
    }

    let bytes: [UInt8]

    func check() throws(ImageKind.Fault) {
        var position = Self.signature.count
        var isFirst = true
        var hasData = false
        while position + 12 <= bytes.count {
            let length = Int(number(at: position))
            guard length < 1 << 31 else { throw .malformed(.png) }
            let end = position + 12 + length
            guard end <= bytes.count else { throw .truncated(.png) }
            let type = number(at: position + 4)
            guard (type == Self.header) == isFirst,
                number(at: end - 4) == checksum(bytes[position + 4..<end - 4])
            else { throw .malformed(.png) }
            isFirst = false
            if type == Self.data { hasData = true }
            if type == Self.end {
                guard hasData else { throw .malformed(.png) }
                return
            }
            position = end
        }
        throw .truncated(.png)
    }

    private func number(at position: Int) -> UInt32 {
        bytes[position..<position + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The CRC-32 of ISO 3309 over type and data.
    private func checksum(_ chunk: ArraySlice<UInt8>) -> UInt32 {
        ~chunk.reduce(~0) { sum, byte in
            sum >> 8 ^ Self.table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)]
        }
    }
}
