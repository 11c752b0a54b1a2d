import ArgusKit

/// Sends the requests of `argus api`, and prints what comes back.
struct APICall {
    let home: Home
    let context: Context
    let format: OutputFormat
    let showsHead: Bool

    private var isTerminal: Bool { context.world.streams.terminal.isOutputTerminal }

    /// Prints the one answer to a request.
    ///
    /// - Throws: `Failure` for a status that is no success; the body has been printed.
    func printAnswer(_ request: RawRequest) async throws(Failure) {
        let answer = try await send(request)
        try await printHead(answer)
        try await check(answer, to: request)
        guard format != .table else { return try printBody(answer.body, to: request) }
        guard !answer.body.isEmpty else { return }
        let view = try json(answer, to: request)
        if format == .ndjson, let elements = RawPage(view, headers: answer.headers).elements {
            for element in elements { try printLine(element) }
        } else {
            try printLine(view)
        }
    }

    /// Prints the elements of all pages of a list, as one array or one a line.
    func printPages(_ first: RawRequest) async throws(Failure) {
        var request = first
        var previous: [UInt8] = []
        var isFirst = true
        while true {
            let answer = try await send(request)
            try await printHead(answer)
            try await check(answer, to: request)
            let view = try json(answer, to: request)
            let page = RawPage(view, headers: answer.headers)
            guard let elements = page.elements else {
                throw Failure(.usage, "\(describe(request)) is no list; leave out --paginate")
            }
            guard previous != answer.body || elements.isEmpty else {
                throw Failure(
                    .serverError, "'\(home.name)' gave the same page twice; it does not page this")
            }
            previous = answer.body
            for element in elements {
                try write(format == .ndjson ? "" : isFirst ? "[" : ",")
                try write(element)
                if format == .ndjson { try write("\n") }
                isFirst = false
            }
            try context.world.streams.flush()
            guard let next = page.next(after: request, at: home.session.client.address) else {
                break
            }
            request = next
        }
        if format != .ndjson { try write(isFirst ? "[]\n" : "]\n") }
    }

    private func send(_ request: RawRequest) async throws(Failure) -> HTTPResponse {
        try await home.attempt(describe(request)) { () async throws(APIError) in
            try await home.session.send(request)
        }
    }

    private func describe(_ request: RawRequest) -> String {
        let path = request.target.prefix { $0 != "?" }
        return "\(request.method.rawValue) \(SecretNames.masking(target: String(path)))"
    }

    /// - Throws: `Failure` for a status that is no success, after its body has been printed.
    private func check(_ answer: HTTPResponse, to request: RawRequest) async throws(Failure) {
        guard !(200..<300).contains(answer.status) else { return }
        try printBody(await masked(answer.body), to: request)
        try context.world.streams.flush()
        let error = await home.session.failure(of: answer, to: request)
        throw await home.failure(error, doing: describe(request))
    }

    /// The bytes without the credential that the request carried, should a server repeat it.
    private func masked(_ bytes: [UInt8]) async -> [UInt8] {
        guard let secret = await home.session.secret, !secret.reveal().isEmpty else { return bytes }
        return bytes.replacing(Array(secret.reveal().utf8), with: Array(SecretNames.mask.utf8))
    }

    private func json(_ answer: HTTPResponse, to request: RawRequest) throws(Failure) -> JSONView {
        do throws(JSONError) {
            return try JSONView.parse(answer.body)
        } catch {
            throw Failure(
                .serverError, "the answer to \(describe(request)) is no JSON: \(error)",
                hint: "leave out --format to print it as it is")
        }
    }

    private func printHead(_ answer: HTTPResponse) async throws(Failure) {
        guard showsHead else { return }
        var lines = "HTTP \(answer.status)\n"
        for (name, value) in answer.headers.fields {
            let shown = SecretNames.contains(name) ? SecretNames.mask : value
            lines += "\(name): \(Sanitizer.visible(shown))\n"
        }
        let bytes = await masked(Array((lines + "\n").utf8))
        try write(String(decoding: bytes, as: UTF8.self))
    }

    /// Prints a body as it came; for a terminal what it could be harmed by is made visible.
    private func printBody(_ body: [UInt8], to request: RawRequest) throws(Failure) {
        guard !body.isEmpty else { return }
        guard isTerminal else { return try write(body) }
        guard String(validating: body, as: UTF8.self) != nil, !body.contains(0) else {
            throw Failure(
                .usage, "the answer to \(describe(request)) is no text",
                hint: "send it to a file or a pipe")
        }
        var filter = TerminalFilter()
        try write(filter.filter(body) + filter.finish())
        if body.last != UInt8(ascii: "\n") { try write("\n") }
    }

    private func printLine(_ view: JSONView) throws(Failure) {
        try write(view)
        try write("\n")
    }

    private func write(_ view: JSONView) throws(Failure) {
        var bytes: [UInt8] = []
        view.appendCompact(to: &bytes, escaping: isTerminal ? .forTerminal : .asReceived)
        try write(bytes)
    }

    private func write(_ text: String) throws(Failure) { try write(Array(text.utf8)) }

    private func write(_ bytes: [UInt8]) throws(Failure) {
        do {
            try context.world.streams.out.write(bytes)
        } catch {
            throw Failure(error)
        }
    }
}
