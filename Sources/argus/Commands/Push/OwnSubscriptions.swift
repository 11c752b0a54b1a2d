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
    /// - Throws: `Failure` 3 if there is none, 2 if there are several.
    func onlySubscription() throws(Failure) -> StoredSubscription {
        guard let first = subscriptions.first else {
            throw Failure(
                .notFound, "this machine has no push subscription",
                hint: "make one with 'argus push subscribe', or name one with --endpoint")
        }
        guard subscriptions.count == 1 else {
            let names = subscriptions.map(\.endpoint.shown)
            throw Failure(
                .usage,
                "this machine has several push subscriptions: "
                    + names.joined(separator: ", "), hint: "name one with --endpoint")
        }
        return first
    }
}
