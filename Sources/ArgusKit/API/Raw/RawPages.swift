/// Finds the elements of a list and its next page, whatever shape the list has.
///
/// Servers page by `offset` and `limit`, by `page` and `per_page`, or by a cursor, and say how it
/// goes on in as many ways (backend-facts 5.1 and 12).
package struct RawPage {
    /// The elements; nil when the answer is no list.
    package let elements: [JSONView]?
    private let answer: JSONView
    private let headers: HTTPHeaders

    /// Names that lists have, in the order of preference where an answer holds several.
    private static let names = [
        "data", "items", "results", "events", "cameras", "devices", "subscriptions", "pairings",
        "summaries", "notifications",
    ]

    package init(_ answer: JSONView, headers: HTTPHeaders) {
        self.answer = answer
        self.headers = headers
        elements = Self.list(in: answer).map { Array($0.elements) }
    }

    /// The request of the next page; nil when this is the last one.
    ///
    /// A URL that the server gives is used only for its path, and only on the same server.
    package func next(after request: RawRequest, at address: ServerAddress) -> RawRequest? {
        guard let count = elements?.count, count > 0 else { return nil }
        var next = request
        if let link = link {
            guard let target = RawRequest.target(link, at: address) else { return nil }
            next.target = target
            return next
        }
        for name in ["next_cursor", "next_page_token"] {
            guard let cursor = value(name)?.string, !cursor.isEmpty else { continue }
            next.setQuery(name == "next_cursor" ? "cursor" : "page_token", to: cursor)
            return next
        }
        if let offset = number("next_offset") {
            next.setQuery("offset", to: String(offset))
            return next
        }
        if let page = number("page") ?? request.query("page").flatMap({ Int($0) }) {
            guard hasMore ?? isBefore(total, page: page, count) else { return nil }
            next.setQuery("page", to: String(page + 1))
            return next
        }
        let offset = number("offset") ?? request.query("offset").flatMap { Int($0) } ?? 0
        guard hasMore ?? isBefore(total, offset: offset + count, count, request) else { return nil }
        next.setQuery("offset", to: String(offset + count))
        return next
    }

    /// Members that only a page of a list has.
    private static let signs = [
        "total", "total_count", "has_more", "has_next", "next_offset", "offset", "pagination",
        "page", "per_page", "next", "next_cursor", "next_page_token", "links",
    ]

    /// A thing with an array in it, such as an event with its objects, is no list: that has one of
    /// the usual names and no id, or says something about pages, or holds nothing else.
    private static func list(in answer: JSONView) -> JSONView? {
        if answer.kind == .array { return answer }
        var found: (rank: Int, list: JSONView)?
        var (count, hasID, hasSign) = (0, false, false)
        answer.forEachMember { key, value in
            count += 1
            hasID = hasID || key.matches("id")
            hasSign = hasSign || signs.contains(where: key.matches)
            guard value.kind == .array else { return }
            let rank = names.firstIndex { key.matches($0) } ?? names.count
            if rank < found?.rank ?? .max { found = (rank, value) }
        }
        guard let found else { return nil }
        let isNamed = found.rank < names.count && !hasID
        return isNamed || hasSign || count == 1 ? found.list : nil
    }

    /// A member of the answer or of its `pagination`.
    private func value(_ name: String) -> JSONView? {
        let value = answer[name] ?? answer["pagination"]?[name]
        return value?.isNull == true ? nil : value
    }

    private func number(_ name: String) -> Int? {
        value(name)?.int.flatMap { Int(exactly: $0) }
    }

    private var hasMore: Bool? { value("has_more")?.bool ?? value("has_next")?.bool }

    private var total: Int? { number("total_count") ?? number("total") }

    /// The address of the next page: a member of the answer, or its `Link` field (RFC 8288).
    private var link: String? {
        if let text = (value("next") ?? answer["links"]?["next"])?.string, !text.isEmpty {
            return text
        }
        for part in headers["link"]?.split(separator: ",") ?? [] {
            let isNext = part.split(separator: ";").dropFirst().contains {
                ["rel=\"next\"", "rel=next"].contains(String($0).trimmed)
            }
            guard isNext, let start = part.firstIndex(of: "<"),
                let end = part.firstIndex(of: ">"), start < end
            else { continue }
            return String(part[part.index(after: start)..<end])
        }
        return nil
    }

    private func isBefore(_ total: Int?, page: Int, _ count: Int) -> Bool {
        guard let total, let size = number("per_page") else { return false }
        return page * max(size, count) < total
    }

    /// A bare list tells nothing: it goes on while it is as long as the limit that was asked for.
    private func isBefore(
        _ total: Int?, offset: Int, _ count: Int, _ request: RawRequest
    ) -> Bool {
        if let total { return offset < total }
        return request.query("limit").flatMap { Int($0) } == count
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
