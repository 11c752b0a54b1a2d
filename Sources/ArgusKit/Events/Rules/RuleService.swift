package import ArgusAccount
package import ArgusCore
package import ArgusTransport

/// The routes of alert rules; only today's server has them.
package enum RuleRoutes {
    private static let rules = "/api/v1/alert-rules"

    /// Lists every rule.
    package static let list = Operation<Void, ListedRows<AlertRule>>(
        "rules.list", feature: "alert rules",
        Route(.current, ResponseBody.rows("rules", AlertRule.init)) { RouteRequest(.get, rules) })

    /// Creates a rule.
    package static let create = Operation<JSONValue, JSONView>(
        "rules.create", feature: "alert rules",
        Route(.current, ResponseBody.parse) { RouteRequest(.post, rules).with($0) })

    /// Changes the members of a rule that are sent.
    package static let update = Operation<(id: String, body: JSONValue), JSONView>(
        "rules.update", feature: "alert rules",
        Route(.current, ResponseBody.parse) { RouteRequest(.put, rules, $0.id).with($0.body) })

    /// Deletes a rule.
    package static let delete = Operation<String, Void>(
        "rules.delete", feature: "alert rules",
        Route(.current, ResponseBody.expectDone) { RouteRequest(.delete, rules, $0) })

    /// Applies a rule to the newest events, at most 100, on the server.
    package static let test = Operation<(id: String, limit: Int), RuleTest>(
        "rules.test", feature: "tests of alert rules",
        Route(.current) { input in
            RouteRequest(.post, rules, input.id, "test").sending { $0.member("limit", input.limit) }
        } decode: { answer throws(APIError) in
            let body = try ResponseBody.parse(answer)
            guard let matches = body["matching_event_ids"]?.strings else {
                throw .malformed("the answer does not say which events match", answer)
            }
            return RuleTest(tested: body["events_tested"]?.count ?? 0, matches: matches)
        })
}

/// The server's own application of a rule to its newest events.
package struct RuleTest: Sendable, Equatable {
    package var tested: Int
    /// Ids of events, the newest first.
    package var matches: [String]
}

/// Lists and changes alert rules, as the signed-in user.
package struct RuleService: Sendable {
    private let session: Session

    package init(session: Session) { self.session = session }

    /// Lists every rule with the server's own object.
    /// - Throws: `APIError`.
    package func list() async throws(APIError) -> ListedRows<AlertRule> {
        try await session.call(RuleRoutes.list, ())
    }

    /// Creates a rule of the parts given, and returns it as the server stored it.
    /// - Throws: `APIError`.
    package func create(
        _ parts: RuleChange
    ) async throws(APIError) -> (rule: AlertRule, view: JSONView) {
        try Self.rule(try await session.call(RuleRoutes.create, parts.body(over: nil)))
    }

    /// Changes parts of a rule, given the server's own object of it, and returns it as the server
    /// stored it.
    /// - Throws: `APIError`.
    package func update(
        _ rule: AlertRule, _ view: JSONView, _ change: RuleChange
    ) async throws(APIError) -> (rule: AlertRule, view: JSONView) {
        let body = change.body(over: view)
        return try Self.rule(try await session.call(RuleRoutes.update, (rule.id, body)))
    }

    /// Deletes a rule; false if it was gone already.
    /// - Throws: `APIError`.
    @discardableResult
    package func delete(_ id: String) async throws(APIError) -> Bool {
        do throws(APIError) {
            try await session.call(RuleRoutes.delete, id)
            return true
        } catch  where error.kind == .notFound {
            return false
        }
    }

    /// Lets the server apply a rule to its newest events.
    /// - Throws: `APIError`.
    package func test(_ id: String, limit: Int = 50) async throws(APIError) -> RuleTest {
        try await session.call(RuleRoutes.test, (id, limit))
    }

    private static func rule(_ view: JSONView) throws(APIError) -> (rule: AlertRule, view: JSONView)
    {
        (try AlertRule(view).orMalformed("the answer is not a rule"), view)
    }
}

extension RouteRequest {
    fileprivate func with(_ body: JSONValue) -> RouteRequest {
        with { $0.body = body.document(.compact) }
    }
}
