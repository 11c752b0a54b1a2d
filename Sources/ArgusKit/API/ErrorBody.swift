/// The words of a failed answer, in any of the five shapes that servers use (backend-facts 0.3).
///
///     {"detail":"Event 1 not found"}
///     {"detail":[{"loc":["query","limit"],"msg":"Input should be …","input":"501"}]}
///     {"detail":{"detail":"Insufficient permissions","error_code":"…"}}
///     {"error":"Rate limit exceeded: 5 per 15 minute"}
///     Internal Server Error
struct ErrorBody {
    /// The longest text that is worth telling, in characters.
    private static let longestText = 300

    private(set) var text = ""
    /// Whether the body is that text and nothing else.
    private(set) var isBareText = false
    private(set) var fields: [APIError.Field] = []
    /// The text is in `detail`, as in every error but those of the rate limiter.
    private(set) var hasDetail = false

    init(_ bytes: [UInt8]) {
        guard let body = try? JSONView.parse(bytes), body.kind == .object else {
            text = Self.plainText(bytes)
            isBareText = !text.isEmpty
            return
        }
        switch body["detail"] {
        case let detail? where detail.kind == .array:
            // A 422 repeats what was submitted, passwords included: only place and message stay.
            fields = detail.elements.compactMap(Self.field)
            text = fields.map { "\($0.location): \($0.message)" }.joined(separator: "; ")
        case let detail? where detail.kind == .object:
            text = detail["detail"]?.string ?? detail["error_code"]?.string ?? ""
        case let detail?:
            text = detail.string ?? ""
        case nil:
            text = body["error"]?.string ?? body["message"]?.string ?? ""
        }
        hasDetail = body["detail"] != nil && !text.isEmpty
        text = text.cut(to: Self.longestText)
    }

    private static func field(_ view: JSONView) -> APIError.Field? {
        guard let message = view["msg"]?.string else { return nil }
        let location = (view["loc"]?.elements).map { elements in
            elements.compactMap { $0.string ?? $0.int.map(String.init) }.joined(separator: ".")
        }
        return APIError.Field(location: location ?? "", message: message)
    }

    /// The body where it is a line of text; a page of HTML or binary tells a person nothing, and
    /// JSON of an unknown shape may repeat what was submitted.
    private static func plainText(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes.prefix(longestText * 4 + 1), as: UTF8.self)
        let first = text.first { !$0.isWhitespace }
        guard !text.contains("<"), !text.contains("\0"), first.map("{[\"".contains) != true else {
            return ""
        }
        return String(text.prefix { $0 != "\n" }).cut(to: longestText)
    }
}
