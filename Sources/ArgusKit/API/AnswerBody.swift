/// Reads the JSON of a good answer.
enum AnswerBody {
    /// Reads the body of an answer that may say everything in its header fields: no body is `{}`.
    ///
    /// - Throws: as `parse`.
    static func parseIfAny(_ answer: HTTPResponse) throws(APIError) -> JSONView {
        var answer = answer
        if answer.body.isEmpty { answer.body = Array("{}".utf8) }
        return try parse(answer)
    }

    /// Reads an answer to a change that may say nothing: no body is `{}`.
    ///
    /// - Throws: as `parse`, and for a value that is no object, which no ArgusAI server gives here.
    static func parseChange(_ answer: HTTPResponse) throws(APIError) -> JSONView {
        let body = try parseIfAny(answer)
        guard body.kind == .object else { throw .malformed("the answer is no object", answer) }
        return body
    }

    /// Makes sure that a good answer is that of an ArgusAI server, which says nothing, `null` or an
    /// object; a page would be that of something before the server, which did not ask it.
    ///
    /// - Throws: `APIError.malformedAnswer`.
    static func expectDone(_ answer: HTTPResponse) throws(APIError) {
        let body = try parseIfAny(answer)
        guard body.kind == .object || body.kind == .null else {
            throw .malformed("the answer is no object", answer)
        }
    }

    /// - Throws: `APIError.malformedAnswer` when the body is not one JSON value.
    static func parse(_ answer: HTTPResponse) throws(APIError) -> JSONView {
        do {
            return try JSONView.parse(answer.body)
        } catch {
            let type = answer.headers["content-type"] ?? "no content type"
            throw .malformed("the answer is not JSON (\(type)): \(error)", answer)
        }
    }
}
