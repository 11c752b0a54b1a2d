/// Lookups by name or id (docs/scripting.md, "Names").
package enum NameLookup {
    /// The shortest prefix of an id that is accepted.
    private static let shortestPrefix = 4

    /// The elements with an exact id, an exact name or a prefix of an id, in any case; the first of
    /// the three that matches anything decides.
    package static func find<Element>(
        _ word: String, in elements: [Element], id: (Element) -> String,
        name: (Element) -> String?
    ) -> [Element] {
        let folded = word.caseFolded
        var found = elements.filter { id($0).caseFolded == folded }
        if found.isEmpty { found = elements.filter { name($0)?.caseFolded == folded } }
        if found.isEmpty, folded.count >= shortestPrefix {
            found = elements.filter { id($0).caseFolded.hasPrefix(folded) }
        }
        return found
    }
}
