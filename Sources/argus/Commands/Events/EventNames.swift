import ArgusKit
import CommandLineKit

extension Argument {
    /// One or more events.
    static func events(_ place: Place<[String]>) -> Self {
        .repeated(
            "EVENT", atLeast: 1, appends: place, "An event's id, the start of one, or latest"
        ).completing(.dynamic("events"))
    }
}

extension EventService {
    /// The event that a person names; `doing` is what is done with it, in words that go before
    /// `event`.
    ///
    /// - Throws: `Failure` 3 when there is none, 2 when several begin with what was given.
    func named(
        _ name: String, to doing: String, on server: SignedInServer, in context: Context
    ) async throws(Failure) -> (detail: EventDetail, view: JSONView) {
        let known = context.cache(for: server)?.events ?? []
        do {
            return try await find(name, known: known)
        } catch {
            switch error {
            case .api(let cause):
                var failure = await server.failure(cause, doing: "\(doing) event \(name.inQuotes)")
                if failure.kind == .notFound, name != "latest" { failure.hint = "give the full id" }
                throw failure
            case .ambiguous(let ids):
                throw Failure(
                    .usage, "\(name.inQuotes) begins several ids: \(ids.joined(separator: ", "))",
                    hint: "give the full id")
            }
        }
    }
}

extension Argument {
    /// Exactly one event.
    static func event(_ place: Place<Required<String>>) -> Self {
        .required("EVENT", sets: place, "An event's id, the start of one, or latest")
            .completing(.dynamic("events"))
    }
}
