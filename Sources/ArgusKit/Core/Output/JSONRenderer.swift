/// Prints one JSON object, an array of objects as it grows, or one object a line.
struct JSONRenderer: RecordRenderer {
    enum Frame { case single, array, lines }

    private let names: [String]
    private let frame: Frame
    private let escaping: JSONRawEscaping
    private var writer = JSONWriter(layout: .pretty)
    private var hasBegun = false

    init(names: [String], frame: Frame, isTerminal: Bool) {
        self.names = names
        self.frame = frame
        escaping = isTerminal ? .forTerminal : .asReceived
    }

    mutating func append(_ row: [FieldValue], to output: inout [UInt8]) {
        let names = names
        write(to: &output) { writer in
            writer.object { writer in
                for (name, value) in zip(names, row) { writer.member(name, value) }
            }
        }
    }

    mutating func appendRaw(_ object: JSONView, to output: inout [UInt8]) {
        let escaping = escaping
        write(to: &output) { $0.value(object, escaping: escaping) }
    }

    mutating func finish(to output: inout [UInt8]) {
        guard frame == .array || (frame == .single && hasBegun) else { return }
        let isArray = frame == .array
        write(to: &output) { if isArray { $0.endArray() } }
        output.append(UInt8(ascii: "\n"))
    }

    /// Lets the writer append to the output itself, so that nothing is copied.
    private mutating func write(to output: inout [UInt8], _ body: (inout JSONWriter) -> Void) {
        // Each line is a separate JSON text.
        if frame == .lines { writer = JSONWriter() }
        swap(&writer.bytes, &output)
        if !hasBegun, frame == .array { writer.beginArray() }
        hasBegun = true
        body(&writer)
        swap(&writer.bytes, &output)
        if frame == .lines { output.append(UInt8(ascii: "\n")) }
    }
}

extension JSONWriter {
    /// Writes a member; nil is null.
    package mutating func member(_ name: String, _ value: some FieldConvertible) {
        key(name)
        self.value(value.fieldValue)
    }

    /// Writes the value of a field; times as UTC with microseconds.
    package mutating func value(_ value: FieldValue) {
        switch value {
        case .null: null()
        case .bool(let flag): bool(flag)
        case .integer(let number): integer(number)
        case .number(let number): self.number(number)
        case .text(let text): string(text)
        case .time(let time): self.time(time)
        case .list(let values):
            beginArray()
            for value in values { self.value(value) }
            endArray()
        case .object(let members):
            beginObject()
            for member in members { self.member(member.name, member.value) }
            endObject()
        }
    }
}

extension Array {
    /// A record as an object with these fields, in a line of JSON.
    package func jsonLine<Record>(_ record: Record) -> [UInt8] where Element == Field<Record> {
        let object = JSONWriter.object { writer in
            for field in self {
                writer.key(field.name)
                writer.value(field.value(record))
            }
        }
        return object + [UInt8(ascii: "\n")]
    }
}
