package import ArgusEvents

/// A choice of archived events, turned into SQL.
package struct ArchiveQuery: Sendable {
    /// The order of the events.
    package enum Order: Sendable {
        case newestFirst, oldestFirst
        /// The best match of `words` first.
        case rank
    }

    package var filter: EventFilter
    package var order = Order.newestFirst
    /// The server; nil for all.
    package var server: Archive.Server?
    /// Words, phrases and beginnings of words, all of which the description must have.
    package var words: ArchiveWords?
    /// Only events that their server no longer has.
    package var onlyDeleted = false
    /// The end of the list; nil for all.
    package var wanted: Int?

    package init(_ filter: EventFilter, of server: Archive.Server? = nil) {
        (self.filter, self.server) = (filter, server)
    }

    /// The conditions on the descriptions, in the language of FTS5; nil if there is none.
    private var expression: String? {
        let matches = [words?.expression, filter.searchPhrase.map { "(\($0))" }].compactMap(\.self)
        return matches.isEmpty ? nil : matches.joined(separator: " AND ")
    }

    /// True if enough descriptions match that it is faster to read the events in their order
    /// until enough are found than to sort all that match.
    private func isFrequent(in database: SQLiteDatabase) throws(ArchiveError) -> Bool {
        guard wanted != nil, let expression else { return false }
        return try database.number(
            """
            SELECT count(*) FROM
              (SELECT 1 FROM event_text WHERE event_text MATCH ? LIMIT \(Self.frequent))
            """, .text(expression)) == Self.frequent
    }

    private static let frequent = 1000

    /// The statement that returns the numbers of the events and of their servers, and its parameters.
    ///
    /// It may return others too: `EventFilter.matches` has the last word.
    func statement(
        in database: SQLiteDatabase
    ) throws(ArchiveError) -> (text: String, values: [SQLiteValue]) {
        var conditions: [String] = []
        var values: [SQLiteValue] = []
        func add(_ condition: String, _ more: [SQLiteValue] = []) {
            conditions.append(condition)
            values += more
        }
        if let expression {
            if order == .rank {
                add("event_text MATCH ?", [.text(expression)])
            } else {
                // With the sign the table of matches is only asked, and an index leads.
                let sign = try isFrequent(in: database) ? "+" : ""
                add(
                    "\(sign)event.number IN "
                        + "(SELECT rowid FROM event_text WHERE event_text MATCH ?)",
                    [.text(expression)])
            }
        }
        for text in words?.unspaced ?? [] {
            add("instr(lower(event.description), ?)", [.text(text)])
        }
        // The sign keeps SQLite from an index by which the events would have to be sorted.
        if let server { add("+event.server = ?", [SQLiteValue(server.number)]) }
        if !filter.cameraIDs.isEmpty {
            let places = filter.cameraIDs.map { _ in "?" }.joined(separator: ", ")
            add("event.camera_id IN (\(places))", filter.cameraIDs.map(SQLiteValue.text))
        }
        if !filter.types.isEmpty {
            let places = filter.types.map { _ in "instr(event.kinds, ?)" }
            add("(\(places.joined(separator: " OR ")))", filter.types.map { .text("|\($0)|") })
        }
        if let since = filter.since { add("event.timestamp >= ?", [SQLiteValue(since)]) }
        if let until = filter.until { add("event.timestamp <= ?", [SQLiteValue(until)]) }
        if let least = filter.minConfidence { add("event.confidence >= ?", [SQLiteValue(least)]) }
        if filter.alertsOnly { add("event.alert_triggered = 1") }
        if let source = filter.source { add("lower(event.source) = ?", [.text(source)]) }
        if onlyDeleted { add("event.deleted_at IS NOT NULL") }
        let tables =
            order == .rank && expression != nil
            ? "event_text JOIN event ON event.number = event_text.rowid" : "event"
        // Events of one instant in the order in which the server listed them first.
        let newestFirst = "event.timestamp DESC, event.number"
        let sorting =
            switch order {
            case .newestFirst: newestFirst
            case .oldestFirst: "event.timestamp, event.number DESC"
            case .rank: expression == nil ? newestFirst : "event_text.rank"
            }
        let choice = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        return (
            "SELECT event.number, event.server FROM \(tables)\(choice) ORDER BY \(sorting)", values
        )
    }
}

/// Words to find in descriptions: `van`, `"white van"`, `deliver*`.
package struct ArchiveWords: Sendable, Equatable {
    /// The same in the language of FTS5, in which each is quoted; nil without a word for it.
    let expression: String?
    /// Texts in scripts without spaces between words, which an index of words cannot find.
    let unspaced: [String]

    /// Reads a text; nil if it has no word.
    package init?(_ text: String) {
        var indexed: [String] = []
        var unspaced: [String] = []
        var rest = text[...]
        while let first = rest.first {
            if first.isWhitespace {
                rest.removeFirst()
                continue
            }
            let words: Substring
            if first == "\"" {
                rest.removeFirst()
                words = rest.prefix { $0 != "\"" }
                rest = rest.dropFirst(words.count + 1)
            } else {
                words = rest.prefix { !$0.isWhitespace && $0 != "\"" && $0 != "*" }
                rest = rest.dropFirst(words.count)
            }
            let isBeginning = rest.first == "*"
            if isBeginning { rest.removeFirst() }
            // Punctuation alone is not a word of the index, which would find nothing.
            guard !EventSearch.words(of: String(words)).isEmpty else { continue }
            if EventSearch(String(words)).phrase == nil {
                unspaced.append(words.lowercased())
            } else {
                let spellings = EventSearch.spellings(of: String(words)).map { spelling in
                    "\"\(spelling)\"" + (isBeginning ? "*" : "")
                }
                indexed.append("(\(spellings.joined(separator: " OR ")))")
            }
        }
        guard !indexed.isEmpty || !unspaced.isEmpty else { return nil }
        expression = indexed.isEmpty ? nil : indexed.joined(separator: " AND ")
        self.unspaced = unspaced
    }
}
