/// How a word on the command line names one of several things (contract section 1).
package enum NameLookup<Element: Sendable>: Sendable {
    case one(Element)
    case none
    case several([Element])

    /// The shortest beginning of an id that names something.
    private static var shortestPrefix: Int { 4 }

    /// Finds by exact id in any case, then by exact name without regard to case, then by a unique
    /// beginning of an id: the first kind that matches decides.
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
