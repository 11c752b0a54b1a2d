/// Reads the JSON of a good answer.
enum ResponseBody {
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

    /// The picture in base64 that is a member of an answer, and what stands around it; no picture
    /// where there is none.
    ///
    /// - Throws: as `parse`.
    static func picture(
        _ name: String, in answer: HTTPResponse
    ) throws(APIError) -> (around: JSONView, picture: StoredBytes?) {
        guard answer.file != nil else {
            let body = try parse(answer)
            let picture = body[name]?.string.flatMap(Base64.decodeDataURI)
            return (body, picture.map(StoredBytes.init))
        }
        do throws(StoredJSONError) {
            let outline = try JSONOutline(answer.stored)
            guard let range = JSONOutline.part(name, of: outline.strings) else {
                return (outline.view, nil)
            }
            return (outline.view, try Base64.decodeDataURI(range, of: answer.stored))
        } catch {
            throw APIError(error, answer)
        }
    }

    /// - Throws: `APIError.malformedAnswer` when the body is not one JSON value.
    static func parse(
        _ answer: HTTPResponse, valueLimit: Int = JSONError.valueLimit
    ) throws(APIError) -> JSONView {
        guard answer.file == nil else {
            throw .malformed("the answer is too long for one that is no list", answer)
        }
        do {
            return try JSONView.parse(answer.body, valueLimit: valueLimit)
        } catch {
            let type = answer.headers["content-type"] ?? "no content type"
            throw .malformed("the answer is not JSON (\(type)): \(error)", answer)
        }
    }
}
