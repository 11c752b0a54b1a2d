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

    /// The entries of lists such as `a,b`; one of the names with commas in it, in any case, is one
    /// entry.
    package static func entries(of lists: [String], among names: [String]) -> [String] {
        let known = Set(names.filter { $0.contains(",") }.map(\.caseFolded))
        return lists.flatMap { list in
            var rest = list.split(separator: ",", omittingEmptySubsequences: false)[...]
            var entries: [String] = []
            while !rest.isEmpty {
                let ends = rest.indices.reversed().lazy.map { $0 + 1 }
                let longest = ends.first { end in
                    known.contains(rest[..<end].joined(separator: ",").caseFolded)
                }
                let end = longest ?? rest.startIndex + 1
                entries.append(rest[..<end].joined(separator: ","))
                rest = rest[end...]
            }
            return entries
        }
    }
}
