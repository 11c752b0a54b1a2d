import ArgusCore
import ArgusTransport
import Synchronization

extension APICall {
    var isTerminal: Bool { context.system.streams.terminal.isOutputTerminal }

    private var out: ByteSink { context.system.streams.out }

    var passesOn: Bool { format == .table && columns == nil && !showsHead && !isTerminal }

    var printsRows: Bool { format == .csv || format == .tsv || columns != nil }

    /// Sends a request and streams the body of a good answer to stdout, at the speed of its reader.
    func passOn(_ request: RawRequest) async throws(Failure) -> HTTPResponse {
        let problem = Mutex<OutputError?>(nil)
        let out = out
        // A request that may change something is completed even if the reader has closed the pipe.
        let isCarriedThrough = request.method != .get && request.method != .head
        let answer: HTTPResponse
        do throws(Failure) {
            answer = try await send(request) { bytes in
                do throws(OutputError) {
                    try out.write(bytes)
                    try out.flush()
                    return true
                } catch {
                    problem.withLock { $0 = error }
                    return isCarriedThrough
                }
            }
        } catch {
            throw problem.withLock { $0 }.map(Failure.init) ?? error
        }
        if let error = problem.withLock({ $0 }) { throw Failure(error) }
        return answer
    }

    func rows(_ first: RawRows.Names) throws(Failure) -> RawRows {
        let options = OutputOptions(
            format: format, fields: columns, hidesHeader: context.globals.hasNoHeader,
            zone: try context.displayZone(), isWide: context.globals.isWide,
            terminal: context.terminal)
        return try attempt(RawRows(options, first: first, sink: out)) {
            Failure(.usage, "--fields: \($0)")
        }
    }

    /// Prints a body as received; on a terminal, with control characters made visible.
    func printBody(_ body: [UInt8], to request: RawRequest) throws(Failure) {
        guard isTerminal, let last = body.last else { return try write(body) }
        guard !body.contains(0), String(validating: body, as: UTF8.self) != nil else {
            throw Failure(
                .usage, "the answer to \(describe(request)) is not text",
                hint: "redirect it to a file or a pipe")
        }
        var filter = TerminalFilter()
        try write(filter.filter(body) + filter.finish())
        if last != UInt8(ascii: "\n") { try write("\n") }
    }

    func write(_ view: JSONView) throws(Failure) {
        context.console.warnOfRepair(in: view)
        var bytes: [UInt8] = []
        view.appendCompact(to: &bytes, escaping: isTerminal ? .forTerminal : .asReceived)
        try write(bytes)
    }

    func write(_ text: String) throws(Failure) { try write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) throws(Failure) { try attempt(out.write(bytes)) }
}
