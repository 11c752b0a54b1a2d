/// The routes of Web Push subscriptions.
enum PushSubscriptionRoutes {
    private static let base = "/api/v1/push"

    /// The server's public key, which receivers subscribe with.
    static let key = Operation<Void, JSONView>(
        "push.key", purpose: "a key for Web Push",
        routes: [
            Route(.current) { _ in
                RouteRequest(.get, base + "/vapid-public-key")
            } decode: { answer throws(APIError) in
                try ResponseBody.parse(answer)
            }
        ])

    /// Every subscription of the server, as it wrote it.
    static let list = Operation<Void, [JSONView]>(
        "push.subscriptions", purpose: "a list of push subscriptions",
        routes: [
            Route(.current) { _ in
                RouteRequest(.get, base + "/subscriptions")
            } decode: { answer throws(APIError) in
                let body = try ResponseBody.parse(answer)
                let list = body.kind == .array ? body : body["subscriptions"] ?? body["data"]
                guard let list, list.kind == .array else {
                    throw .malformed("the list of subscriptions has none", answer)
                }
                return Array(list.elements)
            }
        ])

    /// Makes a subscription, or renews the keys of the one that has the endpoint.
    static let subscribe = Operation<StoredSubscription, JSONView>(
        "push.subscribe", purpose: "push subscriptions",
        routes: [
            Route(.current) { input in
                var request = RouteRequest(.post, base + "/subscribe")
                request.body = JSONWriter.object { writer in
                    writer.member("endpoint", input.endpoint.text.reveal())
                    writer.key("keys")
                    writer.object { writer in
                        writer.member("p256dh", input.keys.p256dh)
                        writer.member("auth", input.keys.auth.reveal())
                    }
                    if let agent = input.userAgent { writer.member("user_agent", agent) }
                }
                return request
            } decode: { answer throws(APIError) in
                try ResponseBody.parse(answer)
            }
        ])

    /// Ends the subscription of an endpoint.
    static let unsubscribe = Operation<PushEndpoint, Void>(
        "push.unsubscribe", purpose: "ending push subscriptions",
        routes: [
            Route(.current) { endpoint in
                ending(endpoint, .delete, "/subscribe")
            } decode: { answer throws(APIError) in
                try ResponseBody.expectDone(answer)
            },
            Route(.documented) { endpoint in
                ending(endpoint, .post, "/unsubscribe")
            } decode: { answer throws(APIError) in
                try ResponseBody.expectDone(answer)
            },
        ])

    /// Sends a test to every subscription; with dead ones among them that takes 14 s and more.
    static let test = Operation<Void, JSONView>(
        "push.test", purpose: "test pushes",
        routes: [
            Route(.current) { _ in
                var request = RouteRequest(.post, base + "/test")
                request.isSlow = true
                return request
            } decode: { answer throws(APIError) in
                try ResponseBody.parse(answer)
            }
        ])

    private static func ending(
        _ endpoint: PushEndpoint, _ method: HTTPRequest.Method, _ path: String
    ) -> RouteRequest {
        var request = RouteRequest(method, base + path)
        request.body = JSONWriter.object { $0.member("endpoint", endpoint.text.reveal()) }
        return request
    }
}
