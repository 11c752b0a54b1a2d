package import ArgusCore

/// The list in an answer: a short one in memory, a long one in a file and read row by row.
package struct ListResponse: Sendable {
    /// The position of the list in an answer.
    package enum Place {
        case wholeAnswer
        case member(String)
    }

    private enum Rows: Sendable {
        case held(JSONView)
        case stored(StoredBytes, Range<Int>)
    }

    /// The answer, without its rows if those are in a file.
    package let answer: JSONView
    private let rows: Rows

    /// Finds the list; nil if `find` does not find one in the answer without its rows.
    /// - Throws: `APIError.malformedAnswer` if the answer is not one JSON value.
    package init?(
        _ answer: HTTPResponse, valueLimit: Int = JSONError.valueLimit,
        _ find: (JSONView) -> Place?
    ) throws(APIError) {
        if answer.file == nil {
            do throws(JSONError) {
                self.init(try JSONView.parse(answer.body, valueLimit: valueLimit), find)
                return
            } catch {
                // Each value may be acceptable even if all of them together are too many.
                guard error.reason == .tooLarge else { throw APIError(.json(error), answer) }
            }
        }
        let bytes = answer.stored
        let outline = try rethrowing(try JSONOutline(bytes), as: { APIError($0, answer) })
        guard let place = find(outline.view) else { return nil }
        let name: String? = if case .member(let name) = place { name } else { nil }
        guard let range = JSONOutline.part(name, of: outline.arrays) else { return nil }
        self.init(answer: outline.view, rows: .stored(bytes, range))
    }

    /// Finds the list in an answer in memory.
    init?(_ answer: JSONView, _ find: (JSONView) -> Place?) {
        switch find(answer) {
        case .wholeAnswer: self.init(answer: answer, rows: .held(answer))
        case .member(let name):
            guard let list = answer[name] else { return nil }
            self.init(answer: answer, rows: .held(list))
        case nil: return nil
        }
    }

    private init(answer: JSONView, rows: Rows) {
        self.answer = answer
        self.rows = rows
    }

    /// True if the answer and its rows are in memory.
    package var isHeld: Bool {
        if case .held = rows { true } else { false }
    }

    /// Makes a reader of the rows.
    package func makeRows() -> AnswerRows {
        switch rows {
        case .held(let list): AnswerRows(list)
        case .stored(let bytes, let range): AnswerRows(bytes, range)
        }
    }
}

/// Reads the rows of a list one after the other.
package struct AnswerRows {
    private var held: JSONElements?
    private var stored: (bytes: StoredBytes, rows: StoredRows)?

    fileprivate init(_ list: JSONView) { held = list.elements }

    fileprivate init(_ bytes: StoredBytes, _ range: Range<Int>) {
        stored = (bytes, StoredRows(bytes, in: range))
    }

    /// Reads the next row; nil at the end.
    /// - Throws: `APIError.malformedAnswer` for a row that is not JSON or too long.
    package mutating func next() throws(APIError) -> JSONView? { try nextWithPlace()?.view }

    /// Reads the next row and, if it is in a file, its position.
    package mutating func nextWithPlace() throws(APIError) -> (view: JSONView, place: StoredRow?)? {
        guard let bytes = stored?.bytes else { return held?.next().map { ($0, nil) } }
        let row = try rethrowing(try stored?.rows.next(), as: { APIError($0, nil) })
        return row.map { ($0.view, StoredRow(bytes: bytes, range: $0.range)) }
    }
}

/// A row of a list in a file.
package struct StoredRow: Sendable {
    let bytes: StoredBytes
    let range: Range<Int>

    /// Reads again a row that was read before.
    package func read() throws(FileSystemError) -> JSONView {
        do throws(StoredJSONError) {
            return try StoredRows.read(range, of: bytes)
        } catch .file(let error) {
            throw error
        } catch {
            throw StoredBytes.lost
        }
    }
}

extension APIError {
    /// The error for a malformed answer or an unreadable file.
    init(_ error: StoredJSONError, _ answer: HTTPResponse?) {
        switch error {
        case .json(let error):
            let type = answer.map { " (\($0.headers["content-type"] ?? "no content type"))" } ?? ""
            self.init(.malformedAnswer, "the answer is not JSON\(type): \(error)")
        case .rowTooLong:
            let longest = StoredRows.longestRow >> 20
            self.init(.malformedAnswer, "a row of the answer is longer than \(longest) MiB")
        case .outlineTooLong:
            let longest = JSONOutline.longestText >> 20
            self.init(
                .malformedAnswer,
                "the answer is too long: without its lists it has more than \(longest) MiB")
        case .file(let error):
            self.init(error)
        }
        status = answer?.status
        requestID = answer?.headers["x-request-id"]
    }

    /// The error for an unreadable file with a part of an answer.
    package init(_ error: FileSystemError) {
        self.init(.transport(TransportError(.receiverStopped, "\(error)")), "\(error)")
    }
}
