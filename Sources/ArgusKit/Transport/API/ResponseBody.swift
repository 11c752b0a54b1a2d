package import ArgusCore

/// Decoders for the JSON of good answers.
package enum ResponseBody {
    /// Reads the body as one JSON value.
    /// - Throws: `APIError.malformedAnswer` if it is not one.
    package static func parse(_ answer: HTTPResponse) throws(APIError) -> JSONView {
        do throws(JSONError) {
            return try JSONView.parse(answer.body)
        } catch {
            let type = answer.headers["content-type"] ?? "no content type"
            throw .malformed("the answer is not JSON (\(type)): \(error)", answer)
        }
    }

    /// Reads an answer that may have everything in its header fields: no body counts as `{}`.
    package static func parseIfAny(_ answer: HTTPResponse) throws(APIError) -> JSONView {
        var answer = answer
        if answer.body.isEmpty { answer.body = Array("{}".utf8) }
        return try parse(answer)
    }

    /// Reads the answer to a change, which may be empty: no body counts as `{}`.
    /// - Throws: As `parse`, and for a value other than an object, which no ArgusAI server sends
    ///   here.
    package static func parseChange(_ answer: HTTPResponse) throws(APIError) -> JSONView {
        let body = try parseIfAny(answer)
        guard body.kind == .object else { throw .malformed("the answer is not an object", answer) }
        return body
    }

    /// Checks that an ArgusAI server confirms a change: an empty body, `null` or an object.
    /// - Throws: `APIError.malformedAnswer`.
    package static func expectDone(_ answer: HTTPResponse) throws(APIError) {
        let body = try parseIfAny(answer)
        guard body.kind == .object || body.kind == .null else {
            throw .malformed("the answer is not an object", answer)
        }
    }

    /// Makes a decoder for a list: the whole answer, or its member `name` or `data`; `read`
    /// returns nil for an invalid row.
    package static func rows<Value: Sendable>(
        _ name: String, _ read: @escaping @Sendable (JSONView) -> Value?
    ) -> Route<Void, ListedRows<Value>>.Decoder {
        { answer throws(APIError) in
            let body = try parse(answer)
            guard let list = body.kind == .array ? body : body[name] ?? body["data"],
                list.kind == .array
            else {
                let noun = name.replacing("_", with: " ")
                throw .malformed("the list of \(noun) has no \(noun)", answer)
            }
            return ListedRows(Array(list.elements), read: read)
        }
    }
}

/// The rows of a server's list, each with the server's own object, and a count of unreadable ones.
package struct ListedRows<Value: Sendable>: Sendable, RandomAccessCollection {
    private var rows: [(value: Value, view: JSONView)]
    /// The number of invalid rows.
    package let unreadableRows: Int

    /// Reads the elements of a list; `read` returns nil for an invalid row.
    package init(_ elements: some Collection<JSONView>, read: (JSONView) -> Value?) {
        rows = elements.compactMap { view in read(view).map { ($0, view) } }
        unreadableRows = elements.count - rows.count
    }

    /// The decoded rows without the server's objects.
    package var values: [Value] { rows.map(\.value) }

    /// Returns the rows with their values changed.
    package func mapValues(_ change: (Value) -> Value) -> ListedRows {
        var changed = self
        for index in rows.indices { changed.rows[index].value = change(rows[index].value) }
        return changed
    }

    package var startIndex: Int { rows.startIndex }
    package var endIndex: Int { rows.endIndex }

    package subscript(position: Int) -> (value: Value, view: JSONView) { rows[position] }
}
