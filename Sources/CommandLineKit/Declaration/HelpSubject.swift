/// What a page of help is about.
package enum HelpSubject: Sendable {
    case command(CommandDescription)
    case topic(HelpTopic)
}

extension ToolDescription {
    /// What the operands of `help` mean: nothing is the tool, one word may be a topic, several
    /// words lead to a command.
    ///
    /// - Throws: `UsageError` with the nearest names.
    package func helpSubject(_ words: [String]) throws(UsageError) -> HelpSubject {
        if words.count == 1, let topic = info.topic(words[0]) { return .topic(topic) }
        var place = root
        for word in words {
            guard let verb = place.verb(word) else { throw unknownSubject(word, after: place) }
            place = verb
        }
        return .command(place)
    }

    private func unknownSubject(_ word: String, after place: CommandDescription) -> UsageError {
        var names = place.visibleVerbs.map(\.about.name)
        guard place.path.isEmpty else { return unknownVerb(word, after: place.path, among: names) }
        names += info.allTopics.map(\.name)
        return UsageError(
            "no help on \(quoted(word))",
            hint: didYouMean(suggestions(for: word, among: names))
                ?? "run '\(info.name) -h' for all commands and topics")
    }
}
