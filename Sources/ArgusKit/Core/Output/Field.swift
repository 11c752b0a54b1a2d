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
    /// The part of a value that a table on a terminal may leave out.
    package var fit = ColumnFit.text(rank: ColumnFit.lastRank, minimum: 8)
    /// The heading where the name is too long for a terminal.
    package var shortHeading: String
    /// Chooses the colour of a value in tables; nil for none.
    package var color: (@Sendable (FieldValue) -> TextColor?)?
    package var value: @Sendable (Record) -> FieldValue

    package init(
        _ name: String, _ summary: String, isColumn: Bool = true,
        value: @escaping @Sendable (Record) -> FieldValue
    ) {
        self.name = name
        self.summary = summary
        self.isColumn = isColumn
        self.value = value
        shortHeading = name.hasSuffix("_at") ? String(name.dropLast(3)) : name
    }

    /// Makes a field that tables show.
    package static func column<Value: FieldConvertible>(
        _ name: String, _ summary: String,
        value: @escaping @Sendable (Record) -> Value
    ) -> Field {
        Field(name, summary) { value($0).fieldValue }
    }

    /// Makes a field that tables show with `--fields` only.
    package static func hidden<Value: FieldConvertible>(
        _ name: String, _ summary: String,
        value: @escaping @Sendable (Record) -> Value
    ) -> Field {
        Field(name, summary, isColumn: false) { value($0).fieldValue }
    }

    /// The field with ids of which a terminal shows 8 characters, or as many as make them unique.
    package var shortened: Field { with(\.fit, .id) }

    /// The field with texts that a terminal shortens to `minimum` cells; those of rank 0 first.
    package func shrinking(_ rank: Int, to minimum: Int = 8) -> Field {
        with(\.fit, .text(rank: rank, minimum: minimum))
    }

    /// The field with a heading for narrow terminals, in lower case.
    package func headed(_ heading: String) -> Field { with(\.shortHeading, heading) }

    /// The field with the fit, colour and heading of another one.
    package func styled<Other>(like field: Field<Other>) -> Field {
        with(\.fit, field.fit).with(\.color, field.color).headed(field.shortHeading)
    }

    /// The field with a colour for some values.
    package func colored(_ color: @escaping @Sendable (FieldValue) -> TextColor?) -> Field {
        with(\.color, color)
    }

    private func with<Value>(_ path: WritableKeyPath<Field, Value>, _ value: Value) -> Field {
        var field = self
        field[keyPath: path] = value
        return field
    }
}

/// The rule for fitting a column to a narrow terminal; times and numbers have separate rules.
package enum ColumnFit: Sendable, Equatable {
    case id
    /// Texts end in `…` where they are cut; columns of the lowest rank are cut first.
    case text(rank: Int, minimum: Int)

    package static let lastRank = 5
}

extension Array {
    /// Returns the fields for a record that has `part`; all are columns if `asColumns`.
    package func reading<Part, Record>(
        asColumns: Bool = false, _ part: @escaping @Sendable (Record) -> Part
    ) -> [Field<Record>] where Element == Field<Part> {
        map { field in
            Field<Record>(field.name, field.summary, isColumn: field.isColumn || asColumns) {
                field.value(part($0))
            }.styled(like: field)
        }
    }
}

/// The value of a field, independent of the format.
package enum FieldValue: Sendable, Equatable, FieldConvertible {
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

    package var fieldValue: FieldValue { self }

    package init(_ value: some FieldConvertible) { self = value.fieldValue }
}

/// A value that a field prints; nil is null.
package protocol FieldConvertible: SendableMetatype {
    var fieldValue: FieldValue { get }
}

extension FieldValue: ExpressibleByDictionaryLiteral {
    /// Makes an object with members in this order.
    package init(dictionaryLiteral members: (String, any FieldConvertible)...) {
        self = .object(members.map { Member($0, $1.fieldValue) })
    }
}

extension String: FieldConvertible { package var fieldValue: FieldValue { .text(self) } }
extension Bool: FieldConvertible { package var fieldValue: FieldValue { .bool(self) } }
extension Int: FieldConvertible { package var fieldValue: FieldValue { .integer(Int64(self)) } }
extension Double: FieldConvertible { package var fieldValue: FieldValue { .number(self) } }
extension Timestamp: FieldConvertible { package var fieldValue: FieldValue { .time(self) } }

extension Array: FieldConvertible where Element: FieldConvertible {
    package var fieldValue: FieldValue { .list(map(\.fieldValue)) }
}

extension Optional: FieldConvertible where Wrapped: FieldConvertible {
    package var fieldValue: FieldValue { self?.fieldValue ?? .null }
}
