/// How results are written: the values of `--format` (contract section 2).
package enum OutputFormat: String, CaseIterable, Sendable {
    case table, json, ndjson, csv, tsv

    /// Whether a program is meant to read it.
    package var isMachine: Bool { self != .table }
}

/// What a command prints, which decides about brackets and layout.
package enum OutputShape: Sendable {
    /// Any number of rows: a JSON array, a table with a header.
    case list
    /// One object: a JSON object, a table of names and values.
    case single
    /// One object for each of several operands: a JSON array, several tables of names and values.
    case several
}

/// How the person wants results to be written.
package struct OutputOptions: Sendable {
    /// `--format`.
    package var format: OutputFormat
    /// The words of `--fields`, each once; nil for all fields, in a table those that are columns.
    package let fields: [String]?
    /// `--no-header`.
    package var hidesHeader: Bool
    /// The zone of times in tables: UTC with `--utc`.
    package var zone: TimeZoneRules
    /// Decides about cutting, colours and the filtering of controls.
    package var terminal: Terminal
    /// Whether each record is written out at once; else pages are.
    ///
    /// Off is faster and shows the same as long as nothing is waited for inside a page.
    package var flushesEachRecord: Bool

    package init(
        format: OutputFormat, fields: [String]? = nil, hidesHeader: Bool = false,
        zone: TimeZoneRules = .utc, terminal: Terminal = .none, flushesEachRecord: Bool = true
    ) {
        self.format = format
        self.fields = fields?.distinct
        self.hidesHeader = hidesHeader
        self.zone = zone
        self.terminal = terminal
        self.flushesEachRecord = flushesEachRecord
    }
}

/// A word of `--fields` that names no field.
package struct UnknownFieldError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The word as it was given.
    package var name: String
    /// The names that would have been right, in their order.
    package var validNames: [String]
    /// Whether there are more names, of which nobody knows whether they would be right.
    package var hasMore: Bool

    package init(name: String, validNames: [String], hasMore: Bool = false) {
        self.name = name
        self.validNames = validNames
        self.hasMore = hasMore
    }

    package var description: String {
        if hasMore {
            let count = validNames.count
            return "\(name.inQuotes) is none of the first \(count) fields, and there are more"
        }
        return "no field \(name.inQuotes); the fields are \(validNames.joined(separator: ", "))"
    }
}

extension Array {
    /// The fields that were asked for, in the order asked.
    ///
    /// - Throws: `UnknownFieldError` for the first name that is none.
    package func selecting<Record>(
        _ names: [String]?, for format: OutputFormat
    ) throws(UnknownFieldError) -> [Field<Record>] where Element == Field<Record> {
        guard let names else { return format == .table ? filter(\.isColumn) : self }
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
