/// Prints the elements of a server's own list as rows, with columns found in the first elements.
package struct RawRows {
    /// The printed members, in order.
    package let names: [String]
    /// Members that are not printed, because no element of the first page had them.
    package private(set) var others: Set<String> = []

    private let places: [String: Int]
    private var renderer: any RecordRenderer
    private var filter: TerminalFilter?
    private var output: [UInt8] = []

    /// The name of the only column if the elements are not objects.
    private static let value = "value"
    /// The output size in bytes from which rows are passed on.
    private static let batchSize = 1 << 14

    /// Collects the members of elements in the order in which they first appear.
    package struct Names {
        /// The most columns; more would be of no use.
        fileprivate static let most = 1000

        fileprivate private(set) var names: [String] = []
        /// True if there were more.
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
            guard names.count < Self.most else {
                hasMore = true
                return
            }
            known.insert(name)
            names.append(name)
        }
    }

    /// Prepares rows of the members in `options.fields`, or of all members of the first elements.
    ///
    /// The format is table, csv or tsv.
    /// - Throws: `UnknownFieldError` for a name that none of the first elements has.
    package init(_ options: OutputOptions, first: Names) throws(UnknownFieldError) {
        let present = first.names
        names = options.fields ?? present
        if let unknown = names.first(where: { !present.contains($0) }), !present.isEmpty {
            throw UnknownFieldError(name: unknown, validNames: present, hasMore: first.hasMore)
        }
        places = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
        guard options.format != .table else {
            renderer = TableRenderer(names: names, options: options)
            return
        }
        renderer = DelimitedRenderer(
            names: names, syntax: options.format == .csv ? .csv : .tsv,
            hidesHeader: options.hidesHeader)
        filter = options.terminal.isOutputTerminal ? TerminalFilter() : nil
    }

    /// Prints an element.
    ///
    /// - Throws: `OutputError`.
    package mutating func write(_ element: JSONView, to sink: ByteSink) throws(OutputError) {
        renderer.append(row(of: element), to: &output)
        if output.count >= Self.batchSize { try emit(to: sink) }
    }

    /// Passes on all rows, since no more come for a while.
    ///
    /// - Throws: `OutputError`.
    package mutating func endPage(to sink: ByteSink) throws(OutputError) {
        renderer.endPage(to: &output)
        try emit(to: sink)
    }

    /// Completes the output and writes all of it out.
    ///
    /// - Throws: `OutputError`.
    package mutating func finish(to sink: ByteSink) throws(OutputError) {
        // A list without elements has no columns.
        if !names.isEmpty { renderer.finish(to: &output) }
        try emit(to: sink)
    }

    private mutating func emit(to sink: ByteSink) throws(OutputError) {
        try sink.write(filter?.filter(output) ?? output)
        output.removeAll(keepingCapacity: true)
        try sink.flush()
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
            } else if others.count < Names.most {
                others.insert(name)
            }
        }
        self.others = others
        return row
    }
}

extension FieldValue {
    /// Converts a server's value.
    init(_ view: JSONView) {
        switch view.kind {
        case .null: self = .null
        case .bool: self = FieldValue(view.bool)
        case .number: self = view.int.map(FieldValue.integer) ?? FieldValue(view.double)
        case .string: self = FieldValue(view.string)
        case .array: self = .list(view.elements.map(FieldValue.init))
        case .object:
            var members: [Member] = []
            view.forEachMember { members.append(Member($0.text, FieldValue($1))) }
            self = .object(members)
        }
    }
}
