import ArgusCore
import ArgusKit
import CommandLineKit

/// A kind of object named on the command line, as messages describe it.
struct NamedThing: Sendable {
    /// Such as `camera`.
    var one: String
    var several: String
    var listHint: String
}

extension Array {
    /// The only one of the elements that a word names.
    ///
    /// `names` are suggested if there is none. `label` describes an element among several
    /// candidates; without it they share a prefix of their ids.
    /// - Throws: `Failure` 3 if there is none, 2 if there are several.
    func expectOne(
        _ word: String, _ thing: NamedThing, among names: [String] = [],
        label: ((Element) -> String)? = nil
    ) throws(Failure) -> Element {
        if let only { return only }
        throw failure(naming: word, thing, among: names, label: label)
    }

    /// The failure of a word that names none of the elements, or several.
    func failure(
        naming word: String, _ thing: NamedThing, among names: [String] = [],
        label: ((Element) -> String)? = nil
    ) -> Failure {
        guard !isEmpty else {
            return Failure(
                .notFound, "there is no \(thing.one) \(word.inQuotes)",
                hint: hint(forMistyped: word, among: names) ?? thing.listHint)
        }
        let what =
            label.map { "names several \(thing.several): " + map($0).joined(separator: ", ") }
            ?? "is the start of several ids"
        return Failure(.usage, "\(word.inQuotes) \(what)", hint: "give the whole id")
    }
}
