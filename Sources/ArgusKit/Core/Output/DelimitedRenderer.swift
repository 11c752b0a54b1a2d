/// Prints rows of comma or tab separated values under a header.
struct DelimitedRenderer: RecordRenderer {
    enum Syntax {
        /// RFC 4180 with line feeds; text that a spreadsheet would run as a formula is prefixed.
        case csv
        /// Writes tab, line feed, carriage return and backslash as `\t \n \r \\`.
        case tsv
    }

    private let names: [String]
    private let syntax: Syntax
    /// The zone of times; nil for UTC with microseconds.
    private let zone: TimeZoneRules?
    private var needsHeader: Bool

    init(names: [String], syntax: Syntax, hidesHeader: Bool, zone: TimeZoneRules?) {
        self.names = names
        self.syntax = syntax
        self.zone = zone
        needsHeader = !hidesHeader
    }

    mutating func append(_ row: [FieldValue], to output: inout [UInt8]) {
        appendHeader(to: &output)
        appendLine(row, to: &output)
    }

    mutating func finish(to output: inout [UInt8]) { appendHeader(to: &output) }

    private mutating func appendHeader(to output: inout [UInt8]) {
        guard needsHeader else { return }
        needsHeader = false
        appendLine(names.map { FieldValue.text($0) }, to: &output)
    }

    private func appendLine(_ row: [FieldValue], to output: inout [UInt8]) {
        for (index, value) in row.enumerated() {
            if index > 0 { output.append(UInt8(ascii: syntax == .csv ? "," : "\t")) }
            append(value, to: &output)
        }
        output.append(UInt8(ascii: "\n"))
    }

    private func append(_ value: FieldValue, to output: inout [UInt8]) {
        switch value {
        case .null: break
        case .integer(let number): output.appendDecimal(number)
        case .time(let time):
            if let zone {
                output.append(contentsOf: time.displayText(in: zone).utf8)
            } else {
                time.appendUTCText(to: &output)
            }
        case .text, .list, .object: append(text: plainText(of: value), to: &output)
        case .bool, .number: output.append(contentsOf: plainText(of: value).utf8)
        }
    }

    /// A value without quoting; elements of arrays are joined by `;`, objects are JSON.
    private func plainText(of value: FieldValue) -> String {
        switch value {
        case .null: return ""
        case .bool(let flag): return flag ? "true" : "false"
        case .integer(let number): return String(number)
        case .number(let number): return number.isFinite ? number.description : ""
        case .text(let text): return text
        case .time(let time): return zone.map { time.displayText(in: $0) } ?? time.utcText
        case .list(let values): return values.map(plainText).joined(separator: ";")
        case .object:
            var writer = JSONWriter()
            writer.value(value)
            return String(decoding: writer.bytes, as: UTF8.self)
        }
    }

    private func append(text: String, to output: inout [UInt8]) {
        var text = text
        text.withUTF8 { bytes in
            switch syntax {
            case .csv: Self.appendCSV(bytes, to: &output)
            case .tsv: Self.appendTSV(bytes, to: &output)
            }
        }
    }

    private static func appendCSV(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
        let quote = UInt8(ascii: "\"")
        let isQuoted = bytes.contains {
            $0 == quote || $0 == UInt8(ascii: ",") || $0 == 0x0A || $0 == 0x0D
        }
        if isQuoted { output.append(quote) }
        if beginsFormula(bytes) { output.append(UInt8(ascii: "'")) }
        if isQuoted {
            for byte in bytes {
                if byte == quote { output.append(quote) }
                output.append(byte)
            }
            output.append(quote)
        } else {
            output.append(contentsOf: bytes)
        }
    }

    /// Returns true for text that spreadsheets run, quoted or not: those of East Asia take the
    /// full-width signs, too.
    private static func beginsFormula(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = bytes.first else { return false }
        return first < 0x80
            ? "=+-@\t\r\n".utf8.contains(first)
            : ["＝", "＋", "－", "＠"].contains { bytes.starts(with: $0.utf8) }
    }

    private static func appendTSV(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\t"): output.append(literal: "\\t")
            case UInt8(ascii: "\n"): output.append(literal: "\\n")
            case UInt8(ascii: "\r"): output.append(literal: "\\r")
            case UInt8(ascii: "\\"): output.append(literal: "\\\\")
            default: output.append(byte)
            }
        }
    }
}
