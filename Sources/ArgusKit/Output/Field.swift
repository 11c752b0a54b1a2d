/// A documented key of a canonical object: its name, summary and value.
///
/// Tables, JSON, CSV, `--fields`, help and completion are all made from a type's list of fields.
package struct Field<Record>: Sendable {
    /// The key in machine formats, `snake_case`.
    package var name: String
    /// A clause for `--help`.
    package var summary: String
    /// True if tables show the field without `--fields`.
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

/// The value of a field, independent of the format.
package enum FieldValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    /// A point in time: machine formats print UTC with microseconds, tables local time.
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
    /// Makes a value, or null for nil.
    package init(_ text: String?) { self = text.map(FieldValue.text) ?? .null }
    package init(_ flag: Bool?) { self = flag.map(FieldValue.bool) ?? .null }
    package init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }
    package init(_ number: Double?) { self = number.map(FieldValue.number) ?? .null }
    package init(_ time: Timestamp?) { self = time.map(FieldValue.time) ?? .null }
    package init(_ texts: [String]?) {
        self = texts.map { .list($0.map(FieldValue.text)) } ?? .null
    }
}
