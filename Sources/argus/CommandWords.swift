import ArgusKit
import Glibc

/// The words that the program was started with, as the system keeps them (proc_pid_cmdline(5)).
///
/// Swift looks for them by way of the process's memory map, which takes longer than all else that
/// comes before libcurl begins to load.
struct CommandWords: Sendable {
    /// Each word followed by a zero byte, the program's name first.
    private let bytes: [UInt8]

    /// The words of this process.
    static func ofProcess() -> CommandWords {
        let words =
            ProcessMemory.isProgramOfProcess
            ? CommandWords(readingFrom: "/proc/self/cmdline") : nil
        return words ?? CommandWords(CommandLine.arguments)
    }

    /// Words that begin with the program's name.
    init(_ words: [String]) {
        bytes = words.flatMap { Array($0.utf8) + [0] }
    }

    /// The words of a file; nil where it cannot be read to its end, or names no program.
    init?(readingFrom path: String) {
        guard let file = try? FileContents(path, trust: .named, limit: Self.limit),
            !file.bytes.isEmpty
        else { return nil }
        bytes = file.bytes.last == 0 ? file.bytes : file.bytes + [0]
    }

    /// More than Linux lets anybody pass to a program (Linux: a quarter of the stack).
    private static let limit = 8 << 20

    /// What the person wrote after the program's name; bytes that are no UTF-8 are replaced.
    var operands: [String] {
        var operands: [String] = []
        forEachOperand { word in
            operands.append(String(decoding: word, as: UTF8.self))
            return true
        }
        return operands
    }

    /// Hands the words after the program's name on, until `body` returns false.
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
    /// Whether the bytes are those of a name in the program.
    func equals(_ name: StaticString) -> Bool {
        guard let baseAddress, count == name.utf8CodeUnitCount else { return false }
        return memcmp(baseAddress, name.utf8Start, count) == 0
    }
}
