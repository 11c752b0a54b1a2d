import ArgusCore

/// Named values that become a JSON body or a query: `a=1`, `keys[auth]=x`, `scopes[]=admin`.
package struct RawFields: Sendable {
    package enum Value: Sendable, Equatable {
        case text(String)
        /// `true`, `false`, `null` or a number in JSON syntax.
        case literal(String)

        /// Parses `true`, `false`, `null` and JSON numbers as such, all else as text.
        package init(typed text: String) {
            let bytes = Array(text.utf8)
            let kinds: [JSONView.Kind] = [.bool, .null, .number]
            // Blanks around a value make it text, since they are not part of a number.
            if let view = try? JSONView.parse(bytes), kinds.contains(view.kind),
                view.rawBytes.elementsEqual(bytes)
            {
                self = .literal(text)
            } else {
                self = .text(text)
            }
        }

        var text: String {
            switch self {
            case .text(let text), .literal(let text): text
            }
        }
    }

    /// The error for a malformed name, or one that conflicts with those before it.
    package struct NameError: Error, Hashable, Sendable { package var name: String }

    private indirect enum Node: Sendable {
        case value(Value)
        case object([(name: String, node: Node)])
        case array([Node])
    }

    private var root = Node.object([])
    private var pairs: [(name: String, value: String)] = []

    package init() {}

    package var isEmpty: Bool { pairs.isEmpty }

    /// The fields as a query, without nesting.
    package var query: [(name: String, value: String)] { pairs }

    /// Adds a value under a name such as `a`, `a[b]` or `a[]`.
    package mutating func add(_ name: String, _ value: Value) throws(NameError) {
        let path = try Self.path(name)
        root = try Self.adding(value, at: path[...], to: root, name)
        pairs.append((name, value.text))
    }

    /// The fields as one JSON object.
    package var json: [UInt8] {
        var writer = JSONWriter()
        Self.write(root, to: &writer)
        return writer.bytes
    }

    /// The steps of a name; an empty one appends to an array.
    private static func path(_ name: String) throws(NameError) -> [String] {
        guard let bracket = name.firstIndex(of: "[") else {
            guard !name.isEmpty else { throw NameError(name: name) }
            return [name]
        }
        var path = [String(name[..<bracket])]
        var rest = name[bracket...]
        while rest.popFirst() == "[", let end = rest.firstIndex(of: "]") {
            path.append(String(rest[..<end]))
            rest = rest[rest.index(after: end)...]
        }
        guard rest.isEmpty, name.hasSuffix("]"), path[0] != "" else { throw NameError(name: name) }
        return path
    }

    private static func adding(
        _ value: Value, at path: ArraySlice<String>, to node: Node?, _ name: String
    ) throws(NameError) -> Node {
        guard let step = path.first else { return .value(value) }
        let rest = path.dropFirst()
        switch node {
        case .object(var members) where !step.isEmpty:
            if let index = members.firstIndex(where: { $0.name == step }) {
                members[index].node = try adding(value, at: rest, to: members[index].node, name)
            } else {
                members.append((step, try adding(value, at: rest, to: nil, name)))
            }
            return .object(members)
        case .array(let elements) where step.isEmpty:
            return .array(elements + [try adding(value, at: rest, to: nil, name)])
        case nil where step.isEmpty:
            return .array([try adding(value, at: rest, to: nil, name)])
        case nil:
            return .object([(step, try adding(value, at: rest, to: nil, name))])
        case .object, .array, .value: throw NameError(name: name)
        }
    }

    private static func write(_ node: Node, to writer: inout JSONWriter) {
        switch node {
        case .value(.text(let text)): writer.string(text)
        case .value(.literal(let word)): writer.literal(word)
        case .object(let members):
            writer.beginObject()
            for (name, node) in members {
                writer.key(name)
                write(node, to: &writer)
            }
            writer.endObject()
        case .array(let nodes):
            writer.beginArray()
            for node in nodes { write(node, to: &writer) }
            writer.endArray()
        }
    }
}
