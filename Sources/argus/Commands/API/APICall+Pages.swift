import ArgusKit

// How the pages of a list are asked for.
extension APICall {
    /// A page of a list, and the answer that it came in.
    fileprivate struct Listing {
        let answer: HTTPResponse
        let page: RawPage
        let elements: ListResponse
    }

    /// Prints the elements of all pages of a list: as one array, one a line, or as rows.
    ///
    /// - Throws: `Failure` 11 when a page that may be there could not be asked for; the list has
    ///   been closed.
    func printPages(_ first: RawRequest) async throws(Failure) {
        var output = ListOutput(self)
        var progress = PageProgress()
        var (request, isGuess) = (first, false)
        var doubt: Failure?
        pages: while true {
            let found: Listing?
            do {
                found = isGuess ? try await guess(request) : try await ask(request)
            } catch {
                guard isGuess else { throw error }
                doubt = error
                break
            }
            guard let listing = found else { break }
            let count = try count(listing, besides: progress.known, request)
            switch progress.step(to: listing.answer, count, isGuess: isGuess) {
            case .end: break pages
            case .stuck:
                throw Failure(
                    .serverError, "'\(server.name)' gave the same page twice; it does not page this"
                )
            case .elements(let isLast):
                if isGuess { try printHead(listing.answer) }
                try output.write(listing.elements, to: request, &progress.known)
                guard isLast else { break }
                // Each answer was the list itself and a little more, so that all of it is printed.
                context.warn("'\(server.name)' does not page this, and adds to it all the time")
                break pages
            }
            let address = server.session.client.address
            guard let next = listing.page.next(after: request, at: address, count) else { break }
            (request, isGuess) = (next.request, next.isGuess)
        }
        try output.close()
        guard let doubt else { return }
        try context.system.streams.flush()
        throw Self.partial(doubt)
    }

    /// Asks for a page that the person named or the server told of, and prints the answer's head.
    private func ask(_ request: RawRequest) async throws(Failure) -> Listing {
        let answer = try await send(request)
        try printHead(answer)
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
            let error = await server.session.failure(of: answer, to: request)
            throw await server.failure(error, doing: describe(request))
        }
    }

    private func listing(
        _ answer: HTTPResponse, to request: RawRequest
    ) throws(Failure) -> Listing {
        let page = try page(answer, to: request)
        guard let elements = page.elements else {
            throw Failure(.usage, "\(describe(request)) is no list; leave out --paginate")
        }
        return Listing(answer: answer, page: page, elements: elements)
    }

    private func count(
        _ listing: Listing, besides known: PageMemory, _ request: RawRequest
    ) throws(Failure) -> RawPage.Count {
        do {
            return try listing.page.count(besides: known)
        } catch {
            throw failure(error, to: request)
        }
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
}

/// What the pages so far say of how a server pages.
private struct PageProgress {
    /// What a page is good for.
    enum Step {
        /// There are new elements; with `isLast` nothing is to be asked any more.
        case elements(isLast: Bool)
        /// It is no page of the list: the one before was the last.
        case end
        /// The server gives the same again and again.
        case stuck
    }

    /// How many pages without anything new are passed over, as where many things are being added.
    private static let mostRepetitions = 100
    /// How many guesses in a row may bring mostly what is known already.
    private static let mostIdleGuesses = 10

    fileprivate var known = PageMemory()
    private var previous: String?
    private var repetitions = 0

    mutating func step(
        to answer: HTTPResponse, _ count: RawPage.Count, isGuess: Bool
    ) -> Step {
        let checksum = try? Checksum.sha256(of: answer.stored)
        let isSame = previous == checksum
        if isGuess, isSame { return .end }
        previous = checksum
        if isGuess, count.fresh == 0 { return .end }
        // A page that was guessed and is mostly known is one of a server that knows no offset.
        let isIdle =
            isGuess ? count.fresh * 2 < count.all : count.fresh == 0
        repetitions = isIdle ? repetitions + 1 : 0
        if isGuess { return .elements(isLast: repetitions >= Self.mostIdleGuesses) }
        guard count.all == 0 || !isSame && repetitions < Self.mostRepetitions else {
            return .stuck
        }
        return .elements(isLast: false)
    }
}

/// The elements of a list on their way to stdout, in the format that was asked for.
struct ListOutput {
    private let call: APICall
    private var rows: RawRows?
    private var isFirst = true

    init(_ call: APICall) {
        self.call = call
    }

    /// Writes the elements of a list.
    mutating func write(_ list: ListResponse, to request: RawRequest) throws(Failure) {
        var nothing = PageMemory(capacity: 1)
        try write(list, to: request, &nothing)
    }

    /// Writes the elements of a page that were on no page before.
    fileprivate mutating func write(
        _ list: ListResponse, to request: RawRequest, _ known: inout PageMemory
    ) throws(Failure) {
        if call.printsRows, rows == nil {
            var names = RawRows.Names()
            var elements = list.makeRows()
            while let element = try next(&elements, request) { names.add(element) }
            rows = try call.rows(names)
        }
        var elements = list.makeRows()
        while let element = try next(&elements, request) {
            if known.insert(element) { try write(element) }
        }
        known.endPage()
        if var page = rows {
            try call.endPage(&page)
            rows = page
        }
        try call.context.system.streams.flush()
    }

    /// Writes an element.
    mutating func write(_ element: JSONView) throws(Failure) {
        guard call.printsRows else {
            try call.write(call.format == .ndjson ? "" : isFirst ? "[" : ",")
            isFirst = false
            try call.write(element)
            if call.format == .ndjson { try call.write("\n") }
            return
        }
        if rows == nil {
            var names = RawRows.Names()
            names.add(element)
            rows = try call.rows(names)
        }
        guard var page = rows else { return }
        rows = nil  // so that nothing is copied
        try call.write(element, as: &page)
        rows = page
    }

    private func next(
        _ elements: inout AnswerRows, _ request: RawRequest
    ) throws(Failure) -> JSONView? {
        do {
            return try elements.next()
        } catch {
            throw call.failure(error, to: request)
        }
    }

    mutating func close() throws(Failure) {
        if var rows {
            try call.finish(&rows)
        } else if call.format != .ndjson {
            try call.write(isFirst ? "[]\n" : "]\n")
        }
    }
}
