/// Writes JSON into a growing buffer; members keep the order of the calls.
///
/// `string` and `key` escape controls, bidi controls and line separators, but not `/`. `literal`
/// copies its text; `value` escapes by its `escaping`. The caller must write a key before each
/// value of an object.
package struct JSONWriter: Sendable {
    /// The placement of line breaks and blanks.
    package enum Layout: Sendable {
        /// No blanks: `{"a":1}`.
        case compact
        /// One line for each member and element, indented by two blanks a level.
        case pretty
    }

    /// The bytes written so far; the caller may take them and empty the buffer.
    package var bytes: [UInt8] = []
    private let layout: Layout
    private var depth = 0
    /// True while the open container has no element.
    private var isFirst = true
    private var isAfterKey = false

    package init(layout: Layout = .compact) { self.layout = layout }

    /// Opens an object: keys and values come next.
    package mutating func beginObject() { begin(UInt8(ascii: "{")) }
    /// Closes the object opened last.
    package mutating func endObject() { end(UInt8(ascii: "}")) }
    /// Opens an array: its elements come next.
    package mutating func beginArray() { begin(UInt8(ascii: "[")) }
    /// Closes the array opened last.
    package mutating func endArray() { end(UInt8(ascii: "]")) }

    /// Writes a member's name; its value comes next.
    package mutating func key(_ name: String) {
        separate()
        JSONEscaping.appendQuoted(name, to: &bytes)
        endKey()
    }

    /// Writes a string.
    package mutating func string(_ text: String) {
        separate()
        JSONEscaping.appendQuoted(text, to: &bytes)
    }

    /// Writes a whole number, clamped to Int64.
    package mutating func integer(_ value: some FixedWidthInteger) {
        separate()
        bytes.appendDecimal(Int64(clamping: value))
    }

    /// Writes a number; infinity and NaN, which JSON lacks, become `null`.
    package mutating func number(_ value: Double) {
        guard value.isFinite else { return null() }
        separate()
        bytes.append(contentsOf: value.description.utf8)
    }

    /// Writes `true` or `false`.
    package mutating func bool(_ value: Bool) {
        separate()
        bytes.append(literal: value ? "true" : "false")
    }

    /// Writes `null`.
    package mutating func null() {
        separate()
        bytes.append(literal: "null")
    }

    /// Writes a JSON word or number verbatim; the caller has checked it.
    package mutating func literal(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes a point in time as a string, UTC with microseconds.
    package mutating func time(_ time: Timestamp) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        time.appendUTCText(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a value of another text without the blanks between its tokens.
    package mutating func value(_ view: JSONView, escaping: JSONRawEscaping = .asReceived) {
        separate()
        view.appendCompact(to: &bytes, escaping: escaping)
    }

    private mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        depth += 1
        isFirst = true
    }

    private mutating func end(_ bracket: UInt8) {
        depth -= 1
        if !isFirst { breakLine() }
        bytes.append(bracket)
        isFirst = false
    }

    /// Writes the comma and the line break that precede a key or an element.
    @inline(__always)
    private mutating func separate() {
        if isAfterKey {
            isAfterKey = false
            return
        }
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        if depth > 0 { breakLine() }
        isFirst = false
    }

    @inline(__always)
    private mutating func endKey() {
        bytes.append(UInt8(ascii: ":"))
        if layout == .pretty { bytes.append(UInt8(ascii: " ")) }
        isAfterKey = true
    }

    @inline(__always)
    private mutating func breakLine() {
        guard layout == .pretty else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }

    /// The bytes of one object whose members `body` writes.
    package static func object(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object(body)
        return writer.bytes
    }

    /// Writes an object whose members `body` writes.
    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        beginObject()
        body(&self)
        endObject()
    }

    /// Writes a member that is an object whose members `body` writes.
    package mutating func object(_ name: String, _ body: (inout JSONWriter) -> Void) {
        key(name)
        object(body)
    }

    /// Writes an array whose elements `body` writes.
    package mutating func array(_ body: (inout JSONWriter) -> Void) {
        beginArray()
        body(&self)
        endArray()
    }
}
