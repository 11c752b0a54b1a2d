import ArgusKit
import CommandLineKit

/// A kind of thing that words on the command line name, as messages about such a word need it.
struct NamedThing: Sendable {
    /// Such as `camera`.
    var one: String
    var several: String
    /// The hint where none has the name.
    var listHint: String
}

extension NameLookup {
    /// The element that a word names.
    ///
    /// `names` are suggested where none has the name. `label` shows an element among several
    /// candidates; without it only ids begin alike.
    /// - Throws: `Failure` 3 when there is none, 2 when there are several (contract section 1).
    func only(
        _ word: String, _ thing: NamedThing, among names: [String] = [],
        label: ((Element) -> String)? = nil
    ) throws(Failure) -> Element {
        switch self {
        case .one(let found): return found
        case .none:
            throw Failure(
                .notFound, "there is no \(thing.one) \(word.inQuotes)",
                hint: hint(forMistyped: word, among: names) ?? thing.listHint)
        case .several(let found):
            let what =
                label.map {
                    "names several \(thing.several): " + found.map($0).joined(separator: ", ")
                }
                ?? "is the start of several ids"
            throw Failure(.usage, "\(word.inQuotes) \(what)", hint: "give the whole id")
        }
    }
}
