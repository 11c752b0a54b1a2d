/// Prints the elements of a server's own list as rows, with columns found in the first elements.
package struct RawRows {
    /// The printed members, in order.
    package let names: [String]
    /// Members that are not printed, because no element of the first page had them.
    package private(set) var others: Set<String> = []

    private let places: [String: Int]
    private var printer: RecordPrinter<[FieldValue]>

    /// The name of the only column if the elements are not objects.
    private static let value = "value"

    /// Collects the members of elements in the order in which they first appear.
    package struct Names {
        /// The maximum number of columns; more would be useless.
        fileprivate static let maxCount = 1000

        fileprivate private(set) var names: [String] = []
        fileprivate private(set) var hasMore = false
        private var known: Set<String> = []

        package init() {}

        /// Adds the members of an element.
        package mutating func add(_ element: JSONView) {
            guard element.kind == .object else { return add(RawRows.value) }
            element.forEachMember { key, _ in add(key.text) }
        }

        private mutating func add(_ name: String) {
            guard !known.contains(name) else { return }
            guard names.count < Self.maxCount else {
                hasMore = true
                return
            }
            known.insert(name)
            names.append(name)
        }
    }

    /// Prepares rows of the members in `options.fields`, or of all members of the first elements.
    /// - Throws: `UnknownFieldError` for a name that none of the first elements has.
    package init(_ options: OutputOptions, first: Names, sink: ByteSink) throws(UnknownFieldError) {
        let present = first.names
        names = options.fields ?? present
        if let unknown = names.first(where: { !present.contains($0) }), !present.isEmpty {
            throw UnknownFieldError(name: unknown, validNames: present, hasMore: first.hasMore)
        }
        places = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
        var options = options
        options.flushesEachRecord = false
        let fields = names.enumerated().map { index, name in
            Field<[FieldValue]>(name, "") { $0[index] }
        }
        printer = try RecordPrinter(fields, shape: .list, options: options, sink: sink)
    }

    /// Prints an element.
    /// - Throws: `OutputError`.
    package mutating func write(_ element: JSONView) throws(OutputError) {
        try printer.write(row(of: element))
    }

    /// Passes on all rows, since no more come for a while.
    /// - Throws: `OutputError`.
    package mutating func endPage() throws(OutputError) { try printer.endPage() }

    /// Completes the output and writes all of it out.
    /// - Throws: `OutputError`.
    package mutating func finish() throws(OutputError) {
        // A list without elements has no columns.
        if names.isEmpty { try printer.endPage() } else { try printer.finish() }
    }

    private mutating func row(of element: JSONView) -> [FieldValue] {
        var row = Array(repeating: FieldValue.null, count: names.count)
        guard element.kind == .object else {
            if let place = places[Self.value] { row[place] = FieldValue(element) }
            return row
        }
        var others = others
        element.forEachMember { key, value in
            let name = key.text
            if let place = places[name] {
                row[place] = FieldValue(value)
            } else if others.count < Names.maxCount {
                others.insert(name)
            }
        }
        self.others = others
        return row
    }
}

extension FieldValue {
    /// Makes the value of a JSON text, with the members of objects in their order.
    package init(_ view: JSONView) {
        switch view.kind {
        case .null: self = .null
        case .bool: self = FieldValue(view.bool)
        case .number: self = view.int.map { FieldValue($0) } ?? FieldValue(view.double)
        case .string: self = FieldValue(view.string)
        case .array: self = .list(view.elements.map(FieldValue.init))
        case .object:
            var members: [Member] = []
            view.forEachMember { members.append(Member($0.text, FieldValue($1))) }
            self = .object(members)
        }
    }
}
