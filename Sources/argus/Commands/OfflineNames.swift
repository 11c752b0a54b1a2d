import ArgusKit

// Names that a command finds without the server, for writes that wait.
extension CompletionCache {
    /// The id of an event by itself or by a unique prefix of a cached one; nil if it is unknown.
    func eventID(_ word: String) -> String? {
        if case .one(let event) = NameLookup.find(word, in: events, id: \.id, name: { _ in nil }) {
            return event.id
        }
        return word.isUUID ? word.lowercased() : nil
    }
}

extension [CompletionCache.Candidate] {
    /// The id and the last known name of a camera or device; nil if neither is known here.
    ///
    /// - Throws: `Failure` 2 if there are several.
    func offline(
        _ word: String, _ thing: NamedThing
    ) throws(Failure) -> (id: String, name: String?)? {
        let found = NameLookup.find(
            word, in: self, id: { $0.description ?? "" }, name: \.text)
        if case .none = found { return word.isUUID ? (word.lowercased(), nil) : nil }
        let candidate = try found.only(word, thing) { "\($0.description ?? "") (\($0.text))" }
        return candidate.description.map { ($0, candidate.text) }
    }
}
