/// A JSON value whose objects keep the order of their members (RFC 8259).
indirect enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case list([JSON])
    case object([Member])

    struct Member: Sendable, Equatable {
        var name: String
        var value: JSON
    }

    init(_ text: String?) { self = text.map(JSON.text) ?? .null }
    init(_ number: Int?) { self = number.map(JSON.integer) ?? .null }
    init(_ flag: Bool?) { self = flag.map(JSON.bool) ?? .null }

    /// The member of that name, or nil where there is none or this is no object.
    subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }

    var string: String? {
        if case .text(let text) = self { text } else { nil }
    }

    var int: Int? {
        if case .integer(let number) = self { number } else { nil }
    }

    var flag: Bool? {
        if case .bool(let flag) = self { flag } else { nil }
    }

    var elements: [JSON]? {
        if case .list(let elements) = self { elements } else { nil }
    }

    /// The object with `value` under `name`, in its place or at the end.
    func setting(_ name: String, _ value: JSON) -> JSON {
        guard case .object(var members) = self else { return self }
        if let index = members.firstIndex(where: { $0.name == name }) {
            members[index].value = value
        } else {
            members.append(Member(name: name, value: value))
        }
        return .object(members)
    }
}

extension JSON {
    /// This object with the members of another after its own.
    func merging(_ other: JSON) -> JSON {
        guard case .object(let left) = self, case .object(let right) = other else { return self }
        return .object(left + right)
    }
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    init(nilLiteral: ()) { self = .null }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(integerLiteral value: Int) { self = .integer(value) }
    init(floatLiteral value: Double) { self = .number(value) }
    init(stringLiteral value: String) { self = .text(value) }
    init(arrayLiteral elements: JSON...) { self = .list(elements) }
    init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { Member(name: $0.0, value: $0.1) })
    }
}
