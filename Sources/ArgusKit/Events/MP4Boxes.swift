/// The outermost boxes of an MP4 (ISO/IEC 14496-12, section 4.2).
enum MP4Boxes {
    /// More boxes than any video has outermost.
    private static let most = 1 << 16

    /// Whether boxes fill so many bytes exactly; nil where they do not begin as an MP4 does.
    ///
    /// `read` gives the bytes from an offset on, so many at most.
    static func fill(
        _ size: Int, _ read: (Int, Int) throws(FileSystemError) -> [UInt8]
    ) throws(FileSystemError) -> Bool? {
        guard try read(4, 4) == Array("ftyp".utf8) else { return nil }
        var offset = 0
        for _ in 0..<most where offset < size {
            let head = try read(offset, 16)
            guard head.count >= 8 else { return false }
            let length =
                switch number(head[..<4]) {
                // The last box goes to the end of the file.
                case 0: size - offset
                case 1: head.count == 16 && head[8] == 0 ? number(head[8...]) : 0
                case let length: length
                }
            guard length >= 8, length <= size - offset else { return false }
            offset += length
        }
        return offset == size
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
