import ArgusCore

@testable import argus_demo

/// Reads JSON with the order of its members, which `JSON.read` of the demo does not keep.
enum JSONReader {
    /// - Throws: `JSONError`.
    static func read(_ bytes: [UInt8]) throws -> JSON {
        value(try JSONView.parse(bytes))
    }

    private static func value(_ view: JSONView) -> JSON {
        switch view.kind {
        case .null: return .null
        case .bool: return JSON(view.bool)
        case .string: return JSON(view.string)
        case .number:
            let isWhole = !view.rawBytes.contains { ".eE".utf8.contains($0) }
            return isWhole ? JSON(view.int.flatMap(Int.init(exactly:))) : .number(view.double ?? 0)
        case .array: return .list(view.elements.map(value))
        case .object:
            var members: [JSON.Member] = []
            view.forEachMember { key, member in
                members.append(JSON.Member(name: key.text, value: value(member)))
            }
            return .object(members)
        }
    }
}
