/// The result of looking up a command-line argument that names one of several things (contract
/// section 1).
package enum NameLookup<Element: Sendable>: Sendable {
    case one(Element)
    case none
    case several([Element])

    /// The shortest prefix of an id that is accepted.
    private static var shortestPrefix: Int { 4 }

    /// Matches an exact id in any case, then an exact name in any case, then a unique prefix of an
    /// id.
    ///
    /// The first of the three that matches anything decides.
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
        guard let first = found.first else { return .none }
        return found.count == 1 ? .one(first) : .several(found)
    }
}
