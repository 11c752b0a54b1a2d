/// A decoded JSON value of a state file, also of members that this version does not know.
package indirect enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// Parses a whole JSON text; nil if it is not JSON.
    package init?(parsing bytes: [UInt8]) {
        guard let view = try? JSONView.parse(bytes) else { return nil }
        self.init(view)
    }

    /// Decodes a checked value.
    package init(_ view: JSONView) {
        switch view.kind {
        case .null: self = .null
        case .bool: self = .bool(view.bool == true)
        case .string: self = .text(view.string ?? "")
        case .number: self = view.int.map { .integer(Int64($0)) } ?? .number(view.double ?? 0)
        case .array: self = .list(view.elements.map(JSONValue.init))
        case .object:
            var members: [String: JSONValue] = [:]
            view.forEachMember { name, value in members[name.text] = JSONValue(value) }
            self = .object(members)
        }
    }

    /// The text of a state file: members sorted by name, a line feed at the end.
    package func document(_ layout: JSONWriter.Layout) -> [UInt8] {
        var writer = JSONWriter(layout: layout)
        write(to: &writer)
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .bool(let flag): writer.bool(flag)
        case .integer(let number): writer.integer(number)
        case .number(let number): writer.number(number)
        case .text(let text): writer.string(text)
        case .list(let list):
            writer.array { writer in
                for element in list { element.write(to: &writer) }
            }
        case .object(let members):
            writer.object { writer in
                for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                    writer.key(name)
                    value.write(to: &writer)
                }
            }
        }
    }
}

/// Reports a document of argus's own that cannot be read.
package struct StateUnreadable: Error, Hashable, Sendable {
    /// True for the layout of a newer argus; false if a value has the wrong type or is missing.
    package var isNewer = false

    package init(isNewer: Bool = false) {
        self.isNewer = isNewer
    }
}

/// The members of an object in a state file, removed one by one as they are read.
///
/// The rest belongs to other versions and is written back. A `null` member counts as absent; the
/// wrong type is an error, so that a damaged file is never taken for an empty one.
package struct JSONObject {
    /// The members that have not been read.
    package private(set) var rest: [String: JSONValue]

    /// An object to write, which starts with the members of other versions.
    package init(_ others: [String: JSONValue] = [:]) { rest = others }

    /// An object to read.
    /// - Throws: `StateUnreadable` for another type of value.
    package init(_ value: JSONValue) throws(StateUnreadable) {
        guard case .object(let members) = value else { throw StateUnreadable() }
        rest = members
    }

    /// A whole document to read, which must have the layout of this argus.
    /// - Throws: `StateUnreadable`.
    package init(document: JSONValue) throws(StateUnreadable) {
        try self.init(document)
        let version = try integer("version").required()
        guard version == Self.layout else { throw StateUnreadable(isNewer: version > Self.layout) }
    }

    /// A whole document to write, which starts with the members of other versions.
    package static func document(_ others: [String: JSONValue] = [:]) -> JSONObject {
        var object = JSONObject(others)
        object.put("version", .integer(layout))
        return object
    }

    /// The `version` of all documents, which a new member leaves as it is.
    private static let layout: Int64 = 1

    /// Sets a member; nil removes it.
    package mutating func put(_ name: String, _ value: JSONValue?) { rest[name] = value }

    /// Sets a string; nil removes it.
    package mutating func put(_ name: String, _ text: String?) {
        rest[name] = text.map(JSONValue.text)
    }

    /// Sets an array of strings; nil removes it.
    package mutating func put(_ name: String, _ texts: [String]?) {
        rest[name] = texts.map { .list($0.map(JSONValue.text)) }
    }

    /// Sets a time in RFC 3339; nil removes it.
    package mutating func put(_ name: String, _ time: Timestamp?) {
        rest[name] = time.map { .text($0.utcText) }
    }

    /// Sets a time as a whole number since the epoch; nil removes it.
    package mutating func put(_ name: String, microseconds time: Timestamp?) {
        rest[name] = time.map { .integer($0.microseconds) }
    }

    package var value: JSONValue { .object(rest) }

    /// Removes and returns a string; nil if it is absent or `null`.
    /// - Throws: `StateUnreadable` for another type of value.
    package mutating func text(_ name: String) throws(StateUnreadable) -> String? {
        try take(name) { if case .text(let text) = $0 { text } else { nil } }
    }

    /// Removes and returns a whole number; nil if it is absent or `null`.
    /// - Throws: `StateUnreadable` for another type of value.
    package mutating func integer(_ name: String) throws(StateUnreadable) -> Int64? {
        try take(name) { if case .integer(let number) = $0 { number } else { nil } }
    }

    /// Removes and returns an array; nil if it is absent or `null`.
    /// - Throws: `StateUnreadable` for another type of value.
    package mutating func list(_ name: String) throws(StateUnreadable) -> [JSONValue]? {
        try take(name) { if case .list(let list) = $0 { list } else { nil } }
    }

    /// Removes and returns a flag; nil if it is absent or `null`.
    /// - Throws: `StateUnreadable` for another type of value.
    package mutating func flag(_ name: String) throws(StateUnreadable) -> Bool? {
        try take(name) { if case .bool(let flag) = $0 { flag } else { nil } }
    }

    /// Removes and returns an array of strings; nil if it is absent or `null`.
    /// - Throws: `StateUnreadable` for another type of value, also in the array.
    package mutating func texts(_ name: String) throws(StateUnreadable) -> [String]? {
        try list(name)?.map { value throws(StateUnreadable) in
            guard case .text(let text) = value else { throw StateUnreadable() }
            return text
        }
    }

    /// Removes and returns a time that is written as a text; nil if it is absent or `null`.
    /// - Throws: `StateUnreadable` for another type of value, or another text.
    package mutating func time(_ name: String) throws(StateUnreadable) -> Timestamp? {
        try take(name) {
            if case .text(let text) = $0 { Timestamp(serverText: text) } else { nil }
        }
    }

    /// Removes and returns a time that is written in microseconds since the epoch; nil if it is
    /// absent or `null`.
    /// - Throws: `StateUnreadable` for another type of value.
    package mutating func time(microseconds name: String) throws(StateUnreadable) -> Timestamp? {
        try integer(name).map(Timestamp.init(microseconds:))
    }

    private mutating func take<Value>(
        _ name: String, as read: (JSONValue) -> Value?
    ) throws(StateUnreadable) -> Value? {
        guard let value = take(name) else { return nil }
        return try read(value).required()
    }

    /// Removes and returns a value of any type; nil if it is absent or `null`.
    package mutating func take(_ name: String) -> JSONValue? {
        let value = rest.removeValue(forKey: name)
        return value == .null ? nil : value
    }
}

extension Optional {
    /// Unwraps a member that a state file must have.
    /// - Throws: `StateUnreadable` if it is nil.
    package func required() throws(StateUnreadable) -> Wrapped {
        guard let self else { throw StateUnreadable() }
        return self
    }
}
