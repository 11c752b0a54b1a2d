/// Finds invalid UTF-8 and replaces it with U+FFFD.
enum UTF8Repair {
    /// The index of the first byte that is not part of a character; nil if there is none.
    static func firstInvalid(
        in bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0
    ) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        var index = start
        while index < bytes.count {
            if index &+ 8 <= bytes.count {
                let marks = ByteWord(at: base + index).nonASCII
                index += marks.firstIndex
                if marks.isEmpty { continue }
            }
            let unit = UTF8Unit(bytes, at: index)
            guard unit.scalar != nil else { return index }
            index += unit.length
        }
        return nil
    }

    /// Repairs the bytes from `start` on.
    static func repair(_ bytes: inout [UInt8], from start: Int) {
        guard let first = bytes.withUnsafeBufferPointer({ firstInvalid(in: $0, from: start) })
        else { return }
        let broken = Array(bytes[first...])
        bytes.removeSubrange(first...)
        broken.withUnsafeBufferPointer { broken in
            var clean = 0
            while let next = firstInvalid(in: broken, from: clean) {
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: broken[clean..<next]))
                bytes.append(literal: "\u{FFFD}")
                clean = next + 1
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: broken[clean...]))
        }
    }
}
