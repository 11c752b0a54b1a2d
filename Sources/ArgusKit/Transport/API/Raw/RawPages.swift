package import ArgusCore

/// Finds the elements of a list and its next page, for all known kinds of pagination.
package struct RawPage {
    /// The whole answer.
    package let answer: JSONView
    /// The array of elements; nil if the answer is not a list.
    package let elements: JSONView?
    private let headers: HTTPHeaders

    /// The names of lists, in order of preference if an answer has several.
    private static let names = [
        "data", "items", "results", "events", "cameras", "devices", "subscriptions", "pairings",
        "summaries", "notifications",
    ]

    package init(_ answer: JSONView, headers: HTTPHeaders) {
        self.answer = answer
        self.headers = headers
        elements = Self.list(in: answer)
    }

    /// Reads an answer.
    /// - Throws: `APIError.malformedAnswer` if it is not JSON.
    package init(_ answer: HTTPResponse) throws(APIError) {
        self.init(try ResponseBody.parse(answer), headers: answer.headers)
    }

    /// A summary of all elements.
    package struct Count: Sendable {
        package var all = 0
        /// The elements that were on no earlier page.
        package var fresh = 0
        fileprivate var allHaveIDs = true

        package init() {}
    }

    /// Counts all elements.
    package func count(besides known: PageMemory = PageMemory()) -> Count {
        var count = Count()
        guard let elements else { return count }
        for element in elements.elements {
            count.all += 1
            if !known.isKnown(element) { count.fresh += 1 }
            count.allHaveIDs = count.allHaveIDs && PageMemory.id(of: element) != nil
        }
        return count
    }

    /// The request of the next page.
    package struct Next {
        package var request: RawRequest
        /// True if no answer announced the page, so an answer without new elements is not one.
        package var isGuess = false
    }

    /// The request of the next page, on the same server; nil if this is the last one.
    package func next(
        after request: RawRequest, at address: ServerAddress, _ count: Count
    ) -> Next? {
        if let request = reported(after: request, at: address, count.all) {
            return Next(request: request)
        }
        // A bare list shows neither its end nor, without a requested limit, the size of a page.
        guard answer.kind == .array, count.all > 0, headers["link"] == nil,
            request.query("page") == nil, Self.sizes.allSatisfy({ request.query($0) == nil }),
            count.allHaveIDs
        else { return nil }
        let offset = number("offset", of: request) ?? 0
        var next = request
        next.setQuery("offset", to: String(offset + count.all))
        return Next(request: next, isGuess: true)
    }

    private func reported(
        after request: RawRequest, at address: ServerAddress, _ count: Int
    ) -> RawRequest? {
        guard count > 0 else { return nil }
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
        if let page = number("page") ?? number("page", of: request) {
            guard hasMore ?? isBefore(total, page: page, count, request) else { return nil }
            next.setQuery("page", to: String(page + 1))
            return next
        }
        let offset = number("offset") ?? number("offset", of: request) ?? 0
        guard hasMore ?? isBefore(total, offset: offset + count, count, request) else { return nil }
        next.setQuery("offset", to: String(offset + count))
        return next
    }

    /// Members that only a page of a list has.
    private static let pageMembers = [
        "total", "total_count", "has_more", "has_next", "next_offset", "offset", "pagination",
        "page", "per_page", "next", "next_cursor", "next_page_token", "links",
    ]

    /// An object with an array in it, such as an event with its objects, is not a list: a list has
    /// a usual name and no id, or a member about pages, or no other member.
    private static func list(in answer: JSONView) -> JSONView? {
        if answer.kind == .array { return answer }
        var found: (rank: Int, name: String)?
        var (count, hasID, hasPageMember) = (0, false, false)
        answer.forEachMember { key, value in
            count += 1
            hasID = hasID || key.matches("id")
            hasPageMember = hasPageMember || pageMembers.contains(where: key.matches)
            guard value.kind == .array else { return }
            let rank = names.firstIndex { key.matches($0) } ?? names.count
            if rank < found?.rank ?? .max { found = (rank, key.text) }
        }
        guard let found else { return nil }
        let isNamed = found.rank < names.count && !hasID
        return isNamed || hasPageMember || count == 1 ? answer[found.name] : nil
    }

    /// A member of the answer or of its `pagination`.
    private func value(_ name: String) -> JSONView? {
        let value = answer[name] ?? answer["pagination"]?[name]
        return value?.isNull == true ? nil : value
    }

    private func number(_ name: String) -> Int? { value(name)?.count }

    private func number(_ name: String, of request: RawRequest) -> Int? {
        request.query(name).flatMap { Int($0) }.flatMap(Self.inRange)
    }

    /// The number if it is plausible and small enough to add to.
    private static func inRange(_ number: Int) -> Int? {
        (0...1 << 53).contains(number) ? number : nil
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
                ["rel=\"next\"", "rel=next"].contains($0.filter { $0 != " " })
            }
            guard isNext, let start = part.firstIndex(of: "<"),
                let end = part.firstIndex(of: ">"), start < end
            else { continue }
            return String(part[part.index(after: start)..<end])
        }
        return nil
    }

    /// The names of a page's size in answers and requests.
    private static let sizes = ["per_page", "page_size", "limit"]

    private func isBefore(_ total: Int?, page: Int, _ count: Int, _ request: RawRequest) -> Bool {
        let size = Self.sizes.lazy.compactMap { number($0) }.first ?? asked(request)
        guard let total else { return size == count }
        let before = page.multipliedReportingOverflow(by: max(size ?? count, count))
        return !before.overflow && before.partialValue < total
    }

    /// The requested size of a page.
    private func asked(_ request: RawRequest) -> Int? {
        Self.sizes.lazy.compactMap { number($0, of: request) }.first
    }

    /// A bare list has no end mark: it continues while it is as long as the requested limit.
    private func isBefore(_ total: Int?, offset: Int, _ count: Int, _ request: RawRequest) -> Bool {
        if let total { return offset < total }
        return asked(request) == count
    }
}
