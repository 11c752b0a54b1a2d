import ArgusAccount
import ArgusCore
import ArgusTransport

struct APICall {
    let server: SignedInServer
    let context: Context
    let format: OutputFormat
    /// The members to print as columns; nil for all.
    let columns: [String]?
    let showsHead: Bool

    /// - Throws: `Failure` for an unsuccessful status; the body has been printed.
    func printAnswer(_ request: RawRequest) async throws(Failure) {
        if passesOn { return try await check(try await passOn(request), to: request) }
        let answer = try await send(request)
        try printHead(answer)
        try await check(answer, to: request)
        guard format != .table || printsRows else {
            return try printBody(answer.body, to: request)
        }
        guard !answer.body.isEmpty else { return }
        let page = try page(answer, to: request)
        if !printsRows, format == .json || page.elements == nil {
            try write(page.answer)
            return try write("\n")
        }
        var output = ListOutput(call: self)
        if let elements = page.elements {
            var known = PageMemory(capacity: 1)
            try output.write(elements, &known)
        } else {
            try output.write(page.answer)
        }
        try output.close()
    }

    /// Sends a request; with `receive`, passes on the body of a good answer piece by piece.
    func send(
        _ request: RawRequest, receive: BodyReceiver? = nil
    ) async throws(Failure) -> HTTPResponse {
        try await server.attempt(
            describe(request), await server.session.send(request, receive: receive))
    }

    func describe(_ request: RawRequest) -> String {
        let path = request.target.prefix { $0 != "?" }
        return "\(request.method.rawValue) \(SecretNames.masking(target: String(path)))"
    }

    /// - Throws: `Failure` for an unsuccessful status, after its body has been printed.
    func check(_ answer: HTTPResponse, to request: RawRequest) async throws(Failure) {
        guard !(200..<300).contains(answer.status) else { return }
        try printBody(answer.body, to: request)
        try context.system.streams.flush()
        throw await failure(of: answer, to: request)
    }

    func failure(of answer: HTTPResponse, to request: RawRequest) async -> Failure {
        let error = await server.session.failure(of: answer, to: request)
        return await server.failure(error, doing: describe(request))
    }

    /// - Throws: `Failure` 7 for an answer that is not JSON.
    func page(_ answer: HTTPResponse, to request: RawRequest) throws(Failure) -> RawPage {
        do throws(APIError) {
            return try RawPage(answer)
        } catch {
            throw Failure(
                .serverError, "the answer to \(describe(request)) cannot be read: \(error.detail)",
                hint: "leave out --format to print it unchanged")
        }
    }

    func printHead(_ answer: HTTPResponse) throws(Failure) {
        guard showsHead else { return }
        var lines = "HTTP \(answer.status)\n"
        for (name, value) in answer.headers.fields {
            let shown = SecretNames.contains(name) ? SecretMask.replacement : value
            lines += Sanitizer.visible("\(name): \(shown)") + "\n"
        }
        try write(lines + "\n")
    }
}
