/// The values of `--format` (docs/scripting.md, "Output").
package enum OutputFormat: String, CaseIterable, Sendable {
    case table, json, ndjson, csv, tsv

    /// True for formats that programs read.
    package var isMachine: Bool { self != .table }
}

/// The shape of a command's output, which decides on brackets and layout.
package enum OutputShape: Sendable {
    /// Any number of rows: a JSON array, a table with a header.
    case list
    /// One object: a JSON object, a table of names and values.
    case single
    /// One object for each of several operands: a JSON array, several tables of names and values.
    case several
}

/// The user's choices for the output of results.
package struct OutputOptions: Sendable {
    /// `--format`.
    package var format: OutputFormat
    /// The values of `--fields` without repetitions; nil for all fields or, in tables, all columns.
    package let fields: [String]?
    /// `--no-header`.
    package var hidesHeader: Bool
    /// The time zone of tables; UTC with `--utc`.
    package var zone: TimeZoneRules
    /// `--local-times`: csv and tsv have times in the zone, as spreadsheets import them, not in UTC.
    package var hasLocalTimes: Bool
    /// The time of the run; nil if it is unknown.
    package var now: Timestamp?
    /// `--wide`: tables are not fitted to the terminal.
    package var isWide: Bool
    /// The terminal, which decides on truncation, colours and the filtering of controls.
    package var terminal: Terminal
    /// True if each record is written out at once instead of once a page.
    ///
    /// Off is faster and shows the same as long as the command waits for nothing inside a page.
    package var flushesEachRecord: Bool

    package init(
        format: OutputFormat, fields: [String]? = nil, hidesHeader: Bool = false,
        zone: TimeZoneRules = .utc, hasLocalTimes: Bool = false, now: Timestamp? = nil,
        isWide: Bool = false, terminal: Terminal = .none,
        flushesEachRecord: Bool = true
    ) {
        self.format = format
        self.fields = fields?.distinct
        self.hidesHeader = hidesHeader
        self.zone = zone
        self.hasLocalTimes = hasLocalTimes
        self.now = now
        self.isWide = isWide
        self.terminal = terminal
        self.flushesEachRecord = flushesEachRecord
    }
}

/// Reports a name in `--fields` that is not a field.
package struct UnknownFieldError: Error, Hashable, Sendable, CustomStringConvertible {
    package var name: String
    /// The accepted names in their order.
    package var validNames: [String]
    /// True if the list of accepted names is incomplete.
    package var hasMore = false

    package var description: String {
        if hasMore {
            let count = validNames.count
            return "\(name.inQuotes) is none of the first \(count) fields, and there are more"
        }
        return "no field \(name.inQuotes); the fields are \(validNames.joined(separator: ", "))"
    }
}

extension Array {
    /// The fields of these names, in that order.
    /// - Throws: `UnknownFieldError` for the first unknown name.
    package func selecting<Record>(
        _ names: [String]
    ) throws(UnknownFieldError) -> [Field<Record>] where Element == Field<Record> {
        var selected: [Field<Record>] = []
        for name in names {
            guard let field = first(where: { $0.name == name }) else {
                throw UnknownFieldError(name: name, validNames: map(\.name))
            }
            selected.append(field)
        }
        return selected
    }
}
