import ArgusKit
import CommandLineKit

extension StoredSubscription {
    /// True if a row of the server is this subscription.
    func isSame(as row: PushSubscription) -> Bool {
        (subscriptionID != nil && subscriptionID == row.id)
            || endpoint.matches(listed: row.endpoint)
    }
}

extension StoredPush {
    /// The subscription of this machine.
    ///
    /// - Throws: `Failure` 3 if there is none, 2 if there are several.
    func onlySubscription() throws(Failure) -> StoredSubscription {
        guard let first = subscriptions.first else {
            throw Failure(
                .notFound, "this machine has no push subscription",
                hint: "make one with 'argus push subscribe', or name one; "
                    + "'argus push subscriptions' lists their ids")
        }
        guard subscriptions.count == 1 else {
            let names = subscriptions.map(\.endpoint.shown)
            throw Failure(
                .usage,
                "this machine has several push subscriptions: "
                    + names.joined(separator: ", "),
                hint: "name one; 'argus push subscriptions' lists their ids")
        }
        return first
    }
}

extension SignedInServer {
    /// The endpoint of the subscription with an id, or the start of one, in the server's list.
    ///
    /// - Throws: `Failure` 3 if there is none, 2 if there are several, 14 for one of another machine
    ///   whose endpoint the server lists without its middle.
    func endpoint(
        ofSubscription word: String, among stored: StoredPush
    ) async throws(Failure) -> PushEndpoint {
        let rows = try await attempt("list push subscriptions", await subscriber.list()).values
            .filter { $0.id != nil }
        let row = try NameLookup.find(word, in: rows, id: { $0.id ?? "" }, name: { _ in nil })
            .expectOne(word, .subscription) {
                "\($0.id ?? "") (\($0.endpoint.map(PushEndpoint.shown) ?? "-"))"
            }
        if let own = stored.subscriptions.first(where: { $0.isSame(as: row) }) {
            return own.endpoint
        }
        guard let endpoint = row.endpoint.flatMap(PushEndpoint.init(listed:)) else {
            throw Failure(
                .unsupported,
                "'\(name)' lists only a part of the endpoint of \(word.inQuotes), which was not "
                    + "subscribed from here", hint: "give the whole endpoint with --endpoint")
        }
        return endpoint
    }
}

extension NamedThing {
    fileprivate static let subscription = NamedThing(
        one: "push subscription", several: "subscriptions",
        listHint: "'argus push subscriptions' lists their ids")
}
