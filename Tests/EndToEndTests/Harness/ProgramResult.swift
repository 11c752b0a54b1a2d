@testable import argus_demo

/// The output, status and memory of a program that has ended.
struct ProgramResult {
    var ending: RunningProgram.Ending
    /// The output on stdout, or on its terminal.
    var output: [UInt8]
    /// The output on stderr.
    var errors: [UInt8]
    /// The most memory that it, or a program that it waited for, had at once, in bytes.
    var largestMemory = 0

    /// The exit status; nil when a signal ended it.
    var status: Int32? {
        if case .status(let status) = ending { status } else { nil }
    }

    var text: String { String(decoding: output, as: UTF8.self) }

    var complaint: String { String(decoding: errors, as: UTF8.self) }

    /// The lines of stdout, without their ends; what a terminal adds is gone too.
    var lines: [String] {
        let text = text.replacing("\r\n", with: "\n")
        guard !text.isEmpty else { return [] }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            .dropLast(text.hasSuffix("\n") ? 1 : 0)
    }

    /// The value that stdout holds; null when it holds none.
    var json: JSON { (try? JSONReader.read(output)) ?? .null }

    /// The values of NDJSON.
    var records: [JSON] { lines.compactMap { try? JSONReader.read(Array($0.utf8)) } }

    /// The object of the last line on stderr for scripts.
    var error: JSON? {
        let last = complaint.split(separator: "\n").last ?? ""
        return (try? JSONReader.read(Array(last.utf8)))?["error"]
    }
}

extension JSON {
    /// The names of an object's members, in order.
    var names: [String] {
        guard case .object(let members) = self else { return [] }
        return members.map(\.name)
    }

    /// The elements of an array, none when it is something else.
    var list: [JSON] { elements ?? [] }
}
