import ArgusKit

/// Who asks a server, and can tell a person what it means when the server does not do it.
protocol ServerOperations {
    /// What an operation's failure means; `doing` is what was attempted, in words that follow
    /// `cannot`.
    func failure(_ error: APIError, doing: String) async -> Failure
}

extension ServerOperations {
    /// Runs an operation; `doing` as in `failure`.
    ///
    /// - Throws: `Failure` that names the server.
    func attempt<Value>(
        _ doing: String, _ work: () async throws(APIError) -> Value
    ) async throws(Failure) -> Value {
        do {
            return try await work()
        } catch {
            throw await failure(error, doing: doing)
        }
    }
}
