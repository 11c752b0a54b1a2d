/// Reads the JSON of a good answer.
enum AnswerBody {
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
