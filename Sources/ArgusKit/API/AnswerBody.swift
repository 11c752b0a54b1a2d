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
