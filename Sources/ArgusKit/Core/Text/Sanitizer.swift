/// Makes text from the network safe for a terminal.
package enum Sanitizer {
    /// The text on one line, with control and invisible characters made visible.
    ///
    /// Writes `\n \t \r` and `\x1b` for controls, `\u{202e}` for C1, bidi controls, zero-widths and
    /// tags, and `\\` for a backslash, so that a text cannot imitate an escape. Joiners pass where
    /// scripts and emoji need them.
    package static func visible(_ text: String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            guard firstSuspect(in: bytes) != nil else { return nil }
            var output: [UInt8] = []
            output.reserveCapacity(bytes.count + 16)
            var previous: Unicode.Scalar?
            appendVisible(bytes, after: &previous, to: &output, isStream: false)
            return String(decoding: output, as: UTF8.self)
        } ?? text
    }

    /// True if the text displays on one line unchanged; a backslash is allowed.
    package static func isPlain(_ text: String) -> Bool {
        visible(text) == text.replacing("\\", with: "\\\\")
    }

    /// Appends supposed UTF-8 that follows a scalar; a stream keeps line feeds, tabs and backslashes.
    static func appendVisible(
        _ bytes: UnsafeBufferPointer<UInt8>, after previous: inout Unicode.Scalar?,
        to output: inout [UInt8], isStream: Bool
    ) {
        var clean = 0
        var index = 0
        while index < bytes.count {
            let unit = UTF8Unit(bytes, at: index)
            defer { previous = unit.scalar }
            let isHarmless =
                isHarmless(unit.scalar, isStream: isStream)
                || unit.scalar?.isJoiner == true
                    && joins(previous, bytes, at: index + unit.length)
            if !isHarmless {
                output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[clean..<index]))
                appendName(of: unit.scalar, to: &output)
                clean = index + unit.length
            }
            index += unit.length
        }
        output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[clean...]))
    }

    /// The index of the first byte that is a control, a backslash or not ASCII.
    private static func firstSuspect(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        bytes.firstIndex { $0 < 0x20 || $0 >= 0x7F || $0 == UInt8(ascii: "\\") }
    }

    @inline(__always)
    private static func isHarmless(_ scalar: Unicode.Scalar?, isStream: Bool) -> Bool {
        guard let scalar else { return false }
        if scalar.value < 0x7F {
            if isStream && (scalar == "\n" || scalar == "\t" || scalar == "\\") { return true }
            return scalar.value >= 0x20 && scalar != "\\"
        }
        return !scalar.isControlOrBidi && !scalar.isInvisible
    }

    /// Returns true for a place between two letters of a script, or two emoji, that a joiner joins.
    private static func joins(
        _ previous: Unicode.Scalar?, _ bytes: UnsafeBufferPointer<UInt8>, at index: Int
    ) -> Bool {
        guard let previous, index < bytes.count, let next = UTF8Unit(bytes, at: index).scalar
        else { return false }
        return previous.isOfJoiningScript && next.isOfJoiningScript
            || previous.endsEmoji && next.properties.isEmoji && !next.isASCII
    }

    private static func appendName(of scalar: Unicode.Scalar?, to output: inout [UInt8]) {
        switch scalar {
        case nil: output.append(literal: "\u{FFFD}")
        case "\\": output.append(literal: "\\\\")
        case "\n": output.append(literal: "\\n")
        case "\r": output.append(literal: "\\r")
        case "\t": output.append(literal: "\\t")
        case let scalar? where scalar.isASCII:
            output.append(literal: scalar.value < 0x10 ? "\\x0" : "\\x")
            output.append(contentsOf: String(scalar.value, radix: 16).utf8)
        case let scalar?:
            output.append(literal: "\\u{")
            output.append(contentsOf: String(scalar.value, radix: 16).utf8)
            output.append(literal: "}")
        }
    }
}

extension Unicode.Scalar {
    /// True for ZERO WIDTH NON-JOINER and ZERO WIDTH JOINER.
    fileprivate var isJoiner: Bool { value == 0x200C || value == 0x200D }

    /// True for a letter or mark of a script that writes with joiners, as those of Arabic and of India
    /// do (Unicode blocks); among others a joiner would hide.
    fileprivate var isOfJoiningScript: Bool {
        switch value {
        case 0x0590...0x109F, 0x1700...0x18AF, 0x1900...0x1CFF, 0xA800...0xABFF, 0xFB50...0xFEFC,
            0x10800...0x11FFF, 0x1E800...0x1E95F:
            switch properties.generalCategory {
            case .nonspacingMark, .spacingMark, .enclosingMark: true
            default: properties.isAlphabetic
            }
        default: false
        }
    }

    /// True for an emoji, or for a sign that gives one its colour.
    fileprivate var endsEmoji: Bool {
        value == 0xFE0F || properties.isEmoji && !isASCII
    }

    /// True for zero-widths, joiners, invisible operators, marks and tags, which hide in names.
    fileprivate var isInvisible: Bool {
        switch value {
        case 0xAD, 0x034F, 0x180E, 0x200B...0x200D, 0x2060...0x206F, 0xFEFF, 0xFFF0...0xFFFB,
            0x115F...0x1160, 0x3164, 0xFFA0, 0x1D173...0x1D17A, 0xE0000...0xE0FFF:
            true
        default: false
        }
    }
}

/// Makes a stream of bytes safe for a terminal, piece by piece.
///
/// Line feeds, tabs and backslashes pass. A character may be split between two pieces.
package struct TerminalFilter: Sendable {
    /// The start of an incomplete character: at most three bytes; before it perhaps a joiner, which
    /// depends on that character.
    private var pending: [UInt8] = []
    private var previous: Unicode.Scalar?

    package init() {}

    /// Filters the next bytes and returns those that are complete.
    package mutating func filter(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var input = pending
        input.append(contentsOf: bytes)
        var cut = Self.incompleteTail(of: input)
        let last = Array(input.dropLast(cut).suffix(3))
        if ["\u{200C}", "\u{200D}"].contains(where: { $0.utf8.elementsEqual(last) }) { cut += 3 }
        pending = Array(input.suffix(cut))
        return shown(input.dropLast(cut))
    }

    /// Returns the rest after the last piece.
    package mutating func finish() -> [UInt8] {
        defer { pending = [] }
        return shown(pending[...])
    }

    private mutating func shown(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        bytes.withUnsafeBufferPointer {
            Sanitizer.appendVisible($0, after: &previous, to: &output, isStream: true)
        }
        return output
    }

    /// The number of bytes at the end that begin an incomplete character.
    private static func incompleteTail(of bytes: [UInt8]) -> Int {
        for (distance, byte) in bytes.suffix(3).reversed().enumerated() where byte >= 0xC0 {
            let needed = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
            return needed > distance + 1 ? distance + 1 : 0
        }
        return 0
    }
}
