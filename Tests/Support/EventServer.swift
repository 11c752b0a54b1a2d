package import ArgusCore
package import ArgusTransport
import Synchronization

/// A server with nothing but a list of events, which may change between two requests.
///
/// It pages as today's server does; `Behavior` selects that of others.
package final class EventServer: WholeAnswerTransport {
    /// An event of the server.
    package struct Row: Sendable {
        package var id: String
        package var time: Timestamp
        /// Further members as JSON, each with a comma before it.
        package var members: String

        package init(_ id: String, at second: Int64, _ members: String = "") {
            self.id = id
            time = Timestamp(seconds: second)
            self.members = members
        }
    }

    /// The deviations of the server from today's.
    package struct Behavior: Sendable {
        package var ignoresEndTime = false
        package var ignoresOrder = false
        /// True if a range excludes `start_time` and `end_time`.
        package var excludesBounds = false
        /// True if the server uses `page` and `per_page` and sends `pagination`.
        package var usesPages = false
        package var tellsWhetherMoreFollow = true
        package var largestPage = 500
        package var failsToSearch = false
        /// The ids of rows that make the server fail for each page that has one.
        package var unreadable: Set<String> = []
        /// True if the server lists the oldest first, whatever it is asked for, and promises more.
        package var repeatsOldest = false
        /// The answer to every request, in place of the list.
        package var fixedBody: String?

        package init() {}
    }

    private struct State {
        var rows: [Row]
        var queries: [[String: String]] = []
    }

    private let habits: Behavior
    private let change: @Sendable (Int, inout [Row]) -> Void
    private let arrival: @Sendable (Int) async -> Void
    private let state: Mutex<State>

    /// Serves rows, newest first; `change` may edit them before the request of a number, counted
    /// from 1, is answered, and `arrival` may hold that request back.
    package init(
        _ rows: [Row], _ habits: Behavior = Behavior(),
        change: @escaping @Sendable (Int, inout [Row]) -> Void = { _, _ in },
        arrival: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        self.habits = habits
        self.change = change
        self.arrival = arrival
        state = Mutex(State(rows: rows))
    }

    /// The query of each request so far.
    package var queries: [[String: String]] { state.withLock { $0.queries } }

    package func answer(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let query = Self.query(of: request.target)
        let (number, rows) = state.withLock { state in
            state.queries.append(query)
            let number = state.queries.count
            change(number, &state.rows)
            return (number, state.rows)
        }
        await arrival(number)
        guard !Task.isCancelled else { throw TransportError(.cancelled, "cancelled") }
        if habits.failsToSearch, query["search_query"] != nil {
            return Self.answer(500, #"{"detail":"Failed to list events"}"#)
        }
        if let body = habits.fixedBody { return Self.answer(200, body) }
        guard let page = page(of: rows, query) else {
            return Self.answer(500, #"{"detail":"Failed to list events"}"#)
        }
        return Self.answer(200, page)
    }

    /// The page that a query asks for; nil if it has an unreadable row.
    private func page(of rows: [Row], _ query: [String: String]) -> String? {
        var rows = rows
        if habits.repeatsOldest {
            let oldest = rows.reversed().prefix(habits.largestPage).map(Self.json)
            return #"{"events":[\#(oldest.joined(separator: ","))],"has_more":true}"#
        }
        if let end = query["end_time"].flatMap(Timestamp.init(serverText:)),
            !habits.ignoresEndTime
        {
            rows.removeAll { $0.time > end || habits.excludesBounds && $0.time == end }
        }
        if let start = query["start_time"].flatMap(Timestamp.init(serverText:)) {
            rows.removeAll { $0.time < start || habits.excludesBounds && $0.time == start }
        }
        if query["sort_order"] == "asc", !habits.ignoresOrder { rows.reverse() }
        let sizeName = habits.usesPages ? "per_page" : "limit"
        let size = min(query[sizeName].flatMap { Int($0) } ?? 50, habits.largestPage)
        let offset =
            habits.usesPages
            ? (max(1, query["page"].flatMap { Int($0) } ?? 1) - 1) * size
            : query["offset"].flatMap { Int($0) } ?? 0
        let shown = rows.dropFirst(offset).prefix(size)
        guard habits.unreadable.isDisjoint(with: shown.map(\.id)) else { return nil }
        let more = offset + shown.count < rows.count
        let events = shown.map(Self.json).joined(separator: ",")
        if habits.usesPages {
            return #"{"events":[\#(events)],"pagination":{"has_next":\#(more)}}"#
        }
        let tail = habits.tellsWhetherMoreFollow ? #","has_more":\#(more)"# : ""
        return #"{"events":[\#(events)]\#(tail)}"#
    }

    private static func json(_ row: Row) -> String {
        #"{"id":"\#(row.id)","timestamp":"\#(row.time.utcText)"\#(row.members)}"#
    }

    private static func answer(_ status: Int, _ body: String) -> HTTPResponse {
        HTTPResponse(status: status, body: Array(body.utf8))
    }

    private static func query(of target: String) -> [String: String] {
        guard let mark = target.firstIndex(of: "?") else { return [:] }
        var query: [String: String] = [:]
        for pair in target[target.index(after: mark)...].split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
            let value = parts.count == 2 ? parts[1] : ""
            query[parts[0]] = value.replacing("%3A", with: ":").replacing("%22", with: "\"")
        }
        return query
    }
}
