/// The outermost boxes of an MP4 (ISO/IEC 14496-12, section 4.2).
enum MP4Boxes {
    /// Bytes that are read at once: many small boxes stand in them.
    private static let blockSize = 4 << 10

    /// Whether boxes fill so many bytes; nil where they do not begin as an MP4 does.
    ///
    /// A rest that is too short for a box belongs to none. `read` gives the bytes from an offset
    /// on, so many at most.
    static func fill(
        _ size: Int, _ read: (Int, Int) throws(FileSystemError) -> [UInt8]
    ) throws(FileSystemError) -> Bool? {
        var block = try read(0, blockSize)
        guard block.dropFirst(4).starts(with: "ftyp".utf8) else { return nil }
        var (start, offset) = (0, 0)
        while size - offset >= 8 {
            if offset + 16 > start + block.count {
                block = try read(offset, blockSize)
                start = offset
            }
            let head = block.dropFirst(offset - start).prefix(16)
            guard head.count >= 8 else { return false }
            let length =
                switch number(head.prefix(4)) {
                // The last box goes to the end of the file.
                case 0: size - offset
                case 1 where head.count == 16 && head.dropFirst(8).first == 0:
                    number(head.suffix(8))
                case let length: length
                }
            guard length >= 8, length <= size - offset else { return false }
            offset += length
        }
        return true
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
