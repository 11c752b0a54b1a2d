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
    package var type: FieldType
    /// True for text that somebody before a camera may have chosen, which no program should obey.
    package var isUntrusted = false
    /// True if rows leave it out where it would say nothing.
    package var isConditional = false
    package var display: FieldDisplay
    package var value: @Sendable (Record) -> FieldValue

    package init(
        _ name: String, _ summary: String, isColumn: Bool = true, type: FieldType = .any,
        value: @escaping @Sendable (Record) -> FieldValue
    ) {
        self.name = name
        self.summary = summary
        self.isColumn = isColumn
        self.type = type
        self.value = value
        display = FieldDisplay(of: name)
    }

    /// Makes a field that tables show.
    package static func column<Value: FieldConvertible>(
        _ name: String, _ summary: String,
        value: @escaping @Sendable (Record) -> Value
    ) -> Field {
        Field(name, summary, type: Value.fieldType) { value($0).fieldValue }
    }

    /// Makes a field that tables show with `--fields` only.
    package static func hidden<Value: FieldConvertible>(
        _ name: String, _ summary: String,
        value: @escaping @Sendable (Record) -> Value
    ) -> Field {
        Field(name, summary, isColumn: false, type: Value.fieldType) { value($0).fieldValue }
    }

    /// The field with a type that its values do not show, such as that of an object.
    package func ofType(_ type: FieldType) -> Field {
        var field = self
        field.type = type
        return field
    }

    /// The field with text that somebody before a camera may have chosen.
    package var untrusted: Field {
        var field = self
        field.isUntrusted = true
        return field
    }

    /// The field that rows leave out where it would say nothing.
    package var conditional: Field {
        var field = self
        field.isConditional = true
        return field
    }

    /// The field with ids of which a terminal shows 8 characters, or as many as make them unique; its
    /// column is the last one there.
    package var shortened: Field { with(\.fit, .id).with(\.place, .last) }

    /// The field with texts that a terminal shortens to `minimum` cells; those of rank 0 first.
    package func shrinking(_ rank: Int, to minimum: Int = 8) -> Field {
        with(\.fit, .text(rank: rank, minimum: minimum))
    }

    /// The field whose texts continue below their beginning where they would be cut, if its column is
    /// the last one of a terminal.
    package var continuing: Field { with(\.continues, true) }

    /// The field with another heading for terminals, in lower case, and another label in objects.
    package func headed(_ heading: String, label: String? = nil) -> Field {
        with(\.heading, heading).with(\.label, label ?? heading)
    }

    /// The field whose column comes first on a terminal.
    package var leading: Field { with(\.place, .first) }

    /// The field whose text stands above the others of an object on a terminal.
    package var asHeadline: Field { with(\.isHeadline, true) }

    /// The field that an object on a terminal has with `--wide` only.
    package var onlyWide: Field { with(\.isOnlyWide, true) }

    /// The field whose list has a line for each value in an object on a terminal.
    package var onePerLine: Field { with(\.isOnePerLine, true) }

    /// The field that is a column of terminals from a width on, whatever it is elsewhere.
    package func onTerminals(from width: Int = 0) -> Field { with(\.terminalWidth, width) }

    /// The field whose column on a terminal is a mark for `yes`, without a heading.
    package func marking(_ mark: String) -> Field { with(\.mark, mark).onTerminals() }

    /// The field with a value that dims the whole row of a table.
    package func dimmingRows(with value: FieldValue) -> Field { with(\.dimmingValue, value) }

    /// The field with the display of another one.
    package func styled<Other>(like field: Field<Other>) -> Field {
        var styled = self
        styled.display = field.display
        return styled
    }

    /// The field with a colour for some values.
    package func colored(_ color: @escaping @Sendable (FieldValue) -> TextColor?) -> Field {
        with(\.color, color)
    }

    private func with<Value>(_ path: WritableKeyPath<FieldDisplay, Value>, _ value: Value) -> Field
    {
        var field = self
        field.display[keyPath: path] = value
        return field
    }
}

/// The looks of a field for people; formats for programs do not depend on it.
package struct FieldDisplay: Sendable {
    /// The heading on a terminal, in lower case.
    var heading: String
    /// The name in an object on a terminal.
    var label: String
    /// The part of a value that a table on a terminal may leave out.
    var fit = ColumnFit.text(rank: ColumnFit.lastRank, minimum: 8)
    /// Chooses the colour of a value; nil for none.
    var color: (@Sendable (FieldValue) -> TextColor?)?
    var place = ColumnPlace.middle
    /// The smallest width of a terminal at which the field is a column; nil if `isColumn` decides.
    var terminalWidth: Int?
    /// The text for `yes` in a column of marks; a chosen column has none.
    var mark: String?
    /// The value that dims a row.
    var dimmingValue: FieldValue?
    /// True for a last column whose long texts take several lines.
    var continues = false
    var isHeadline = false
    var isOnePerLine = false
    var isOnlyWide = false

    /// The display of a field without further rules: `last_seen_at` is headed `last seen`.
    init(of name: String) {
        var words = name.split(separator: "_", omittingEmptySubsequences: false)
        if words.count > 1, words.last == "at" { words.removeLast() }
        if words.count > 1, words.first == "is" || words.first == "has" { words.removeFirst() }
        let heading = words.joined(separator: " ")
        self.heading = heading.isEmpty ? name : heading
        label = self.heading
    }
}

/// The place of a column on a terminal: what a person reads first comes first.
package enum ColumnPlace: Int, Sendable {
    case first, middle, last
}

/// The rule for fitting a column to a narrow terminal; times and numbers have separate rules.
package enum ColumnFit: Sendable, Equatable {
    case id
    /// Texts end in `…` where they are cut; columns of the lowest rank are cut first.
    case text(rank: Int, minimum: Int)

    package static let lastRank = 5
}

extension Array {
    /// The fields that a table shows without `--fields`.
    func columns<Record>(for options: OutputOptions) -> [Element] where Element == Field<Record> {
        guard options.terminal.isOutputTerminal else { return filter(\.isColumn) }
        let width = options.isWide ? .max : options.terminal.width
        return filter { $0.display.terminalWidth.map { $0 <= width } ?? $0.isColumn }.placed()
    }

    /// The fields in their order on a terminal.
    func placed<Record>() -> [Element] where Element == Field<Record> {
        // The sort is stable.
        sorted { $0.display.place.rawValue < $1.display.place.rawValue }
    }
}

extension Array {
    /// Returns the fields for a record that has `part`; all are columns if `asColumns`.
    package func reading<Part, Record>(
        asColumns: Bool = false, _ part: @escaping @Sendable (Record) -> Part
    ) -> [Field<Record>] where Element == Field<Part> {
        map { field in
            var outer = Field<Record>(
                field.name, field.summary, isColumn: field.isColumn || asColumns, type: field.type
            ) {
                field.value(part($0))
            }.styled(like: field)
            outer.isUntrusted = field.isUntrusted
            outer.isConditional = field.isConditional
            return outer
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
    static var fieldType: FieldType { get }
    var fieldValue: FieldValue { get }
}

extension FieldConvertible {
    package static var fieldType: FieldType { .any }
}

extension FieldValue: ExpressibleByDictionaryLiteral {
    /// Makes an object with members in this order.
    package init(dictionaryLiteral members: (String, any FieldConvertible)...) {
        self = .object(members.map { Member($0, $1.fieldValue) })
    }
}

extension String: FieldConvertible {
    package static var fieldType: FieldType { .text }
    package var fieldValue: FieldValue { .text(self) }
}

extension Bool: FieldConvertible {
    package static var fieldType: FieldType { .boolean }
    package var fieldValue: FieldValue { .bool(self) }
}

extension Int: FieldConvertible {
    package static var fieldType: FieldType { .integer }
    package var fieldValue: FieldValue { .integer(Int64(self)) }
}

extension Double: FieldConvertible {
    package static var fieldType: FieldType { .number }
    package var fieldValue: FieldValue { .number(self) }
}

extension Timestamp: FieldConvertible {
    package static var fieldType: FieldType { .time }
    package var fieldValue: FieldValue { .time(self) }
}

extension Array: FieldConvertible where Element: FieldConvertible {
    package static var fieldType: FieldType { .list(Element.fieldType) }
    package var fieldValue: FieldValue { .list(map(\.fieldValue)) }
}

extension Optional: FieldConvertible where Wrapped: FieldConvertible {
    package static var fieldType: FieldType {
        Wrapped.fieldType == .any ? .any : .nullable(Wrapped.fieldType)
    }
    package var fieldValue: FieldValue { self?.fieldValue ?? .null }
}
