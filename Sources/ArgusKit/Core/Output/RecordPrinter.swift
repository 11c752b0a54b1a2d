/// Prints records one after the other in the user's format.
///
/// Holds only the first page of a table. After an error nothing more is written, not even the
/// closing bracket of a JSON array, so that a reader sees that the list is incomplete.
package struct RecordPrinter<Record>: Sendable {
    private let fields: [Field<Record>]
    private let options: OutputOptions
    private let sink: ByteSink
    private var renderer: any RecordRenderer
    private var filter: TerminalFilter?
    private var output: [UInt8] = []

    /// The output size in bytes from which rows are passed on.
    private static var batchSize: Int { 1 << 14 }

    /// The largest buffer in bytes that is kept for reuse.
    private static var longestKept: Int { 1 << 20 }

    /// Prepares printing; writes nothing yet.
    /// - Throws: `UnknownFieldError` if the options name a field that is not among `fields`.
    package init(
        _ fields: [Field<Record>], shape: OutputShape, options: OutputOptions, sink: ByteSink
    ) throws(UnknownFieldError) {
        if let names = options.fields {
            self.fields = try fields.selecting(names)
        } else if options.format != .table {
            self.fields = fields
        } else if shape == .list {
            self.fields = fields.columns(for: options)
        } else {
            self.fields = options.terminal.isOutputTerminal ? fields.placed() : fields
        }
        self.options = options
        self.sink = sink
        let names = self.fields.map(\.name)
        let isTerminal = options.terminal.isOutputTerminal
        switch options.format {
        case .table:
            let isChosen = options.fields != nil
            let columns = self.fields.map { field in
                var column = TableColumn(name: field.name, display: field.display)
                if isChosen { column.display.mark = nil }
                return column
            }
            renderer =
                shape == .list
                ? TableRenderer(columns, options) : BlockRenderer(columns, options)
        case .json:
            renderer = JSONRenderer(
                names: names, frame: shape == .single ? .single : .array, isTerminal: isTerminal)
        case .ndjson:
            renderer = JSONRenderer(names: names, frame: .lines, isTerminal: isTerminal)
        case .csv, .tsv:
            let syntax: DelimitedRenderer.Syntax = options.format == .csv ? .csv : .tsv
            renderer = DelimitedRenderer(
                names: names, syntax: syntax, hidesHeader: options.hidesHeader,
                zone: options.hasLocalTimes ? options.zone : nil)
            filter = isTerminal ? TerminalFilter() : nil
        }
    }

    /// Prints a record; `page`, where the server shows it, is a link below an object on a terminal.
    /// - Throws: `OutputError`.
    package mutating func write(_ record: Record, page: String? = nil) throws(OutputError) {
        renderer.append(fields.map { $0.value(record) }, page: page, to: &output)
        try emit(flushing: options.flushesEachRecord)
    }

    /// Prints an object as the server sent it, for `--raw` with json and ndjson.
    /// - Throws: `OutputError`.
    package mutating func writeRaw(_ object: JSONView) throws(OutputError) {
        renderer.appendRaw(object, to: &output)
        try emit(flushing: options.flushesEachRecord)
    }

    /// Writes out all rows, since no more come for a while; the first page sets a table's widths.
    /// - Throws: `OutputError`.
    package mutating func endPage() throws(OutputError) {
        renderer.endPage(to: &output)
        try emit(flushing: true)
    }

    /// Completes the output and writes all of it out; not to be called after a failure.
    /// - Throws: `OutputError`.
    package mutating func finish() throws(OutputError) {
        renderer.finish(to: &output)
        try emit(flushing: true)
    }

    private mutating func emit(flushing: Bool) throws(OutputError) {
        // A single row would cost the sink more than the row itself.
        guard flushing || output.count >= Self.batchSize else { return }
        if !output.isEmpty {
            // Rows end with a line feed, so the filter holds nothing back.
            try sink.write(filter?.filter(output) ?? output)
            output.removeAll(keepingCapacity: output.count < Self.longestKept)
        }
        if flushing { try sink.flush() }
    }
}

/// Renders rows of values in one format.
protocol RecordRenderer: Sendable {
    /// Appends a row, whose values are in the order of the fields.
    mutating func append(_ row: [FieldValue], to output: inout [UInt8])
    /// Appends a row and, if there is room for it, the address of the page that shows it.
    mutating func append(_ row: [FieldValue], page: String?, to output: inout [UInt8])
    /// Appends an object as the server sent it.
    mutating func appendRaw(_ object: JSONView, to output: inout [UInt8])
    /// Appends rows that were held back.
    mutating func endPage(to output: inout [UInt8])
    /// Appends the end of the output.
    mutating func finish(to output: inout [UInt8])
}

extension RecordRenderer {
    mutating func append(_ row: [FieldValue], page: String?, to output: inout [UInt8]) {
        append(row, to: &output)
    }

    mutating func appendRaw(_ object: JSONView, to output: inout [UInt8]) {
        preconditionFailure("only json and ndjson print the server's own objects")
    }

    mutating func endPage(to output: inout [UInt8]) {}

    mutating func finish(to output: inout [UInt8]) { endPage(to: &output) }
}
