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
        case unreadable(FileSystemError)

        /// The fault as the end of a sentence about the image.
        package var description: String {
            switch self {
            case .unknownFormat: "is neither a JPEG nor a PNG"
            case .truncated(let kind): "is a \(kind.rawValue.uppercased()) cut short"
            case .malformed(let kind): "is a broken \(kind.rawValue.uppercased())"
            case .unreadable(let error): "is lost: \(error)"
            }
        }
    }

    /// Returns the format of a complete image, without decoding; bytes after its end are accepted.
    ///
    /// JPEG segments go from SOI to EOI (ITU-T T.81, annex B), PNG chunks from the signature to
    /// IEND with their checksums (PNG, section 5).
    /// - Throws: `Fault`.
    package static func ofComplete(_ bytes: StoredBytes) throws(Fault) -> ImageKind {
        try rethrowing(try check(bytes), as: Fault.unreadable).get()
    }

    private static func check(
        _ bytes: StoredBytes
    ) throws(FileSystemError) -> Result<ImageKind, Fault> {
        let start = try bytes.read(from: 0, count: PNGScanner.signature.count)
        if start.starts(with: [0xFF, 0xD8, 0xFF]) {
            var scanner = JPEGScanner(bytes: ByteWindow(bytes))
            return try scanner.check()
        }
        guard start == PNGScanner.signature else { return .failure(.unknownFormat) }
        var scanner = PNGScanner(bytes: ByteWindow(bytes))
        return try scanner.check()
    }
}

private struct JPEGScanner {
    var bytes: ByteWindow

    mutating func check() throws(FileSystemError) -> Result<ImageKind, ImageKind.Fault> {
        var position = 2
        var hasFrame = false
        var hasScan = false
        while position + 1 < bytes.count {
            guard try bytes.byte(at: position) == 0xFF else { return .failure(.malformed(.jpeg)) }
            let marker = try bytes.byte(at: position + 1)
            switch marker {
            case 0xFF: position += 1  // a fill byte before a marker
            case 0xD9:
                return hasFrame && hasScan ? .success(.jpeg) : .failure(.malformed(.jpeg))
            case 0x01, 0xD0...0xD7: position += 2  // without a length
            case 0x00, 0xD8: return .failure(.malformed(.jpeg))
            default:
                guard position + 3 < bytes.count else { return .failure(.truncated(.jpeg)) }
                let high = try bytes.byte(at: position + 2)
                let length = Int(high) << 8 | Int(try bytes.byte(at: position + 3))
                guard length >= 2 else { return .failure(.malformed(.jpeg)) }
                position += 2 + length
                // C4, C8 and CC lie among the frame headers but are tables.
                if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                    hasFrame = true
                }
                if marker == 0xDA {
                    hasScan = true
                    position = try endOfScan(from: position)
                }
            }
        }
        return .failure(.truncated(.jpeg))
    }

    /// The position of the next marker that is neither a stuffed FF nor a restart.
    private mutating func endOfScan(from start: Int) throws(FileSystemError) -> Int {
        var position = start
        while let mark = try bytes.position(of: 0xFF, from: position), mark + 1 < bytes.count {
            let next = try bytes.byte(at: mark + 1)
            if next != 0, !(0xD0...0xD7).contains(next) { return mark }
            position = mark + 2
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

    var bytes: ByteWindow

    mutating func check() throws(FileSystemError) -> Result<ImageKind, ImageKind.Fault> {
        var position = Self.signature.count
        var isFirst = true
        var hasData = false
        while position + 12 <= bytes.count {
            let length = Int(try number(at: position))
            guard length < 1 << 31 else { return .failure(.malformed(.png)) }
            let end = position + 12 + length
            guard end <= bytes.count else { return .failure(.truncated(.png)) }
            let type = try number(at: position + 4)
            let checksum = try checksum(position + 4..<end - 4)
            guard (type == Self.header) == isFirst, try number(at: end - 4) == checksum else {
                return .failure(.malformed(.png))
            }
            isFirst = false
            if type == Self.data { hasData = true }
            if type == Self.end {
                return hasData ? .success(.png) : .failure(.malformed(.png))
            }
            position = end
        }
        return .failure(.truncated(.png))
    }

    private mutating func number(at position: Int) throws(FileSystemError) -> UInt32 {
        var number: UInt32 = 0
        for offset in 0..<4 { number = number << 8 | UInt32(try bytes.byte(at: position + offset)) }
        return number
    }

    /// The CRC-32 of ISO 3309 over type and data.
    private mutating func checksum(_ range: Range<Int>) throws(FileSystemError) -> UInt32 {
        var sum = ~UInt32(0)
        for position in range {
            let index = UInt8(truncatingIfNeeded: sum) ^ (try bytes.byte(at: position))
            sum = sum >> 8 ^ Self.table[Int(index)]
        }
        return ~sum
    }
}
