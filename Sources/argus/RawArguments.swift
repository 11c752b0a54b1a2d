import Glibc

/// The arguments of the process, byte for byte.
struct RawArguments: Sendable {
    /// Each word followed by a zero byte, the program's name first.
    private let bytes: [UInt8]

    /// The words of this process.
    static func ofProcess() -> RawArguments { RawArguments(CommandLine.unsafeArgv) }

    /// The words of a nil-terminated list, such as argv of main.
    init(_ list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) {
        var bytes: [UInt8] = []
        var next = list
        while let word = next.pointee {
            bytes += UnsafeRawBufferPointer(start: word, count: strlen(word) + 1)
            next += 1
        }
        self.bytes = bytes
    }

    /// Makes arguments that begin with the program's name.
    init(_ words: [String]) {
        bytes = words.flatMap { Array($0.utf8) + [0] }
    }

    /// The arguments after the program's name.
    ///
    /// Invalid UTF-8 is repaired. A repaired argument must never be used: it would name another
    /// file.
    var operands: (words: [String], unreadable: String?) {
        var words: [String] = []
        var unreadable: String?
        forEachOperand { bytes in
            let word = String(decoding: bytes, as: UTF8.self)
            words.append(word)
            if unreadable == nil, !bytes.elementsEqual(word.utf8) { unreadable = word }
            return true
        }
        return (words, unreadable)
    }

    /// Passes the words after the program's name to `body` until it returns false.
    func forEachOperand(_ body: (UnsafeRawBufferPointer) -> Bool) {
        bytes.withUnsafeBytes { bytes in
            var start = 0
            var isFirst = true
            for index in 0..<bytes.count where bytes[index] == 0 {
                let word = UnsafeRawBufferPointer(rebasing: bytes[start..<index])
                start = index + 1
                if !isFirst, !body(word) { return }
                isFirst = false
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// True if the bytes equal a name.
    func equals(_ name: StaticString) -> Bool {
        guard let baseAddress, count == name.utf8CodeUnitCount else { return false }
        return memcmp(baseAddress, name.utf8Start, count) == 0
    }
}
