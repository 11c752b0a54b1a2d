/// Prints the elements of a server's own list as rows, by members that are known only when they come.
package struct RawRows {
    /// The members that are printed, in order.
    package let names: [String]
    /// Members that elements had and that are not printed, because no earlier page had them.
    package private(set) var others: Set<String> = []

    private let places: [String: Int]
    private var renderer: any RecordRenderer
    private var filter: TerminalFilter?
    private var output: [UInt8] = []

    /// The name of the only column where elements are no objects.
    private static let value = "value"
    /// From how many bytes on rows are passed on although more follow.
    private static let batchSize = 1 << 14

    /// The members that elements have, in the order in which they first come.
    package struct Names {
        /// More are no columns that anybody could use.
        fileprivate static let most = 1000

        fileprivate private(set) var names: [String] = []
        /// Whether there were more.
        fileprivate private(set) var hasMore = false
        private var known: Set<String> = []

        package init() {}

        /// Takes the members of an element.
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

    /// Prepares rows of the members that the options name, else of all that the first elements have.
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
    package mutating func write(_ element: JSONView, to sink: ByteSink) throws(OutputError) {
        renderer.append(row(of: element), to: &output)
        if output.count >= Self.batchSize { try passOn(to: sink) }
    }

    /// Says that nothing more comes for a while: what has been printed is shown now.
    package mutating func endPage(to sink: ByteSink) throws(OutputError) {
        renderer.endPage(to: &output)
        try passOn(to: sink)
    }

    /// Completes the output and writes all of it out.
    package mutating func finish(to sink: ByteSink) throws(OutputError) {
        // A list without an element has no names either.
        if !names.isEmpty { renderer.finish(to: &output) }
        try passOn(to: sink)
    }

    private mutating func passOn(to sink: ByteSink) throws(OutputError) {
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
    /// A value of a server as a field has it.
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
