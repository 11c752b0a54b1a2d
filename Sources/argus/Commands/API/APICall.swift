import ArgusKit

/// Sends the requests of `argus api`, and prints what comes back.
struct APICall {
    let home: Home
    let context: Context
    let format: OutputFormat
    /// The members to print as columns; nil for all.
    let columns: [String]?
    let showsHead: Bool

    /// Prints the one answer to a request.
    ///
    /// - Throws: `Failure` for a status that is no success; the body has been printed.
    func printAnswer(_ request: RawRequest) async throws(Failure) {
        if passesOn { return try await check(try await passOn(request), to: request) }
        let answer = try await send(request)
        try await printHead(answer)
        try await check(answer, to: request)
        guard format != .table || printsRows else {
            return try printBody(answer.body, to: request)
        }
        guard !answer.body.isEmpty else { return }
        let view = try json(answer, to: request)
        let elements = RawPage(view, headers: answer.headers).elements
        if printsRows {
            let elements = elements ?? [view]
            var rows = try rows(first: elements)
            try write(elements, as: &rows)
            try finish(&rows)
        } else if format == .ndjson, let elements {
            for element in elements { try printLine(element) }
        } else {
            try printLine(view)
        }
    }

    /// How many pages without anything new are passed over, as where many things are being added.
    private static let mostRepetitions = 100

    /// How many guesses in a row may bring mostly what is known already.
    private static let mostIdleGuesses = 10

    /// A page of a list, and the answer that it came in.
    private struct Listing {
        let answer: HTTPResponse
        let page: RawPage
        let elements: [JSONView]
    }

    /// Prints the elements of all pages of a list: as one array, one a line, or as rows.
    ///
    /// - Throws: `Failure` 11 when a page that may be there could not be asked for; the list has
    ///   been closed.
    func printPages(_ first: RawRequest) async throws(Failure) {
        var request = first
        var previous: [UInt8] = []
        var pages = PageMemory()
        var rows: RawRows?
        var isFirst = true
        var isGuess = false
        var repetitions = 0
        var doubt: Failure?
        while true {
            let found: Listing?
            if isGuess {
                do throws(Failure) {
                    found = try await guess(request)
                } catch {
                    doubt = error
                    break
                }
            } else {
                found = try await ask(request)
            }
            guard let listing = found else { break }
            let isSame = previous == listing.answer.body
            if isGuess, isSame { break }
            previous = listing.answer.body
            let listed = listing.elements
            let elements = pages.fresh(listed)
            if isGuess {
                if elements.isEmpty { break }
                try await printHead(listing.answer)
            }
            // A page that was guessed and is mostly known is one of a server that knows no offset.
            let isIdle = isGuess ? elements.count * 2 < listed.count : elements.isEmpty
            repetitions = isIdle ? repetitions + 1 : 0
            guard isGuess || listed.isEmpty || !isSame && repetitions < Self.mostRepetitions else {
                throw Failure(
                    .serverError, "'\(home.name)' gave the same page twice; it does not page this")
            }
            if printsRows {
                var page = if let rows { rows } else { try self.rows(first: elements) }
                try write(elements, as: &page)
                rows = page
            } else {
                for element in elements {
                    try write(format == .ndjson ? "" : isFirst ? "[" : ",")
                    try write(element)
                    if format == .ndjson { try write("\n") }
                    isFirst = false
                }
            }
            try context.world.streams.flush()
            if isGuess, repetitions >= Self.mostIdleGuesses {
                // Each answer was the list itself and a little more, so that all of it is printed.
                context.warn("'\(home.name)' does not page this, and adds to it all the time")
                break
            }
            guard let next = listing.page.next(after: request, at: home.session.client.address)
            else { break }
            (request, isGuess) = (next.request, next.isGuess)
        }
        if var rows {
            try finish(&rows)
        } else if format != .ndjson {
            try write(isFirst ? "[]\n" : "]\n")
        }
        guard let doubt else { return }
        try context.world.streams.flush()
        throw Self.partial(doubt)
    }

    /// Asks for a page that the person named or the server told of, and prints the answer's head.
    private func ask(_ request: RawRequest) async throws(Failure) -> Listing {
        let answer = try await send(request)
        try await printHead(answer)
        try await check(answer, to: request)
        return try listing(answer, to: request)
    }

    /// Asks for a page that nothing told of; nil where the server says that there is none.
    ///
    /// Nothing is printed: whether the answer is a part of the list is yet to be seen.
    private func guess(_ request: RawRequest) async throws(Failure) -> Listing? {
        let answer = try await send(request)
        switch answer.status {
        case 200..<300: return try listing(answer, to: request)
        // Who may not ask now, or is too slow or too fast, is not told that there is no such page.
        case 400..<500 where ![401, 403, 408, 425, 429].contains(answer.status): return nil
        default:
            let error = await home.session.failure(of: answer, to: request)
            throw await home.failure(error, doing: describe(request))
        }
    }

    private func listing(
        _ answer: HTTPResponse, to request: RawRequest
    ) throws(Failure) -> Listing {
        let page = RawPage(try json(answer, to: request), headers: answer.headers)
        guard let elements = page.elements else {
            throw Failure(.usage, "\(describe(request)) is no list; leave out --paginate")
        }
        return Listing(answer: answer, page: page, elements: elements)
    }

    /// What a guess that failed means for the list before it.
    ///
    /// Nobody knows whether there is more, and success would have scripts take a part for the
    /// whole. What is printed is right and complete as far as it goes, which is status 11. A server
    /// that did not prove who it is stays a failure of its own.
    private static func partial(_ failure: Failure) -> Failure {
        var partial = failure
        if failure.kind != .identity { partial.kind = .partial }
        partial.message = "there may be more than was printed: \(failure.message)"
        return partial
    }

    /// Sends a request; with `receive`, the body of a good answer is handed on piece by piece.
    func send(
        _ request: RawRequest, receive: (@Sendable (UnsafeRawBufferPointer) -> Bool)? = nil
    ) async throws(Failure) -> HTTPResponse {
        try await home.attempt(describe(request)) { () async throws(APIError) in
            try await home.session.send(request, receive: receive)
        }
    }

    func describe(_ request: RawRequest) -> String {
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

    private func printLine(_ view: JSONView) throws(Failure) {
        try write(view)
        try write("\n")
    }
}
