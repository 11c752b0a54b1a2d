/// Any value of a JSON state file, to carry along what this version does not know.
package indirect enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue {
    /// Reads a whole JSON text; nil when it is none.
    package init?(parsing bytes: [UInt8]) {
        guard let view = try? JSONView.parse(bytes) else { return nil }
        self.init(view)
    }

    private init(_ view: JSONView) {
        switch view.kind {
        case .null: self = .null
        case .bool: self = .bool(view.bool == true)
        case .string: self = .text(view.string ?? "")
        case .number: self = view.int.map(JSONValue.integer) ?? .number(view.double ?? 0)
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

/// A value of a state file that is not what its place asks for.
package struct StateUnreadable: Error, Hashable, Sendable {
    package init() {}
}

/// The members of an object in a state file, taken out one by one; what is left is not ours.
///
/// A member that is `null` counts as absent; one of another type than asked for is an error, so
/// that a damaged file is never read as one that says nothing.
package struct JSONObject {
    /// The members that have not been taken.
    package private(set) var rest: [String: JSONValue]

    /// An object to write that begins with what was carried along.
    package init(_ others: [String: JSONValue] = [:]) {
        rest = others
    }

    /// An object to read.
    ///
    /// - Throws: `StateUnreadable` for another type of value.
    package init(_ value: JSONValue) throws(StateUnreadable) {
        guard case .object(let members) = value else { throw StateUnreadable() }
        rest = members
    }

    /// Puts a member; nil leaves it out.
    package mutating func put(_ name: String, _ value: JSONValue?) {
        rest[name] = value
    }

    /// The object as a value.
    package var value: JSONValue { .object(rest) }

    /// Takes a string out.
    package mutating func text(_ name: String) throws(StateUnreadable) -> String? {
        switch take(name) {
        case nil: nil
        case .text(let text): text
        default: throw StateUnreadable()
        }
    }

    /// Takes a whole number out.
    package mutating func integer(_ name: String) throws(StateUnreadable) -> Int64? {
        switch take(name) {
        case nil: nil
        case .integer(let number): number
        default: throw StateUnreadable()
        }
    }

    /// Takes an array out.
    package mutating func list(_ name: String) throws(StateUnreadable) -> [JSONValue]? {
        switch take(name) {
        case nil: nil
        case .list(let list): list
        default: throw StateUnreadable()
        }
    }

    /// Takes any value out; nil when it is absent or `null`.
    package mutating func take(_ name: String) -> JSONValue? {
        let value = rest.removeValue(forKey: name)
        return value == .null ? nil : value
    }
}

extension Optional {
    /// The value that a state file cannot do without.
    ///
    /// - Throws: `StateUnreadable` when there is none.
    package func required() throws(StateUnreadable) -> Wrapped {
        guard let self else { throw StateUnreadable() }
        return self
    }
}
