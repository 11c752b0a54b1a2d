/// The image formats of snapshots and thumbnails, recognised by their bytes.
package enum ImageKind: String, Sendable, CaseIterable {
    case jpeg, png

    /// The extension of a file name.
    package var fileExtension: String { self == .jpeg ? "jpg" : "png" }

    /// Why bytes are no complete image.
    package enum Fault: Error, Hashable, Sendable {
        /// Neither a JPEG nor a PNG begins like that.
        case unknownFormat
        /// It ends before its end marker.
        case truncated(ImageKind)
        /// Its structure is broken.
        case malformed(ImageKind)
    }

    /// The format of a complete image; bytes after its end are let pass, as viewers do.
    ///
    /// Walks the structure and decodes nothing: JPEG segments from SOI to EOI (ITU-T T.81,
    /// annex B), PNG chunks from the signature to IEND with their checksums (PNG, section 5).
    package static func ofComplete(_ bytes: [UInt8]) throws(Fault) -> ImageKind {
        let fault = bytes.withUnsafeBufferPointer { bytes -> Result<ImageKind, Fault> in
            if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return JPEGWalk(bytes).check() }
            if bytes.starts(with: PNGWalk.signature) { return PNGWalk(bytes).check() }
            return .failure(.unknownFormat)
        }
        return try fault.get()
    }
}

extension ImageKind.Fault: CustomStringConvertible {
    /// The fault as the end of a sentence about the image.
    package var description: String {
        switch self {
        case .unknownFormat: "is neither a JPEG nor a PNG"
        case .truncated(let kind): "is a \(kind.rawValue.uppercased()) cut short"
        case .malformed(let kind): "is a broken \(kind.rawValue.uppercased())"
        }
    }
}

/// The markers of a JPEG, one after the other.
private struct JPEGWalk {
    private let bytes: UnsafeBufferPointer<UInt8>

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    func check() -> Result<ImageKind, ImageKind.Fault> {
        var position = 2
        var hasFrame = false
        var hasScan = false
        while position + 1 < bytes.count {
            guard bytes[position] == 0xFF else { return .failure(.malformed(.jpeg)) }
            let marker = bytes[position + 1]
            switch marker {
            case 0xFF: position += 1  // a fill byte before a marker
            case 0xD9:
                return hasFrame && hasScan ? .success(.jpeg) : .failure(.malformed(.jpeg))
            case 0x01, 0xD0...0xD7: position += 2  // without a length
            case 0x00, 0xD8: return .failure(.malformed(.jpeg))
            default:
                guard position + 3 < bytes.count else { return .failure(.truncated(.jpeg)) }
                let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
                guard length >= 2 else { return .failure(.malformed(.jpeg)) }
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
        return .failure(.truncated(.jpeg))
    }

    /// The next marker that is neither a stuffed FF nor a restart.
    private func endOfScan(from start: Int) -> Int {
        var position = start
        while position + 1 < bytes.count {
            if bytes[position] == 0xFF {
                let next = bytes[position + 1]
                if next != 0, !(0xD0...0xD7).contains(next) { return position }
                position += 2
            } else {
                position += 1
            }
        }
        return bytes.count
    }
}

/// The chunks of a PNG, one after the other.
private struct PNGWalk {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
        }
    }

    private let bytes: UnsafeBufferPointer<UInt8>

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    func check() -> Result<ImageKind, ImageKind.Fault> {
        var position = Self.signature.count
        var isFirst = true
        var hasData = false
        while position + 12 <= bytes.count {
            let length = Int(number(at: position))
            guard length < 1 << 31 else { return .failure(.malformed(.png)) }
            let end = position + 12 + length
            guard end <= bytes.count else { return .failure(.truncated(.png)) }
            let type = Array(bytes[position + 4..<position + 8])
            guard type.elementsEqual("IHDR".utf8) == isFirst,
                checksum(position + 4..<end - 4) == number(at: end - 4)
            else { return .failure(.malformed(.png)) }
            isFirst = false
            if type.elementsEqual("IDAT".utf8) { hasData = true }
            if type.elementsEqual("IEND".utf8) {
                return hasData ? .success(.png) : .failure(.malformed(.png))
            }
            position = end
        }
        return .failure(.truncated(.png))
    }

    private func number(at position: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[position + $1]) }
    }

    /// CRC-32 of ISO 3309 over type and data.
    private func checksum(_ range: Range<Int>) -> UInt32 {
        ~range.reduce(~0) { $0 >> 8 ^ Self.table[Int(UInt8(truncatingIfNeeded: $0) ^ bytes[$1])] }
    }
}
