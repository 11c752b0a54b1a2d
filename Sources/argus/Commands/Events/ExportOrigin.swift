import ArgusKit

/// The server and the conditions of an export, stored with the partial file, since its rows do not
/// show them.
struct ExportOrigin {
    private let serverID: String
    private let serverAddress: String
    private let fields: String
    private let conditions: String

    init(
        _ server: SignedInServer, _ options: EventFilterOptions, _ filter: EventFilter,
        in context: Context
    ) {
        serverAddress = server.session.client.address.description
        serverID = server.record?.id.text ?? serverAddress
        fields = context.exportColumns.joined(separator: ",")
        conditions = Sanitizer.visible(options.words(filter))
    }

    var note: String {
        "server \(serverID) \(serverAddress)\nfields \(fields)\nconditions \(conditions)"
    }

    /// The difference from a stored origin, in words that follow `it was begun`; nil if there is
    /// none.
    func difference(from note: String) -> String? {
        var known: [Substring: Substring] = [:]
        for line in note.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            if let name = parts.first { known[name] = parts.count > 1 ? parts[1] : "" }
        }
        // A server that was removed and added again has a new id; one that moved has a new address.
        if let server = known["server"]?.split(separator: " "),
            !server.contains(serverID[...]), !server.contains(serverAddress[...])
        {
            return "for another server"
        }
        if let names = known["fields"], names != fields { return "with other fields: \(names)" }
        guard let words = known["conditions"], words != conditions else { return nil }
        return words.isEmpty ? "without conditions" : "with other conditions: \(words)"
    }
}

extension EventFilterOptions {
    /// The given conditions in a fixed order, cameras by id.
    fileprivate func words(_ filter: EventFilter) -> String {
        var words = filter.cameraIDs.sorted().map { "--camera \($0)" }
        if !filter.types.isEmpty {
            words.append("--type \(filter.types.sorted().joined(separator: ","))")
        }
        words += time.words
        if let search { words.append("--search '\(search.text)'") }
        if let minConfidence { words.append("--min-confidence \(minConfidence)") }
        if isAlertsOnly { words.append("--alerts") }
        if let source { words.append("--source \(source.rawValue)") }
        return words.joined(separator: " ")
    }
}
