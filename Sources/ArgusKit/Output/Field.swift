/// One documented key of a canonical object: how it is named, headed, explained and read.
///
/// The list of fields of a type is the one place from which tables, JSON, CSV, `--fields`, help
/// and completion are made.
package struct Field<Record>: Sendable {
    /// The key in machine formats, `snake_case`.
    package var name: String
    /// A sentence part for `--help`.
    package var summary: String
    /// Whether the table shows it when no `--fields` was given.
    package var isColumn: Bool
    /// Reads the value from a record.
    package var value: @Sendable (Record) -> FieldValue

    package init(
        _ name: String, _ summary: String, isColumn: Bool = true,
        value: @escaping @Sendable (Record) -> FieldValue
    ) {
        self.name = name
        self.summary = summary
        self.isColumn = isColumn
        self.value = value
    }
}

/// The value of a field, before any format has been chosen.
package enum FieldValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    /// Machine formats print UTC with microseconds, tables local time.
    case time(Timestamp)
    case list([FieldValue])
    case object([Member])

    /// A key and its value in an object.
    package struct Member: Sendable, Equatable {
        package var name: String
        package var value: FieldValue

        package init(_ name: String, _ value: FieldValue) {
            self.name = name
            self.value = value
        }
    }
}

extension FieldValue {
    /// The text, or null when there is none.
    package init(_ text: String?) { self = text.map(FieldValue.text) ?? .null }
    /// The truth value, or null when there is none.
    package init(_ flag: Bool?) { self = flag.map(FieldValue.bool) ?? .null }
    /// The whole number, or null when there is none.
    package init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }
    /// The number, or null when there is none.
    package init(_ number: Double?) { self = number.map(FieldValue.number) ?? .null }
    /// The time, or null when there is none.
    package init(_ time: Timestamp?) { self = time.map(FieldValue.time) ?? .null }
    /// The texts as a list, or null when there is none.
    package init(_ texts: [String]?) {
        self = texts.map { .list($0.map(FieldValue.text)) } ?? .null
    }
}
