package import ArgusAccount
package import ArgusCore
package import ArgusTransport

/// Makes and ends Web Push subscriptions.
package struct PushSubscriber: Sendable {
    private let session: Session

    package init(session: Session) { self.session = session }

    /// Reads the server's public key for Web Push, in base64url.
    /// - Throws: `APIError`.
    package func key() async throws(APIError) -> (key: String, view: JSONView) {
        let view = try await session.call(PushSubscriptionRoutes.key, ())
        guard let key = view["public_key"]?.string, !key.isEmpty else {
            throw APIError(.malformedAnswer, "the answer has no public key")
        }
        return (key, view)
    }

    /// Lists every subscription with the server's own object.
    /// - Throws: `APIError`.
    package func list() async throws(APIError) -> ListedRows<PushSubscription> {
        try await session.call(PushSubscriptionRoutes.list, ())
    }

    /// Makes a subscription, or renews the keys of the one that has the endpoint.
    ///
    /// Servers answer both alike; their list, or the subscription `kept` here, distinguishes them.
    /// - Throws: `APIError`; `.unsupported` for an `apns://` endpoint if the server takes only
    ///   URLs.
    package func subscribe(
        _ new: StoredSubscription, kept: StoredSubscription?
    ) async throws(APIError) -> (
        subscription: PushSubscription, view: JSONView, result: PushRegistration.Result
    ) {
        let before = try await ifSupported(try await list())
        let view: JSONView
        do throws(APIError) {
            view = try await session.call(PushSubscriptionRoutes.subscribe, new)
        } catch  where new.endpoint.isAPNs && error.status == 400 {
            throw APIError(
                .unsupported("apns:// endpoints; 'argus push register' takes APNs tokens"))
        }
        var subscription = try PushSubscription(view).orMalformed(
            "the answer is not a subscription")
        subscription.userAgent = subscription.userAgent ?? new.userAgent
        let isKnown =
            before?.contains { $0.value.id == subscription.id }
            ?? (kept.map { $0.subscriptionID == subscription.id } ?? false)
        let isSame = kept?.keys == new.keys && kept?.userAgent == new.userAgent
        return (subscription, view, !isKnown ? .created : isSame ? .unchanged : .updated)
    }

    /// Ends the subscription of an endpoint; false if the server had none.
    /// - Throws: `APIError`.
    package func unsubscribe(_ endpoint: PushEndpoint) async throws(APIError) -> Bool {
        do throws(APIError) {
            try await session.call(PushSubscriptionRoutes.unsubscribe, endpoint)
            return true
        } catch  where error.kind == .notFound {
            return false
        }
    }

    /// Sends a test to every subscription and returns the result of each.
    /// - Throws: `APIError`.
    package func test() async throws(APIError) -> (report: PushTestReport, view: JSONView) {
        let view = try await session.call(PushSubscriptionRoutes.test, ())
        return (
            try PushTestReport(view).orMalformed("the answer has no results of the test"), view
        )
    }
}

/// The results of a test push, one for each subscription of the server.
///
///     {"success":true,"message":"…","results":[{"subscription_id":"…","success":true,"error":null}]}
///
/// The server's own `success` is true if one of many was reached, or if there are none.
package struct PushTestReport: Sendable {
    /// The result for one subscription.
    package struct Delivery: Sendable, Equatable {
        package var id: String
        package var isDelivered: Bool
        package var error: String?
    }

    package var deliveries: [Delivery]

    /// Reads the answer to a test; nil for a value without results.
    init?(_ view: JSONView) {
        guard let results = view["results"], results.kind == .array else { return nil }
        deliveries = results.elements.compactMap { row in
            row["subscription_id"]?.string.map {
                Delivery(
                    id: $0, isDelivered: row["success"]?.bool == true, error: row["error"]?.string)
            }
        }
    }
}

/// The routes of Web Push subscriptions.
enum PushSubscriptionRoutes {
    private static let base = "/api/v1/push"

    static let key = Operation<Void, JSONView>(
        "push.key", feature: "a key for Web Push",
        Route(.current, ResponseBody.parse) { RouteRequest(.get, base, "vapid-public-key") })

    static let list = Operation<Void, ListedRows<PushSubscription>>(
        "push.subscriptions", feature: "a list of push subscriptions",
        Route(.current, ResponseBody.rows("subscriptions", PushSubscription.init)) {
            RouteRequest(.get, base, "subscriptions")
        })

    static let subscribe = Operation<StoredSubscription, JSONView>(
        "push.subscribe", feature: "push subscriptions",
        Route(.current, ResponseBody.parse) { input in
            RouteRequest(.post, base, "subscribe").sending { writer in
                writer.member("endpoint", input.endpoint.text.reveal())
                writer.object("keys") { writer in
                    writer.member("p256dh", input.keys.p256dh)
                    writer.member("auth", input.keys.auth.reveal())
                }
                if let agent = input.userAgent { writer.member("user_agent", agent) }
            }
        })

    static let unsubscribe = Operation<PushEndpoint, Void>(
        "push.unsubscribe", feature: "ending push subscriptions",
        Route(.current, ResponseBody.expectDone) { endpoint in
            RouteRequest(.delete, base, "subscribe").sending {
                $0.member("endpoint", endpoint.text.reveal())
            }
        },
        Route(.documented, ResponseBody.expectDone) { endpoint in
            RouteRequest(.post, base, "unsubscribe").sending {
                $0.member("endpoint", endpoint.text.reveal())
            }
        })

    /// Sends a test to every subscription; with dead ones it takes 14 s and more.
    static let test = Operation<Void, JSONView>(
        "push.test", feature: "test pushes",
        Route(.current, ResponseBody.parse) {
            RouteRequest(.post, base, "test").with { $0.isSlow = true }
        })
}
