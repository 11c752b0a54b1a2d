/// The result of a lookup by name or id (docs/scripting.md, "Names").
package enum NameLookup<Element: Sendable>: Sendable {
    case one(Element)
    case none
    case several([Element])

    /// The shortest prefix of an id that is accepted.
    private static var shortestPrefix: Int { 4 }

    /// Matches an exact id, an exact name or a unique prefix of an id, in any case; the first of the
    /// three that matches anything decides.
    package static func find(
        _ word: String, in elements: [Element], id: (Element) -> String,
        name: (Element) -> String?
    ) -> NameLookup {
        let folded = word.lowercased()
        var found = elements.filter { id($0).lowercased() == folded }
        if found.isEmpty { found = elements.filter { name($0)?.lowercased() == folded } }
        if found.isEmpty, folded.count >= shortestPrefix {
            found = elements.filter { id($0).lowercased().hasPrefix(folded) }
        }
        return NameLookup(found)
    }

    /// The result for the matching elements.
    package init(_ found: [Element]) {
        self = found.count > 1 ? .several(found) : found.first.map { .one($0) } ?? .none
    }

    /// All matching elements.
    package var all: [Element] {
        switch self {
        case .one(let found): [found]
        case .none: []
        case .several(let found): found
        }
    }
}

extension NameLookup: Equatable where Element: Equatable {}
