import ArgusAccount
import ArgusCore
import ArgusTransport

extension APICall {
    private typealias Listing = (answer: HTTPResponse, page: RawPage, elements: JSONView)

    /// Prints the elements of all pages of a list: as one array, one a line, or as rows.
    ///
    /// - Throws: `Failure` 11 if a page that may exist could not be fetched; the list has been
    ///   closed.
    func printPages(_ first: RawRequest) async throws(Failure) {
        var output = ListOutput(call: self)
        var progress = PageProgress()
        var (request, isGuess) = (first, false)
        var doubt: Failure?
        pages: while true {
            let found: Listing?
            do {
                found = try await fetch(request, isGuess: isGuess)
            } catch {
                guard isGuess else { throw error }
                doubt = error
                break
            }
            guard let listing = found else { break }
            let count = listing.page.count(besides: progress.known)
            switch progress.step(to: listing.answer, count, isGuess: isGuess) {
            case .end: break pages
            case .stuck:
                throw Failure(
                    .serverError,
                    "'\(server.name)' sent the same page twice, so it does not page this list")
            case .elements(let isLast):
                if isGuess { try printHead(listing.answer) }
                try output.write(listing.elements, &progress.known)
                guard isLast else { break }
                // Each answer was the whole list and a little more, so all of it is printed.
                context.console.warn(
                    "'\(server.name)' does not page this list, and keeps adding to it")
                break pages
            }
            let address = server.session.client.address
            guard let next = listing.page.next(after: request, at: address, count) else { break }
            (request, isGuess) = (next.request, next.isGuess)
        }
        try output.close()
        guard var doubt else { return }
        try context.system.streams.flush()
        // With success, scripts would take a part for the whole. An identity failure stays one.
        if doubt.kind != .identity { doubt.kind = .partial }
        doubt.message = "there may be more than was printed: \(doubt.message)"
        throw doubt
    }

    /// Fetches a page; nil if the server reports that there is none.
    ///
    /// A page that no answer announced is a guess and may not be part of the list, so none of it is
    /// printed here.
    private func fetch(_ request: RawRequest, isGuess: Bool) async throws(Failure) -> Listing? {
        let answer = try await send(request)
        if !isGuess {
            try printHead(answer)
            try await check(answer, to: request)
        } else if !(200..<300).contains(answer.status) {
            let error = await server.session.failure(of: answer, to: request)
            // Any other failure refuses the request, not the page, which may exist.
            if error.isUnsupported || [.notFound, .rejected].contains(error.kind) { return nil }
            throw await server.failure(error, doing: describe(request))
        }
        let page = try page(answer, to: request)
        guard let elements = page.elements else {
            throw Failure(.usage, "\(describe(request)) is not a list; leave out --paginate")
        }
        return (answer, page, elements)
    }
}

/// Infers from the pages so far how a server paginates.
private struct PageProgress {
    enum Step {
        /// There are new elements; no further request follows if `isLast`.
        case elements(isLast: Bool)
        /// Not a page of the list: the one before was the last.
        case end
        /// The server repeats the same page.
        case stuck
    }

    /// The most pages without new elements to skip, for lists that are growing.
    private static let maxRepetitions = 100
    /// The most successive guesses that return mostly known elements.
    private static let mostIdleGuesses = 10

    var known = PageMemory()
    private var previous: String?
    private var repetitions = 0

    mutating func step(to answer: HTTPResponse, _ count: RawPage.Count, isGuess: Bool) -> Step {
        let checksum = Checksum.sha256(answer.body)
        let isSame = previous == checksum
        if isGuess, isSame || count.fresh == 0 { return .end }
        previous = checksum
        // A guessed page of mostly known elements means that the server ignores the offset.
        let isIdle = isGuess ? count.fresh * 2 < count.all : count.fresh == 0
        repetitions = isIdle ? repetitions + 1 : 0
        if isGuess { return .elements(isLast: repetitions >= Self.mostIdleGuesses) }
        let isStuck = count.all > 0 && (isSame || repetitions >= Self.maxRepetitions)
        return isStuck ? .stuck : .elements(isLast: false)
    }
}

/// Prints the elements of a list in the requested format.
struct ListOutput {
    let call: APICall
    var rows: RawRows?
    var isFirst = true

    /// Writes the elements of a page that were on no earlier page.
    mutating func write(_ list: JSONView, _ known: inout PageMemory) throws(Failure) {
        if call.printsRows, rows == nil {
            var names = RawRows.Names()
            for element in list.elements { names.add(element) }
            rows = try call.rows(names)
        }
        for element in list.elements where known.insert(element) { try write(element) }
        known.endPage()
        try changeRows { try $0.endPage() }
        try call.context.system.streams.flush()
    }

    mutating func write(_ element: JSONView) throws(Failure) {
        if call.printsRows {
            if rows == nil {
                var names = RawRows.Names()
                names.add(element)
                rows = try call.rows(names)
            }
            return try changeRows { try $0.write(element) }
        }
        try call.write(call.format == .ndjson ? "" : isFirst ? "[" : ",")
        isFirst = false
        try call.write(element)
        if call.format == .ndjson { try call.write("\n") }
    }

    /// Changes the rows in place, without a copy.
    private mutating func changeRows(_ change: (inout RawRows) throws -> Void) throws(Failure) {
        guard var page = rows else { return }
        rows = nil
        defer { rows = page }
        try attempt(change(&page))
    }

    mutating func close() throws(Failure) {
        guard let rows else {
            if call.format != .ndjson { try call.write(isFirst ? "[]\n" : "]\n") }
            return
        }
        try changeRows { try $0.finish() }
        guard call.columns == nil, !rows.others.isEmpty else { return }
        let names = rows.others.sorted().joined(separator: ", ")
        call.context.console.warn(
            "the first page has no column for \(names); select columns with --fields")
    }
}
